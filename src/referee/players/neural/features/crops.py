"""What a model is shown of a picture: all of it, a thing cut out, or the cells of a grid.

A crop is the box, enlarged by a tenth about its middle as in the original code, as far as the picture
goes; its longer side fills the square and the rest is blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from PIL import Image

from referee.errors import DataError, UsageError
from referee.games import Box
from referee.players.neural.features.extractor import Pixels, Size

SCALE = 1.1
"""How much larger than the box of a thing its crop is."""
_CENTRE = 224 / 256
"""How much of the shorter side is seen where the middle is taken: 224 of 256 pixels, as GDSE has it."""
Fit: TypeAlias = Literal["stretch", "centre"]
"""How a whole picture becomes a square: stretched (de Vries et al.), or its middle taken (GDSE)."""


class Grid(NamedTuple):
    """Rows and columns of equal cells."""

    rows: int
    columns: int

    @classmethod
    def parsed(cls, text: str) -> Grid:
        """The grid of a text such as 6x6, rows first."""
        rows, _, columns = text.partition("x")
        if not (rows.isdecimal() and columns.isdecimal() and int(rows) and int(columns)):
            raise UsageError(f"'{text}' is no grid: rows x columns, as 6x6")
        return cls(int(rows), int(columns))

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * self.columns

    def boxes(self, size: tuple[float, float]) -> list[Box]:
        """The cells of a picture of this size, row by row."""
        across, down = size[0] / self.columns, size[1] / self.rows
        return [
            Box(column * across, row * down, across, down)
            for row in range(self.rows)
            for column in range(self.columns)
        ]


class Cut(NamedTuple):
    """A region of a picture, and how much larger than it the crop is."""

    box: Box
    scale: float = SCALE


def regions(things: Sequence[Box], grid: Grid, size: tuple[float, float]) -> list[Cut]:
    """As many regions as the grid has cells: the things first, then the cells that show most else.

    A cell of which things cover more gives way before one of which they cover less. Of more things
    than cells the largest are taken, in their order.
    """
    count = grid.cells
    largest = sorted(range(len(things)), key=lambda i: (-_area(things[i]), i))[:count]
    kept = [things[place] for place in sorted(largest)]
    cells = grid.boxes(size)
    covered = [sum(_shared(cell, thing) for thing in kept) for cell in cells]
    free = sorted(range(count), key=lambda place: (covered[place], place))[: count - len(kept)]
    return [*(Cut(box) for box in kept), *(Cut(cells[place], 1.0) for place in sorted(free))]


def opened(path: Path) -> Image.Image:
    """The picture in three colours, whole."""
    try:
        with Image.open(path) as image:
            return image.convert("RGB")
    except FileNotFoundError:
        raise DataError("there is no such picture", file=path) from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DataError(
            f"cannot be read: {error}",
            file=path,
            expected="a whole picture (--skip-broken leaves it out)",
        ) from None


def whole(image: Image.Image, size: Size, fit: Fit = "stretch") -> Pixels:
    """The picture at a size, [height, width, 3]."""
    area = (0.0, 0.0, float(image.width), float(image.height))
    if fit == "centre":
        part = min(image.width / size[0], image.height / size[1]) * _CENTRE
        across, down = size[0] * part, size[1] * part
        left, top = (image.width - across) / 2, (image.height - down) / 2
        area = (left, top, left + across, top + down)
    return np.asarray(image.resize(size, Image.Resampling.BICUBIC, area))


def crop(image: Image.Image, cut: Cut, size: Size, blank: tuple[int, int, int]) -> Pixels:
    """A region of the picture in the middle of a blank square, [height, width, 3]."""
    left, top, right, bottom = _enlarged(cut, image.size)
    if right <= left or bottom <= top:
        x, y, width, height = cut.box.x, cut.box.y, cut.box.width, cut.box.height
        raise DataError(
            f"the box {x:g}, {y:g}, {width:g}, {height:g} is outside the picture",
            expected=f"a box in {image.width} x {image.height} pixels",
        )
    factor = min(size[0] / (right - left), size[1] / (bottom - top))
    inner = (
        max(1, min(size[0], round((right - left) * factor))),
        max(1, min(size[1], round((bottom - top) * factor))),
    )
    small = image.resize(inner, Image.Resampling.BICUBIC, (left, top, right, bottom))
    canvas = Image.new("RGB", size, blank)
    canvas.paste(small, ((size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2))
    return np.asarray(canvas)


def _enlarged(cut: Cut, size: Size) -> tuple[float, float, float, float]:
    x, y, width, height = cut.box.x, cut.box.y, cut.box.width, cut.box.height
    more_x, more_y = width * (cut.scale - 1) / 2, height * (cut.scale - 1) / 2
    return (
        max(0.0, x - more_x),
        max(0.0, y - more_y),
        min(float(size[0]), x + width + more_x),
        min(float(size[1]), y + height + more_y),
    )


def _area(box: Box) -> float:
    return box.width * box.height


def _shared(one: Box, other: Box) -> float:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, across) * max(0.0, down)
