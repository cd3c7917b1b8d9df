"""Labels that people draw or tick, and votes: makesense.ai's exports, and a plain table.

makesense.ai exports boxes as one CSV or as a zip of YOLO texts or VOC documents, polygons as a COCO
document, and the labels of whole images as CSV or JSON. Its YOLO texts tell neither the names of the
labels nor the size of the image, and its CSV of labels cannot hold a comma in a name.
"""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as ET

import msgspec
from msgspec import Struct

from referee.datasets import coco
from referee.datasets.files import LONGEST_LINE, Skipped, read_bytes, reading, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import box, columns, convert, distinct, each, listed, rows, table
from referee.errors import DataError
from referee.games.model import Box


class Labelled(Struct, frozen=True):
    """A label on an image: on a box in it or, where `box` is None, on the whole image."""

    image: str
    label: str
    box: Box | None = None


class Vote(Struct, frozen=True):
    """What one annotator says of one object after a turn, the first of which is 1: may it be meant?"""

    game: str
    turn: int
    annotator: str
    object: str
    vote: bool


class _Row(Struct):
    label_name: str
    bbox_x: float
    bbox_y: float
    bbox_width: float
    bbox_height: float
    image_name: str
    image_width: float
    image_height: float

    def built(self) -> Labelled:
        place = box(self.bbox_x, self.bbox_y, self.bbox_width, self.bbox_height)
        return Labelled(self.image_name, self.label_name, place)


class _Tags(Struct):
    image: str
    annotations: tuple[str, ...]

    def built(self) -> tuple[Labelled, ...]:
        return tuple(Labelled(self.image, label) for label in self.annotations)


class _Vote(Struct):
    game: str
    turn: int
    annotator: str
    object: str
    vote: str

    def built(self) -> Vote:
        said = _VOTES.get(self.vote.strip().lower())
        if said is None:
            raise DataError(f"{self.vote!r} is no vote", field="vote", expected="1 or 0, yes or no")
        if self.turn < 1:
            raise DataError(f"there is no turn {self.turn}", field="turn", expected="1 or more")
        return Vote(self.game, self.turn, self.annotator, self.object, said)


_VOTES = {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False}
_TAGS = msgspec.json.Decoder(_Tags)
_YOLO = re.compile(rb"\s*\d+(?: -?\d+\.\d+){4}\s*(?:\n|$)")
_TAG_ROW = re.compile(rb'[^,\n]+,"?\[[^\n]*\]"?\s*(?:\n|$)')


def read(
    path: Path,
    skipped: Skipped = None,
    *,
    names: Sequence[str] = (),
    sizes: Mapping[str, tuple[float, float]] | None = None,
) -> Iterator[Labelled]:
    """The labels of an export of makesense.ai, in any of its forms.

    YOLO texts say nothing but numbers: `names` are the labels by index (without them the label is
    the index) and `sizes` the width and height of the images by name without suffix (without them
    boxes are shares of the image).
    """
    path = Path(path)
    if path.suffix == ".csv":
        yield from _read_csv(path, skipped)
    elif path.suffix == ".json":
        yield from _read_json(path, skipped)
    else:
        for name, data in _documents(path, skipped):
            try:
                if PurePosixPath(name).suffix == ".xml":
                    yield from _voc(data)
                else:
                    yield from _yolo(PurePosixPath(name).stem, data, names, sizes or {})
            except DataError as error:
                refuse(error.located(file=path, record=name), skipped)


def read_votes(path: Path, skipped: Skipped = None) -> Iterator[Vote]:
    """The votes of a table with the columns game, turn, annotator, object and vote."""
    votes = table(path, _Vote, _Vote.built, skipped)
    return distinct(votes, lambda v: str((v.game, v.turn, v.annotator, v.object)), skipped, path)


