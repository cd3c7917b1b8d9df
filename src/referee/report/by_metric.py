"""Scores of generated answers: a metric a row; mu, sigma, gamma and the bounds as columns, as in Table 6."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from referee.evaluations.result import Result, Value
from referee.report.tables import CLAIM, Table, number, span

_NAME = re.compile(
    r"(?P<metric>(?:cider|bleu)_\w|rouge_l|meteor|[a-z]+_(?:l2|cs))(?:_k(?P<k>\d+))?"
    r"(?P<what>_sigma_within|_gamma|_agt|_bound_mu|_bound_gamma)?"
)
_DIGITS = 4
_BOUNDS = ("_agt", "_bound_mu", "_bound_gamma")

T = TypeVar("T")
Key = tuple[str, int, str]
Found = dict[Key, Value]


def scores(values: Mapping[str, T]) -> dict[Key, T]:
    """The values that are scores, by metric, k and what they say; the bounds belong to no k (0).

    >>> list(scores({"bleu_1": Value(0.4), "bleu_1_k5_gamma": Value(0.6), "mr": Value(3)}))
    [('bleu_1', 1, ''), ('bleu_1', 5, '_gamma')]
    """
    found: dict[Key, T] = {}
    for name, value in values.items():
        matched = _NAME.fullmatch(name)
        if matched is not None:
            what = matched["what"] or ""
            k = 0 if what in _BOUNDS else int(matched["k"] or 1)
            found[matched["metric"], k, what] = value
    return found


def by_metric(result: Result) -> tuple[Table, ...]:
    """A table for each k, and one of the bounds; none where nothing was generated."""
    found = scores(result.values)
    metrics = tuple(dict.fromkeys(metric for metric, _, _ in found))
    counts = sorted({k for _, k, _ in found if k})
    tables = [_of_k(result, found, metrics, k) for k in counts]
    if any(k == 0 for _, k, _ in found):
        tables.append(_of_bounds(result, found, metrics))
    return tuple(tables)


def rest(result: Result) -> Result:
    """The result without its scores, which `by_metric` shows."""
    values = {name: value for name, value in result.values.items() if not _NAME.fullmatch(name)}
    return Result(result.evaluation, result.options, values, result.notes)


def _of_k(result: Result, found: Found, metrics: tuple[str, ...], k: int) -> Table:
    rows = []
    for metric in metrics:
        mu = found.get((metric, k, ""))
        if mu is None:
            continue
        within, gamma = (found.get((metric, k, what)) for what in ("_sigma_within", "_gamma"))
        cells = (_cell(mu), span(mu, _DIGITS), number(mu.std, digits=_DIGITS))
        more = (
            ()
            if k == 1
            else (_cell(within), _cell(gamma), "-" if gamma is None else span(gamma, _DIGITS))
        )
        rows.append((f"{metric} {CLAIM[mu.higher_is_better]}".strip(), *cells, *more, str(mu.n)))
    columns: tuple[str, ...] = ("", "mu", "interval", "sigma", "n")
    if k > 1:
        columns = ("", "mu", "interval", "sigma", "sigma within", "gamma", "interval", "n")
    title = f"{result.evaluation}, k = {k}, {_how(result)}"
    return Table(title, columns, tuple(rows), signature=result.signature)


def _of_bounds(result: Result, found: Found, metrics: tuple[str, ...]) -> Table:
    rows = []
    for metric in metrics:
        values = [found.get((metric, 0, what)) for what in _BOUNDS]
        cells = [
            cell for value in values for cell in (_cell(value), span(value or Value(None), _DIGITS))
        ]
        rows.append((metric, *cells))
    columns = ("", "A_gt", "interval", "Gamma, mu", "interval", "Gamma, gamma", "interval")
    title = f"{result.evaluation}, bounds, {_how(result)}"
    return Table(title, columns, tuple(rows), signature=result.signature)


def _how(result: Result) -> str:
    references = str(result.options.get("references")).partition(" sha256:")[0]
    return f"{references}, profile {result.options.get('profile')}"


def _cell(value: Value | None) -> str:
    return number(None if value is None else value.value, digits=_DIGITS)
