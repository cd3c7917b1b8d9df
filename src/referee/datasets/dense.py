"""VisDial's dense annotations: how relevant people found each answer option of one round an image.

The files count rounds from 1. The validation file says `gt_relevance`, the sample of train says
`relevance`; a row remembers which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta, Struct

from referee.datasets.files import Skipped, open_bytes, reading, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, form_of, written
from referee.datasets.round_arrays import Keyed, keyed
from referee.datasets.visdial_file import (
    OPTIONS,
    FromOne,
    RoundKey,
    ground_truths,
    is_dialogues,
    rows,
)
from referee.errors import DataError
from referee.games.model import Form

Name: TypeAlias = Literal["gt_relevance", "relevance"]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class Relevance(Struct, frozen=True):
    """The relevance of each option of a round: the share of the annotators who found it right."""

    image: str
    round: int
    values: tuple[float, ...]
    form: Form = "int"
    name: Name = "gt_relevance"

    @property
    def key(self) -> RoundKey:
        """The round."""
        return RoundKey(self.image, self.round)


class _Row(Struct, frozen=True, omit_defaults=True):
    image_id: Id
    round_id: FromOne
    gt_relevance: tuple[Share, ...] | None = None
    relevance: tuple[Share, ...] | None = None


_HEAD = 65_536
_DECODER = msgspec.json.Decoder(_Row)


def read(path: Path, skipped: Skipped = None, *, options: int = OPTIONS) -> Iterator[Relevance]:
    """The rows of a dense annotation file."""

    def build(row: _Row) -> Relevance:
        key = RoundKey(str(row.image_id), row.round_id - 1)
        values = row.relevance if row.gt_relevance is None else row.gt_relevance
        both = row.relevance is not None and row.gt_relevance is not None
        if values is None or both:
            raise DataError(
                "has both names of the relevance" if both else "has no relevance",
                record=str(key),
                field="$.gt_relevance",
                expected="gt_relevance, or relevance as in the sample of train",
            )
        name: Name = "relevance" if row.gt_relevance is None else "gt_relevance"
        if len(values) != options:
            raise DataError(
                f"has {len(values)} numbers",
                record=str(key),
                field=f"$.{name}",
                expected=f"{options}, one an answer option",
            )
        return Relevance(key.image, key.round, values, form_of(row.image_id), name)

    return rows(path, _DECODER, build, skipped)


def write(path: Path, relevances: Iterable[Relevance]) -> None:
    """The rows as a dense annotation file."""
    encoded = [
        {
            "image_id": written(row.image, row.form),
            "round_id": row.round + 1,
            row.name: row.values,
        }
        for row in relevances
    ]
    with writing(path) as stream:
        stream.write(msgspec.json.encode(encoded))


def by_key(relevances: Iterable[Relevance]) -> dict[RoundKey, tuple[float, ...]]:
    """The relevances of each round."""
    return {row.key: row.values for row in relevances}


def array(relevances: Iterable[Relevance]) -> Keyed:
    """The relevances as one array of floats [rows, options]."""
    return keyed(((row.key, row.values) for row in relevances), np.float64)


@dataclass(frozen=True)
class Diagnostics:
    """What section 3.2.1 of the answers paper asks of dense annotations.

    `judged` rows have a known ground truth; in `irrelevant` of them its relevance is 0.
    """

    rows: int
    without_consensus: int
    without_relevance: int
    judged: int
    irrelevant: int


def diagnose(
    values: Mapping[RoundKey, tuple[float, ...]], truths: Mapping[RoundKey, int]
) -> Diagnostics:
    """Counts the rows in which people agree on no option, find none relevant, or not the ground truth."""
    judged = [
        values[key][truths[key]] for key in values if truths.get(key, OPTIONS) < len(values[key])
    ]
    return Diagnostics(
        rows=len(values),
        without_consensus=sum(1.0 not in row for row in values.values()),
        without_relevance=sum(not any(row) for row in values.values()),
        judged=len(judged),
        irrelevant=sum(relevance == 0 for relevance in judged),
    )


def companion(path: Path, keys: Iterable[RoundKey]) -> tuple[Path, dict[RoundKey, int]] | None:
    """The dialogue file beside `path` that tells most of these rounds' ground truths, with them."""
    wanted = frozenset(keys)
    best: tuple[Path, dict[RoundKey, int]] | None = None
    for beside in sorted(path.parent.glob("*.json*"), key=_size):
        found = _truths(beside) if beside != path else {}
        told = wanted & found.keys()
        if told and (best is None or len(told) > len(best[1])):
            best = beside, {key: found[key] for key in told}
        if len(told) == len(wanted):
            break
    return best


def _size(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_size, path.name
    except OSError:
        return 0, path.name


def _truths(path: Path) -> dict[RoundKey, int]:
    # A file that merely lies beside the one asked for has its own check; its faults are not ours.
    try:
        with reading(path), open_bytes(path) as stream:
            head = stream.read(_HEAD)
        return ground_truths(path, []) if is_dialogues(head) else {}
    except DataError:
        return {}


def _recognises(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"[") and b'"round_id"' in head and b'relevance"' in head


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    values = by_key(read(path, skipped))
    beside = companion(path, values)
    found = diagnose(values, beside[1] if beside else {})
    counts: dict[str, Count] = {
        "relevance rows": found.rows,
        "images": len({key.image for key in values}),
        "rounds with no candidate of relevance 1": _share(found.without_consensus, found.rows),
        "rounds with no relevance at all": found.without_relevance,
    }
    if beside is None:
        return counts | {"ground truth with relevance 0": "not known without the dialogues"}
    return counts | {
        "ground truth with relevance 0": _share(found.irrelevant, found.judged),
        "dialogues": beside[0].name,
    }


def _share(count: int, total: int) -> str:
    return f"{count} of {total}" + (f" ({100 * count / total:.2f} %)" if total else "")


FORMATS = (
    Format(
        "visdial-dense",
        "VisDial's dense annotations: the relevance of the answer options of one round an image",
        _recognises,
        _summarise,
    ),
)
