"""What a player's name says: `kind:rest?setting=value&…`, with typed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import unquote

import msgspec

from referee.errors import UsageError

S = TypeVar("S", bound=msgspec.Struct)
Setting = str | int | float | bool
Settings = dict[str, Setting]


def encodable(text: str) -> str:
    r"""The text as UTF-8 can hold it: a file's name may be any bytes.

    >>> encodable("dog\udce9") == "dog\\udce9"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True)
class Name:
    """A player's name taken apart; `text` is the name as it was given."""

    text: str
    kind: str
    rest: str
    written: dict[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The settings with the types that their texts look like."""
        return {name: literal(value) for name, value in self.written.items()}


def parse(text: str) -> Name:
    """A name taken apart: `scripted:noisy-oracle?accuracy=0.8`, `replay:F`, `./mine.py:MyOracle`.

    Text before the first colon is the kind, unless it is a path to a Python file (kind "file") or there
    is no colon at all (kind "entry": an entry point).

    >>> parse("scripted:noisy-oracle?accuracy=0.8").settings
    {'accuracy': 0.8}
    >>> parse("./mine.py:MyOracle").kind
    'file'
    """
    base, _, query = text.partition("?")
    written = dict(_setting(text, part) for part in query.split("&")) if query else {}
    if base.endswith(".py") or ".py:" in base:
        return Name(text, "file", base, written)
    kind, colon, rest = base.partition(":")
    if not colon:
        return Name(text, "entry", base, written)
    return Name(text, kind, rest, written)


def _setting(text: str, part: str) -> tuple[str, str]:
    setting, equals, value = part.partition("=")
    if not setting or not equals:
        raise UsageError(f"{text}: '{part}' is no setting (write ?setting=value&other=value)")
    return setting.replace("-", "_"), unquote(value)


def literal(text: str) -> Setting:
    """The boolean, whole number, number or string that a text writes.

    >>> literal("0.5"), literal("3"), literal("true"), literal("red")
    (0.5, 3, True, 'red')
    """
    if text in {"true", "false"}:
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def configured(text: str, kind: type[S], written: Mapping[str, str]) -> S:
    """The struct of a player's settings, each checked against its type and bounds."""
    known = [field.name for field in msgspec.structs.fields(kind)]
    unknown = [setting for setting in written if setting not in known]
    if unknown:
        offers = f"its settings are {', '.join(known)}" if known else "it has no settings"
        raise UsageError(f"{text}: there is no setting '{unknown[0]}' ({offers})")
    try:
        return msgspec.convert(written, kind, strict=False)
    except msgspec.ValidationError as error:
        message, _, place = (
            str(error).replace("Object missing required field", "it needs").partition(" - at ")
        )
        where = place.strip("`").removeprefix("$.")
        raise UsageError(f"{text}: {where + ': ' if where else ''}{message}") from None
