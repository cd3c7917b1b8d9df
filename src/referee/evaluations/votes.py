"""How far people agree on whom an answer leaves, and the rules with them (belief.txt, 3.1 and 5.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels import TYPES, Answered, How, candidates, label, parse
from referee.annotate.soft_labels.labelling import ANSWER_CODES
from referee.annotate.soft_labels.pictures import scene_of
from referee.annotate.soft_labels.votes import Voted
from referee.datasets.files import Skipped
from referee.errors import DataError
from referee.evaluations.evaluation import left_out, versions
from referee.evaluations.measures import PERCENT, Intervals, Measure, summarise
from referee.evaluations.result import Judged, Option, Result, Row, Value, finite
from referee.metrics.belief.agreement import full_agreement, weighted_alpha
from referee.metrics.belief.ragged import over_sums, starts
from referee.metrics.statistics import bootstrap_interval, weighted_correlation

NAME = "votes"
_LISTED = 5


def judge(
    rows: Sequence[Voted],
    how: How | None = None,
    *,
    intervals: Intervals | None = None,
    skipped: Skipped = None,
) -> Judged:
    """What people's votes say, by the type of the question and over all.

    - `full_agreement` is the share of questions on which all people chose the same objects (Figure 4);
      a question on which one person voted has none, and has failed.
    - `alpha` is Krippendorff's, nominal, an object of a question being a unit.
    - `r_people` is Pearson's r between the rules' soft labels and people's, over the candidates of all
      questions that both label (section 5.1).
    """
    if not rows:
        why = f": {left_out(skipped)}" if skipped else ""
        raise DataError(f"there is no vote on any of the questions{why}")
    chosen, interval = how or How(), intervals or Intervals()
    turns = [_row(row) for row in rows]
    values: dict[str, Value] = {}
    ours = _by_rules(rows, chosen)
    for name, kind in (("", None), *((f"_{kind}", kind) for kind in TYPES)):
        held = [place for place, row in enumerate(rows) if kind in (None, row.item.type)]
        if not held:
            continue
        of_kind = [turns[place] for place in held]
        agreement = Measure(f"full_agreement{name}", "agree", "turns", PERCENT)
        values[agreement.name] = summarise(agreement, of_kind, interval, 0)
        some = [rows[place] for place in held]
        values[f"alpha{name}"] = _alpha(some, interval)
        pooled = [(ours[place], rows[place]) for place in held if ours[place] is not None]
        values[f"r_people{name}"] = _correlation(pooled, len(held), interval)
    data = hashlib.sha256()
    for row in rows:
        data.update(msgspec.json.encode([row.item, row.people, row.votes.tolist()]))
    options: dict[str, Option] = {
        "rules": ",".join(chosen.rules),
        "combine": chosen.combine,
        "all_zero": chosen.all_zero,
        **msgspec.structs.asdict(interval),
        "data": f"sha256:{data.hexdigest()[:16]}",
        **versions(),
    }
    notes = (*_notes(rows, ours), *([left_out(skipped)] if skipped else []))
    games = {row.item.game: row.item.image for row in rows}
    held_games: list[Row] = [{"game": game, "image": image} for game, image in games.items()]
    return Judged(Result(NAME, options, values, notes), held_games, turns)


def _row(row: Voted) -> Row:
    item = row.item
    said = {
        person: " ".join(
            str(each.number) for each, vote in zip(item.objects, votes, strict=True) if vote
        )
        for person, votes in zip(row.people, row.votes.T.tolist(), strict=True)
    }
    agree = bool(full_agreement(row.votes, [item.key] * len(row.votes)).all())
    return {
        "game": item.game,
        "image": item.image,
        "turn": item.turn,
        "type": item.type,
        "question": item.question,
        "answer": item.answer,
        "people": len(row.people),
        "agree": agree if len(row.people) > 1 else None,
        "chosen": [f"{person}: {numbers or 'none'}" for person, numbers in said.items()],
    }


def _by_rules(rows: Sequence[Voted], how: How) -> list[NDArray[np.float64] | None]:
    """The rules' soft label of each question, None where there is none."""
    items = [row.item for row in rows]
    known = candidates(map(scene_of, items))
    said = np.array([ANSWER_CODES.get(item.answer, -1) for item in items], dtype=np.int8)
    asked = [parse(item.question) for item in items]
    found = label(known, Answered(np.arange(len(items)), asked, said), how)
    begins = starts(found.widths)
    return [
        found.probabilities[begin : begin + width] if fine else None
        for begin, width, fine in zip(
            begins.tolist(), found.widths.tolist(), found.labelled.tolist(), strict=True
        )
    ]


def _alpha(rows: Sequence[Voted], how: Intervals) -> Value:
    given = np.concatenate([(~np.isnan(row.votes)).sum(axis=1) for row in rows])
    units = np.stack([given, np.concatenate([row.counts for row in rows])], axis=1)
    return _bootstrapped(units, _images(rows, how), weighted_alpha, how)


def _correlation(
    pooled: Sequence[tuple[NDArray[np.float64] | None, Voted]], held: int, how: Intervals
) -> Value:
    fine = [(ours, row) for ours, row in pooled if ours is not None and row.counts.any()]
    failed = held - len(fine)
    if not fine:
        return Value(None, higher_is_better=True, n_failed=failed)
    ours = np.concatenate([ours for ours, _ in fine])
    widths = np.array([len(row.counts) for _, row in fine], dtype=np.int64)
    theirs = over_sums(np.concatenate([row.counts for _, row in fine]), widths)
    units = _images([row for _, row in fine], how)
    found = _bootstrapped(np.stack([ours, theirs], axis=1), units, weighted_correlation, how)
    return msgspec.structs.replace(found, n_failed=failed)


def _images(rows: Iterable[Voted], how: Intervals) -> list[str]:
    """The picture (or game) of each candidate."""
    return [
        row.item.image if how.by == "image" else row.item.game
        for row in rows
        for _ in row.item.objects
    ]


def _bootstrapped(
    values: NDArray[np.float64], units: Sequence[str], statistic: Any, how: Intervals
) -> Value:
    found = bootstrap_interval(
        values,
        clusters=units,
        statistic=statistic,
        method=how.method,
        level=how.level,
        resamples=how.resamples,
        seed=how.seed,
    )
    return Value(
        finite(found.estimate),
        higher_is_better=True,
        ci_low=finite(found.low),
        ci_high=finite(found.high),
        n=found.n,
        n_clusters=found.n_clusters,
    )


def _notes(rows: Sequence[Voted], ours: Sequence[NDArray[np.float64] | None]) -> Iterable[str]:
    people = len({person for row in rows for person in row.people})
    yield f"{people} people voted on {len(rows)} questions"
    empty = [row for row in rows if not row.counts.any()]
    if empty:
        yield f"of {len(empty)} questions nobody meant any object: they have no soft label"
    unlabelled = sum(each is None for each in ours)
    if unlabelled:
        yield f"{unlabelled} questions are not labelled by the rules, and are in no correlation with them"
    single = sum(len(row.people) == 1 for row in rows)
    if single:
        yield f"{single} questions have the votes of one person only"
