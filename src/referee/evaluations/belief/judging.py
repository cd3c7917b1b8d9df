"""The evaluation itself: from transcripts, or a guesser fed with them, to the rows of games and turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from referee.errors import DataError, UsageError
from referee.evaluations.belief import columns
from referee.evaluations.belief.held import CODES, Beliefs, Held, beliefs_of, fed, of_transcript
from referee.evaluations.belief.labelled import Labelled, by_file, by_rules
from referee.evaluations.belief.measuring import measures
from referee.evaluations.belief.options import Options, Settled, settle
from referee.evaluations.belief.values import values
from referee.evaluations.choosing import who
from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.oracle import Sweep
from referee.evaluations.result import Option
from referee.games import GuessWhat, Transcript
from referee.metrics.belief.bayes import BayesGap, bayes_gap
from referee.metrics.belief.ragged import Floats, spread
from referee.players.recorded import digest
from referee.players.resolve import Player

_GUESSER = "whose beliefs are to be judged (--guesser)"
_ORACLE = "to say what an ideal observer would believe (--oracle): no Bayes gap"


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """The rows of games and turns; without an oracle there is no Bayes gap."""
    found = Collected()
    held, played = _held(transcripts, options, found)
    told = any(any(each.beliefs) for each in held)
    guesser = None
    if options.guesser is not None or (held and not told):
        guesser = who(options.guesser, "guesser", played["guesser"], found.notes, _GUESSER)
        if guesser is None:
            raise UsageError(f"there are no beliefs to judge: {found.notes[-1]}")
    settled = settle(options, fed=options.guesser is not None)
    if settled.successful:
        held = [each for each in held if each.status == "success"]
    if guesser is not None:
        held = fed(held, guesser, options.guesser_seed)
    judged = [each for each in held if each.judgeable]
    beliefs = beliefs_of(judged)
    _refuse(beliefs.bad, options, found)
    labelled = _labelled(judged, options, found)
    oracle = who(options.oracle, "oracle", played["oracle"], found.notes, _ORACLE)
    gap = None if oracle is None else _gap(beliefs, oracle, options.oracle_seed)
    tables = columns.tables(held, beliefs, labelled, columns.How(options, settled), gap)
    found.games, found.turns = tables.games.rows(), tables.turns.rows()
    found.arrays = tables
    found.options = _resolved(options, settled, beliefs, guesser, oracle)
    _note(found, held, beliefs, gap, options)
    return found


def _held(
    transcripts: Iterable[Transcript], options: Options, found: Collected
) -> tuple[list[Held], dict[str, set[str]]]:
    """The games, without those whose answers are none; and who played."""
    held: list[Held] = []
    bad: list[DataError] = []
    played: dict[str, set[str]] = {"oracle": set(), "guesser": set()}
    for transcript in transcripts:
        for sitting in transcript.seats:
            played.setdefault(sitting.seat, set()).add(sitting.player)
        each = of_transcript(transcript)
        for place, turn in enumerate(each.turns):
            if turn.answer not in CODES:
                bad.append(_wrong_answer(each.game, place, turn.answer))
                break
        else:
            held.append(each)
    _refuse(bad, options, found)
    return held, played


def _wrong_answer(game: GuessWhat, place: int, answer: str) -> DataError:
    return DataError(
        f"the answer is {answer!r}",
        record=f"game {game.id}, turn {place + 1}",
        field="answer",
        expected="Yes, No or N/A",
    )


def _refuse(bad: Sequence[DataError], options: Options, found: Collected) -> None:
    """The first that is bad is an error, or all are counted and the first is shown."""
    if not bad:
        return
    if not options.skip_bad:
        raise bad[0]
    many = "1 turn is bad and counts" if len(bad) == 1 else f"{len(bad)} turns are bad and count"
    found.notes.append(f"{many} as failed (n_failed); the first: {bad[0]}")


def _labelled(judged: Sequence[Held], options: Options, found: Collected) -> Labelled:
    begun = [each for each in judged if each.turns]
    if options.soft_labels is None:
        labelled = by_rules(begun, options.combine)
    else:
        labelled = by_file(begun, Path(options.soft_labels))
    found.notes.extend(labelled.notes)
    return labelled


def _gap(beliefs: Beliefs, oracle: Player, seed: int) -> BayesGap:
    """The Bayes gap of every turn, by what the oracle answers about each candidate."""
    sweep = Sweep()
    numbers = [
        sweep.add(each.game.scene, turn.question, each.game.id, place + 1)
        for each in beliefs.held
        for place, turn in enumerate(each.turns)
    ]
    swept = sweep.ask(oracle, seed)
    return gap_of(beliefs, swept.probabilities[swept.cells(columns.counts(numbers))])


def gap_of(beliefs: Beliefs, probabilities: Floats) -> BayesGap:
    """The Bayes gap from the oracle's probabilities of Yes, No and N/A, shape (cells, 3)."""
    said = spread(beliefs.answers, beliefs.widths)
    likelihoods = probabilities[np.arange(len(said)), said]
    return bayes_gap(beliefs.probabilities, beliefs.before, likelihoods, beliefs.widths)


