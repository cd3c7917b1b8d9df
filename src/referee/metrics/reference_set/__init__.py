"""Reference sets: which candidates the answers of a dialogue leave, and what each question tells."""

from referee.metrics.reference_set.correcting import (
    Corrected,
    confusion,
    corrected,
    extrapolated,
)
from referee.metrics.reference_set.information import Information, information
from referee.metrics.reference_set.redundancy import paraphrases, redundancies
from referee.metrics.reference_set.sets import (
    NO,
    NOT_APPLICABLE,
    YES,
    ReferenceSets,
    means_by_game,
    reference_sets,
)

__all__ = [
    "NO",
    "NOT_APPLICABLE",
    "YES",
    "Corrected",
    "Information",
    "ReferenceSets",
    "confusion",
    "corrected",
    "extrapolated",
    "information",
    "means_by_game",
    "paraphrases",
    "redundancies",
    "reference_sets",
]
