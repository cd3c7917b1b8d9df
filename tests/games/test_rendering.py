"""What everybody sees of the candidates."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from referee.errors import DataError, UsageError
from referee.games import Box, Scene, Thing, render, render_pool
from referee.games.rendering.ink import PALETTE, WHITE
from referee.games.rendering.labels import place
from referee.games.rendering.scenes import Style

STYLES: tuple[Style, ...] = ("boxes", "numbered", "crops")
BLACK = (0, 0, 0)


def scene(*boxes: Box, width: float = 200, height: float = 100) -> Scene:
    """A scene with a dog in each box."""
    things = tuple(Thing(f"t{place}", "dog", 18, box) for place, box in enumerate(boxes))
    return Scene("s", width, height, things)


def photo(width: int = 200, height: int = 100) -> Image.Image:
    """A black picture, on which everything that is drawn shows."""
    return Image.new("RGB", (width, height), BLACK)


def bytes_of(image: Image.Image) -> bytes:
    """The picture as a PNG."""
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


THREE = scene(Box(20, 30, 60, 40), Box(90, 10, 50, 50), Box(150, 60, 40, 30))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("image", [None, photo()])
def test_the_same_bytes(style: Style, image: Any) -> None:
    """A scene is drawn the same each time, in a process of its own too."""
    assert bytes_of(render(THREE, style, image=image)) == bytes_of(
        render(THREE, style, image=image)
    )


def test_the_same_bytes_elsewhere() -> None:
    """Another process draws the same picture, and loads Pillow only when it draws."""
    program = """
import sys
from hashlib import sha256
from referee.games import Box, Scene, Thing
assert "PIL" not in sys.modules
boxes = Box(20, 30, 60, 40), Box(90, 10, 50, 50), Box(150, 60, 40, 30)
things = tuple(Thing(f"t{place}", "dog", 18, box) for place, box in enumerate(boxes))
from referee.games import render
print(sha256(render(Scene("s", 200, 100, things)).tobytes()).hexdigest())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == sha256(render(THREE).tobytes()).hexdigest()


@pytest.mark.parametrize("style", ["boxes", "numbered"])
def test_boxes_land_on_their_pixels(style: Style) -> None:
    """The outline runs just inside the box, in the colour of the place, and the inside stays as it was."""
    drawn = render(scene(Box(80, 40, 60, 40)), style, image=photo())
    for x, y in [(80, 60), (139, 60), (110, 79), (81, 60), (138, 60), (110, 78)]:
        assert drawn.getpixel((x, y)) == PALETTE[0], (x, y)
    for x, y in [(79, 60), (140, 60), (110, 80), (82, 60)]:
        assert drawn.getpixel((x, y)) == WHITE, (x, y)
    for x, y in [(78, 60), (141, 60), (110, 60), (83, 60)]:
        assert drawn.getpixel((x, y)) == BLACK, (x, y)


def test_boxes_follow_the_width() -> None:
    """At twice the width a box is at twice its place, whatever the size of the picture."""
    drawn = render(scene(Box(80, 40, 60, 40)), "numbered", image=photo(50, 25), width=400)
    assert drawn.size == (400, 200)
    assert drawn.getpixel((160, 120)) == drawn.getpixel((279, 120)) == PALETTE[0]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "box",
    [
        Box(-50, -50, 100, 100),
        Box(190, 90, 500, 500),
        Box(-10, -10, 999, 999),
        Box(500, 500, 10, 10),
        Box(-20, 5, 10, 10),
        Box(50, 50, 0, 0),
        Box(float("nan"), 0, 10, 10),
        Box(0, 0, float("inf"), 10),
        Box(10, 10, -5, 10),
    ],
)
def test_boxes_beyond_the_picture(style: Style, box: Box) -> None:
    """A box that leaves the picture is clipped, one that never meets it is not drawn."""
    drawn = render(scene(box, Box(10, 10, 30, 30)), style, image=photo())
    if style != "crops":
        assert drawn.size == (200, 100)


def test_a_clipped_box_ends_at_the_edge() -> None:
    """The part inside the picture is outlined along the picture's edge."""
    drawn = render(scene(Box(150, 50, 500, 500)), "numbered", image=photo())
    assert drawn.getpixel((199, 75)) == drawn.getpixel((160, 99)) == PALETTE[0]


@pytest.mark.parametrize("style", STYLES)
def test_an_empty_scene(style: Style) -> None:
    """A scene without things is its picture; without a size it still is a picture."""
    if style != "crops":
        assert bytes_of(render(scene(), style, image=photo())) == bytes_of(photo())
    assert min(render(Scene("nothing"), style).size) > 0


def test_the_extent_of_a_scene_without_size() -> None:
    """A scene that does not know its size is as large as its picture, or as what it holds."""
    unsized = scene(Box(20, 30, 60, 40), width=0, height=0)
    assert render(unsized, image=photo(90, 80)).size == (90, 80)
    assert render(unsized).size == (80, 70)


