"""How often the rules have the target on the answer's side, alone and together (belief.txt, appendix A)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from referee.annotate.soft_labels.dialogues import Which
from referee.annotate.soft_labels.targets import UNIONS, Asked, target_hits
from referee.datasets.files import Skipped
from referee.errors import DataError
from referee.evaluations.evaluation import left_out, versions
from referee.evaluations.measures import PERCENT, Intervals, Measure, summarise
from referee.evaluations.result import Judged, Result, Row
from referee.games import Transcript

NAME = "rule_accuracy"
MEASURES = tuple(Measure(f"{NAME}_{name}", name, "turns", PERCENT) for name in UNIONS)


def judge(
    transcripts: Iterable[Transcript],
    which: Which = "first",
    *,
    intervals: Intervals | None = None,
    skipped: Skipped = None,
) -> Judged:
    """The accuracy of R1, R2 and R3 and of their unions on the targets of people's dialogues."""
    interval = intervals or Intervals()
    found = target_hits(transcripts, which)
    if not found.asked:
        why = f": {left_out(skipped)}" if skipped else ""
        raise DataError(f"no turn asks for an absolute place and is answered Yes or No{why}")
    data = hashlib.sha256()
    turns: list[Row] = []
    for number, each in enumerate(found.asked):
        data.update(msgspec.json.encode([each.game, each.place, each.turn.answer, each.region]))
        turns.append(_row(each) | {name: bool(hits[number]) for name, hits in found.hits.items()})
    options = {
        "turns": which,
        **msgspec.structs.asdict(interval),
        "data": f"sha256:{data.hexdigest()[:16]}",
        **versions(),
    }
    values = {measure.name: summarise(measure, turns, interval, 0) for measure in MEASURES}
    notes = (left_out(skipped),) if skipped else ()
    games = {str(row["game"]): row for row in turns}
    held: list[Row] = [{"game": game, "image": row["image"]} for game, row in games.items()]
    return Judged(Result(NAME, options, values, notes), held, turns)


def _row(asked: Asked) -> Row:
    return {
        "game": asked.game.id,
        "image": asked.game.image,
        "turn": asked.place,
        "question": asked.turn.question,
        "answer": asked.turn.answer,
        "place": asked.region,
    }
