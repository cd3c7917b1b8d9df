"""Reference sets: which candidates the answers of a dialogue leave, and what each question tells."""

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
    "ReferenceSets",
    "means_by_game",
    "reference_sets",
]
