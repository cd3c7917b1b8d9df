"""Attributes made from a world's raw files, beside what is known of the world."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.attributes.building import Sources, build
from referee.annotate.attributes.how import How, resolve
from referee.datasets import genome_mapping, guesswhat, visual_genome
from referee.datasets.compguesswhat import read_attributes, read_names
from referee.datasets.iconworld.genome_views import Seen
from referee.datasets.iconworld.world import HUMAN, World
from referee.errors import DataError, UsageError
from referee.games import Box, Scene

OWN = Path(__file__).resolve().parents[2] / "data"
From = Callable[..., Sources]
EVERY = How(least_abstract=1, least_situated=1)


def held(folder: Path) -> dict[tuple[str, str, str], tuple[set[str], set[str]]]:
    """By split, picture and thing the names of what is true of it."""
    names = read_names(folder)
    found = {}
    for split in HUMAN:
        for file in (folder / split).glob("*.npz"):
            vectors = read_attributes(file, names)
            for thing in vectors.objects:
                rows = zip(vectors.of(thing), (names.abstract, names.situated), strict=True)
                abstract, situated = (
                    {name for name, one in zip(known, row, strict=True) if one}
                    for row, known in rows
                )
                found[split, file.stem, thing] = abstract, situated
    return found


@pytest.mark.parametrize(
    "games", ["guesswhat.{}.jsonl.gz", "compguesswhat-original/0.2.0/compguesswhat.{}.jsonl.gz"]
)
def test_a_worlds_attributes_are_its_own(
    same: Path, sources: From, tmp_path: Path, games: str
) -> None:
    """Every attribute of every thing, from either file of games; without filters nothing is left out."""
    report = build(sources(same, games), EVERY, tmp_path / "out")
    ours, theirs = held(tmp_path / "out"), held(same / "attributes")
    assert ours == {key: theirs[key] for key in ours}
    assert report.mapped["overlap"] == len(ours) > 100
    if games.startswith("guesswhat"):
        assert ours.keys() == theirs.keys()
        assert sum(split.kept for split in report.splits) == 60
    planted = {p.image: p for p in genome_mapping.read(same / "visual_genome/mapping.jsonl")}
    for picture in genome_mapping.read(tmp_path / "out/mapping.jsonl"):
        expected = planted[picture.image]
        assert {k: t.object for k, t in picture.things.items()} == {
            k: t.object for k, t in expected.things.items()
        }
        assert all(thing.iou == 1 for thing in picture.things.values())


def test_objects_and_attributes_of_several_files_are_joined(
    same: Path, sources: From, tmp_path: Path
) -> None:
    """Without scene_graphs.json the other files say the same."""
    known = sources(same)
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in ("objects", "attributes", "relationships", "image_data"):
        (parts / f"{name}.json").symlink_to(same / f"visual_genome/{name}.json")
    build(known, EVERY, tmp_path / "whole")
    build(replace(known, visual_genome=parts), EVERY, tmp_path / "out")
    assert held(tmp_path / "out") == held(tmp_path / "whole")
    graphs = [sorted((tmp_path / out / "scene_graphs/by-id").iterdir()) for out in ("whole", "out")]
    for one, other in zip(*graphs, strict=True):
        assert visual_genome.graph(one) == visual_genome.graph(other)


def overlap(one: Box, other: Box) -> float:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    both = max(across, 0) * max(down, 0)
    return both / (one.width * one.height + other.width * other.height - both)


def expected(scene: Scene, world: World) -> dict[str, Seen | None]:
    """What the procedure finds in a view of which all is known, by a loop."""
    found = world.view(next(d for s in HUMAN for d in world.splits[s] if d.scene is scene))
    wide, high = scene.width / found.width, scene.height / found.height
    boxes = [
        Box(s.box.x * wide, s.box.y * high, s.box.width * wide, s.box.height * high)
        for s in found.seen
    ]
    mapped: dict[str, Seen | None] = {}
    for thing in scene.things:
        pairs = [
            (box.width * box.height, overlap(thing.box, box), seen)
            for box, seen in zip(boxes, found.seen, strict=True)
        ]
        words = set(thing.category.split())
        near = [p for p in pairs if p[1] > 0.05 and words & set(p[2].name.split())]
        best = [p for p in pairs if p[1] > 0.5] or near
        mapped[thing.id] = max(best, key=lambda p: p[0])[2] if best else None
    return mapped


def test_the_mapping_is_the_one_that_was_planted(
    different: tuple[World, Path], sources: From, tmp_path: Path
) -> None:
    """Of pictures without a banner, all of what was seen under its name is found, and nothing else.

    A banner moves and flattens all; then what is found is what the procedure finds by hand, most of it
    right, little of it wrong.
    """
    world, folder = different
    build(sources(folder), EVERY, tmp_path / "out")
    planted = {p.image: p for p in genome_mapping.read(folder / "visual_genome/mapping.jsonl")}
    found = {p.image: p for p in genome_mapping.read(tmp_path / "out/mapping.jsonl")}
    right = {True: 0, False: 0}
    wrong, things = dict(right), dict(right)
    for split in HUMAN:
        for drawn in world.splits[split]:
            view = world.view(drawn)
            by_hand = expected(drawn.scene, world)
            for thing, mapped in found[drawn.scene.id].things.items():
                truth = planted[drawn.scene.id].things[thing].object
                seen = by_hand[thing]
                assert (mapped.object is None) == (seen is None)
                if seen is not None and not seen.part:
                    of = planted[drawn.scene.id].things[drawn.scene.things[seen.place].id]
                    assert mapped.object == of.object
                banner = view.banner > 0
                things[banner] += truth is not None
                right[banner] += mapped.object is not None and mapped.object == truth
                wrong[banner] += mapped.object is not None and mapped.object != truth
    assert things[True] > 50
    assert things[False] > 150
    assert right[False] == things[False]
    assert wrong[False] == 0
    assert 0.5 * things[True] < right[True] < things[True]
    assert wrong[True] < 0.1 * things[True]


def test_unmapped_things_are_nodes_with_abstract_attributes_only(
    different: tuple[World, Path], sources: From, tmp_path: Path
) -> None:
    """In the code they have their location too; either way their abstract attributes are the world's."""
    world, folder = different
    build(sources(folder), EVERY, tmp_path / "out")
    build(sources(folder), replace_how(unmapped="location"), tmp_path / "located")
    truth = held(folder / "attributes")
    ours, located = held(tmp_path / "out"), held(tmp_path / "located")
    metadata = json.loads((tmp_path / "out/gw_vg_metadata.json").read_text())
    mapped = {p.image: p for p in genome_mapping.read(tmp_path / "out/mapping.jsonl")}
    nodes = 0
    for (split, image, thing), (abstract, situated) in truth.items():
        way = mapped[image].things[thing]
        if way.object is not None:
            continue
        nodes += 1
        assert ours[split, image, thing] == (abstract, set())
        places = {name for name in situated if name.endswith("_image") or name == "center"}
        assert located[split, image, thing] == (abstract, places)
        file = tmp_path / f"out/scene_graphs/by-id/{metadata[image]['vg_image_id']}.json"
        assert f'"object_id":"gw_{thing}"' in file.read_text(encoding="utf-8")
        graph = visual_genome.graph(file)
        (node,) = [each for each in graph.objects if each.id == f"gw_{thing}"]
        assert node.guesswhat
        assert set(node.abstract) == abstract
        assert node.situated == ()
        (row,) = [each for each in metadata[image]["gw_objects"] if each["id"] == thing]
        assert row["vg_object_id"] is None
    assert nodes > 20
    assert world.plan.genome is not None


