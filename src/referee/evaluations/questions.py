"""Does each question earn its turn? Effective and referring questions (questions.txt, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.errors import MissingPlayer, UsageError
from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.measures import PERCENT, Measure
from referee.evaluations.oracle import Sweep
from referee.evaluations.result import Row
from referee.games import ANSWERS, GuessWhat, Transcript, Turn
from referee.metrics.reference_set import ReferenceSets, means_by_game, reference_sets
from referee.players import resolve
from referee.players.resolve import Player

_FEWEST = 2


class Options(Struct, frozen=True):
    """How questions are judged.

    `oracle` is a player's name or a player; without one it is the oracle that played, where the
    transcripts know it. `truncate` judges the first turns only; the task success stays that of the
    whole game. `oracle_seed` is what an oracle that draws draws from.
    """

    variant: Literal["paper"] = "paper"
    oracle: object = None
    oracle_seed: int = 0
    truncate: int | None = None


@dataclass(frozen=True)
class _Game:
    """What is kept of a game until the oracle has been asked."""

    game: GuessWhat
    turns: tuple[Turn, ...]
    asked: tuple[int, ...]
    """The number of each question in the sweep; empty where the game cannot be judged."""


def measures(_turns: Sequence[Row]) -> tuple[Measure, ...]:
    """The values of `questions`; `effectiveness` is the mean over dialogues of each one's share."""
    return (
        _percent("task_success", "success"),
        _percent("task_success_unique", "success", where=("unique", True)),
        Measure("n_questions", "n_questions"),
        _percent("effectiveness", "effectiveness"),
        _percent("effectiveness_success", "effectiveness", where=("status", "success")),
        _percent("effectiveness_failure", "effectiveness", where=("status", "failure")),
        _percent("last_effective", "last_effective"),
        _percent("last_referring", "last_referring"),
        _percent("task_success_last_referring", "success", where=("last_referring", True)),
        _percent("task_success_last_not_referring", "success", where=("last_referring", False)),
    )


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """The rows of games and turns; without an oracle those columns are absent that need one."""
    if options.truncate is not None and options.truncate < 1:
        raise UsageError(f"truncate must be at least 1, not {options.truncate}")
    found = Collected()
    sweep, kept, played = Sweep(), [], set[str]()
    seen: set[tuple[str, str]] = set()
    for transcript in transcripts:
        game = transcript.game
        assert isinstance(game, GuessWhat)  # noqa: S101 - judge has checked, mypy has not
        turns = transcript.turns[: options.truncate]
        played.update(sitting.player for sitting in transcript.seats if sitting.seat == "oracle")
        kept.append(_Game(game, turns, _asked(game, turns, sweep)))
        found.games.append(_row(transcript, turns, (game.image, game.target) not in seen))
        seen.add((game.image, game.target))
    oracle = _oracle(options.oracle, played, found.notes)
    found.options = {"oracle": None if oracle is None else oracle.name}
    if oracle is not None:
        answers = sweep.answers(oracle, options.oracle_seed)
        _judge(found, kept, answers)
    _note(found, options)
    return found


def _asked(game: GuessWhat, turns: Sequence[Turn], sweep: Sweep) -> tuple[int, ...]:
    if not _judgeable(game):
        return ()
    return tuple(sweep.add(game.scene, turn.question) for turn in turns)


def _judgeable(game: GuessWhat) -> bool:
    """Whether there is something that a question could rule out."""
    things = game.scene.things
    return len(things) >= _FEWEST and any(thing.id == game.target for thing in things)


def _row(transcript: Transcript, turns: Sequence[Turn], unique: bool) -> Row:
    game = transcript.game
    return {
        "game": game.id,
        "image": game.image,
        "target": getattr(game, "target", None),
        "status": transcript.status,
        "success": transcript.status == "success",
        "unique": unique,
        "guess": transcript.guess,
        "n_questions": len(turns),
    }


def _oracle(wanted: object, played: set[str], notes: list[str]) -> Player | None:
    """The oracle to ask; None where none is given and none is known."""
    if wanted is not None:
        player = resolve.resolve(wanted)
    elif len(played) == 1:
        (name,) = played
        try:
            player = resolve.resolve(name)
        except MissingPlayer as error:
            notes.append(f"the oracle that played cannot be asked again: {error}")
            return None
    else:
        known = f"the games had {len(played)} oracles" if played else "no oracle is known"
        notes.append(f"{known}: name one to judge effective and referring questions")
        return None
    return resolve.require(player, "oracle", resolve.METHODS["oracle"])


def _judge(found: Collected, kept: Sequence[_Game], answers: Sequence[NDArray[np.int8]]) -> None:
    """Adds to the games' rows what their questions did, and makes the turns' rows."""
    turns = np.array([len(item.asked) for item in kept], dtype=np.int64)
    cells = [answers[number] for item in kept for number in item.asked]
    flat = np.concatenate(cells) if cells else np.empty(0, np.int8)
    things = np.array([len(item.game.scene.things) for item in kept], dtype=np.int64)
    targets = [item.game.target_index if item.asked else 0 for item in kept]
    sets = reference_sets(flat, things, turns, np.array(targets, dtype=np.int64))
    share = means_by_game(sets.effective, turns)
    last = np.cumsum(turns) - 1
    for place, (row, item) in enumerate(zip(found.games, kept, strict=True)):
        judged = bool(item.asked)
        row["effectiveness"] = float(share[place]) if judged else None
        row["last_effective"] = bool(sets.effective[last[place]]) if judged else None
        row["last_referring"] = bool(sets.referring[last[place]]) if judged else None
    found.turns.extend(_turn_rows(kept, flat, sets))


def _turn_rows(
    kept: Sequence[_Game], answers: NDArray[np.int8], sets: ReferenceSets
) -> Iterator[Row]:
    turn_number = cell = 0
    for item in kept:
        ids = [thing.id for thing in item.game.scene.things]
        for place, turn in enumerate(item.turns[: len(item.asked)]):
            left = sets.remaining[cell : cell + len(ids)]
            said = answers[cell + item.game.target_index]
            yield {
                "game": item.game.id,
                "image": item.game.image,
                "turn": place + 1,
                "question": turn.question,
                "answer": turn.answer,
                "oracle_answer": ANSWERS[said],
                "effective": bool(sets.effective[turn_number]),
                "referring": bool(sets.referring[turn_number]),
                "distractors": int(sets.sizes[turn_number]) - 1,
                "reference_set": [ids[spot] for spot in np.flatnonzero(left)],
            }
            turn_number += 1
            cell += len(ids)


def _note(found: Collected, options: Options) -> None:
    incomplete = sum(row["status"] == "incomplete" for row in found.games)
    if incomplete:
        found.notes.append(
            f"{incomplete} incomplete games count as not successful; they are in effectiveness, "
            "and in neither effectiveness_success nor effectiveness_failure"
        )
    unjudged = sum(row.get("effectiveness", 0.0) is None for row in found.games)
    if unjudged:
        found.notes.append(
            f"{unjudged} games have no question, or a scene of fewer than two known things: "
            "their questions cannot be judged (n_failed)"
        )
    if options.truncate is not None:
        found.notes.append(
            f"the first {options.truncate} turns are judged; task success is that of the whole games"
        )


def _percent(name: str, column: str, where: tuple[str, str | bool] | None = None) -> Measure:
    return Measure(name, column, unit=PERCENT, higher_is_better=True, where=where)


EVALUATION = Evaluation(
    name="questions",
    asks="Does each question earn its turn?",
    game=GuessWhat,
    options=Options,
    collect=collect,
    measures=measures,
)
