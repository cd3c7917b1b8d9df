"""The evaluation itself: from played games, states and attributes to the rows of games and turns."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.errors import DataError
from referee.evaluations.evaluation import Collected, Evaluation, left_out
from referee.evaluations.grounding import played, references
from referee.evaluations.grounding.attributes import Attributes, attributes
from referee.evaluations.grounding.measuring import COLUMNS, measures
from referee.evaluations.grounding.options import Options, settle
from referee.evaluations.grounding.played import Played
from referee.evaluations.grounding.references import Reference
from referee.evaluations.grounding.values import Held, values
from referee.evaluations.result import Option, Row
from referee.games import GuessWhat, Transcript

_DOMAINS = {"gameplay": ("seen",), "zero-shot": ("near", "out"), "dialogue": ("near", "out")}
_NULL = {
    "seen": "gameplay is null",
    "near": "zero_shot_near is null",
    "out": "zero_shot_out is null",
}


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """The rows of the games that were played, and of the human dialogues whose states are probed."""
    settled = settle(options)
    games, zero = (
        None if path is None else Path(path) for path in (options.games, options.zero_shot)
    )
    bad: list[DataError] | None = [] if options.skip_bad else None
    wanted = references.references(games, zero, bad)
    sent = options.submission is not None
    found = played.rows(transcripts, wanted, code=settled.code, sent=sent)
    notes = [*found.notes, *_lacking(found, settled.parts)]
    held = Held(settled.parts)
    judged = Attributes({})
    if "attributes" in settled.parts:
        judged = attributes(options, settled, found.players, bad)
        held.extra = judged.values
        _merge(found.games, judged.rows)
        notes += judged.notes
    if bad:
        notes.append(left_out(bad))
    told: dict[str, Option] = {
        "played_by": found.seated,
        "states": None,
        "attributes": None,
        "games": None if games is None else games.name,
        "zero_shot": None if zero is None else zero.name,
        "reference_games": _counted(wanted.values()),
        "only": ",".join(sorted(settled.parts)),
        "beyond": ",".join(sorted(settled.beyond)) or "none",
    }
    if "classifier" not in judged.told:
        told |= {"beyond": "none", "probe": None}
    return Collected(found.games, found.turns, notes, told | judged.told, held, judged.data)


def _lacking(found: Played, parts: Iterable[str]) -> list[str]:
    """Why a value is null of a domain in which nothing was played."""
    domains = {domain for part in parts for domain in _DOMAINS.get(part, ())}
    return [
        f"{_NULL[domain]}: no such game was played"
        for domain in ("seen", "near", "out")
        if domain in domains and domain in played.lacking(found)
    ]


def _merge(rows: list[Row], more: Iterable[Row]) -> None:
    """The columns of the human dialogues, beside those of the same game as it was played."""
    known = {_key(row): row for row in rows}
    for row in more:
        same = known.get(_key(row))
        if same is None:
            rows.append(row)
        else:
            same |= row


def _key(row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("game", "image", "target"))


def _counted(wanted: Iterable[Reference]) -> str | None:
    """How many games each part should have."""
    counts: dict[str, int] = {}
    for reference in wanted:
        counts[reference.part] = counts.get(reference.part, 0) + 1
    return ", ".join(f"{part} {many}" for part, many in counts.items()) or None


EVALUATION = Evaluation(
    name="grounding",
    asks="Do the states know the object's attributes, and do they survive unseen objects?",
    game=GuessWhat,
    options=Options,
    collect=collect,
    measures=measures,
    values=values,
    headline=(*COLUMNS, "grolla", "elicited_f1_abstract", "elicited_f1_situated"),
)
