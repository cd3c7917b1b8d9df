"""A submission to VisDial's server on EvalAI, made of what an answerer played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from referee.datasets.evalai import Ranks
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError, UsageError
from referee.games.model import Form, Reply, Round, Transcript, VisDial
from referee.metrics import ranking

Split: TypeAlias = Literal["val", "test"]
Scored: TypeAlias = tuple[RoundKey, Form, Sequence[float]]


def of_transcripts(transcripts: Iterable[Transcript], split: Split | None = None) -> list[Ranks]:
    """The ranks of the options by their scores: of val in every round, of test in each last round.

    Without a split told, dialogues of which no round has a ground truth are test's. Of options with
    equal scores the earlier one ranks before the later.
    """
    if split is not None and split not in get_args(Split):
        raise UsageError(f"the split must be val or test, not '{split}'")
    played = list(transcripts)
    chosen = split or _split(played)
    scored = [row for transcript in played for row in _scored(transcript, chosen)]
    found: list[Ranks] = []
    for (image, number), form, scores in scored:
        ranks = ranking.ranks(np.array([scores], np.float64))[0]
        found.append(Ranks(image, number, tuple(ranks.tolist()), form))
    return found


def _split(played: Iterable[Transcript]) -> Split:
    rounds = [asked for transcript in played for asked in _game(transcript).rounds]
    return "val" if any(asked.gt_index is not None for asked in rounds) else "test"


def _game(transcript: Transcript) -> VisDial:
    if not isinstance(transcript.game, VisDial):
        raise UsageError(f"game {transcript.game.id} is none of VisDial's")
    return transcript.game


def _scored(transcript: Transcript, split: Split) -> Iterator[Scored]:
    """The scores of the rounds that the server wants ranked."""
    game = _game(transcript)
    replies = [event for event in transcript.events if isinstance(event, Reply)]
    numbers = range(len(game.rounds))
    for number in numbers[-1:] if split == "test" else numbers:
        scores = replies[number].scores if number < len(replies) else ()
        key = RoundKey(game.image, number)
        _check(key, game.rounds[number], scores)
        yield key, game.forms.scene, scores


def _check(key: RoundKey, asked: Round, scores: Sequence[float]) -> None:
    if not asked.options:
        raise DataError(
            "has no answer options",
            record=str(key),
            field="options",
            expected="options in every round of val, and in the last round of test",
        )
    if len(scores) != len(asked.options):
        raise DataError(
            f"has {len(scores)} scores" if scores else "has no scores",
            record=str(key),
            field="scores",
            expected=f"{len(asked.options)}, as an answerer gives that is played with --rank",
        )
    if not np.isfinite(scores).all():
        raise DataError("is not finite", record=str(key), field="scores", expected="numbers")
