"""A guesser guesses again, after the turns that are judged."""

from __future__ import annotations

from collections.abc import Sequence

from referee.arena import guessing
from referee.evaluations.questions.kept import Kept, judgeable
from referee.players.resolve import Player


def reguess(games: Sequence[Kept], guesser: Player, seed: int) -> int:
    """Replaces guess, status and success of each game by those after its judged turns.

    A game whose target is not among known things keeps what it had; says how many do.
    """
    able = [kept for kept in games if judgeable(kept.game)]
    dialogues = ((kept.game, kept.turns) for kept in able)
    for kept, guess in zip(able, guessing.guesses(dialogues, guesser, seed), strict=True):
        right = guess == kept.game.target
        kept.row.update(
            {
                "guess": guess,
                "success": right,
                "status": "success" if right else "failure",
            }
        )
    return len(games) - len(able)
