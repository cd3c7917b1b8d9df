"""REINFORCE: its gradient is that of the expected reward, and only what was said has a part in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from referee.games.guesswhat import Rules
from referee.players.neural import training
from referee.players.neural.answering import Answers
from referee.players.neural.asking import limits
from referee.players.neural.batches import Categories, Heard, Objects
from referee.players.neural.checkpoint import Description
from referee.players.neural.decoding import Memory
from referee.players.neural.gameplay import Gameplay, Stage
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.reinforce import Policy, ReinforceTask, begun, losses, outcome
from referee.players.neural.selfplay import Asks, Deal, Guesses, SelfPlay, Table
from referee.players.neural.vocabulary import START, STOP_DIALOGUE, Vocabulary

WORDS = Vocabulary.counted(["dog?"], least=1)
MARK, DOG = WORDS.numbers["?"], WORDS.numbers["dog"]
TWO = ([MARK], [DOG, MARK], [DOG, DOG])
"""All that can be said in two words of which one is "?"."""
PAID = "success,effective:0.5,referring:0.25"


class Sayer:
    """Says its lines, one a turn; a line may be what ends the dialogue."""

    stops = True

    def __init__(self, lines: Sequence[Sequence[int]]) -> None:
        self.lines = lines
        self.categories = Categories()

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Tensor, Memory]:
        """Remembers the line and the place in it."""
        del objects, images
        turns = torch.tensor([len(told.turns) for told in dialogues])
        return torch.full_like(turns, START), (turns, torch.zeros_like(turns))

    def step(self, words: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """The next word of the line."""
        del words
        turns, places = memory
        scores = torch.zeros(len(turns), len(WORDS))
        for row, (turn, place) in enumerate(zip(turns.tolist(), places.tolist(), strict=True)):
            scores[row, self.lines[turn][place]] = 9.0
        return scores, (turns, places + 1)


def task(
    world: Any, model: QGen, known: Vocabulary = WORDS, reward: str = PAID, **policy: Any
) -> Any:
    asks = Asks(model, known, world.pictures)
    guesses = Guesses(world.guesser(3, known), known)
    stage = Stage(tuple(game.scene for game in world.games), tuple(world.games))
    gameplay = Gameplay(stage, Answers(world.oracle(1, known), known), seed=4)
    return ReinforceTask(asks, guesses, gameplay, Policy(reward=reward, **policy), batch=16)


def said(world: Any, deal: Deal, lines: Sequence[Sequence[int]]) -> Table:
    """The game in which this was said."""
    answers = Answers(world.oracle(1, WORDS), WORDS)
    guesses = Guesses(world.guesser(3, WORDS), WORDS)
    rules = Rules(len(lines))
    asks = Asks(Sayer(lines), WORDS, longest=2)
    (table,) = SelfPlay(asks, answers, guesses, rules, everything=True).play([deal])
    return table


def chance(model: QGen, table: Table, images: Tensor, banned: Sequence[int]) -> Tensor:
    """How likely a dialogue is: the product over its words, each from a state read from scratch."""
    found = torch.ones(())
    told: list[tuple[list[int], int]] = []
    ending = [(table.unfinished, None)] if table.unfinished else []
    for line, mark in [*table.turns, *ending]:
        last, memory = model.open([Heard(tuple(told))], objects(), images)
        for word in line:
            scores, memory = model.step(last, memory)
            allowed = scores[0].index_fill(0, torch.tensor(banned), -torch.inf)
            found = found * allowed.softmax(0)[word]
            last = torch.tensor([word])
        if mark is not None:
            told.append((line, mark))
    return found


def objects() -> Objects:
    empty = torch.zeros(1, 1)
    return Objects(empty.long(), torch.zeros(1, 1, 8), empty.bool())


def gradients(model: nn.Module, total: Tensor) -> dict[str, Tensor]:
    names, weights = zip(*model.named_parameters(), strict=True)
    found = torch.autograd.grad(total, weights, allow_unused=True, retain_graph=True)
    return {
        name: torch.zeros_like(weight) if each is None else each
        for name, weight, each in zip(names, weights, found, strict=True)
    }


def policy_only(found: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: it for name, it in found.items() if not name.startswith("baseline.")}


@pytest.mark.parametrize("reward", ["success", PAID])
def test_its_mean_is_the_gradient_of_the_expected_reward(world: Any, reward: str) -> None:
    """Over every dialogue that there can be, in games of two questions of two words at most.

    The baseline, which knows only what was said before, changes nothing in the mean.
    """
    model = world.qgen(5, WORDS, baseline=7)
    learning = task(world, model, reward=reward, questions=2, words=2, stop="never")
    banned = limits(model, WORDS, 2, "never").banned
    moved = 0
    for game in world.games:
        tables = [said(world, Deal(game, 1), lines) for lines in product(TWO, TWO)]
        worths = [float(learning.trajectories([table]).rewards[0, 0]) for table in tables]
        if len(set(worths)) == 1 or moved == 3:
            continue
        moved += 1
        images = world.pictures.of([game.scene.id], [game.id])
        likely = torch.stack([chance(model, table, images, banned) for table in tables])
        costs = [losses(model, learning.trajectories([table]), banned)[0] for table in tables]
        assert float(likely.detach().sum()) == pytest.approx(1.0, abs=1e-5)
        exact = policy_only(gradients(model, -(likely * torch.tensor(worths)).sum()))
        sampled = policy_only(gradients(model, (likely.detach() * torch.stack(costs)).sum()))
        assert max(float(it.abs().max()) for it in exact.values()) > 1e-3
        for name, wanted in exact.items():
            torch.testing.assert_close(sampled[name], wanted, atol=2e-5, rtol=1e-3)
    assert moved == 3


def by_hand(
    model: QGen, table: Table, worth: Sequence[float], images: Tensor, banned: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """Both losses of a game, word after word: -log p (G - b) and (G - b)^2, and 0 for the last word."""
    policy, baseline = torch.zeros(()), torch.zeros(())
    told: list[tuple[list[int], int]] = []
    whole = table.words
    place = 0
    for turn, (line, mark) in enumerate([*table.turns, (table.unfinished, 0)]):
        last, memory = model.open([Heard(tuple(told))], objects(), images)
        for word in line:
            scores, memory = model.step(last, memory)
            place += 1
            reward = 0.0 if place == len(whole) - 1 else worth[turn]
            likely = scores[0].index_fill(0, torch.tensor(banned), -torch.inf).log_softmax(0)[word]
            state = memory[0].detach()[:, None]
            surprise = reward - model.baseline(state)[0, 0]
            policy = policy - likely * surprise.detach()
            baseline = baseline + surprise**2
            last = torch.tensor([word])
        place += 1
        told.append((line, mark))
    return policy, baseline


STOPPED = [
    ([DOG, MARK], [STOP_DIALOGUE]),
    ([MARK], [DOG, MARK], [DOG, STOP_DIALOGUE]),
    ([STOP_DIALOGUE],),
]


@pytest.mark.parametrize("lines", [*STOPPED, ([DOG, DOG], [MARK])])
def test_both_losses_are_those_of_a_walk_over_the_words(
    world: Any, lines: Sequence[Sequence[int]]
) -> None:
    """What was begun and then stopped was said, too; the word that ends the game has no reward."""
    model = world.qgen(2, WORDS, baseline=5)
    learning = task(world, model, words=2)
    banned = limits(model, WORDS, 2).banned
    assert STOP_DIALOGUE not in banned
    game = world.games[4]
    table = said(world, Deal(game, 1), lines)
    played = learning.trajectories([table])
    images = world.pictures.of([game.scene.id], [game.id])
    worth = learning._reward.of([outcome(table)])[0].tolist()
    for found, wanted in zip(
        losses(model, played, banned), by_hand(model, table, worth, images, banned), strict=True
    ):
        torch.testing.assert_close(found, wanted)
        hers, mine = gradients(model, found), gradients(model, wanted)
        for name, gradient in mine.items():
            torch.testing.assert_close(hers[name], gradient, atol=1e-5, rtol=1e-4)


def test_neither_answers_nor_what_follows_the_stop_has_a_part(world: Any) -> None:
    """Whatever reward stood there, and however much padding follows, the gradient is the same."""
    model = world.qgen(2, WORDS, baseline=5)
    learning = task(world, model, words=2)
    banned = limits(model, WORDS, 2).banned
    tables = [said(world, Deal(game, 1), STOPPED[n % 3]) for n, game in enumerate(world.games[:6])]
    together = learning.trajectories(tables)
    spoiled = replace(
        together, rewards=torch.where(together.spoken, together.rewards, torch.tensor(99.0))
    )
    alone = [losses(model, learning.trajectories([table]), banned) for table in tables]
    for place in range(2):
        found = losses(model, together, banned)[place]
        wanted = gradients(model, torch.stack([each[place] for each in alone]).sum())
        for name, gradient in gradients(model, found).items():
            torch.testing.assert_close(gradient, wanted[name], atol=1e-5, rtol=1e-4)
        same = gradients(model, losses(model, spoiled, banned)[place])
        for name, gradient in gradients(model, found).items():
            assert torch.equal(gradient, same[name])


def test_each_loss_moves_what_is_its_own(world: Any) -> None:
    """The baseline's error does not reach the QGen, and the policy's loss not the baseline."""
    model = world.qgen(0, WORDS, baseline=5)
    with torch.no_grad():
        model.baseline.layers[2].bias.fill_(0.3)  # ReLU passes nothing on where nothing comes
    learning = task(world, model, words=2)
    tables = [said(world, Deal(game, 1), STOPPED[1]) for game in world.games[:8]]
    policy, baseline = losses(model, learning.trajectories(tables), limits(model, WORDS, 2).banned)
    for total, own in ((policy, False), (baseline, True)):
        found = gradients(model, total)
        for name, gradient in found.items():
            if name.startswith("baseline.") != own:
                assert not gradient.any(), name
        assert found["baseline.layers.2.bias" if own else "next.bias"].any()


def test_one_step_is_that_of_plain_gradient_descent(world: Any, tmp_path: Any) -> None:
    """Each variable's gradient is clipped by itself; that of the baseline is a sum over the batch."""
    words = world.vocabulary
    model = begun(world.qgen(1), 5, len(words))
    before = {name: it.detach().clone() for name, it in model.named_parameters()}
    learning = task(world, model, words, questions=3, words=6)
    games = range(16)
    deals = [learning._gameplay.deal(place, 0) for place in games]
    tables = learning._playing.play(deals)
    banned = limits(model, words, 6).banned
    policy, baseline = losses(model, learning.trajectories(tables), banned)
    wanted = {
        name: policy_only_or(name, gradients(model, policy / 16), gradients(model, baseline))
        for name in before
    }
    learning._gameplay = replace(
        learning._gameplay,
        stage=Stage(tuple(game.scene for game in world.games[:16]), tuple(world.games[:4])),
    )
    plan = training.Plan(epochs=1, batch=16, rate=0.1, clip=0.5, clip_each=True)
    run = training.Run(tmp_path, Description("qgen", {}, words.words), device="cpu")
    training.train(learning, plan, run)
    clipped = 0
    for name, weight in model.named_parameters():
        length = float(wanted[name].norm())
        scale = min(1.0, 0.5 / (length + 1e-6))
        clipped += scale < 1
        torch.testing.assert_close(
            weight.detach(), before[name] - 0.1 * scale * wanted[name], atol=1e-5, rtol=1e-4
        )
    assert 0 < clipped < len(before)


