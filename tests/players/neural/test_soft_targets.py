"""KL to a one-hot is cross entropy; soft labels of first turns teach a guesser what a first answer says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from referee.errors import DataError
from referee.games import Answer, Ask, Box, Event, GuessWhat, Scene, Thing, Transcript
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.guesser import Guesser, GuesserConfig, make
from referee.players.neural.guesser_learning import Dialogues, GuesserTask
from referee.players.neural.soft_targets import Objective, divergence, one_hot, soft_targets
from referee.players.neural.training import Plan, Run, _means, train
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import Stream, key

KINDS = {"dog": 18, "cat": 17, "bus": 6, "cup": 47}
SMALL = GuesserConfig(word=8, hidden=24, state=24, category=8, object=16)


def played(number: int) -> Played:
    """Four things of two kinds; the first question asks for a kind, the others say which of them."""
    stream = Stream(key("soft", number))
    first, second = stream.sample(sorted(KINDS), 2)
    things = tuple(
        Thing(f"{number}{place}", kind, KINDS[kind], Box(60.0 * place, 40, 50, 50))
        for place, kind in enumerate([first, first, second, second])
    )
    scene = Scene(str(number), 240, 140, things)
    target = stream.below(4)
    right = target < 2
    events: list[Event] = [Ask(f"is it a {first} ?"), Answer("Yes" if right else "No")]
    events += [Ask("is it the left one ?"), Answer("Yes" if target % 2 == 0 else "No")]
    game = GuessWhat(f"g{number}", scene, things[target].id)
    return Played(game, Transcript(game, tuple(events), "success"))


@pytest.fixture(scope="module")
def data() -> Examples:
    """240 games to learn from, 60 to be judged by."""
    games = tuple(map(played, range(300)))
    return Examples(games[:240], games[240:])


def task(data: Examples, objective: Objective, config: GuesserConfig = SMALL) -> GuesserTask:
    words = data.vocabulary()
    model = fresh(1, lambda: make(config, len(words)))
    return GuesserTask(model, words, data, None, objective)


def gradients(task: GuesserTask, places: list[int]) -> dict[str, torch.Tensor]:
    task.module.train()
    task.module.zero_grad()
    found = task.cost(places, 0)
    for cost in found if isinstance(found, tuple) else (found,):
        if cost.count and cost.total.requires_grad:
            (cost.total / cost.count).backward()  # type: ignore[no-untyped-call]
    return {
        name: value.grad.clone()
        for name, value in task.module.named_parameters()
        if value.grad is not None
    }


@pytest.mark.parametrize("mask", ["paper", "code"])
def test_kl_to_a_one_hot_has_the_gradient_of_cross_entropy(data: Examples, mask: str) -> None:
    """Under the same reduction, a mean over games."""
    config = replace(SMALL, mask=mask)  # type: ignore[arg-type]
    places = list(range(40))
    ce = gradients(task(data, Objective(), config), places)
    kl = gradients(task(data, Objective("kl"), config), places)
    assert ce.keys() == kl.keys()
    for name, gradient in ce.items():
        torch.testing.assert_close(kl[name], gradient, rtol=1e-5, atol=1e-8)


def test_a_mean_over_cells_is_the_same_gradient_divided_by_the_slots(data: Examples) -> None:
    places = list(range(40))
    games = gradients(task(data, Objective("kl")), places)
    cells = gradients(task(data, Objective("kl", "cells")), places)
    for name, gradient in games.items():
        torch.testing.assert_close(cells[name] * SMALL.slots, gradient, rtol=1e-5, atol=1e-8)


@given(
    st.lists(st.floats(0.01, 1), min_size=2, max_size=6),
    st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda row: sum(row) > 0.1),
    st.integers(0, 3),
)
def test_the_divergence_is_that_of_its_definition(
    found: list[float], wanted: list[float], padding: int
) -> None:
    size = min(len(found), len(wanted))
    p = np.array(wanted[:size]) + 1e-9
    p, q = p / p.sum(), np.array(found[:size]) / sum(found[:size])
    pad = [0.0] * padding
    logs = torch.tensor([[*np.log(q).tolist(), *([-torch.inf] * padding)]], dtype=torch.float64)
    mask = torch.tensor([[True] * size + [False] * padding])
    given_ = torch.tensor([[*p.tolist(), *pad]], dtype=torch.float64)
    expected = float((p * np.log(p / q)).sum())
    assert float(divergence(logs, given_, mask)[0]) == pytest.approx(expected, abs=1e-9)


def test_a_one_hot_has_the_divergence_of_its_surprise() -> None:
    logs = torch.log_softmax(torch.tensor([[0.5, 1.0, -1.0]]), 1)
    mask = torch.ones(1, 3, dtype=torch.bool)
    wanted = one_hot(torch.tensor([2]), logs)
    assert float(divergence(logs, wanted, mask)[0]) == pytest.approx(-float(logs[0, 2]))


def test_the_soft_label_of_a_first_turn_is_even_over_what_it_leaves(data: Examples) -> None:
    soft = soft_targets(data.train, "category")
    assert soft.count == len(data.train)
    for place in range(10):
        yes = data.train[place].transcript.turns[0].answer == "Yes"
        label = soft.labels[place]
        assert label is not None
        assert label.tolist() == ([0.5, 0.5, 0, 0] if yes else [0, 0, 0.5, 0.5])


def test_the_weight_multiplies_the_second_task_alone(data: Examples) -> None:
    one = task(data, Objective("mtl-kl")).cost(range(20), 0)
    five = task(data, Objective("mtl-kl", weight=5.0)).cost(range(20), 0)
    assert isinstance(one, tuple)
    assert isinstance(five, tuple)
    assert float(five[0].total.detach()) == pytest.approx(float(one[0].total.detach()))
    assert float(five[1].total.detach()) == pytest.approx(
        5 * float(one[1].total.detach()), rel=1e-5
    )
    assert one[1].count == five[1].count == 20


def test_alternating_epochs_teach_one_task_each(data: Examples) -> None:
    told = task(data, Objective("mtl-kl", schedule="alternate"))
    counts = []
    for epoch in range(4):
        found = told.cost(range(20), epoch)
        assert isinstance(found, tuple)
        counts.append(tuple(cost.count for cost in found))
    assert counts == [(20, 0), (0, 20), (20, 0), (0, 20)]


def test_dialogues_that_no_rule_covers_are_an_error(data: Examples) -> None:
    games = [
        Played(each.game, structs.replace(each.transcript, events=(Ask("hm ?"), Answer("Yes"))))
        for each in data.train[:5]
    ]
    with pytest.raises(DataError, match="no first question of 5 games"):
        soft_targets(games, "category")


def after_first_turns(model: Guesser, words: Vocabulary, games: tuple[Played, ...]) -> float:
    """The divergence of the beliefs after first turns from the soft labels, in nats."""
    soft = soft_targets(games, "category")
    cut = [
        Played(each.game, structs.replace(each.transcript, events=each.transcript.events[:2]))
        for each in games
    ]
    told = Dialogues(model, words, cut)
    from referee.players.neural.batches import objects

    candidates = objects(told.seen)
    with torch.no_grad():
        found = model.eval()(told.heard, candidates)
    wanted = soft.of(range(len(games)), found.shape[1], found.device)
    return float(divergence(found, wanted, candidates.mask).mean())


def test_two_tasks_teach_what_a_first_answer_says(data: Examples, tmp_path: Path) -> None:
    """MTL-KL's beliefs after first turns are near the rules'; both guess whole dialogues well."""
    from referee.players.neural.checkpoint import described

    far, wrong = {}, {}
    for loss in ("kl", "mtl-kl"):
        told = task(data, Objective(loss))
        words = data.vocabulary()
        run = Run(tmp_path / loss, described("guesser", SMALL, words), device="cpu", devices=1)
        state = train(told, Plan(epochs=15, batch=16, rate=5e-3), run)
        far[loss] = after_first_turns(told.model, words, data.valid)
        wrong[loss] = min(row.figures["error"] for row in state.history)
    assert wrong["kl"] < 0.2
    assert wrong["mtl-kl"] < 0.2
    assert far["mtl-kl"] < 0.1
    assert far["mtl-kl"] < 0.5 * far["kl"]


def test_the_loss_of_an_epoch_is_the_sum_of_both_means() -> None:
    assert _means([6.0, 3, 10.0, 5]) == 4.0
    assert _means([6.0, 3, 0.0, 0]) == 2.0
