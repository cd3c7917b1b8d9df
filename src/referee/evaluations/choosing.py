"""What evaluations do alike with what they are told: texts from known lists, and players to be asked."""

from __future__ import annotations

from typing import TypeVar

from referee.errors import MissingPlayer, UsageError
from referee.players import resolve
from referee.players.resolve import METHODS, Player

T = TypeVar("T", bound=str)


def choice(name: str, chosen: str, usual: T, known: tuple[T, ...]) -> T:
    """What was chosen, or what is usual where nothing was; only what is known can be chosen."""
    for each in known:
        if each == (chosen or usual):
            return each
    raise UsageError(f"{name} must be one of {', '.join(known)}; not '{chosen}'")


def who(wanted: object, seat: str, played: set[str], notes: list[str], why: str) -> Player | None:
    """The player to ask; None, with a note, where none is given and the one who played is not known.

    `why` says what the player is needed for.
    """
    if wanted is not None:
        player = resolve.resolve(wanted)
    elif len(played) == 1:
        (name,) = played
        try:
            player = resolve.resolve(name)
        except MissingPlayer as error:
            notes.append(f"the {seat} that played cannot be asked again: {error}")
            return None
    else:
        known = f"the games had {len(played)} {seat}s" if played else f"no {seat} is known"
        notes.append(f"{known}: name one {why}")
        return None
    return resolve.require(player, seat, METHODS[seat])
