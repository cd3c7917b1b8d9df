"""Corrected values at planted error rates: near what the perfect oracle finds in the same games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.datasets import guesswhat
from referee.evaluations import evaluation, questions
from referee.evaluations.measures import Intervals
from referee.evaluations.questions.measuring import CORRECTED
from referee.evaluations.result import Judged, Value
from referee.games import Transcript

Play = Callable[..., Transcript]
TRUTH = "scripted:perfect-oracle"
NEAR = {"": 0.04, "bits": 0.04, "%": 4.0}
"""How far a corrected value may lie from the truth, by its unit."""


@pytest.fixture(scope="module")
def games(world: Path) -> list[Transcript]:
    return list(guesswhat.read(world / "guesswhat.train.jsonl.gz"))[:1400]


@pytest.fixture(scope="module")
def truth(games: list[Transcript]) -> dict[str, Value]:
    return judged(games, TRUTH).result.values


def judged(games: list[Transcript], oracle: object, **options: Any) -> Judged:
    chosen = questions.Options(oracle=oracle, **options)
    return evaluation.judge(questions.EVALUATION, games, chosen, Intervals(resamples=200))


def number(values: dict[str, Value], name: str) -> float:
    found = values[name].value
    assert found is not None
    return found


@pytest.mark.parametrize("accuracy", [0.98, 0.95])
def test_planted_errors_are_corrected(
    games: list[Transcript], truth: dict[str, Value], accuracy: float
) -> None:
    """Every value comes near the truth, and those that the errors move far come nearer by far."""
    noisy = f"scripted:noisy-oracle?accuracy={accuracy}"
    found = judged(games, noisy, oracle_accuracy=accuracy).result.values
    for name in CORRECTED:
        right, raw = number(truth, name), number(found, name)
        better, near = number(found, f"{name}_corrected"), NEAR[found[name].unit]
        assert better == pytest.approx(right, abs=near), name
        if abs(raw - right) > near:
            assert abs(better - right) < abs(raw - right) / 3, name


def test_what_is_estimated_without_bias_holds_at_one_error_in_ten(
    games: list[Transcript], truth: dict[str, Value]
) -> None:
    """Referring is off by a third as it is heard, and within its interval as it is corrected."""
    found = judged(games, "scripted:noisy-oracle?accuracy=0.9", oracle_accuracy=0.9).result.values
    right, better = number(truth, "last_referring"), found["last_referring_corrected"]
    assert number(found, "last_referring") < 0.7 * right
    assert better.ci_low is not None
    assert better.ci_high is not None
    assert better.ci_low < right < better.ci_high
    for name in ("effectiveness", "information_gain", "efficiency"):
        assert number(found, f"{name}_corrected") == pytest.approx(
            number(truth, name), abs=NEAR[found[name].unit]
        ), name


def test_an_oracle_that_never_errs_is_left_as_it_is(games: list[Transcript]) -> None:
    found = judged(games[:200], TRUTH, oracle_accuracy=1.0).result.values
    for name in CORRECTED:
        assert number(found, f"{name}_corrected") == pytest.approx(number(found, name)), name


def test_a_question_asked_again_rules_out_nothing_however_the_oracle_errs(
    play: Play, known: Any
) -> None:
    """Its answers are the same answers, with the same errors: only the first one is estimated."""
    again = play(["q", "q"], 4)
    rows = judged([again], known({"q": "ynnn"}), oracle_accuracy=0.95).turns
    assert rows[1]["effective_corrected"] == 0
    assert rows[1]["referring_corrected"] == rows[0]["referring_corrected"]


def test_games_longer_than_the_unbiased_estimate_reaches_are_corrected_all_the_same(
    play: Play, known: Any
) -> None:
    asked = {f"q{place}": "ynny" for place in range(15)}
    found = judged([play(list(asked), 4)], known(asked), oracle_accuracy=0.99)
    assert found.result.values["effectiveness_corrected"].n_failed == 0
    assert all(row["effective_corrected"] is not None for row in found.turns)
    assert any("estimates" in note for note in found.result.notes)


def test_without_a_known_accuracy_nothing_is_corrected(play: Play, known: Any) -> None:
    found = judged([play(["q"], 2)], known({"q": "yn"})).result.values
    assert not any(name.endswith("_corrected") for name in found)
