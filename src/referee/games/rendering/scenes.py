"""A scene with its things outlined and numbered, or cut out."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, floor
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from referee.errors import UsageError
from referee.games.model import Box, Scene
from referee.games.rendering import ink, sheets
from referee.games.rendering.ink import Area
from referee.games.rendering.labels import place

Style: TypeAlias = Literal["boxes", "numbered", "crops"]


def render(
    scene: Scene,
    style: Style = "boxes",
    *,
    image: ink.Picture = None,
    highlight: Collection[str] = (),
    width: int | None = None,
) -> Image.Image:
    """The candidates of a scene as one picture.

    - `boxes`: an outline around each thing, with its number and category
    - `numbered`: an outline around each thing, with its number only
    - `crops`: a sheet of the things cut out, each with its number and category

    Without a picture the boxes are drawn on plain paper. `highlight` holds the ids of things that stand
    out; the others step back. `width` is the width of the result in pixels (default: the scene's own).
    """
    if style not in {"boxes", "numbered", "crops"}:
        raise UsageError(f"there is no style {style!r}: boxes, numbered or crops")
    if width is not None and width < 1:
        raise UsageError(f"a picture cannot be {width} pixels wide")
    picture = ink.opened(image)
    extent = ink.extent(scene, picture)
    if style == "crops":
        return sheets.crops(scene, _paper(scene, picture, extent, None), extent, highlight, width)
    canvas = _paper(scene, picture, extent, width)
    areas = {
        index: area
        for index, thing in enumerate(scene.things)
        if (area := area_of(thing.box, extent, canvas.size)) is not None
    }
    _outline(canvas, scene, areas, highlight)
    _label(canvas, scene, areas, highlight, named=style == "boxes")
    return canvas


def area_of(box: Box, extent: tuple[float, float], size: tuple[int, int]) -> Area | None:
    """The pixels of a box on a canvas, or None where nothing of it is on the canvas."""
    if not ink.sound(box):
        return None
    across, down = size[0] / extent[0], size[1] / extent[1]
    left, top = max(0, floor(box.x * across)), max(0, floor(box.y * down))
    right = min(size[0], ceil((box.x + box.width) * across))
    bottom = min(size[1], ceil((box.y + box.height) * down))
    return (left, top, right, bottom) if left < right and top < bottom else None


def _paper(
    scene: Scene, picture: Image.Image | None, extent: tuple[float, float], width: int | None
) -> Image.Image:
    size = ink.canvas_size(extent, width)
    if picture is not None:
        return picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS)
    canvas = Image.new("RGB", size, ink.PAPER)
    draw = ImageDraw.Draw(canvas)
    # The largest first, so that what lies inside another thing stays visible.
    for index in sorted(
        range(len(scene.things)), key=lambda each: -_measure(scene.things[each].box)
    ):
        area = area_of(scene.things[index].box, extent, size)
        if area is not None:
            left, top, right, bottom = area
            draw.rectangle((left, top, right - 1, bottom - 1), ink.tint(ink.colour(index)))
    return canvas


def _measure(box: Box) -> float:
    return box.width * box.height if ink.sound(box) else 0.0


def _outline(
    canvas: Image.Image, scene: Scene, areas: dict[int, Area], highlight: Collection[str]
) -> None:
    draw = ImageDraw.Draw(canvas)
    thin = max(2, round(min(canvas.size) / 200))
    back = [index for index in areas if highlight and scene.things[index].id not in highlight]
    front = [index for index in areas if index not in back]
    for index in (*back, *front):
        left, top, right, bottom = areas[index]
        thick = 2 * thin if highlight and index in front else thin
        shade = ink.SOFT if index in back else ink.colour(index)
        halo = (left - 1, top - 1, right, bottom)
        draw.rectangle(halo, outline=ink.WHITE, width=thick + 2)
        draw.rectangle((left, top, right - 1, bottom - 1), outline=shade, width=thick)


def _label(
    canvas: Image.Image,
    scene: Scene,
    areas: dict[int, Area],
    highlight: Collection[str],
    *,
    named: bool,
) -> None:
    draw = ImageDraw.Draw(canvas)
    size = ink.letters(canvas.size, len(areas))
    indices = list(areas)
    texts = [
        [f"{index + 1} {scene.things[index].category}", f"{index + 1}"]
        if named
        else [f"{index + 1}"]
        for index in indices
    ]
    sizes = [[ink.label_size(text, size) for text in options] for options in texts]
    placed = place([areas[index] for index in indices], sizes, canvas.size)
    shades = [
        ink.SOFT if highlight and scene.things[index].id not in highlight else ink.colour(index)
        for index in indices
    ]
    for index, (_, area), shade in zip(indices, placed, shades, strict=True):
        ink.draw_leader(draw, area, areas[index], shade)
    for options, (option, area), shade in zip(texts, placed, shades, strict=True):
        ink.draw_label(draw, area, options[option], size, shade)
