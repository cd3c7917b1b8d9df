"""VISA's concepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.datasets import visa
from referee.errors import DataError

OWN = Path(__file__).resolve().parent.parent / "data" / "visa" / "visa.jsonl"


def test_concepts() -> None:
    """A concept has a synset, attributes by kind as they stand in the file, and types."""
    owl, cup = visa.read(OWN)
    assert (owl.id, owl.synset, owl.types) == ("owl", "owl.n.01", ("bird of prey", "animal"))
    assert owl.attributes == {
        "behaviour": ("beh_-_flies", "beh_-_hoots"),
        "anatomy": ("has_wings",),
    }
    assert cup.attributes == {"function": ("used_for_drinking",)}


def test_round_trip(tmp_path: Path) -> None:
    """What is written reads the same, and the file is the same."""
    path = tmp_path / "visa.jsonl"
    visa.write(path, visa.read(OWN))
    assert list(visa.read(path)) == list(visa.read(OWN))
    assert path.read_bytes() == OWN.read_bytes()


def test_summary() -> None:
    """The file is recognised and counted."""
    (found,) = visa.FORMATS
    assert found.recognises(OWN, OWN.read_bytes())
    counts = {"concepts": 2, "synsets": 2, "kinds of attributes": 3, "attributes": 4}
    assert found.summarise(OWN, []) == {**counts, "attributes of concepts": 4}


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"wordnet_id": "a.n.01", "concept_id": 3, "data": {"attributes": {}}}', "$.concept_id"),
        ('{"wordnet_id": "a.n.01", "concept_id": "a"}', "$.data"),
        ('{"wordnet_id": "a.n.01", "concept_id": "owl", "data": {"attributes": {}}}', None),
        ("{", None),
    ],
)
def test_bad_lines(tmp_path: Path, line: str, field: str | None) -> None:
    """A bad line, or a concept that comes twice, is named; skipped, the others stay."""
    path = tmp_path / "visa.jsonl"
    path.write_text(OWN.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(visa.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record in {3, "owl"}
    assert caught.value.field == field
    skipped: list[DataError] = []
    assert [concept.id for concept in visa.read(path, skipped)] == ["owl", "cup"]
    assert len(skipped) == 1
