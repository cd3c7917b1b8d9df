"""Two runs on the same games: for each value the difference, its interval, and the tests of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.evaluations.evaluation import Evaluation, versions
from referee.evaluations.measures import Intervals, Measure, number
from referee.evaluations.result import Judged, Option, Row, finite, signature
from referee.metrics.statistics import (
    bootstrap_interval,
    holm,
    mcnemar,
    pair,
    paired_permutation,
    wilcoxon,
)

_KEYS = {"games": ("game", "image", "target"), "turns": ("game", "image", "turn")}
_APART = (
    *("guesser", "source", "player", "states", "state_width", "missing_states", "submission"),
    *("states_data", "classifier", "played_by", "max_turns", "play_seed", "beyond"),
    *("data", "referee", "numpy", "python", *Intervals.__struct_fields__),
)
"""The options in which the two results may differ: what was judged, where, and what besides; not how."""
_WHERE_BOTH = ("probe",)
"""Options that must be alike where both results have one: not every result needs a classifier."""

_NOTES = (
    "differences are over the games that count in both runs, such as those where both succeeded",
    "p is of a permutation test that flips whole {unit}s, p (Holm) is adjusted over all these values",
    "M: McNemar's test, for values that are right or wrong; its effect is the difference of shares",
    "W: Wilcoxon's signed-rank test; its effect is the rank-biserial correlation",
)

_APART_TURNS = (
    "values over turns are left out, since the runs' games have different numbers of turns"
)


class Difference(Struct, frozen=True):
    """One value of two runs over the games that count in both.

    `test` is McNemar's for values that are right or wrong, Wilcoxon's for others; `effect` is that
    test's. `p_permutation` flips whole pictures or games, and `p_holm` is adjusted over all values compared.
    """

    value_a: float
    value_b: float
    difference: float
    """a - b"""
    ci_low: float | None
    ci_high: float | None
    unit: str
    higher_is_better: bool | None
    n: int
    n_clusters: int
    p_permutation: float
    p_holm: float
    test: Literal["McNemar", "Wilcoxon signed-rank"]
    p_test: float
    effect: float | None
    effect_name: str


class Comparison(Struct, frozen=True):
    """What compare.json holds."""

    evaluation: str
    options: dict[str, Option]
    differences: dict[str, Difference]
    notes: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """One line that says what was compared, how, and by which versions."""
        return signature(f"compare {self.evaluation}", self.options)


class _Pairs(Struct, frozen=True):
    """The scaled numbers of both runs over the same rows, and the rows' pictures or games."""

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    units: list[str] = field(default_factory=list)


def compare(
    evaluation: Evaluation,
    first: Judged,
    second: Judged,
    intervals: Intervals | None = None,
    resamples: int = 10_000,
) -> Comparison:
    """Compares two judged runs; refuses when their games differ or were judged in different ways.

    `resamples` is the number of random sign patterns of the permutation test.
    """
    chosen = Intervals() if intervals is None else intervals
    _same_way(first, second)
    found: dict[str, tuple[Measure, _Pairs]] = {}
    orders = {table: _order(table, first, second) for table in ("games", "turns")}
    for measure in evaluation.measures(first.turns):
        if measure.statistic == "mean" and measure.compared:
            pairs = _pairs(measure, (first, second), orders[measure.table], chosen.by)
            if len(pairs.a):
                found[measure.name] = (measure, pairs)
    if not found:
        why = f"; {_APART_TURNS}" if orders["turns"] is None else ""
        raise UsageError(f"the runs have no value in common that could be compared{why}")
    tests = {
        name: paired_permutation(
            pairs.a, pairs.b, clusters=pairs.units, resamples=resamples, seed=chosen.seed
        ).p_value
        for name, (_, pairs) in found.items()
    }
    adjusted = holm(list(tests.values()))
    differences = {
        name: _difference(*found[name], chosen, tests[name], adjusted[place])
        for place, name in enumerate(tests)
    }
    resolved = {
        **{key: value for key, value in first.result.options.items() if key not in _APART},
        **msgspec.structs.asdict(chosen),
        "permutations": resamples,
        "data_a": first.result.options.get("data"),
        "data_b": second.result.options.get("data"),
        **versions(),
    }
    unit = "picture" if chosen.by == "image" else "game"
    notes = [note.format(unit=unit) for note in _NOTES]
    if orders["turns"] is None:
        notes.append(_APART_TURNS)
    return Comparison(evaluation.name, resolved, differences, tuple(notes))


