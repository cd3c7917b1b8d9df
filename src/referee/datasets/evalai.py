"""Rank predictions as VisDial's server on EvalAI takes them.

`ranks[n]` is the rank, from 1 for the best, of the n-th answer option; rounds count from 1. Of the
validation split every round of every image must be there, of the test split the last round of each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from referee.datasets.files import Skipped, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, form_of, written
from referee.datasets.round_arrays import Keyed, keyed
from referee.datasets.visdial import played
from referee.datasets.visdial_file import OPTIONS, ROUNDS, RoundKey, rows
from referee.errors import DataError
from referee.games.model import Form, Reply, Transcript, VisDial

IMAGES = {"val": 2_064, "test": 8_000}
"""The images of VisDial v1.0 that the server asks for."""


class Ranks(Struct, frozen=True):
    """The rank of each option of a round, 1 for the best."""

    image: str
    round: int
    ranks: tuple[int, ...]
    form: Form = "int"

    @property
    def key(self) -> RoundKey:
        """The round."""
        return RoundKey(self.image, self.round)


class _Row(Struct, frozen=True):
    image_id: Id
    round_id: int
    ranks: tuple[int, ...]


_DECODER = msgspec.json.Decoder(_Row)


def read(path: Path, skipped: Skipped = None, *, options: int = OPTIONS) -> Iterator[Ranks]:
    """The rows of a file of rank predictions."""

    def build(row: _Row) -> Ranks:
        if not 1 <= row.round_id <= ROUNDS:
            raise DataError(
                f"is {row.round_id}",
                record=f"image {row.image_id}",
                field="$.round_id",
                expected=f"1 to {ROUNDS}: the server's rounds count from 1",
            )
        built = Ranks(str(row.image_id), row.round_id - 1, row.ranks, form_of(row.image_id))
        _check(built, options)
        return built

    return rows(path, _DECODER, build, skipped)


def write(path: Path, ranks: Iterable[Ranks], *, options: int = OPTIONS) -> None:
    """The rows as the server takes them; a row that is no ranking is refused."""
    encoded: list[dict[str, Any]] = []
    for row in ranks:
        _check(row, options)
        image = written(row.image, row.form)
        encoded.append({"image_id": image, "round_id": row.round + 1, "ranks": row.ranks})
    with writing(path) as stream:
        stream.write(msgspec.json.encode(encoded))


def _check(row: Ranks, options: int) -> None:
    wanted = f"each of 1 to {options} once"
    if len(row.ranks) != options:
        message = f"has {len(row.ranks)} ranks"
    elif len(set(row.ranks)) < options:
        message = "gives one rank to several options"
    elif min(row.ranks) < 1 or max(row.ranks) > options:
        message = "has a rank out of range"
    else:
        return
    raise DataError(message, record=str(row.key), field="$.ranks", expected=wanted)


def array(ranks: Iterable[Ranks]) -> Keyed:
    """The ranks as one array of integers [rows, options]."""
    return keyed(((row.key, row.ranks) for row in ranks), np.int32)


def transcripts(
    path: Path, dialogues: Iterable[VisDial], skipped: Skipped = None, *, options: int = OPTIONS
) -> Iterator[Transcript]:
    """The dialogues with the predictions as replies; the best option scores highest.

    A row about a round that no dialogue has is a problem.
    """
    worst = options + 1
    predicted = read(path, skipped, options=options)
    replies = {
        row.key: Reply(scores=tuple(float(worst - rank) for rank in row.ranks)) for row in predicted
    }
    yield from played(path, dialogues, replies, skipped)


def wanted_rounds(dialogues: Iterable[VisDial]) -> list[RoundKey]:
    """The rounds that the server wants ranked: those that have options."""
    return [
        RoundKey(game.image, number)
        for game in dialogues
        for number, asked in enumerate(game.rounds)
        if asked.options
    ]


def refusals(path: Path, wanted: Collection[RoundKey]) -> list[DataError]:
    """Everything for which a server that wants these rounds ranked would refuse the file."""
    problems: list[DataError] = []
    given: dict[RoundKey, Form] = {row.key: row.form for row in read(path, problems)}
    asked = frozenset(wanted)
    images = {key.image for key in asked}
    whole = images - {key.image for key in given}
    if whole:
        problems.append(
            DataError(
                f"ranks {len(images) - len(whole)} of {len(images)} images",
                file=path,
                expected=f"every image of the split; the first that lacks is {min(whole)}",
            )
        )
    problems += [
        DataError("is not ranked", file=path, record=str(key), expected="every round of the split")
        for key in wanted
        if key not in given and key.image not in whole
    ]
    problems += [
        DataError(
            "is no round of the split" if key.image in images else "is no image of the split",
            file=path,
            record=str(key),
            expected="no other round",
        )
        for key in sorted(given.keys() - asked)
    ]
    texts = [key for key, form in given.items() if form != "int"]
    if texts:
        problems.append(
            DataError(
                f"is a text here and in {len(texts) - 1} other rows",
                file=path,
                record=str(texts[0]),
                field="$.image_id",
                expected="a number",
            )
        )
    return problems


def verdict(keys: Iterable[RoundKey]) -> str:
    """What the server would say to these rounds, as far as that can be told without the dialogues."""
    rounds: defaultdict[str, set[int]] = defaultdict(set)
    for key in keys:
        rounds[key.image].add(key.round)
    split = "test" if all(len(numbers) == 1 for numbers in rounds.values()) else "val"
    short = sum(len(numbers) < ROUNDS for numbers in rounds.values())
    if split == "val" and short:
        return f"refused: {short} of {len(rounds)} images lack a round"
    if len(rounds) != IMAGES[split]:
        return f"refused: {len(rounds)} images, {split} has {IMAGES[split]}"
    return f"accepted as {split}"


def _recognises(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"[") and b'"round_id"' in head and b'"ranks"' in head


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    keys = [row.key for row in read(path, skipped)]
    return {
        "rank rows": len(keys),
        "images": len({key.image for key in keys}),
        "the v1.0 server": verdict(keys) if not skipped else "refused: see the problems",
    }


FORMATS = (
    Format(
        "visdial-ranks",
        "rank predictions for VisDial's server on EvalAI",
        _recognises,
        _summarise,
    ),
)
