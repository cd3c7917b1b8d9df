"""VisDial v0.9 and v1.0: ten questions about a picture, each with a hundred candidate answers.

A round of the test split lacks its options, or, where it is the last, its answer and ground truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.datasets import dense as dense_annotations
from referee.datasets.files import Skipped, refuse, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, form_of, written
from referee.datasets.visdial_file import (
    OPTIONS,
    ROUNDS,
    Document,
    FileDialogue,
    FileRound,
    Header,
    RoundKey,
    is_dialogues,
    open_document,
)
from referee.errors import DataError
from referee.games.model import Ask, Event, Forms, Reply, Round, Scene, Transcript, VisDial

Dense: TypeAlias = Path | Mapping[RoundKey, Sequence[float]] | None


def read(
    path: Path, dense: Dense = None, skipped: Skipped = None, *, options: int = OPTIONS
) -> Iterator[Transcript]:
    """The dialogues as people held them, with relevances where dense annotations are given."""
    return map(human, games(path, dense, skipped, options=options))


def games(
    path: Path, dense: Dense = None, skipped: Skipped = None, *, options: int = OPTIONS
) -> Iterator[VisDial]:
    """The dialogues as games; a relevance of a round that no dialogue has is a problem."""
    if isinstance(dense, Path):
        rows = dense_annotations.read(dense, skipped, options=options)
        relevances: dict[RoundKey, Sequence[float]] = {row.key: row.values for row in rows}
    else:
        relevances = dict(dense or {})
    yield from _games(open_document(path), options, relevances, skipped)
    source = dense if isinstance(dense, Path) else None
    _unpaired(source, relevances, f"a round of {path.name}", skipped)


def _games(
    document: Document,
    options: int,
    relevances: dict[RoundKey, Sequence[float]],
    skipped: Skipped,
) -> Iterator[VisDial]:
    builder = _Builder(document.header, options, relevances)
    for dialogue in document.dialogues(skipped):
        try:
            game = builder.game(dialogue)
        except DataError as error:
            located = error.located(file=document.path, record=f"image {dialogue.image_id}")
            refuse(located, skipped)
        else:
            yield game


def human(game: VisDial) -> Transcript:
    """The dialogue as people held it: each question, and the human answer where it is known."""
    events: list[Event] = []
    for asked in game.rounds:
        events.append(Ask(asked.question))
        if asked.answer is None:
            return Transcript(game, tuple(events))
        events.append(Reply((asked.answer,)))
    return Transcript(game, tuple(events), "success")


def played(
    path: Path, games: Iterable[VisDial], replies: Mapping[RoundKey, Reply], skipped: Skipped = None
) -> Iterator[Transcript]:
    """The dialogues with the replies of an answerer that `path` holds, paired by image and round.

    A dialogue without any reply is left out; a round without one, before the last that has one, gets
    an empty reply. A reply to a round that no dialogue has is a problem.
    """
    left = dict(replies)
    for game in games:
        given = [left.pop(RoundKey(game.image, number), None) for number in range(len(game.rounds))]
        answered = [number for number, reply in enumerate(given) if reply is not None]
        if not answered:
            continue
        events: list[Event] = []
        for asked, reply in zip(game.rounds[: answered[-1] + 1], given, strict=False):
            events += [Ask(asked.question), reply or Reply()]
        whole = len(answered) == len(game.rounds)
        yield Transcript(game, tuple(events), "success" if whole else "incomplete")
    _unpaired(path, left, "a round of the dialogues", skipped)


def _unpaired(path: Path | None, keys: Iterable[RoundKey], expected: str, skipped: Skipped) -> None:
    for key in keys:
        refuse(
            DataError(
                "no dialogue has this round",
                file=path,
                record=str(key),
                field="image_id, round_id",
                expected=expected,
            ),
            skipped,
        )


_PICTURES = {
    ("0.9", "train"): "COCO_train2014",
    ("0.9", "val"): "COCO_val2014",
    ("1.0", "val"): "VisualDialog_val2018",
    ("1.0", "test"): "VisualDialog_test2018",
}


@dataclass(frozen=True)
class _Builder:
    header: Header
    options: int
    relevances: dict[RoundKey, Sequence[float]]

    def game(self, dialogue: FileDialogue) -> VisDial:
        if not 1 <= len(dialogue.dialog) <= ROUNDS:
            raise DataError(
                f"has {len(dialogue.dialog)} rounds", field="$.dialog", expected=f"1 to {ROUNDS}"
            )
        image = str(dialogue.image_id)
        last = len(dialogue.dialog) - 1
        rounds = tuple(
            self._round(image, number, asked, last=number == last)
            for number, asked in enumerate(dialogue.dialog)
        )
        form = form_of(dialogue.image_id)
        scene = Scene(image, file=self._picture(dialogue.image_id))
        return VisDial(image, scene, dialogue.caption, rounds, Forms(game=form, scene=form))

    def _picture(self, image: Id) -> str:
        start = _PICTURES.get((self.header.version, self.header.split.rstrip("0123456789")))
        return f"{start}_{image:012d}.jpg" if start and isinstance(image, int) else ""

    def _round(self, image: str, number: int, asked: FileRound, *, last: bool) -> Round:
        place = f"$.dialog[{number}]"
        self._complete(asked, place, last=last)
        questions, answers = self.header.questions, self.header.answers
        options = asked.answer_options or ()
        texts = _texts(answers, options, f"{place}.answer_options")
        relevance = self.relevances.pop(RoundKey(image, number), None)
        if relevance is not None and len(relevance) != len(texts):
            raise DataError(
                f"has {len(texts)} options and {len(relevance)} relevances",
                field=f"{place}.answer_options",
                expected="one relevance an option",
            )
        return Round(
            _text(questions, asked.question, f"{place}.question"),
            None if asked.answer is None else _text(answers, asked.answer, f"{place}.answer"),
            texts,
            asked.gt_index,
            None if relevance is None else tuple(relevance),
        )

    def _complete(self, asked: FileRound, place: str, *, last: bool) -> None:
        test = self.header.split.startswith("test")
        options, truth = asked.answer_options, asked.gt_index
        if asked.answer is None and not (test and last):
            raise DataError("is missing", field=f"{place}.answer", expected="an index of an answer")
        if options is None and (last or not test):
            raise DataError(
                "is missing", field=f"{place}.answer_options", expected=f"{self.options} indices"
            )
        if options is not None and len(options) != self.options:
            raise DataError(
                f"has {len(options)} options",
                field=f"{place}.answer_options",
                expected=f"{self.options} indices",
            )
        if truth is None:
            if not test:
                raise DataError(
                    "is missing", field=f"{place}.gt_index", expected="the answer among the options"
                )
        elif options is None or truth >= len(options):
            raise DataError(
                f"is {truth}, beyond the options",
                field=f"{place}.gt_index",
                expected=f"0 to {len(options or ()) - 1}",
            )
        elif options[truth] != asked.answer:
            raise DataError(
                f"points at answer {options[truth]}, not at the round's answer {asked.answer}",
                field=f"{place}.gt_index",
                expected="answer_options[gt_index] to be answer",
            )


def _text(pool: tuple[str, ...], index: int, field: str) -> str:
    try:
        return pool[index]
    except IndexError:
        raise DataError(
            f"index {index} is beyond the pool", field=field, expected=f"0 to {len(pool) - 1}"
        ) from None


def _texts(pool: tuple[str, ...], indices: tuple[int, ...], field: str) -> tuple[str, ...]:
    try:
        # One call for all hundred options; a loop here would take as long as all the rest of reading.
        return itemgetter(*indices)(pool) if len(indices) > 1 else tuple(pool[i] for i in indices)
    except IndexError:
        return tuple(_text(pool, index, field) for index in indices)


_EMPTY = Header()


def write(path: Path, games: Iterable[VisDial], header: Header = _EMPTY) -> None:
    """The dialogues as a file; texts that the header's pools lack are added to them."""
    questions = _numbered(path, header.questions)
    answers = _numbered(path, header.answers)
    encoder = msgspec.json.Encoder()
    between = b'{"data": {"dialogs": ['
    with writing(path) as stream:
        for game in games:
            dialogue = FileDialogue(
                image_id=written(game.image, game.forms.scene),
                caption=game.caption,
                dialog=tuple(_file_round(asked, questions, answers) for asked in game.rounds),
            )
            stream.write(between + encoder.encode(dialogue))
            between = b",\n"
        if between != b",\n":
            stream.write(between)
        stream.write(b'], "questions": ' + encoder.encode(list(questions)))
        stream.write(b', "answers": ' + encoder.encode(list(answers)))
        stream.write(b'}, "version": ' + encoder.encode(header.version))
        stream.write(b', "split": ' + encoder.encode(header.split) + b"}\n")


