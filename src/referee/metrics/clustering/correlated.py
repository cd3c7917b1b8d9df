"""Reference sets from correlations (answers.txt, sections 4.2.2 and D)."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.clustering.mean_shift import mean_shift_bands
from referee.metrics.clustering.sigma import sigma_bands
from referee.metrics.clustering.ward import ward_bands

Method: TypeAlias = Literal["sigma", "meanshift", "agglomerative"]
Pairing: TypeAlias = Literal["gt-rest", "gt-all", "q-gt", "q-max"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def correlated_sets(
    correlations: Floats,
    gt_index: NDArray[np.integer],
    method: Method,
    pairing: Pairing = "gt-rest",
    clusters: int = 5,
) -> Flags:
    """Which options are in the reference set of each round, as a mask.

    The correlations are with the ground truth (the pairings `gt-…`) or with the question (`q-…`):

    - `gt-rest`, the paper's (A_gt, A without A_gt): the best cluster of the other options, and the
      ground truth;
    - `gt-all`, (A_gt, A): the best cluster of all options, in which the ground truth is with its 1;
    - `q-gt`, (Q, A)_gt: the cluster of all options that holds the ground truth;
    - `q-max`, (Q, A)_max: the cluster of all options that holds the best.

    Sigma has one band and no clusters: in `q-gt` its upper end is the ground truth's correlation c in
    place of the best one, and whatever is better belongs to it too, so that it is [c - sigma, C_max].

    Shapes: `correlations` [rounds, options], finite; `gt_index` [rounds]; result [rounds, options].

        >>> correlations = np.array([[1.0, 0.2, 0.8, 0.1, 0.75]])
        >>> correlated_sets(correlations, np.array([0]), "sigma").astype(int).tolist()
        [[1, 0, 1, 0, 1]]
        >>> correlated_sets(correlations, np.array([0]), "sigma", "gt-all").astype(int).tolist()
        [[1, 0, 1, 0, 1]]
        >>> correlated_sets(correlations, np.array([1]), "agglomerative", "q-gt", 3).tolist()
        [[False, True, False, True, False]]
    """
    rounds, options = correlations.shape
    _check(correlations, gt_index, options)
    rows = np.arange(rounds)
    if pairing == "gt-rest":
        others = np.ones((rounds, options), dtype=np.bool_)
        others[rows, gt_index] = False
        values = correlations[others].reshape(rounds, options - 1)
        low, high = _bands(values, values.max(axis=1), method, clusters)
    elif pairing == "q-gt":
        low, high = _bands(correlations, correlations[rows, gt_index], method, clusters)
    elif pairing in {"gt-all", "q-max"}:
        low, high = _bands(correlations, correlations.max(axis=1), method, clusters)
    else:
        raise UsageError(f"pairing must be gt-rest, gt-all, q-gt or q-max; not '{pairing}'")
    inside: Flags = (correlations >= low[:, None]) & (correlations < high[:, None])
    if pairing.startswith("gt"):
        inside[rows, gt_index] = True
    return inside


def _check(correlations: Floats, gt_index: NDArray[np.integer], options: int) -> None:
    if options < 3:  # noqa: PLR2004 (two others have a standard deviation)
        raise UsageError(f"a round needs at least three options, not {options}")
    if len(gt_index) != len(correlations):
        raise UsageError(f"{len(gt_index)} ground truths for {len(correlations)} rounds")
    if not ((gt_index >= 0) & (gt_index < options)).all():
        raise UsageError(f"a gt_index is not one of 0 to {options - 1}")
    if not np.isfinite(correlations).all():
        raise UsageError("a correlation is not a finite number")


def _bands(values: Floats, anchors: Floats, method: Method, clusters: int) -> tuple[Floats, Floats]:
    if method == "sigma":
        return sigma_bands(values, anchors)
    if method == "meanshift":
        return mean_shift_bands(values, anchors)
    if method == "agglomerative":
        return ward_bands(values, anchors, clusters)
    raise UsageError(f"method must be sigma, meanshift or agglomerative; not '{method}'")
