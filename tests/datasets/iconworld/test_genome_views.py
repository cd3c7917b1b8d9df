"""Visual Genome's version of a world: as COCO has it, or different in ways that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli import main
from referee.datasets import genome_mapping, visual_genome_folder
from referee.datasets.compguesswhat import links
from referee.datasets.iconworld.genome_views import SCALES, Mismatch, view
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.world import HUMAN, Plan, World
from referee.errors import UsageError

PLAN = Plan(games=60, scenes=60, zero_shot=0, dialogues=0, pools=0, seed=5, genome=Mismatch())


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("genome") / "world"
    make(folder, PLAN, ("compguesswhat", "visual-genome"))
    return folder


def test_without_a_mismatch_all_is_as_coco_has_it(drawn_scenes: tuple[Drawn, ...]) -> None:
    for drawn in drawn_scenes:
        found = view(drawn.scene, 1, None)
        assert (found.width, found.height, found.banner) == (320, 240, 0)
        assert [seen.box for seen in found.seen] == [thing.box for thing in drawn.scene.things]


def test_a_difference_is_what_it_says(drawn_scenes: tuple[Drawn, ...]) -> None:
    """Without jitter a box is where scale and banner put it; a banner is above or below."""
    certain = Mismatch(banner=1, jitter=0, missing=0, renamed=1, part=1)
    above = renamed = 0
    for drawn in drawn_scenes:
        found = view(drawn.scene, 7, certain)
        assert found == view(drawn.scene, 7, certain)
        assert found.scale in SCALES
        assert found.height == round(240 * found.scale) + found.banner
        assert 0.05 * 240 * found.scale - 1 <= found.banner <= 0.25 * 240 * found.scale + 1
        assert found.shift in (0, found.banner)
        above += found.shift > 0
        whole = [seen for seen in found.seen if not seen.part]
        assert len(found.seen) == 2 * len(whole) == 2 * len(drawn.scene.things)
        for seen, thing in zip(whole, drawn.scene.things, strict=True):
            assert abs(seen.box.x - thing.box.x * found.scale) <= 0.5
            assert abs(seen.box.y - thing.box.y * found.scale - found.shift) <= 0.5
            words = set(seen.name.split()) & set(thing.category.split())
            assert seen.name == thing.category or not words
            renamed += seen.name != thing.category
    assert renamed > 50
    assert 0.3 < above / len(drawn_scenes) < 0.7


def test_the_files_hold_the_view_and_what_was_planted(different: Path) -> None:
    """Graphs, sizes, links and the mapping are those of the world in memory."""
    world = World(PLAN)
    folder = different / "visual_genome"
    pictures = visual_genome_folder.pictures(folder)
    graphs = {g.image: g for g in visual_genome_folder.graphs(folder, pictures)}
    planted = {p.image: p for p in genome_mapping.read(folder / "mapping.jsonl")}
    missing = parts = 0
    for split in HUMAN:
        file = different / f"compguesswhat-original/0.2.0/compguesswhat.{split}.jsonl.gz"
        for link in links(file):
            assert link.visual_genome is not None
            image = pictures[link.visual_genome.id]
            assert (link.visual_genome.width, link.visual_genome.height) == (
                image.width,
                image.height,
            )
        for drawn in world.splits[split]:
            found = world.view(drawn)
            picture = planted[drawn.scene.id]
            graph = graphs[picture.visual_genome]
            assert [o.box for o in graph.objects] == [seen.box for seen in found.seen]
            by_id = {o.id: o for o in graph.objects}
            for thing in drawn.scene.things:
                mapped = picture.things[thing.id].object
                if mapped is None:
                    missing += 1
                else:
                    assert by_id[mapped].attributes == thing.attributes
            parts += sum(o.names == ("part",) for o in graph.objects)
            ids = {o.id for o in graph.objects}
            assert all({r.subject, r.object} <= ids for r in graph.relationships)
    assert missing > 10
    assert parts > 10


def test_the_command_makes_such_a_world(tmp_path: Path) -> None:
    """The same seed gives the same bytes, and other ones than without the option."""
    asked = [
        "data",
        "make",
        "iconworld",
        "--games",
        "6",
        "--scenes",
        "6",
        "--part",
        "visual-genome",
    ]
    made = {}
    for name in ("same", "different", "again"):
        out = tmp_path / name
        kind = "same" if name == "same" else "different"
        assert main([*asked, "--visual-genome", kind, "--out", str(out)]) == 0
        made[name] = (out / "visual_genome/scene_graphs.json").read_bytes()
    assert made["different"] == made["again"] != made["same"]


def test_a_share_is_between_none_and_all() -> None:
    with pytest.raises(UsageError, match="shares"):
        Mismatch(banner=2)
