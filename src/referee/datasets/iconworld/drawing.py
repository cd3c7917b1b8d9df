"""Pictures of scenes: tinted icons on a quiet two-tone background."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from referee.datasets.iconworld.scenes import HEIGHT, WIDTH, Drawn
from referee.datasets.iconworld.vocabulary import vocabulary

if TYPE_CHECKING:
    from PIL import Image

    from referee.games import Thing

PAPERS = (
    ("#f7fafc", "#e6eef4"),
    ("#fdf8ee", "#f3ead8"),
    ("#f3f9f2", "#e2efdf"),
    ("#faf5fb", "#eee4f1"),
    ("#f4f8fd", "#f1ece2"),
    ("#fbf6f3", "#e9efe9"),
)
"""The colours at the top and at the bottom of the picture."""
HORIZONS = (150, 165, 180)
"""Where the lower part begins, in pixels from the top."""
COMPRESSION = 1
"""zlib's level: pictures are small, and a higher one takes twice the time for a tenth of the size."""


@lru_cache(maxsize=len(PAPERS) * len(HORIZONS))
def _paper(number: int) -> Image.Image:
    from PIL import Image, ImageDraw

    upper, lower = PAPERS[number % len(PAPERS)]
    horizon = HORIZONS[number // len(PAPERS) % len(HORIZONS)]
    paper = Image.new("RGB", (WIDTH, HEIGHT), upper)
    ImageDraw.Draw(paper).rectangle((0, horizon, WIDTH, HEIGHT), fill=lower)
    return paper


def draw(drawn: Drawn) -> Image.Image:
    """The picture of a scene."""
    colours = vocabulary().colours
    picture = _paper(drawn.background % (len(PAPERS) * len(HORIZONS))).copy()
    for thing, glyph in zip(drawn.scene.things, drawn.glyphs, strict=True):
        colour = next(colours[a] for a in thing.attributes if a in colours)
        picture.paste(colour, _corners(thing), glyph.mask)
    return picture


def opacity(drawn: Drawn, place: int) -> Image.Image:
    """How much of each pixel one thing of the scene covers."""
    from PIL import Image

    layer = Image.new("L", (WIDTH, HEIGHT))
    glyph = drawn.glyphs[place]
    layer.paste(glyph.mask, _corners(drawn.scene.things[place]))
    return layer


def png(drawn: Drawn) -> bytes:
    """The picture as the bytes of a PNG file, which carries no time and no name."""
    stream = BytesIO()
    draw(drawn).save(stream, "PNG", compress_level=COMPRESSION)
    return stream.getvalue()


def _corners(thing: Thing) -> tuple[int, int, int, int]:
    box = thing.box
    left, top = int(box.x), int(box.y)
    return left, top, left + int(box.width), top + int(box.height)
