"""The answerer that reads the scene graph: right wherever it understands the question."""

from __future__ import annotations

from collections.abc import Sequence

from referee.datasets.iconworld.language import UNSURE, parse_open, right_answers
from referee.errors import SeatError
from referee.players.scripted.settings import Scripted
from referee.players.seats import Look, Said


class SceneGraph(Scripted, frozen=True):
    """Says what is true of the things of the scene; its texts are as likely as one another."""

    def answer(self, looks: Sequence[Look], n: int = 1) -> list[list[Said]]:
        """The plainest right answer first, then other words for it, at most n in all."""
        return [[Said(text) for text in list(_right(look))[:n]] for look in looks]

    def score(self, looks: Sequence[Look]) -> list[list[float]]:
        """The relevance of each option: 1 says all, less is vague, 0 is wrong; the plainest gets 2."""
        return [_scores(look) for look in looks]


def _scores(look: Look) -> list[float]:
    right = _right(look)
    right[next(iter(right))] = 2.0
    return [right.get(option, 0.0) for option in look.options]


def _right(look: Look) -> dict[str, float]:
    if not look.scene.things:
        raise SeatError(
            f"game {look.game}: nothing is known to be in picture {look.scene.id} (give --scenes)"
        )
    asked = parse_open(look.question)
    return {UNSURE: 1.0} if asked is None else dict(right_answers(asked, look.scene))