def _numbered(path: Path, pool: tuple[str, ...]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, text in enumerate(pool):
        if numbers.setdefault(text, number) != number:
            raise DataError(
                "the pool holds a text twice", file=path, record=text, expected="distinct texts"
            )
    return numbers


def _file_round(asked: Round, questions: dict[str, int], answers: dict[str, int]) -> FileRound:
    def number(text: str) -> int:
        return answers.setdefault(text, len(answers))

    return FileRound(
        question=questions.setdefault(asked.question, len(questions)),
        answer=None if asked.answer is None else number(asked.answer),
        answer_options=tuple(map(number, asked.options)) or None,
        gt_index=asked.gt_index,
    )


def _recognises(path: Path, head: bytes) -> bool:
    del path
    return is_dialogues(head)


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    document = open_document(path)
    header = document.header
    rounds: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    for game in _games(document, OPTIONS, {}, skipped):
        lengths[len(game.rounds)] += 1
        for asked in game.rounds:
            rounds["with options"] += bool(asked.options)
            rounds["with an answer"] += asked.answer is not None
            rounds["yes"] += asked.answer == "yes"
            rounds["no"] += asked.answer == "no"
            rounds["repeated"] += len(set(asked.options)) < len(asked.options)
    answered = max(rounds["with an answer"], 1)
    counts: dict[str, Any] = {
        "version": header.version,
        "split": header.split,
        "dialogues": lengths.total(),
        "rounds": sum(length * count for length, count in lengths.items()),
        "rounds a dialogue": f"{min(lengths, default=0)} to {max(lengths, default=0)}",
        "rounds with options": rounds["with options"],
        "rounds with an answer": rounds["with an answer"],
        "answered just yes %": round(100 * rounds["yes"] / answered, 2),
        "answered just no %": round(100 * rounds["no"] / answered, 2),
        "questions in the pool": len(header.questions),
        "answers in the pool": len(header.answers),
    }
    if rounds["repeated"]:
        counts["rounds whose options repeat a text"] = rounds["repeated"]
    return counts


FORMATS = (
    Format(
        "visdial",
        "VisDial v0.9 and v1.0 dialogues with their pools of questions and answers",
        _recognises,
        _summarise,
    ),
)
