"""Colours, letters and pictures: what every drawing is made of."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from referee.errors import DataError
from referee.games.model import Box, Scene

Picture: TypeAlias = Image.Image | str | Path | None
"""A picture, where it is, or None (also: a path at which there is nothing) to draw without it."""
Colour: TypeAlias = tuple[int, int, int]
Area: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""

WHITE: Colour = (255, 255, 255)
INK: Colour = (27, 35, 38)
PAPER: Colour = (244, 245, 242)
SOFT: Colour = (150, 158, 160)
PALETTE: tuple[Colour, ...] = (
    (230, 159, 0),
    (86, 180, 233),
    (0, 158, 115),
    (240, 228, 66),
    (0, 114, 178),
    (213, 94, 0),
    (204, 121, 167),
)
"""Okabe and Ito's colours, which people with any colour vision tell apart."""

_FALLBACK = (320, 240)
_FEW = 10
_LARGEST = 8192


def colour(place: int) -> Colour:
    """The colour of the candidate at a place."""
    return PALETTE[place % len(PALETTE)]


def on(background: Colour) -> Colour:
    """Black or white, whichever is easier to read on a colour."""
    red, green, blue = background
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else WHITE  # noqa: PLR2004 (mid grey)


def tint(one: Colour, share: float = 0.25) -> Colour:
    """A share of a colour on paper."""
    red, green, blue = (
        round(share * each + (1 - share) * paper) for each, paper in zip(one, PAPER, strict=True)
    )
    return red, green, blue


@lru_cache(maxsize=32)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font, so that a drawing is the same on every machine."""
    return ImageFont.load_default(size)


def letters(size: tuple[int, int], count: int) -> int:
    """The size of letters that suit a picture with so many labels."""
    share = 25 if count <= _FEW else 30
    return max(11, min(40, round(min(size) / share)))


def label_size(text: str, size: int) -> tuple[int, int]:
    """Width and height of a label with its margins."""
    return round(font(size).getlength(text)) + 2 * _margin(size), round(size * 1.3)


def draw_label(draw: ImageDraw.ImageDraw, area: Area, text: str, size: int, fill: Colour) -> None:
    """A filled label with a thin white edge, and its text in the middle."""
    left, top, right, bottom = area
    draw.rounded_rectangle((left, top, right - 1, bottom - 1), size // 5, fill, WHITE, 1)
    draw.text(((left + right) / 2, (top + bottom) / 2), text, on(fill), font(size), anchor="mm")


def draw_leader(draw: ImageDraw.ImageDraw, label: Area, box: Area, fill: Colour) -> None:
    """A line from a label to its box, where they do not touch."""
    points = [
        (min(max(one[0], other[0]), one[2]), min(max(one[1], other[1]), one[3]))
        for one, other in ((label, box), (box, label))
    ]
    if points[0] != points[1]:
        draw.line(points, WHITE, 4)
        draw.line(points, fill, 2)


def shortened(text: str, size: int, width: int) -> str:
    """The text, or its beginning with an ellipsis where it is wider than allowed."""
    if label_size(text, size)[0] <= width:
        return text
    while text and label_size(f"{text}…", size)[0] > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def opened(picture: Picture) -> Image.Image | None:
    """The picture in three colours, or None where there is none."""
    if picture is None:
        return None
    if isinstance(picture, Image.Image):
        return picture.convert("RGB")
    path = Path(picture)
    if not path.exists():
        return None
    try:
        with Image.open(path) as image:
            return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DataError(
            f"cannot be drawn: {error}", file=path, expected="a picture that Pillow can read"
        ) from None


def extent(scene: Scene, image: Image.Image | None) -> tuple[float, float]:
    """Width and height of the scene: as it says, else of its picture, else around its things."""
    if scene.width >= 1 and scene.height >= 1:
        return scene.width, scene.height
    if image is not None:
        return image.width, image.height
    boxes = [thing.box for thing in scene.things if sound(thing.box)]
    right = max((box.x + box.width for box in boxes), default=0.0)
    lower = max((box.y + box.height for box in boxes), default=0.0)
    return (right, lower) if right >= 1 and lower >= 1 else _FALLBACK


def canvas_size(extent: tuple[float, float], width: int | None) -> tuple[int, int]:
    """The size in pixels of a drawing of this extent, as wide as asked."""
    across = max(1, round(extent[0]) if width is None else width)
    down = max(1, round(across * extent[1] / extent[0]))
    return min(across, _LARGEST), min(down, _LARGEST)


def sound(box: Box) -> bool:
    """Whether a box has finite corners and a size."""
    return (
        all(map(isfinite, (box.x, box.y, box.width, box.height)))
        and min(box.width, box.height) >= 0
    )


def _margin(size: int) -> int:
    return max(3, size // 3)
