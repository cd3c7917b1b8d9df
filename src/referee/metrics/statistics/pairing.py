"""Which rows of two runs belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError

_EXAMPLES = 2


def pair(keys_a: Sequence[Hashable], keys_b: Sequence[Hashable]) -> NDArray[np.intp]:
    """Positions in run B of run A's games, in A's order; refused when the games differ.

    Args:
        keys_a: the key of each of A's rows, each key once, shape (n,).
        keys_b: the key of each of B's rows, each key once, in any order, shape (n,).

    Returns:
        `order` with `keys_b[order[i]] == keys_a[i]`, shape (n,): `values_b[order]` lines up with
        `values_a`.

    Raises:
        UsageError: when a key occurs in one run only, or twice in a run. It says how many, and names
            two of each.

    Examples:
        >>> pair(["g1", "g2", "g3"], ["g3", "g1", "g2"]).tolist()
        [1, 2, 0]
        >>> pair(["g1", "g2"], ["g2", "g4"])
        Traceback (most recent call last):
        ...
        referee.errors.UsageError: the runs cannot be paired: 1 only in A ('g1'); 1 only in B ('g4')
    """
    try:
        places = {key: place for place, key in enumerate(keys_b)}
        known = set(keys_a)
    except TypeError as error:
        raise UsageError(f"the runs cannot be paired: keys must be names: {error}") from error
    differences = [
        ("only in A", [key for key in dict.fromkeys(keys_a) if key not in places]),
        ("only in B", [key for key in places if key not in known]),
        ("more than once in A", _repeated(keys_a)),
        ("more than once in B", _repeated(keys_b)),
    ]
    told = [_told(where, keys) for where, keys in differences if keys]
    if told:
        raise UsageError(f"the runs cannot be paired: {'; '.join(told)}")
    return np.fromiter((places[key] for key in keys_a), dtype=np.intp, count=len(keys_a))


def _repeated(keys: Sequence[Hashable]) -> list[Hashable]:
    return [key for key, count in Counter(keys).items() if count > 1]


def _told(where: str, keys: list[Hashable]) -> str:
    examples = ", ".join(repr(key) for key in keys[:_EXAMPLES])
    return f"{len(keys)} {where} ({examples}{', …' if len(keys) > _EXAMPLES else ''})"
