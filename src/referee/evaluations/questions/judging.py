"""The evaluation itself: from transcripts to the rows of games and of questions."""

from __future__ import annotations

from collections.abc import Iterable

from referee.errors import UsageError
from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.oracle import Sweep
from referee.evaluations.questions import effects, noise, reguessing
from referee.evaluations.questions.asking import Noted, who, wording
from referee.evaluations.questions.kept import (
    Kept,
    check_answers,
    game_row,
    judgeable,
    turn_rows,
)
from referee.evaluations.questions.measuring import measures
from referee.evaluations.questions.options import Options, Settled, settle
from referee.games import GuessWhat, Transcript, Turn
from referee.players.resolve import Player


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """The rows of games and turns; without an oracle those columns are absent that need one."""
    settled = settle(options)
    found, sweep = Collected(), Sweep()
    games: list[Kept] = []
    noted = Noted()
    played: dict[str, set[str]] = {"oracle": set(), "guesser": set()}
    seen: set[tuple[str, str]] = set()
    for transcript in transcripts:
        for sitting in transcript.seats:
            played.setdefault(sitting.seat, set()).add(sitting.player)
        kept = _kept(transcript, options, settled, sweep, seen)
        seen.add((kept.game.image, kept.game.target))
        games.append(kept)
        noted.note(kept)
    found.games = [kept.row for kept in games]
    found.turns = [row for kept in games for row in kept.rows]
    oracle = who(options.oracle, "oracle", played["oracle"], found.notes)
    guesser = None
    if options.reguess:
        guesser = _guesser(options, played["guesser"])
        _reguess(found, games, guesser, options)
    if oracle is not None:
        _judge(found, games, (noted, sweep), oracle, (options, settled))
    found.options = {
        **settled.told(),
        "oracle": None if oracle is None else oracle.name,
        "guesser": None if guesser is None else guesser.name,
    }
    _note(found, games, options)
    return found


def _kept(
    transcript: Transcript,
    options: Options,
    settled: Settled,
    sweep: Sweep,
    seen: set[tuple[str, str]],
) -> Kept:
    game = transcript.game
    assert isinstance(game, GuessWhat)  # noqa: S101 - judge has checked, mypy has not
    turns = transcript.turns[: options.truncate]
    check_answers(game, turns)
    return Kept(
        game,
        turns,
        game_row(transcript, turns, (game.image, game.target) not in seen, settled),
        list(turn_rows(game, turns, settled)),
        _asked(game, turns, sweep, settled) if judgeable(game) else (),
        transcript.status == "success",
    )


def _asked(
    game: GuessWhat, turns: tuple[Turn, ...], sweep: Sweep, settled: Settled
) -> tuple[int, ...]:
    return tuple(
        sweep.add(game.scene, wording(turn.question, settled.question_text), game.id, place + 1)
        for place, turn in enumerate(turns)
    )


def _judge(
    found: Collected,
    games: list[Kept],
    questions: tuple[Noted, Sweep],
    oracle: Player,
    how: tuple[Options, Settled],
) -> None:
    """Asks the oracle and adds the columns that need it."""
    (noted, sweep), (options, settled) = questions, how
    swept = sweep.ask(oracle, options.oracle_seed)
    for kept in games:
        if not kept.asked:
            effects.blank(kept.row)
    done = effects.Effects(noted.asked(swept, dialogue=settled.target_answer == "dialogue"))
    if not done.asked.games:
        return
    effects.fill(done)
    if options.oracle_accuracy is not None:
        noise.fill(done, options.oracle_accuracy, options.oracle_seed)
        found.notes.append(
            "the corrected values are estimates of what an oracle without errors would have found; "
            "the more it errs, the more bits and redundancy keep of their bias"
        )


def _guesser(options: Options, played: set[str]) -> Player:
    """Who guesses again; without one the success of whole games would pass for that of a few turns."""
    why: list[str] = []
    guesser = who(options.guesser, "guesser", played, why)
    if guesser is None:
        raise UsageError(f"{why[0]} (--guesser)")
    return guesser


def _reguess(found: Collected, games: list[Kept], guesser: Player, options: Options) -> None:
    unable = reguessing.reguess(games, guesser, options.guesser_seed)
    found.notes.append(
        f"{guesser.name} guesses after {_many(options.truncate or 0, 'turn')}; "
        "task success is that of these guesses"
    )
    if unable:
        keep = "keeps" if unable == 1 else "keep"
        found.notes.append(
            f"{_many(unable, 'game')} of unknown things {keep} the guess of the whole game"
        )


def _note(found: Collected, games: list[Kept], options: Options) -> None:
    alone = sum(not kept.game.image for kept in games)
    if alone:
        found.notes.append(
            f"{_many(alone, 'game')} of unknown pictures: intervals draw each as a picture of its own"
        )
    incomplete = sum(row["status"] == "incomplete" for row in found.games)
    if incomplete:
        found.notes.append(
            f"{_many(incomplete, 'incomplete game')}: not won; in effectiveness, and in neither "
            "effectiveness_success nor effectiveness_failure"
        )
    unjudged = [kept for kept in games if "effectiveness" in kept.row and not kept.asked]
    silent = sum(not kept.turns for kept in unjudged)
    if silent:
        found.notes.append(f"{_many(silent, 'game')} without a question: not judged (n_failed)")
    unknown = len(unjudged) - silent
    if unknown:
        found.notes.append(
            f"{_many(unknown, 'game')} with fewer than two known things or another target: "
            "not judged (n_failed); where a file holds no things, --games names one that does"
        )
    if options.truncate is not None and not options.reguess:
        found.notes.append(
            f"judged are the first {_many(options.truncate, 'turn')}; "
            "task success stays that of whole games"
        )


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


EVALUATION = Evaluation(
    name="questions",
    asks="Does each question earn its turn?",
    game=GuessWhat,
    options=Options,
    collect=collect,
    measures=measures,
    headline=(
        "task_success",
        "n_questions",
        "effectiveness",
        "last_effective",
        "last_referring",
        "information_gain",
        "efficiency",
        "redundancy_repeated",
    ),
)
