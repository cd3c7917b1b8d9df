"""From scores of single answers to a round's values: mu, sigma within k, gamma, and the bounds.

For each round the hypotheses are its generations, then the human answer (A_gt); every member of its
reference set is one more (Gamma). Each is scored against the whole reference set (appendix C).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.answers.rounds import Answered

Values = NDArray[np.float64]


def suffix(count: int) -> str:
    """How a value over so many generations is named: one alone has no suffix.

    >>> suffix(1), suffix(5)
    ('', '_k5')
    """
    return "" if count == 1 else f"_k{count}"


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the generations and the human answer of each round lie among the hypotheses."""

    rounds: Sequence[Answered]
    most: int

    @cached_property
    def hypotheses(self) -> list[list[str]]:
        """What is scored in each round."""
        return [
            [*answered.texts[: self.most], answered.references.gt_answer]
            for answered in self.rounds
        ]

    @cached_property
    def references(self) -> list[Sequence[str]]:
        """What it is scored against."""
        return [answered.references.references for answered in self.rounds]

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        lengths = np.array([len(texts) for texts in self.hypotheses], dtype=np.intp)
        return np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp)

    @cached_property
    def _generated(self) -> NDArray[np.intp]:
        given = [min(len(answered.texts), self.most) for answered in self.rounds]
        return np.array(given, dtype=np.intp)

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which generations say nothing, [rounds, most]."""
        marks = np.zeros((len(self.rounds), self.most), dtype=bool)
        for place, answered in enumerate(self.rounds):
            for number, text in enumerate(answered.texts[: self.most]):
                marks[place, number] = not text.strip()
        return marks

    @cached_property
    def given(self) -> NDArray[np.bool_]:
        """Which generations there are, empty or not, [rounds, most]."""
        marks: NDArray[np.bool_] = np.arange(self.most) < self._generated[:, None]
        return marks

    def generations(self, flat: Values) -> Values:
        """The scores of the generations, [rounds, most]; NaN where there is none or it says nothing."""
        places = np.minimum(self._starts[:, None] + np.arange(self.most), len(flat) - 1)
        scores: Values = np.where(self.given & ~self.empty, flat[places], np.nan)
        return scores

    def human(self, flat: Values) -> Values:
        """The scores of the human answers, [rounds]."""
        scores: Values = flat[self._starts + self._generated]
        return scores


def of_generations(
    name: str, scores: Values, given: NDArray[np.bool_], counts: Sequence[int], *, higher: bool
) -> Iterator[tuple[str, Values]]:
    """mu, sigma within k and gamma of each round for each k; NaN where it has fewer than k generations.

    mu is the mean over the generations that say something, sigma their population standard deviation,
    gamma the best of them.
    """
    for count in counts:
        enough = np.asarray(given[:, :count].all(axis=1))
        first = np.where(enough[:, None], scores[:, :count], np.nan)
        said = np.asarray((~np.isnan(first)).any(axis=1))
        column = f"{name}{suffix(count)}"
        yield column, _where(said, first, np.nanmean)
        yield f"{column}_sigma_within", _where(said, first, np.nanstd)
        yield f"{column}_gamma", _where(said, first, np.nanmax if higher else np.nanmin)


def _where(said: NDArray[np.bool_], scores: Values, reduce: object) -> Values:
    """The reduction over the rows that hold a number, for numpy warns about the others."""
    result = np.full(len(scores), np.nan)
    if said.any():
        result[said] = reduce(scores[said], axis=1)  # type: ignore[operator]
    return result


def of_members(
    name: str, flat: Values, references: Sequence[Sequence[str]], *, higher: bool
) -> Iterator[tuple[str, Values]]:
    """Gamma of each round: the mean and the best score of the members of its reference set."""
    sizes = np.array([len(members) for members in references])
    starts = np.cumsum(sizes) - sizes
    yield f"{name}_bound_mu", np.add.reduceat(flat, starts) / sizes
    yield f"{name}_bound_gamma", (np.maximum if higher else np.minimum).reduceat(flat, starts)
