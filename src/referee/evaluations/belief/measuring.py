"""The values of `belief` and the columns that they are taken from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.annotate.soft_labels.targets import UNIONS
from referee.evaluations.measures import PERCENT, Measure
from referee.evaluations.result import Cell, Row

TYPES = ("category", "object", "cq", "spatial", "colour")
"""The types of first questions; cq, the paper's category questions, are category and object together."""
ANSWERED = {"yes": "Yes", "no": "No"}
LEAST = 20
"""A turn that fewer games reach has no values by turn."""

_BY_TURN = (("nll", "nats", False), ("brier", "", False), ("entropy", "bits", None))


def measures(turns: Sequence[Row]) -> tuple[Measure, ...]:
    """The values that are means of a column; the others (r, ece, deviations) are in `values`.

    The names and columns of turns are for as many turns as the rows have.
    """
    return means(sorted({number for row in turns if isinstance(number := row["turn"], int)}))


def means(numbers: Sequence[int]) -> tuple[Measure, ...]:
    """The values that are means, with these turns by number."""
    return (
        Measure("task_accuracy", "success", "games", PERCENT, True),
        *_of_first_turns(),
        *_of_rules(),
        *_of_turns(numbers),
    )


def where(kind: str) -> tuple[str, Cell]:
    """The column and the cell that say that a first turn is of a type."""
    return ("cq", True) if kind == "cq" else ("type", kind)


def _of_first_turns() -> Iterator[Measure]:
    for kind in TYPES:
        yield Measure(f"r_{kind}_per_game", "r", "games", "", True, where(kind))
    for name, higher in (
        ("grounded_rs", True),
        ("grounded_cs", True),
        ("complement_probability", False),
    ):
        for kind in TYPES:
            for answer, cell in ANSWERED.items():
                yield Measure(
                    f"{name}_{kind}_{answer}",
                    name,
                    "games",
                    PERCENT,
                    higher,
                    where(kind),
                    and_where=("answer", cell),
                )


def _of_rules() -> Iterator[Measure]:
    for name in UNIONS:
        yield Measure(f"rule_accuracy_{name}", f"rule_{name}", "games", PERCENT)


def _of_turns(numbers: Sequence[int]) -> Iterator[Measure]:
    for name, unit, higher in _BY_TURN:
        for number in numbers:
            yield Measure(
                f"{name}_turn_{number}", name, "turns", unit, higher, where=("turn", number)
            )
    for name in ("bayes_gap", "bayes_ignored", "bayes_invented", "leaked_mass"):
        yield Measure(name, name, "turns", PERCENT, False)
