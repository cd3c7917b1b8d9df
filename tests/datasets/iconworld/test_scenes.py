"""Scenes and their pictures: boxes to the pixel, nothing on top of anything, every size and style."""

from __future__ import annotations

from itertools import combinations

from referee.datasets.iconworld.drawing import draw, opacity, png
from referee.datasets.iconworld.human_games import polygon
from referee.datasets.iconworld.scenes import HEIGHT, WIDTH, Drawn, make_scene
from referee.datasets.iconworld.vocabulary import STYLES, vocabulary


def test_boxes_are_tight_to_the_pixel(drawn_scenes: tuple[Drawn, ...]) -> None:
    """A box is exactly where a thing covers anything of the picture."""
    for drawn in drawn_scenes:
        for place, thing in enumerate(drawn.scene.things):
            box = thing.box
            corners = (box.x, box.y, box.x + box.width, box.y + box.height)
            assert opacity(drawn, place).getbbox() == corners


def test_a_picture_differs_from_its_background_inside_boxes_only(
    drawn_scenes: tuple[Drawn, ...],
) -> None:
    """What the picture shows beyond the background is in the boxes, each of which holds some of it."""
    from PIL import Image, ImageChops

    for drawn in drawn_scenes[:30]:
        empty = drawn._replace(scene=type(drawn.scene)("", WIDTH, HEIGHT), glyphs=(), icons=())
        shown = ImageChops.difference(draw(drawn), draw(empty)).convert("L")
        for thing in drawn.scene.things:
            left, top = int(thing.box.x), int(thing.box.y)
            corners = (left, top, left + int(thing.box.width), top + int(thing.box.height))
            assert shown.crop(corners).getbbox() is not None
            shown.paste(0, corners)
        assert shown.getbbox() is None
        assert isinstance(shown, Image.Image)


def test_things_do_not_overlap(drawn_scenes: tuple[Drawn, ...]) -> None:
    """No two boxes share a pixel, and all lie in the picture."""
    for drawn in drawn_scenes:
        boxes = [thing.box for thing in drawn.scene.things]
        for box in boxes:
            assert 0 < box.x < box.x + box.width < WIDTH
            assert 0 < box.y < box.y + box.height < HEIGHT
        for one, two in combinations(boxes, 2):
            across = min(one.x + one.width, two.x + two.width) - max(one.x, two.x)
            down = min(one.y + one.height, two.y + two.height) - max(one.y, two.y)
            assert across <= 0 or down <= 0


def test_scenes_are_as_varied_as_promised() -> None:
    """From 3 to 20 things, several of a kind in most, all colours, sizes and styles in use."""
    scenes = [make_scene(number, number).scene for number in range(600)]
    counts = [len(scene.things) for scene in scenes]
    assert (min(counts), max(counts)) == (3, 20)
    several = sum(len({t.category for t in s.things}) < len(s.things) for s in scenes)
    assert several / len(scenes) > 0.6
    worn = {
        attribute for scene in scenes for thing in scene.things for attribute in thing.attributes
    }
    assert worn == {*vocabulary().colours, *vocabulary().sizes, *STYLES}


def test_a_style_is_known_where_the_icon_has_two(drawn_scenes: tuple[Drawn, ...]) -> None:
    """An outline's icon is the font's outline; a thing without a style has one icon only."""
    for drawn in drawn_scenes:
        for thing, icon in zip(drawn.scene.things, drawn.icons, strict=True):
            assert ("outline" in thing.attributes) == icon.endswith("_outline")
            if not {*STYLES} & {*thing.attributes}:
                assert icon in vocabulary().categories[thing.category].icons


def test_domains_keep_unseen_kinds_apart() -> None:
    """Seen scenes hold COCO's kinds only, scenes out of the domain none of them."""
    for number in range(50):
        seen = make_scene(number, number, "seen").scene.things
        assert all(thing.category_id for thing in seen)
        assert not any(t.category_id for t in make_scene(number, number, "out").scene.things)


def test_an_outline_lies_in_its_box(drawn_scenes: tuple[Drawn, ...]) -> None:
    """The polygon of a thing stays within its box, and its area is that polygon's."""
    for drawn in drawn_scenes[:30]:
        for place, thing in enumerate(drawn.scene.things):
            points = polygon(drawn, place)
            xs, ys = points[::2], points[1::2]
            assert thing.box.x <= min(xs) < max(xs) <= thing.box.x + thing.box.width
            assert thing.box.y <= min(ys) < max(ys) <= thing.box.y + thing.box.height
            turned = zip(xs, ys, [*xs[1:], xs[0]], [*ys[1:], ys[0]], strict=True)
            assert thing.area == abs(sum(x * v - u * y for x, y, u, v in turned)) / 2


def test_a_picture_is_the_same_bytes_each_time(drawn_scenes: tuple[Drawn, ...]) -> None:
    """A PNG holds no time: drawn again, it is equal."""
    for drawn in drawn_scenes[:5]:
        assert png(drawn) == png(drawn)
        assert draw(drawn).size == (320, 240)
