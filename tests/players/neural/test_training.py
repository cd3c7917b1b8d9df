"""The loop: it learns, it stops, and a resumed run ends in the same bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import torch
from torch import nn

from referee.errors import DataError, UsageError
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import Description
from referee.players.neural.state import Row
from referee.players.neural.training import LOGS, STATE, Cost, Plan, Run, Task, train
from referee.players.neural.vocabulary import Vocabulary

PLAN = Plan(epochs=6, batch=8, rate=0.05, seed=3)
WORDS = Vocabulary.counted([]).words


class Line(Task):
    """Learns y = 2x + 1 through dropout, so that every draw counts."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.module = nn.Sequential(nn.Linear(1, 16), nn.Dropout(0.3), nn.Linear(16, 1))
        self.x = torch.linspace(-1, 1, 50)[:, None]

    def items(self, epoch: int) -> int:
        """Fifty points."""
        del epoch
        return len(self.x)

    def cost(self, places: Sequence[int], epoch: int) -> Cost | Sequence[Cost]:
        """Squared errors."""
        del epoch
        return Cost(self._errors(places).sum(), len(places))

    def valid_items(self) -> int:
        """The same points."""
        return len(self.x)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """The same errors."""
        return {"error": float(self._errors(places).sum())}

    def _errors(self, places: Sequence[int]) -> torch.Tensor:
        x = self.x[list(places)]
        errors: torch.Tensor = (self.module(x) - 2 * x - 1) ** 2
        return errors


class Halves(Line):
    """As `Line`, with a loss for either half of the points; only every third epoch may be the best."""

    losses = 2

    def cost(self, places: Sequence[int], epoch: int) -> Sequence[Cost]:
        """The mean error of the left half and that of the right, which has more points."""
        del epoch
        left = [place for place in places if place < 10]
        right = [place for place in places if place >= 10]
        return [
            Cost(self._errors(part).sum() if part else torch.zeros(()), len(part))
            for part in (left, right)
        ]

    def eligible(self, epoch: int) -> bool:
        """Epochs 0, 3, 6 and so on."""
        return epoch % 3 == 0


class Falling(Line):
    """As `Line`, with a rate that falls to nothing at the last epoch, and says so."""

    planned = True

    def rate(self, plan: Plan, epoch: int) -> float:
        """Along a line."""
        return plan.rate * (1 - epoch / plan.epochs)


class Stopped(Exception):
    """What stops a run from outside."""


def run(out: Path, *, resume: bool = False, training: dict[str, str] | None = None) -> Run:
    described = Description("line", {}, WORDS, training=training or {})
    return Run(out, described, device="cpu", resume=resume)


def weights(out: Path) -> Mapping[str, torch.Tensor]:
    return checkpoint.load(out).weights


def test_it_learns_and_says_so(tmp_path: Path) -> None:
    state = train(Line(), PLAN, run(tmp_path))
    assert [row.epoch for row in state.history] == list(range(6))
    assert state.history[state.best].watched < state.history[0].watched / 3
    lines = (tmp_path / LOGS / "metrics.csv").read_text("utf-8").splitlines()
    assert lines[0] == "epoch,loss,error,seconds"
    assert len(lines) == 7


def test_a_resumed_run_ends_in_the_same_bits(tmp_path: Path) -> None:
    train(Line(), PLAN, run(tmp_path / "whole"))
    short = Plan(epochs=2, batch=8, rate=0.05, seed=3)
    train(Line(), short, run(tmp_path / "stopped"))
    resumed = train(Line(), PLAN, run(tmp_path / "stopped", resume=True))
    assert len(resumed.history) == 6
    for name, tensor in weights(tmp_path / "whole").items():
        assert torch.equal(tensor, weights(tmp_path / "stopped")[name])


def test_a_run_whose_rate_hangs_on_its_epochs_is_resumed_but_not_made_longer(
    tmp_path: Path,
) -> None:
    """Longer, its rate would rise again, as that of no run that was not stopped."""

    def stop(row: Row) -> None:
        if row.epoch == 1:
            raise Stopped

    train(Falling(), PLAN, run(tmp_path / "whole"))
    with pytest.raises(Stopped):
        train(Falling(), PLAN, replace(run(tmp_path / "stopped"), report=stop))
    longer = msgspec.structs.replace(PLAN, epochs=PLAN.epochs + 1)
    with pytest.raises(DataError, match="other settings"):
        train(Falling(), longer, run(tmp_path / "stopped", resume=True))
    train(Falling(), PLAN, run(tmp_path / "stopped", resume=True))
    for name, tensor in weights(tmp_path / "whole").items():
        assert torch.equal(tensor, weights(tmp_path / "stopped")[name])


