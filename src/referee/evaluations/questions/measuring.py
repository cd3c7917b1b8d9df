"""The values of `questions` and the columns that they are taken from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.evaluations.measures import COUNT, PERCENT, Measure
from referee.evaluations.result import Cell, Row
from referee.games import ANSWERS
from referee.metrics.question_types import SUBTYPES, TYPES

KINDS = (*TYPES, "entity", "order")
REDUNDANCIES = ("repeated", "paraphrase", "implied")
CORRECTED = (
    "effectiveness",
    "last_effective",
    "last_referring",
    "last_referring_in_context",
    "information_gain",
    "best_gain",
    "efficiency",
    "redundancy_paraphrase",
    "redundancy_implied",
)
"""Values that are given once more as they would be if the oracle did not err."""

_BITS = "bits"


def measures(turns: Sequence[Row]) -> tuple[Measure, ...]:
    """The values of `questions`; those by turn as far as there are turns.

    `effectiveness` is the mean over dialogues of each one's share; the values of types, shifts, bits
    and redundancy are over all questions.
    """
    return (
        *_of_games(),
        *_by_turn(turns),
        *_of_types(),
        *of_words(),
        *_of_bits(),
        *_corrected(turns),
    )


def _of_games() -> Iterator[Measure]:
    yield _good("task_success", "success")
    yield _good("task_success_unique", "success", where=("unique", True))
    yield Measure("n_questions", "n_questions")
    yield _good("effectiveness", "effectiveness")
    for status in ("success", "failure"):
        yield _good(f"effectiveness_{status}", "effectiveness", where=("status", status))
    for name in ("last_effective", "last_referring", "last_referring_in_context"):
        yield _good(name, name)
    yield _good("task_success_last_referring", "success", where=("last_referring", True))
    yield _good("task_success_last_not_referring", "success", where=("last_referring", False))
    yield _share("removed_target", "removed_target", table="games", higher=False)
    yield _share("refers_to_target", "referring")
    yield _share("refers_to_another", "refers_to_another")


def _by_turn(turns: Sequence[Row]) -> Iterator[Measure]:
    numbers = {row["turn"] for row in turns if "effective" in row}
    for number in sorted(number for number in numbers if isinstance(number, int)):
        name = f"effectiveness_turn_{number}"
        yield Measure(name, "effective", "turns", PERCENT, True, where=("turn", number))


def _of_types() -> Iterator[Measure]:
    for kind in KINDS:
        yield _share(f"type_{kind}", f"type_{kind}")
    for kind in SUBTYPES:
        yield _share(f"type_location_{kind}", f"is_{kind}")
    yield _accuracy("oracle_accuracy")
    for kind in KINDS:
        yield _accuracy(f"oracle_accuracy_{kind}", (f"type_{kind}", True))
    for kind in SUBTYPES:
        yield _accuracy(f"oracle_accuracy_location_{kind}", ("location_kind", kind))
    for answer, name in zip(ANSWERS, ("yes", "no", "na"), strict=True):
        yield _accuracy(f"oracle_accuracy_{name}", ("answer", answer))


def of_words() -> Iterator[Measure]:
    """What the words of the questions say, whatever the answers did."""
    for name, column in (("lexical_diversity", "words"), ("question_diversity", "questions")):
        yield Measure(name, column, "games", PERCENT, True, statistic="diversity")
    yield _share("repeated_games", "repeated", table="games", higher=False)
    yield Measure("vocabulary", "vocabulary", "games", COUNT, True, statistic="kinds")
    yield _share(
        "shift_super_to_object_or_attribute",
        "shift_to_object_or_attribute",
        where=("shift_from", "super_category"),
    )
    yield _share("shift_object_to_attribute", "shift_to_attribute", where=("shift_from", "object"))
    yield _share("location_turns", "type_location")


def _of_bits() -> Iterator[Measure]:
    for name, higher in (("information_gain", True), ("best_gain", None)):
        yield Measure(name, name, "turns", _BITS, higher)
    yield Measure("efficiency", "efficiency", "games", "", True)
    for kind in REDUNDANCIES:
        yield _share(f"redundancy_{kind}", f"redundancy_{kind}", higher=False)


def _corrected(turns: Sequence[Row]) -> Iterator[Measure]:
    if not any("effective_corrected" in row for row in turns):
        return
    given = {measure.name: measure for measure in (*_of_games(), *_of_bits())}
    for name in CORRECTED:
        found = given[name]
        corrected, column = f"{name}_corrected", f"{found.column}_corrected"
        better = found.higher_is_better
        yield Measure(corrected, column, found.table, found.unit, better)


def _accuracy(name: str, where: tuple[str, Cell] | None = None) -> Measure:
    """How often the oracle says what the people of successful games said."""
    compared = ("oracle_compared", True)
    return Measure(name, "oracle_right", "turns", PERCENT, True, where, and_where=compared)


def _good(name: str, column: str, where: tuple[str, Cell] | None = None) -> Measure:
    return Measure(name, column, unit=PERCENT, higher_is_better=True, where=where)


def _share(
    name: str,
    column: str,
    *,
    table: str = "turns",
    higher: bool | None = None,
    where: tuple[str, Cell] | None = None,
) -> Measure:
    """A share in percent, of questions unless said otherwise."""
    return Measure(name, column, "games" if table == "games" else "turns", PERCENT, higher, where)
