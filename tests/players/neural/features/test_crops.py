"""What a model is shown: grids tile, things come first, crops keep their proportions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from referee.errors import DataError, UsageError
from referee.games import Box
from referee.players.neural.features.crops import Cut, Fit, Grid, crop, opened, regions, whole

SIZES = st.tuples(st.integers(8, 400), st.integers(8, 400))
BLANK = (1, 2, 3)


@given(rows=st.integers(1, 8), columns=st.integers(1, 8), size=SIZES)
def test_the_cells_of_a_grid_tile_the_picture(
    rows: int, columns: int, size: tuple[int, int]
) -> None:
    cells = Grid(rows, columns).boxes(size)
    assert len(cells) == Grid.parsed(f"{rows}x{columns}").cells
    assert sum(cell.width * cell.height for cell in cells) == pytest.approx(size[0] * size[1])
    assert max(cell.x + cell.width for cell in cells) == pytest.approx(size[0])
    assert max(cell.y + cell.height for cell in cells) == pytest.approx(size[1])


@pytest.mark.parametrize("text", ["6", "6x", "0x6", "6x6x6", "axb", "-1x2", ""])
def test_a_text_that_is_no_grid(text: str) -> None:
    with pytest.raises(UsageError, match="is no grid"):
        Grid.parsed(text)


@given(
    boxes=st.lists(
        st.builds(Box, *[st.integers(0, 60)] * 2, *[st.integers(1, 40)] * 2), max_size=12
    ),
    rows=st.integers(1, 3),
    columns=st.integers(1, 3),
)
def test_there_are_as_many_regions_as_cells(boxes: list[Box], rows: int, columns: int) -> None:
    """Things first, in their order, the largest where not all have room; then cells."""
    grid = Grid(rows, columns)
    found = [cut.box for cut in regions(boxes, grid, (100, 100))]
    assert len(found) == grid.cells
    kept = found[: min(len(boxes), grid.cells)]
    places = iter(boxes)
    assert all(any(box == other for other in places) for box in kept)
    smallest = min((box.width * box.height for box in kept), default=0)
    left = sorted((box.width * box.height for box in boxes), reverse=True)[len(kept) :]
    assert all(area <= smallest for area in left)
    assert set(found[len(kept) :]) <= set(grid.boxes((100, 100)))


def test_a_cell_that_things_cover_gives_way() -> None:
    """One thing in the second cell of four: the other three cells are shown."""
    thing = Box(60, 5, 30, 30)
    found = regions([thing], Grid(2, 2), (100, 100))
    assert [cut.box for cut in found] == [
        thing,
        Box(0, 0, 50, 50),
        Box(0, 50, 50, 50),
        Box(50, 50, 50, 50),
    ]
    assert [cut.scale for cut in found] == [1.1, 1.0, 1.0, 1.0]


def picture() -> Image.Image:
    """A white picture with a red rectangle, 40 x 20, at (30, 40)."""
    image = Image.new("RGB", (100, 100), "white")
    image.paste("red", (30, 40, 70, 60))
    return image


def test_a_crop_is_a_tenth_larger_and_padded_to_a_square() -> None:
    """44 x 22 pixels fill the width, half of the height, and the rest is blank."""
    shown = crop(picture(), Cut(Box(30, 40, 40, 20)), (44, 44), BLANK)
    assert shown.shape == (44, 44, 3)
    assert shown[22, 22].tolist() == [255, 0, 0]
    assert shown[22, 0, 1] > 100  # the white beyond the box, of which half a tenth is seen
    blank = (shown == BLANK).all(axis=2).all(axis=1)
    assert blank.tolist() == [True] * 11 + [False] * 22 + [True] * 11


def test_a_crop_ends_where_the_picture_ends() -> None:
    """Half of the box is outside; what is inside is shown."""
    shown = crop(picture(), Cut(Box(80, 0, 40, 20), 1.0), (40, 40), BLANK)
    assert (shown != BLANK).any(axis=2).all()


@pytest.mark.parametrize("box", [Box(200, 0, 10, 10), Box(-50, 0, 10, 10), Box(5, 5, 0, 0)])
def test_a_box_outside_the_picture(box: Box) -> None:
    with pytest.raises(DataError, match="is outside the picture"):
        crop(picture(), Cut(box), (8, 8), BLANK)


@given(size=SIZES, shape=SIZES)
def test_a_whole_picture_takes_the_size_that_is_wanted(
    size: tuple[int, int], shape: tuple[int, int]
) -> None:
    image = Image.new("RGB", size, (9, 8, 7))
    fits: tuple[Fit, ...] = ("stretch", "centre")
    for fit in fits:
        shown = whole(image, shape, fit)
        assert shown.shape == (shape[1], shape[0], 3)
        assert (shown == (9, 8, 7)).all()


def test_the_middle_is_seven_eighths_of_the_shorter_side() -> None:
    """Of 256 x 512 pixels the middle 224 x 224, to the pixel, as Resize 256 and CenterCrop 224 give."""
    across, down = np.meshgrid(np.arange(512), np.arange(256))
    image = Image.fromarray(np.stack([across % 256, down, across // 256], 2).astype(np.uint8))
    shown = whole(image, (224, 224), "centre")
    assert np.array_equal(shown, np.asarray(image)[16:240, 144:368])


def test_pictures_that_cannot_be_opened(tmp_path: Path) -> None:
    """Absent, cut short, or no picture at all: an error with the file's name."""
    file = tmp_path / "a.png"
    with pytest.raises(DataError, match="no such picture"):
        opened(file)
    Image.effect_noise((64, 64), 50).save(file)
    assert opened(file).mode == "RGB"
    whole_file = file.read_bytes()
    for damaged in (whole_file[: len(whole_file) // 2], b"", b"text"):
        file.write_bytes(damaged)
        with pytest.raises(DataError, match="cannot be read") as caught:
            opened(file)
        assert caught.value.file == str(file)
