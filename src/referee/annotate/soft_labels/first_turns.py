"""The soft labels of first turns as arrays: what an evaluation compares beliefs with (belief.txt, 3.2).

`first_turns` and the fields of `FirstTurns` are what other rooms use; they stay as they are named here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels.candidates import candidates
from referee.annotate.soft_labels.labelling import ANSWER_CODES, Answered, How, Labels, label
from referee.annotate.soft_labels.questions import parse
from referee.errors import UsageError
from referee.games import GuessWhat, Transcript
from referee.metrics.belief.ragged import Counts, Flags, Floats, starts

NOT_COVERED = ""


@dataclass(frozen=True, eq=False)
class FirstTurns:
    """The first turn of each transcript, in their order, and its label over the candidates of the scene.

    The cells of all games stand one after the other in scene order: those of game `i` are
    `begins[i] : begins[i] + widths[i]`. `types` [games] is category, object, spatial or colour, or empty
    where the question is not covered (or there is no turn); `answers` [games] 1 Yes, 0 No, -1 any other.
    `probabilities` [cells] is NaN where `labelled` [games] is false; `reference` [cells] says whether any
    rule left the candidate in; `targets` [games] is the target's place in its scene, -1 where unknown.
    """

    ids: tuple[str, ...]
    images: tuple[str, ...]
    types: NDArray[np.str_]
    answers: NDArray[np.int8]
    labelled: Flags
    probabilities: Floats
    reference: Flags
    widths: Counts
    begins: Counts
    targets: Counts
    clipped: int
    labels: Labels

    def cells(self, game: int) -> slice:
        """Where the candidates of one game are."""
        begin = int(self.begins[game])
        return slice(begin, begin + int(self.widths[game]))


def first_turns(transcripts: Iterable[Transcript], how: How | None = None) -> FirstTurns:
    """The label of each game's first turn by itself; games without turns are there, unlabelled."""
    held = list(transcripts)
    games = [guesswhat(transcript) for transcript in held]
    known = candidates(game.scene for game in games)
    turns = [transcript.turns[:1] for transcript in held]
    asked = [parse(turn[0].question) if turn else None for turn in turns]
    codes = [ANSWER_CODES.get(turn[0].answer, -1) if turn else -1 for turn in turns]
    answers = np.array(codes, dtype=np.int8)
    found = label(known, Answered(np.arange(len(games)), asked, answers), how)
    return FirstTurns(
        ids=tuple(game.id for game in games),
        images=tuple(game.image for game in games),
        types=np.array(
            [NOT_COVERED if each is None else each.type for each in asked], dtype=np.str_
        ),
        answers=answers,
        labelled=found.labelled,
        probabilities=found.probabilities,
        reference=found.votes > 0,
        widths=found.widths,
        begins=starts(found.widths),
        targets=np.array([_target(game) for game in games], dtype=np.int64),
        clipped=known.clipped,
        labels=found,
    )


def guesswhat(transcript: Transcript) -> GuessWhat:
    """The game, which must be one of GuessWhat?!."""
    game = transcript.game
    if not isinstance(game, GuessWhat):
        raise UsageError(f"soft labels are about GuessWhat?!; game {game.id} is none")
    return game


def _target(game: GuessWhat) -> int:
    for place, thing in enumerate(game.scene.things):
        if thing.id == game.target:
            return place
    return -1
