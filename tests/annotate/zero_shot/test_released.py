"""Zero-shot games made again from the released ones, and the published classes."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.annotate.zero_shot.conftest import COLUMNS, lines, written

from referee.annotate.zero_shot import Sources, make, write
from referee.annotate.zero_shot.kinds import category, read
from referee.annotate.zero_shot.writing import file_name
from referee.datasets import guesswhat
from referee.datasets.check import recognise

RELEASED = "compguesswhat/compguesswhat-zero_shot/0.2.0"


def released(shared: Path) -> dict[str, list[dict[str, Any]]]:
    files = (shared / RELEASED).glob("*.gz")
    return {path.name.split(".")[1]: lines(path) for path in files}


def undone(folder: Path, games: dict[str, list[dict[str, Any]]]) -> Sources:
    """The tables from which the released scenes came: the boxes as shares, with nine digits."""
    folder.mkdir()
    pictures: dict[str, dict[str, Any]] = {"valid": {}, "test": {}}
    rows, labels = [], dict[str, str]()
    for split, held in games.items():
        for game in held:
            image = game["image"]
            if image["id"] in pictures[split[3:]]:
                continue
            pictures[split[3:]][image["id"]] = image
            width, height, objects = image["width"], image["height"], game["objects"]
            for place in range(1 + int(objects[-1]["id"].rpartition("_")[2])):
                found = [thing for thing in objects if thing["id"].endswith(f"_{place}")]
                if not found:  # it was annotated, but did not pass
                    rows.append([image["open_images_id"], "/m/other", 0, 1, 0, 1, 1, 0])
                    continue
                x, y, across, down = found[0]["bbox"]
                label = labels.setdefault(found[0]["category"], f"/m/{len(labels)}")
                sides = (x / width, (x + across) / width, y / height, (y + down) / height)
                shares = [f"{side:.9f}" for side in sides]
                rows.append([image["open_images_id"], label, *shares, 0, 0])
    with (folder / "boxes.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([COLUMNS, *rows])
    with (folder / "classes.csv").open("w", newline="") as stream:
        named = [(label, name.capitalize()) for name, label in labels.items()]
        csv.writer(stream).writerows([*named, ("/m/other", "Other")])
    for split, images in pictures.items():
        (folder / f"{split}.json").write_text(json.dumps({"images": list(images.values())}))
    paths = (folder / f"{split}.json" for split in ("valid", "test"))
    return Sources((folder / "boxes.csv",), folder / "classes.csv", *paths)


def test_the_released_scenes_come_out_to_the_last_digit(shared: Path, tmp_path: Path) -> None:
    """From their boxes as shares: the same keys, pictures, ids, categories, pixels, areas and domains."""
    theirs = released(shared)
    ours = written(tmp_path, make(undone(tmp_path / "tables", theirs)))
    assert {split: len({g["image"]["id"] for g in games}) for split, games in ours.items()} == {
        split: len({g["image"]["id"] for g in games}) for split, games in theirs.items()
    }
    compared = 0
    for split, games in theirs.items():
        scenes = {game["image"]["id"]: game for game in ours[split]}
        for game in games:
            found = scenes[game["image"]["id"]]
            assert list(found) == list(game)
            assert found["image"] == game["image"]
            assert found["status"] == game["status"]
            # A segment of the release is one record, the same in every object: it is not made again.
            for mine, thing in zip(found["objects"], game["objects"], strict=True):
                assert mine == thing | {"segment": []}
                compared += 1
    assert compared == 192


def test_a_released_picture_has_as_many_games(shared: Path, tmp_path: Path) -> None:
    """Each picture whose games are all among the first six has min(5, n), and none twice."""
    theirs = released(shared)
    ours = written(tmp_path, make(undone(tmp_path / "tables", theirs)))
    whole = 0
    for split, games in theirs.items():
        counts = Counter(game["image"]["id"] for game in games)
        mine = Counter(game["image"]["id"] for game in ours[split])
        for image, count in list(counts.items())[:-1]:  # the last one's games may be cut
            assert mine[image] == count
            targets = [game["object_id"] for game in games if game["image"]["id"] == image]
            assert len(set(targets)) == count
            whole += 1
    assert whole == 4


def test_what_is_written_is_recognised_and_read(shared: Path, tmp_path: Path) -> None:
    made = make(undone(tmp_path / "tables", released(shared)))
    for split, count in write(tmp_path / "games", made).items():
        path = tmp_path / "games" / file_name(split)
        known = recognise(path)
        assert known is not None
        assert known.name == "compguesswhat-games"
        assert known.summarise(path, [])["in Open Images"] == count
        assert len(list(guesswhat.games(path))) == count


def test_the_published_classes(shared: Path) -> None:
    """66 of COCO's names are theirs too; with the data file all 80 are found, and the mouse is an animal."""
    folder = shared / "open_images"
    classes, tree = (
        folder / "class-descriptions-boxable.csv",
        folder / "bbox_labels_600_hierarchy.json",
    )
    named, bare = read(classes, tree), read(classes, None)
    assert int((named.categories > 0).sum()) == 66
    things = read(classes, tree, "things")
    assert len(set(things.categories.tolist()) - {0}) == 80
    assert category("Mouse", "things") == 0
    assert category("Computer mouse", "things") == 74
    # The list of names says of the human body what the hierarchy says.
    assert named.bodily.tolist() == bare.bodily.tolist()
    assert int(named.bodily.sum()) == 14
