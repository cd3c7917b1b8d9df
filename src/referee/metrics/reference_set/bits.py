"""The processor's own counting of bits, which numba does not offer by name."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


def _ones(_context: Any, _mask: Any) -> Any:
    """How many bits of a 64-bit mask are set."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _trailing_zeros(_context: Any, _mask: Any) -> Any:
    """The place of the lowest bit that is set; 64 where none is."""

    def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

    return types.uint64(types.uint64), generate


ones: Any = intrinsic(_ones)
trailing_zeros: Any = intrinsic(_trailing_zeros)
