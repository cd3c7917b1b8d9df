"""The effectiveness repository's outputs: reference sets turn by turn, and answers for every object.

Effectiveness: the reference set that each turn leaves (without the target's own fate, which stands
beside it), and whether the turn was effective. Referring: what the oracle answers for each object,
for all turns or for the last one only. All three are JSON objects from game id to record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from referee.datasets.counting import shares
from referee.datasets.dialogues.dialogue import Dialogue, answer_of
from referee.datasets.files import Skipped, writing
from referee.datasets.formats import Count, Format
from referee.datasets.keys import table
from referee.errors import DataError
from referee.games import Status, Turn

Identity: TypeAlias = int | str


class EffectiveTurn(Struct, frozen=True, omit_defaults=True):
    """A question, its answer, and the reference set after it; the model's own answer for human games."""

    question: str
    ans: str
    removed_target: Literal["yes", "no"]
    rs: tuple[Identity, ...]
    effective: bool
    model_ans: str | None = None


class EffectiveGame(Struct, frozen=True):
    """The turns of a game and how it ended."""

    qas: tuple[EffectiveTurn, ...]
    state: Status


class ObjectAnswer(Struct, frozen=True):
    """What the oracle answers for one object; for the target, what was said in the dialogue."""

    object_id: Identity
    ans: str
    is_target: bool


class ReferringTurn(Struct, frozen=True):
    """A question, its answer, and the answers for every object."""

    question: str
    ans: str
    objs: tuple[ObjectAnswer, ...]


class ReferringGame(Struct, frozen=True):
    """The turns of a game and how it ended."""

    qas: tuple[ReferringTurn, ...]
    state: Status


class LastTurn(Struct, frozen=True):
    """The last question of a game, the answers for every object, and how the game ended."""

    question: str
    ans: str
    state: Status
    objs: tuple[ObjectAnswer, ...]


Outcome: TypeAlias = EffectiveGame | ReferringGame | LastTurn
T = TypeVar("T", EffectiveGame, ReferringGame, LastTurn)

_EFFECTIVE = msgspec.json.Decoder(EffectiveGame)
_REFERRING = msgspec.json.Decoder(ReferringGame)
_LAST = msgspec.json.Decoder(LastTurn)
_STATE = b'"state"'


def read_effective(path: Path, skipped: Skipped = None) -> Iterator[tuple[str, EffectiveGame]]:
    """Each game's id and its turns with their reference sets."""
    return table(Path(path), _EFFECTIVE, _STATE, _keyed, skipped)


def read_referring(path: Path, skipped: Skipped = None) -> Iterator[tuple[str, ReferringGame]]:
    """Each game's id and its turns with the answers for every object."""
    return table(Path(path), _REFERRING, _STATE, _keyed, skipped)


def read_last(path: Path, skipped: Skipped = None) -> Iterator[tuple[str, LastTurn]]:
    """Each game's id and its last turn with the answers for every object."""
    return table(Path(path), _LAST, _STATE, _keyed, skipped)


def read(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """The dialogues alone of an effectiveness output."""
    for place, (game, outcome) in enumerate(read_effective(path, skipped)):
        turns = tuple(Turn(turn.question, answer_of(turn.ans)) for turn in outcome.qas)
        yield Dialogue(place, game=game, turns=turns, status=outcome.state)


def write(path: Path, games: Mapping[str, Outcome]) -> int:
    """Writes any of the three outputs, and says how many games."""
    with writing(Path(path)) as stream:
        stream.write(msgspec.json.encode(games))
    return len(games)


def _keyed(_: int, key: str, game: T) -> tuple[str, T]:
    turns = (game,) if isinstance(game, LastTurn) else game.qas
    before: set[Identity] | None = None
    for turn in turns:
        answer_of(turn.ans, "ans")
        if isinstance(turn, EffectiveTurn):
            before = _narrowed(turn, before)
        elif sum(each.is_target for each in turn.objs) != 1:
            raise DataError(
                "the target does not stand there once", field="objs", expected="one target"
            )
    return key, game


def _narrowed(turn: EffectiveTurn, before: set[Identity] | None) -> set[Identity]:
    after = set(turn.rs)
    if len(after) < len(turn.rs) or (before is not None and not after <= before):
        raise DataError(
            "holds what was not there before, or an object twice",
            field="rs",
            expected="some of the objects of the turn before",
        )
    return after


def _has(*names: bytes) -> Callable[[Path, bytes], bool]:
    return lambda _path, head: all(name in head for name in names)


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    states: Counter[str] = Counter()
    turns = effective = 0
    for _, game in read_effective(path, skipped):
        states[game.state] += 1
        turns += len(game.qas)
        effective += sum(turn.effective for turn in game.qas)
    counts: dict[str, Count] = {
        "games": states.total(),
        "turns": turns,
        "effective turns": effective,
    }
    return counts | shares(states, ("success", "failure", "incomplete"))


def _count_referring(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    games = [game for _, game in read_referring(path, skipped)]
    objects = [turn.objs for game in games for turn in game.qas]
    return _answered([game.state for game in games], objects)


def _count_last(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    games = [game for _, game in read_last(path, skipped)]
    return _answered([game.state for game in games], [game.objs for game in games])


def _answered(
    states: Sequence[str], objects: Sequence[tuple[ObjectAnswer, ...]]
) -> dict[str, Count]:
    counts: dict[str, Count] = {
        "games": len(states),
        "turns": len(objects),
        "answers": sum(map(len, objects)),
    }
    return counts | shares(Counter(states), ("success", "failure", "incomplete"))


FORMATS: tuple[Format, ...] = (
    Format(
        "effectiveness-output",
        "reference sets turn by turn (json)",
        _has(b'"removed_target"', b'"rs"'),
        _count,
    ),
    Format(
        "referring-output",
        "answers for every object, turn by turn (json)",
        _has(b'"is_target"', b'"objs"', b'"qas"'),
        _count_referring,
    ),
    Format(
        "last-turn-output",
        "answers for every object after the last question (json)",
        _has(b'"is_target"', b'"objs"'),
        _count_last,
    ),
)
