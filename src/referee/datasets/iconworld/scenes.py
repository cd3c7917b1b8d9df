"""Scenes of icons: which things, how they look, and where they are, all decided by one key.

Things are put on a grid of 20 pixels of which each takes a square, so that no two overlap; within its
square a thing is moved at random. Its box is the ink's, to the pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from referee.datasets.iconworld.glyphs import Glyph, forms, glyph
from referee.datasets.iconworld.vocabulary import Category, vocabulary
from referee.games import Box, Scene, Thing
from referee.randomness import Stream

WIDTH, HEIGHT = 320, 240
CELL = 20
MARGIN = 2
"""Between a thing and the edge of its square, in pixels."""
COLUMNS, ROWS = WIDTH // CELL, HEIGHT // CELL
IDS_A_SCENE = 100
"""A thing's id is its scene's id times this, plus its place from 1."""
COUNTS = (3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 10, 12, 20)
"""How many things a scene holds; each entry is as likely as another."""
SIZES = {"few": ("small", "medium", "medium", "large", "large"), "many": ("small", "medium")}
MANY = 10
SAME_KIND = 0.4
SAME_SUPER = 0.5
PERSON = 0.12
FAVOURITE_COLOUR = 0.3
OUTLINE = 0.4
_TRIES = 24

Domain = Literal["seen", "near", "out"]
"""Whether the things are of COCO's kinds, of COCO's and of unseen ones, or of unseen ones only."""


class Drawn(NamedTuple):
    """A scene, and what its picture needs beyond it."""

    scene: Scene
    glyphs: tuple[Glyph, ...]
    icons: tuple[str, ...]
    background: int


@lru_cache(maxsize=8)
def _kinds(domain: Domain) -> tuple[Category, ...]:
    known = vocabulary()
    seen, unseen = known.drawn(unseen=False), known.drawn(unseen=True)
    return {"seen": seen, "near": seen + unseen, "out": unseen}[domain]


@lru_cache(maxsize=64)
def _kin(domain: Domain, super_category: str) -> tuple[Category, ...]:
    return tuple(kind for kind in _kinds(domain) if kind.super_category == super_category)


@lru_cache(maxsize=64)
def _square(cells: int) -> int:
    row = (1 << cells) - 1
    return sum(row << (COLUMNS * line) for line in range(cells))


def make_scene(number: int, key: int, domain: Domain = "seen", file: str = "") -> Drawn:
    """The scene with this number; the same key gives the same scene."""
    draw = Stream(key)
    kinds = _cast(draw, domain)
    colours = tuple(vocabulary().colours)
    favourite = {kind.name: draw.choice(colours) for kind in kinds}
    sizes = SIZES["many" if len(kinds) > MANY else "few"]
    things: list[Thing] = []
    placed: list[tuple[str, Glyph]] = []
    taken = 0
    for kind in kinds:
        icon, style = _form(draw, kind)
        colour = favourite[kind.name]
        if draw.random() >= FAVOURITE_COLOUR:
            colour = draw.choice(colours)
        size, cell, cells = _room(draw, taken, draw.choice(sizes))
        if cell < 0:
            continue
        taken |= _square(cells) << cell
        ink = glyph(icon, vocabulary().sizes[size])
        row, column = divmod(cell, COLUMNS)
        across = cells * CELL - 2 * MARGIN - ink.width + 1
        down = cells * CELL - 2 * MARGIN - ink.height + 1
        y, x = divmod(draw.below(across * down), across)
        x, y = x + column * CELL + MARGIN, y + row * CELL + MARGIN
        things.append(
            Thing(
                str(number * IDS_A_SCENE + len(things) + 1),
                kind.name,
                kind.id,
                Box(x, y, ink.width, ink.height),
                ink.area,
                (colour, size, style) if style else (colour, size),
            )
        )
        placed.append((icon, ink))
    scene = Scene(str(number), WIDTH, HEIGHT, tuple(things), file)
    icons, inks = zip(*placed, strict=True)
    return Drawn(scene, inks, icons, draw.below(1 << 16))


def _cast(draw: Stream, domain: Domain) -> Sequence[Category]:
    everything = _kinds(domain)
    cast: list[Category] = []
    for _ in range(draw.choice(COUNTS)):
        if cast and draw.random() < SAME_KIND:
            cast.append(draw.choice(cast))
        elif cast and draw.random() < SAME_SUPER:
            cast.append(draw.choice(_kin(domain, draw.choice(cast).super_category)))
        elif domain != "out" and draw.random() < PERSON:
            cast.append(everything[0])
        else:
            cast.append(draw.choice(everything))
    return cast


def _form(draw: Stream, kind: Category) -> tuple[str, str]:
    icon, outline = draw.choice(forms(kind))
    if outline is None:
        return icon, ""
    return (outline, "outline") if draw.random() < OUTLINE else (icon, "filled")


def _room(draw: Stream, taken: int, size: str) -> tuple[str, int, int]:
    """A free square for the size, for a smaller one where there is none; -1 where all is full."""
    sizes = vocabulary().sizes
    names = list(sizes)
    for name in reversed(names[: names.index(size) + 1]):
        cells = -(-(sizes[name] + 2 * MARGIN) // CELL)
        square = _square(cells)
        places = (COLUMNS - cells + 1) * (ROWS - cells + 1)
        for _ in range(_TRIES):
            row, column = divmod(draw.below(places), COLUMNS - cells + 1)
            cell = row * COLUMNS + column
            if not taken & (square << cell):
                return name, cell, cells
    return "small", -1, 0
