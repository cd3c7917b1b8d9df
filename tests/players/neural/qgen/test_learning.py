"""The QGen learns what people asked: which words count, by what they are divided, and that it resumes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.players.neural.qgen.conftest import SAID, Pictures

from referee.games import Answer, Ask, Event, Transcript
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.qgen_learning import QGenTask, Spoken, asked
from referee.players.neural.training import Plan, Run, train
from referee.players.neural.vocabulary import NO, PADDING, STOP_DIALOGUE, YES

CONFIG = QGenConfig(8, 16, Pictures.size, 4)
PLAN = Plan(epochs=4, batch=8, rate=0.02, seed=1)


def played(world: Any) -> tuple[Played, ...]:
    """A third of the games asks one question, a third two, a third all three."""
    found = []
    for number, game in enumerate(world.games):
        events: list[Event] = []
        for place, question in enumerate(SAID[: 1 + number % 3]):
            events += [Ask(question), Answer("Yes" if place % 2 else "No")]
        found.append(Played(game, Transcript(game, tuple(events), "success")))
    return tuple(found)


def task(world: Any, seed: int = 3) -> QGenTask:
    games = played(world)
    model = fresh(seed, lambda: QGen(CONFIG, len(world.vocabulary)))
    return QGenTask(model, world.vocabulary, Examples(games[:30], games[30:]), world.pictures)


def test_only_what_the_questioner_says_is_learned(world: Any) -> None:
    """Neither the answers nor padding; but <stop_dialogue>."""
    words = torch.tensor([[9, YES, 10, NO, STOP_DIALOGUE, PADDING]])
    assert asked(words).tolist() == [[True, False, True, False, True, False]]
    spoken = Spoken(world.vocabulary, played(world)[:1])
    assert spoken.learned == len(world.vocabulary.question(SAID[0])) + 1


def test_the_loss_is_divided_as_in_the_code(world: Any) -> None:
    """By all words but the answers, and one; every word's loss is that of a walk over the dialogue."""
    learning = task(world)
    places = [0, 1, 5]
    found = learning.cost(places, 0)
    model, total, count = learning.model, 0.0, 0
    for place in places:
        row, image = learning._train.rows[place], learning._train.images[place]
        seen = model.image(world.pictures.of([image], ["g"]))
        state = None
        for here, after in pairwise(row):
            entering = torch.cat([model.words(torch.tensor([[here]])), seen[:, None]], dim=2)
            out, state = model.lstm(entering, state)
            if after not in {YES, NO}:
                total -= float(model.next(out)[0, 0].log_softmax(0)[after].detach())
        count += sum(word not in {YES, NO} for word in row)
    assert float(found.total.detach()) == pytest.approx(total, rel=1e-5)
    assert found.count == count - 1


def test_validation_counts_each_learned_word_once(world: Any) -> None:
    """However the games are cut into batches."""
    learning = task(world)
    learning.module.eval()
    with torch.no_grad():
        whole = learning.score(range(10))
        parts = [learning.score([place]) for place in range(10)]
    for name, value in whole.items():
        assert value == pytest.approx(sum(part[name] for part in parts), rel=1e-5)
    assert whole["error"] / 10 <= 1


def test_it_learns_and_resumes_in_the_same_bits(world: Any, tmp_path: Path) -> None:
    def run(name: str, *, resume: bool = False) -> Run:
        told = described("qgen", CONFIG, world.vocabulary)
        return Run(tmp_path / name, told, device="cpu", resume=resume)

    state = train(task(world), PLAN, run("whole"))
    assert state.history[-1].watched < state.history[0].watched * 0.8
    train(task(world), Plan(epochs=2, batch=8, rate=0.02, seed=1), run("stopped"))
    train(task(world), PLAN, run("stopped", resume=True))
    whole, stopped = (checkpoint.load(tmp_path / name).weights for name in ("whole", "stopped"))
    assert all(torch.equal(tensor, stopped[name]) for name, tensor in whole.items())
