"""Canonical correlation analysis of two or three views, over counted pairs (answers.txt, section 2.2).

Pure functions of arrays: `moments` adds up the covariances of paired rows of embeddings without ever
writing the pairs out, `fit` solves the eigenproblem, `cosines` compares projections.
"""

from __future__ import annotations

from referee.metrics.cca.covariance import Moments, moments
from referee.metrics.cca.fitting import Fit, fit
from referee.metrics.cca.similarity import cosines, nearest, unit

__all__ = ["Fit", "Moments", "cosines", "fit", "moments", "nearest", "unit"]
