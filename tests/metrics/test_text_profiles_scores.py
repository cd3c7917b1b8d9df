"""What the profiles do to the published numbers (visdial.md 0.5 and 6.1 c)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.datasets.densevisdial import paired, read_generations, read_references
from referee.metrics.text.cider import cider
from referee.metrics.text.interning import Scores, Vocabulary
from referee.metrics.text.profiles import PROFILES, profile

Lists = list[list[str]]


@pytest.fixture(scope="module")
def human(shared: Path) -> tuple[Lists, Lists]:
    """The published generations and the human reference sets of the same rounds."""
    rows = list(
        paired(
            read_references(shared / "densevisdial/refs_H_human_val.json"),
            read_generations(shared / "densevisdial/gens.json"),
        )
    )
    return (
        [list(generations.texts) for _, generations in rows],
        [list(references.references) for references, _ in rows],
    )


def _cider(human: tuple[Lists, Lists], name: str) -> Scores:
    chosen, words = profile(name), Vocabulary()
    hypotheses, references = human
    return cider(
        words.texts(hypotheses, lambda text: chosen.hypothesis(text).split()),
        words.texts(references, lambda text: chosen.reference_for("cider")(text).split()),
    )


@pytest.mark.parametrize(
    ("name", "mean", "std"),
    [
        ("paper", [0.0721, 0.0434, 0.0298, 0.0226], [0.1187, 0.0726, 0.0506, 0.0389]),
        ("released", [0.0721, 0.0434, 0.0298, 0.0226], [0.1181, 0.0724, 0.0505, 0.0388]),
    ],
)
def test_each_profile_has_its_published_cider(
    human: tuple[Lists, Lists], name: str, mean: list[float], std: list[float]
) -> None:
    scores = _cider(human, name)
    assert [round(float(value), 4) for value in scores.mean(axis=0)] == mean
    assert [round(float(value), 4) for value in scores.std(axis=0)] == std


def test_short_forms_meet_more_references(human: tuple[Lists, Lists]) -> None:
    """Less of what is said is verbiage, so that more of the answers agree."""
    assert {*PROFILES} == {"paper", "released", "clean", "short", "ptb"}
    clean, short = (_cider(human, name).mean(axis=0) for name in ("clean", "short"))
    assert short[0] > clean[0]