def replace_how(**given: object) -> How:
    return resolve("paper", least_abstract=1, least_situated=1, **given)


def test_locations_of_mapped_things_in_either_frame(
    different: tuple[World, Path], sources: From, tmp_path: Path
) -> None:
    """A thing's own frame gives the world's locations; Visual Genome's gives those of its object."""
    _, folder = different
    truth = held(folder / "attributes")
    moved = 0
    for frame in ("own", "genome"):
        out = tmp_path / frame
        build(sources(folder), replace_how(frame=frame), out)
        metadata = json.loads((out / "gw_vg_metadata.json").read_text())
        for (split, image, thing), (_, situated) in held(out).items():
            picture = metadata[image]
            (row,) = [each for each in picture["gw_objects"] if each["id"] == thing]
            if row["vg_object_id"] is None:
                continue
            graph = visual_genome.graph(out / f"scene_graphs/by-id/{picture['vg_image_id']}.json")
            node = next(each for each in graph.objects if each.id == row["vg_object_id"])
            if frame == "genome":
                assert situated == set(node.situated)
                moved += set(node.situated) != truth[split, image, thing][1]
            elif node.names != ("part",):
                here = {n for n in situated if n.endswith("_image") or n == "center"}
                assert here <= truth[split, image, thing][1]
    assert moved > 5


