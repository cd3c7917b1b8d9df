"""The network of icons: what it is shown, that it learns, and that its vectors serve the players."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from PIL import Image

from referee.datasets.iconworld.vocabulary import vocabulary
from referee.errors import DataError
from referee.games import Box, Scene, Thing
from referee.players.neural.examples import fresh
from referee.players.neural.icon_cnn import IconCNN, entering
from referee.players.neural.icon_scenes import NOTHING, drawn, examined, icons, learned, learned_of
from referee.players.neural.icon_training import (
    PLAN,
    IconTask,
    average_precision,
    config,
    description,
    examine,
    lines,
    named_by_nearest,
    trained,
)
from referee.players.neural.training import Plan, Run, train

if TYPE_CHECKING:
    from pathlib import Path

    from tests.players.neural.features.conftest import Seen


def test_what_is_drawn_says_what_it_shows() -> None:
    """A number for each crop's kind and colour; a row of noughts and ones for each scene."""
    found = icons(config(), drawn(8, 0, "test"))
    scenes = [scene for scene, _ in drawn(8, 0, "test")]
    things = [thing for scene in scenes for thing in scene.things]
    assert [config().categories[kind] for kind in found.kinds] == [it.category for it in things]
    assert all(
        config().colours[colour] in it.attributes
        for colour, it in zip(found.colours, things, strict=True)
    )
    assert found.scenes.shape == (8, 240, 320, 3)
    for row, scene in zip(found.scene_kinds, scenes, strict=True):
        held = {name for name, there in zip(config().categories, row, strict=True) if there}
        assert held == {thing.category for thing in scene.things}


def test_a_map_says_what_stands_where() -> None:
    """Kind and colour in the middle of a thing, nothing beside it; what is in its box else is not asked."""
    known = config()
    thing = Thing("1", known.categories[5], 1, Box(80, 40, 64, 32), attributes=("red",))
    scene = Scene("9", 320, 240, (thing,))
    found = icons(known, [(scene, Image.new("RGB", (320, 240)))])
    kinds, colours, weights = found.places
    red, nothing = known.colours.index("red"), len(known.categories)
    middle = (0, slice(6, 8), slice(12, 16))
    assert (kinds[middle] == 5).all()
    assert (colours[middle] == red).all()
    assert weights[middle].sum() == pytest.approx(1)
    assert (kinds == 5).sum() == (colours == red).sum() == 8
    assert (kinds[0, 5:9, 10:18] != nothing).all()
    assert (kinds == nothing).sum() == 30 * 40 - 4 * 8
    assert weights[kinds == nothing].sum() == pytest.approx(NOTHING)
    assert weights[kinds == -1].sum() == 0


def test_unseen_kinds_are_never_learned_from() -> None:
    """No name of theirs is in the network, and what is drawn to learn from has none of them."""
    unseen = {kind.name for kind in vocabulary().drawn(unseen=True)}
    assert not unseen & set(config().categories)
    assert (learned(config(), 20, 0).train.kinds >= 0).all()
    _, other = examined(config(), 8, 0)
    assert (other.kinds == -1).all()
    assert set(other.names) <= unseen


def test_a_world_is_learned_from(seen: Seen) -> None:
    """The things of its training games, and of its validation games to choose by."""
    parts = learned_of(config(), seen.world)
    assert len(parts.train.crops) > len(parts.valid.crops) > 0
    assert parts.sources["world"] == "world"


def test_a_thing_without_a_colour() -> None:
    """Photographs with categories alone are no world of icons."""
    scene = Scene("9", 40, 40, (Thing("1", "dog", 18, Box(5, 5, 20, 20)),))
    with pytest.raises(DataError, match="has no colour") as caught:
        icons(config(), [(scene, Image.new("RGB", (40, 40)))])
    assert caught.value.record == "9"


def test_a_scene_shows_what_its_places_show() -> None:
    """Its vector is the largest over all places: nothing of one thing is lost beside another."""
    network = fresh(0, lambda: IconCNN(config())).eval()
    _, picture = next(drawn(1, 0, "test"))
    pixels = entering(torch.tensor(np.asarray(picture)[None]))
    with torch.inference_mode():
        maps, vector = network.maps(pixels), network.vectors(pixels)[0]
        kinds, colours = (it.softmax(dim=1) for it in network.everywhere(pixels))
    assert maps.shape == (1, 128, 30, 40)
    assert len(vector) == config().vector == 128 + len(config().categories) + len(config().colours)
    looks = maps[0] / maps[0].norm(dim=0)
    something = 1 - kinds[0, -1]
    wanted = torch.cat([looks, kinds[0, :-1], colours[0] * something]).amax(dim=(1, 2))
    assert torch.allclose(vector, wanted, atol=1e-6)


def test_it_learns(tmp_path: Path) -> None:
    """From eighty scenes it tells most colours apart, and kinds better than luck (1 in 64)."""
    parts = learned(config(), 80, 0)
    network = fresh(0, lambda: IconCNN(config()))
    task = IconTask(network, replace(parts.train, scenes=parts.train.scenes[:4]), parts.valid)
    plan = Plan(epochs=3, batch=16, rate=PLAN.rate)
    state = train(task, plan, Run(tmp_path / "m", description(config(), {}), device="cpu"))
    assert state.history[-1].loss < 0.8 * state.history[0].loss
    figures = examine(trained(tmp_path / "m"), examined(config(), 20, 0))
    assert figures.colour > 0.5
    assert figures.category > 0.15
    assert all("%" in line for line in lines(figures))


def test_named_by_the_nearest() -> None:
    """Two pairs and one alone: four of five are right; by chance one pair in five."""
    vectors = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1], [-1, -1]], np.float32)
    assert named_by_nearest(vectors, ["a", "a", "b", "b", "c"]) == (0.8, 0.2)


def test_average_precision() -> None:
    """The thing is in the first and third of three rows: (1 + 2/3) / 2; a column of nothing is left out."""
    scores = np.array([[3, 0], [2, 0], [1, 0]], np.float32)
    held = np.array([[1, 0], [0, 0], [1, 0]], np.float32)
    assert average_precision(scores, held) == pytest.approx(5 / 6)
