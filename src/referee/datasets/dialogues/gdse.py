"""GDSE's game-play logs: one JSON object from game id to what was said, guessed and thought.

Target and guess are places in the list of objects; the image is a file name. The guesser's probabilities
have 20 slots, and its softmax gives the slots behind the last object their share of the mass: joining
cuts them off, renormalises, and keeps account (`joining.Report`). `all_guess_probs` has a row before
the first question and one after each turn; rows that nobody filled are zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from referee.datasets.dialogues.counting import count_dialogues
from referee.datasets.dialogues.dialogue import Dialogue, spoken, written
from referee.datasets.files import Skipped, dumps, writing
from referee.datasets.formats import Count, Format
from referee.datasets.guesswhat.writing import guesswhat_of
from referee.datasets.keys import table
from referee.errors import DataError, UsageError
from referee.games import Ask, Believe, Transcript

SLOTS = 20

Place = Annotated[int, Meta(ge=0, lt=SLOTS)]
Row = Annotated[list[Annotated[float, Meta(ge=0, le=1.001)]], Meta(max_length=SLOTS)]


class _Game(Struct, gc=False):
    gen_dialogue: str
    image: str
    target_id: Place
    guess_id: Place
    guess_probs: Row = []
    all_guess_probs: list[Row] = []


_DECODER = msgspec.json.Decoder(_Game)


def read(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """Each game of a GDSE log, without its scene."""
    return table(Path(path), _DECODER, b'"gen_dialogue"', _dialogue, skipped)


def write(path: Path, transcripts: Iterable[Transcript], split: str = "test") -> int:
    """Writes played games as GDSE logs them, and says how many."""
    rows: dict[str, dict[str, Any]] = {}
    played = list(transcripts)
    questions = max((len(transcript.turns) for transcript in played), default=0)
    for transcript in played:
        if transcript.game.id in rows:
            raise UsageError(f"the game {transcript.game.id} was played twice")
        rows[transcript.game.id] = row_of(transcript, split, questions)
    with writing(Path(path)) as stream:
        stream.write(dumps(rows).encode())
    return len(rows)


def row_of(transcript: Transcript, split: str, questions: int) -> dict[str, Any]:
    """A game of the log, with a row of probabilities before and after each of so many questions."""
    game = guesswhat_of(transcript)
    things = game.scene.things
    if len(things) > SLOTS:
        raise UsageError(
            f"the game {game.id} has {len(things)} objects: a GDSE log has {SLOTS} slots"
        )
    if transcript.guess is None:
        raise UsageError(f"the game {game.id} has no guess: a GDSE log has played games only")
    guess = next(i for i, thing in enumerate(things) if thing.id == transcript.guess)
    target = things[game.target_index]
    probabilities = _probabilities(transcript, questions)
    said = written(transcript.turns)
    return {
        "split": split,
        "true_dialogue": "",
        "gen_dialogue": said,
        "no_qs": said.count("?"),
        "decision": 0,
        "decider_guess_prob": [[0.0]] * (questions + 1),
        "image": game.scene.file or game.scene.id,
        "flickr_url": game.scene.url,
        "target_id": game.target_index,
        "target_cat_id": target.category_id,
        "target_cat_str": target.category,
        "guess_id": guess,
        "guess_probs": probabilities[len(transcript.turns)],
        "obj_list": things[0].category_id,
        "guess_cat_id": things[guess].category_id,
        "guess_cat_str": things[guess].category,
        "all_guess_probs": probabilities,
    }


def _probabilities(transcript: Transcript, questions: int) -> list[list[float]]:
    rows = [[0.0] * SLOTS for _ in range(questions + 1)]
    asked = 0
    for event in transcript.events:
        if isinstance(event, Ask):
            asked += 1
        elif isinstance(event, Believe):
            believed = event.belief.probabilities
            rows[asked] = [*believed, *[0.0] * (SLOTS - len(believed))]
    return rows


def _dialogue(place: int, key: str, row: _Game) -> Dialogue:
    turns, unanswered = spoken(row.gen_dialogue, "$.gen_dialogue")
    slots: list[tuple[float, ...]] = [tuple(each) for each in row.all_guess_probs[: len(turns) + 1]]
    if row.guess_probs and len(slots) <= len(turns):
        slots += [()] * (len(turns) - len(slots)) + [tuple(row.guess_probs)]
    return Dialogue(
        place,
        game=key,
        image=row.image,
        target_index=row.target_id,
        guess_index=row.guess_id,
        turns=turns,
        unanswered=unanswered,
        status="success" if row.guess_id == row.target_id else "failure",
        slots=tuple(slots),
    )


def _recognises(_: Path, head: bytes) -> bool:
    names = (b'"gen_dialogue"', b'"guess_id"', b'"target_id"')
    return all(name in head for name in names) and head.lstrip().startswith(b"{")


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_dialogues(read(path, skipped))


FORMATS: tuple[Format, ...] = (
    Format("gdse-log", "games played by GDSE (json)", _recognises, _summarise),
)
