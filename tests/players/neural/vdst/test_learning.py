"""VDST learns what people ask: from what, at which rate, and that it learns and resumes."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
import torch
from torch.nn import functional

from referee.datasets.features import write_devries
from referee.errors import DataError
from referee.games import Answer, Ask, Transcript
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.training import Plan, Run, train
from referee.players.neural.vdst import VDST, VDSTConfig
from referee.players.neural.vdst_learning import Asked, Restarts, VDSTTask
from referee.players.neural.vdst_regions import RegionFeatures

if TYPE_CHECKING:
    from tests.players.neural.vdst.conftest import Toys, Trained

PLAN = Plan(epochs=3, batch=16, rate=0.02, clip=5.0, clip_each=True, seed=1)
ONCE = Restarts(first=3)


def task(config: VDSTConfig, toys: Toys, restarts: Restarts = ONCE) -> VDSTTask:
    made = fresh(2, lambda: VDST(config, len(toys.vocabulary)))
    return VDSTTask(made, toys.vocabulary, toys.data, toys.regions, restarts)


def run(out: Path, config: VDSTConfig, toys: Toys, *, resume: bool = False) -> Run:
    return Run(out, described("vdst", config, toys.vocabulary), device="cpu", resume=resume)


def unigram(toys: Toys) -> float:
    """The nats a word of the validation questions, if only the words' frequencies were known."""
    train_words, valid_words = (
        [
            word
            for told in Asked(toys.vocabulary, games, 11).heard
            for q, _ in told.turns
            for word in q
        ]
        for games in (toys.data.train, toys.data.valid)
    )
    counts = Counter(train_words)
    return -sum(log(counts[word] / len(train_words)) for word in valid_words) / len(valid_words)


def test_it_learns_to_ask_better_than_the_frequencies_of_words(
    toys: Toys, trained: Trained
) -> None:
    """People's order and the regions leave little open: what is asked next is nearly certain."""
    state = trained.state
    first, best = state.history[0].figures, state.history[state.best].figures
    assert unigram(toys) > 1.5
    assert best["nats"] < 0.15
    assert best["error"] < 0.06
    assert first["nats"] > 2 * best["nats"]


def test_a_resumed_run_ends_in_the_same_bits(toys: Toys, small: VDSTConfig, tmp_path: Path) -> None:
    short = msgspec.structs.replace(PLAN, epochs=1)
    train(task(small, toys), PLAN, run(tmp_path / "whole", small, toys))
    train(task(small, toys), short, run(tmp_path / "stopped", small, toys))
    again = run(tmp_path / "stopped", small, toys, resume=True)
    assert len(train(task(small, toys), PLAN, again).history) == 3
    whole, stopped = (checkpoint.load(tmp_path / name) for name in ("whole", "stopped"))
    assert whole.weights.keys() == stopped.weights.keys()
    for name, tensor in whole.weights.items():
        assert torch.equal(tensor, stopped.weights[name])


def test_every_number_is_learned_through_the_questions_alone(toys: Toys, small: VDSTConfig) -> None:
    """Also those that move the state of the regions, as it decides what is looked at."""
    learning = task(small, toys)
    torch.autograd.backward(learning.cost(range(16), 0).total)
    for name, weights in learning.model.named_parameters():
        assert weights.grad is not None, name
        # A softmax does not feel a number that is added to all scores.
        if name not in {"difference.bias", "matching.score.bias"}:
            assert bool(weights.grad.any()), name


def test_the_loss_is_the_cross_entropy_of_the_words_of_the_questions(
    toys: Toys, small: VDSTConfig
) -> None:
    learning = task(small, toys)
    found = learning.cost([3, 9], 0)
    followed = learning.model.follow(
        [learning._train.heard[place] for place in (3, 9)],
        learning.model.look(
            toys.regions.of([learning._train.images[place] for place in (3, 9)], ["a", "b"])
        ),
    )
    words = [w for place in (3, 9) for q, _ in learning._train.heard[place].turns for w in q]
    assert found.count == len(words)
    assert sorted(followed.words.tolist()) == sorted(words)
    each = functional.cross_entropy(
        learning.model.next(followed.states), followed.words, reduction="none"
    )
    torch.testing.assert_close(found.total, each.sum())


def test_figures_are_means_over_words(toys: Toys, small: VDSTConfig) -> None:
    """However the validation games are cut into batches."""
    learning = task(small, toys)
    learning.model.eval()
    with torch.no_grad():
        whole = learning.score(range(40))
        parts = [learning.score(range(start, start + 8)) for start in range(0, 40, 8)]
        costs = VDSTTask(
            learning.model,
            toys.vocabulary,
            Examples(toys.data.valid, toys.data.valid),
            toys.regions,
            ONCE,
        ).cost(range(40), 0)
    for name, value in whole.items():
        assert sum(part[name] for part in parts) == pytest.approx(value, rel=1e-5)
    assert whole["nats"] / 40 == pytest.approx(float(costs.total) / costs.count, rel=1e-5)
    assert 0 <= whole["error"] / 40 <= 1


def test_the_first_eleven_questions_are_learned_from(toys: Toys) -> None:
    one = toys.data.train[0]
    events = (Ask("is it a dog ?"), Answer("No")) * 14
    long = Played(one.game, Transcript(one.game, events, "success"))
    asked = Asked(toys.vocabulary, [long], VDSTConfig().turns)
    assert len(asked.heard[0].turns) == 11
    assert asked.words == 11 * len(toys.vocabulary.question("is it a dog ?"))


def test_the_learning_rate_restarts_after_periods_that_double() -> None:
    restarts = Restarts(first=2)
    shares = [restarts.share(epoch) for epoch in range(14)]
    assert [epoch for epoch, share in enumerate(shares) if share == 1] == [0, 2, 6]
    assert shares[1] == pytest.approx(0.5)
    assert shares[4] == pytest.approx(0.5)
    assert shares[6:14] == sorted(shares[6:14], reverse=True)
    assert restarts.share(1.999) < 1e-3


def test_the_published_schedule_begins_with_an_epoch() -> None:
    whole = [epoch for epoch in range(50) if Restarts().share(epoch) == 1]
    assert whole == [0, 1, 3, 7, 15, 31]


def test_an_image_without_regions_is_named_with_its_game(
    toys: Toys, small: VDSTConfig, tmp_path: Path
) -> None:
    path = tmp_path / "few.h5"
    ids = [int(one.game.scene.id) for one in toys.data.train[:5]]
    write_devries(path, ids, np.ones((5, small.regions, small.region), np.float32))
    missing = toys.data.train[6].game
    made = VDST(small, len(toys.vocabulary))
    data = Examples(toys.data.train[:7], toys.data.valid)
    learning = VDSTTask(made, toys.vocabulary, data, RegionFeatures(str(path)), ONCE)
    with pytest.raises(
        DataError, match=f"game {missing.id} needs the regions of {missing.scene.id}"
    ):
        learning.cost([6], 0)


def test_an_answer_that_is_none_names_game_and_turn(toys: Toys) -> None:
    one = toys.data.train[0]
    events = (Ask("is it a dog ?"), Answer("No"), Ask("a cat ?"), Answer("Perhaps"))
    wrong = Played(one.game, Transcript(one.game, events, "success"))
    with pytest.raises(DataError, match=rf"{one.game.id}.*turn 2 is 'Perhaps'"):
        Asked(toys.vocabulary, [wrong], 11)
