"""The looper's dumps: games that the original TensorFlow models played, one a line.

A line is a game of the old release and, with it, `guess_object_id` and for each turn `p`, the guesser's
distribution over the objects as texts of three decimals. Some dumps number the games from 0, some
write 0 everywhere, some the data set's own id: image and target say which game it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from referee.datasets.counting import count_games
from referee.datasets.dialogues.dialogue import Dialogue, answer_of, check_status, spaced
from referee.datasets.dialogues.joining import Games, Report, with_game
from referee.datasets.files import Skipped, decode, lines, refuse, write_lines
from referee.datasets.formats import Count, Format
from referee.datasets.guesswhat.reading import old_game, repeated
from referee.datasets.guesswhat.releases import Identity, OldGame, OldImage, OldObject
from referee.datasets.guesswhat.writing import (
    guesswhat_of,
    image_row,
    object_row,
)
from referee.datasets.records import written
from referee.errors import DataError, UsageError
from referee.games import GuessWhat, Transcript, Turn

_ROUNDING = 5e-4

Probability = Annotated[float, Meta(ge=0, le=1)]


class _Turn(Struct, gc=False):
    question: str
    answer: str
    p: list[str | Probability] = []


class _Game(Struct, gc=False):
    id: Identity
    image: OldImage
    objects: Annotated[list[OldObject], Meta(min_length=1)]
    object_id: Identity
    guess_object_id: Identity
    status: Literal["success", "failure"]
    qas: list[_Turn] = []


_DECODER = msgspec.json.Decoder(_Game)


def read(
    path: Path,
    games: Iterable[GuessWhat] | None = None,
    skipped: Skipped = None,
    report: Report | None = None,
) -> Iterator[Transcript]:
    """Each game of a looper's dump, with beliefs and guess; with `games`, as one of those games."""
    path = Path(path)
    known = None if games is None else Games(games, report)
    report = known.report if known else report or Report()
    seen: set[str] = set()
    for place, (number, line) in enumerate(lines(path, skipped)):
        try:
            row = decode(_DECODER, line, path, number)
            game = _own_game(row, place)
            if game.id in seen:
                raise repeated(row.id, "$.id")
            seen.add(game.id)
            dialogue = _dialogue(row, game, place)
            if known is not None:
                game = _same_objects(known.find(dialogue), game)
            transcript = with_game(dialogue, game, report)
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield transcript


def write(path: Path, transcripts: Iterable[Transcript]) -> int:
    """Writes played games as the looper dumps them, gzip where the name ends in .gz; says how many."""
    return write_lines(path, map(row_of, transcripts))


def row_of(transcript: Transcript) -> dict[str, Any]:
    """A line of the dump; beliefs come out with the three decimals that the format has."""
    game = guesswhat_of(transcript)
    if transcript.guess is None or transcript.status == "incomplete":
        raise UsageError(f"the game {game.id} has no guess: a looper's dump has played games only")
    form = game.forms.thing
    return {
        "id": written(game.id, game.forms.game),
        "qas": [_turn_row(turn) for turn in transcript.turns],
        "image": {"id": written(game.scene.id, game.forms.scene), **image_row(game.scene)},
        "objects": [
            {"id": written(each.id, form), **object_row(each)} for each in game.scene.things
        ],
        "object_id": written(game.target, form),
        "guess_object_id": written(transcript.guess, form),
        "status": transcript.status,
    }


def _turn_row(turn: Turn) -> dict[str, Any]:
    row: dict[str, Any] = {
        "question": spaced(turn.question, marked=False),
        "answer": turn.answer.lower(),
        "id": 0,
    }
    if turn.belief is not None:
        row["p"] = [str(round(p, 3)) for p in turn.belief.probabilities]
    return row


def _own_game(row: _Game, place: int) -> GuessWhat:
    number = place if row.id == 0 else row.id
    return old_game(OldGame(number, row.image, row.objects, row.object_id, row.status))


def _dialogue(row: _Game, game: GuessWhat, place: int) -> Dialogue:
    guess = str(row.guess_object_id)
    check_status(row.status, game.target, guess, "$.status")
    slots = [_slots(turn.p, len(row.objects)) for turn in row.qas]
    return Dialogue(
        place,
        game=game.id,
        image=game.scene.id,
        target=game.target,
        guess=guess,
        turns=tuple(
            Turn(turn.question, answer_of(turn.answer, "$.qas[...].answer")) for turn in row.qas
        ),
        status=row.status,
        slots=((), *slots),
    )


def _slots(texts: list[str | float], objects: int) -> tuple[float, ...]:
    expected = f"{objects} probabilities, one for each object"
    try:
        slots = tuple([float(text) for text in texts])
    except ValueError:
        raise DataError("not a number", field="$.qas[...].p", expected=expected) from None
    if not slots:
        return ()
    # Each of the texts is off by half a thousandth at most, so that their sum is off by more.
    whole = abs(sum(slots) - 1) <= _ROUNDING * (objects + 1)
    if len(slots) != objects or not all(0 <= slot <= 1 for slot in slots) or not whole:
        raise DataError(
            f"{len(slots)} numbers with the sum {sum(slots):.4g}",
            field="$.qas[...].p",
            expected=f"{expected}, with the sum 1",
        )
    return slots


def _same_objects(found: GuessWhat, own: GuessWhat) -> GuessWhat:
    if [thing.id for thing in found.scene.things] != [thing.id for thing in own.scene.things]:
        raise DataError(
            f"the objects are not those of the game {found.id}",
            field="$.objects",
            expected="the same objects in the same order",
        )
    return found


def _recognises(_: Path, head: bytes) -> bool:
    return b'"guess_object_id"' in head and b'"objects"' in head and b'"qas"' in head


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_games(read(path, skipped=skipped))


FORMATS: tuple[Format, ...] = (
    Format("looper", "games played by the original models (jsonl)", _recognises, _summarise),
)