def test_highlight() -> None:
    """What is highlighted keeps its colour and grows thicker; the rest steps back."""
    drawn = render(THREE, "numbered", image=photo(), highlight=("t1",))
    assert drawn.getpixel((93, 50)) == PALETTE[1]
    assert drawn.getpixel((20, 50)) not in PALETTE
    assert drawn.getpixel((93, 50)) != render(THREE, "numbered", image=photo()).getpixel((93, 50))


def test_a_picture_from_a_file(tmp_path: Path) -> None:
    """A path and the picture that is there draw the same; where nothing is, paper is drawn."""
    image = Image.effect_noise((200, 100), 60)
    image.save(tmp_path / "p.png")
    assert bytes_of(render(THREE, image=tmp_path / "p.png")) == bytes_of(render(THREE, image=image))
    assert bytes_of(render(THREE, image=tmp_path / "none.png")) == bytes_of(render(THREE))


def test_a_broken_picture(tmp_path: Path) -> None:
    """A file that is no picture is named in a DataError."""
    path = tmp_path / "p.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0 nothing more")
    with pytest.raises(DataError, match=r"p\.jpg: cannot be drawn"):
        render(THREE, image=path)


def test_crops_show_the_things() -> None:
    """Each tile of the crops shows what is in its box: here a red, a green and no picture."""
    picture = photo()
    picture.paste((255, 0, 0), (20, 30, 80, 70))
    picture.paste((0, 255, 0), (90, 10, 140, 60))
    sheet = render(
        scene(Box(20, 30, 60, 40), Box(90, 10, 50, 50), Box(900, 900, 5, 5)), "crops", image=picture
    )
    colours = {colour for _, colour in sheet.getcolors(sheet.width * sheet.height) or []}
    assert {(255, 0, 0), (0, 255, 0)} <= colours
    left, right = sheet.crop((0, 0, sheet.width // 2, sheet.height // 2)), sheet
    assert (0, 255, 0) not in {colour for _, colour in left.getcolors(10**6) or []}
    assert right.height > left.height


def test_a_pool() -> None:
    """A sheet has a tile for each picture, with a frame around what is highlighted."""
    pool = [Scene(f"p{place}", file=f"p{place}.jpg") for place in range(7)]
    images = [photo(40 + 20 * place, 60) for place in range(6)] + [None]
    sheet = render_pool(pool, images=images, highlight=("p1",), width=640, columns=4)
    plain = render_pool(pool, images=images, width=640, columns=4)
    assert sheet.size[0] == 640
    assert bytes_of(sheet) == bytes_of(
        render_pool(pool, images=images, highlight=("p1",), width=640, columns=4)
    )
    assert bytes_of(sheet) != bytes_of(plain)
    assert min(render_pool([]).size) > 0
    assert render_pool([THREE, THREE]).size == render_pool(pool[:2], images=images[:2]).size


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: render(THREE, "dots"), "no style 'dots'"),  # type: ignore[arg-type]
        (lambda: render(THREE, width=0), "0 pixels wide"),
        (lambda: render(THREE, "crops", width=9), "do not fit into 9 pixels"),
        (lambda: render_pool([THREE], images=[]), "0 images were given for a pool of 1"),
        (lambda: render_pool([THREE], columns=0), "cannot have 0 columns"),
    ],
)
def test_calls_that_make_no_sense(call: Any, words: str) -> None:
    """What cannot be drawn is said in one line."""
    with pytest.raises(UsageError, match=words):
        call()


corners = st.tuples(
    st.integers(0, 390), st.integers(0, 290), st.integers(1, 200), st.integers(1, 200)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(corners, max_size=12))
def test_labels_stay_on_the_canvas(places: list[tuple[int, int, int, int]]) -> None:
    """No label leaves the canvas, whatever the boxes."""
    boxes = [(x, y, min(400, x + w), min(300, y + h)) for x, y, w, h in places]
    sizes = [[(60, 16), (20, 16)] for _ in boxes]
    placed = place(boxes, sizes, (400, 300))
    assert len(placed) == len(boxes)
    for option, (left, top, right, bottom) in placed:
        assert (right - left, bottom - top) == sizes[0][option]
        assert 0 <= left < right <= 400
        assert 0 <= top < bottom <= 300


def test_labels_keep_clear_of_each_other() -> None:
    """Eight boxes on top of each other still get eight labels that do not touch."""
    boxes = [(100 + 2 * step, 100, 160 + 2 * step, 150) for step in range(8)]
    areas = [area for _, area in place(boxes, [[(70, 18), (22, 18)]] * 8, (400, 300))]
    for index, one in enumerate(areas):
        for other in areas[:index]:
            apart = (
                one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            )
            assert apart, (one, other)


def test_real_photographs(shared: Path) -> None:
    """Every style draws a real COCO photograph at its own size or as a sheet."""
    path = shared / "coco" / "val2017" / "000000000139.jpg"
    with Image.open(path) as image:
        size = image.size
    real = scene(
        Box(236.98, 142.51, 24.7, 69.5), Box(7.03, 167.76, 149.3, 94.9), width=640, height=426
    )
    assert render(real, image=path).size == size == (640, 426)
    assert render(real, "crops", image=path).width > 400