def write_votes(path: Path, votes: Iterable[Vote]) -> None:
    """Writes votes as a table."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns(_Vote))
        for vote in votes:
            writer.writerow([vote.game, vote.turn, vote.annotator, vote.object, int(vote.vote)])


def _read_csv(path: Path, skipped: Skipped) -> Iterator[Labelled]:
    header = columns(_Row)
    for number, row in rows(path, skipped):
        if number == 1 and row == header:
            continue
        try:
            found = _tags(row) if len(row) == 2 else (convert(header, row, _Row).built(),)  # noqa: PLR2004
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield from found


def _tags(row: Sequence[str]) -> tuple[Labelled, ...]:
    image, labels = row
    if not (labels.startswith("[") and labels.endswith("]")):
        raise DataError(
            f"{labels!r} is no list of labels", field="labels", expected="[label,label]"
        )
    return tuple(Labelled(image, label) for label in labels[1:-1].split(",") if label)


def _read_json(path: Path, skipped: Skipped) -> Iterator[Labelled]:
    if read_bytes(path).lstrip().startswith(b"["):
        for found in each(path, listed(path), _TAGS, _Tags.built, skipped):
            yield from found
        return
    for scene in coco.read_instances(path, skipped).scenes:
        for thing in scene.things:
            yield Labelled(scene.file, thing.category, thing.box)


def _documents(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix in {".txt", ".xml"}:
                yield file.name, read_bytes(file)
    elif path.suffix == ".zip":
        yield from _unzipped(path, skipped)
    else:
        yield path.name, read_bytes(path)


def _unzipped(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    with reading(path):
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    if member.is_dir() or not member.filename.endswith((".txt", ".xml")):
                        continue
                    if member.file_size > LONGEST_LINE:
                        long = f"is longer than {LONGEST_LINE} bytes"
                        refuse(DataError(long, file=path, record=member.filename), skipped)
                        continue
                    yield member.filename, archive.read(member)
        except (DataError, OSError):
            raise
        except Exception as error:  # noqa: BLE001 a broken archive raises all kinds
            raise DataError(f"cannot be read: {error}", file=path, expected="a whole zip") from None


def _yolo(
    image: str, data: bytes, names: Sequence[str], sizes: Mapping[str, tuple[float, float]]
) -> Iterator[Labelled]:
    width, height = sizes.get(image, (1.0, 1.0))
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            index, x, y, w, h = line.decode().split()
            label = names[int(index)] if names else str(int(index))
            middle, size = (
                (float(x) * width, float(y) * height),
                (float(w) * width, float(h) * height),
            )
        except (ValueError, IndexError) as error:
            raise DataError(
                str(error),
                field=f"line {number}",
                expected="a known label, and x, y, width and height as shares",
            ) from None
        place = box(middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size, field=f"line {number}")
        yield Labelled(image, label, place)


def _voc(data: bytes) -> Iterator[Labelled]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: {error.reason}") from None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DataError("declares entities", expected="a plain document")
    try:
        root = ET.fromstring(text)  # noqa: S314 entities, with which harm is done, were refused above
    except (ET.ParseError, ValueError) as error:
        raise DataError(f"not valid XML: {error}") from None
    for found in root.iter("object"):
        edges = [_number(found, f"bndbox/{edge}") for edge in ("xmin", "ymin", "xmax", "ymax")]
        x, y = edges[:2]
        place = box(x, y, edges[2] - x, edges[3] - y, field="bndbox")
        yield Labelled(_text(root, "filename"), _text(found, "name"), place)


def _text(element: ET.Element, name: str) -> str:
    text = element.findtext(name)
    if not text:
        raise DataError("is missing", field=name)
    return text


def _number(element: ET.Element, name: str) -> float:
    text = _text(element, name)
    try:
        return float(text)
    except ValueError:
        raise DataError(f"{text!r} is no number", field=name, expected="a number") from None


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped))
    return {
        "images": len({each.image for each in found}),
        "labels": len({each.label for each in found}),
        "boxes": sum(each.box is not None for each in found),
        "labels of whole images": sum(each.box is None for each in found),
    }


def _count_votes(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read_votes(path, skipped))
    return {
        "games": len({vote.game for vote in found}),
        "turns": len({(vote.game, vote.turn) for vote in found}),
        "annotators": len({vote.annotator for vote in found}),
        "votes": len(found),
    }


def _is_labels(path: Path, head: bytes) -> bool:
    if path.suffix == ".csv":
        first = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].strip()
        return first.decode("utf-8", "replace") == ",".join(columns(_Row)) or _bare(head)
    if path.suffix == ".json":
        return head.startswith(b"[") and b'"image":' in head and b'"annotations":' in head
    if path.suffix == ".xml":
        return b"<annotation" in head
    return path.suffix == ".txt" and _YOLO.match(head) is not None


def _bare(head: bytes) -> bool:
    fields = head.partition(b"\n")[0].split(b",")
    numbers = [*fields[1:5], *fields[6:]]
    boxes = len(fields) == len(columns(_Row)) and all(each.strip().isdigit() for each in numbers)
    return boxes or _TAG_ROW.match(head) is not None


def _is_archive(path: Path, head: bytes) -> bool:
    try:
        if path.is_dir():
            first = next(file for file in sorted(path.iterdir()) if file.suffix in {".txt", ".xml"})
            with first.open("rb") as stream:
                return _is_labels(first, stream.read(4096))
        return path.suffix == ".zip" and any(end in head for end in (b".txt", b".xml"))
    except (StopIteration, OSError):
        return False


FORMATS: tuple[Format, ...] = (
    Format("makesense-labels", "labels exported from makesense.ai", _is_labels, _count),
    Format(
        "makesense-archive",
        "YOLO texts or VOC documents, in a zip or a folder",
        _is_archive,
        _count,
    ),
    Format(
        "votes",
        "votes of annotators on the objects of games",
        lambda _, head: (
            set(columns(_Vote))
            <= set(head.partition(b"\n")[0].decode("utf-8", "replace").strip().split(","))
        ),
        _count_votes,
    ),
)
