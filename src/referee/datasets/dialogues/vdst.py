"""What VDST's public code leaves behind: a text file of dialogues, and training logs.

A text line is image, turns, True or False, target and guessed object, between tabs; the shorter
variant ends after True or False. Turns stand between "#", the parts of a turn between "||". A log
line begins with time and epoch, its turns with the answer before, and after a turn's answer come the
target's probability and ten region proposals with theirs: not objects, and therefore no belief.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from referee.datasets.dialogues.counting import count_dialogues
from referee.datasets.dialogues.dialogue import Dialogue, answer_of, check_status
from referee.datasets.files import Skipped, lines, refuse
from referee.datasets.formats import Count, Format
from referee.errors import DataError
from referee.games import Status, Turn

_HEADER_LINES = 2
_INFO = " :: INFO :: "
_DUMP = re.compile(r"(?:[\s\d.,()\[\]+-]|e[+-]\d|array|dtype=float\d+|nan|inf)*")
_OTHER = re.compile(r"[\d:, -]+ :: INFO :: Epoch:\d+\t(?:prob_list:|lookBatch:\d+\turl:.*)")
_FIELDS = "image, turns, True or False, target, guess"


def read_text(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """Each game of a text file of dialogues, behind its two lines of heading."""

    def parse(number: int, line: str) -> list[str] | None:
        return None if number <= _HEADER_LINES else line.split("\t")

    return _read(Path(path), parse, skipped)


def read_log(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """Each game of a training log; dumps of arrays and the samples looked at are passed over."""

    def parse(_number: int, line: str) -> list[str] | None:
        if _DUMP.fullmatch(line) or _OTHER.fullmatch(line):
            return None
        time, _, rest = line.partition(_INFO)
        epoch, *fields = rest.split("\t")
        if not epoch.isdecimal() or not fields:
            raise DataError(
                f"neither a game nor a dump: {time[:40]!r}",
                expected=f"time, INFO, epoch, {_FIELDS}, probability",
            )
        return fields[:-1]

    return _read(Path(path), parse, skipped)


def _read(
    path: Path, parse: Callable[[int, str], list[str] | None], skipped: Skipped
) -> Iterator[Dialogue]:
    place = 0
    for number, line in lines(path, skipped):
        try:
            fields = parse(number, _text(line))
            if fields is None:
                continue
            dialogue = _dialogue(place, fields)
            place += 1
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield dialogue


def _text(line: bytes) -> str:
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise DataError(f"not valid text: {error.reason}", expected="UTF-8") from None


def _dialogue(place: int, fields: list[str]) -> Dialogue:
    whole, short = 5, 3
    if len(fields) not in (whole, short):
        raise DataError(f"{len(fields)} fields between tabs", expected=_FIELDS)
    image, said, succeeded, *ids = fields
    if not all(field.isascii() and field.isdecimal() for field in (image, *ids)):
        raise DataError(
            f"ids {', '.join((image, *ids))}",
            field="image, target, guess",
            expected="whole numbers",
        )
    if succeeded not in ("True", "False"):
        raise DataError(repr(succeeded), field="success", expected="True or False")
    status: Status = "success" if succeeded == "True" else "failure"
    target, guess = ids or ("", "")
    if ids:
        check_status(status, target, guess, "success")
    turns = tuple(_turn(text) for text in said.split("#"))
    return Dialogue(place, image=image, target=target, guess=guess, turns=turns, status=status)


def _turn(text: str) -> Turn:
    asked, bar, rest = text.partition("||")
    if not bar:
        raise DataError(f"{text[:40]!r} has no answer", field="turns", expected="question||answer")
    question = re.sub(r"^\s*<[^>]*>", "", asked).strip()
    if not question:
        raise DataError("an answer follows no question", field="turns", expected="question||answer")
    return Turn(question, answer_of(rest.partition("||")[0], "turns"))


def _is_log(_: Path, head: bytes) -> bool:
    return b" :: INFO :: " in head and b"||" in head


def _is_text(_: Path, head: bytes) -> bool:
    line = next((line for line in head.split(b"\n")[_HEADER_LINES:] if line.strip()), b"")
    told = b"||" in line and line.count(b"\t") in (2, 4) and b" :: INFO" not in line
    # no text has the zero bytes in which a picture abounds
    return told and b"\0" not in head


def _count_log(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_dialogues(read_log(path, skipped))


def _count_text(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_dialogues(read_text(path, skipped))


FORMATS: tuple[Format, ...] = (
    Format("vdst-log", "a VDST training log (text)", _is_log, _count_log),
    Format("vdst-text", "dialogues of VDST (tab-separated text)", _is_text, _count_text),
)
