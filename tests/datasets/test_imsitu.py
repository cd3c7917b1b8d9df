"""imSitu's space and annotations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.datasets import imsitu
from referee.errors import DataError

OWN = Path(__file__).resolve().parent.parent / "data" / "imsitu"


def test_space() -> None:
    """The space has nouns with a gloss and verbs with roles in order."""
    space = imsitu.read_space(OWN / "imsitu_space.json")
    clinging = space.verbs["clinging"]
    assert clinging.order == ("agent", "clungto", "place")
    assert clinging.roles["clungto"].framenet == "entity"
    assert space.nouns["n02000001"].gloss == ("owl", "bird of night")
    assert clinging.definition == "to hold on"


def test_situations() -> None:
    """Three annotators fill the roles of a verb; a role left empty has no noun."""
    space = imsitu.read_space(OWN / "imsitu_space.json")
    (found,) = imsitu.read(OWN / "dev.json", space)
    assert (found.image, found.verb, len(found.frames)) == ("clinging_250.jpg", "clinging", 3)
    assert found.frames[1] == {"agent": "n02000001", "clungto": None, "place": None}


def test_round_trip(tmp_path: Path) -> None:
    """What is written reads the same."""
    space = imsitu.read_space(OWN / "imsitu_space.json")
    imsitu.write_space(tmp_path / "imsitu_space.json", space)
    imsitu.write(tmp_path / "dev.json", imsitu.read(OWN / "dev.json"))
    for file in ("imsitu_space.json", "dev.json"):
        written, own = (json.loads((folder / file).read_bytes()) for folder in (tmp_path, OWN))
        assert written == own


def test_summaries() -> None:
    """Both files are recognised, each as one format, and counted."""
    counted = {}
    for file in ("imsitu_space.json", "dev.json"):
        head = (OWN / file).read_bytes()
        (found,) = [each for each in imsitu.FORMATS if each.recognises(OWN / file, head)]
        counted[found.name] = found.summarise(OWN / file, [])
    assert counted == {
        "imsitu-space": {"verbs": 1, "nouns": 2, "roles": 3},
        "imsitu": {"images": 1, "verbs": 1, "frames": 3},
    }


@pytest.mark.parametrize(
    ("verb", "frame", "field"),
    [
        ("flying", {"agent": "", "clungto": "", "place": ""}, "verb"),
        ("clinging", {"agent": "", "place": ""}, "frames"),
        ("clinging", {"agent": "n9", "clungto": "", "place": ""}, "frames"),
        ("clinging", {"agent": 4, "clungto": "", "place": ""}, "$.frames[0]"),
    ],
)
def test_bad_situations(tmp_path: Path, verb: str, frame: dict[str, object], field: str) -> None:
    """Verbs, roles and nouns must be those of the space; the record is the name of the picture."""
    path = tmp_path / "train.json"
    good = {"verb": "clinging", "frames": []}
    path.write_text(json.dumps({"a.jpg": {"verb": verb, "frames": [frame]}, "b.jpg": good}))
    space = imsitu.read_space(OWN / "imsitu_space.json")
    with pytest.raises(DataError) as caught:
        list(imsitu.read(path, space))
    assert (caught.value.file, caught.value.record) == (str(path), "a.jpg")
    assert str(caught.value.field).startswith(field)
    skipped: list[DataError] = []
    assert [found.image for found in imsitu.read(path, space, skipped)] == ["b.jpg"]
    assert len(skipped) == 1


def test_order_without_a_role(tmp_path: Path) -> None:
    """The order names every role."""
    path = tmp_path / "imsitu_space.json"
    text = (OWN / "imsitu_space.json").read_text(encoding="utf-8")
    path.write_text(text.replace('"clungto",', "", 1), encoding="utf-8")
    with pytest.raises(DataError, match="order and roles differ"):
        imsitu.read_space(path)
