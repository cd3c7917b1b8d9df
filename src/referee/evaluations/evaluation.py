"""What every evaluation is made of, and the one way in which all of them are run.

An evaluation is a module that ends with `EVALUATION`: it collects rows from transcripts, and names
the measures that are taken from the rows. Intervals, counts, the data's hash and the versions are
added here, the same for all.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import Struct

from referee import __version__
from referee.errors import DataError, UsageError
from referee.evaluations.measures import Intervals, Measure, summarise
from referee.evaluations.result import Judged, Option, Result, Row, Value
from referee.games import Event, Game, GuessWhat, GuessWhich, Transcript, VisDial

_ENCODER, _DECODER = msgspec.json.Encoder(), msgspec.json.Decoder(Transcript)
_NAMES = {GuessWhat: "GuessWhat?!", GuessWhich: "GuessWhich", VisDial: "VisDial"}


@dataclass
class Collected:
    """The rows of the games and of their turns, what to note, and the options as they were resolved.

    Every row has `game` and `image`, every turn's row also `turn`. `arrays` is what the evaluation's own
    `values` needs of them. `data` is a digest of what was judged besides the transcripts, empty where
    there was nothing.
    """

    games: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    arrays: object = None
    data: bytes = b""


Collect: TypeAlias = Callable[[Iterable[Transcript], Any], Collected]
Measures: TypeAlias = Callable[[Sequence[Row]], tuple[Measure, ...]]
Values: TypeAlias = Callable[[Collected, Intervals, int], dict[str, Value]]


@dataclass(frozen=True)
class Evaluation:
    """One evaluation: what it asks, which games it judges, and how.

    `options` is a frozen Struct with defaults, `collect(transcripts, options)` makes the rows, and
    `measures(turns)` names the values; it is given the turns' rows since some depend on their number.
    `headline` are the names of the few values that are shown first, in order.
    An evaluation with values that are no means has `values(collected, intervals, skipped)` as well,
    which gives all of them; `measures` then are those by which two runs can be compared.
    """

    name: str
    asks: str
    game: type[Game]
    options: type[Struct]
    collect: Collect
    measures: Measures
    values: Values | None = None
    headline: tuple[str, ...] = ()


def judge(
    evaluation: Evaluation,
    transcripts: Iterable[Transcript],
    options: Struct | None = None,
    intervals: Intervals | None = None,
    skipped: Sequence[DataError] = (),
) -> Judged:
    """Judges transcripts; `skipped` is the list to which their reader adds the records it leaves out."""
    chosen = evaluation.options() if options is None else options
    interval = Intervals() if intervals is None else intervals
    data = hashlib.sha256()
    collected = evaluation.collect(_checked(evaluation, transcripts, data), chosen)
    data.update(collected.data)
    summary = evaluation.values or partial(_summarised, evaluation)
    values = summary(collected, interval, len(skipped))
    resolved: dict[str, Option] = {
        **_plain(chosen),
        **collected.options,
        **_plain(interval),
        "data": f"sha256:{data.hexdigest()[:16]}",
        **versions(),
    }
    notes = [*collected.notes]
    if skipped and (note := left_out(skipped)) not in notes:
        notes.append(note)
    result = Result(evaluation.name, resolved, values, tuple(notes))
    return Judged(result, collected.games, collected.turns)


def _summarised(
    evaluation: Evaluation, collected: Collected, intervals: Intervals, skipped: int
) -> dict[str, Value]:
    return {
        measure.name: summarise(
            measure,
            collected.games if measure.table == "games" else collected.turns,
            intervals,
            skipped,
        )
        for measure in evaluation.measures(collected.turns)
    }


def left_out(skipped: Sequence[DataError]) -> str:
    """How many records were left out, and the first of them."""
    many = "1 bad record was" if len(skipped) == 1 else f"{len(skipped)} bad records were"
    return f"{many} left out; the first: {skipped[0]}"


def versions() -> dict[str, Option]:
    """The versions on which a number may depend."""
    import numpy as np

    return {
        "referee": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _checked(
    evaluation: Evaluation, transcripts: Iterable[Transcript], data: hashlib._Hash
) -> Iterator[Transcript]:
    """The transcripts as they pass, each of the right game and added to the data's hash."""
    for transcript in transcripts:
        if not isinstance(transcript.game, evaluation.game):
            raise UsageError(
                f"{evaluation.name} judges games of {_NAMES[evaluation.game]}; "
                f"game {transcript.game.id} is one of {_NAMES[type(transcript.game)]}"
            )
        data.update(hashed_text(transcript))
        yield transcript


def hashed_text(transcript: Transcript) -> bytes:
    """What of a transcript is data: who played and how long it took is not, played again it is the same."""
    bare = Transcript(
        transcript.game, tuple(map(_without_cost, transcript.events)), transcript.status
    )
    text = _ENCODER.encode(bare)
    # Read back once, since 1 and 1.0 are the same number but not the same text. What cannot be
    # read back (a NaN) is for the evaluation to refuse, in its own words.
    with suppress(msgspec.ValidationError):
        text = _ENCODER.encode(_DECODER.decode(text))
    return text


def _without_cost(event: Event) -> Event:
    return event if event.cost is None else msgspec.structs.replace(event, cost=None)


def _plain(options: Struct) -> dict[str, Option]:
    """The options as they are written down: an object by the name it has."""
    return {name: _option(value) for name, value in msgspec.structs.asdict(options).items()}


def _option(value: object) -> Option:
    if value is None or isinstance(value, get_args(Option)):
        return value
    return str(getattr(value, "name", type(value).__name__))
