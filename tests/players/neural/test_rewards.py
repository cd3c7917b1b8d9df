"""What a game is worth: the parts of a reward, their weights, and how they are written."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.players.neural.rewards import Outcome, Reward

YES, NO = 0, 1


def outcome(*rows: tuple[int, ...], won: bool = True, target: int = 0) -> Outcome:
    return Outcome(won, target, [np.array(row, np.int8) for row in rows], len(rows))


FIGURE = outcome(
    # Figure 1's game: effective 1, 1, 1, 1, 0; the last question refers to the target.
    (0, 0, 0, 0, 0, 0, 0, 1),
    (1, 0, 1, 1, 1, 1, 1, 1),
    (1, 1, 0, 0, 1, 1, 1, 1),
    (0, 0, 1, 1, 1, 1, 1, 1),
    (0, 1, 1, 1, 1, 1, 1, 1),
)


def test_with_success_alone_every_word_has_the_same_reward() -> None:
    won, lost = Reward.parse("success").of([FIGURE, outcome((0, 1), won=False)])
    assert won.tolist() == [1.0] * 6
    assert lost.tolist() == [0.0] * 2
    assert not Reward.parse("success").everything


def test_a_question_brings_what_the_game_brings_from_it_on() -> None:
    """Of 4 effective questions and one that refers, those that are still to come."""
    (worth,) = Reward.parse("success,effective:0.1,referring:0.01").of([FIGURE])
    assert worth.round(9).tolist() == [1.41, 1.31, 1.21, 1.11, 1.01, 1.0]
    (near,) = Reward.parse("referring_in_context").of([FIGURE])
    assert near.tolist() == [2.0, 2.0, 2.0, 2.0, 1.0, 0.0]


answers = st.integers(0, 2)


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.integers(1, 4).flatmap(
                lambda things: st.tuples(
                    st.integers(0, things - 1),
                    st.lists(st.tuples(*[answers] * things), max_size=4),
                )
            ),
        ),
        max_size=4,
    )
)
def test_rewards_are_those_of_a_plain_loop(
    games: list[tuple[bool, tuple[int, list[tuple[int, ...]]]]],
) -> None:
    """Also of games without a question, beside others of any number of things."""
    outcomes = [outcome(*rows, won=won, target=target) for won, (target, rows) in games]
    found = Reward.parse("success:2,effective:0.5,referring:0.25").of(outcomes)
    for worth, (won, (target, rows)) in zip(found, games, strict=True):
        left = set(range(len(rows[0]))) if rows else set()
        earned = []
        for row in rows:
            kept = {thing for thing in left if row[thing] == row[target]}
            others = [answer for thing, answer in enumerate(row) if thing != target]
            refers = row[target] == YES and all(answer == NO for answer in others)
            earned.append(0.5 * (kept != left) + 0.25 * refers)
            left = kept
        wanted = [2 * won + sum(earned[turn:]) for turn in range(len(rows) + 1)]
        assert worth.tolist() == pytest.approx(wanted)


def test_a_reward_is_written_as_it_is_read() -> None:
    names = ("success", "effective:0.1", "referring_in_context:3")
    for count, start in product((1, 2), (0, 1)):
        text = ",".join(names[start : start + count])
        assert Reward.parse(str(Reward.parse(text))) == Reward.parse(text)
    assert Reward.parse(" success , effective:0.1").weights == {"success": 1.0, "effective": 0.1}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "there is no reward ''"),
        ("success,", "there is no reward ''"),
        ("victory", "there is no reward 'victory' .there are success, effective, referring"),
        ("success,success:2", "success comes twice"),
        ("effective:", "the weight of effective is ''"),
        ("effective:much", "the weight of effective is 'much' .expected a number above 0"),
        ("effective:-1", "the weight of effective is '-1'"),
        ("effective:0", "the weight of effective is '0'"),
        ("referring:nan", "the weight of referring is 'nan'"),
        ("referring:inf", "the weight of referring is 'inf'"),
        ("success:1:2", "the weight of success is '1:2'"),
    ],
)
def test_what_is_no_reward_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        Reward.parse(text)