def _resolved(
    options: Options,
    settled: Settled,
    beliefs: Beliefs,
    guesser: Player | None,
    oracle: Player | None,
) -> dict[str, Option]:
    labels = options.soft_labels
    return {
        "guesser": None if guesser is None else guesser.name,
        "oracle": None if oracle is None else oracle.name,
        "soft_labels": "rules" if labels is None else f"{Path(labels).name} {digest(Path(labels))}",
        "status": "success" if settled.successful else "all",
        "mass": "slots" if settled.slots else "candidates",
        "source": beliefs.sources_used or None,
        "padding": _padding(options),
    }


def _note(
    found: Collected,
    held: Sequence[Held],
    beliefs: Beliefs,
    gap: BayesGap | None,
    options: Options,
) -> None:
    unjudged = sum(not each.judgeable for each in held)
    if unjudged:
        found.notes.append(
            f"{unjudged} games have a scene of fewer than two known things, or no known target: they "
            "cannot be judged (n_failed)"
        )
    missing = int((~beliefs.known).sum()) - len(beliefs.bad)
    if missing > 0:
        found.notes.append(f"{missing} turns have no belief (n_failed)")
    others = [name for name in beliefs.sources_used.split(", ") if name not in ("", "softmax")]
    if others:
        many = sum(source in others for source in beliefs.sources)
        found.notes.append(
            f"{many} of {len(beliefs.sources)} beliefs are no softmax but {', '.join(others)}; "
            "they are judged in the same way"
        )
    if gap is not None:
        undefined = int((np.isnan(gap.gap) & beliefs.known).sum())
        if undefined > 0:
            found.notes.append(
                f"{undefined} turns have no ideal observer: what was believed possible, or what is known "
                "of the turn before, could not have led to the answer"
            )
    _note_leaks(found, beliefs, options)


def _note_leaks(found: Collected, beliefs: Beliefs, options: Options) -> None:
    leaked = beliefs.leaked[beliefs.leaked > 0]
    if len(leaked):
        found.notes.append(
            f"MASS LEAKS: in {len(leaked)} of {len(beliefs.leaked)} turns the guesser gives probability to "
            f"no candidate (padding), {100 * leaked.mean():.3g} % on average there; beliefs are judged as "
            "shared out over the candidates, but by the litmus test under mass=slots"
        )
    share = _padding(options)
    if share:
        found.notes.append(
            f"MASS LEAKS: the file gives {100 * share:.3g} % of the probability of its beliefs to slots "
            "without a candidate; it was shared out over the candidates"
        )


def _padding(options: Options) -> float | None:
    """The share of the probability that a file gave to slots without a candidate; None if it has none."""
    given = getattr(options.padding, "beliefs", 0)
    lost = float(getattr(options.padding, "leaked", 0.0))
    return lost / given if given and lost else None


EVALUATION = Evaluation(
    name="belief",
    asks="Are the guesser's probabilities those that the answers warrant?",
    game=GuessWhat,
    options=Options,
    collect=collect,
    measures=measures,
    values=values,
    headline=(
        "task_accuracy",
        "r_category",
        "r_object",
        "r_spatial",
        "r_colour",
        "grounded_cs_object_no",
        "bayes_gap",
        "ece_turn_1",
        "nll_turn_1",
    ),
)
