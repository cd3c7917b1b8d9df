"""The files of a world, read back by their readers, say what is true of its scenes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from referee.datasets import coco, dense, guesswhat, imsitu, pools, visa, visdial
from referee.datasets.boxes import classes, nocaps
from referee.datasets.boxes import read as read_boxes
from referee.datasets.compguesswhat import links, read_attributes, read_names
from referee.datasets.iconworld.language import answers
from referee.datasets.iconworld.parts.attributes import locations
from referee.datasets.iconworld.world import HUMAN, ZERO_SHOT, World
from referee.datasets.iconworld.zero_shot import LEAST_AREA
from referee.datasets.visual_genome import graphs, images
from referee.games import Box, GuessWhat, Transcript


def test_no_two_splits_share_a_picture(world: World, world_folder: Path) -> None:
    """A picture is in one split, and every picture is there."""
    numbers = [drawn.scene.id for scenes in world.splits.values() for drawn in scenes]
    assert len(set(numbers)) == len(numbers)
    files = {drawn.scene.file for scenes in world.splits.values() for drawn in scenes}
    assert files == {file.name for file in (world_folder / "images").iterdir()}


@pytest.mark.parametrize("release", ["", "guesswhat-new/"])
@pytest.mark.parametrize("split", HUMAN)
def test_games_come_back_as_they_were_played(
    world: World, world_folder: Path, release: str, split: str
) -> None:
    """The reader of either release gives the scenes, attributes, dialogues and statuses of the world."""
    read = list(guesswhat.read(world_folder / f"{release}guesswhat.{split}.jsonl.gz"))
    played = list(world.games(split))
    assert len(read) == len(played)
    for transcript, game in zip(read, played, strict=True):
        assert isinstance(transcript.game, GuessWhat)
        assert transcript.game.id == str(game.id)
        assert transcript.game.scene.things == game.drawn.scene.things
        assert transcript.game.target_index == game.target
        assert transcript.status == game.dialogue.status
        said = [(turn.question, turn.answer) for turn in transcript.turns]
        assert said == list(zip(game.dialogue.questions, game.dialogue.answers, strict=True))


def test_a_game_read_back_can_be_answered(world_folder: Path) -> None:
    """Every question of a file has a right answer about everything in its scene."""
    right = total = 0
    for transcript in guesswhat.read(world_folder / "guesswhat.train.jsonl.gz"):
        game = guesswhat_of(transcript)
        for turn in transcript.turns:
            found = answers(turn.question, game.scene)
            assert found is not None
            right += found[game.target_index] == turn.answer
            total += 1
    assert 0.9 < right / total < 1


def guesswhat_of(transcript: Transcript) -> GuessWhat:
    """The game of a transcript."""
    assert isinstance(transcript.game, GuessWhat)
    return transcript.game


def test_coco_files_hold_every_thing(world: World, world_folder: Path) -> None:
    """Instances are the things of the split, captions five a picture."""
    for split, name in (("train", "train"), ("valid", "val"), ("test", "test"), ("pools", "pools")):
        scenes = list(coco.scenes(world_folder / f"annotations/instances_{name}.json"))
        for read, drawn in zip(scenes, world.splits[split], strict=True):
            assert read.id == drawn.scene.id
            assert read.file == drawn.scene.file
            boxes = [(t.id, t.category, t.category_id, t.box) for t in read.things]
            assert boxes == [(t.id, t.category, t.category_id, t.box) for t in drawn.scene.things]
        captions = coco.read_captions(world_folder / f"annotations/captions_{name}.json")
        assert len(captions.captions) == 5 * len(scenes)


def test_graphs_hold_every_thing_and_only_true_relationships(
    world: World, world_folder: Path
) -> None:
    """A graph has the things with their attributes; a relationship joins two of them."""
    scenes = {d.scene.id: d.scene for split in HUMAN for d in world.splits[split]}
    coco_ids = {i.id: i.coco for i in images(world_folder / "visual_genome/image_data.json")}
    read = list(graphs(world_folder / "visual_genome/scene_graphs.json"))
    assert len(read) == len(scenes)
    for graph in read:
        coco_id = coco_ids[graph.image]
        assert coco_id is not None
        scene = scenes[coco_id]
        assert [o.attributes for o in graph.objects] == [t.attributes for t in scene.things]
        assert [o.box for o in graph.objects] == [t.box for t in scene.things]
        places = {o.id: place for place, o in enumerate(graph.objects)}
        for joined in graph.relationships:
            one = scene.things[places[joined.subject]].box
            two = scene.things[places[joined.object]].box
            x, other_x = one.x + one.width / 2, two.x + two.width / 2
            y, other_y = one.y + one.height / 2, two.y + two.height / 2
            assert {
                "left of": x < other_x,
                "right of": x > other_x,
                "above": y < other_y,
                "below": y > other_y,
                "next to": one != two,
            }[joined.predicate]
    for name in ("objects", "attributes", "relationships"):
        assert list(graphs(world_folder / f"visual_genome/{name}.json"))


def test_original_games_are_those_that_succeeded(world: World, world_folder: Path) -> None:
    """CompGuessWhat?!'s games are the successful ones, linked to the graphs of their pictures."""
    graph_ids = {i.id for i in images(world_folder / "visual_genome/image_data.json")}
    for split in HUMAN:
        file = world_folder / f"compguesswhat-original/0.2.0/compguesswhat.{split}.jsonl.gz"
        won = [str(g.id) for g in world.games(split) if g.dialogue.status == "success"]
        found = list(links(file))
        assert [link.game for link in found] == won
        assert all(link.visual_genome and link.visual_genome.id in graph_ids for link in found)


