"""Effective and referring questions, the oracle's answers given, beside a Python loop over sets.

200,000 games, about 1,000,000 questions about scenes of 3 to 13 things. The loop goes through a part of
the games, is given the same and finds the same: the size of the reference set, what the question refers
to, and whether it is effective, referring, referring in context and rid of the target. From arrays both
are given flat arrays; from transcripts both are given the games as they were played and the answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.oracle import Swept
from referee.evaluations.questions.asking import Asked
from referee.evaluations.questions.kept import Kept
from referee.games import Answer, Ask, Box, Event, Guess, GuessWhat, Scene, Thing, Transcript
from referee.metrics.reference_set import ReferenceSets, reference_sets

Numbers = NDArray[np.int64]
Found = tuple[int, int, bool, bool, bool, bool]
"""What the loop says of a question, in the order of `COLUMNS`."""

GAMES, PART = 200_000, 10_000
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


def transcribed(played: Sequence[Transcript], answers: NDArray[np.int8]) -> Iterator[Found]:
    """Every question of some transcripts, by sets of places; the answers are looked up by thing."""
    cell = 0
    for transcript in played:
        game = transcript.game
        assert isinstance(game, GuessWhat)
        ids = [thing.id for thing in game.scene.things]
        everything, target = set(range(len(ids))), ids.index(game.target)
        known = everything
        for _ in transcript.turns:
            said = answers[cell : cell + len(ids)].tolist()
            cell += len(ids)
            left = {thing for thing in known if said[thing] == said[target]}
            yield judged(everything, known, left, said, target)
            known = left


def collected(played: Sequence[Transcript]) -> tuple[list[Kept], Numbers]:
    """The games as the evaluation holds them once the oracle has answered, and their scenes' sizes."""
    kept, number, widths = [], 0, []
    for transcript in played:
        game, turns = transcript.game, transcript.turns
        assert isinstance(game, GuessWhat)
        kept.append(Kept(game, turns, {}, [], tuple(range(number, number + len(turns)))))
        number += len(turns)
        widths += [len(game.scene.things)] * len(turns)
    return kept, np.array(widths)


def case_arrays() -> dict[str, object]:
    """From arrays, on two threads."""
    given = arrays()
    part = (given[0], given[1][:PART], given[2][:PART], given[3][:PART])
    theirs = list(loop(*part))
    same(reference_sets(*given), theirs)
    slow = best(lambda: list(loop(*part)), 5) / len(theirs)
    fast = best(lambda: reference_sets(*given), 100) / int(given[2].sum())
    return ratio("reference sets of a million questions from arrays", slow, fast, ARRAYS_BAR)


def case_transcripts() -> dict[str, object]:
    """From the games as they were played, through what the evaluation does with them."""
    played = transcripts(GAMES // 4)
    kept, widths = collected(played)
    answers = arrays()[0][: widths.sum()]
    swept = Swept(answers, np.empty((0, 3)), widths)

    def ours() -> ReferenceSets:
        asked = Asked(kept, swept, None)
        return reference_sets(asked.answers, *asked.shape)

    theirs = list(transcribed(played[:PART], answers))
    same(ours(), theirs)
    slow = best(lambda: list(transcribed(played[:PART], answers)), 5) / len(theirs)
    fast = best(ours, 10) / len(widths)
    return ratio("reference sets from transcripts", slow, fast, TRANSCRIPTS_BAR)


def same(found: ReferenceSets, theirs: Sequence[Found]) -> None:
    """The loop's questions have the same results."""
    for name, column in zip(COLUMNS, zip(*theirs, strict=True), strict=True):
        ours = getattr(found, name)[: len(theirs)]
        assert np.array_equal(ours, np.array(column)), f"other {name}"


def best(work: Callable[[], object], times: int) -> float:
    """The least seconds of some runs."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def ratio(name: str, slow: float, fast: float, bar: float) -> dict[str, object]:
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
        },
    }