def test_rare_attributes_are_left_out_but_no_location(
    same: Path, sources: From, tmp_path: Path
) -> None:
    """A column stays if as many things have it as are asked for, of all files or of train."""
    for over in ("all", "train"):
        how = How(least_abstract=20, least_situated=30, over=over)
        build(sources(same), how, tmp_path / over)
        names = read_names(tmp_path / over)
        counts: dict[str, int] = {}
        for (split, _, _), (abstract, situated) in held(same / "attributes").items():
            if over == "all" or split == "train":
                for name in abstract | situated:
                    counts[name] = counts.get(name, 0) + 1
        everything = read_names(same / "attributes")
        assert set(names.abstract) == {n for n in everything.abstract if counts.get(n, 0) >= 20}
        kept = {n for n in everything.situated if counts.get(n, 0) >= 30}
        assert set(names.situated) == kept | set(names.situated[-5:])
        assert names.situated[-5:] == everything.situated[-5:]
        file = next((tmp_path / over / "test").glob("*.npz"))
        assert read_attributes(file, names).abstract.dtype == np.uint8


def test_the_code_takes_every_kind_and_finds_concepts_by_name(
    same: Path, sources: From, tmp_path: Path
) -> None:
    """Its kinds that depend on a picture are in; its rule for the center is skewed."""
    how = resolve("code", least_abstract=1, least_situated=1)
    report = build(sources(same), how, tmp_path / "out")
    names = read_names(tmp_path / "out")
    assert {"is yellow", "is grey"} & set(names.abstract)
    assert not {"is yellow", "is grey"} & set(read_names(same / "attributes").abstract)
    ours, truth = held(tmp_path / "out"), held(same / "attributes")
    assert any(ours[key][1] != truth[key][1] for key in ours)
    assert report.how == how


def test_counts_are_those_of_tables_2_and_3(same: Path, sources: From, tmp_path: Path) -> None:
    """Pictures that Visual Genome lacks take their dialogues with them."""
    folder = tmp_path / "genome"
    folder.mkdir()
    pictures = json.loads((same / "visual_genome/image_data.json").read_bytes())
    kept = {row["coco_id"] for row in pictures[::2]}
    (folder / "image_data.json").write_text(json.dumps(pictures[::2]))
    (folder / "scene_graphs.json").symlink_to(same / "visual_genome/scene_graphs.json")
    known = replace(sources(same), visual_genome=folder)
    report = build(known, EVERY, tmp_path / "out")
    for split, path in zip(report.splits, known.games, strict=True):
        transcripts = list(guesswhat.read(path))
        ours = [t for t in transcripts if int(t.game.image) in kept]
        assert split.images == len({t.game.image for t in transcripts})
        assert split.mapped_images == len({t.game.image for t in ours})
        assert (split.dialogues, split.kept) == (len(transcripts), len(ours))
        assert split.turns == round(sum(len(t.turns) for t in ours) / len(ours), 3)
        said = {
            w
            for t in ours
            for turn in t.turns
            for w in turn.question.lower().replace("?", " ?").split()
        }
        assert split.vocabulary == len(said)
        for status, count in split.statuses.items():
            assert count == sum(t.status == status for t in ours)


def altered(source: Path, folder: Path, change: Callable[[list[dict[str, object]]], None]) -> Path:
    """A copy of a folder of Visual Genome whose graphs and pictures were changed."""
    folder.mkdir()
    for name in ("image_data", "scene_graphs", "objects", "attributes"):
        rows = json.loads((source / f"{name}.json").read_bytes())
        for row in rows:
            row["file"] = name
        change(rows)
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return folder


def no_size(rows: list[dict[str, object]]) -> None:
    if rows[0]["file"] == "image_data":
        rows[0]["width"] = 0


def unknown_size(rows: list[dict[str, object]]) -> None:
    if rows[0]["file"] == "image_data":
        del rows[0]["width"]