def _same_way(first: Judged, second: Judged) -> None:
    options_a, options_b = first.result.options, second.result.options
    differ = [
        f"{name} ({options_a.get(name)} and {options_b.get(name)})"
        for name in dict.fromkeys((*options_a, *options_b))
        if name not in _APART and options_a.get(name) != options_b.get(name)
        if name not in _WHERE_BOTH or None not in (options_a.get(name), options_b.get(name))
    ]
    if differ:
        raise UsageError(f"the runs were judged in different ways: {', '.join(differ)}")


def _order(table: str, first: Judged, second: Judged) -> NDArray[np.intp] | None:
    """Where each of A's rows is among B's; None for the turns of games that were played apart."""
    keys = [[_key(table, row) for row in _rows(table, judged)] for judged in (first, second)]
    if table == "turns" and set(keys[0]) != set(keys[1]):
        # The same game may take a different number of turns: only its game row is paired then.
        return None
    return pair(keys[0], keys[1])


def _rows(table: str, judged: Judged) -> Sequence[Row]:
    return judged.games if table == "games" else judged.turns


def _key(table: str, row: Row) -> tuple[str, ...]:
    return tuple(str(row.get(name)) for name in _KEYS[table])


def _pairs(
    measure: Measure, runs: tuple[Judged, Judged], order: NDArray[np.intp] | None, by: str
) -> _Pairs:
    if order is None:
        return _Pairs(np.empty(0), np.empty(0))
    rows_a, rows_b = (_rows(measure.table, run) for run in runs)
    numbers: list[tuple[float, float]] = []
    units: list[str] = []
    for row_a, place in zip(rows_a, order.tolist(), strict=True):
        row_b = rows_b[place]
        if not (measure.counts(row_a) and measure.counts(row_b)):
            continue
        both = number(row_a[measure.column]), number(row_b[measure.column])
        if all(map(math.isfinite, both)):
            numbers.append(both)
            units.append(str(row_a[by]))
    table = np.array(numbers, dtype=np.float64).reshape(-1, 2)
    return _Pairs(table[:, 0], table[:, 1], units)


def _difference(
    measure: Measure, pairs: _Pairs, intervals: Intervals, p_permutation: float, p_holm: float
) -> Difference:
    interval = bootstrap_interval(
        (pairs.a - pairs.b) * measure.scale,
        clusters=pairs.units,
        method=intervals.method,
        level=intervals.level,
        resamples=intervals.resamples,
        seed=intervals.seed,
    )
    binary = bool(np.isin(pairs.a, (0, 1)).all() and np.isin(pairs.b, (0, 1)).all())
    test = mcnemar(pairs.a, pairs.b) if binary else wilcoxon(pairs.a, pairs.b)
    return Difference(
        value_a=float(pairs.a.mean() * measure.scale),
        value_b=float(pairs.b.mean() * measure.scale),
        difference=interval.estimate,
        ci_low=finite(interval.low),
        ci_high=finite(interval.high),
        unit=measure.unit,
        higher_is_better=measure.higher_is_better,
        n=interval.n,
        n_clusters=interval.n_clusters,
        p_permutation=p_permutation,
        p_holm=p_holm,
        test="McNemar" if binary else "Wilcoxon signed-rank",
        p_test=test.p_value,
        effect=finite(test.effect),
        effect_name=test.effect_name,
    )
