"""The one training loop: every neural player is a `Task` to it.

Epoch after epoch, the task's items are shuffled, cut into batches (where the plan says so, of items of like
lengths), and each process takes its share of every batch. What a batch costs is a sum and a count, so that
gradients are those of the whole batch's mean however many processes share it; a task with several losses has
a sum and a count of each. Draws follow from (seed, epoch, process) alone, so that no generator's state need
be kept; a run that was stopped goes on after its last whole epoch, and ends in the same bits as one that
was not.

    OUT/model.*            the weights that were best on the validation games (`checkpoint`)
    OUT/resume/state.*     weights, optimiser and history after the last whole epoch (`state`)
    OUT/logs/              metrics.csv, and event files that TensorBoard reads (`events`)
"""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from time import perf_counter

import msgspec
import torch
from jaxtyping import Float
from msgspec import Struct
from torch import Tensor, nn

from referee.datasets.files import writing
from referee.errors import DataError, UsageError
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import Description
from referee.players.neural.events import Events
from referee.players.neural.sharing import Machine
from referee.players.neural.state import Row, State, read_state, write_state
from referee.randomness import key

STATE, LOGS = "resume/state.safetensors", "logs"


class Plan(Struct, frozen=True):
    """How long and how fast; the same plan, data and seed give the same weights."""

    epochs: int = 20
    batch: int = 64
    rate: float = 1e-4
    decay: float = 1.0
    """What the rate is multiplied by after each epoch."""
    alike: int = 1
    """The batches whose items are put in order of length together, before they are cut: items of like
    lengths pad each other less. With 1 a batch is any items, as published."""
    patience: int = 0
    """The epochs without a better one after which training stops; 0 for never."""
    clip: float = 0
    """The longest gradient; 0 for any."""
    clip_each: bool = False
    """Whether each variable's gradient is clipped by itself, or all as one vector."""
    seed: int = 0


@dataclass(frozen=True)
class Cost:
    """What some items cost: a sum, and how many things (items, words) it is the sum over.

    Of several costs each is divided by its own count, and the means are added; a count of 0 adds nothing.
    """

    total: Float[Tensor, ""]
    count: float


class Task(ABC):
    """What is trained, and on what; items are numbered from 0, epochs too."""

    module: nn.Module
    watch: str = "error"
    """The validation figure by which the best epoch is chosen."""
    highest: bool = False
    """Whether more of it is better."""
    losses: int = 1
    """How many costs `cost` gives, each with its own mean."""
    planned: bool = False
    """Whether what an epoch teaches hangs on how many there will be; such a run cannot be made longer."""

    @abstractmethod
    def items(self, epoch: int) -> int:
        """How many items an epoch has."""

    @abstractmethod
    def cost(self, places: Sequence[int], epoch: int) -> Cost | Sequence[Cost]:
        """The loss, or losses, over some items, at least one; the module is in training mode."""

    @abstractmethod
    def valid_items(self) -> int:
        """How many validation items there are; with none, the loss in training chooses."""

    @abstractmethod
    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Sums over some validation items, at least one, by name; they are divided by all items."""

    def length(self, place: int) -> float:
        """How long an item is, for batches of items of like lengths."""
        del place
        return 0

    def begin(self, epoch: int) -> None:  # noqa: B027 (most tasks have nothing to begin)
        """Called in every process before each epoch."""

    def eligible(self, epoch: int) -> bool:
        """Whether an epoch may be the best; one that may not is not validated either."""
        del epoch
        return True

    def optimizer(self, plan: Plan) -> torch.optim.Optimizer:
        """Adam over all parameters; those that a step gives no gradient stay as they are."""
        return torch.optim.Adam(self.module.parameters(), lr=plan.rate)

    def rate(self, plan: Plan, epoch: int) -> float:
        """The learning rate of an epoch; it hangs on how many there will be only if the task is `planned`."""
        return plan.rate * plan.decay**epoch

    def rate_at(self, plan: Plan, epoch: int, done: float) -> float:
        """The learning rate where a share `done` of an epoch's steps is done."""
        del done
        return self.rate(plan, epoch)


