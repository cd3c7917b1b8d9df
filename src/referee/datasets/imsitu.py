"""imSitu: verbs with their roles, and pictures in which three people filled the roles with nouns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, dumps, read_json
from referee.datasets.formats import Count, Format
from referee.datasets.keys import table
from referee.errors import DataError

KINDS = {
    "agent": "agent",
    "item": "can_be",
    "coagent": "can_be",
    "vehicle": "can_be",
    "tool": "used_to",
    "heatsource": "used_to",
    "object": "used_to",
}
"""What it says of a thing to fill a role: its behaviour, or what can be done to it or with it."""


class Noun(Struct, frozen=True, rename={"definition": "def"}):
    """A noun of WordNet: its synonyms and its definition."""

    gloss: tuple[str, ...]
    definition: str = ""


class Role(Struct, frozen=True, rename={"definition": "def"}):
    """A role of a verb and the FrameNet element that it is."""

    framenet: str = ""
    definition: str = ""


class Verb(Struct, frozen=True, rename={"definition": "def"}):
    """A verb: its FrameNet frame, its sentence with the roles in capitals, and its roles in order."""

    framenet: str
    abstract: str
    order: tuple[str, ...]
    roles: dict[str, Role]
    definition: str = ""


class Space(Struct, frozen=True):
    """All nouns and all verbs."""

    nouns: dict[str, Noun]
    verbs: dict[str, Verb]


class Situation(Struct, frozen=True):
    """What a picture shows: a verb, and for each annotator a noun for each role, None if left empty."""

    image: str
    verb: str
    frames: tuple[dict[str, str | None], ...]


class _Situation(Struct):
    verb: str
    frames: tuple[dict[str, str], ...]


_SPACE = msgspec.json.Decoder(Space)
_SITUATION = msgspec.json.Decoder(_Situation)


def attribute(role: str, verb: str) -> str | None:
    """What is true of a thing that fills a role of a verb, in CompGuessWhat?!'s sense; None of most roles.

    >>> attribute("item", "opening"), attribute("tool", "cutting"), attribute("place", "cutting")
    ('can_be opening', 'used_to cutting', None)
    """
    kind = KINDS.get(role)
    return None if kind is None else f"{kind} {verb}"


def read_space(path: Path) -> Space:
    """The nouns and verbs of imsitu_space.json."""
    space = read_json(path, _SPACE)
    for name, verb in space.verbs.items():
        if set(verb.order) != set(verb.roles):
            raise DataError(
                "order and roles differ",
                file=path,
                record=name,
                field="order",
                expected="all roles",
            )
    return space


def read(path: Path, space: Space | None = None, skipped: Skipped = None) -> Iterator[Situation]:
    """The pictures of train.json, dev.json or test.json, checked against the space where it is given."""

    def build(_: int, image: str, wire: _Situation) -> Situation:
        if space is not None:
            _check(wire, space)
        frames = tuple({role: noun or None for role, noun in f.items()} for f in wire.frames)
        return Situation(image, wire.verb, frames)

    return table(path, _SITUATION, b'"frames"', build, skipped)


def write(path: Path, situations: Iterable[Situation]) -> None:
    """Writes pictures in the form of train.json."""
    images = {
        situation.image: {
            "verb": situation.verb,
            "frames": [{r: noun or "" for r, noun in f.items()} for f in situation.frames],
        }
        for situation in situations
    }
    path.write_text(dumps(images), encoding="utf-8")


def write_space(path: Path, space: Space) -> None:
    """Writes the nouns and verbs in the form of imsitu_space.json."""
    path.write_bytes(msgspec.json.encode(space))


def _check(wire: _Situation, space: Space) -> None:
    if wire.verb not in space.verbs:
        raise DataError(
            f"there is no verb {wire.verb}", field="verb", expected="one of the space's"
        )
    roles = set(space.verbs[wire.verb].roles)
    for frame in wire.frames:
        if set(frame) != roles:
            raise DataError(
                f"has the roles {sorted(frame)}", field="frames", expected=f"{sorted(roles)}"
            )
        for noun in frame.values():
            if noun and noun not in space.nouns:
                raise DataError(f"there is no noun {noun}", field="frames", expected="a known noun")


def _count_space(path: Path, _: list[DataError]) -> dict[str, Count]:
    space = read_space(path)
    roles = {role for verb in space.verbs.values() for role in verb.roles}
    return {"verbs": len(space.verbs), "nouns": len(space.nouns), "roles": len(roles)}


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped=skipped))
    return {
        "images": len(found),
        "verbs": len({situation.verb for situation in found}),
        "frames": sum(len(situation.frames) for situation in found),
    }


FORMATS: tuple[Format, ...] = (
    Format(
        "imsitu-space",
        "imSitu's nouns and verbs",
        lambda _, head: (
            head.lstrip().startswith(b"{")
            and (b'"nouns"' in head or b'"verbs"' in head)
            and (b'"gloss"' in head or b'"framenet"' in head)
        ),
        _count_space,
    ),
    Format(
        "imsitu",
        "imSitu annotations",
        lambda _, head: (
            head.lstrip().startswith(b"{")
            and b'"frames"' in head
            and b'"verb"' in head
            and b".jpg" in head
        ),
        _count,
    ),
)
