"""GDSE-SL: the samples of a game, what each epoch teaches, and that it learns and resumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
import torch

from referee.datasets.features import write_devries
from referee.errors import DataError
from referee.games import Answer, Ask, Transcript
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.gdse import GDSE, GDSEConfig
from referee.players.neural.gdse_learning import Samples, Schedule, SupervisedTask
from referee.players.neural.images import ImageFeatures
from referee.players.neural.state import Row
from referee.players.neural.training import Plan, Run, train

if TYPE_CHECKING:
    from tests.players.neural.gdse.conftest import Toys

PLAN = Plan(epochs=4, batch=16, rate=0.02, seed=1)
THIRDS = Schedule(modulo=3, whole_games=True)


def model(config: GDSEConfig, toys: Toys) -> GDSE:
    return fresh(2, lambda: GDSE(config, len(toys.vocabulary)))


def task(config: GDSEConfig, toys: Toys, schedule: Schedule = THIRDS) -> SupervisedTask:
    made = model(config, toys)
    return SupervisedTask(made, toys.vocabulary, toys.data, toys.images, schedule)


def run(out: Path, config: GDSEConfig, toys: Toys, *, resume: bool = False) -> Run:
    told = described("gdse", config, toys.vocabulary)
    return Run(out, told, device="cpu", resume=resume)


def longer(played: Played, questions: int) -> Played:
    """The game with so many questions before its own."""
    before = (Ask("is it a dog ?"), Answer("No")) * questions
    events = before + played.transcript.events
    return Played(played.game, Transcript(played.game, events, "success"))


def test_a_game_has_a_sample_for_each_question_and_one_for_the_guess(
    toys: Toys, small: GDSEConfig
) -> None:
    games = toys.data.train[:30]
    made = Samples(model(small, toys), toys.vocabulary, games, toys.images, whole_games=False)
    asking, guessing = made.of(range(len(made.items)))
    questions = [len(played.transcript.turns) for played in games]
    assert len(made.items) == sum(questions) + len(games)
    assert len(asking) == sum(questions)
    assert guessing == list(enumerate(questions))
    whole = Samples(model(small, toys), toys.vocabulary, games, toys.images, whole_games=True)
    assert len(whole.items) == len(games)
    assert whole.of(range(len(games))) == (asking, guessing)


def test_games_of_more_than_ten_questions_are_left_out(toys: Toys, small: GDSEConfig) -> None:
    ten = [longer(p, 10 - len(p.transcript.turns)) for p in toys.data.train[:2]]
    eleven = [longer(p, 11 - len(p.transcript.turns)) for p in toys.data.train[2:5]]
    made = Samples(
        model(small, toys), toys.vocabulary, [*eleven, *ten], toys.images, whole_games=True
    )
    assert made.games.games == [played.game.id for played in ten]
    with pytest.raises(DataError, match="no game to learn from is left"):
        Samples(model(small, toys), toys.vocabulary, eleven, toys.images, whole_games=True)


def test_games_with_more_objects_than_slots_are_left_out(toys: Toys, small: GDSEConfig) -> None:
    two = replace(small, guesser=replace(small.guesser, slots=2))
    with pytest.raises(DataError, match="at most 10 questions and 2 objects"):
        Samples(model(two, toys), toys.vocabulary, toys.data.train, toys.images, whole_games=True)


def test_the_samples_of_a_game_cost_the_same_together_and_apart(
    toys: Toys, small: GDSEConfig
) -> None:
    apart, together = (task(small, toys, Schedule(whole_games=whole)) for whole in (False, True))
    games = range(10)
    singles = [number for number, (prefix,) in enumerate(apart._train.items) if prefix[0] in games]
    for one, other in zip(apart.cost(singles, 0), together.cost(games, 0), strict=True):
        assert one.count == other.count
        torch.testing.assert_close(one.total, other.total)


def test_questions_are_learned_up_to_their_thirtieth_word(toys: Toys, small: GDSEConfig) -> None:
    played = toys.data.train[0]
    words = " ".join(["dog"] * 40)
    events = (Ask(f"{words} ?"), Answer("Yes"))
    long = Played(played.game, Transcript(played.game, events, "success"))
    made = Samples(model(small, toys), toys.vocabulary, [long], toys.images, whole_games=True)
    assert len(made.losses([(0, 0)], []).words) == 30


def test_only_every_third_epoch_teaches_the_guesser(
    toys: Toys, small: GDSEConfig, tmp_path: Path
) -> None:
    """Encoder and QGen learn in every epoch; only epochs that teach the guesser may be the best."""
    learning = task(small, toys)
    moved: list[set[str]] = []
    before = {name: it.clone() for name, it in learning.module.state_dict().items()}

    def note(_: object) -> None:
        nonlocal before
        now = learning.module.state_dict()
        moved.append({name for name, it in now.items() if not torch.equal(it, before[name])})
        before = {name: it.clone() for name, it in now.items()}

    state = train(learning, PLAN, told_to(run(tmp_path, small, toys), note))
    guesser = {name for name in before if name.startswith("guesser.objects.")}
    for epoch, names in enumerate(moved):
        assert names >= {name for name in before if name.startswith("qgen.")}
        assert "guesser.dialogue.state.weight" in names
        assert names & guesser == (guesser if epoch % 3 == 0 else set())
    assert [row.eligible for row in state.history] == [True, False, False, True]
    assert [bool(row.figures) for row in state.history] == [True, False, False, True]


def told_to(run: Run, report: Callable[[Row], None]) -> Run:
    """The run, with somebody who hears of each epoch."""
    return replace(run, report=report)


def test_the_decider_learns_when_to_guess(toys: Toys, small: GDSEConfig, tmp_path: Path) -> None:
    """Among the toys, a Yes is the time to guess."""
    wide = replace(small.guesser, decider=True, state=128, object=32)
    deciding = replace(small, guesser=wide)
    learning = task(deciding, toys, Schedule(modulo=1, whole_games=True))
    train(learning, msgspec.structs.replace(PLAN, epochs=8), run(tmp_path, deciding, toys))
    samples = learning._valid
    asking, guessing = samples.of(range(len(samples.items)))
    learning.module.eval()
    with torch.no_grad():
        found = samples.losses(asking, guessing)
    assert len(found.decisions) == len(asking) + len(guessing)
    assert float(found.decisions.max()) < 0.5  # every decision is right


def test_it_learns_to_ask_and_to_guess(toys: Toys, small: GDSEConfig, tmp_path: Path) -> None:
    learning = task(small, toys, Schedule(modulo=2, whole_games=True))
    state = train(learning, msgspec.structs.replace(PLAN, epochs=15), run(tmp_path, small, toys))
    first, best = state.history[0].figures, state.history[state.best].figures
    assert first["error"] > 0.05
    assert best["error"] < 0.02
    last = state.history[-1].figures["word_nats"]
    assert last < 0.12  # people's order and pictures leave nothing open
    assert first["word_nats"] > 0.5


def test_a_resumed_run_ends_in_the_same_bits(toys: Toys, small: GDSEConfig, tmp_path: Path) -> None:
    """Also when it was stopped in an epoch that could not be the best."""
    dropping = replace(small, guesser=replace(small.guesser, dropout=0.5))
    short = msgspec.structs.replace(PLAN, epochs=2)
    train(task(dropping, toys), PLAN, run(tmp_path / "whole", dropping, toys))
    train(task(dropping, toys), short, run(tmp_path / "stopped", dropping, toys))
    again = run(tmp_path / "stopped", dropping, toys, resume=True)
    assert len(train(task(dropping, toys), PLAN, again).history) == 4
    whole, stopped = (checkpoint.load(tmp_path / name) for name in ("whole", "stopped"))
    assert whole.description.training["epoch"] == stopped.description.training["epoch"]
    for name, tensor in whole.weights.items():
        assert torch.equal(tensor, stopped.weights[name])


def test_an_image_without_features_is_named_with_its_game(
    toys: Toys, small: GDSEConfig, tmp_path: Path
) -> None:
    path = tmp_path / "few.h5"
    ids = [int(p.game.scene.id) for p in toys.data.train[:5]]
    write_devries(path, ids, np.ones((5, 5), np.float32))
    missing = toys.data.train[6].game
    data = Examples(toys.data.train[:7], toys.data.valid)
    learning = SupervisedTask(
        model(small, toys), toys.vocabulary, data, ImageFeatures(str(path)), THIRDS
    )
    with pytest.raises(DataError, match=f"game {missing.id} needs features of {missing.scene.id}"):
        learning.cost([6], 0)
