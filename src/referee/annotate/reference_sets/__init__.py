"""The sets of answers that are right: from people's relevances, or from a CCA (answers.txt, 4.2)."""

from __future__ import annotations

from referee.annotate.reference_sets.built import Counts, human_set, reference_set
from referee.annotate.reference_sets.correlated import How, correlated, human
from referee.annotate.reference_sets.projections import Projections, Projects

__all__ = [
    "Counts",
    "How",
    "Projections",
    "Projects",
    "correlated",
    "human",
    "human_set",
    "reference_set",
]
