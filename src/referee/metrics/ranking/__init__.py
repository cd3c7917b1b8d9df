"""Rank metrics: where the target stands when candidates are sorted by score, and NDCG.

Scores are [rounds, options], higher is better; NaN is refused. Options may tie; `ties` says where a tied
one stands: `stable` (as a stable sort leaves it: earlier options first), `expected` (the mean over all
orders of the tied), `optimistic` (before them) or `pessimistic` (after them).
"""

from referee.metrics.ranking.chance import random_mean_rank, random_reciprocal_rank
from referee.metrics.ranking.gains import ndcg
from referee.metrics.ranking.ordering import Ties, ranks
from referee.metrics.ranking.targets import (
    histogram,
    mean_ranks,
    recalls,
    reciprocal_ranks,
    summary,
    target_places,
    weighted_median,
)

__all__ = [
    "Ties",
    "histogram",
    "mean_ranks",
    "ndcg",
    "random_mean_rank",
    "random_reciprocal_rank",
    "ranks",
    "recalls",
    "reciprocal_ranks",
    "summary",
    "target_places",
    "weighted_median",
]