def policy_only_or(name: str, policy: dict[str, Tensor], baseline: dict[str, Tensor]) -> Tensor:
    return baseline[name] if name.startswith("baseline.") else policy[name]


def test_targets_are_drawn_anew_in_each_epoch_and_from_all_things(world: Any) -> None:
    learning = task(world, world.qgen(0, baseline=5), world.vocabulary)
    scene = world.games[3].scene
    places = [
        scene.things.index(next(t for t in scene.things if t.id == deal.game.target))
        for deal in (learning._gameplay.deal(3, epoch) for epoch in range(200))
    ]
    counts = np.bincount(places, minlength=len(scene.things))
    assert counts.min() > 200 / len(scene.things) / 2
    assert learning._gameplay.deal(3, 5) == learning._gameplay.deal(3, 5)


def test_a_supervised_qgen_goes_on_as_it_was(world: Any) -> None:
    """It says what it said; only the baseline is new, and one that is there is kept."""
    old = world.qgen(1)
    new = begun(old, 5, len(world.vocabulary))
    known = old.state_dict()
    assert {name for name in new.state_dict() if name not in known} == {
        f"baseline.layers.{n}.{kind}" for n in (0, 2) for kind in ("weight", "bias")
    }
    assert all(torch.equal(new.state_dict()[name], it) for name, it in known.items())
    assert begun(new, 5, len(world.vocabulary)) is new


def test_the_paper_s_sizes() -> None:
    """The baseline is 100 ReLU and 1 ReLU over the 1,024 of the LSTM."""
    with torch.device("meta"):
        model = QGen(QGenConfig(baseline=100), 4901)
    shapes = {name: tuple(it.shape) for name, it in model.baseline.named_parameters()}
    assert shapes["layers.0.weight"] == (100, 1024)
    assert shapes["layers.2.weight"] == (1, 100)
    assert model.lstm.hidden_size == 1024
    assert model.image.weight.shape == (512, 1000)