def no_picture(rows: list[dict[str, object]]) -> None:
    if rows[0]["file"] == "image_data":
        del rows[0]


def no_area(rows: list[dict[str, object]]) -> None:
    objects = rows[0].get("objects")
    if rows[0]["file"] == "scene_graphs" and isinstance(objects, list):
        objects[0]["w"] = 0


def unknown_object(rows: list[dict[str, object]]) -> None:
    objects = rows[0].get("attributes")
    if rows[0]["file"] == "attributes" and isinstance(objects, list):
        objects[0]["object_id"] = 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (no_size, "image [0-9]+, .*0 x 240 pixels.*--skip-bad leaves the picture out"),
        (unknown_size, "image [0-9]+, .*[?] x 240 pixels.*--skip-bad leaves the picture out"),
        (no_picture, "has no size.*a record of each picture that has a graph"),
        (no_area, "has no area.*--skip-bad leaves the object out"),
        (unknown_object, "attributes of the object 1, which objects.json lacks.*--skip-bad"),
    ],
)
def test_bad_graphs_are_refused_or_left_out(
    same: Path,
    sources: From,
    tmp_path: Path,
    change: Callable[[list[dict[str, object]]], None],
    said: str,
) -> None:
    """Each says which record it is and what to do; left out, the rest is made, and nothing is half there."""
    folder = altered(same / "visual_genome", tmp_path / "genome", change)
    if change is unknown_object:
        (folder / "scene_graphs.json").unlink()
    games = "compguesswhat-original/0.2.0/compguesswhat.{}.jsonl.gz"
    known = replace(sources(same, games), visual_genome=folder)
    with pytest.raises(DataError, match=said) as caught:
        build(known, EVERY, tmp_path / "out")
    assert caught.value.file is not None
    assert not list(tmp_path.glob("out*"))
    skipped: list[DataError] = []
    report = build(known, EVERY, tmp_path / "out", skipped)
    assert report.skipped == len(skipped) >= 1
    assert sum(split.mapped_images for split in report.splits) > 10


def test_a_picture_of_two_splits_is_one_picture(
    different: tuple[World, Path], sources: From, tmp_path: Path
) -> None:
    """Its things count once, have one line in the mapping, and stand in the folders of both splits."""
    known = sources(different[1])
    one = replace(known, games=known.games[:1])
    again = tmp_path / "guesswhat.valid.jsonl.gz"
    again.symlink_to(known.games[0])
    alone = build(one, How(least_abstract=20), tmp_path / "one")
    both = build(
        replace(known, games=(known.games[0], again)), How(least_abstract=20), tmp_path / "two"
    )
    assert (both.pictures, both.mapped, both.attributes) == (
        alone.pictures,
        alone.mapped,
        alone.attributes,
    )
    assert [split.mapped_images for split in both.splits] == [alone.pictures] * 2
    assert len(list(genome_mapping.read(tmp_path / "two/mapping.jsonl"))) == alone.pictures
    found = held(tmp_path / "two")
    assert {k: v for k, v in found.items() if k[0] == "train"} == held(tmp_path / "one")
    assert {("train", *k[1:]): v for k, v in found.items() if k[0] == "valid"} == held(
        tmp_path / "one"
    )


def test_only_the_new_folder_is_touched(same: Path, sources: From, tmp_path: Path) -> None:
    """What stands beside it stays, whatever it is called, and nothing else is left there."""
    beside = tmp_path / "deep/out.part/mine.txt"
    beside.parent.mkdir(parents=True)
    beside.write_text("mine")
    build(sources(same), EVERY, tmp_path / "deep/out")
    assert beside.read_text() == "mine"
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"out", "out.part"}


