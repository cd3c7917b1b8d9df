"""Targets are drawn by inverse frequency, and depend on no order."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.annotate.zero_shot.conftest import Table

from referee.annotate.zero_shot import How, Sources, make
from referee.annotate.zero_shot.kinds import Kinds
from referee.randomness import Stream, key


def plainly(boxes: Sequence[tuple[str, str, str]], how: How, seed: int) -> dict[str, list[str]]:
    """Targets by picture, drawn one after the other by inverse frequency: (image, id, category)."""
    frequency = Counter(kind for _, _, kind in boxes)
    by_image = defaultdict(list)
    for image, thing, kind in boxes:
        by_image[image].append((thing, kind))
    found = {}
    for image, things in by_image.items():
        stream, left = Stream(key(seed, image)), list(things)
        drawn: list[str] = []
        while left and len(drawn) < how.per_image:
            at = stream.random() * sum(1 / frequency[kind] for _, kind in left)
            place = 0
            while at >= 1 / frequency[left[place][1]] and place < len(left) - 1:
                at -= 1 / frequency[left[place][1]]
                place += 1
            drawn.append(left.pop(place)[0])
        found[image] = drawn
    return found


def test_targets_are_drawn_by_inverse_frequency(table: Table) -> None:
    """How often each place of a picture is drawn at all, over many seeds, is what plain draws give."""
    table.put("one", "ooooossd")
    table.put("two", "oooooop")
    sources, how, seeds = table.sources(), How(per_image=2), 1500
    made = make(sources, how)
    boxes = [
        (
            made.pictures.images[picture].open_images,
            str(place),
            made.kinds.names[kind],
        )
        for picture, place, kind in zip(
            made.boxes.picture.tolist(),
            made.boxes.place.tolist(),
            made.boxes.kind.tolist(),
            strict=True,
        )
    ]
    from referee.annotate.zero_shot import making, targets

    ours, theirs = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    frequency = making._frequency(made.boxes, made.kinds)
    for seed in range(seeds):
        keys = targets.draw_keys(made.boxes, made.pictures, made.kinds, seed)
        for row in targets.draw(made.boxes, frequency, keys, how).tolist():
            ours[boxes[row][:2]] += 1
        for image, drawn in plainly(boxes, how, seed).items():
            theirs.update((image, thing) for thing in drawn)
    assert sum(ours.values()) == sum(theirs.values()) == 4 * seeds
    for image, thing, _ in boxes:
        share = theirs[image, thing] / seeds
        spread = (2 * share * (1 - share) / seeds) ** 0.5
        assert abs(ours[image, thing] / seeds - share) < 4.5 * spread + 0.002
    rare, common = ours["one", "7"], ours["one", "0"]
    assert rare > 3 * common


def test_a_target_depends_on_the_seed_and_on_no_order(table: Table, tmp_path: Path) -> None:
    """Rows shuffled, tables split and pictures listed the other way round: the same things are targets."""
    for number in range(30):
        table.put(f"picture {number}", "oosdbpsooos"[: 4 + number % 7])
    sources = table.sources()

    def chosen(sources: Sources, seed: int = 0) -> set[tuple[str, str, float]]:
        made = make(sources, How(per_image=2, seed=seed))
        columns = (made.boxes.picture, made.boxes.kind, made.boxes.sides[:, 0])
        rows = zip(*(column[made.targets].tolist() for column in columns), strict=True)
        return {
            (made.pictures.images[picture].open_images, made.kinds.names[kind], left)
            for picture, kind, left in rows
        }

    first = chosen(sources)
    assert chosen(sources) == first
    assert len(first) == 60
    assert len(chosen(sources, 1) & first) < 50
    rows = list(table.rows)
    shuffled = replace(
        table, folder=tmp_path / "shuffled", rows=Stream(key("order")).sample(rows, len(rows))
    )
    again = shuffled.sources()
    assert chosen(again) == first
    halves = [
        replace(table, folder=tmp_path / f"half {half}", rows=rows[half::2]).sources()
        for half in (0, 1)
    ]
    parts = replace(sources, boxes=tuple(half.boxes[0] for half in halves))
    assert chosen(parts) == first
    document = json.loads(sources.lists["valid"].read_text())
    document["images"].reverse()
    (tmp_path / "reversed.json").write_text(json.dumps(document))
    assert chosen(replace(sources, valid=tmp_path / "reversed.json")) == first


def test_kinds_of_one_name_are_one_category() -> None:
    """Two labels of one name share the frequency."""
    from referee.annotate.zero_shot.making import _frequency
    from referee.annotate.zero_shot.reading import Boxes

    kinds = Kinds(
        ("/m/1", "/m/2", "/m/3"),
        ("owl", "fox", "owl"),
        np.zeros(3, np.int64),
        np.zeros(3, np.bool_),
    )
    rows = np.array([0, 1, 2, 2], np.uint16)
    none = np.zeros(4, np.uint32)
    boxes = Boxes(none, none, rows, np.zeros((4, 4)), none.astype(np.uint8), none)
    assert _frequency(boxes, kinds).tolist() == [3, 1, 3, 3]