def test_attribute_vectors_say_what_is_true(world: World, world_folder: Path) -> None:
    """A colour, a size, a location and a concept's attribute are 1 exactly where they hold."""
    names = read_names(world_folder / "attributes")
    concepts = {c.id: c for c in visa.read(world_folder / "visa.jsonl")}
    assert any(visa.OF_PICTURES & concept.attributes.keys() for concept in concepts.values())
    roles = filled_roles(world_folder / "imsitu")
    for split in HUMAN:
        for drawn in world.splits[split]:
            scene = drawn.scene
            vectors = read_attributes(world_folder / f"attributes/{split}/{scene.id}.npz", names)
            assert vectors.objects == tuple(thing.id for thing in scene.things)
            for thing in scene.things:
                abstract, situated = vectors.of(thing.id)
                held = {n for n, one in zip(names.situated, situated, strict=True) if one}
                where = locations(thing.box, scene.width, scene.height)
                assert held == {*thing.attributes, *where}
                known = {n for n, one in zip(names.abstract, abstract, strict=True) if one}
                concept = concepts[thing.category]
                assert concept.types[0] in known
                lasting = [
                    len(n) for k, n in concept.attributes.items() if k not in visa.OF_PICTURES
                ]
                filled = {name for name in known if name.split()[0] in set(imsitu.KINDS.values())}
                assert filled == roles[thing.category]
                assert len(known) == 1 + sum(lasting) + len(filled)


def filled_roles(folder: Path) -> defaultdict[str, set[str]]:
    """By category what somebody saw it do, or done with it."""
    nouns = imsitu.read_space(folder / "imsitu_space.json").nouns
    found = defaultdict[str, set[str]](set)
    for split in ("train", "dev", "test"):
        for situation in imsitu.read(folder / f"{split}.json"):
            for frame in situation.frames:
                for role, noun in frame.items():
                    named = imsitu.attribute(role, situation.verb)
                    if noun and named:
                        found[nouns[noun].gloss[0]].add(named)
    return found


@pytest.mark.parametrize(
    ("box", "found"),
    [
        (Box(0, 0, 40, 40), {"left_image", "top_image"}),
        (Box(250, 100, 40, 40), {"right_image"}),
        (Box(150, 200, 40, 30), {"bottom_image"}),
        (Box(60, 40, 40, 40), {"center"}),
    ],
)
def test_a_location_is_outside_the_central_half(box: Box, found: set[str]) -> None:
    """A thing that reaches into the central half of the picture is in the center."""
    assert locations(box, 320, 240) == found


def test_situations_fit_their_space(world_folder: Path) -> None:
    """Every situation has its verb's roles, filled with nouns of the space, by three annotators."""
    space = imsitu.read_space(world_folder / "imsitu/imsitu_space.json")
    for split in ("train", "dev", "test"):
        found = list(imsitu.read(world_folder / f"imsitu/{split}.json", space))
        assert {situation.verb for situation in found} == set(space.verbs)
        assert {len(situation.frames) for situation in found} == {3}


