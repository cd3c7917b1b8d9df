"""Rankers without a run, judged as answerers are: where they put human answers and relevant ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from referee.errors import DataError
from referee.evaluations.answers import ranks
from referee.evaluations.measures import Intervals, summarise
from referee.evaluations.result import Row, Value
from referee.games import Ask, Reply, Transcript, VisDial
from referee.players.cca.playing import Ranker
from referee.players.seats import Look

COLUMNS = ("mr", "r_at_1", "r_at_5", "r_at_10", "mrr", "ndcg")
"""The values of Tables 3, 5, 8 and 9 of answers.txt."""

_GAMES = 64
"""Dialogues that are ranked at once: the scores of a whole split would be gigabytes."""


def ranked(ranker: Ranker, games: Sequence[VisDial]) -> list[Row]:
    """A row for each round that has options and a ground truth, as the evaluation `answers` has it."""
    rows: list[Row] = []
    waiting = iter(games)
    while batch := list(islice(waiting, _GAMES)):
        found = ranks.Ranked()
        for transcript in _scored(ranker, batch):
            assert isinstance(transcript.game, VisDial)  # noqa: S101 - made of one, mypy has not seen
            found.add(transcript.game, transcript)
        rows += found.rows("stable")
    if not rows:
        raise DataError("there is no round with options and a ground truth to rank")
    return rows


def _scored(ranker: Ranker, games: Sequence[VisDial]) -> Iterator[Transcript]:
    """The dialogues as if the ranker had held them."""
    looks = [
        Look(game.id, 0, game.scene, asked.question, options=asked.options)
        for game in games
        for asked in game.rounds
        if asked.options
    ]
    scores = iter(ranker.scores(looks) if looks else ())
    for game in games:
        events: list[Ask | Reply] = []
        for asked in game.rounds:
            found = tuple(map(float, next(scores))) if asked.options else ()
            events += [Ask(asked.question), Reply(scores=found)]
        yield Transcript(game, tuple(events), "success")


def values(rows: Sequence[Row], intervals: Intervals) -> dict[str, Value]:
    """The values in the papers' order."""
    measures = {measure.name: measure for measure in ranks.MEASURES}
    return {name: summarise(measures[name], rows, intervals, 0) for name in COLUMNS}
