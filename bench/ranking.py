"""Ranks, their metrics, and NDCG over the rounds of VisDial's validation split, beside what people run.

The rivals for the ranks sort one row after the other in torch, and, as the challenge's starter code
does, fill the rank matrix in a nested loop over tensors (measured on a slice and scaled). NDCG's rival
is scikit-learn, which has one cut for all rows: rounds with the same number of relevant options are
given to it together, the fewest calls in which it computes the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import ndcg_score

from referee.metrics import ranking
from timing import least_seconds

ROUNDS, OPTIONS = 20_640, 100
SLICE = 200
RECALLS = (1, 5, 10)
REPEATS = 40

Values = NDArray[np.float64]
Names = dict[str, float]


def _ours(scores: NDArray[np.float32], targets: NDArray[np.int64]) -> tuple[Any, Names]:
    ranks = ranking.ranks(scores)
    own = ranks.ravel().take(np.arange(len(ranks)) * OPTIONS + targets).astype(np.int64)
    counts = ranking.histogram(own, own, OPTIONS)
    return ranks, ranking.summary(counts, RECALLS)


def _row_by_row(scores: torch.Tensor, targets: torch.Tensor) -> tuple[Any, Names]:
    places = torch.arange(1, OPTIONS + 1)
    ranks = torch.empty(scores.shape, dtype=torch.int64)
    own = []
    for row, target, into in zip(scores, targets, ranks, strict=True):
        into[torch.sort(row, descending=True).indices] = places
        own.append(int(into[target]))
    rank = torch.tensor(own, dtype=torch.float64)
    found = {f"r_at_{k}": (rank <= k).double().mean().item() for k in RECALLS}
    found |= {"mr": rank.mean().item(), "mrr": rank.reciprocal().mean().item()}
    return ranks, found | {"median_rank": torch.quantile(rank, 0.5).item()}


def _sorted_only(scores: torch.Tensor) -> None:
    for row in scores:
        torch.sort(row, descending=True)


def _nested(scores: torch.Tensor) -> torch.Tensor:
    order = scores.sort(1, descending=True).indices
    ranks = torch.zeros_like(order)
    for row in range(len(order)):
        for place in range(OPTIONS):
            ranks[row][order[row][place]] = place + 1
    return ranks


def case_ranks() -> dict[str, object]:
    """The rank matrix and the rank metrics of 20,640 x 100 scores, over a per-row torch sort."""
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(ROUNDS, OPTIONS)).astype(np.float32)
    targets = generator.integers(0, OPTIONS, ROUNDS)
    tensor, wanted = torch.from_numpy(scores), torch.from_numpy(targets)
    ranks, found = _ours(scores, targets)
    rival_ranks, rival_found = _row_by_row(tensor, wanted)
    # continuous scores may still tie in 32 bits; torch's plain sort leaves the tied as it likes
    tied = np.array([len(set(row)) < OPTIONS for row in scores.tolist()])
    assert np.array_equal(ranks[~tied], rival_ranks.numpy()[~tied])
    assert np.array_equal(ranks[:SLICE][~tied[:SLICE]], _nested(tensor[:SLICE])[~tied[:SLICE]])
    assert found.keys() == rival_found.keys()
    assert all(abs(found[name] - rival_found[name]) < 1e-3 for name in found)  # noqa: PLR2004 the tied
    ours = rival = alone = float("inf")
    for _ in range(4):
        ours = min(ours, least_seconds(lambda: _ours(scores, targets), REPEATS))
        rival = min(rival, least_seconds(lambda: _row_by_row(tensor, wanted), 2))
        alone = min(alone, least_seconds(lambda: _sorted_only(tensor), 2))
    nested = least_seconds(lambda: _nested(tensor[:SLICE]), 2) * ROUNDS / SLICE
    return {
        "name": f"ranks and their metrics of {ROUNDS} x {OPTIONS} scores over a per-row torch sort",
        "value": round(rival / ours),
        "bar": 150,
        "unit": "x, at least",
        "passed": rival / ours >= 150,  # noqa: PLR2004 the bar
        "details": {
            "our milliseconds": round(1000 * ours, 2),
            "per-row milliseconds": round(1000 * rival),
            "per-row sort alone, without ranks and metrics, x": round(alone / ours),
            f"challenge starter's nested loop ({SLICE} rows, scaled), x": round(nested / ours),
            "rows with a tie, not compared": int(tied.sum()),
        },
    }


def _relevance(generator: np.random.Generator) -> Values:
    """Relevances in fifths, one to thirty relevant options a round, about as the real rounds have."""
    relevance = generator.integers(1, 6, (ROUNDS, OPTIONS)) / 5
    relevant = np.clip(generator.poisson(12, ROUNDS), 1, 30)
    beyond = generator.permuted(np.tile(np.arange(OPTIONS), (ROUNDS, 1)), axis=1)
    relevance[beyond >= relevant[:, None]] = 0
    return relevance


def _scikit(relevance: Values, scores: Values, *, ignore_ties: bool) -> float:
    cuts = np.count_nonzero(relevance, axis=1)
    total = 0.0
    for k in np.unique(cuts):
        rows = cuts == k
        mean = ndcg_score(relevance[rows], scores[rows], k=int(k), ignore_ties=ignore_ties)
        total += mean * rows.sum()
    return float(total / len(cuts))


def _ndcg(ties: ranking.Ties, bar: float, repeats: int) -> dict[str, object]:
    generator = np.random.default_rng(1)
    relevance = _relevance(generator)
    # as it comes scikit-learn averages over ties, and so it gets some; ignoring them it gets none
    scores = generator.normal(size=relevance.shape)
    scores = scores.round(2) if ties == "expected" else scores
    ignore = ties != "expected"

    def run() -> float:
        return float(ranking.ndcg(scores, relevance, ties).mean())

    assert abs(run() - _scikit(relevance, scores, ignore_ties=ignore)) < 1e-12  # noqa: PLR2004
    ours = rival = float("inf")
    for _ in range(repeats):
        ours = min(ours, least_seconds(run, 25))
        rival = min(rival, least_seconds(lambda: _scikit(relevance, scores, ignore_ties=ignore), 1))
    called = "ignore_ties=True" if ignore else "as it comes"
    return {
        "name": f"NDCG of {ROUNDS} x {OPTIONS} over sklearn.metrics.ndcg_score, {called}",
        "value": round(rival / ours, 1),
        "bar": bar,
        "unit": "x, at least",
        "passed": rival / ours >= bar,
        "details": {
            "our milliseconds": round(1000 * ours, 2),
            "scikit-learn milliseconds": round(1000 * rival),
            "calls of scikit-learn, one a cut": len(np.unique(np.count_nonzero(relevance, axis=1))),
        },
    }


def case_ndcg_as_it_comes() -> dict[str, object]:
    """NDCG averaged over ties, against scikit-learn's default."""
    return _ndcg("expected", 40, 3)


def case_ndcg_ignoring_ties() -> dict[str, object]:
    """NDCG of scores without ties, against scikit-learn's faster way."""
    return _ndcg("stable", 4, 5)
