"""Contact sheets: numbered tiles of things cut out of a scene, or of the pictures of a pool."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw

from referee.errors import UsageError
from referee.games.model import Scene
from referee.games.rendering import ink, scenes

_GAP = 8
_TILE = 200
_POOL_SHAPE = 3 / 4
_CONTEXT = 0.15
"""How much of its surroundings a cut-out thing keeps on each side, as a share of its size."""


@dataclass(frozen=True)
class _Tile:
    """What one tile shows: a picture where there is one, a label, and whether it stands out."""

    picture: Image.Image | None
    label: str
    colour: ink.Colour
    marked: bool


def render_pool(
    pool: Sequence[Scene],
    *,
    images: Sequence[ink.Picture] | None = None,
    highlight: Collection[str] = (),
    width: int | None = None,
    columns: int | None = None,
) -> Image.Image:
    """The pictures of a pool as one numbered sheet.

    `images` holds the picture of each scene, in the pool's order; a scene without one is drawn as its
    boxes. `highlight` holds the ids of pictures that get a frame.
    """
    if images is not None and len(images) != len(pool):
        raise UsageError(f"{len(images)} images were given for a pool of {len(pool)}")
    across = _columns(len(pool), columns, 5)
    side = _side(width, across)
    tiles = []
    for place, scene in enumerate(pool):
        picture = ink.opened(images[place] if images is not None else None)
        if picture is None and scene.things:
            across_one, down_one = ink.extent(scene, None)
            fitting = min(side, round(side * _POOL_SHAPE * across_one / down_one))
            picture = scenes.render(scene, "numbered", width=max(1, fitting))
        tiles.append(
            _Tile(
                picture,
                f"{place + 1}" if picture is not None else f"{place + 1} {scene.file or scene.id}",
                ink.INK,
                scene.id in highlight,
            )
        )
    return _sheet(tiles, across, side, round(side * _POOL_SHAPE), width)


def crops(
    scene: Scene,
    paper: Image.Image,
    extent: tuple[float, float],
    highlight: Collection[str],
    width: int | None,
) -> Image.Image:
    """The things of a scene, each cut out of the paper with a little of what is around it."""
    across = _columns(len(scene.things), None, 5)
    side = _side(width, across)
    tiles = []
    for index, thing in enumerate(scene.things):
        area = scenes.area_of(thing.box, extent, paper.size)
        marked = thing.id in highlight
        shade = ink.colour(index) if marked or not highlight else ink.SOFT
        cut = None if area is None else paper.crop(_with_context(area, paper.size))
        tiles.append(_Tile(cut, f"{index + 1} {thing.category}", shade, marked))
    return _sheet(tiles, across, side, side, width)


def _with_context(area: ink.Area, size: tuple[int, int]) -> ink.Area:
    left, top, right, bottom = area
    more = max(2, round(_CONTEXT * max(right - left, bottom - top)))
    return (
        max(0, left - more),
        max(0, top - more),
        min(size[0], right + more),
        min(size[1], bottom + more),
    )


def _columns(count: int, columns: int | None, most: int) -> int:
    if columns is not None and columns < 1:
        raise UsageError(f"a sheet cannot have {columns} columns")
    return columns or max(1, min(most, ceil(sqrt(count))))


def _side(width: int | None, columns: int) -> int:
    if width is None:
        return _TILE
    if width < columns * (_GAP + 1) + _GAP:
        raise UsageError(f"{columns} tiles do not fit into {width} pixels")
    return (width - _GAP) // columns - _GAP


def _sheet(
    tiles: Sequence[_Tile], columns: int, side: int, height: int, width: int | None
) -> Image.Image:
    size = max(11, min(24, side // 11))
    bar = round(size * 1.3) + 6
    rows = ceil(len(tiles) / columns)
    across = columns * (side + _GAP) + _GAP if width is None else width
    sheet = Image.new("RGB", (across, max(1, rows) * (height + bar + _GAP) + _GAP), ink.WHITE)
    draw = ImageDraw.Draw(sheet)
    for place, tile in enumerate(tiles):
        left = _GAP + place % columns * (side + _GAP)
        top = _GAP + place // columns * (height + bar + _GAP)
        _draw(sheet, draw, tile, (left, top, left + side, top + height + bar), size)
    return sheet


def _draw(
    sheet: Image.Image, draw: ImageDraw.ImageDraw, tile: _Tile, area: ink.Area, size: int
) -> None:
    left, top, right, bottom = area
    bar = round(size * 1.3) + 6
    draw.rectangle((left, top, right - 1, bottom - 1), ink.PAPER)
    if tile.picture is not None:
        fitted = _fitted(tile.picture, (right - left, bottom - top - bar))
        x = left + (right - left - fitted.width) // 2
        y = top + bar + (bottom - top - bar - fitted.height) // 2
        sheet.paste(fitted, (x, y))
    text = ink.shortened(tile.label, size, right - left - 6)
    wide, high = ink.label_size(text, size)
    ink.draw_label(
        draw, (left + 3, top + 3, left + 3 + wide, top + 3 + high), text, size, tile.colour
    )
    if tile.marked:
        frame = (left - 4, top - 4, right + 3, bottom + 3)
        draw.rectangle(frame, outline=ink.PALETTE[5], width=4)


def _fitted(picture: Image.Image, room: tuple[int, int]) -> Image.Image:
    """The picture as large as the room allows; a tiny one grows to four times its size at most."""
    scale = min(room[0] / picture.width, room[1] / picture.height, 4)
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    return picture.resize(size, Image.Resampling.LANCZOS)
