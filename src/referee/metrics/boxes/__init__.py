"""Boxes as arrays: the same things in two versions of a picture, and where in a picture they are.

A box is a row of x, y, width and height in pixels, y growing downwards.
"""

from referee.metrics.boxes.locations import CODE, CORRECT, LOCATIONS, RULES, locations
from referee.metrics.boxes.mapping import (
    BY_IOU,
    BY_NAME,
    PAPER,
    UNMAPPED,
    Mapping,
    Side,
    Thresholds,
    Tokens,
    map_boxes,
    scaled,
    tokens,
)

__all__ = [
    "BY_IOU",
    "BY_NAME",
    "CODE",
    "CORRECT",
    "LOCATIONS",
    "PAPER",
    "RULES",
    "UNMAPPED",
    "Mapping",
    "Side",
    "Thresholds",
    "Tokens",
    "locations",
    "map_boxes",
    "scaled",
    "tokens",
]
