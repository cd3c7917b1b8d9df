"""Where the human answer, and all relevant ones, stand among a round's options (sections 2.1 and B)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError
from referee.evaluations.measures import PERCENT, Measure
from referee.evaluations.result import Row, finite
from referee.games import Reply, Round, Transcript, VisDial
from referee.metrics import ranking

RECALLS = (1, 5, 10)

_Entry: TypeAlias = tuple[Row, Round, Sequence[float]]


MEASURES = (
    Measure("mr", "rank", table="turns", higher_is_better=False),
    Measure("mrr", "reciprocal_rank", table="turns", higher_is_better=True),
    *(
        Measure(f"r_at_{k}", f"within_{k}", "turns", PERCENT, higher_is_better=True)
        for k in RECALLS
    ),
    Measure("median_rank", "rank", "turns", higher_is_better=False, statistic="median"),
    Measure("ndcg", "ndcg", table="turns", higher_is_better=True),
)
"""The values of the ranking metrics, over rounds."""


class Ranked:
    """The rounds that have options and a ground truth; `ndcg` stands in those whose relevance is known."""

    def __init__(self) -> None:
        self._rounds: list[_Entry] = []

    def add(self, game: VisDial, transcript: Transcript) -> int:
        """Adds the rounds of a dialogue and says how many of them have scores."""
        found = list(_rounds(game, transcript))
        self._rounds += found
        return sum(bool(scores) for _, _, scores in found)

    def rows(self, ties: ranking.Ties) -> list[Row]:
        """One row a round; one without scores has failed."""
        _rank([entry for entry in self._rounds if entry[2]], ties)
        return [row for row, _, _ in self._rounds]

    def notes(self) -> list[str]:
        """What to say of rounds without scores or without a relevant option."""
        found: list[str] = []
        unscored = sum(not scores for _, _, scores in self._rounds)
        if unscored:
            found.append(f"{unscored} of {len(self._rounds)} rounds have no scores (n_failed)")
        rows = (row for row, _, _ in self._rounds)
        flat = sum(row.get("ndcg", 0.0) is None and row["rank"] is not None for row in rows)
        if flat:
            found.append(f"{flat} rounds have no relevant option: their ndcg is undefined")
        return found


def _rounds(game: VisDial, transcript: Transcript) -> Iterator[_Entry]:
    replies = [event for event in transcript.events if isinstance(event, Reply)]
    for number, asked in enumerate(game.rounds):
        if asked.gt_index is None or not asked.options:
            continue
        scores = replies[number].scores if number < len(replies) else ()
        _check(game, number, asked, scores)
        row: Row = {"game": game.id, "image": game.image, "turn": number + 1}
        row["question"] = asked.question
        row |= dict.fromkeys(("rank", "reciprocal_rank", *(f"within_{k}" for k in RECALLS)))
        if asked.relevance is not None:
            row["ndcg"] = None
        yield row, asked, scores


def _check(game: VisDial, number: int, asked: Round, scores: Sequence[float]) -> None:
    options, target, relevance = len(asked.options), asked.gt_index, asked.relevance
    where = f"{game.id}, round {number + 1}"
    if target is not None and not 0 <= target < options:
        raise DataError(
            f"is {target}", record=where, field="gt_index", expected=f"0 to {options - 1}"
        )
    if scores and len(scores) != options:
        raise DataError(f"holds {len(scores)} scores", record=where, expected=f"{options}")
    if scores and not np.isfinite(scores).all():
        raise DataError("holds a score that is not finite", record=where, field="scores")
    if relevance is not None and len(relevance) != options:
        raise DataError(
            f"holds {len(relevance)} numbers",
            record=where,
            field="relevance",
            expected=f"{options}",
        )


def _rank(rounds: Sequence[_Entry], ties: ranking.Ties) -> None:
    """Fills the rows; rounds with the same number of options are ranked at once."""
    by_width: dict[int, list[_Entry]] = {}
    for entry in rounds:
        by_width.setdefault(len(entry[2]), []).append(entry)
    for group in by_width.values():
        scores = np.array([entry[2] for entry in group], dtype=np.float64)
        target = np.array([entry[1].gt_index for entry in group], dtype=np.int64)
        first, last = ranking.target_places(scores, target, ties)
        columns = {
            "rank": ranking.mean_ranks(first, last),
            "reciprocal_rank": ranking.reciprocal_ranks(first, last),
            **{f"within_{k}": ranking.recalls(first, last, k) for k in RECALLS},
        }
        for place, (row, _, _) in enumerate(group):
            row |= {name: float(values[place]) for name, values in columns.items()}
        _fill_ndcg(group, scores, ties)


def _fill_ndcg(
    group: Sequence[_Entry],
    scores: NDArray[np.float64],
    ties: ranking.Ties,
) -> None:
    dense = [place for place, entry in enumerate(group) if entry[1].relevance is not None]
    if not dense:
        return
    relevance = np.array([group[place][1].relevance for place in dense], dtype=np.float64)
    values = ranking.ndcg(scores[dense], relevance, ties)
    for place, value in zip(dense, values, strict=True):
        group[place][0]["ndcg"] = finite(value)
