"""Zero-shot games, against the released ones, a plain implementation, and Iconworld's own."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.annotate.zero_shot import How, Made, Sources, make, write
from referee.annotate.zero_shot.kinds import Kinds, category, read
from referee.annotate.zero_shot.writing import file_name
from referee.datasets import guesswhat
from referee.datasets.check import recognise
from referee.datasets.iconworld.making import make as make_world
from referee.datasets.iconworld.world import Plan
from referee.errors import DataError, UsageError
from referee.randomness import Stream, key

RELEASED = "compguesswhat/compguesswhat-zero_shot/0.2.0"
COLUMNS = ("ImageID", "LabelName", "XMin", "XMax", "YMin", "YMax", "IsOccluded", "IsTruncated")
NAMES = {
    "/m/p": "Person",
    "/m/d": "Dog",
    "/m/o": "Owl",
    "/m/s": "Shark",
    "/m/b": "Ball",
    "/m/a": "Human arm",
}
SIZE = 1000


@dataclass
class Table:
    """A box table in the making, and its pictures: 1000 by 1000 pixels each."""

    folder: Path
    names: dict[str, str] = field(default_factory=lambda: dict(NAMES))
    rows: list[tuple[object, ...]] = field(default_factory=list)
    columns: tuple[str, ...] = COLUMNS

    def put(self, image: str, kinds: str, marks: Iterable[tuple[int, int]] = ()) -> None:
        """Boxes of 100 by 100 pixels, a letter each; the marks of the first ones where they are given."""
        told = [*marks, *[(0, 0)] * len(kinds)]
        for place, (kind, (occluded, truncated)) in enumerate(zip(kinds, told, strict=False)):
            x = 0.03 * place
            self.rows.append((image, f"/m/{kind}", x, x + 0.1, 0.2, 0.3, occluded, truncated))

    def sources(self, valid: Sequence[str] | None = None) -> Sources:
        """The files; pictures are of the validation list, or where it is given, all others of test's."""
        self.folder.mkdir(exist_ok=True)
        boxes, classes = self.folder / "boxes.csv", self.folder / "classes.csv"
        with boxes.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([self.columns, *self.rows])
        classes.write_text("".join(f"{label},{name}\n" for label, name in self.names.items()))
        images = list(dict.fromkeys(str(row[0]) for row in self.rows))
        lists = {"valid": [image for image in images if valid is None or image in valid]}
        if valid is not None:
            lists["test"] = [image for image in images if image not in valid]
        paths = {}
        for split, chosen in lists.items():
            paths[split] = self.folder / f"{split}.json"
            paths[split].write_text(json.dumps({"images": [listed(i, images) for i in chosen]}))
        return Sources((boxes,), classes, paths["valid"], paths.get("test"))


def listed(image: str, images: Sequence[str]) -> dict[str, object]:
    return {
        "id": images.index(image),
        "open_images_id": image,
        "width": SIZE,
        "height": SIZE,
        "file_name": f"{image}.jpg",
    }


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "boxes")


def lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def written(tmp_path: Path, made: Made) -> dict[str, list[dict[str, Any]]]:
    folder = tmp_path / "games"
    counts = write(folder, made)
    found = {split: lines(folder / file_name(split)) for split in counts}
    assert {split: len(games) for split, games in found.items()} == counts
    return found


# The released games


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


# The conditions and the choices


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


# The draw


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


# Iconworld


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zero-shot") / "world"
    make_world(folder, Plan(games=10, scenes=10, zero_shot=40, seed=2), ["zero-shot"])
    return folder


def test_iconworld_s_scenes_come_out_of_its_boxes(world: Path, tmp_path: Path) -> None:
    """Its own zero-shot games have the same pictures, domains, candidates and numbers of games.

    Only the draws differ, and that a table of boxes does not know of colours.
    """
    nocaps = world / "nocaps"
    lists = (nocaps / f"nocaps_{split}_image_info.json" for split in ("val", "test"))
    made = make(Sources((nocaps / "boxes.csv",), nocaps / "class-descriptions-boxable.csv", *lists))
    ours = written(tmp_path, made)
    assert sum(map(len, ours.values())) > 700
    for split, games in ours.items():
        theirs = lines(world / "compguesswhat-zero_shot/0.2.0" / file_name(split))
        assert [g["image"] for g in games] == [g["image"] for g in theirs]
        scenes = {g["image"]["id"]: g["objects"] for g in theirs}
        for game in games:
            for mine, thing in zip(game["objects"], scenes[game["image"]["id"]], strict=True):
                same = ("id", "category", "category_id", "IsOccluded", "IsTruncated", "segment")
                assert [mine[name] for name in same] == [thing[name] for name in same]
                assert mine["bbox"] == pytest.approx(thing["bbox"])
                assert mine["area"] == pytest.approx(thing["area"])
        unseen = [np.mean([target_id(game) == 0 for game in each]) for each in (games, theirs)]
        assert unseen[0] == pytest.approx(unseen[1], abs=0.12)
        drawn = [{(g["image"]["id"], g["object_id"]) for g in each} for each in (games, theirs)]
        assert len(drawn[0]) == len(drawn[1]) == len(games)
        assert drawn[0] != drawn[1]


