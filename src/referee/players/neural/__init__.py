"""Players that are neural networks (extra `neural`): `neural:<name>` or `neural:<checkpoint folder>`.

| name | seats | `state()` |
| --- | --- | --- |
| `oracle` | oracle (question, category and place; de Vries et al.) | none |
| `guesser` | guesser (LSTM of the dialogue; de Vries et al.) | the LSTM |
| `devries-sl`, `devries-rl` | questioner and guesser (QGen, supervised and REINFORCE) | QGen's LSTM |
| `gdse-sl`, `gdse-cl` | questioner and guesser | shared by both seats; `state=text`: of the text alone |
| `vdst` | questioner and guesser (regions, kept account of) | the LSTM, `state=visual`, `state=regions` |
| `stl-ce`, `stl-kl`, `mtl-kl` | guesser (GDSE's: cross entropy, KL, soft labels too) | the dialogue state |
| `lxmert` | guesser (a transformer over words and regions) | the dialogue state |

The weights of these names were trained on Iconworld and come in the package; a folder is one that
`referee train` wrote.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from referee.errors import MissingPlayer
from referee.players.naming import Settings
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import Checkpoint

__all__ = ["Checkpoint", "build"]

PREFIX = "neural:"

WEIGHTS = Path(__file__).parent / "weights"
"""The weights that come in the package, a folder each."""

KINDS: dict[str, str] = {
    "oracle": "oracle_player:build",
    "guesser": "guesser_player:build",
    "qgen": "qgen_player:build",
    "lxmert": "lxmert_player:build",
    "gdse": "gdse_player:build",
    "vdst": "vdst_player:build",
}
"""What makes a player of each kind of model: a function (name, Checkpoint, Settings) -> player."""


def build(rest: str, settings: Settings) -> object:
    """The player of `neural:<rest>?<settings>`."""
    name = f"{PREFIX}{rest}"
    found = checkpoint.load(folder(rest))
    if found.kind not in KINDS:
        raise MissingPlayer(
            f"{name}: the folder holds a {found.kind}; players are made of {', '.join(KINDS)}"
        )
    module, _, function = KINDS[found.kind].partition(":")
    maker = getattr(import_module(f"{__name__}.{module}"), function)
    return cast("object", maker(name, found, settings))


def shipped() -> tuple[str, ...]:
    """The names whose weights come in the package."""
    return tuple(sorted(path.parent.name for path in WEIGHTS.glob(f"*/{checkpoint.DESCRIPTION}")))


def folder(name: str) -> Path:
    """The folder of weights that `neural:<name>` names.

    Where only a network can stand, as in `train rl --questioner`, the prefix may be written or not.
    """
    rest = name.removeprefix(PREFIX)
    if rest in shipped():
        return WEIGHTS / rest
    if rest and Path(rest).is_dir():
        return Path(rest)
    known = ", ".join(f"{PREFIX}{known}" for known in shipped()) or "none"
    raise MissingPlayer(
        f"{PREFIX}{rest}: no such player, and no such folder (in the package: {known})"
    )
