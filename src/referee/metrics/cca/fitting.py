"""The eigenproblem of CCA, in double precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.metrics.cca.covariance import Moments

Floats = NDArray[np.float64]

FLOOR = 10.0
"""Directions of a view in which it varies less than this times the precision, relative to its largest
variance, are taken for directions in which it does not vary."""


@dataclass(frozen=True, eq=False)
class Fit:
    """CCA of some views: `weights` [d_v, k] and `means` [d_v] of each, and `eigenvalues` [k], falling.

    An eigenvalue is 1 + the canonical correlation where there are two views.
    """

    weights: tuple[Floats, ...]
    eigenvalues: Floats
    means: tuple[Floats, ...]
    power: float = 1.0

    def project(self, view: int, embeddings: NDArray[np.floating]) -> Floats:
        """The centred projections of some embeddings of a view, [n, k].

            psi(x) = (x - mean) W diag(lambda^p)

        >>> fitted = Fit((np.array([[0.5]]), np.array([[0.5]])), np.array([2.0]), (np.ones(1),) * 2)
        >>> fitted.project(0, np.array([[3.0]])).tolist()
        [[2.0]]
        """
        centred = np.asarray(embeddings, np.float64) - self.means[view]
        return self.uncentred(view, centred)

    def uncentred(self, view: int, embeddings: NDArray[np.floating]) -> Floats:
        """The projections of some embeddings as they are, [n, k]: phi(x) = x W diag(lambda^p)."""
        result: Floats = np.asarray(embeddings, np.float64) @ self.matrix(view)
        return result

    def matrix(self, view: int) -> Floats:
        """W diag(lambda^p) of a view, [d_v, k]."""
        result: Floats = self.weights[view] * self.eigenvalues**self.power
        return result


def fit(moments: Moments, k: int = 300, power: float = 1.0, epsilon: float = 1e-12) -> Fit:
    """The k leading solutions v of A v = lambda B v, fewer where the views do not have so many.

    A is the covariance of all views, B its blocks within the views, both with `epsilon` added to the
    diagonal. A solution is scaled so that it has the Euclidean length 1 over all views together, which
    is how the published models use it (cosines between projections depend on it). With two views they
    come from the singular values of C_11^(-1/2) C_12 C_22^(-1/2), lambda = 1 + S; with more, from the
    eigenvalues of B^(-1/2) A B^(-1/2). A direction in which a view does not vary is left out.

    >>> found = fit(Moments(9, (np.zeros(1),) * 2, np.array([[4.0, 1.0], [1.0, 1.0]]), 1e-16))
    >>> found.eigenvalues.round(6).tolist(), [w.round(4).tolist() for w in found.weights]
    ([1.5], [[[0.4472]], [[0.8944]]])
    """
    if k < 1:
        raise ValueError(f"{k} directions: at least 1")
    spans = moments.spans
    joint = moments.covariance + epsilon * np.eye(len(moments.covariance))
    floor = FLOOR * moments.precision
    whiteners = [_inverse_root(joint[span, span], floor, epsilon) for span in spans]
    if len(spans) == 2:  # noqa: PLR2004 two views
        first, second = spans
        cross = whiteners[0].T @ joint[first, second] @ whiteners[1]
        left, singular, right = np.linalg.svd(cross, full_matrices=False)
        eigenvalues = 1 + singular[:k]
        parts = [whiteners[0] @ left[:, :k], whiteners[1] @ right[:k].T]
    else:
        eigenvalues, parts = _general(joint, spans, whiteners, k)
    lengths = np.sqrt(sum((part**2).sum(axis=0) for part in parts))
    signs = _signs(parts[0])
    weights = tuple(part * (signs / lengths) for part in parts)
    return Fit(weights, eigenvalues, moments.means, power)


def _general(
    joint: Floats, spans: tuple[slice, ...], whiteners: list[Floats], k: int
) -> tuple[Floats, list[Floats]]:
    whitened = np.block(
        [
            [
                one.T @ joint[rows, columns] @ two
                for columns, two in zip(spans, whiteners, strict=True)
            ]
            for rows, one in zip(spans, whiteners, strict=True)
        ]
    )
    values, vectors = np.linalg.eigh((whitened + whitened.T) / 2)
    order = np.argsort(-values, kind="stable")[:k]
    ends = np.cumsum([whitener.shape[1] for whitener in whiteners])[:-1]
    split = np.split(vectors[:, order], ends)
    return values[order], [whitener @ part for whitener, part in zip(whiteners, split, strict=True)]


def _inverse_root(within: Floats, floor: float, epsilon: float) -> Floats:
    """A matrix R [d, rank] with R' C R = 1 on the directions in which the view varies."""
    values, vectors = np.linalg.eigh(within)
    kept = values > floor * values[-1] + 2 * epsilon
    result: Floats = vectors[:, kept] / np.sqrt(values[kept])
    return result


def _signs(part: Floats) -> Floats:
    """Solutions have no sign of their own: the largest weight of the first view is made positive."""
    largest = np.abs(part).argmax(axis=0)
    result: Floats = np.where(part[largest, np.arange(part.shape[1])] < 0, -1.0, 1.0)
    return result
