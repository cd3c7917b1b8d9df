"""How functions are compiled."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from referee.metrics.text.compiling import compiled, compiled_reordering


def _total(values: Any) -> float:
    result = 0.0
    for value in values:
        result += value
    return result


def test_sums_keep_their_order() -> None:
    """1e16 swallows each 1 in turn; added up by themselves first, they would count."""
    values = np.array([1e16] + [1.0] * 4096 + [-1e16])
    assert compiled(_total)(values) == _total(values) == 0


def test_terms_may_be_added_in_lanes_where_that_is_asked_for() -> None:
    values = np.arange(1000) / 7
    assert compiled_reordering(_total)(values) == pytest.approx(_total(values), rel=1e-14)


def test_where_nothing_can_be_kept_functions_are_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []
    njit = numba.njit

    def without_cache(**options: Any) -> Any:
        asked.append(options.get("cache", False))
        if asked[-1]:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", without_cache)
    assert compiled(_total)(np.arange(4.0)) == 6
    assert asked == [True, False]
