"""VDST by REINFORCE: the losses word by word, what each of them moves, and whither."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
import torch
from torch import Tensor

from referee.players.neural import checkpoint, guesser_player
from referee.players.neural.answering import AnswersOfPlayer
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import fresh
from referee.players.neural.gameplay import Gameplay, Stage, frozen
from referee.players.neural.reinforce import outcome
from referee.players.neural.selfplay import Asks, Guesses, Table
from referee.players.neural.training import Plan, Run, train
from referee.players.neural.vdst import VDST, VDSTConfig
from referee.players.neural.vdst_player import load
from referee.players.neural.vdst_reinforcing import VDSTPolicy, VDSTReinforceTask, begun
from referee.players.resolve import resolve

if TYPE_CHECKING:
    from tests.players.neural.vdst.conftest import Toys, Trained

POLICY = VDSTPolicy(questions=2, baseline=8)
PLAN = Plan(epochs=2, batch=16, rate=0.02, clip=5.0, clip_each=True, seed=1)


def task(model: VDST, toys: Toys, policy: VDSTPolicy = POLICY) -> VDSTReinforceTask:
    scenes = tuple(one.game.scene for one in toys.data.train[:64])
    stage = Stage(scenes, tuple(one.game for one in toys.data.valid))
    found = checkpoint.load(toys.guesser)
    guesser = Guesses(frozen(guesser_player.load(found)), found.vocabulary)
    oracle = AnswersOfPlayer(resolve("scripted:perfect-oracle").who, "scripted:perfect-oracle")
    asks = Asks(begun(model, policy.baseline), toys.vocabulary, toys.regions)
    return VDSTReinforceTask(asks, guesser, Gameplay(stage, oracle, 3), policy, PLAN.batch)


def ignorant(toys: Toys, small: VDSTConfig) -> VDST:
    return fresh(5, lambda: VDST(replace(small, baseline=8), len(toys.vocabulary)))


def played(learning: VDSTReinforceTask) -> list[Table]:
    return learning._playing.play([learning._gameplay.deal(place, 0) for place in range(24)])


@pytest.mark.parametrize("reward", ["success", "success:2,effective:0.25"])
def test_the_losses_are_those_of_the_words_one_by_one(
    trained: Trained, toys: Toys, reward: str
) -> None:
    """-log p (G - b) and (G - b)^2, of every word of the questions and of none besides."""
    policy = msgspec.structs.replace(POLICY, reward=reward)
    model = load(checkpoint.load(trained.folder))
    learning = task(model, toys, policy)
    tables = played(learning)
    module = learning._vdst
    found = learning.lost(tables)
    policy_sum, baseline_sum = torch.zeros(()), torch.zeros(())
    worths = learning._reward.of([outcome(table) for table in tables])
    for table, worth in zip(tables, worths, strict=True):
        seen = module.look(toys.regions.of([table.deal.game.scene.id], ["a"]))
        followed = module.follow([table.heard], seen)
        place = 0
        for turn, (question, _) in enumerate(table.turns):
            for word in question:
                state = followed.states[place]
                scores = module.next(state).clone()
                scores[list(learning._banned)] = -torch.inf
                expects = module.baseline(state[None, None])[0, 0]
                gain = float(worth[turn]) - expects
                policy_sum = policy_sum - scores.log_softmax(0)[word] * gain.detach()
                baseline_sum = baseline_sum + gain**2
                place += 1
        assert place == len(followed.words)
    torch.testing.assert_close(found[0], policy_sum, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(found[1], baseline_sum, rtol=1e-4, atol=1e-4)
    assert len({float(worth[0]) for worth in worths}) > 1


def test_neither_loss_moves_what_the_other_one_trains(toys: Toys, small: VDSTConfig) -> None:
    """The baseline has no part in the policy's gradient, nor the questioner in the baseline's."""
    learning = task(ignorant(toys, small), toys)
    with torch.no_grad():
        _last(learning).bias.fill_(0.5)
    tables = played(learning)
    for which, owns in ((0, False), (1, True)):
        learning.module.zero_grad(set_to_none=True)
        torch.autograd.backward(learning.lost(tables)[which])
        for name, weights in learning.module.named_parameters():
            if name.startswith("baseline.") is not owns:
                assert not _any(weights.grad), name
    assert any(_any(weights.grad) for weights in learning._vdst.baseline.parameters())


def _last(learning: VDSTReinforceTask) -> torch.nn.Linear:
    layer = learning._vdst.baseline.layers[-1]
    assert isinstance(layer, torch.nn.Linear)
    return layer


def _any(gradient: Tensor | None) -> bool:
    return gradient is not None and bool(gradient.any())


def test_it_goes_on_from_what_people_taught(trained: Trained) -> None:
    taught = load(checkpoint.load(trained.folder))
    model = begun(taught, 8)
    assert model.config == replace(taught.config, baseline=8)
    for name, weights in taught.state_dict().items():
        assert torch.equal(model.state_dict()[name], weights)
    assert begun(model, 8) is model


def test_the_published_steps(toys: Toys, small: VDSTConfig) -> None:
    """Momentum 0.9; the learning rate is taken down by a hundredth after each 25 epochs."""
    learning = task(ignorant(toys, small), toys)
    optimizer = learning.optimizer(PLAN)
    assert isinstance(optimizer, torch.optim.SGD)
    assert {group["momentum"] for group in optimizer.param_groups} == {0.9}
    rates = [learning.rate(PLAN, epoch) / PLAN.rate for epoch in (0, 24, 25, 49, 50)]
    assert rates == pytest.approx([1, 1, 0.99, 0.99, 0.9801])


def run(out: Path, small: VDSTConfig, toys: Toys, *, resume: bool = False) -> Run:
    told = described("vdst", replace(small, baseline=8), toys.vocabulary)
    return Run(out, told, device="cpu", resume=resume)


def test_a_resumed_run_ends_in_the_same_bits(toys: Toys, small: VDSTConfig, tmp_path: Path) -> None:
    """Also the momentum is kept."""
    short = msgspec.structs.replace(PLAN, epochs=1)
    train(task(ignorant(toys, small), toys), PLAN, run(tmp_path / "whole", small, toys))
    train(task(ignorant(toys, small), toys), short, run(tmp_path / "stopped", small, toys))
    again = run(tmp_path / "stopped", small, toys, resume=True)
    state = train(task(ignorant(toys, small), toys), PLAN, again)
    assert len(state.history) == 2
    files = [(tmp_path / name / "resume" / "state.safetensors") for name in ("whole", "stopped")]
    whole, stopped = (checkpoint.load_tensors(file) for file in files)
    assert any(name.endswith("momentum_buffer") for name in whole)
    assert whole.keys() == stopped.keys()
    for name, tensor in whole.items():
        assert torch.equal(tensor, stopped[name])


def test_what_was_said_in_games_that_were_won_becomes_likelier(
    trained: Trained, toys: Toys
) -> None:
    """And what was said in lost ones less likely, where half of the reward was expected."""
    learning = task(load(checkpoint.load(trained.folder)), toys)
    module = learning._vdst
    last = _last(learning)
    with torch.no_grad():
        last.weight.zero_()
        last.bias.fill_(0.5)
    tables = played(learning)
    won = torch.tensor([table.won for table in tables])
    assert 0 < int(won.sum()) < len(tables)
    before = _said(module, tables, toys)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.003)
    for _ in range(5):
        optimizer.zero_grad()
        torch.autograd.backward(learning.lost(tables)[0] / len(tables))
        optimizer.step()
    gain = _said(module, tables, toys) - before
    assert float(gain[won].mean()) > 0
    assert float(gain[~won].mean()) < 0


@torch.no_grad()
def _said(module: VDST, tables: list[Table], toys: Toys) -> Tensor:
    """Log p of all that was said in each game."""
    images = [table.deal.game.scene.id for table in tables]
    followed = module.follow(
        [table.heard for table in tables], module.look(toys.regions.of(images, images))
    )
    chances = module.next(followed.states).log_softmax(1).gather(1, followed.words[:, None])[:, 0]
    return torch.zeros(len(tables)).index_add(0, followed.games, chances)
