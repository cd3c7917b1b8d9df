"""The diagnostic classifier against torch, step by step, and what it finds where the truth is planted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from referee.errors import DataError, UsageError
from referee.metrics import probing
from referee.metrics.probing import Examples, Labels, Training, reading, workers
from referee.metrics.probing import settings as settings_of
from referee.metrics.probing.settings import Plateau


def planted(seed: int, rows: int, width: int = 12, attributes: int = 150) -> Examples:
    """States, and attributes that a noisy linear map of them gives; about one in five is there."""
    states = np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32)
    rule = np.random.default_rng(0).normal(size=(width, attributes))
    return Examples(states, Labels.of_dense(states @ rule > 3))


def test_training_goes_the_way_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loss, F1 on the validation part, learning rate, stop and weights, in several blocks of attributes."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(reading, "CACHE", 64 * 4 * (4 * 12 + 64))
    assert len(reading.blocks(150, 12, 64)) == 3
    train, valid = planted(1, 500), planted(2, 200)
    settings = Training(batch=64, learning_rate=0.03, patience=4, plateau_patience=1)
    probe = probing.train(train, valid, settings)

    start = probing.initial(150, 12, settings.seed)
    linear = torch.nn.Linear(12, 150)
    linear.weight.data = torch.from_numpy(start.weights.copy())
    linear.bias.data = torch.from_numpy(start.bias.copy())
    adam = torch.optim.Adam(linear.parameters(), lr=0.03, betas=(0.9, 0.9))
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(adam, mode="max", factor=0.5, patience=1)
    states, gold = torch.from_numpy(train.states), torch.from_numpy(train.labels.dense()).float()
    generator = np.random.default_rng([settings.seed, 1])
    best, waited, kept = -1.0, 0, start.weights
    for number, epoch in enumerate(probe.history):
        assert adam.param_groups[0]["lr"] == pytest.approx(epoch.learning_rate)
        order, lost = generator.permutation(500), 0.0
        for first in range(0, 500, 64):
            rows = torch.from_numpy(order[first : first + 64])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                linear(states[rows]), gold[rows]
            )
            adam.zero_grad()
            loss.backward()
            adam.step()
            lost += loss.item() * len(rows) / 500
        with torch.no_grad():
            sure = torch.sigmoid(linear(torch.from_numpy(valid.states))).numpy() > 0.75
        f1 = probing.example_scores(valid.labels.dense(), sure).means()["f1"]
        assert epoch.loss == pytest.approx(lost, rel=1e-4)
        assert epoch.watched == pytest.approx(f1, abs=2e-3)
        plateau.step(epoch.watched)
        waited = 0 if epoch.watched > best else waited + 1
        if waited == 0:
            best, kept = epoch.watched, linear.weight.detach().numpy().copy()
            assert number <= probe.best_epoch
    assert waited == settings.patience or len(probe.history) == settings.epochs
    assert np.abs(probe.weights - kept).max() < 2e-3


def test_the_learning_rate_falls_as_torchs_does() -> None:
    torch = pytest.importorskip("torch")
    values = [0.0, 0.0, 0.2, 0.20001, 0.2, 0.2, 0.2, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    ours = Plateau(Training(plateau_patience=2))
    adam = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1e-3)
    rival = torch.optim.lr_scheduler.ReduceLROnPlateau(adam, mode="max", factor=0.5, patience=2)
    for value in values:
        ours.step(value)
        rival.step(value)
        assert ours.rate == pytest.approx(adam.param_groups[0]["lr"])
    assert ours.rate < 1e-3


def test_predictions_and_code_lengths_are_those_of_the_logits() -> None:
    train, valid = planted(1, 300), planted(2, 1100)
    probe = probing.train(train, valid, Training(batch=32, epochs=5))
    logits = probe.logits(valid.states).astype(np.float64)
    gold = valid.labels.dense()
    assert np.array_equal(probe.predict(valid.states, 0.6).dense(), 1 / (1 + np.exp(-logits)) > 0.6)
    nats = np.logaddexp(0, logits) - logits * gold
    assert probe.bits(valid) == pytest.approx(nats.sum(axis=1) / np.log(2), rel=1e-5)


def test_a_state_that_holds_the_attributes_is_read_and_one_that_does_not_is_not() -> None:
    """Above 95 with the attributes in the state, chance without, and in between with half of them."""
    generator = np.random.default_rng(3)
    gold = generator.random((1500, 20)) < 0.3
    noise = generator.normal(size=(1500, 20))
    settings = Training(batch=16, learning_rate=0.02)
    found = {}
    for name, part in (("all", 20), ("half", 10), ("none", 0)):
        states = np.where(np.arange(20) < part, gold + 0.01 * noise, noise)
        splits = [
            Examples(states[rows], Labels.of_dense(gold[rows]))
            for rows in (slice(0, 900), slice(900, 1200), slice(1200, 1500))
        ]
        probe = probing.train(splits[0], splits[1], settings)
        predicted = probe.predict(splits[2].states)
        found[name] = probing.example_scores(splits[2].labels, predicted).means()["f1"]
        if name == "none":
            probing.check_chance(splits[2].labels, predicted)
    # half of the attributes, all of them right: F1 = 2 * 0.5 / (1 + 0.5), a little less in the mean
    assert found["all"] > 0.95
    assert 0.55 < found["half"] < 0.72
    assert found["none"] < 0.15


def test_a_code_is_short_only_where_the_state_tells() -> None:
    told = planted(1, 600, attributes=10)
    noise = np.random.default_rng(9).normal(size=(600, 12)).astype(np.float32)
    blind = Examples(noise, told.labels)
    settings = Training(batch=16, learning_rate=0.02)
    shares = (0.05, 0.2, 0.5, 1.0)
    one, other = (
        probing.description_length(
            each, each.take(np.arange(100)), lambda _: settings, shares=shares
        )
        for each in (told, blind)
    )
    assert one.compression_of_marginal > 1.3
    assert other.compression_of_marginal < 1.05
    assert one.uniform_bits == 6000


def test_a_learning_curve_rises_where_there_is_something_to_learn() -> None:
    train, test = planted(1, 1000), planted(2, 300)
    settings = Training(batch=16, learning_rate=0.02)
    curve = probing.learning_curve(train, test, test, lambda _: settings, shares=(0.03, 1))
    assert curve[1].scores.means()["f1"] > curve[0].scores.means()["f1"] + 0.1


def test_a_probe_that_is_tested_on_its_training_part_betrays_itself_on_shuffled_labels() -> None:
    examples = planted(5, 60, width=80, attributes=30)
    (labels,) = probing.shuffled([examples.labels], 0)
    mixed = Examples(examples.states, labels)
    probe = probing.train(mixed, mixed, Training(batch=8, learning_rate=0.02))
    with pytest.raises(probing.AboveChance):
        probing.check_chance(labels, probe.predict(mixed.states))


def test_bad_states_and_settings_say_what_is_wrong() -> None:
    labels = Labels.of_rows([[0]], width=2)
    with pytest.raises(DataError, match="record 0, field states: holds NaN"):
        Examples(np.array([[np.nan]], dtype=np.float32), labels)
    with pytest.raises(DataError, match="has 2 rows"):
        Examples(np.zeros((2, 3), dtype=np.float32), labels)
    probe = probing.train(planted(1, 20), planted(1, 20), Training(epochs=1))
    with pytest.raises(DataError, match="is 3 wide"):
        probe.predict(np.zeros((1, 3)))
    with pytest.raises(UsageError, match="stop_at is 1"):
        Training(stop_at=1.0)
    for name in ("learning_rate", "epsilon", "factor", "plateau_patience", "plateau_threshold"):
        for wrong in (-1, math.nan, math.inf):
            given: dict[str, Any] = {name: wrong}
            with pytest.raises(UsageError, match=f"{name} is {wrong}"):
                Training(**given)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_weights_that_grow_beyond_all_numbers_are_refused() -> None:
    examples = planted(1, 64)
    with pytest.raises(UsageError, match=r"learning_rate is 1e\+38: .* it must be smaller"):
        probing.train(examples, examples, Training(batch=8, learning_rate=1e38))


@pytest.mark.parametrize("watch", ["f1", "loss"])
def test_a_probe_is_the_same_however_many_threads_train_it(
    monkeypatch: pytest.MonkeyPatch, watch: settings_of.Watched
) -> None:
    monkeypatch.setattr(reading, "CACHE", 64 * 4 * (4 * 12 + 64))
    monkeypatch.setattr(reading, "ROWS", 50)
    train, valid = planted(1, 500), planted(2, 210)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(workers, "cpu_count", lambda threads=threads: threads)
        found.append(probing.train(train, valid, Training(batch=64, epochs=4, watch=watch)))
    for other in found[1:]:
        assert other.history == found[0].history
        assert np.array_equal(other.weights, found[0].weights)


def test_while_threads_train_each_multiplies_by_itself() -> None:
    """And afterwards numpy's products have the threads that they had."""
    from threadpoolctl import threadpool_info

    def threads() -> set[int]:
        return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    before = threads()
    with workers.Workers(2):
        assert threads() == {1}
    assert threads() == before


def test_few_examples_get_as_many_updates_as_many() -> None:
    """Their portions of a code would else be coded by probes that patience ended before they began."""
    told = planted(1, 1200, attributes=20)
    shares, valid = (0.05, 0.1, 0.2, 1.0), planted(2, 300, attributes=20)
    fixed = Training(learning_rate=0.02)
    few, many = (
        probing.description_length(told, valid, each, shares=shares)
        for each in (lambda _: fixed, fixed.with_updates)
    )
    assert many.bits < 0.9 * few.bits
