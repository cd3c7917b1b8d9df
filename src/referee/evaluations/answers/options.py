"""What can be chosen of the `answers` evaluation, and what a choice comes to."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from referee.errors import UsageError
from referee.evaluations.answers.references import References
from referee.metrics import ranking

Variant = Literal["paper", "code"]

COUNTS = (1, 5, 10, 15)
"""The numbers of generations of the paper's Tables 6 and 7."""

PROFILES: dict[str, str] = {"paper": "paper", "code": "released"}
"""The tokenisation that a variant sets."""


class Options(Struct, frozen=True):
    """How ranks and generated answers are judged.

    An empty text leaves the choice to the data: `k` to the paper's numbers of generations, as far as
    there are so many, `metrics` to all whose packages are installed, `profile` to the variant.
    """

    ties: ranking.Ties = "stable"
    references: References | None = None
    k: str = ""
    metrics: str = ""
    embedders: str = ""
    profile: str = ""
    variant: Variant = "paper"
    meta: bool = False


def check(options: Options) -> None:
    """Refuses choices that there are not."""
    for name, choice, known in (
        ("ties", options.ties, get_args(ranking.Ties)),
        ("variant", options.variant, get_args(Variant)),
    ):
        if choice not in known:
            raise UsageError(f"{name} must be one of {', '.join(known)}; not '{choice}'")


def profile_of(options: Options) -> str:
    """The tokenisation profile: the one named, or the variant's."""
    return options.profile or PROFILES[options.variant]


def counts_of(options: Options, most: int) -> tuple[int, ...]:
    """The numbers of generations to judge, where no round has more than `most`."""
    if not options.k:
        return tuple(count for count in COUNTS if count <= max(most, 1))
    try:
        wanted = tuple(sorted({int(part) for part in options.k.split(",")}))
    except ValueError:
        raise UsageError(f"k must be numbers, as in 1,5,10; not '{options.k}'") from None
    if wanted[0] < 1:
        raise UsageError(f"k must be at least 1, not {wanted[0]}")
    if wanted[-1] > max(most, 1):
        raise UsageError(f"k is {wanted[-1]}, and no round has more than {most} generations")
    return wanted


def listed(text: str) -> tuple[str, ...]:
    """The names in a list separated by commas.

    >>> listed("cider, bleu,cider")
    ('cider', 'bleu')
    """
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
