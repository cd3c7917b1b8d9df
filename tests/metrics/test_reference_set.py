"""Reference sets, against sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.games import ANSWERS
from referee.metrics.reference_set import NO, NOT_APPLICABLE, YES, means_by_game, reference_sets
from referee.metrics.reference_set.sets import _WORTH_THREADS

Dialogue = tuple[int, int, list[list[int]]]
"""How many things, which is the target, and for each question the answers about all things."""


@st.composite
def dialogues(draw: st.DrawFn) -> Dialogue:
    things = draw(st.integers(1, 6))
    row = st.lists(st.sampled_from([YES, NO, NOT_APPLICABLE]), min_size=things, max_size=things)
    return things, draw(st.integers(0, things - 1)), draw(st.lists(row, max_size=6))


def brute(dialogue: Dialogue) -> list[tuple[set[int], bool, bool]]:
    things, target, questions = dialogue
    left = set(range(things))
    found = []
    for answers in questions:
        after = {thing for thing in left if answers[thing] == answers[target]}
        others = [answers[thing] for thing in range(things) if thing != target]
        referring = answers[target] == YES and all(answer == NO for answer in others)
        found.append((after, after < left, referring))
        left = after
    return found


@given(st.lists(dialogues(), max_size=5))
def test_any_dialogues_give_what_a_loop_over_sets_gives(games: list[Dialogue]) -> None:
    flat = np.array([answer for _, _, rows in games for row in rows for answer in row], np.int8)
    things = np.array([game[0] for game in games], np.int64)
    turns = np.array([len(game[2]) for game in games], np.int64)
    targets = np.array([game[1] for game in games], np.int64)
    sets = reference_sets(flat, things, turns, targets)
    expected = [(game[0], *turn) for game in games for turn in brute(game)]
    cells = np.split(sets.remaining, np.cumsum(np.repeat(things, turns))[:-1])
    assert sets.sizes.tolist() == [len(left) for _, left, _, _ in expected]
    assert sets.effective.tolist() == [effective for _, _, effective, _ in expected]
    assert sets.referring.tolist() == [referring for _, _, _, referring in expected]
    for (_, left, _, _), row in zip(expected, cells, strict=False):
        assert set(np.flatnonzero(row).tolist()) == left


def test_the_target_never_leaves() -> None:
    answers = np.array([NOT_APPLICABLE, YES, NO, YES])
    sets = reference_sets(answers, np.array([2]), np.array([2]), np.array([0]))
    assert sets.remaining.reshape(2, 2)[:, 0].all()


def test_another_thing_that_is_not_applicable_breaks_a_reference() -> None:
    answers = np.array([YES, NO, NOT_APPLICABLE])
    sets = reference_sets(answers, np.array([3]), np.array([1]), np.array([0]))
    assert not sets.referring[0]
    assert sets.effective[0]


def test_a_question_about_a_thing_that_is_gone_already_can_still_refer() -> None:
    """Referring looks at every thing of the scene, effective at what is left only."""
    answers = np.array([YES, NO, NO, YES, NO, NO])
    sets = reference_sets(answers, np.array([3]), np.array([2]), np.array([0]))
    assert sets.referring.tolist() == [True, True]
    assert sets.effective.tolist() == [True, False]


def test_no_games_give_empty_arrays() -> None:
    empty = np.array([], np.int64)
    sets = reference_sets(empty, empty, empty, empty)
    assert len(sets.sizes) == len(sets.remaining) == 0
    assert len(means_by_game(sets.effective, empty)) == 0


def test_the_codes_are_the_order_of_the_games_answers() -> None:
    assert [ANSWERS[code] for code in (YES, NO, NOT_APPLICABLE)] == ["Yes", "No", "N/A"]


def test_a_game_without_questions_has_no_share() -> None:
    shares = means_by_game(np.array([True, True, False]), np.array([0, 2, 0, 1]))
    assert shares.tolist() == pytest.approx([np.nan, 1.0, np.nan, 0.0], nan_ok=True)


def brute_said(
    dialogue: Dialogue, said: list[int]
) -> list[tuple[int, bool, bool, bool, bool, int]]:
    """Size, effective, referring, in context, removed and referent, where the answers are given."""
    things, target, questions = dialogue
    left = set(range(things))
    found = []
    for answers, given_answer in zip(questions, said, strict=True):
        after = {thing for thing in left if answers[thing] == given_answer}
        told = {thing: answers[thing] for thing in range(things)} | {target: given_answer}
        alone = [
            thing
            for thing in told
            if told[thing] == YES and all(told[o] == NO for o in told if o != thing)
        ]
        near = given_answer == YES and all(told[o] == NO for o in left if o != target)
        effective = after - {target} != left - {target}
        referent = alone[0] if alone else -1
        found.append(
            (len(after), effective, referent == target, near, target not in after, referent)
        )
        left = after
    return found


def scenes(most: int) -> list[Dialogue]:
    random = np.random.default_rng(most)
    games: list[Dialogue] = []
    for _ in range(200):
        things = int(random.integers(1, most + 1))
        chances = random.dirichlet([0.5, 2, 0.05])
        length = int(random.choice([0, 3, 8, 9, 20, 1500], p=[0.1, 0.4, 0.2, 0.2, 0.09, 0.01]))
        rows = random.choice(3, (length, things), p=chances)
        games.append((things, int(random.integers(things)), rows.tolist()))
    return games


@pytest.mark.parametrize("most", [7, 8, 20, 64, 100])
@pytest.mark.parametrize("dialogue", [False, True])
def test_given_answers_and_scenes_of_any_size(most: int, dialogue: bool) -> None:
    games = scenes(most)
    flat = np.array([answer for _, _, rows in games for row in rows for answer in row], np.int8)
    things, turns, targets = (
        np.array(column, np.int64)
        for column in zip(*((n, len(rows), r) for n, r, rows in games), strict=True)
    )
    own = [[row[target] for row in rows] for _, target, rows in games]
    random = np.random.default_rng(0)
    said = [random.integers(0, 3, len(rows)).tolist() for rows in own] if dialogue else own
    told = np.array([answer for row in said for answer in row], np.int8) if dialogue else None
    sets = reference_sets(flat, things, turns, targets, told)
    columns = (sets.sizes, sets.effective, sets.referring, sets.in_context, sets.removed)
    found = list(zip(*(column.tolist() for column in (*columns, sets.referents)), strict=True))
    assert found == [
        row for game, given in zip(games, said, strict=True) for row in brute_said(game, given)
    ]
    assert sets.sizes.sum() == sets.remaining.sum()


def test_two_threads_find_what_one_finds() -> None:
    random = np.random.default_rng(5)
    things = random.integers(3, 21, 40_000)
    turns = random.integers(0, 9, len(things))
    targets = random.integers(0, things)
    answers = random.integers(0, 2, int(things @ turns))
    whole = reference_sets(answers, things, turns, targets)
    cells = np.cumsum(turns * things)
    half = len(things) // 2
    first = reference_sets(answers[: cells[half - 1]], things[:half], turns[:half], targets[:half])
    rest = reference_sets(answers[cells[half - 1] :], things[half:], turns[half:], targets[half:])
    assert half < _WORTH_THREADS < len(things)
    for name in ("sizes", "effective", "referring", "in_context", "removed", "referents"):
        parts = [getattr(first, name), getattr(rest, name)]
        assert np.array_equal(getattr(whole, name), np.concatenate(parts)), name


def test_answers_that_do_not_fit_are_refused() -> None:
    one = np.array([1])
    with pytest.raises(UsageError, match="3 answers for 1 pairs"):
        reference_sets(np.zeros(3, np.int8), one, one, one * 0)
    with pytest.raises(UsageError, match="2 given answers for 1 questions"):
        reference_sets(np.zeros(1, np.int8), one, one, one * 0, np.zeros(2, np.int8))


@pytest.mark.parametrize("column", ["things", "turns", "targets"])
def test_columns_of_different_games_are_refused(column: str) -> None:
    """Before anything is read that lies beyond the shorter of them."""
    given_ = {name: np.ones(4, np.int64) for name in ("things", "turns", "targets")}
    given_[column] = np.ones(3, np.int64)
    with pytest.raises(UsageError, match=r"are of [34], [34] and [34] games"):
        reference_sets(np.zeros(4, np.int8), **given_)


def test_fewer_than_no_things_or_turns_are_refused() -> None:
    """Also where the sums fit."""
    answers, targets = np.zeros(4, np.int8), np.zeros(2, np.int64)
    with pytest.raises(UsageError, match="game 1 has -2 turns"):
        reference_sets(answers, np.array([2, 1]), np.array([3, -2]), targets)
    with pytest.raises(UsageError, match="game 0 has -1 things"):
        reference_sets(answers, np.array([-1, 5]), np.array([1, 1]), targets)


@pytest.mark.parametrize("target", [-1, 3, 1 << 40])
@pytest.mark.parametrize("games", [2, 50_000])
def test_a_target_that_is_none_of_the_things_is_refused(target: int, games: int) -> None:
    things, turns, targets = np.full(games, 3), np.ones(games, np.int64), np.zeros(games, np.int64)
    targets[-1] = target
    with pytest.raises(UsageError, match=f"game {games - 1} is {target}: .* one of its 3 things"):
        reference_sets(np.zeros(3 * games, np.int8), things, turns, targets)


def test_a_game_without_questions_needs_no_target() -> None:
    things, turns = np.array([0, 2]), np.array([0, 1])
    sets = reference_sets(np.array([YES, NO]), things, turns, np.array([-1, 0]))
    assert sets.sizes.tolist() == [1]
