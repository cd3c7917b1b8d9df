"""From a line of either release to a checked game and its human dialogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from referee.datasets.files import Skipped, decode, lines, refuse
from referee.datasets.guesswhat.releases import (
    Identity,
    NewGame,
    NewImage,
    NewObject,
    NewTurn,
    OldGame,
    OldImage,
    OldObject,
    OldTurn,
)
from referee.datasets.keys import refuse_repeated_keys
from referee.errors import DataError
from referee.games import (
    ANSWERS,
    Answer,
    Ask,
    Box,
    Event,
    Forms,
    GuessWhat,
    Scene,
    Thing,
    Transcript,
)

_OLD = msgspec.json.Decoder(OldGame)
_NEW = msgspec.json.Decoder(NewGame)
_SAID = {answer: Answer(answer) for answer in ANSWERS}
_WORDS = {
    "answer": "Yes, No or N/A",
    "a": "Yes, No or N/A",
    "status": "success, failure or incomplete",
}


def read(path: Path, skipped: Skipped = None) -> Iterator[Transcript]:
    """Each game of a GuessWhat?! file, of either release, with the dialogue that people held on it."""
    for game, row in _records(Path(path), skipped):
        yield Transcript(game, _events(row.qas), row.status)


def games(path: Path, skipped: Skipped = None) -> Iterator[GuessWhat]:
    """Each game of a GuessWhat?! file, without the dialogue."""
    for game, _ in _records(Path(path), skipped):
        yield game


def _records(path: Path, skipped: Skipped) -> Iterator[tuple[GuessWhat, OldGame | NewGame]]:
    # An id may stand once in a file. The ids seen are the only thing that grows while reading; they
    # stay far below the bar on memory for every published file, so nothing cleverer is needed.
    seen: set[str] = set()
    new = False
    for number, line in lines(path, skipped):
        try:
            try:
                row = _row(line, path, number, new=new)
            except DataError:
                if _is_new(line) is new:
                    raise
                new = not new
                row = _row(line, path, number, new=new)
            game = _new_game(row, line) if isinstance(row, NewGame) else old_game(row)
            if game.id in seen:
                raise repeated(game.id, "$.dialogue_id" if new else "$.id")
            seen.add(game.id)
        except DataError as error:
            refuse(_worded(error).located(file=path, record=number), skipped)
        else:
            yield game, row


def _is_new(line: bytes) -> bool:
    """Whether a line has the new release's names rather than the old one's."""
    return b'"dialogue_id"' in line or b'"picture"' in line


def _row(line: bytes, path: Path, number: int, *, new: bool) -> OldGame | NewGame:
    if new:
        return decode(_NEW, line, path, number)
    return decode(_OLD, line, path, number)


def old_game(row: OldGame) -> GuessWhat:
    """The checked game of a line of the old release."""
    ids = [thing.id for thing in row.objects]
    known = set(ids)
    if len(known) < len(ids):
        twice = next(identity for identity in ids if ids.count(identity) > 1)
        raise repeated(twice, "$.objects")
    if len(set(map(type, ids))) > 1:
        raise _mixed("objects", ids)
    if row.object_id not in known:
        raise _no_target(row.object_id, ids)
    things = tuple([_thing(str(each.id), each) for each in row.objects])
    return _game(row, (row.id, row.image.id), row.image, things)


def _new_game(row: NewGame, line: bytes) -> GuessWhat:
    refuse_repeated_keys(line, b'"bbox"', len(row.objects), "$.objects")
    if str(row.object_id) not in row.objects:
        raise _no_target(row.object_id, list(row.objects))
    things = tuple([_thing(key, each) for key, each in row.objects.items()])
    return _game(row, (row.dialogue_id, row.picture_id), row.picture, things)


def _thing(identity: str, row: OldObject | NewObject) -> Thing:
    return Thing(identity, row.category, row.category_id, Box(*row.bbox), row.area, row.attributes)


def _game(
    row: OldGame | NewGame,
    ids: tuple[Identity, Identity],
    image: OldImage | NewImage,
    things: tuple[Thing, ...],
) -> GuessWhat:
    identity, scene = ids
    forms = _forms(
        type(identity) is int,
        type(scene) is int,
        type(row.object_id) is int,
        _turn_form(row.qas),
    )
    return GuessWhat(
        str(identity),
        Scene(str(scene), image.width, image.height, things, image.file_name, image.coco_url),
        str(row.object_id),
        forms,
    )


def _events(turns: Sequence[OldTurn | NewTurn]) -> tuple[Event, ...]:
    events: list[Event] = []
    for turn in turns:
        events.append(Ask(turn.question, str(turn.id)))
        events.append(_SAID[turn.answer])
    return tuple(events)


@lru_cache(maxsize=16)
def _forms(*whole: bool) -> Forms:
    return Forms(*["int" if each else "str" for each in whole])


def _turn_form(turns: Sequence[OldTurn | NewTurn]) -> bool:
    kinds = {type(turn.id) for turn in turns}
    if len(kinds) > 1:
        raise _mixed("qas", [turn.id for turn in turns])
    return kinds != {str}


def repeated(identity: Identity, field: str) -> DataError:
    """The error for an id that stands twice where it may stand once."""
    return DataError(
        f"the id {identity!r} is there a second time",
        field=field,
        expected="an id of its own for each",
    )


def _mixed(rows: str, ids: Sequence[Identity]) -> DataError:
    first = type(ids[0])
    other = next(place for place, identity in enumerate(ids) if type(identity) is not first)
    return DataError(
        "some ids are whole numbers and some are text or absent",
        field=f"$.{rows}[{other}].id",
        expected="one form of ids in a game",
    )


def _no_target(target: Identity, ids: Sequence[Identity]) -> DataError:
    if str(target) in map(str, ids):
        return DataError(
            f"{target!r} is not written like the objects' ids",
            field="$.object_id",
            expected="one form of ids in a game",
        )
    return DataError(
        f"the target {target!r} is not among the candidates",
        field="$.object_id",
        expected=f"the id of one of the {len(ids)} objects",
    )


def _worded(error: DataError) -> DataError:
    if error.expected is None and error.field:
        error.expected = _WORDS.get(error.field.rpartition(".")[2])
    return error
