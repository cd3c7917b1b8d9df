"""How attributes are made: what the paper says, what the published code does, and what neither says."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.errors import UsageError
from referee.metrics.boxes import PAPER, RULES, Thresholds

Variant = Literal["paper", "code"]
Frame = Literal["own", "genome"]
Kinds = Literal["abstract", "all"]
By = Literal["synset", "name"]
Unmapped = Literal["abstract", "location"]
Over = Literal["all", "train"]


class How(Struct, frozen=True):
    """Every choice; the defaults are the paper's."""

    variant: Variant = "paper"
    rule: str = "correct"
    """Where the center of a picture is: its central half, or as the code has it."""
    frame: Frame = "own"
    """Whether a location is that of a thing in its own picture, or by Visual Genome's size and, of a
    mapped thing, by Visual Genome's box."""
    kinds: Kinds = "abstract"
    """Whether VISA's kinds that depend on a picture are left out."""
    concept: By = "synset"
    """How a category finds its concept in VISA: by its synset, or by its name."""
    unmapped: Unmapped = "abstract"
    """What a thing has that no object of Visual Genome is: abstract attributes only, or its location too."""
    iou: float = PAPER.iou
    near: float = PAPER.near
    jaccard: float = PAPER.jaccard
    similarity: float = 0.75
    least_abstract: int = 100
    least_situated: int = 2
    over: Over = "all"
    """Over which things attributes are counted: those of all files, or of the training split."""

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(f"there is no rule {self.rule!r} of locations: {', '.join(RULES)}")
        for name, values in _CHOICES.items():
            if getattr(self, name) not in values:
                raise UsageError(
                    f"{name} is one of {', '.join(values)}, not {getattr(self, name)!r}"
                )
        for name in ("iou", "near", "jaccard", "similarity"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is a number from 0 to 1, not {getattr(self, name)}")
        if min(self.least_abstract, self.least_situated) < 0:
            raise UsageError("an attribute cannot be asked to occur less than no times")

    @property
    def thresholds(self) -> Thresholds:
        """Those of the boxes' mapping."""
        return Thresholds(self.iou, self.near, self.jaccard)


_CHOICES = {
    "variant": get_args(Variant),
    "frame": get_args(Frame),
    "kinds": get_args(Kinds),
    "concept": get_args(By),
    "unmapped": get_args(Unmapped),
    "over": get_args(Over),
}
VARIANTS: dict[str, How] = {
    "paper": How(),
    "code": How(
        variant="code",
        rule="code",
        frame="genome",
        kinds="all",
        concept="name",
        unmapped="location",
    ),
}


def resolve(variant: str, **given: object) -> How:
    """The choices of a variant, with those that are given and not None in their place."""
    if variant not in VARIANTS:
        raise UsageError(f"there is no variant {variant!r}: {', '.join(VARIANTS)}")
    chosen = {name: value for name, value in given.items() if value is not None}
    return replace(VARIANTS[variant], **chosen)
