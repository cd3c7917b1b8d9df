"""Reference sets and generations: zero-based rounds, paired by key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import dense, densevisdial, visdial
from referee.datasets.densevisdial import Generations, ReferenceSet
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
REFERENCES = {
    "refs_H_human_val.json": (2_064, 26_358),
    "refs_S_human_val.json": (2_064, 14_800),
    "refs_M_human_val.json": (2_064, 24_771),
    "refs_G_human_val.json": (2_064, 16_326),
    "refs_H_human_train.json": (1_996, 15_317),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_real_reference_sets_are_counted_and_written_again(
    shared: Path, tmp_path: Path, name: str
) -> None:
    """Rounds and references are as published, and come out as they went in."""
    path = shared / "densevisdial" / name
    rows = list(densevisdial.read_references(path))
    assert (len(rows), sum(len(row.references) for row in rows)) == REFERENCES[name]
    densevisdial.write_references(tmp_path / name, rows)
    assert json.loads((tmp_path / name).read_bytes()) == json.loads(path.read_bytes())


def test_real_generations_are_counted_and_written_again(shared: Path, tmp_path: Path) -> None:
    """20,640 rounds with one generation each."""
    path = shared / "densevisdial" / "gens.json"
    rows = list(densevisdial.read_generations(path))
    assert len(rows) == 20_640
    assert {len(row.texts) for row in rows} == {1}
    densevisdial.write_generations(tmp_path / "gens.json", rows)
    assert json.loads((tmp_path / "gens.json").read_bytes()) == json.loads(path.read_bytes())


def test_the_check_counts_references_and_generations(shared: Path) -> None:
    skipped: list[DataError] = []
    folder = shared / "densevisdial"
    references, generations = densevisdial.FORMATS
    counts = references.summarise(folder / "refs_H_human_val.json", skipped)
    assert (counts["rounds"], counts["references"]) == (2_064, 26_358)
    assert counts["references a round"] == 12.77
    counts = generations.summarise(folder / "gens.json", skipped)
    assert (counts["rounds"], counts["generations"]) == (20_640, 20_640)
    assert counts["fewest and most a round"] == "1 and 1"
    assert not skipped


def test_human_references_follow_from_the_relevances(shared: Path) -> None:
    """H is every option of some relevance and the ground truth: so it is in 97 real rounds of 97."""
    folder = shared / "visdial"
    annotations = folder / "visdial_1.0_val_dense_annotations_crowdsourced.json"
    released = {
        row.key: row
        for row in densevisdial.read_references(shared / "densevisdial" / "refs_H_human_val.json")
    }
    compared = 0
    for game in visdial.games(folder / "visdial_1.0_val_crowdsourced.json", annotations):
        for number, asked in enumerate(game.rounds):
            if asked.relevance is None:
                continue
            expected = tuple(
                option
                for place, (option, relevance) in enumerate(
                    zip(asked.options, asked.relevance, strict=True)
                )
                if relevance > 0 or place == asked.gt_index
            )
            found = released[RoundKey(game.image, number)]
            assert found.references == expected
            assert (found.question, found.gt_answer) == (asked.question, asked.answer)
            compared += 1
    assert compared == 97


def test_references_meet_generations_by_key(shared: Path) -> None:
    """Every reference set of the human subset finds the generation for its own round."""
    folder = shared / "densevisdial"
    generations = list(densevisdial.read_generations(folder / "gens.json"))
    references = densevisdial.read_references(folder / "refs_H_human_val.json")
    pairs = list(densevisdial.paired(references, reversed(generations)))
    assert len(pairs) == 2_064
    assert all(reference.key == found.key for reference, found in pairs)


def test_a_reference_set_without_generations_is_a_problem() -> None:
    references = list(densevisdial.read_references(DATA / "references.json"))
    generations = [Generations("4202", 1, ("yes",)), Generations("4101", 2, ("no",))]
    with pytest.raises(DataError, match="image 4303, round 0 \\(from 0\\)"):
        list(densevisdial.paired(references, generations))
    skipped: list[DataError] = []
    assert len(list(densevisdial.paired(references, generations, skipped))) == 2
    assert len(skipped) == 1


def test_rounds_count_from_0_here_and_from_1_in_dense_annotations() -> None:
    """The same rounds come out of both files of the small set."""
    references = {row.key for row in densevisdial.read_references(DATA / "references.json")}
    assert references == {row.key for row in dense.read(DATA / "dense_val.json")}


def test_generations_become_replies() -> None:
    """As transcripts, generations are the replies to the questions of their dialogues."""
    games = visdial.games(DATA / "val.json")
    first, *_ = densevisdial.transcripts(DATA / "generations.json", games)
    assert [turn.question for turn in first.turns] == [
        "what is on the table",
        "is it sunny",
        "what colour is the boat",
    ]
    assert first.events[5].texts == ("yes", "a boat", "")  # type: ignore[union-attr]
    assert first.status == "success"


BAD_REFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "image missing": ({"image_id": ...}, "image_id"),
    "round from 1": ({"round_id": 10}, "round_id"),
    "round negative": ({"round_id": -1}, "round_id"),
    "mask missing": ({"in_cluster_idxs": ...}, "in_cluster_idxs"),
    "99 marks": ({"in_cluster_idxs": [0] * 98 + [1]}, "in_cluster_idxs"),
    "a mark of 2": ({"in_cluster_idxs": [0] * 99 + [2]}, "in_cluster_idxs["),
    "empty set": ({"refs": [], "in_cluster_idxs": [0] * 100}, "refs"),
    "a reference too many": ({"refs": ["no", "never"]}, "refs"),
    "a reference no text": ({"refs": [1]}, "refs["),
    "references no list": ({"refs": "no"}, "refs"),
    "ground truth absent": ({"gt_answer": "perhaps"}, "refs"),
    "ground truth missing": ({"gt_answer": ...}, "gt_answer"),
    "question no text": ({"question": None}, "question"),
    "a reference twice": (
        {"refs": ["no", "no"], "in_cluster_idxs": [1, 1] + [0] * 98, "gt_answer": "no"},
        "refs",
    ),
    "seen before": ({"image_id": 4202, "round_id": 1}, ""),
}
BAD_GENERATIONS: dict[str, tuple[dict[str, Any], str]] = {
    "image missing": ({"image_id": ...}, "image_id"),
    "round from 1": ({"round_id": 10}, "round_id"),
    "no generation": ({"generations": []}, "generations"),
    "a text, not a list": ({"generations": "yes"}, "generations"),
    "numbers": ({"generations": [1, 2]}, "generations["),
    "a null": ({"generations": ["yes", None]}, "generations["),
    "missing": ({"generations": ...}, "generations"),
    "seen before": ({"image_id": 4101, "round_id": 0}, ""),
}
BAD = [("references.json", name) for name in BAD_REFERENCES] + [
    ("generations.json", name) for name in BAD_GENERATIONS
]


@pytest.mark.parametrize(("source", "name"), BAD)
def test_bad_rows_are_named_or_collected(tmp_path: Path, source: str, name: str) -> None:
    """The error tells file, record, field and what was expected; the other rows survive."""
    references = source == "references.json"
    changes, field = (BAD_REFERENCES if references else BAD_GENERATIONS)[name]
    read = densevisdial.read_references if references else densevisdial.read_generations
    content = json.loads((DATA / source).read_bytes())
    row = content[2] | changes
    content[2] = {key: value for key, value in row.items() if value is not ...}
    path = tmp_path / source
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(read(path))
    assert caught.value.file == str(path)
    assert caught.value.record is not None
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(read(path, skipped))) == len(content) - 1
    assert [str(error) for error in skipped] == [str(caught.value)]


@pytest.mark.parametrize("source", ["references.json", "generations.json"])
def test_broken_documents_are_data_errors(tmp_path: Path, source: str) -> None:
    """Text that is not UTF-8, a file cut short, no list, nothing at all."""
    read = (
        densevisdial.read_references
        if source == "references.json"
        else densevisdial.read_generations
    )
    whole = (DATA / source).read_bytes()
    for broken in (whole.replace(b"yes", b"y\xffs", 1), whole[:-40], b"{}", b"", b"null"):
        path = tmp_path / source
        path.write_bytes(broken)
        with pytest.raises(DataError) as caught:
            list(read(path))
        assert caught.value.file == str(path)
    with pytest.raises(DataError, match="no such file"):
        list(read(tmp_path / "absent.json"))


TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
GENERATED = st.builds(
    Generations,
    image=st.integers(0, 10**9).map(str),
    round=st.integers(0, 9),
    texts=st.lists(TEXTS, min_size=1, max_size=4).map(tuple),
    form=st.sampled_from(("int", "str")),
)


@st.composite
def reference_sets(draw: st.DrawFn) -> ReferenceSet:
    """Sets over four options that hold their ground truth."""
    mask = draw(st.tuples(*[st.integers(0, 1)] * 4).filter(any))
    references = tuple(draw(st.lists(TEXTS, min_size=sum(mask), max_size=sum(mask), unique=True)))
    return ReferenceSet(
        str(draw(st.integers(0, 10**9))),
        draw(st.integers(0, 9)),
        mask,
        references,
        draw(TEXTS),
        draw(st.sampled_from(references)),
        draw(st.sampled_from(("int", "str"))),
    )


@settings(deadline=None, max_examples=60)
@given(
    st.lists(reference_sets(), unique_by=lambda row: row.key, max_size=5),
    st.lists(GENERATED, unique_by=lambda row: row.key, max_size=5),
)
def test_written_rows_are_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    references: list[ReferenceSet],
    generations: list[Generations],
) -> None:
    """Whatever is written is read back equal."""
    folder = tmp_path_factory.mktemp("densevisdial")
    densevisdial.write_references(folder / "references.json", references, options=4)
    found = densevisdial.read_references(folder / "references.json", options=4)
    assert list(found) == references
    densevisdial.write_generations(folder / "generations.json", generations)
    assert list(densevisdial.read_generations(folder / "generations.json")) == generations