@dataclass(frozen=True)
class Run:
    """Where a task is trained to, on what machine, and what is said of it."""

    out: Path
    description: Description
    """What the folder will say of the weights; its `training` names the data by hash."""
    device: str = "auto"
    devices: int | str = "auto"
    nodes: int = 1
    resume: bool = False
    report: Callable[[Row], None] = lambda _: None
    """Called in the first process after each epoch."""
    tick: Callable[[int, int, int], None] = lambda *_: None
    """Called in the first process after each batch: the epoch, the batches done, and all of them."""


def train(task: Task, plan: Plan, run: Run) -> State:
    """Trains, and leaves the best weights in the folder; says how it went."""
    refuse(run.out, resume=run.resume)
    machine = Machine.launched(run.device, run.devices, run.nodes)
    task.module.to(machine.device)
    optimizer = task.optimizer(plan)
    identity = _identity(plan, run.description, planned=task.planned)
    state = State()
    if run.resume:
        state = read_state(run.out / STATE, identity, task.module, optimizer)
    machine.wait()
    events = Events(run.out / LOGS) if machine.first else None
    while not state.finished(plan.epochs, plan.patience):
        row = _epoch(task, plan, machine, optimizer, len(state.history), run.tick)
        state = state.after(row, highest=task.highest)
        if events is not None:
            if state.best == row.epoch:
                checkpoint.save(run.out, task.module, _told(run.description, plan, row))
            _log(run.out / LOGS, state, events)
            write_state(run.out / STATE, state, identity, task.module, optimizer)
            run.report(row)
        machine.wait()
    return state


def refuse(out: Path, *, resume: bool) -> None:
    """Refuses a folder that holds a model, and to resume where there is nothing to go on from."""
    state = out / STATE
    if resume and not state.exists():
        raise UsageError(f"{out} holds no stopped run to resume")
    if not resume and (state.exists() or (out / checkpoint.DESCRIPTION).exists()):
        raise UsageError(f"{out} holds a model already: nothing is overwritten (or --resume)")


def _identity(plan: Plan, description: Description, *, planned: bool) -> str:
    """What must be equal for a run to go on; how many epochs it lasts may change, if nothing hangs on it."""
    epochs = plan.epochs if planned else 0
    lasting = msgspec.structs.replace(plan, epochs=epochs, patience=0)
    told = msgspec.structs.replace(description, versions={})
    return f"{key(msgspec.json.encode((lasting, told)).hex()):016x}"


def _told(description: Description, plan: Plan, row: Row) -> Description:
    """The description with how it was trained."""
    training = {
        **description.training,
        "plan": msgspec.to_builtins(plan),
        "epoch": row.epoch,
        "figures": row.figures,
    }
    return msgspec.structs.replace(description, training=training)


def _epoch(
    task: Task,
    plan: Plan,
    machine: Machine,
    optimizer: torch.optim.Optimizer,
    epoch: int,
    tick: Callable[[int, int, int], None],
) -> Row:
    started = perf_counter()
    # Every process draws for itself (dropout), and all draw the same order of the items.
    torch.manual_seed(key(plan.seed, epoch, machine.rank) >> 1)
    task.begin(epoch)
    task.module.train()
    batches = _batches(task, plan, epoch)
    steps: list[list[float]] = []
    for batch in batches:
        for group in optimizer.param_groups:
            group["lr"] = task.rate_at(plan, epoch, len(steps) / len(batches))
        steps.append(_step(task, plan, machine, optimizer, batch, epoch))
        if machine.first:
            tick(epoch, len(steps), len(batches))
    totals = [sum(numbers) for numbers in zip(*steps, strict=True)]
    loss = _means(totals)
    eligible = task.eligible(epoch)
    figures = validate(task, plan.batch, machine) if eligible else {}
    watched = figures.get(task.watch, loss) if task.valid_items() else loss
    return Row(epoch, loss, watched, figures, perf_counter() - started, eligible)


