"""How labels are made, and what can become of a question."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from referee.errors import UsageError
from referee.metrics.belief.labels import AllZero, Combine
from referee.metrics.belief.rules import PAPER, RULES, Thresholds

Status: TypeAlias = Literal[
    "labelled", "not covered", "N/A", "people differ", "nothing known", "nothing fits"
]
STATUSES: tuple[Status, ...] = get_args(Status)
LABELLED, NOT_COVERED, NOT_APPLICABLE, DIFFER, UNKNOWN, NOTHING_FITS = range(len(STATUSES))


class How(Struct, frozen=True):
    """Which rules vote, how their counts become a distribution, and what becomes of all zeros."""

    rules: tuple[str, ...] = ("R1", "R2", "R3")
    combine: Combine = "normalise"
    all_zero: AllZero = "unlabelled"
    thresholds: Thresholds = PAPER

    def __post_init__(self) -> None:
        """There is no other rule, and none votes twice."""
        known = ", ".join(RULES)
        if not self.rules or any(rule not in RULES for rule in self.rules):
            raise UsageError(f"rules are some of {known}; not '{','.join(self.rules)}'")
        if len(set(self.rules)) < len(self.rules):
            raise UsageError(f"a rule votes once; not '{','.join(self.rules)}'")
