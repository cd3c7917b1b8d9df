"""A scripted player is the struct of its settings."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from referee.players.naming import Settings

Accuracy = Annotated[float, Meta(gt=0.5, le=1)]
"""How often an oracle is right; above one half, so that what it says is what it holds likeliest."""


class Scripted(Struct, frozen=True):
    """A player whose fields are all of its settings."""

    @property
    def settings(self) -> Settings:
        """What the transcript says of the player, defaults included."""
        return msgspec.structs.asdict(self)