def _batches(task: Task, plan: Plan, epoch: int) -> list[list[int]]:
    items = task.items(epoch)
    generator = torch.Generator().manual_seed(key(plan.seed, epoch, "order") >> 1)
    order: list[int] = torch.randperm(items, generator=generator).tolist()
    if plan.alike == 1:
        return _cut(order, plan.batch)
    together = _cut(order, plan.alike * plan.batch)
    batches = [
        batch for some in together for batch in _cut(sorted(some, key=task.length), plan.batch)
    ]
    return [batches[place] for place in torch.randperm(len(batches), generator=generator)]


def _cut(order: Sequence[int], size: int) -> list[list[int]]:
    return [list(order[start : start + size]) for start in range(0, len(order), size)]


def _step(
    task: Task,
    plan: Plan,
    machine: Machine,
    optimizer: torch.optim.Optimizer,
    batch: Sequence[int],
    epoch: int,
) -> list[float]:
    """One step; the sum and the count of each of the whole batch's costs, one after the other."""
    optimizer.zero_grad(set_to_none=True)
    share = machine.share(batch)
    costs = _costs(task.cost(share, epoch)) if share else []
    mine = [number for cost in costs for number in (float(cost.total.detach()), cost.count)]
    sums = machine.total(mine or [0.0] * 2 * task.losses)
    if not isfinite(_means(sums)):
        raise DataError(
            f"the loss of a batch in epoch {epoch} is {_means(sums)}", expected="a number"
        )
    counts = sums[1::2]
    parts = [
        cost.total / n
        for cost, n in zip(costs, counts, strict=False)
        if n and cost.total.requires_grad
    ]
    if parts:
        machine.fabric.backward(torch.stack(parts).sum())
    machine.sum_gradients(task.module)
    _clip(task.module, plan)
    optimizer.step()
    return sums


def _costs(found: Cost | Sequence[Cost]) -> Sequence[Cost]:
    return (found,) if isinstance(found, Cost) else found


def _means(sums: Sequence[float]) -> float:
    """The sum of the means of some costs, from the sum and the count of each."""
    pairs = zip(sums[::2], sums[1::2], strict=True)
    return sum(total / count for total, count in pairs if count)


def _clip(module: nn.Module, plan: Plan) -> None:
    if not plan.clip:
        return
    if plan.clip_each:
        for parameter in module.parameters():
            nn.utils.clip_grad_norm_(parameter, plan.clip)
    else:
        nn.utils.clip_grad_norm_(module.parameters(), plan.clip)


@torch.no_grad()
def validate(task: Task, batch: int, machine: Machine) -> dict[str, float]:
    """The figures over all validation items."""
    task.module.eval()
    items = task.valid_items()
    sums: dict[str, float] = {}
    for start in range(0, items, batch):
        share = machine.share(range(start, min(start + batch, items)))
        for name, value in task.score(share).items() if share else ():
            sums[name] = sums.get(name, 0.0) + value
    # The first process has a share of every batch, and so every name.
    names = machine.fabric.broadcast(list(sums))
    totals = machine.total([sums.get(name, 0.0) for name in names])
    return {name: total / items for name, total in zip(names, totals, strict=True)}


def _log(folder: Path, state: State, events: Events) -> None:
    """The whole history as CSV, and its last row as an event."""
    row = state.history[-1]
    events.write(row.epoch, {"loss": row.loss, **row.figures})
    names = list(dict.fromkeys(name for each in state.history for name in each.figures))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["epoch", "loss", *names, "seconds"])
    for each in state.history:
        figures = [each.figures.get(name, "") for name in names]
        writer.writerow([each.epoch, each.loss, *figures, f"{each.seconds:.3f}"])
    with writing(folder / "metrics.csv") as stream:
        stream.write(text.getvalue().encode())
