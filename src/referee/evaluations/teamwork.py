"""Does the agent help a person win? GuessWhich's ranks and picks (teamwork.txt, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.measures import PERCENT, Measure
from referee.evaluations.result import Row
from referee.games import GuessWhich, Transcript
from referee.games.guesswhich import score
from referee.metrics.ranking import random_mean_rank, random_reciprocal_rank


class Options(Struct, frozen=True):
    """Nothing can be chosen yet."""


def measures(turns: Sequence[Row]) -> tuple[Measure, ...]:
    """The values of `teamwork`: ranks of the final guesses, the score, and the picks round by round.

    `pick_round_0` is the pick after the caption alone.
    """
    rounds = sorted({row["turn"] for row in turns if isinstance(row["turn"], int)})
    return (
        Measure("mean_rank", "rank", higher_is_better=False),
        Measure("mrr", "reciprocal_rank", higher_is_better=True),
        Measure("score", "score", unit="points", higher_is_better=True),
        *(
            Measure(
                f"pick_round_{number}",
                "correct",
                table="turns",
                unit=PERCENT,
                higher_is_better=True,
                where=("turn", number),
            )
            for number in rounds
        ),
    )


def collect(transcripts: Iterable[Transcript], _options: Options) -> Collected:
    """One row a game and one a pick; a game whose target was never guessed has no rank and no score."""
    found = Collected()
    sizes: set[int] = set()
    unfinished = 0
    for transcript in transcripts:
        game = transcript.game
        assert isinstance(game, GuessWhich)  # noqa: S101 - judge has checked, mypy has not
        sizes.add(len(game.pool))
        rank = rank_of_target(transcript)
        unfinished += rank is None
        found.games.append(
            {
                "game": game.id,
                "image": game.image,
                "target": game.target,
                "level": game.level,
                "pool": len(game.pool),
                "status": transcript.status,
                "rank": rank,
                "reciprocal_rank": None if rank is None else 1 / rank,
                "score": None if rank is None else score(transcript),
                "n_questions": len(transcript.turns),
            }
        )
        found.turns.extend(_picks(game, transcript))
    found.notes.extend(baselines(size) for size in sorted(sizes))
    if unfinished:
        found.notes.append(f"{unfinished} games ended before the target was guessed (n_failed)")
    return found


def rank_of_target(transcript: Transcript) -> int | None:
    """How many guesses it took to hit the target, that guess included; None if it was not hit."""
    target = getattr(transcript.game, "target", None)
    guesses = transcript.guesses
    return guesses.index(target) + 1 if target in guesses else None


def baselines(size: int) -> str:
    """What guessing at random would give with a pool of this size."""
    return (
        f"guessing at random among {size} pictures: mean_rank {random_mean_rank(size):.1f}, "
        f"mrr {random_reciprocal_rank(size):.3f}, a correct pick {100 / size:.1f} %"
    )


def _picks(game: GuessWhich, transcript: Transcript) -> Iterable[Row]:
    for number, pick in enumerate(transcript.picks):
        yield {
            "game": game.id,
            "image": game.image,
            "turn": number,
            "pick": pick,
            "correct": pick == game.target,
        }


EVALUATION = Evaluation(
    name="teamwork",
    asks="Does the agent help a person win?",
    game=GuessWhich,
    options=Options,
    collect=collect,
    measures=measures,
    headline=("mean_rank", "mrr", "score", "pick_round_0", "pick_round_9"),
)
