"""What a question asks about: keyword types, coarse types, kinds of location questions."""

from referee.metrics.question_types.classifying import (
    GROUPINGS,
    TYPES,
    Coarse,
    Grouping,
    coarse_type,
    question_types,
)
from referee.metrics.question_types.keywords import Keywords, keywords
from referee.metrics.question_types.location import (
    SUBTYPES,
    is_order,
    is_plainly_absolute,
    location_subtype,
)
from referee.metrics.question_types.words import words

__all__ = [
    "GROUPINGS",
    "SUBTYPES",
    "TYPES",
    "Coarse",
    "Grouping",
    "Keywords",
    "coarse_type",
    "is_order",
    "is_plainly_absolute",
    "keywords",
    "location_subtype",
    "question_types",
    "words",
]