def test_zero_shot_games_are_of_their_domain(world: World, world_folder: Path) -> None:
    """Out-of-domain scenes hold unseen kinds only, near-domain ones both; all boxes are large enough."""
    pictures = {drawn.scene.id for split in ZERO_SHOT for drawn in world.splits[split]}
    for split in ZERO_SHOT:
        file = world_folder / f"compguesswhat-zero_shot/0.2.0/compguesswhat.{split}.jsonl.gz"
        games = list(guesswhat.games(file))
        assert len({game.id for game in games}) == len(games)
        assert {game.scene.id for game in games} == {d.scene.id for d in world.splits[split]}
        for game in games:
            assert game.scene.id in pictures
            assert 3 <= len(game.scene.things) <= 20
            areas = [thing.box.width * thing.box.height for thing in game.scene.things]
            assert min(areas) > LEAST_AREA
            assert [thing.area for thing in game.scene.things] == areas
            seen = [thing.category_id > 0 for thing in game.scene.things]
            assert any(seen) == split.startswith("nd")
            assert not all(seen)
        by_picture = [sum(g.scene.id == one for g in games) for one in {g.scene.id for g in games}]
        assert max(by_picture) <= 5


def test_boxes_of_the_table_are_the_things(world: World, world_folder: Path) -> None:
    """The table of boxes gives back every box in pixels, under its class."""
    names = classes(world_folder / "nocaps/class-descriptions-boxable.csv")
    found: dict[str, list[tuple[str, Box]]] = {}
    for row in read_boxes(world_folder / "nocaps/boxes.csv"):
        box = row.pixels(320, 240)
        rounded = Box(*(round(number) for number in (box.x, box.y, box.width, box.height)))
        found.setdefault(row.image, []).append((names[row.label].lower(), rounded))
    listed = [
        image
        for split in ("val", "test")
        for image in nocaps(world_folder / f"nocaps/nocaps_{split}_image_info.json")
    ]
    scenes = {d.scene.id: d.scene for split in ZERO_SHOT for d in world.splits[split]}
    assert {image.id for image in listed} == set(scenes)
    for image in listed:
        things = [(thing.category, thing.box) for thing in scenes[image.id].things]
        assert found[image.open_images] == things


def test_dialogues_come_with_relevance(world: World, world_folder: Path) -> None:
    """Validation dialogues have ten rounds of a hundred options and one round with relevance."""
    folder = world_folder / "visdial"
    annotations = folder / "visdial_1.0_val_dense_annotations.json"
    games = list(visdial.games(folder / "visdial_1.0_val.json", annotations))
    assert games
    captions = coco.read_captions(world_folder / "annotations/captions_val.json").captions
    for game in games:
        assert game.image in {drawn.scene.id for drawn in world.splits["valid"]}
        assert game.caption in {c.text for c in captions if c.image == game.image}
        assert len(game.rounds) == 10
        judged = [asked for asked in game.rounds if asked.relevance is not None]
        assert len(judged) == 1
        for asked in judged:
            assert asked.relevance is not None
            assert asked.gt_index is not None
            assert asked.relevance[asked.gt_index] == 1
    sample = list(dense.read(folder / "visdial_1.0_train_dense_sample.json"))
    assert {row.name for row in sample} == {"relevance"}
    tested = list(visdial.games(folder / "visdial_1.0_test.json"))
    assert all(game.rounds[-1].options and game.rounds[-1].answer is None for game in tested)


def test_pools_end_with_their_target(world: World, world_folder: Path) -> None:
    """A pool has twenty pictures, the target last; hard ones are more like it than easy ones."""
    from referee.datasets.iconworld.parts.pools import likeness

    by_name = {drawn.scene.file.removesuffix(".png"): drawn for drawn in world.splits["pools"]}
    for pool in pools.load(world_folder / "guesswhich/pools.json"):
        target = by_name[pool.target]
        alike = {}
        for level, names in pool.levels.items():
            assert len(set(names)) == 20
            assert names[-1] == pool.target
            alike[level] = sum(likeness(target, by_name[name]) for name in names[:-1])
        assert alike["easy"] < alike["medium"] < alike["hard"]
