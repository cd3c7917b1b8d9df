"""From a player's name to the player: nothing is imported before it is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

import referee
from referee.errors import MissingExtra, MissingPlayer, RefereeError, SeatError, UsageError
from referee.games import Sitting
from referee.own import Own, load, own
from referee.players.naming import Name, Settings, encodable, parse

GROUP = "referee.players"
"""The entry point group in which an installed package offers players."""

METHODS: dict[str, tuple[str, ...]] = {
    "questioner": ("ask",),
    "oracle": ("answer",),
    "guesser": ("believe",),
    "answerer": ("answer", "score"),
}
"""What a player may offer in a seat; it needs one of these, and what the game asks of it besides."""

_ROOMS = {
    "cca": "referee.players.cca",
    "neural": "referee.players.neural",
    "hf": "referee.players.vlm",
    "inspect": "referee.players.vlm",
}
_EXTRAS = {
    "neural": ("torch", "neural"),
    "hf": ("transformers", "vlm"),
    "inspect": ("httpx", "vlm"),
}


@dataclass(frozen=True)
class Player:
    """Someone who can sit down: the name that was asked for, and who came."""

    name: str
    who: Any
    version: str = ""
    settings: Settings = field(default_factory=dict)

    def sitting(self, seat: str, seed: int | None) -> Sitting:
        """What the transcript says of a player in a seat."""
        settings = {
            name: encodable(value) if isinstance(value, str) else value
            for name, value in self.settings.items()
        }
        return Sitting(seat, encodable(self.name), self.version, settings, seed)


def resolve(name: str | object) -> Player:
    """The player of a name; an object that plays already is taken as it is."""
    if isinstance(name, Player):
        return name
    if not isinstance(name, str):
        return _player(type(name).__qualname__, name, {}, "")
    parsed = parse(name)
    if parsed.kind == "scripted":
        who, version = _scripted(parsed), referee.__version__
    elif parsed.kind == "replay":
        from referee.players import replay

        who, version = replay.build(parsed.text, parsed.rest, parsed.written), ""
    elif parsed.kind == "file":
        who, version = _from_file(parsed)
    elif parsed.kind == "entry":
        who, version = _from_entry_point(parsed)
    elif parsed.kind in _ROOMS:
        who, version = _from_room(parsed), referee.__version__
    else:
        raise MissingPlayer(
            f"{name}: there is no kind of player '{parsed.kind}' (there are scripted:, replay:, "
            f"{', '.join(f'{kind}:' for kind in _ROOMS)}, a path like ./mine.py:MyPlayer, "
            f"and entry points in the group {GROUP})"
        )
    return _player(name, who, parsed.settings, version)


def seat(seats: Mapping[str, str | object]) -> dict[str, Player]:
    """Who sits where: one name that fills several seats is one player.

    A player that lacks the method of its seat is refused.
    """
    seated: dict[str, Player] = {}
    known: dict[str | int, Player] = {}
    for place, name in seats.items():
        which = name if isinstance(name, str) else id(name)
        if which not in known:
            known[which] = resolve(name)
        seated[place] = player = known[which]
        if not _fits(player.who, place):
            raise _cannot(player, place, METHODS[place])
    return seated


def require(player: Player, seat: str, methods: Iterable[str]) -> Player:
    """The player, if it offers all of these methods."""
    lacking = [method for method in methods if not _offers(player.who, method)]
    if lacking:
        raise _cannot(player, seat, lacking)
    return player


def _cannot(player: Player, seat: str, lacking: Iterable[str]) -> SeatError:
    able = [place for place in METHODS if place != seat and _fits(player.who, place)]
    offers = f"; it can be {' or '.join(able)}" if able else ""
    methods = " and no ".join(f"{method}()" for method in lacking)
    return SeatError(f"{player.name} cannot be the {seat}: it has no {methods}{offers}")


def _fits(who: object, seat: str) -> bool:
    return any(_offers(who, method) for method in METHODS[seat])


def _offers(who: object, method: str) -> bool:
    return callable(getattr(who, method, None))


def _player(name: str, who: Any, given: Settings, version: str) -> Player:
    own_settings = getattr(who, "settings", None) or {}
    try:
        settings = msgspec.convert({**given, **own_settings}, Settings)
    except (TypeError, msgspec.ValidationError) as error:
        raise SeatError(
            f"{name}: settings must map names to texts, numbers or booleans: {error}"
        ) from error
    versions = [str(getattr(who, "version", "") or ""), version]
    return Player(name, who, " ".join(filter(None, versions)), settings)


def _scripted(name: Name) -> object:
    from referee.players import scripted

    return scripted.build(name.text, name.rest, name.written)


def _build(name: Name, factory: Callable[..., object]) -> object:
    try:
        return factory(**name.settings)
    except RefereeError:
        raise
    except TypeError as error:
        raise UsageError(f"{name.text}: its settings do not fit: {error}") from error
    except Exception as error:
        raise MissingPlayer(
            f"{name.text} could not be made: {type(error).__name__}: {error}"
        ) from error


def _from_file(name: Name) -> tuple[object, str]:
    written = own(name.rest) or Own(Path(name.rest), "")
    try:
        factory = load(written)
    except UsageError as error:
        raise MissingPlayer(f"{name.text}: {error}") from error.__cause__
    if not callable(factory):
        raise MissingPlayer(f"{name.text}: '{written.attribute}' is no class")
    return _build(name, factory), f"sha256:{written.digest}"


def _from_entry_point(name: Name) -> tuple[object, str]:
    found = [point for point in entry_points(group=GROUP) if point.name == name.rest]
    if not found:
        installed = ", ".join(sorted(point.name for point in entry_points(group=GROUP)))
        raise MissingPlayer(
            f"{name.text}: no installed package offers this player "
            f"(entry points in the group {GROUP}: {installed or 'none'})"
        )
    point = found[0]
    try:
        factory = point.load()
    except Exception as error:
        raise MissingPlayer(
            f"{name.text}: the entry point {point.value} cannot be loaded: {error}"
        ) from error
    version = point.dist.version if point.dist is not None else ""
    return _build(name, factory), version


def _from_room(name: Name) -> object:
    """What `build(rest, settings)` of another room of players makes of the name."""
    room = _ROOMS[name.kind]
    try:
        module = importlib.import_module(room)
    except ModuleNotFoundError as error:
        if error.name == room:
            raise MissingPlayer(
                f"{name.text}: this version of Referee ({referee.__version__}) "
                f"has no {name.kind}: players"
            ) from None
        package, extra = _EXTRAS.get(name.kind, (str(error.name), "all"))
        raise MissingExtra(error.name or package, extra) from None
    built: object = module.build(name.rest, name.settings)
    return built
