"""Are the reference sets right? One file's sets against another's (answers.txt, Tables 1 and 10)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np
from msgspec import Struct

from referee.annotate.reference_sets.checking import disagreement, within
from referee.annotate.reference_sets.projections import Projects
from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.files import Skipped, refuse
from referee.datasets.visdial_file import RoundKey
from referee.evaluations.evaluation import left_out, versions
from referee.evaluations.measures import PERCENT, Intervals, Measure, summarise
from referee.evaluations.result import Judged, Result, Row, finite

NAME = "reference_sets"
_LISTED = 10
_COLUMNS = ("iou", "precision", "recall", "gt_in", "size", "reference_size")

MEASURES = (
    Measure("iou", "iou", "turns", PERCENT, higher_is_better=True),
    Measure("precision", "precision", "turns", PERCENT, higher_is_better=True),
    Measure("recall", "recall", "turns", PERCENT, higher_is_better=True),
    Measure("gt_in", "gt_in", "turns", PERCENT, higher_is_better=True),
    Measure("size", "size", "turns"),
    Measure("reference_size", "reference_size", "turns"),
)
CORRELATIONS = (
    Measure("correlation", "correlation", "turns"),
    Measure("correlation_std", "correlation_std", "turns"),
)


class Options(Struct, frozen=True):
    """Which files were compared, and by which model and with what their members were correlated."""

    reference: str = ""
    candidate: str = ""
    cca: str | None = None
    correlated_with: str = "ground-truth"


def verify(
    reference: Iterable[ReferenceSet],
    candidate: Iterable[ReferenceSet],
    model: Projects | None = None,
    options: Options | None = None,
    *,
    intervals: Intervals | None = None,
    skipped: Skipped = None,
) -> Judged:
    """Compares the candidate's sets C with the reference's sets H, round by round.

        iou = |H n C| / |H u C|,  precision = |H n C| / |C|,  recall = |H n C| / |H|

    `gt_in` says whether the ground truth is in C. With a model, `correlation` is the mean of the
    members' correlations with the ground truth, the ground truth's own 1 among them, and
    `correlation_std` their sample standard deviation in sets of two or more. Rounds that only one of
    the two has are listed: a round of H without a candidate has failed, one of C alone is left aside.
    The turns' rows say in `outcome` which are which: compared, missing, extra, or disagrees.
    """
    chosen, interval = options or Options(), intervals or Intervals()
    data = hashlib.sha256()
    ours = {row.key: row for row in _hashed(reference, data)}
    theirs: dict[RoundKey, ReferenceSet] = {}
    extra: list[RoundKey] = []
    for found in _hashed(candidate, data):
        # Of a whole split only the rounds that people judged are kept.
        if found.key in ours:
            theirs[found.key] = found
        else:
            extra.append(found.key)
    missing = [key for key in ours if key not in theirs]
    pairs, failed = _paired(ours, theirs, skipped)
    compared = [_compared(human, found) for human, found in pairs]
    if model is not None and pairs:
        _correlate(compared, [found for _, found in pairs], model, chosen)
    rows = [
        *compared,
        *(_row(key, "disagrees") | dict.fromkeys(_COLUMNS) for key in failed),
        *(_row(key, "missing") | dict.fromkeys(_COLUMNS) for key in missing),
        *(_row(key, "extra") for key in extra),
    ]
    measures = MEASURES if model is None else (*MEASURES, *CORRELATIONS)
    notes = (*_unpaired(missing, extra), *([left_out(skipped)] if skipped else []))
    values = {measure.name: summarise(measure, rows, interval, 0) for measure in measures}
    told = {
        **msgspec.structs.asdict(chosen),
        **msgspec.structs.asdict(interval),
        "data": f"sha256:{data.hexdigest()[:16]}",
        **versions(),
    }
    return Judged(Result(NAME, told, values, notes), _images(rows), rows)


def _hashed(sets: Iterable[ReferenceSet], data: hashlib._Hash) -> Iterator[ReferenceSet]:
    for row in sets:
        data.update(msgspec.json.encode(row))
        yield row


def _paired(
    ours: dict[RoundKey, ReferenceSet], theirs: dict[RoundKey, ReferenceSet], skipped: Skipped
) -> tuple[list[tuple[ReferenceSet, ReferenceSet]], list[RoundKey]]:
    """The sets of the rounds that both have, and the rounds about which the two disagree."""
    pairs, failed = [], []
    for key, human in ours.items():
        if (found := theirs.get(key)) is None:
            continue
        problem = disagreement(human, found)
        if problem is None:
            pairs.append((human, found))
        else:
            refuse(problem, skipped)
            failed.append(key)
    return pairs, failed


def _row(key: RoundKey, outcome: str) -> Row:
    return {"game": key.image, "image": key.image, "turn": key.round + 1, "outcome": outcome}


def _compared(human: ReferenceSet, found: ReferenceSet) -> Row:
    ours, theirs = np.array(human.mask, bool), np.array(found.mask, bool)
    both = int((ours & theirs).sum())
    return {
        **_row(human.key, "compared"),
        "iou": both / int((ours | theirs).sum()),
        "precision": both / int(theirs.sum()),
        "recall": both / int(ours.sum()),
        "gt_in": float(human.gt_answer in found.references),
        "size": float(theirs.sum()),
        "reference_size": float(ours.sum()),
    }


def _correlate(
    rows: Sequence[Row], sets: Sequence[ReferenceSet], model: Projects, options: Options
) -> None:
    of_question = options.correlated_with == "question"
    for row, found in zip(rows, within(sets, model, of_question=of_question), strict=True):
        row["correlation"] = finite(float(found.mean()))
        if len(found) > 1:
            row["correlation_std"] = finite(float(found.std(ddof=1)))


def _unpaired(missing: Sequence[RoundKey], extra: Sequence[RoundKey]) -> list[str]:
    notes = []
    if missing:
        notes.append(f"{_many(missing)} of the reference without a candidate: {_listed(missing)}")
    if extra:
        notes.append(f"{_many(extra)} of the candidate alone, left aside: {_listed(extra)}")
    return notes


def _many(keys: Sequence[RoundKey]) -> str:
    return "1 round" if len(keys) == 1 else f"{len(keys)} rounds"


def _listed(keys: Sequence[RoundKey]) -> str:
    """The first of the rounds, as image:round from 0."""
    named = ", ".join(f"{key.image}:{key.round}" for key in keys[:_LISTED])
    return f"{named} …" if len(keys) > _LISTED else named


def _images(rows: Sequence[Row]) -> list[Row]:
    counts: dict[str, int] = {}
    for row in rows:
        image = str(row["image"])
        counts[image] = counts.get(image, 0) + 1
    return [{"game": image, "image": image, "n_rounds": count} for image, count in counts.items()]
