"""Real boxes: ManyNames' objects among Visual Genome's, and COCO's among themselves in another size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.datasets import coco, manynames, visual_genome_folder
from referee.games import Box
from referee.metrics.boxes import BY_IOU, Side, map_boxes, scaled, tokens


def array(boxes: list[Box]) -> NDArray[np.float64]:
    return np.array([(b.x, b.y, b.width, b.height) for b in boxes], float).reshape(-1, 4)


def test_manynames_objects_are_found_among_visual_genomes(shared: Path) -> None:
    """Both are taken for what is larger and around them, as the procedure will have it."""
    folder = shared / "visual_genome"
    graphs = {g.image: g for g in visual_genome_folder.graphs(folder, {"1", "2", "3", "4", "5"})}
    known: dict[str, int] = {}
    found = {}
    for thing in manynames.read(shared / "manynames/objects.tsv"):
        if thing.image not in graphs:
            continue
        objects = graphs[thing.image].objects
        one = np.array([1], np.int64)
        ours = Side(array([thing.box]), one, tokens([[thing.name]], known))
        boxes = array([each.box for each in objects])
        names = tokens([each.names for each in objects], known)
        mapped = map_boxes(ours, Side(boxes, one * len(objects), names))
        found[thing.name] = objects[mapped.rows[0]].names, mapped.iou[0]
    assert found["carpet"] == (("floor",), pytest.approx(0.6729, abs=1e-4))
    assert found["desk"] == (("cubicles",), pytest.approx(0.5817, abs=1e-4))
    assert len(found) == 2


def test_cocos_boxes_are_found_in_pictures_of_another_size(shared: Path) -> None:
    """Rounded to pixels at 500 wide, as Visual Genome has them, 608 of 619 are found as themselves.

    The others are taken for a larger one that overlaps them by more than half.
    """
    scenes = list(coco.scenes(shared / "coco/annotations/instances_val2017.json"))
    widths = np.array([len(scene.things) for scene in scenes], np.int64)
    sizes = np.array([(scene.width, scene.height) for scene in scenes], float)
    small = np.round(sizes * (500 / sizes.max(axis=1, keepdims=True)))
    boxes = array([thing.box for scene in scenes for thing in scene.things])
    theirs = np.maximum(np.round(scaled(boxes, widths, sizes, small)), 1)
    known: dict[str, int] = {}
    names = tokens([[thing.category] for scene in scenes for thing in scene.things], known)
    found = map_boxes(
        Side(boxes, widths, names),
        Side(scaled(theirs, widths, small, sizes), widths, names),
    )
    right = found.rows == np.arange(len(boxes))
    area = theirs[:, 2] * theirs[:, 3]
    for place in np.flatnonzero(~right):
        assert area[found.rows[place]] >= area[place]
    assert (found.how == BY_IOU).all()
    assert (right.sum(), len(boxes)) == (608, 619)
