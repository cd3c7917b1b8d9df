"""The columns behind the values: a row a game, a row a turn, as arrays and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels.targets import UNIONS
from referee.evaluations.belief.held import Beliefs, Held
from referee.evaluations.belief.labelled import Labelled
from referee.evaluations.belief.options import Options, Settled
from referee.evaluations.result import Cell, Row
from referee.metrics.belief import calibration, litmus
from referee.metrics.belief.bayes import BayesGap
from referee.metrics.belief.ragged import Counts, Floats, cells

CQ = ("category", "object")
"""The paper's category questions are Referee's category and object questions together."""


@dataclass(frozen=True)
class How:
    """The options as given and as resolved."""

    given: Options
    settled: Settled


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length: numbers (NaN: none), flags, texts; `failed` rows should have counted."""

    columns: dict[str, NDArray[Any]]
    failed: NDArray[np.bool_]
    moments: Floats = field(default_factory=lambda: np.empty((0, 6)))
    """Of the games' first turns, what correlations are made of (`litmus.moments`); NaN of no label."""

    def rows(self) -> list[Row]:
        """The columns as rows."""
        names = tuple(self.columns)
        lists = [_plain(column) for column in self.columns.values()]
        return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


@dataclass(frozen=True, eq=False)
class Tables:
    """Games and turns, of which game each turn is, and up to which turn values are given by turn."""

    games: Table
    turns: Table
    games_of_turns: Counts
    by_turn: int


def counts(numbers: Iterable[int]) -> Counts:
    """Whole numbers as an array."""
    return np.fromiter(numbers, dtype=np.int64)


def tables(
    held: Sequence[Held], beliefs: Beliefs, labelled: Labelled, how: How, gap: BayesGap | None
) -> Tables:
    """All columns; the games that cannot be judged have failed."""
    games = _games(held, beliefs, labelled, how)
    places = np.flatnonzero([each.judgeable for each in held])[beliefs.games]
    return Tables(games, _turns(beliefs, gap, games, places), places, how.given.turns)


def _games(held: Sequence[Held], beliefs: Beliefs, labelled: Labelled, how: How) -> Table:
    able = np.array([each.judgeable for each in held], dtype=np.bool_)
    # A game that ended before its first answer has no first turn to be judged.
    begun = able & np.array([bool(each.turns) for each in held], dtype=np.bool_)
    first = _first_turns(beliefs, labelled, how)
    success = np.array([_success(each) for each in held], dtype=np.float64)
    columns: dict[str, NDArray[Any]] = {
        "game": _texts(each.game.id for each in held),
        "image": _texts(each.game.image for each in held),
        "target": _texts(each.game.target for each in held),
        "status": _texts(each.status for each in held),
        "guess": _texts(each.guess for each in held),
        "success": success,
        "n_questions": counts(len(each.turns) for each in held),
        "question": _texts(each.turns[0].question if each.turns else None for each in held),
        "answer": _texts(each.turns[0].answer if each.turns else None for each in held),
    }
    lost = np.zeros(len(held), dtype=np.bool_)
    for name, values in first.items():
        blank: Any = "" if values.dtype.kind == "U" else False if values.dtype == bool else np.nan
        whole = np.full(len(held), blank, dtype=values.dtype)
        whole[begun] = values
        columns[name] = whole
    moments = np.full((len(held), 6), np.nan)
    opening = beliefs.first
    lost[begun] = ~beliefs.known[opening]
    moments[begun] = _moments(beliefs, labelled, how)
    return Table(columns, ~able | lost, moments)


def _litmus(beliefs: Beliefs, how: How) -> tuple[Floats, Counts]:
    """What the litmus test judges of the first turns: the cells, and the candidates of each."""
    opening = beliefs.first
    widths = beliefs.widths[opening]
    held = beliefs.probabilities[cells(opening, beliefs.widths)]
    if how.settled.slots:
        kept = 1 - np.nan_to_num(beliefs.leaked[opening], nan=0.0)
        held = litmus.scaled(held, kept, widths)
    return held, widths


def _moments(beliefs: Beliefs, labelled: Labelled, how: How) -> Floats:
    held, widths = _litmus(beliefs, how)
    return litmus.moments(held, labelled.probabilities, widths)


def _first_turns(beliefs: Beliefs, labelled: Labelled, how: How) -> dict[str, NDArray[Any]]:
    """The columns of first turns, a row for each game that has one."""
    held, widths = _litmus(beliefs, how)
    known = beliefs.known[beliefs.first] & labelled.labelled
    reference, types = labelled.reference, labelled.types
    least = litmus.least_in_reference(held, reference, widths)
    greatest = litmus.greatest_in_complement(held, reference, widths)

    def where(values: Any) -> Floats:
        return np.where(known, values, np.nan)

    return {
        "type": types,
        "cq": np.isin(types, CQ),
        "r": litmus.r(_moments(beliefs, labelled, how)),
        "grounded_rs": where(least > how.given.theta_rs),
        "grounded_cs": where(greatest < how.given.theta_cs),
        "complement_probability": where(litmus.complement_probability(held, reference, widths)),
        "least_in_reference": where(least),
        "greatest_in_complement": where(greatest),
        **{f"rule_{name}": labelled.right[name] for name in UNIONS},
    }


def _turns(beliefs: Beliefs, gap: BayesGap | None, games: Table, places: Counts) -> Table:
    held, widths, targets = beliefs.probabilities, beliefs.widths, beliefs.targets
    confident, correct = calibration.confidence(held, widths, targets)
    correct[~beliefs.known] = np.nan
    columns: dict[str, NDArray[Any]] = {
        "game": games.columns["game"][places],
        "image": games.columns["image"][places],
        "turn": beliefs.numbers,
        "question": _texts([turn.question for each in beliefs.held for turn in each.turns]),
        "answer": _texts([turn.answer for each in beliefs.held for turn in each.turns]),
        "source": _texts(beliefs.sources),
        "nll": calibration.nll(held, widths, targets),
        "brier": calibration.brier(held, widths, targets),
        "confidence": confident,
        "correct": correct,
        "entropy": calibration.entropy(held, widths),
        "leaked_mass": beliefs.leaked,
    }
    if gap is not None:
        columns |= {
            "bayes_gap": gap.gap,
            "bayes_ignored": gap.ignored,
            "bayes_invented": gap.invented,
        }
    return Table(columns, ~beliefs.known)


def _success(held: Held) -> float:
    known = held.judgeable and held.status
    return float(held.status == "success") if known else np.nan


def _texts(texts: Iterable[str | None]) -> NDArray[Any]:
    return np.array([text or None for text in texts], dtype=object)


def _plain(column: NDArray[Any]) -> list[Cell]:
    """Plain cells; what is no number, and an infinite one, is None."""
    cells_of: list[Cell] = column.tolist()
    if column.dtype.kind != "f" or np.isfinite(column).all():
        return cells_of
    return [
        cell if fine else None for cell, fine in zip(cells_of, np.isfinite(column), strict=True)
    ]
