"""The icons as masks: what is inked, where, and its outline. Drawn once for each icon and size."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from referee.datasets.iconworld.vocabulary import Category

if TYPE_CHECKING:
    from PIL import Image, ImageFont

SOLID = 128
"""From this opacity on, a pixel counts for an icon's outline."""
_ROWS = 6
"""In how many rows the outline of an icon is taken."""


class Glyph(NamedTuple):
    """An icon at one size, cut to its ink."""

    mask: Image.Image
    width: int
    height: int
    polygon: tuple[int, ...]
    """The silhouette as x, y, x, y … from the left upper corner of the ink."""
    area: float


@lru_cache(maxsize=1)
def _characters() -> dict[str, str]:
    from fonticon_mdi7 import MDI7

    return {name: text[-1] for name, text in vars(MDI7).items() if isinstance(text, str)}


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont:
    from fonticon_mdi7 import MDI7
    from PIL import ImageFont

    return ImageFont.truetype(MDI7.__font_file__, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def forms(category: Category) -> tuple[tuple[str, str | None], ...]:
    """The icons of a category, each with the icon of its outline where it can be drawn in both styles."""
    known = _characters()
    outlines = [f"{icon}_outline" if category.styles else "" for icon in category.icons]
    pairs = zip(category.icons, outlines, strict=True)
    return tuple((icon, outline if outline in known else None) for icon, outline in pairs)


@lru_cache(maxsize=4096)
def glyph(icon: str, size: int) -> Glyph:
    """The icon, drawn in a square of so many pixels and cut to the pixels that are not empty."""
    from PIL import Image, ImageDraw

    side = size * 2
    canvas = Image.new("L", (side, side))
    place = (size // 2, size // 2)
    ImageDraw.Draw(canvas).text(place, _characters()[icon], font=_font(size), fill=255)
    mask = canvas.crop(canvas.getbbox())
    polygon = _silhouette(mask)
    return Glyph(mask, mask.width, mask.height, polygon, _area(polygon))


def _silhouette(mask: Image.Image) -> tuple[int, ...]:
    solid = mask.point([255 * (value >= SOLID) for value in range(256)])
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    for row in range(_ROWS):
        top, bottom = mask.height * row // _ROWS, mask.height * (row + 1) // _ROWS
        ink = solid.crop((0, top, mask.width, bottom)).getbbox()
        if ink is not None:
            left += [(ink[0], top), (ink[0], bottom)]
            right += [(ink[2], top), (ink[2], bottom)]
    return tuple(number for point in (*left, *reversed(right)) for number in point)


def _area(polygon: tuple[int, ...]) -> float:
    xs, ys = polygon[::2], polygon[1::2]
    turned = zip(xs, ys, (*xs[1:], xs[0]), (*ys[1:], ys[0]), strict=True)
    return abs(sum(x * next_y - next_x * y for x, y, next_x, next_y in turned)) / 2
