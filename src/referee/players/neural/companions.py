"""The guesser that a questioner takes along, which its checkpoint names or holds.

A questioner that was trained by itself does not guess. A guesser that comes in the package is named, with
what tells its weights from others, so that nothing is stored twice; any other is copied into the folder
`guesser` beside the questioner's weights, so that the whole can be moved.
"""

from __future__ import annotations

from pathlib import Path

from referee.datasets.files import read_bytes, writing
from referee.errors import DataError, UsageError
from referee.players import neural
from referee.players.neural import checkpoint, guesser_player
from referee.players.neural.checkpoint import DESCRIPTION, WEIGHTS, Checkpoint, Companion
from referee.players.neural.guesser import GuesserConfig
from referee.players.neural.guesser_player import NeuralGuesser

FOLDER = "guesser"
NONE = "none"


def find(name: str) -> Checkpoint:
    """The guesser of a folder, or of a name that comes in the package."""
    return checkpoint.load(neural.folder(name)).require("guesser")


def companion(found: Checkpoint) -> Companion:
    """What a questioner's checkpoint will say of its guesser."""
    name = found.folder.name if found.folder.parent == neural.WEIGHTS else ""
    return Companion(name, found.version)


def keep(found: Checkpoint, out: Path) -> None:
    """Copies a guesser that does not come in the package into a questioner's folder."""
    if companion(found).name:
        return
    inside = out / FOLDER
    if (inside / WEIGHTS).exists():
        if checkpoint.load(inside).version != found.version:
            raise UsageError(f"{inside} holds another guesser already: nothing is overwritten")
        return
    for name in (WEIGHTS, DESCRIPTION):
        with writing(inside / name) as stream:
            stream.write(read_bytes(found.folder / name))


def own(found: Checkpoint) -> Checkpoint | None:
    """The guesser that a questioner's checkpoint names or holds; none where it has none."""
    told = found.description.guesser
    if told is None:
        return None
    kept = find(told.name) if told.name else checkpoint.load(found.folder / FOLDER)
    if kept.version != told.version:
        raise DataError(
            f"has other weights ({kept.version}) than the guesser that {found.folder} was "
            "trained to go with",
            file=kept.folder / WEIGHTS,
            expected=told.version,
        )
    return kept.require("guesser")


def seated(found: Checkpoint, asked: str, *, device: str, features: str) -> NeuralGuesser | None:
    """The guesser that plays along: the one asked for, else the questioner's own; images if it reads them."""
    if asked == NONE:
        return None
    kept = find(asked) if asked else own(found)
    if kept is None:
        return None
    settings: dict[str, str | int | float | bool] = {"device": device}
    if kept.config(GuesserConfig).image:
        settings["features"] = features
    return guesser_player.build(f"neural:{kept.folder}", kept, settings)
