"""From states and labels to the columns of each test game: what a linear classifier finds in the states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.grounding.gold import TASKS, Gold, Tasks
from referee.evaluations.grounding.options import Beyond
from referee.evaluations.grounding.references import HUMAN, pair
from referee.evaluations.result import Row, Value, finite
from referee.games import GuessWhat, Transcript
from referee.metrics import probing
from referee.metrics.probing import Examples, ExampleScores, Labels, Probe, Training
from referee.randomness import key

SHARES = (0.03, 0.1, 0.3)
"""Of the training games, for learning curves; all of them have been learned from before."""
_BITS = "bits"
_SURE = 0.999999
"""How sure a check by shuffled labels must be before it ends the evaluation.

There are several checks in every evaluation, and few games of one category make their scores skewed.
"""
_UNTRAINED = (
    "HARDLY TRAINED are the classifiers of {}: F1 over {:g} on the validation games was best after the "
    "first of {} epochs, as may be where little is that likely; --probe watch=loss stops them by the loss"
)


@dataclass
class Probed:
    """The columns of the test games, and the values that no column has."""

    columns: list[Row]
    values: dict[str, Value] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Asked:
    """What is to be done with the states."""

    tasks: Tasks
    beyond: frozenset[Beyond]
    code: bool
    seed: int
    training: Training
    batch: int | None = None

    def settings(self, task: str, examples: int) -> Training:
        """How a task's classifier is trained; batches by the number of examples where none is chosen."""
        seeded = replace(self.training, seed=key("probe", self.seed, task) % 2**31)
        return seeded if self.batch else seeded.with_updates(examples)

    def told(self, examples: int) -> str:
        """How classifiers are trained on so many examples, in the words of --probe."""
        settings = asdict(self.settings(TASKS[0], examples))
        return ",".join(
            f"{name}={value}" for name, value in settings.items() if name not in ("seed", "betas")
        )


@dataclass(frozen=True, eq=False)
class _Task:
    """One task: the states and labels of the three splits."""

    name: str
    states: Mapping[str, NDArray[np.float32]]
    labels: Mapping[str, Labels]
    types: Mapping[str, NDArray[np.int64]]
    targets: Mapping[str, NDArray[np.int64]]
    settings: Training

    def examples(self, split: str, labels: Labels | None = None) -> Examples:
        """A split as the classifier takes it; with other labels where given."""
        return Examples(self.states[split], self.labels[split] if labels is None else labels)

    def trained(self, labels: Mapping[str, Labels]) -> Probe:
        """A classifier that was trained on these labels."""
        train, valid = (self.examples(split, labels[split]) for split in ("train", "valid"))
        return probing.train(train, valid, self.settings)

    def predicted(self, labels: Mapping[str, Labels]) -> Labels:
        """What a classifier that was trained on these labels says of the test states."""
        return self.trained(labels).predict(self.states["test"])


def probe(
    states: Mapping[str, NDArray[np.float32]], golds: Mapping[str, Gold], asked: Asked
) -> Probed:
    """Trains on train, stops by valid, and scores each test game, task by task (section 4.2).

    A classifier that finds anything in states whose labels were shuffled is an error: then it was
    tested on what it had learned by heart.
    """
    test = golds["test"]
    found = Probed([{} for _ in test.games])
    types, targets = _numbered(golds, _category), _numbered(golds, pair)
    early: dict[str, Probe] = {}
    for name in TASKS:
        labels = {split: asked.tasks.labels(name, gold) for split, gold in golds.items()}
        settings = asked.settings(name, len(labels["train"]))
        task = _Task(name, states, labels, types, targets, settings)
        trained = task.trained(labels)
        if trained.best_epoch <= 0 and trained.settings.watch == "f1":
            early[name] = trained
        predicted = trained.predict(states["test"])
        scores = probing.example_scores(labels["test"], predicted)
        _fill(found, name, scores, asked.code)
        _name(found, name, (labels["test"], predicted), asked.tasks.of[name])
        _check_shuffled(task, asked.seed)
        if "control" in asked.beyond:
            _control(found, task, scores, asked.seed)
        if "mdl" in asked.beyond:
            found.values |= dict(_lengths(task, asked))
        if "curve" in asked.beyond:
            _curve(found, task, scores, asked)
    found.notes += _early(early)
    return found


def random(gold: Gold, asked: Asked) -> Probed:
    """The columns of scores drawn from U(0, 1) instead: the paper's row Random."""
    found = Probed([{} for _ in gold.games])
    for name in TASKS:
        labels = asked.tasks.labels(name, gold)
        draws = np.random.default_rng(key("random scores", asked.seed, name))
        scores = draws.random((len(labels), labels.width))
        predicted = probing.over_threshold(scores)
        _fill(found, name, probing.example_scores(labels, predicted), asked.code)
        _name(found, name, (labels, predicted), asked.tasks.of[name])
    return found


