"""The values of `grounding` and the columns that they are taken from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from referee.evaluations.grounding.gold import TASKS
from referee.evaluations.grounding.references import ZERO_SHOT
from referee.evaluations.measures import PERCENT, Measure
from referee.evaluations.questions.measuring import of_words
from referee.evaluations.result import Row

SCORES = ("f1", "precision", "recall")
DOMAINS = ("near", "out")
COLUMNS = (
    "gameplay",
    *(f"f1_{task}" for task in TASKS),
    *(f"zero_shot_{domain}" for domain in DOMAINS),
)
"""The seven numbers of which GROLLA is made, in the order of Table 1."""
ONCE = ("unique", True)


def measures(turns: Sequence[Row]) -> tuple[Measure, ...]:
    """The values that are means of a column; grolla, mdl and curves are in `values`."""
    del turns
    return (*of_play(), *of_attributes(), *of_dialogues())


def of_play() -> Iterator[Measure]:
    """How many games were won, each image and target once."""
    yield _won("gameplay", ("domain", "seen"))
    for domain in DOMAINS:
        yield _won(f"zero_shot_{domain}", ("domain", domain))
    for part in ZERO_SHOT:
        domain, _, split = part.partition("_")
        name = {"nd": "near", "od": "out"}[domain]
        yield replace(_won(f"zero_shot_{name}_{split}", ("part", part)), compared=False)


def of_attributes() -> Iterator[Measure]:
    """What a linear classifier finds in the states, and what a player says when it is asked."""
    for task in TASKS:
        for score in SCORES:
            yield _share(f"{score}_{task}")
    for task in TASKS:
        yield _share(f"control_f1_{task}", compared=False)
        yield _share(f"selectivity_{task}")
    for task in TASKS:
        for score in SCORES:
            yield _share(f"elicited_{score}_{task}")


def of_curves(columns: Iterable[str]) -> Iterator[Measure]:
    """What a classifier finds that was trained on so many games: the numbers are those of the columns."""
    for column in columns:
        if column.startswith("curve_"):
            yield _share(column, compared=False)


def of_dialogues() -> Iterator[Measure]:
    """What is asked in zero-shot games, under the names of `questions`."""
    for domain in DOMAINS:
        for measure in of_words():
            yield replace(measure, name=f"{measure.name}_{domain}", and_where=("domain", domain))


def _won(name: str, where: tuple[str, str]) -> Measure:
    return Measure(name, "success", "games", PERCENT, True, where, and_where=ONCE)


def _share(column: str, *, compared: bool = True) -> Measure:
    higher = None if column.startswith("control") else True
    return Measure(column, column, "games", PERCENT, higher, compared=compared)
