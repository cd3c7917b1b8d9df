"""DenseVisDial: for each round the set of answers that are right, and the answers that models generate.

Rounds count from 0 in both files. A reference set is the options where the mask is 1, in their order,
and holds the ground truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from referee.datasets.files import Skipped, refuse, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, form_of, written
from referee.datasets.visdial import played
from referee.datasets.visdial_file import OPTIONS, FromZero, RoundKey, rows
from referee.errors import DataError
from referee.games.model import (
    Ask,
    Event,
    Form,
    Forms,
    Reply,
    Round,
    Scene,
    Transcript,
    VisDial,
)

Bit: TypeAlias = Annotated[int, Meta(ge=0, le=1)]


class ReferenceSet(Struct, frozen=True):
    """The answers that are right in a round; `mask` says which of the options they are."""

    image: str
    round: int
    mask: tuple[int, ...]
    references: tuple[str, ...]
    question: str
    gt_answer: str
    form: Form = "int"

    @property
    def key(self) -> RoundKey:
        """The round."""
        return RoundKey(self.image, self.round)


class Generations(Struct, frozen=True):
    """The answers that a model generated in a round; an empty text is a model that said nothing."""

    image: str
    round: int
    texts: tuple[str, ...]
    form: Form = "int"

    @property
    def key(self) -> RoundKey:
        """The round."""
        return RoundKey(self.image, self.round)


class _ReferenceRow(Struct, frozen=True):
    image_id: Id
    round_id: FromZero
    in_cluster_idxs: tuple[Bit, ...]
    refs: tuple[str, ...]
    question: str
    gt_answer: str


class _GenerationRow(Struct, frozen=True):
    image_id: Id
    round_id: FromZero
    generations: tuple[str, ...]


_REFERENCES = msgspec.json.Decoder(_ReferenceRow)
_GENERATIONS = msgspec.json.Decoder(_GenerationRow)


def read_references(
    path: Path, skipped: Skipped = None, *, options: int = OPTIONS, any_set: bool = False
) -> Iterator[ReferenceSet]:
    """The reference sets of a file.

    With `any_set` a set may lack the ground truth, as some that are built to be compared do.
    """

    def build(row: _ReferenceRow) -> ReferenceSet:
        built = ReferenceSet(
            str(row.image_id),
            row.round_id,
            row.in_cluster_idxs,
            row.refs,
            row.question,
            row.gt_answer,
            form_of(row.image_id),
        )
        _check_references(built, options, any_set=any_set)
        return built

    return rows(path, _REFERENCES, build, skipped)


def _check_references(row: ReferenceSet, options: int, *, any_set: bool) -> None:
    problem: tuple[str, str, str] | None = None
    if len(row.mask) != options:
        problem = (
            f"has {len(row.mask)} marks",
            "in_cluster_idxs",
            f"{options}, one an answer option",
        )
    elif not row.references:
        problem = "the reference set is empty", "$.refs", "at least the ground truth"
    elif sum(row.mask) != len(row.references):
        problem = (
            f"has {len(row.references)} references and {sum(row.mask)} marks",
            "$.refs",
            "one reference a mark",
        )
    elif len(set(row.references)) < len(row.references):
        problem = "holds a reference twice", "$.refs", "distinct answers"
    elif row.gt_answer not in row.references and not any_set:
        problem = "lacks the ground truth", "$.refs", f"{row.gt_answer!r} among them"
    if problem is not None:
        message, field, expected = problem
        raise DataError(message, record=str(row.key), field=field, expected=expected)


def write_references(
    path: Path,
    references: Iterable[ReferenceSet],
    *,
    options: int = OPTIONS,
    any_set: bool = False,
) -> int:
    """The reference sets as a file, one at a time, and how many they were.

    One that its own reader would not take is refused, and then there is no file.
    """
    encoder = msgspec.json.Encoder()
    count = 0
    with writing(path) as stream:
        for row in references:
            _check_references(row, options, any_set=any_set)
            encoded = encoder.encode(
                {
                    "image_id": written(row.image, row.form),
                    "round_id": row.round,
                    "in_cluster_idxs": row.mask,
                    "refs": row.references,
                    "question": row.question,
                    "gt_answer": row.gt_answer,
                }
            )
            stream.write((b",\n" if count else b"[") + encoded)
            count += 1
        stream.write(b"]\n" if count else b"[]\n")
    return count


def read_generations(path: Path, skipped: Skipped = None) -> Iterator[Generations]:
    """The generated answers of a file; their number may differ from round to round."""

    def build(row: _GenerationRow) -> Generations:
        built = Generations(str(row.image_id), row.round_id, row.generations, form_of(row.image_id))
        _check_generations(built)
        return built

    return rows(path, _GENERATIONS, build, skipped)


def _check_generations(row: Generations) -> None:
    if not row.texts:
        raise DataError(
            "has no generation", record=str(row.key), field="$.generations", expected="at least one"
        )


def write_generations(path: Path, generations: Iterable[Generations]) -> None:
    """The generated answers as a file."""
    encoded: list[dict[str, object]] = []
    for row in generations:
        _check_generations(row)
        image = written(row.image, row.form)
        encoded.append({"image_id": image, "round_id": row.round, "generations": row.texts})
    with writing(path) as stream:
        stream.write(msgspec.json.encode(encoded))


def paired(
    references: Iterable[ReferenceSet], generations: Iterable[Generations], skipped: Skipped = None
) -> Iterator[tuple[ReferenceSet, Generations]]:
    """Each reference set with the generations for its round, whatever the order of either file.

    Generations for other rounds are left aside: a model answers every round, people judged one an
    image. A reference set that no generation answers is a problem.
    """
    given = {row.key: row for row in generations}
    for reference in references:
        found = given.get(reference.key)
        if found is not None:
            yield reference, found
            continue
        refuse(
            DataError(
                "no generation answers this round",
                record=str(reference.key),
                expected="a generation for every reference set",
            ),
            skipped,
        )


def transcripts(
    path: Path, dialogues: Iterable[VisDial], skipped: Skipped = None
) -> Iterator[Transcript]:
    """The dialogues with the generations as replies.

    Generations for a round that no dialogue has are a problem.
    """
    replies = {row.key: Reply(row.texts) for row in read_generations(path, skipped)}
    yield from played(path, dialogues, replies, skipped)


def without_dialogues(
    path: Path, references: Iterable[ReferenceSet], skipped: Skipped = None
) -> Iterator[Transcript]:
    """The generations as dialogues of which only the questions of the reference sets are known."""
    questions = {row.key: row.question for row in references}
    replies: dict[str, dict[int, Generations]] = {}
    for row in read_generations(path, skipped):
        replies.setdefault(row.image, {})[row.round] = row
    for image, given in replies.items():
        rounds = tuple(
            Round(questions.get(RoundKey(image, number), "")) for number in range(max(given) + 1)
        )
        events: list[Event] = []
        for number, asked in enumerate(rounds):
            texts = given[number].texts if number in given else ()
            events += [Ask(asked.question), Reply(texts)]
        form = Forms(game=next(iter(given.values())).form)
        yield Transcript(VisDial(image, Scene(image), "", rounds, form), tuple(events))


def _are_references(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"[") and b'"in_cluster_idxs"' in head


def _are_generations(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"[") and b'"generations"' in head and b'"round_id"' in head


def _count_references(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    sizes: Counter[int] = Counter()
    images: set[str] = set()
    for row in read_references(path, skipped):
        sizes[len(row.references)] += 1
        images.add(row.image)
    references = sum(size * count for size, count in sizes.items())
    return {
        "rounds": sizes.total(),
        "images": len(images),
        "references": references,
        "references a round": round(references / max(sizes.total(), 1), 2),
        "smallest and largest set": f"{min(sizes, default=0)} and {max(sizes, default=0)}",
    }


def _count_generations(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    sizes: Counter[int] = Counter()
    images: set[str] = set()
    empty = 0
    for row in read_generations(path, skipped):
        sizes[len(row.texts)] += 1
        images.add(row.image)
        empty += sum(not text.strip() for text in row.texts)
    return {
        "rounds": sizes.total(),
        "images": len(images),
        "generations": sum(size * count for size, count in sizes.items()),
        "fewest and most a round": f"{min(sizes, default=0)} and {max(sizes, default=0)}",
        "empty generations": empty,
    }


FORMATS = (
    Format(
        "densevisdial-references",
        "DenseVisDial's reference sets",
        _are_references,
        _count_references,
    ),
    Format(
        "densevisdial-generations",
        "generated answers for DenseVisDial",
        _are_generations,
        _count_generations,
    ),
)
