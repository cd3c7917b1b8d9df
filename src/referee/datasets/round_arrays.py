"""Rounds as arrays with their keys: what the ranking metrics compute on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.games.model import VisDial


@dataclass(frozen=True, eq=False)
class Keyed:
    """Rows of an array [rows, columns], each about one round."""

    keys: tuple[RoundKey, ...]
    values: NDArray[Any]

    @cached_property
    def places(self) -> dict[RoundKey, int]:
        """The row of each round."""
        return {key: place for place, key in enumerate(self.keys)}

    def at(self, keys: Iterable[RoundKey]) -> NDArray[Any]:
        """The rows of these rounds, in this order."""
        try:
            return self.values[[self.places[key] for key in keys]]
        except KeyError as error:
            raise DataError("there is no row for this round", record=str(error.args[0])) from None


def keyed(pairs: Iterable[tuple[RoundKey, Sequence[float]]], dtype: type[np.generic]) -> Keyed:
    """The rows as one array; all must be equally long."""
    found = list(pairs)
    width = len(found[0][1]) if found else 0
    for key, values in found:
        if len(values) != width:
            raise DataError(
                f"has {len(values)} values", record=str(key), expected=f"{width}, as the first row"
            )
    array = np.array([values for _, values in found], dtype=dtype).reshape(len(found), width)
    return Keyed(tuple(key for key, _ in found), array)


@dataclass(frozen=True, eq=False)
class RoundArrays:
    """The rounds that have options, as arrays: what the ranking metrics need.

    `options` [rounds, options] are indices into `answers`; `gt_index` [rounds] is -1 where it is not
    told; `relevance` has rows for the annotated rounds only, with their own keys.
    """

    keys: tuple[RoundKey, ...]
    options: NDArray[np.int32]
    gt_index: NDArray[np.int32]
    answers: tuple[str, ...]
    relevance: Keyed


def round_arrays(games: Iterable[VisDial]) -> RoundArrays:
    """The arrays of some dialogues; every round must have equally many options."""
    numbers: dict[str, int] = {}
    options: list[tuple[RoundKey, Sequence[float]]] = []
    truths: list[int] = []
    relevances: list[tuple[RoundKey, Sequence[float]]] = []
    for game in games:
        for number, asked in enumerate(game.rounds):
            if not asked.options:
                continue
            key = RoundKey(game.image, number)
            options.append(
                (key, [numbers.setdefault(text, len(numbers)) for text in asked.options])
            )
            truths.append(-1 if asked.gt_index is None else asked.gt_index)
            if asked.relevance is not None:
                relevances.append((key, asked.relevance))
    table = keyed(options, np.int32)
    return RoundArrays(
        keys=table.keys,
        options=table.values,
        gt_index=np.array(truths, dtype=np.int32),
        answers=tuple(numbers),
        relevance=keyed(relevances, np.float64),
    )
