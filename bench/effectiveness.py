"""Effective and referring questions, the oracle's answers given, beside a Python loop over sets.

200,000 games, about 1,000,000 questions about scenes of 3 to 13 things. The loop goes through a part of
the games, is given the same and finds the same: the size of the reference set, what the question refers
to, and whether it is effective, referring, referring in context and rid of the target. From arrays both
are given flat arrays; from transcripts both hold the games as they were played, and are given the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.oracle import Swept
from referee.evaluations.questions.asking import Noted
from referee.evaluations.questions.kept import Kept
from referee.games import Answer, Ask, Box, Event, Guess, GuessWhat, Scene, Thing, Transcript, Turn
from referee.metrics.reference_set import ReferenceSets, reference_sets
from timing import least_seconds

Numbers = NDArray[np.int64]
Found = tuple[int, int, bool, bool, bool, bool]
"""What the loop says of a question, in the order of `COLUMNS`."""

Walked = tuple[int, int, Sequence[Turn]]
"""How many things a game has, where its target stands, and its turns."""

GAMES, PART, TURNS = 200_000, 10_000, 8
ARRAYS_BAR, TRANSCRIPTS_BAR = 1000, 50
COLUMNS = ("sizes", "referents", "effective", "referring", "in_context", "removed")
YES, NO = 0, 1


@cache
def arrays() -> tuple[NDArray[np.int8], Numbers, Numbers, Numbers]:
    """Answers, things, turns and targets."""
    random = np.random.default_rng(0)
    things = random.integers(3, 9, GAMES) + random.integers(0, 6, GAMES)
    turns = random.integers(2, 9, GAMES)
    cells = int(things @ turns)
    answers = random.choice(3, cells, p=(0.3, 0.65, 0.05)).astype(np.int8)
    return answers, things, turns, random.integers(0, things)


def loop(
    answers: NDArray[np.int8], things: Numbers, turns: Numbers, targets: Numbers
) -> Iterator[Found]:
    """Every question of the games, by sets of places."""
    cell = 0
    shapes = zip(things.tolist(), turns.tolist(), targets.tolist(), strict=True)
    for width, count, target in shapes:
        everything = set(range(width))
        known = everything
        for _ in range(count):
            said = answers[cell : cell + width].tolist()
            cell += width
            left = {thing for thing in known if said[thing] == said[target]}
            yield judged(everything, known, left, said, target)
            known = left


def judged(
    everything: set[int],
    known: set[int],
    left: set[int],
    said: Sequence[int],
    target: int,
) -> Found:
    """One question; `said` holds the answer about each thing."""
    yes = {thing for thing in everything if said[thing] == YES}
    not_no = {thing for thing in everything if said[thing] != NO}
    alone = yes == not_no and len(yes) == 1
    affirmed = said[target] == YES
    return (
        len(left),
        next(iter(yes)) if alone and (affirmed or said[target] == NO) else -1,
        left - {target} != known - {target},
        affirmed and not_no == {target},
        affirmed and not (not_no & known) - {target},
        target not in left,
    )


def transcripts(games: int) -> list[Transcript]:
    """The games of the arrays as they would have been played."""
    answers, things, turns, targets = arrays()
    found, cell = [], 0
    words = ("Yes", "No", "N/A")
    for number in range(games):
        width, target = int(things[number]), int(targets[number])
        scene = Scene(
            str(number),
            1,
            1,
            tuple(Thing(f"{number}-{place}", "", 1, Box(0, 0, 1, 1)) for place in range(width)),
        )
        events: list[Event] = []
        for turn in range(int(turns[number])):
            events += [Ask(f"question {turn}"), Answer(words[answers[cell + target]])]
            cell += width
        game = GuessWhat(str(number), scene, scene.things[target].id)
        found.append(Transcript(game, (*events, Guess(game.target)), "success"))
    return found


def transcribed(played: Sequence[Walked], answers: NDArray[np.int8]) -> Iterator[Found]:
    """Every question of some transcripts that have been walked, by sets of places."""
    cell = 0
    for width, target, turns in played:
        everything = set(range(width))
        known = everything
        for _ in turns:
            said = answers[cell : cell + width].tolist()
            cell += width
            left = {thing for thing in known if said[thing] == said[target]}
            yield judged(everything, known, left, said, target)
            known = left


def walked(played: Sequence[Transcript]) -> list[Walked]:
    """What the loop has to know of some transcripts."""
    found: list[Walked] = []
    for transcript in played:
        game = transcript.game
        assert isinstance(game, GuessWhat)
        ids = [thing.id for thing in game.scene.things]
        found.append((len(ids), ids.index(game.target), transcript.turns))
    return found


def noted(played: Sequence[Transcript]) -> Noted:
    """The games as the evaluation holds them while the oracle is asked."""
    result, number = Noted(), 0
    for transcript in played:
        game, turns = transcript.game, transcript.turns
        assert isinstance(game, GuessWhat)
        result.note(Kept(game, turns, {}, [], tuple(range(number, number + len(turns)))))
        number += len(turns)
    return result


def case_arrays() -> dict[str, object]:
    """From arrays, on two threads."""
    given = arrays()
    part = (given[0], given[1][:PART], given[2][:PART], given[3][:PART])
    theirs = list(loop(*part))
    same(reference_sets(*given), theirs)
    slow = fast = float("inf")
    for _ in range(TURNS):
        slow = min(slow, least_seconds(lambda: list(loop(*part)), 1) / len(theirs))
        fast = min(fast, least_seconds(lambda: reference_sets(*given), 40) / int(given[2].sum()))
    return ratio("reference sets of a million questions from arrays", slow, fast, ARRAYS_BAR, {})


def case_transcripts() -> dict[str, object]:
    """From the games as they were played: each walks over them, and finds what its questions did.

    The walk costs both more than all else. The evaluation has to walk before there are answers, to ask its
    oracle, so the computation alone, each side holding what its walk has found, is told beside.
    """
    played = transcripts(GAMES // 4)
    held, part = noted(played), walked(played[:PART])
    things, turns = np.array(held.things), np.array(held.turns)
    widths = np.repeat(things, turns)
    answers = arrays()[0][: widths.sum()]
    swept = Swept(answers, np.empty((0, 3)), widths)

    def ours(columns: Noted) -> ReferenceSets:
        asked = columns.asked(swept, dialogue=False)
        return reference_sets(asked.answers, *asked.shape)

    theirs = list(transcribed(part, answers))
    same(ours(noted(played)), theirs)
    slow = fast = slow_held = fast_held = float("inf")
    for _ in range(TURNS):
        slow = min(
            slow, least_seconds(lambda: list(transcribed(walked(played[:PART]), answers)), 1)
        )
        fast = min(fast, least_seconds(lambda: ours(noted(played)), 1))
        slow_held = min(slow_held, least_seconds(lambda: list(transcribed(part, answers)), 1))
        fast_held = min(fast_held, least_seconds(lambda: ours(held), 20))
    share = len(theirs) / len(widths)
    return ratio(
        "reference sets from transcripts",
        slow / len(theirs),
        fast / len(widths),
        TRANSCRIPTS_BAR,
        {"the computation alone, x": round(slow_held / fast_held / share, 1)},
    )


def same(found: ReferenceSets, theirs: Sequence[Found]) -> None:
    """The loop's questions have the same results."""
    for name, column in zip(COLUMNS, zip(*theirs, strict=True), strict=True):
        ours = getattr(found, name)[: len(theirs)]
        assert np.array_equal(ours, np.array(column)), f"other {name}"


def ratio(
    name: str, slow: float, fast: float, bar: float, details: dict[str, object]
) -> dict[str, object]:
    """How many times the loop's time ours goes into it."""
    return {
        "name": f"{name}, beside a loop over sets",
        "value": round(slow / fast, 1),
        "bar": bar,
        "unit": "x as fast, at least",
        "passed": slow / fast >= bar,
        "details": {
            "the loop, microseconds a question": round(1e6 * slow, 2),
            "ours, nanoseconds a question": round(1e9 * fast, 2),
            **details,
        },
    }
