"""REINFORCE on toys: a QGen that asks badly asks well after some epochs, and its games are won.

Each picture has three things of different kinds out of five; the kinds are in its features. The oracle and
the guesser have learned from games of questions about kinds asked by lot; the QGen has learned from the
same games, and so asks by lot, too: often about what is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import torch
from torch import Tensor

from referee.games import Answer, Ask, Box, Event, GuessWhat, Scene, Thing, Transcript
from referee.players.neural import presets
from referee.players.neural.answering import Answers
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.gameplay import Gameplay, Stage
from referee.players.neural.guesser import GuesserConfig, RecurrentGuesser, make
from referee.players.neural.guesser_learning import GuesserTask
from referee.players.neural.oracle import Oracle, OracleConfig
from referee.players.neural.oracle_learning import OracleTask
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.qgen_learning import QGenTask
from referee.players.neural.reinforce import ReinforceTask, begun
from referee.players.neural.selfplay import Asks, Guesses
from referee.players.neural.training import Plan, Run, Task, train
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import Stream, key

KINDS = {"dog": 18, "cat": 17, "bus": 6, "cup": 47, "kite": 38}


class Toys:
    """Features that say which kinds a picture has."""

    def __init__(self, games: list[Played]) -> None:
        self.rows = {
            played.game.scene.id: [
                float(any(thing.category == kind for thing in played.game.scene.things))
                for kind in KINDS
            ]
            for played in games
        }

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Tensor:
        """A row for each image."""
        del games
        return torch.tensor([self.rows[name] for name in ids])


def played(number: int) -> Played:
    """A game of two questions about kinds, drawn by lot; which Yes or No is the truth."""
    draw = Stream(key("toy", number))
    kinds = draw.sample(list(KINDS), 3)
    things = tuple(
        Thing(f"{number}{place}", kind, KINDS[kind], Box(100.0 * place, 50, 80, 80))
        for place, kind in enumerate(kinds)
    )
    scene = Scene(str(number), 320, 240, things)
    target = draw.choice(things)
    events: list[Event] = []
    for kind in draw.sample(list(KINDS), 2):
        events += [Ask(f"is it a {kind} ?"), Answer("Yes" if kind == target.category else "No")]
    game = GuessWhat(f"g{number}", scene, target.id)
    return Played(game, Transcript(game, tuple(events), "success"))


@dataclass(frozen=True)
class Taught:
    """What learned from the games, and the games to play about."""

    words: Vocabulary
    toys: Toys
    oracle: Oracle
    guesser: RecurrentGuesser
    qgen: QGen
    stage: Stage


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    """An oracle that errs little, a guesser that reads both answers, and a QGen that asks by lot."""
    out = tmp_path_factory.mktemp("taught")
    games = [played(number) for number in range(400)]
    data = Examples(tuple(games[:300]), tuple(games[300:]))
    words, toys = data.vocabulary(), Toys(games)
    sizes = OracleConfig(word=16, hidden=32, category=16, layers=(32,))
    oracle = fresh(1, lambda: Oracle(sizes, len(words)))
    learn(OracleTask(oracle, words, data), 12, out / "oracle", words)
    candidates = GuesserConfig(word=16, hidden=32, state=32, category=16, object=32)
    guesser = fresh(2, lambda: make(candidates, len(words)))
    learn(GuesserTask(guesser, words, data), 12, out / "guesser", words)
    qgen = fresh(3, lambda: QGen(QGenConfig(16, 32, len(KINDS), 16), len(words)))
    learn(QGenTask(qgen, words, data, toys), 6, out / "qgen", words)
    scenes = tuple(each.game.scene for each in games[:300])
    stage = Stage(scenes, tuple(each.game for each in games[300:]))
    return Taught(words, toys, oracle, guesser, qgen, stage)


def learn(task: Task, epochs: int, out: Path, words: Vocabulary) -> None:
    plan = Plan(epochs=epochs, batch=32, rate=0.02)
    train(task, plan, Run(out, described("toy", {}, words), device="cpu"))


@pytest.mark.parametrize("reward", ["success", "success,effective:0.2"])
def test_what_is_rewarded_moves_up(taught: Taught, tmp_path: Path, reward: str) -> None:
    """Games won, and where they are rewarded effective questions: from 0.41 to 0.49, and from 0.27 to 0.42.

    Judged by a hundred games that it did not learn from, drawn alike in each epoch.
    """
    tiny = presets.rl("tiny")
    policy = msgspec.structs.replace(tiny.config, questions=2, words=6, stop="never", reward=reward)
    model = fresh(4, lambda: begun(taught.qgen, policy.baseline, len(taught.words)))
    asks, guesses = Asks(model, taught.words, taught.toys), Guesses(taught.guesser, taught.words)
    gameplay = Gameplay(taught.stage, Answers(taught.oracle, taught.words))
    task = ReinforceTask(asks, guesses, gameplay, policy, 32)
    before = task.score(range(100))
    plan = msgspec.structs.replace(tiny.plan, batch=32, epochs=10)
    state = train(task, plan, Run(tmp_path, described("toy", {}, taught.words), device="cpu"))
    last = state.history[-3:]
    for name, gain in (("success", 0.04), ("effective", 0.1)):
        if name in before:
            after = sum(row.figures[name] for row in last) / len(last)
            assert after > before[name] / 100 + gain, name
