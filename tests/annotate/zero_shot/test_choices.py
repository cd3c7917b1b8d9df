"""The four conditions, and what the paper leaves open."""

from __future__ import annotations

from pathlib import Path

from tests.annotate.zero_shot.conftest import Table, written

from referee.annotate.zero_shot import How, make


def test_the_four_conditions(table: Table, tmp_path: Path) -> None:
    """500 pixels is too small; occluded, truncated, unsure and bodily boxes are left out; ids keep gaps."""
    table.put("one", "aooodos", [(0, 0), (1, 0), (0, 1), (-1, 0)])
    table.rows.append(("one", "/m/s", 0.5, 0.52, 0.5, 0.525, 0, 0))  # 20 by 25 pixels
    table.rows.append(("one", "/m/s", 0.5, 0.52, 0.5, 0.526, 0, 0))
    made = make(table.sources())
    game, *_ = written(tmp_path, made)["nd_valid"]
    assert [thing["id"] for thing in game["objects"]] == ["one_4", "one_5", "one_6", "one_8"]
    assert [thing["category_id"] for thing in game["objects"]] == [18, 0, 0, 0]
    assert made.left_out["read"] == 9
    assert made.left_out["kept"] == 4
    failed = [made.left_out[why] for why in ("too small", "occluded", "truncated")]
    assert failed == [1, 2, 1]
    assert made.left_out["of a human body"] == 1


def test_a_picture_has_3_to_20_kept_boxes(table: Table) -> None:
    for count in (2, 3, 20, 21):
        table.put(f"of {count}", "o" * count)
    table.put("empty", "ooo", [(1, 1)] * 3)
    made = make(table.sources())
    images = {made.pictures.images[place].open_images for place in made.boxes.picture.tolist()}
    assert images == {"of 3", "of 20"}
    assert made.counts()["od_valid"] == (2, 3 + 5)
    unfit = ("with no kept box", "with too few", "with too many")
    assert [made.left_out[why] for why in unfit] == [1, 1, 1]


def test_domains_by_kept_or_annotated_boxes(table: Table) -> None:
    """A dog that is occluded makes a picture near-domain only where annotated ones do."""
    table.put("hidden dog", "dooo", [(1, 0)])
    table.put("dog", "dooo")
    table.put("no dog", "oooo")
    sources = table.sources()
    kept, annotated = (make(sources, How(near=near)).counts() for near in ("kept", "annotated"))
    assert kept == {"nd_valid": (1, 4), "od_valid": (2, 7)}
    assert annotated == {"nd_valid": (2, 7), "od_valid": (1, 4)}


def test_the_lists_tell_the_splits(table: Table) -> None:
    for image in ("a", "b", "c"):
        table.put(image, "oos")
    assert make(table.sources()).splits == ("nd_valid", "od_valid")
    both = make(table.sources(valid=["b"])).counts()
    assert both == {"nd_valid": (0, 0), "od_valid": (1, 3), "nd_test": (0, 0), "od_test": (2, 6)}


def test_targets_once_or_as_often_as_drawn(table: Table) -> None:
    """Without repetition a picture of three has three games, with it as many as are asked for."""
    table.put("few", "oos")
    table.put("many", "oosobosds")
    sources = table.sources()
    for per_image, games in ((1, 2), (3, 6), (5, 8), (9, 12)):
        made = make(sources, How(per_image))
        assert len(made.targets) == len(set(made.targets.tolist())) == games
        again = make(sources, How(per_image, targets="repeat"))
        assert len(again.targets) == 2 * per_image
    assert len(set(again.targets.tolist())) < len(again.targets)


def test_only_unseen_targets(table: Table, tmp_path: Path) -> None:
    """Things of COCO's stay candidates; a picture of nothing else has no games."""
    table.put("mixed", "dpo")
    table.put("seen", "dpdp")
    made = make(table.sources(), How(unseen_only=True))
    (game,) = written(tmp_path, made)["nd_valid"]
    assert game["object_id"] == "mixed_2"
    assert [thing["category"] for thing in game["objects"]] == ["dog", "person", "owl"]


def test_coco_by_name_or_by_thing(table: Table) -> None:
    """A ball is none of COCO's by name, as in the released games, and a sports ball by what it is."""
    table.put("balls", "bbo")
    sources = table.sources()
    assert make(sources).counts()["nd_valid"] == (0, 0)
    assert make(sources, How(coco="things")).counts()["nd_valid"] == (1, 3)
