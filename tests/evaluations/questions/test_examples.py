"""The paper's two figures, as games whose answers are chosen to give what is printed under them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.evaluations import evaluation, questions
from referee.evaluations.result import Judged
from referee.games import Transcript

Play = Callable[..., Transcript]
Table = dict[str, str]
VARIANTS = pytest.mark.parametrize("variant", ["paper", "code"])


def judged(transcript: Transcript, oracle: object, **options: Any) -> Judged:
    chosen = questions.Options(oracle=oracle, question_text="asked", **options)
    return evaluation.judge(questions.EVALUATION, [transcript], chosen)


def own(table: Table) -> str:
    """What the dialogue says: the answers about the target."""
    return "".join(letters[0] for letters in table.values())


def value(found: Judged, name: str) -> float | None:
    return found.result.values[name].value


def column(found: Judged, name: str) -> list[Any]:
    return [row[name] for row in found.turns]


@VARIANTS
def test_figure_1(play: Play, figure_1: Table, known: Any, variant: str) -> None:
    """Four of five questions are effective; the last confirms; the second refers to another cow."""
    found = judged(play(list(figure_1), said=own(figure_1)), known(figure_1), variant=variant)
    assert column(found, "distractors") == [6, 5, 3, 0, 0]
    assert column(found, "effective") == [True, True, True, True, False]
    assert value(found, "effectiveness") == pytest.approx(80)
    assert value(found, "last_effective") == 0
    assert value(found, "last_referring") == 100
    assert column(found, "refers_to") == [None, "101", None, None, "100"]
    assert column(found, "refers_to_another") == [False, True, False, False, False]
    assert value(found, "refers_to_another") == pytest.approx(20)
    assert value(found, "refers_to_target") == pytest.approx(20)
    assert value(found, "removed_target") == 0


@VARIANTS
def test_figure_1_where_the_stick_is_near_us_on_the_right_too(
    play: Play, figure_1: Table, known: Any, variant: str
) -> None:
    """Section 3.2 calls question 5 referring; section 5 does not, since it is true of the stick.

    It then refers in context only: the stick is out since the first answer.
    """
    *_, last = figure_1
    figure_1[last] = "ynnnnnny"
    found = judged(play(list(figure_1), said=own(figure_1)), known(figure_1), variant=variant)
    assert column(found, "distractors") == [6, 5, 3, 0, 0]
    assert value(found, "effectiveness") == pytest.approx(80)
    assert value(found, "last_referring") == 0
    assert value(found, "last_referring_in_context") == 100
    assert column(found, "refers_to")[-1] is None


@VARIANTS
def test_figure_2(play: Play, vdst: Table, cl: Table, known: Any, variant: str) -> None:
    """VDST's questions are effective in 60 %, none refers; CL's in 40 %, its last does both."""
    first = judged(play(list(vdst), 5, said=own(vdst)), known(vdst), variant=variant)
    assert value(first, "effectiveness") == pytest.approx(60)
    assert column(first, "effective") == [True, True, True, False, False]
    assert column(first, "refers_to") == [None] * 5
    second = judged(play(list(cl), 5, said=own(cl)), known(cl), variant=variant)
    assert value(second, "effectiveness") == pytest.approx(40)
    assert value(second, "last_effective") == 100
    assert value(second, "last_referring") == 100
    assert column(second, "referring") == [False] * 4 + [True]


def test_what_figure_2_says_of_redundancy(play: Play, vdst: Table, cl: Table, known: Any) -> None:
    """VDST's question 4 is implied by what was said; CL's 2 to 4 say the same of everything as its 1."""
    first = judged(play(list(vdst), 5, said=own(vdst)), known(vdst))
    assert column(first, "redundancy_implied") == [False, False, False, True, True]
    second = judged(play(list(cl), 5, said=own(cl)), known(cl))
    assert column(second, "redundancy_paraphrase") == [False, True, True, True, False]
    assert value(second, "redundancy_paraphrase") == pytest.approx(60)
    assert value(second, "redundancy_repeated") == 0
    assert value(second, "redundancy_implied") == 0


def test_figure_1_in_bits(play: Play, figure_1: Table, known: Any) -> None:
    """Eight things need three bits; the four effective questions bring them, the confirmation none."""
    found = judged(play(list(figure_1), said=own(figure_1)), known(figure_1))
    assert column(found, "bits_told") == pytest.approx(
        [0.192645, 0.222392, 0.584963, 2.0, 0.0], abs=1e-6
    )
    assert sum(column(found, "bits_told")) == pytest.approx(3)
    assert value(found, "efficiency") == pytest.approx(1)
    assert column(found, "best_gain")[0] == pytest.approx(1)
    assert column(found, "information_gain")[-1] == pytest.approx(0)