def test_equal_calls_write_equal_bytes(world: Path, tmp_path: Path) -> None:
    """And another seed other games."""
    nocaps = world / "nocaps"
    boxes, classes = nocaps / "boxes.csv", nocaps / "class-descriptions-boxable.csv"
    sources = Sources((boxes,), classes, nocaps / "nocaps_val_image_info.json")
    for name, seed in (("once", 0), ("again", 0), ("other", 1)):
        assert set(write(tmp_path / name, make(sources, How(seed=seed)))) == {
            "nd_valid",
            "od_valid",
        }
    once, again, other = (
        (tmp_path / name / file_name("od_valid")).read_bytes()
        for name in ("once", "again", "other")
    )
    assert once == again != other


def target_id(game: dict[str, Any]) -> int:
    """The category of the target."""
    number: int = next(
        thing["category_id"] for thing in game["objects"] if thing["id"] == game["object_id"]
    )
    return number


# What is wrong with the files


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("one,/m/o,0,nan,0,1,0,0", "XMax"),
        ("one,/m/o,0,wide,0,1,0,0", "XMax"),
        ("one,/m/o,0,inf,0,1,0,0", "XMax"),
        ("one,/m/o,-0.1,1,0,1,0,0", "XMin"),
        ("one,/m/o,0.9,0.1,0,1,0,0", "XMin <= XMax"),
        ("one,/m/o,0,1,0,1,2,0", "IsOccluded"),
        ("one,/m/o,0,1,0,1,0,", "IsTruncated"),
        ("one,/m/o,0,1,0,1,0,1000", "IsTruncated"),
        ("one,/m/o,0,1,0", "YMax"),
        (",/m/o,0,1,0,1,0,0", "ImageID"),
        ("one,/m/never,0,1,0,1,0,0", "'/m/never' is no known class"),
        ("elsewhere,/m/never,0,1,0,1,0,0", "LabelName"),
        ("one,/m/o,0.03,0.13,0.2,0.3,0,0", "comes twice"),
        ('a stray "quote,/m/o,0,1,0,1,0,x', "IsTruncated"),
    ],
)
def test_a_bad_row_is_named_or_left_out(table: Table, row: str, named: str) -> None:
    table.put("one", "oosd")
    sources = table.sources()
    path = sources.boxes[0]
    before = make(sources).targets.tolist()
    path.write_text(path.read_text() + row + "\n\n")
    with pytest.raises(DataError, match=r"boxes\.csv, record 6.*" + named):
        make(sources)
    skipped: list[DataError] = []
    assert make(sources, skipped=skipped).targets.tolist() == before
    assert [error.record for error in skipped] == [6]


def test_a_table_that_is_none(table: Table) -> None:
    """A missing column, an empty file, another kind of file, and none at all are said to be so."""
    table.put("one", "oosd")
    sources = table.sources()
    path = sources.boxes[0]
    text = path.read_text()
    path.write_text(text.replace("IsOccluded", "Occluded", 1))
    with pytest.raises(DataError, match="field IsOccluded: the column is missing"):
        make(sources)
    path.write_text("")
    with pytest.raises(DataError, match="the table is empty"):
        make(sources)
    path.write_bytes(gzip.compress(text.encode())[:-12])
    with pytest.raises(DataError, match=r"boxes\.csv: "):
        make(sources)
    path.unlink()
    with pytest.raises(DataError, match="no such file"):
        make(sources)


def test_headers_as_they_are_found(table: Table) -> None:
    """A byte order mark, spaces around names, carriage returns and gzip change nothing."""
    table.put("one", "oosdp")
    sources = table.sources()
    path = sources.boxes[0]
    text, found = path.read_text(), make(sources).targets.tolist()
    spaced = text.replace("XMin,XMax", "XMin , XMax", 1).replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + spaced.encode())
    assert make(sources).targets.tolist() == found
    path.write_bytes(gzip.compress(text.encode()))
    assert make(sources).targets.tolist() == found


def test_lists_and_classes_that_are_wrong(table: Table, tmp_path: Path) -> None:
    table.put("one", "oosd")
    sources = table.sources()
    valid = sources.lists["valid"]
    document = json.loads(valid.read_text())
    with pytest.raises(UsageError, match="which pictures"):
        make(replace(sources, valid=None))
    with pytest.raises(DataError, match=r"field open_images_id.*one list"):
        make(replace(sources, test=valid))
    flat = tmp_path / "flat.json"
    flat.write_text(json.dumps({"images": [document["images"][0] | {"width": 0}]}))
    with pytest.raises(DataError, match=r"flat\.json, record images\[0\], field width, height"):
        make(replace(sources, valid=flat))
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"images": [document["images"][0] | {"open_images_id": "else"}]}))
    with pytest.raises(DataError, match="no box of any picture"):
        make(replace(sources, valid=other))
    none = tmp_path / "none.csv"
    none.write_text("")
    with pytest.raises(DataError, match="names no classes"):
        make(replace(sources, classes=none))
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps({"LabelName": "/m/root", "Subcategory": []}))
    body = replace(table, folder=tmp_path / "body", names=NAMES | {"/m/h": "Human body"})
    with pytest.raises(DataError, match=r"human body is not in the hierarchy"):
        make(replace(body.sources(), hierarchy=tree))
