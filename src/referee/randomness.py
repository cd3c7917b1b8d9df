"""Randomness that depends on names, never on order: one 64-bit key for each (seed, game, turn, seat).

A key is hashed once from its names and then only mixed (splitmix64's finaliser), so that a draw costs
under a microsecond, needs no state, and is the same in any batch, order, executor or resumed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def key(*names: str | int) -> int:
    """The 64-bit key of a tuple of names; ("1", 2) and (1, 2) are the same tuple."""
    text = "\x1f".join(map(str, names))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def mix(key: int, number: int) -> int:
    """The key that a whole number leads to from another key."""
    z = (key + (number + 1) * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK
    return z ^ (z >> 31)


def uniform(key: int) -> float:
    """The key as a number in [0, 1)."""
    return (key >> 11) * 2.0**-53


def mixes(keys: NDArray[np.uint64], numbers: int | NDArray[np.uint64] = 0) -> NDArray[np.uint64]:
    """What `mix(key, number)` gives for each key and its number, or the one number of all, at once."""
    import numpy as np

    many = np.array([numbers], np.uint64) if isinstance(numbers, int) else numbers
    with np.errstate(over="ignore"):
        z: NDArray[np.uint64] = keys + (many + np.uint64(1)) * np.uint64(_GOLDEN)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
    z ^= z >> np.uint64(31)
    return z


def uniforms(keys: NDArray[np.uint64], number: int = 0) -> NDArray[np.float64]:
    """What `uniform(mix(key, number))` gives for each key, at once."""
    import numpy as np

    result: NDArray[np.float64] = (mixes(keys, number) >> np.uint64(11)).astype(np.float64)
    return result * 2.0**-53


class Stream:
    """The draws that follow from one key, one after the other.

    Draw n is `mix(key, n)`, n from 1; the sum that `mix` begins with is kept from draw to draw, and
    its finaliser is written out in each method, since making a world is mostly drawing.
    """

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key + _GOLDEN

    def random(self) -> float:
        """A number in [0, 1)."""
        self._state = z = (self._state + _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * _FIRST) & _MASK
        z = ((z ^ (z >> 27)) * _SECOND) & _MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53

    def below(self, bound: int) -> int:
        """A whole number in [0, bound)."""
        self._state = z = (self._state + _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * _FIRST) & _MASK
        z = ((z ^ (z >> 27)) * _SECOND) & _MASK
        return ((z ^ (z >> 31)) * bound) >> 64

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Distinct items in random order: the first `count` of a shuffle."""
        pool = list(items)
        for place in range(min(count, len(pool))):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]
