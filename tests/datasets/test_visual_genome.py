"""Visual Genome's files, the published ones and small ones of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.datasets import visual_genome
from referee.errors import DataError
from referee.games.model import Box

OWN = Path(__file__).resolve().parent.parent / "data" / "visual_genome"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("objects", {"images": 5, "objects": 177}),
        ("attributes", {"images": 5, "objects": 177, "attributes": 167}),
        ("relationships", {"images": 5, "objects": 145, "relationships": 158}),
        ("image_data", {"images": 5, "in COCO": 0}),
        ("region_descriptions", {"images": 5, "regions": 1278}),
        ("question_answers", {"images": 5, "questions": 721}),
    ],
)
def test_published_counts(shared: Path, name: str, counts: dict[str, int]) -> None:
    """Each file of the first five images is recognised as one format and has its counts."""
    path = shared / "visual_genome" / f"{name}.json"
    head = path.read_bytes()[:65536]
    (found,) = [each for each in visual_genome.FORMATS if each.recognises(path, head)]
    problems: list[DataError] = []
    assert found.summarise(path, problems) == counts
    assert not problems


def test_published_objects(shared: Path) -> None:
    """The first object of the first image is the green, tall clock."""
    first = next(visual_genome.graphs(shared / "visual_genome" / "attributes.json"))
    clock = first.objects[0]
    assert (first.image, clock.id, clock.names) == ("1", "1058498", ("clock",))
    assert clock.box == Box(421, 91, 79, 339)
    assert (clock.attributes, clock.synsets) == (("green", "tall"), ("clock.n.01",))


def test_published_relationships(shared: Path) -> None:
    """The ends of a relationship are objects of the graph, each of them once."""
    for graph in visual_genome.graphs(shared / "visual_genome" / "relationships.json"):
        ids = [thing.id for thing in graph.objects]
        assert len(set(ids)) == len(ids)
        assert {end for each in graph.relationships for end in (each.subject, each.object)} == set(
            ids
        )


def test_scene_graphs() -> None:
    """A scene graph names the ends of a relationship by id; one of them may be missing."""
    first, second = visual_genome.graphs(OWN / "scene_graphs.json")
    assert [(each.subject, each.predicate, each.object) for each in first.relationships] == [
        ("101", "sitting next to", "102"),
        ("102", "ON", "103"),
        ("101", "behind", "999"),
    ]
    assert second.objects[0].box == Box(40, -1, 25, 30)
    assert visual_genome.FORMATS[0].summarise(OWN / "scene_graphs.json", []) == {
        "images": 2,
        "objects": 4,
        "attributes": 3,
        "relationships": 3,
        "relationships that lack an object": 1,
    }


def test_graph_of_compguesswhat() -> None:
    """A graph by id keeps situated and abstract attributes apart and marks the objects of GuessWhat?!."""
    graph = visual_genome.graph(OWN / "11.json")
    seen, guessed = graph.objects
    assert (seen.id, seen.situated, seen.abstract) == (
        "101",
        ("brown", "small", "left_image"),
        (" flies",),
    )
    assert (guessed.id, guessed.guesswhat) == ("gw_37105", True)


def test_images() -> None:
    """A picture that is not COCO's has no COCO id."""
    first, second = visual_genome.images(OWN / "image_data.json")
    assert (first.coco, first.flickr, first.width) == ("9001", "77", 320)
    assert (second.coco, second.flickr) == (None, None)


def test_regions_and_questions() -> None:
    """Regions and questions come image by image."""
    ((owl, _),) = visual_genome.regions(OWN / "region_descriptions.json")
    assert (owl.phrase, owl.box) == ("a brown owl", Box(10, 20, 60, 80))
    ((asked,),) = visual_genome.questions(OWN / "question_answers.json")
    assert (asked.image, asked.question, asked.answer) == (
        "11",
        "What colour is the owl?",
        "Brown.",
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"object_id": None}, "$.objects[1].object_id"),
        ({"w": -4}, "x, y, w, h"),
        ({"names": "owl"}, "$.objects[1].names"),
    ],
)
def test_bad_record(tmp_path: Path, change: dict[str, object], field: str) -> None:
    """A bad record is named with its field, and the others survive it when it is skipped."""
    records = json.loads((OWN / "scene_graphs.json").read_text(encoding="utf-8"))
    records[0]["objects"][1].update(change)
    path = tmp_path / "scene_graphs.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(visual_genome.graphs(path))
    assert (caught.value.file, caught.value.record, caught.value.field) == (str(path), "[0]", field)
    skipped: list[DataError] = []
    assert [graph.image for graph in visual_genome.graphs(path, skipped)] == ["12"]
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_relationship_without_an_end(tmp_path: Path) -> None:
    """A relationship must have two ends."""
    path = tmp_path / "relationships.json"
    alone = {"image_id": 1, "relationships": [{"relationship_id": 1, "predicate": "on"}]}
    path.write_text(json.dumps([alone]), encoding="utf-8")
    with pytest.raises(DataError, match="lacks an end"):
        list(visual_genome.graphs(path))


def test_image_twice(tmp_path: Path) -> None:
    """An image that comes twice is refused."""
    records = json.loads((OWN / "image_data.json").read_text(encoding="utf-8"))
    path = tmp_path / "image_data.json"
    path.write_text(json.dumps([records[0], *records]), encoding="utf-8")
    with pytest.raises(DataError, match="comes twice"):
        list(visual_genome.images(path))


@pytest.mark.parametrize("name", ["region_descriptions", "question_answers"])
def test_parts_of_an_image_twice(tmp_path: Path, name: str) -> None:
    """The regions or questions of an image stand in one record; a second one is refused."""
    path = tmp_path / f"{name}.json"
    records = json.loads((OWN / path.name).read_text())
    path.write_text(json.dumps([*records, records[0]]))
    read = {
        "region_descriptions": visual_genome.regions,
        "question_answers": visual_genome.questions,
    }[name]
    problems: list[DataError] = []
    assert len(list(read(path, problems))) == len(records)
    assert [problem.record for problem in problems] == ["image 11"]