def test_another_seed_gives_other_weights(tmp_path: Path) -> None:
    train(Line(), PLAN, run(tmp_path / "a"))
    train(Line(), Plan(epochs=6, batch=8, rate=0.05, seed=4), run(tmp_path / "b"))
    a, b = weights(tmp_path / "a"), weights(tmp_path / "b")
    assert not torch.equal(a["0.weight"], b["0.weight"])


def test_it_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    plan = Plan(epochs=50, batch=8, rate=0.0, patience=3)
    state = train(Line(), plan, run(tmp_path))
    assert (state.best, len(state.history)) == (0, 4)


def test_each_of_several_losses_has_its_own_mean(tmp_path: Path) -> None:
    """The first epoch's loss is the sum of the means, reckoned before anything was learned."""
    task = Halves()
    task.module = nn.Sequential(nn.Linear(1, 1))  # without dropout, so that it can be reckoned
    errors = task._errors(range(50)).detach()
    wanted = errors[:10].mean() + errors[10:].mean()
    state = train(task, Plan(epochs=1, batch=50, rate=0.05), run(tmp_path))
    assert state.history[0].loss == pytest.approx(float(wanted), rel=1e-5)


class Long(Line):
    """As `Line`, with items of many lengths; what is put in one batch is remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths = [(7 * place) % 50 for place in range(50)]
        self.batches: list[list[int]] = []

    def length(self, place: int) -> float:
        """No two are alike."""
        return self.lengths[place]

    def cost(self, places: Sequence[int], epoch: int) -> Cost | Sequence[Cost]:
        """As always."""
        self.batches.append(list(places))
        return super().cost(places, epoch)


def test_items_of_like_lengths_come_together(tmp_path: Path) -> None:
    """Every item once an epoch, in batches of neighbours by length, in an order that tells no length."""
    task, mixed = Long(), Long()
    train(task, msgspec.structs.replace(PLAN, epochs=2, alike=100), run(tmp_path / "a"))
    train(mixed, msgspec.structs.replace(PLAN, epochs=2), run(tmp_path / "b"))
    for batches in (task.batches[:7], task.batches[7:], mixed.batches[:7]):
        assert sorted(place for batch in batches for place in batch) == list(range(50))
    spans = [sorted(task.lengths[place] for place in batch) for batch in task.batches]
    assert all(span == list(range(span[0], span[0] + len(span))) for span in spans)
    assert [span[0] for span in spans[:7]] != sorted(span[0] for span in spans[:7])
    assert task.batches[:7] != task.batches[7:]
    assert any(
        max(task.lengths[place] for place in batch) - min(task.lengths[place] for place in batch)
        > 8
        for batch in mixed.batches
    )


def test_the_rate_falls_as_planned() -> None:
    """By the same share after each epoch, whatever their number; published plans keep it."""
    task, falling = Line(), msgspec.structs.replace(PLAN, decay=0.5)
    assert [task.rate(falling, epoch) for epoch in range(3)] == [0.05, 0.025, 0.0125]
    assert task.rate(PLAN, 5) == 0.05


def test_only_some_epochs_may_be_the_best(tmp_path: Path) -> None:
    """The others are not validated, and patience does not count them."""
    plan = Plan(epochs=30, batch=8, rate=0.0, patience=2)
    state = train(Halves(), plan, run(tmp_path))
    assert (state.best, len(state.history)) == (0, 7)
    assert [bool(row.figures) for row in state.history] == [True, False, False] * 2 + [True]
    lines = (tmp_path / LOGS / "metrics.csv").read_text("utf-8").splitlines()
    assert lines[0] == "epoch,loss,error,seconds"
    assert lines[2].split(",")[2] == ""


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    train(Line(), Plan(epochs=1), run(tmp_path))
    with pytest.raises(UsageError, match="nothing is overwritten"):
        train(Line(), Plan(epochs=1), run(tmp_path))


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no stopped run"):
        train(Line(), PLAN, run(tmp_path, resume=True))


def test_a_run_on_other_data_is_not_resumed(tmp_path: Path) -> None:
    train(Line(), Plan(epochs=1, batch=8), run(tmp_path, training={"games": "sha256:1"}))
    again = run(tmp_path, resume=True, training={"games": "sha256:2"})
    with pytest.raises(DataError, match="other settings or other data") as raised:
        train(Line(), Plan(epochs=2, batch=8), again)
    assert raised.value.file == str(tmp_path / STATE)


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    train(Line(), Plan(epochs=1), run(tmp_path))
    (tmp_path / STATE).write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"state\.safetensors"):
        train(Line(), Plan(epochs=2), run(tmp_path, resume=True))


def test_a_loss_that_is_no_number_stops_the_run(tmp_path: Path) -> None:
    task = Line()
    with torch.no_grad():
        next(task.module.parameters()).fill_(torch.nan)
    with pytest.raises(DataError, match="the loss of a batch in epoch 0 is nan"):
        train(task, PLAN, run(tmp_path))
