"""Playing through the arena beside a bare loop that calls the same players and keeps no transcript."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from referee.arena import Plan, play_into
from referee.arena.keys import game_key, seat_key
from referee.arena.run import read
from referee.datasets.iconworld.scenes import make_scene
from referee.games import ANSWERS, GuessWhat, Turn, guesswhat
from referee.players.resolve import Player, seat
from referee.players.seats import Query, View
from referee.randomness import Stream, key

GAMES = 10_000
BATCH = 256
TURNS = 8
TIMES = 3
BAR = 2.0
SEATS = {
    "questioner": "scripted:people",
    "oracle": "scripted:noisy-oracle",
    "guesser": "scripted:bayes-guesser",
}


def games() -> list[GuessWhat]:
    """The games of a small Iconworld, in memory."""
    scenes = [make_scene(number, key("bench", number)).scene for number in range(GAMES)]
    return [
        GuessWhat(scene.id, scene, Stream(key("target", scene.id)).choice(scene.things).id)
        for scene in scenes
    ]


class Bare:
    """A game of the bare loop: what the players must be told, and nothing else."""

    __slots__ = ("belief", "game", "guess", "key", "target", "turns")

    def __init__(self, game: GuessWhat) -> None:
        self.game = game
        self.key = game_key(0, game.id)
        self.target = game.target_index
        self.turns: tuple[Turn, ...] = ()
        self.belief: Any = None
        self.guess = -1


def bare(played: Sequence[GuessWhat], players: dict[str, Player]) -> list[Bare]:
    """Plays as the arena does, in the same batches, without rules, checks, events or files."""
    ask, answer, believe = (
        getattr(players[place].who, method)
        for place, method in (("questioner", "ask"), ("oracle", "answer"), ("guesser", "believe"))
    )
    everything = [Bare(game) for game in played]
    source = iter(everything)
    playing: list[Bare] = []
    while True:
        while len(playing) < BATCH and (table := next(source, None)) is not None:
            playing.append(table)
        if not playing:
            return everything
        asking = [table for table in playing if len(table.turns) < TURNS]
        questions = ask(views(asking, "questioner"))
        asked = [(t, q) for t, q in zip(asking, questions, strict=True) if q is not None]
        said = answer([query(table, question) for table, question in asked]) if asked else None
        if said is not None:
            for (table, question), place in zip(asked, said.argmax(axis=1).tolist(), strict=True):
                table.turns = (*table.turns, Turn(question, ANSWERS[place]))
            told = [table for table, _ in asked]
            for table, belief in zip(told, believe(views(told, "guesser")), strict=True):
                table.belief = belief
        going = {id(table) for table, _ in asked if len(table.turns) < TURNS}
        over = [table for table in playing if id(table) not in going]
        unsaid = [table for table in over if table.belief is None]
        for table, belief in zip(unsaid, believe(views(unsaid, "guesser")), strict=True):
            table.belief = belief
        for table in over:
            numbers = table.belief.probabilities
            table.guess = numbers.index(max(numbers))
        playing = [table for table in playing if id(table) in going]


def views(tables: Sequence[Bare], place: str) -> list[View]:
    """What a player needs to be shown of each game."""
    return [
        View(t.game.id, seat_key(t.key, len(t.turns), place), t.turns, t.game.scene) for t in tables
    ]


def query(table: Bare, question: str) -> Query:
    """What the oracle needs to be asked."""
    draw = seat_key(table.key, len(table.turns), "oracle")
    return Query(table.game.id, draw, table.game.scene, table.target, question, table.turns)


def arena(played: Sequence[GuessWhat], players: dict[str, Player], folder: Path) -> None:
    """Plays into a run folder, with beliefs."""
    plan = Plan(guesswhat.Rules(TURNS, beliefs=True))
    for _ in play_into(folder, played, players, plan, files={}, batch=BATCH):
        pass


def timings(played: Sequence[GuessWhat]) -> Iterator[tuple[float, float]]:
    """The seconds of both, one after the other, several times; the same was said in both."""
    for _ in range(TIMES):
        players = seat(SEATS)
        start = time.perf_counter()
        alone = bare(played, players)
        middle = time.perf_counter()
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "run"
            arena(played, players, folder)
            end = time.perf_counter()
            for table, transcript in zip(alone, read(folder), strict=True):
                assert [t.question for t in transcript.turns] == [t.question for t in table.turns]
                assert [t.answer for t in transcript.turns] == [t.answer for t in table.turns]
                assert not transcript.turns or transcript.turns[-1].belief == table.belief
        yield middle - start, end - middle


def case() -> dict[str, object]:
    """The arena's seconds for 10,000 games as a multiple of the bare loop's, best of each."""
    floor, ours = (min(seconds) for seconds in zip(*timings(games()), strict=True))
    return {
        "name": "10,000 games played and written beside a loop that only calls the players",
        "value": round(ours / floor, 2),
        "bar": BAR,
        "unit": "x the bare loop's time, at most",
        "passed": ours / floor <= BAR,
        "details": {
            "bare seconds": round(floor, 2),
            "arena seconds": round(ours, 2),
            "arena games per second": round(GAMES / ours),
        },
    }
