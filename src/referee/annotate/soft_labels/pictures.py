"""What people see of a question: the picture with numbered boxes, the labels, the question, the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from referee.datasets.question_sample import Item
from referee.games import Scene, Thing
from referee.games.rendering import ink, render

_ENDINGS = (".jpg", ".png", ".jpeg")
_GAP = 10


def scene_of(item: Item) -> Scene:
    """The scene of a question."""
    things = tuple(Thing(each.id, each.category, 0, each.box) for each in item.objects)
    return Scene(item.image, item.width, item.height, things)


def found(folder: Path, items: Iterable[Item]) -> dict[str, Path]:
    """The pictures of a folder that questions are about, by image: under their file name, or their id."""
    paths: dict[str, Path] = {}
    for item in items:
        names = (item.image_file, *(f"{item.image}{ending}" for ending in _ENDINGS))
        for name in filter(None, names):
            if (folder / name).is_file():
                paths.setdefault(item.image, folder / name)
    return paths


def drawn(item: Item, picture: ink.Picture = None) -> Image.Image:
    """The picture with numbered boxes in its own size, and under it what is asked and what can be chosen.

    The boxes lie where the data has them, so that a box that somebody draws can be told from its place.
    """
    canvas = render(scene_of(item), "numbered", image=picture)
    size = max(14, min(28, canvas.width // 28))
    labels = [f"{each.number} {each.category}" for each in item.objects]
    rows = _rows(labels, size, canvas.width)
    height = round(1.6 * size)
    whole = Image.new(
        "RGB", (canvas.width, canvas.height + height * (len(rows) + 1) + _GAP), ink.PAPER
    )
    whole.paste(canvas, (0, 0))
    draw = ImageDraw.Draw(whole)
    asked = f"{item.question.strip()} {item.answer}"
    room = canvas.width - 2 * _GAP
    draw.text(
        (_GAP, canvas.height + _GAP // 2), asked, ink.INK, ink.font(_fitting(asked, size + 2, room))
    )
    place = 0
    for number, row in enumerate(rows, start=1):
        left, top = _GAP, canvas.height + _GAP // 2 + number * height
        for text in row:
            across, down = ink.label_size(text, size)
            ink.draw_label(
                draw, (left, top, left + across, top + down), text, size, ink.colour(place)
            )
            left, place = left + across + _GAP, place + 1
    return whole


def _fitting(text: str, size: int, room: int) -> int:
    """The largest size of letters, up to this one, in which a line fits; a question must not be cut."""
    while size > 8 and ink.font(size).getlength(text) > room:  # noqa: PLR2004 (the smallest to read)
        size -= 1
    return size


def _rows(labels: Sequence[str], size: int, width: int) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    left = _GAP
    for text in labels:
        across = ink.label_size(text, size)[0] + _GAP
        if rows[-1] and left + across > width:
            rows.append([])
            left = _GAP
        rows[-1].append(text)
        left += across
    return rows
