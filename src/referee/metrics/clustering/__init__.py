"""Clusters of numbers on a line: the candidate answers of a round, by one correlation each.

On a line every cluster is an interval, so that a cluster is told by a band [low, high): the values v
with low <= v < high. All functions take many rounds at once and give the band of each that holds an
anchor, such as the best value of the round.
"""

from referee.metrics.clustering.correlated import Method, Pairing, correlated_sets
from referee.metrics.clustering.correlations import round_correlations
from referee.metrics.clustering.mean_shift import mean_shift_bands
from referee.metrics.clustering.sigma import sigma_bands
from referee.metrics.clustering.ward import ward_bands

__all__ = [
    "Method",
    "Pairing",
    "correlated_sets",
    "mean_shift_bands",
    "round_correlations",
    "sigma_bands",
    "ward_bands",
]
