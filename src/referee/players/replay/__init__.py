"""A player that repeats what was said in a file of dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.errors import MissingPlayer, SeatError, UsageError
from referee.games import ANSWERS, Answer, Ask, Belief, Believe, GuessWhat, GuessWhich, Transcript
from referee.players.naming import Settings
from referee.players.recorded import digest, existing, transcripts
from referee.players.seats import Query, View

_NAMED = 5
_PLACES = {answer: place for place, answer in enumerate(ANSWERS)}


class _Record(Struct, frozen=True):
    """What was said in one game; `beliefs[t]` is what was believed after t answers."""

    questions: tuple[str, ...]
    answers: tuple[Answer, ...]
    beliefs: dict[int, Belief]
    guess: str
    target: str


class Replay:
    """Repeats questions, answers, beliefs and guesses; a game of which it has no dialogue it refuses.

    `file` is a file of dialogues or a run folder; `games` the games that its dialogues were about, for
    files that do not hold the games' ids.
    """

    def __init__(self, file: str, games: str = "") -> None:
        self._path = existing(Path(file))
        self._games = existing(Path(games)) if games else None
        self.settings: Settings = {"games": games} if games else {}
        self._records = _read(self._path, self._games)

    @cached_property
    def version(self) -> str:
        """The content of what is replayed."""
        files = [self._path] if self._games is None else [self._path, self._games]
        return " ".join(map(digest, files))

    @cached_property
    def beliefs(self) -> bool:
        """Whether every dialogue says after each answer what was believed."""
        return all(
            turn in record.beliefs
            for record in self._records.values()
            for turn in range(1, len(record.answers) + 1)
        )

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """The next question of each dialogue, None after its last."""
        found = self._find([view.game for view in views])
        asked = zip(found, views, strict=True)
        return [
            record.questions[len(view.turns)] if len(view.turns) < len(record.questions) else None
            for record, view in asked
        ]

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """What was answered to the same question about the same target."""
        found = self._find([query.game for query in queries])
        return np.array([_answered(r, q) for r, q in zip(found, queries, strict=True)])

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """What was believed after as many answers."""
        found = self._find([view.game for view in views])
        return [_believed(record, view) for record, view in zip(found, views, strict=True)]

    def guess(self, views: Sequence[View]) -> list[str | None]:
        """The guess that was made at the end of each dialogue; None where it is cut off before."""
        found = self._find([view.game for view in views])
        return [
            (record.guess or None) if len(view.turns) == len(record.answers) else None
            for record, view in zip(found, views, strict=True)
        ]

    def _find(self, games: Sequence[str]) -> list[_Record]:
        records = self._records
        missing = [game for game in dict.fromkeys(games) if game not in records]
        if missing:
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            raise SeatError(
                f"{self._path} has no dialogue for game {', '.join(missing[:_NAMED])}{more}"
            )
        return [records[game] for game in games]


def build(text: str, file: str, written: dict[str, str]) -> Replay:
    """The player of `replay:<file>`, with `games` as its only setting."""
    unknown = [name for name in written if name != "games"]
    if unknown:
        raise UsageError(f"{text}: there is no setting '{unknown[0]}' (its settings are games)")
    if not file:
        raise MissingPlayer(f"{text}: name a file of dialogues or a run folder, replay:FILE")
    return Replay(file, **written)


def _read(path: Path, games: Path | None) -> dict[str, _Record]:
    records: dict[str, _Record] = {}
    for transcript in transcripts(path, games):
        if transcript.game.id in records:
            raise UsageError(f"{path} holds two dialogues of game {transcript.game.id}")
        records[transcript.game.id] = _record(transcript)
    return records


def _record(transcript: Transcript) -> _Record:
    game = transcript.game
    target = game.target if isinstance(game, GuessWhat | GuessWhich) else ""
    guess = transcript.guess or (target if transcript.status == "success" else "")
    beliefs: dict[int, Belief] = {}
    answers: list[Answer] = []
    for event in transcript.events:
        if isinstance(event, Answer):
            answers.append(event)
        elif isinstance(event, Believe):
            beliefs[len(answers)] = event.belief
    questions = tuple(event.text for event in transcript.events if isinstance(event, Ask))
    return _Record(questions[: len(answers)], tuple(answers), beliefs, guess, target)


def _answered(record: _Record, query: Query) -> Sequence[float]:
    turn, thing = len(query.turns), query.scene.things[query.thing].id
    if record.target and thing != record.target:
        raise SeatError(
            f"game {query.game} was about thing {record.target}; "
            f"what would have been said of thing {thing} is not recorded"
        )
    recorded = record.questions[turn] if turn < len(record.questions) else None
    if recorded != query.question:
        what = "nothing" if recorded is None else repr(recorded)
        raise SeatError(
            f"game {query.game}, turn {turn + 1}: {query.question!r} was asked; recorded is {what}"
        )
    answer = record.answers[turn]
    if answer.probabilities is not None:
        return answer.probabilities
    return [float(place == _PLACES[answer.text]) for place in range(len(ANSWERS))]


def _believed(record: _Record, view: View) -> Belief:
    turn = len(view.turns)
    if turn in record.beliefs:
        return record.beliefs[turn]
    if turn < len(record.answers) or record.guess:
        raise SeatError(
            f"game {view.game}: what was believed after turn {turn} is not recorded "
            "(play with --no-beliefs)"
        )
    raise SeatError(f"game {view.game}: neither a guess nor a last belief is recorded")
