"""What is kept of a game until the oracle has been asked, and what its questions say by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.errors import DataError
from referee.evaluations.questions.options import Settled
from referee.evaluations.result import Row
from referee.games import ANSWERS, Game, GuessWhat, Transcript, Turn
from referee.metrics.question_types import (
    SUBTYPES,
    TYPES,
    coarse_type,
    is_order,
    location_subtype,
    question_types,
    words,
)

_FEWEST = 2
_SPECIAL = ("<padding>", "<start>", "<stop>", "<stop_dialogue>", "<unk>", "<yes>", "<no>", "<n/a>")
"""What the authors' vocabularies hold beside words; their count of words has them in it."""


@dataclass(frozen=True)
class Kept:
    """A game, the turns that are judged, and their rows."""

    game: GuessWhat
    turns: tuple[Turn, ...]
    row: Row
    rows: list[Row]
    asked: tuple[int, ...] = ()
    """The number of each question in the sweep; empty where the game cannot be judged."""
    won: bool = False
    """Whether the whole game was won, whoever guesses again."""


def judgeable(game: GuessWhat) -> bool:
    """Whether there is something that a question could rule out."""
    things = game.scene.things
    return len(things) >= _FEWEST and any(thing.id == game.target for thing in things)


def picture(game: Game) -> str:
    """What intervals draw: the game's picture, or the game itself where the picture is not known."""
    return game.image or f"game {game.id}"


def check_answers(game: GuessWhat, turns: Sequence[Turn]) -> None:
    """Refuses an answer that GuessWhat?! does not have."""
    for place, turn in enumerate(turns):
        if turn.answer not in ANSWERS:
            raise DataError(
                f"turn {place + 1} is answered with {turn.answer!r}",
                record=f"game {game.id}",
                field="answer",
                expected="Yes, No or N/A",
            )


def game_row(transcript: Transcript, turns: Sequence[Turn], unique: bool, settled: Settled) -> Row:
    """The columns of a game that need no oracle; `unique` says that no game before had this target.

    Where picture or target are not known, that cannot be said.
    """
    game = transcript.game
    target = getattr(game, "target", None)
    asked = [turn.question for turn in turns]
    return {
        "game": game.id,
        "image": picture(game),
        "target": target,
        "status": transcript.status,
        "success": transcript.status == "success",
        "unique": unique if game.image and target else None,
        "guess": transcript.guess,
        "n_questions": len(turns),
        "repeated": len(set(asked)) < len(asked),
        "questions": asked,
        "words": [word for question in asked for word in words(question)],
        "vocabulary": _vocabulary(asked, settled),
    }


def _vocabulary(asked: Sequence[str], settled: Settled) -> list[str]:
    """The words between blanks, each once; the code counts the special tokens among them."""
    held = dict.fromkeys(word for question in asked for word in question.lower().split())
    return [*held, *(_SPECIAL if settled.code else ())]


def turn_rows(game: GuessWhat, turns: Sequence[Turn], settled: Settled) -> Iterator[Row]:
    """The columns of each question that need no oracle."""
    coarse = [coarse_type(turn.question, settled.keywords, settled.grouping) for turn in turns]
    seen: set[str] = set()
    for place, turn in enumerate(turns):
        plain = _plain(turn.question)
        following = coarse[place + 1] if place + 1 < len(turns) else None
        yield {
            "game": game.id,
            "image": picture(game),
            "turn": place + 1,
            "question": turn.question,
            "answer": turn.answer,
            **_types(turn.question, settled),
            "coarse_type": coarse[place],
            **_shift(coarse[place], following if turn.answer == ANSWERS[0] else None),
            "repeats": plain in seen,
        }
        seen.add(plain)


def _types(question: str, settled: Settled) -> Row:
    found = question_types(question, settled.keywords)
    subtype = location_subtype(question, settled.keywords)
    row: Row = {f"type_{kind}": kind in found for kind in TYPES}
    row["type_entity"] = bool(found & {"object", "super_category"})
    row["type_order"] = is_order(question, settled.keywords)
    row["location_kind"] = subtype
    row |= {f"is_{kind}": kind == subtype for kind in SUBTYPES}
    return row


def _shift(coarse: str, following: str | None) -> Row:
    """From what a shift could happen here, and to what it did.

    A last turn, or one that is not affirmed, is no place for a shift.
    """
    possible = following is not None and coarse in ("super_category", "object")
    return {
        "shift_from": coarse if possible else None,
        "shift_to_attribute": following == "attribute" if possible else None,
        "shift_to_object_or_attribute": following in ("object", "attribute") if possible else None,
    }


def _plain(question: str) -> str:
    """The question without its case, its mark and double blanks, in which repetitions may differ."""
    return " ".join(question.lower().replace("?", " ").split())