def told(gold: Gold, said: Mapping[str, Sequence[Sequence[str]]], asked: Asked) -> Probed:
    """The columns of predictions that a submission makes: for each task the names for each game."""
    found = Probed([{} for _ in gold.games])
    for name in TASKS:
        labels = asked.tasks.labels(name, gold)
        places = {attribute: place for place, attribute in enumerate(asked.tasks.of[name])}
        rows = [[places[attribute] for attribute in names] for names in said[name]]
        predicted = Labels.of_rows(rows, labels.width)
        _fill(found, name, probing.example_scores(labels, predicted), asked.code)
        _name(found, name, (labels, predicted), asked.tasks.of[name])
    return found


def _early(early: Mapping[str, Probe]) -> list[str]:
    """What should be known of classifiers that were stopped before they had begun to tell anything."""
    if not early:
        return []
    # whose first epoch was the best, patience has ended all after as many
    probe = next(iter(early.values()))
    return [_UNTRAINED.format(", ".join(early), probe.settings.stop_at, len(probe.history))]


def _fill(found: Probed, task: str, scores: ExampleScores, code: bool) -> None:
    # The authors' code calls the share of the gold labels that were found precision (facts 3.6).
    precision, recall = scores.precision.tolist(), scores.recall.tolist()
    if code:
        precision, recall = recall, precision
    for row, *values in zip(found.columns, scores.f1.tolist(), precision, recall, strict=True):
        row |= dict(zip((f"f1_{task}", f"precision_{task}", f"recall_{task}"), values, strict=True))


def _name(found: Probed, task: str, both: tuple[Labels, Labels], names: Sequence[str]) -> None:
    for column, labels in zip((f"gold_{task}", f"predicted_{task}"), both, strict=True):
        spans = pairwise(labels.offsets.tolist())
        columns = labels.columns.tolist()
        for row, (start, end) in zip(found.columns, spans, strict=True):
            row[column] = [names[place] for place in columns[start:end]]


def _numbered(
    golds: Mapping[str, Gold], name: Callable[[GuessWhat], Hashable]
) -> dict[str, NDArray[np.int64]]:
    """What a game is called, as a number a name, the same in all splits."""
    numbers: dict[Hashable, int] = {}
    found = {}
    for split in HUMAN:
        names = [name(_game(transcript)) for transcript in golds[split].games]
        found[split] = np.array([numbers.setdefault(each, len(numbers)) for each in names])
    return found


def _game(transcript: Transcript) -> GuessWhat:
    game = transcript.game
    assert isinstance(game, GuessWhat)  # noqa: S101 - read as such
    return game


def _category(game: GuessWhat) -> str:
    return game.scene.things[game.target_index].category


def _check_shuffled(task: _Task, seed: int) -> None:
    """Games about one target share their shuffled labels, in whatever splits they are.

    So a target that is in train and in test can be known by heart, and nothing else can be known.
    """
    targets = task.targets
    parts = probing.shuffled(
        [task.labels[split] for split in HUMAN], seed, groups=[targets[split] for split in HUMAN]
    )
    labels = dict(zip(HUMAN, parts, strict=True))
    probing.check_chance(
        labels["test"], task.predicted(labels), groups=targets["test"], level=_SURE, seed=seed
    )


def _control(found: Probed, task: _Task, real: ExampleScores, seed: int) -> None:
    """The control task: each category gets the labels of a game drawn at random."""
    types = task.types
    count = 1 + max(int(each.max()) for each in types.values())
    table = probing.control_table(task.labels["train"], types["train"], count, seed)
    labels = {split: table.take(types[split]) for split in HUMAN}
    scores = probing.example_scores(labels["test"], task.predicted(labels))
    for row, real_f1, control in zip(
        found.columns, real.f1.tolist(), scores.f1.tolist(), strict=True
    ):
        row[f"control_f1_{task.name}"] = control
        row[f"selectivity_{task.name}"] = real_f1 - control


def _lengths(task: _Task, asked: Asked) -> Iterator[tuple[str, Value]]:
    """The bits by which the labels of a game are told to who has its state."""
    length = probing.description_length(
        task.examples("train"), task.examples("valid"), partial(asked.settings, task.name)
    )
    many = len(task.labels["train"])
    yield f"mdl_{task.name}", Value(finite(length.bits / many), None, _BITS, False, n=many)
    yield (
        f"compression_{task.name}",
        Value(finite(length.compression_of_marginal), None, "", True, n=many),
    )


def _curve(found: Probed, task: _Task, scores: ExampleScores, asked: Asked) -> None:
    """What each test game scores after training on fewer games, and on all."""
    train, valid, held_out = (task.examples(split) for split in HUMAN)
    points = {len(train): scores}
    settings = partial(asked.settings, task.name)
    for point in probing.learning_curve(train, valid, held_out, settings, shares=SHARES):
        points.setdefault(point.examples, point.scores)
    for many in sorted(points):
        for row, score in zip(found.columns, points[many].f1.tolist(), strict=True):
            row[f"curve_{task.name}_{many}"] = score
