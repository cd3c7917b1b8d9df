"""One game as the report shows it: the picture, what was said, and who was still in after each turn."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games import GuessWhat, GuessWhich, Reply, Transcript, Turn, VisDial

if TYPE_CHECKING:
    from PIL import Image

LeftByTurn = Sequence[Sequence[str]]
"""For each turn the ids of the candidates that its answer leaves."""
NoteByTurn = Sequence[str]
"""For each turn what the evaluation says of its question."""


@dataclass(frozen=True)
class Mark:
    """One candidate after one turn: still in or ruled out, and what the guesser gives it."""

    number: int
    label: str
    target: bool
    left: bool
    belief: float | None


@dataclass(frozen=True)
class Line:
    """One turn: what was asked and answered, the candidates after it, and what else there is to say."""

    question: str
    answer: str
    marks: tuple[Mark, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Card:
    """One game; `picture` is empty where nothing is known of it, `status` where there is none to tell."""

    title: str
    status: str
    picture: str
    description: str
    lines: tuple[Line, ...]
    opening: str = ""
    ending: str = ""


def card(
    transcript: Transcript,
    left: LeftByTurn = (),
    pictures: Mapping[str, Path] | None = None,
    notes: NoteByTurn = (),
) -> Card:
    """The card of any game; `pictures` leads from a scene's id to its file."""
    game = transcript.game
    files = pictures or {}
    if isinstance(game, GuessWhat):
        return _guesswhat(transcript, game, left, files, notes)
    if isinstance(game, GuessWhich):
        return _guesswhich(transcript, game, files)
    return _visdial(transcript, game, files)


def _guesswhat(
    transcript: Transcript,
    game: GuessWhat,
    left: LeftByTurn,
    pictures: Mapping[str, Path],
    notes: NoteByTurn,
) -> Card:
    from referee.games import render

    things = game.scene.things
    labels = [thing.category for thing in things]
    ids = [thing.id for thing in things]
    image = render(game.scene, "numbered", image=pictures.get(game.scene.id))
    places = {name: f"{place + 1} ({labels[place]})" for place, name in enumerate(ids)}
    lines = tuple(
        Line(
            turn.question,
            turn.answer,
            _marks(ids, labels, game.target, turn, left[place] if place < len(left) else None),
            notes[place] if place < len(notes) else "",
        )
        for place, turn in enumerate(transcript.turns)
    )
    guess = transcript.guess
    return Card(
        title=f"GuessWhat?! game {game.id}",
        status=transcript.status,
        picture=_inline(image),
        description=f"{len(things)} candidates; the target is {places[game.target]}",
        lines=lines,
        ending=f"Guess: {places.get(guess, guess)}" if guess else "No guess is recorded.",
    )


def _guesswhich(transcript: Transcript, game: GuessWhich, pictures: Mapping[str, Path]) -> Card:
    from referee.games import render_pool

    ids = [scene.id for scene in game.pool]
    number = {name: place + 1 for place, name in enumerate(ids)}
    files = [pictures.get(name) for name in ids]
    picks = transcript.picks
    lines = tuple(
        Line(
            turn.question,
            turn.answer,
            note=f"pick {number[picks[place + 1]]}" if place + 1 < len(picks) else "",
        )
        for place, turn in enumerate(transcript.turns)
    )
    guesses = ", ".join(str(number[name]) for name in transcript.guesses)
    first = f" First pick: {number[picks[0]]}." if picks else ""
    return Card(
        title=f"GuessWhich game {game.id}",
        status=transcript.status,
        picture=_inline(render_pool(game.pool, images=files, highlight=(game.target,))),
        description=f"{len(ids)} pictures; the target is {number[game.target]}",
        opening=f"Caption: {game.caption}.{first}",
        lines=lines,
        ending=f"Guesses: {guesses}" if guesses else "No guess is recorded.",
    )


def _visdial(transcript: Transcript, game: VisDial, pictures: Mapping[str, Path]) -> Card:
    from referee.games import render

    replies = [event for event in transcript.events if isinstance(event, Reply)]
    lines = tuple(
        Line(turn.question, turn.answer, note=_human(game, place, replies))
        for place, turn in enumerate(transcript.turns)
    )
    picture = pictures.get(game.scene.id)
    known = picture is not None or game.scene.things
    return Card(
        title=f"VisDial dialogue {game.id}",
        # Nobody wins a dialogue: that one broke off is all there is to say.
        status="incomplete" if transcript.status == "incomplete" else "",
        picture=_inline(render(game.scene, "boxes", image=picture)) if known else "",
        description=f"{len(game.rounds)} rounds",
        opening=f"Caption: {game.caption}.",
        lines=lines,
    )


def _human(game: VisDial, place: int, replies: Sequence[Reply]) -> str:
    """What the data set's person said, and where the answerer's scores put it."""
    if place >= len(game.rounds) or game.rounds[place].answer is None:
        return ""
    played, scores = game.rounds[place], replies[place].scores if place < len(replies) else ()
    if not scores or played.gt_index is None:
        return f"person: {played.answer}"
    rank = 1 + sum(score > scores[played.gt_index] for score in scores)
    return f"person: {played.answer} (rank {rank} of {len(scores)})"


def _marks(
    ids: Sequence[str], labels: Sequence[str], target: str, turn: Turn, left: Sequence[str] | None
) -> tuple[Mark, ...]:
    if left is None and turn.belief is None:
        return ()
    still = set(ids if left is None else left)
    beliefs = turn.belief.probabilities if turn.belief else [None] * len(ids)
    return tuple(
        Mark(place + 1, labels[place], name == target, name in still, beliefs[place])
        for place, name in enumerate(ids)
    )


def _inline(image: Image.Image) -> str:
    """The picture as a data address; the size is what a phone and a printed column need."""
    shown = image.convert("RGB")
    shown.thumbnail((720, 960))
    kept = io.BytesIO()
    shown.save(kept, "JPEG", quality=82, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(kept.getvalue()).decode()}"
