"""The one way in which functions of this package are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Compiled = TypeVar("Compiled", bound=Callable[..., Any])


def compiled(function: Compiled) -> Compiled:
    """The function as machine code, kept on disk, run outside the interpreter lock.

    Sums keep their order, so that a score does not depend on the machine's vector width.
    """
    return _compiled(function, fastmath=False)


def compiled_reordering(function: Compiled) -> Compiled:
    """The same for long sums of floats, whose terms may be added in lanes; a sum's length fixes its order."""
    return _compiled(function, fastmath={"reassoc", "contract"})


def _compiled(function: Compiled, *, fastmath: bool | set[str]) -> Compiled:
    try:
        result = numba.njit(cache=True, nogil=True, fastmath=fastmath)(function)
    except RuntimeError:  # where no folder can be written to, each process compiles anew
        result = numba.njit(nogil=True, fastmath=fastmath)(function)
    return cast("Compiled", result)
