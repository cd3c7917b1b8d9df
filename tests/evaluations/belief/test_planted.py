"""Guessers with known flaws move the values that the signature table lists for them, and no others."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.arena import Plan, play
from referee.datasets.iconworld.world import Plan as WorldPlan
from referee.datasets.iconworld.world import World
from referee.evaluations import belief, evaluation
from referee.evaluations.measures import Intervals
from referee.evaluations.result import Value
from referee.games import GuessWhat, Transcript, guesswhat
from referee.players.scripted.oracles import truth
from referee.players.seats import Query

TABLE: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "signatures.toml").read_text("utf-8")
)
SETTING: dict[str, Any] = TABLE["setting"]
FLAWS: dict[str, Any] = TABLE["flaw"]
Values = Mapping[str, Value]
Runs = Mapping[str, Sequence[Values]]
DUST = 1e-6
"""Values that are zero but for rounding have intervals that are no wider."""


class Frank:
    """Says how likely each answer of the noisy oracle is, of which one was drawn in the games."""

    name = "frank"

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """The rows from which `NoisyOracle` says one thing or the other."""
        right = SETTING["accuracy"]
        rows = np.array(
            [
                [right, 1 - right, 0],
                [1 - right, right, 0],
                [(1 - right) / 2, (1 - right) / 2, right],
            ]
        )
        return rows[[truth(query) for query in queries]]


@pytest.fixture(scope="module")
def runs() -> Runs:
    """The values of the sound guesser ("") and of each flawed one, a seed after the other."""
    many, seeds = SETTING["games"], SETTING["seeds"]
    world = World(WorldPlan(games=3 * many * seeds // 2, seed=1))
    games = [
        GuessWhat(str(each.id), each.drawn.scene, each.drawn.scene.things[each.target].id)
        for each in islice(world.games("train"), many * seeds)
    ]
    sound = f"scripted:flawed-guesser?accuracy={SETTING['accuracy']}"
    players = {"": sound} | {name: f"{sound}&{flaw['flaw']}" for name, flaw in FLAWS.items()}
    found: dict[str, list[Values]] = {name: [] for name in players}
    for seed in range(seeds):
        played = dialogues(games[seed * many : (seed + 1) * many], seed)
        for name, player in players.items():
            options = belief.Options(
                guesser=player, oracle=Frank(), status="all", turns=SETTING["turns"]
            )
            judged = evaluation.judge(
                belief.EVALUATION, played, options, Intervals(resamples=SETTING["resamples"])
            )
            found[name].append(judged.result.values)
    return found


def dialogues(games: Sequence[GuessWhat], seed: int) -> list[Transcript]:
    seats = {
        "questioner": "scripted:people",
        "oracle": f"scripted:noisy-oracle?accuracy={SETTING['accuracy']}",
        "guesser": "scripted:random-guesser",
    }
    rules = guesswhat.Rules(max_turns=SETTING["max_turns"])
    return list(play(games, seats, Plan(rules, seed)))


def numbers(values: Sequence[Values], name: str, field: str = "value") -> NDArray[np.float64]:
    """A value over the seeds; NaN where it is undefined."""
    cells = [getattr(each[name], field) if name in each else None for each in values]
    return np.array([math.nan if cell is None else cell for cell in cells])


def shift(runs: Runs, flaw: str, name: str) -> float:
    """How far a flaw moves a value, in standard deviations over the seeds."""
    sound, flawed = numbers(runs[""], name), numbers(runs[flaw], name)
    spread = math.sqrt((sound.var(ddof=1) + flawed.var(ddof=1)) / 2)
    moved = float(flawed.mean() - sound.mean())
    return moved / spread if abs(moved) > DUST else 0.0


def strays(runs: Runs, flaw: str, name: str) -> bool:
    """Whether a flaw takes a value out of the sound guesser's interval, on the mean over the seeds."""
    flawed = numbers(runs[flaw], name).mean()
    low, high = (numbers(runs[""], name, end).mean() for end in ("ci_low", "ci_high"))
    return bool(flawed < low - DUST or flawed > high + DUST)


def known(runs: Runs) -> list[str]:
    """The values that are defined in every run."""
    return [
        name
        for name in runs[""][0]
        if all(np.isfinite(numbers(values, name)).all() for values in runs.values())
    ]


@pytest.mark.slow
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_moves_what_is_listed_as_listed(runs: Runs, flaw: str) -> None:
    moves = FLAWS[flaw]["moves"]
    directions = {name: "up" if shift(runs, flaw, name) > 0 else "down" for name in moves}
    assert directions == moves
    assert all(abs(shift(runs, flaw, name)) > 1 for name in moves)


@pytest.mark.slow
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_moves_the_named_value_most(runs: Runs, flaw: str) -> None:
    """In standard deviations over the seeds; the Bayes gap, being the sum of its parts, is not ranked."""
    moved = {name: abs(shift(runs, flaw, name)) for name in known(runs) if name != "bayes_gap"}
    assert max(moved, key=lambda name: moved[name]) == FLAWS[flaw]["named"]


@pytest.mark.slow
@pytest.mark.parametrize("flaw", FLAWS)
def test_what_is_not_listed_stays_inside_its_interval(runs: Runs, flaw: str) -> None:
    listed = FLAWS[flaw]["moves"]
    assert [name for name in known(runs) if name not in listed and strays(runs, flaw, name)] == []


@pytest.mark.slow
def test_the_sound_guesser_is_the_ideal_observer(runs: Runs) -> None:
    """It goes by the oracle's own probabilities, so nothing is ignored and nothing invented."""
    for name in ("bayes_gap", "bayes_ignored", "bayes_invented"):
        assert np.abs(numbers(runs[""], name)).max() < DUST
