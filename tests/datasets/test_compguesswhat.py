"""CompGuessWhat?!: links, attribute vectors and dialogue states."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.datasets import compguesswhat, guesswhat
from referee.datasets.compguesswhat import Attributes, Names
from referee.datasets.formats import Format
from referee.errors import DataError

OWN = Path(__file__).resolve().parent.parent / "data" / "compguesswhat"
NAMES = Names(("flies", "animal", "container"), ("brown", "left_image"))


def recognised(path: Path) -> Format:
    head = b"" if path.is_dir() else path.read_bytes()[:65536]
    (found,) = [each for each in compguesswhat.FORMATS if each.recognises(path, head)]
    return found


def vectors() -> Attributes:
    return Attributes(
        ("301", "303"),
        np.array([[1, 1, 0], [0, 0, 1]], np.float32),
        np.array([[1, 0], [0, 1]], np.float32),
    )


def test_published_games(shared: Path) -> None:
    """Every file has 6 games; the 18 human ones have 118 objects and 100 turns, the others 192 objects."""
    total: dict[str, list[int]] = {"original": [0, 0], "zero_shot": [0, 0]}
    splits = set()
    for path in sorted((shared / "compguesswhat").rglob("*.jsonl.gz")):
        splits.add(compguesswhat.split(path))
        games = list(guesswhat.read(path))
        links = list(compguesswhat.links(path))
        assert len(games) == len(links) == 6
        assert [link.game for link in links] == [transcript.game.id for transcript in games]
        kind = "original" if "original" in str(path) else "zero_shot"
        total[kind][0] += sum(len(game.scene.things) for game in guesswhat.games(path))
        total[kind][1] += sum(len(transcript.turns) for transcript in games)
        assert all((link.visual_genome is None) == (kind == "zero_shot") for link in links)
        assert all((link.open_images is None) == (kind == "original") for link in links)
    assert total == {"original": [118, 100], "zero_shot": [192, 0]}
    assert splits == set(compguesswhat.SPLITS)


def test_published_link(shared: Path) -> None:
    """The first training game is on an image of COCO that Visual Genome has too."""
    folder = shared / "compguesswhat" / "compguesswhat-original" / "0.2.0"
    link = next(compguesswhat.links(folder / "compguesswhat.train.jsonl.gz"))
    assert link.visual_genome is not None
    assert (link.game, link.image) == ("2447", "157190")
    assert (link.visual_genome.id, link.visual_genome.coco) == ("2318324", "157190")


def test_links_of_both_versions() -> None:
    """Version 0.1 names the image of Visual Genome beside the picture, version 0.2 in a block."""
    new, old = compguesswhat.links(OWN / "compguesswhat.train.jsonl")
    assert new.visual_genome is not None
    assert old.visual_genome is not None
    assert (new.visual_genome.id, old.visual_genome.id) == ("11", "11")
    (unseen,) = compguesswhat.links(OWN / "compguesswhat.od_test.jsonl")
    assert (unseen.image, unseen.open_images) == ("4500", "0001eeaf4aed83f9")


def test_games_without_a_link(tmp_path: Path) -> None:
    """A game that links to nothing is refused."""
    game = json.loads(
        (OWN / "compguesswhat.train.jsonl").read_text(encoding="utf-8").split("\n")[0]
    )
    del game["image"]["visual_genome"]
    path = tmp_path / "compguesswhat.train.jsonl"
    path.write_text(json.dumps(game), encoding="utf-8")
    with pytest.raises(DataError, match="where the picture comes from") as caught:
        list(compguesswhat.links(path))
    assert (caught.value.record, caught.value.field) == (1, "image")
    problems: list[DataError] = []
    assert recognised(path).summarise(path, problems)["games"] == 1
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("compguesswhat.od_test.jsonl.gz", "od_test"),
        ("compguesswhat.test.jsonl.gz", "test"),
        ("comp_guesswhat.valid.jsonl", "valid"),
        ("guesswhat.test.jsonl.gz", None),
        ("compguesswhat.latest.jsonl", None),
    ],
)
def test_split(name: str, split: str | None) -> None:
    """A split is named in full: od_test is not test."""
    assert compguesswhat.split(Path(name)) == split


def test_attributes_round_trip(tmp_path: Path) -> None:
    """Vectors come back as they were written, and by object."""
    path = tmp_path / "21.npz"
    compguesswhat.write_attributes(path, vectors())
    found = compguesswhat.read_attributes(path, NAMES)
    assert found.objects == ("301", "303")
    abstract, situated = found.of("303")
    assert (abstract.tolist(), situated.tolist()) == ([0, 0, 1], [0, 1])
    with np.load(path) as archive:
        assert archive["object2id"].dtype == np.int64
    assert recognised(path).summarise(path, [])["objects"] == 2


def test_attributes_of_unseen_objects(tmp_path: Path) -> None:
    """Ids that are no whole numbers are written as text; the documented key is read as well."""
    path = tmp_path / "4500.npz"
    ids = ("0001eeaf4aed83f9_0", "0001eeaf4aed83f9_3")
    compguesswhat.write_attributes(path, Attributes(ids, np.eye(2), np.eye(2)))
    assert compguesswhat.read_attributes(path).objects == ids
    other = tmp_path / "other.npz"
    matrix = np.eye(1)
    np.savez(
        other,
        objects2ids=np.array([7]),
        abstract_attributes=matrix,
        situated_attributes=matrix,
    )
    assert compguesswhat.read_attributes(other).objects == ("7",)


def test_no_such_object() -> None:
    """An object without a vector is an error, never the row of another."""
    with pytest.raises(DataError, match="there is no object 302"):
        vectors().of("302")


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"abstract_attributes": None}, "missing"),
        ({"object2id": np.array([301, 301])}, "comes twice"),
        ({"object2id": np.array([301.5, 2.0])}, "float64"),
        ({"situated_attributes": np.zeros((3, 2))}, "shape"),
        ({"situated_attributes": np.zeros((2, 5))}, "5 columns"),
        ({"situated_attributes": np.full((2, 2), np.nan)}, "NaN"),
        ({"situated_attributes": np.array([["a", "b"], ["c", "d"]])}, "holds <U1"),
        ({"situated_attributes": np.array([[None, 1], [2, 3]], object)}, "pickle"),
    ],
)
def test_bad_vectors(tmp_path: Path, arrays: dict[str, object], said: str) -> None:
    """Vectors that are missing, crooked or pickled are refused, and nothing pickled is run."""
    path = tmp_path / "21.npz"
    whole: dict[str, object] = {
        "object2id": np.array([301, 303]),
        "abstract_attributes": np.zeros((2, 3)),
        "situated_attributes": np.zeros((2, 2)),
        **arrays,
    }
    np.savez(path, **{key: value for key, value in whole.items() if value is not None})  # type: ignore[arg-type]
    with pytest.raises(DataError, match=said) as caught:
        compguesswhat.read_attributes(path, NAMES)
    assert caught.value.file == str(path)


def test_folder_of_attributes(tmp_path: Path) -> None:
    """A folder has the names beside the splits; a broken image in it is a problem, not the end."""
    compguesswhat.write_names(tmp_path, NAMES)
    assert compguesswhat.read_names(tmp_path) == NAMES
    (tmp_path / "train").mkdir()
    compguesswhat.write_attributes(tmp_path / "train" / "21.npz", vectors())
    (tmp_path / "train" / "22.npz").write_bytes(b"PK\x03\x04 cut short")
    problems: list[DataError] = []
    assert recognised(tmp_path).summarise(tmp_path, problems) == {
        "images of train": 1,
        "objects": 2,
        "abstract attributes": 3,
        "situated attributes": 2,
    }
    assert [error.file for error in problems] == [str(tmp_path / "train" / "22.npz")]
    names = tmp_path / "abstract_attribute_names.json"
    assert recognised(names).summarise(names, []) == {"names": 3}


def test_states(tmp_path: Path) -> None:
    """A state is [d] or [1, d]; a missing one is an error, or zeros where it is listed."""
    compguesswhat.write_state(tmp_path / "5.npy", np.array([1.0, 2.0, 3.0]))
    np.save(tmp_path / "6.npy", np.array([4.0, 5.0, 6.0]))
    assert np.load(tmp_path / "5.npy").shape == (1, 3)
    assert compguesswhat.read_states(tmp_path, ["6", "5"]).tolist() == [[4, 5, 6], [1, 2, 3]]
    with pytest.raises(DataError, match="no such file"):
        compguesswhat.read_states(tmp_path, ["5", "7"])
    skipped: list[DataError] = []
    assert compguesswhat.read_states(tmp_path, ["5", "7"], skipped)[1].tolist() == [0, 0, 0]
    assert [error.record for error in skipped] == ["7"]
    assert recognised(tmp_path).summarise(tmp_path, []) == {"games": 2, "width": 3}
    assert recognised(tmp_path / "5.npy").summarise(tmp_path / "5.npy", []) == {"width": 3}


def test_bad_states(tmp_path: Path) -> None:
    """States of different widths, of two rows, or of no numbers are refused."""
    np.save(tmp_path / "5.npy", np.zeros(3))
    np.save(tmp_path / "6.npy", np.zeros(4))
    np.save(tmp_path / "7.npy", np.zeros((2, 3)))
    np.save(tmp_path / "8.npy", np.array([None]), allow_pickle=True)
    with pytest.raises(DataError, match="widths"):
        compguesswhat.read_states(tmp_path, ["5", "6"])
    with pytest.raises(DataError, match="shape"):
        compguesswhat.read_state(tmp_path / "7.npy")
    with pytest.raises(DataError, match="pickle"):
        compguesswhat.read_state(tmp_path / "8.npy")
    with pytest.raises(DataError, match="objects"):
        compguesswhat.write_attributes(
            tmp_path / "9.npz", Attributes(("1",), np.array([[None]]), np.zeros((1, 1)))
        )