@pytest.mark.parametrize("name", ["../../evil", "a/b", "a\0b", ""])
def test_ids_that_are_paths_write_nothing_elsewhere(
    same: Path, sources: From, tmp_path: Path, name: str
) -> None:
    """Neither an id of Visual Genome's nor one of the games' says where a file is written."""

    def renamed(rows: list[dict[str, object]]) -> None:
        for row in rows:
            if row.get("image_id") == first:
                row["image_id"] = name

    first = json.loads((same / "visual_genome/image_data.json").read_bytes())[0]["image_id"]
    folder = altered(same / "visual_genome", tmp_path / "genome", renamed)
    with pytest.raises(DataError, match="cannot name a file"):
        build(replace(sources(same), visual_genome=folder), EVERY, tmp_path / "deep/er/out")
    games = tmp_path / "guesswhat.test.jsonl"
    row = json.loads(game(11, 320, "dog", [1, 1, 9, 9]))
    row["image"]["id"] = name
    games.write_text(json.dumps(row))
    linked = replace(sources(same), games=(games,), visual_genome=OWN / "visual_genome")
    with pytest.raises(DataError, match="cannot name a file"):
        build(linked, EVERY, tmp_path / "deep/er/out")
    assert {path.name for path in tmp_path.rglob("*")} <= {
        *("genome", "deep", "er", games.name),
        *(path.name for path in folder.iterdir()),
    }


def test_zero_shot_games_have_no_pictures_in_visual_genome(
    same: Path, sources: From, shared: Path, tmp_path: Path
) -> None:
    """The ids of nocaps' pictures would be taken for COCO's."""
    games = shared / "compguesswhat/compguesswhat-zero_shot/0.2.0/compguesswhat.nd_valid.jsonl.gz"
    with pytest.raises(DataError, match="pictures are Open Images'"):
        build(replace(sources(same), games=(games,)), EVERY, tmp_path / "out")


def test_what_makes_no_sense_is_refused(same: Path, sources: From, tmp_path: Path) -> None:
    """Two files of a split, no file of train, bad thresholds, a folder that is there, no concepts."""
    known = sources(same)
    twice = replace(known, games=(known.games[0], known.games[0]))
    with pytest.raises(UsageError, match="'train'"):
        build(twice, EVERY, tmp_path / "out")
    with pytest.raises(UsageError, match="train"):
        build(replace(known, games=known.games[1:]), How(over="train"), tmp_path / "out")
    with pytest.raises(UsageError, match="iou"):
        How(iou=2)
    with pytest.raises(UsageError, match="no variant"):
        resolve("theirs")
    with pytest.raises(UsageError, match="exists"):
        build(known, EVERY, tmp_path)
    with pytest.raises(DataError, match="image_data"):
        build(replace(known, visual_genome=tmp_path), EVERY, tmp_path / "out")
    empty = tmp_path / "visa.jsonl"
    empty.write_text("")
    with pytest.raises(DataError, match=r"visa\.jsonl: names no concepts"):
        build(replace(known, visa=empty), EVERY, tmp_path / "out")


def game(image: int, width: int, category: str, box: list[int]) -> str:
    """A game about one thing of a picture of Visual Genome."""
    size = {"width": width, "height": width * 3 // 4}
    picture = {"id": image, **size, "visual_genome": {"image_id": image, **size}}
    thing = {"id": image, "category": category, "category_id": 1, "bbox": box}
    row = {"id": image, "image": picture, "objects": [thing], "object_id": image}
    return json.dumps({**row, "status": "success", "qas": []})


def test_the_real_games_and_the_real_graphs(
    shared: Path, sources: From, same: Path, tmp_path: Path
) -> None:
    """They have no picture in common, which is said; alone, each is read and attributed."""
    games = shared / "compguesswhat/compguesswhat-original/0.2.0"
    real = replace(
        sources(same),
        games=tuple(games / f"compguesswhat.{split}.jsonl.gz" for split in HUMAN),
        visual_genome=shared / "visual_genome",
    )
    with pytest.raises(DataError, match="the graph of no picture of the games"):
        build(real, EVERY, tmp_path / "none")
    file = tmp_path / "guesswhat.test.jsonl"
    clock, nothing = game(1, 800, "clock", [421, 91, 79, 339]), game(3, 640, "tv", [2, 2, 3, 3])
    file.write_text(f"{clock}\n{nothing}\n")
    build(replace(real, games=(file,)), EVERY, tmp_path / "out")
    names = read_names(tmp_path / "out")
    abstract, situated = read_attributes(tmp_path / "out/test/1.npz", names).of("1")
    told = {n for n, one in zip(names.situated, situated, strict=True) if one}
    assert {"green", "tall"} <= told
    assert {n for n, one in zip(names.abstract, abstract, strict=True) if one} >= {
        "used for telling time"
    }
    _, none = read_attributes(tmp_path / "out/test/3.npz", names).of("3")
    assert not none.any()
