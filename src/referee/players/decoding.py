"""How an answerer is asked to choose among the answers it could give."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from referee.errors import UsageError


class Decode(Struct, frozen=True):
    """`sample` draws, `greedy` takes the likeliest, `beam` keeps the `width` likeliest beside one another."""

    kind: Literal["sample", "greedy", "beam"]
    width: int = 1


def decode(text: str) -> Decode:
    """What a user writes: sample, greedy, or beam and its width.

    >>> decode("beam:5")
    Decode(kind='beam', width=5)
    """
    kind, colon, width = text.partition(":")
    if not colon and kind in {"sample", "greedy"}:
        return Decode("sample" if kind == "sample" else "greedy")
    if kind == "beam" and width.isascii() and width.isdigit() and int(width):
        return Decode("beam", int(width))
    raise UsageError(f"'{text}' is no way to decode: write sample, greedy, or beam:5")
