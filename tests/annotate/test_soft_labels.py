"""The parser of first questions, and the labels of what it reads."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.soft_labels import (
    TYPES,
    Answered,
    How,
    Labels,
    candidates,
    first_turns,
    label,
    labelling,
    parse,
)
from referee.annotate.soft_labels.concepts import categories, concepts, file, truths
from referee.annotate.soft_labels.dialogues import Coverage, soft_labels
from referee.annotate.soft_labels.questions import regions
from referee.datasets import guesswhat
from referee.datasets.soft_labels import SoftLabel
from referee.errors import UsageError
from referee.games import Answer, Ask, Box, GuessWhat, Scene, Thing, Transcript
from referee.metrics.belief.rules import REGIONS

BOXES = ((60, 0, 20, 20), (0, 0, 20, 20), (80, 50, 20, 20), (10, 50, 20, 20), (44, 0, 8, 8))


def scene(*names: str, size: float = 100, attributes: tuple[str, ...] = ()) -> Scene:
    """Things of these categories in the boxes of Figure 3."""
    things = tuple(
        Thing(str(place), name, 0, Box(*box), attributes=attributes[place : place + 1])
        for place, (name, box) in enumerate(zip(names, BOXES, strict=False))
    )
    return Scene("1", size, size, things)


def labelled(of: Scene, question: str, answer: str, how: How | None = None) -> Labels:
    code = np.array([{"Yes": 1, "No": 0}.get(answer, -1)], dtype=np.int8)
    return label(candidates([of]), Answered(np.array([0]), [parse(question)], code), how)


def play(of: Scene, *said: str) -> Transcript:
    """A dialogue in which each question is followed by its answer."""
    events = tuple(
        event
        for question, _, answer in (text.rpartition(" ") for text in said)
        for event in (Ask(question), Answer(answer))
    )
    return Transcript(GuessWhat("7", of, of.things[0].id), events)


@pytest.mark.parametrize(
    ("question", "kind", "names"),
    [
        ("Is it an animal?", "category", ("animal",)),
        ("is it a person", "category", ("person",)),
        ("Is it considered food?", "category", ("food",)),
        ("is it a dog?", "object", ("dog",)),
        ("A DOG OR A CAT ?", "object", ("dog", "cat")),
        ("is it a person or an animal?", "category", ("person", "animal")),
        ("is it one of the buses?", "object", ("buses",)),
        ("It is a stove?", "object", ("stove",)),
        ("is it an orange?", "object", ("orange",)),
        ("Is it orange?", "colour", ("orange",)),
        ("is it blue in color?", "colour", ("blue",)),
        ("the grey one?", "colour", ("gray",)),
        ("on the left?", "spatial", ("left",)),
        ("is it the one on the right side?", "spatial", ("right",)),
        ("in the left half?", "spatial", ("left half",)),
        ("Is it in the left picture?", "spatial", ("left half",)),
        ("is it on the right side of the photo?", "spatial", ("right half",)),
        ("at the bottom?", "spatial", ("bottom",)),
        ("is it in the upper half of the image", "spatial", ("top half",)),
        ("is it in the centre of the picture?", "spatial", ("middle",)),
        ("top left?", "spatial", ("top left",)),
        ("is it in the lower right-hand corner?", "spatial", ("bottom right",)),
        ("on the left at the bottom?", "spatial", ("bottom left",)),
        ("on the left side of the picture, at the top?", "spatial", ("top left",)),
        ("in the top of the image on the right side", "spatial", ("top right",)),
        ("on the middle then?", "spatial", ("middle",)),
        ("Its on the left side?", "spatial", ("left",)),
        ("is he/she on right?", "spatial", ("right",)),
        ("is its color red?", "colour", ("red",)),
        ("It it a piece of sport equipment?", "category", ("piece of sport equipment",)),
        ("Is is a person?", "category", ("person",)),
        ("Is the object in the image a train?", None, ()),
        ("is it a person in the picture?", "category", ("person",)),
    ],
)
def test_what_is_covered(question: str, kind: str | None, names: tuple[str, ...]) -> None:
    """The four types in the words of people."""
    found = parse(question)
    assert (None, ()) if found is None else (found.type, found.names) == (kind, names)


@pytest.mark.parametrize(
    "question",
    [
        *("is it a man?", "is it the dog on the left?", "left of the dog?", "is it right?"),
        *("on top?", "is it on top of the table?", "leftmost?", "second from the left?"),
        *("is it red and green?", "is it the left hand?", "is it not a person?", "is it big?"),
        *("in the middle of the table?", "person, place or thing?", "is it glass?", "is it?"),
        *("in the left third?", "is it in the foreground?", "does it have a person on it?", ""),
        *(
            "left or right?",
            "is it not on the left?",
            "left of the center?",
            "is it in the middle left?",
        ),
        *("is it the top?", "is it a building?", "is it part of the train?", "is it a hot cat?"),
    ],
)
def test_what_is_not_covered(question: str) -> None:
    """A word too many, and nothing is guessed."""
    assert parse(question) is None


def test_the_places_of_the_parser_are_those_of_the_rules() -> None:
    """Whatever place is found, the rules know it."""
    assert set(regions()) == set(REGIONS)


def test_the_data_file_knows_coco() -> None:
    """80 categories in 12 super-categories, each in one; whatever a word names is among them."""
    members = [name for names in file().super_categories.values() for name in names]
    assert len(members) == len(set(members)) == 80
    assert set(members) == set(categories())
    assert len(file().super_categories) == 12
    for concept in concepts().values():
        assert concept.yes
        assert not concept.yes & concept.unsure


def test_coverage_of_real_first_questions(shared: Path) -> None:
    """Of a hundred people's first questions seventy are read, by my reading each rightly."""
    text = (shared / "guesswhat" / "human_100.jsonl").read_text("utf-8")
    first = [json.loads(line)["qas"][0]["question"] for line in text.splitlines()]
    found = [parse(question) for question in first]
    counted = Counter(each.type for each in found if each is not None)
    assert [counted[kind] for kind in TYPES] == [58, 11, 0, 1]
    named = {each.names for each in found if each is not None}
    assert ("person",) in named
    assert all(parse(text) is None for text in ("is it a guy?", "Is it a dish?", "is it meat?"))


def test_figure_3() -> None:
    """People get their share of one, and what is on the left by the rules' votes."""
    people = scene("cat", "person", "cat", "person", "cat")
    assert labelled(people, "Is it a person?", "Yes").probabilities.tolist() == [0, 0.5, 0, 0.5, 0]
    found = labelled(people, "is it on the left?", "Yes")
    assert found.votes.tolist() == [0, 3, 0, 3, 1]
    assert found.probabilities.round(4).tolist() == [0, 0.4286, 0, 0.4286, 0.1429]


def test_no_leaves_the_complement() -> None:
    """What fits Yes by k rules fits No by the others."""
    people = scene("cat", "person", "cat", "person", "cat")
    assert labelled(people, "is it on the left?", "No").votes.tolist() == [3, 0, 3, 0, 2]
    found = labelled(people, "Is it a person?", "No").probabilities
    assert found.tolist() == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3])


def test_softmax_is_for_places_only() -> None:
    """The text's softmax gives each candidate of a spatial question something, of a category none."""
    people, soft = scene("cat", "person", "cat", "person", "cat"), How(combine="softmax")
    found = labelled(people, "on the left?", "Yes", soft).probabilities
    assert found.round(3).tolist() == [0.022, 0.447, 0.022, 0.447, 0.061]
    assert labelled(people, "a person?", "Yes", soft).probabilities.tolist() == [0, 0.5, 0, 0.5, 0]


def test_rules_can_be_chosen() -> None:
    """R3 alone lets the centroid decide."""
    people, only = scene("cat", "person", "cat", "person", "cat"), How(rules=("R3",))
    assert labelled(people, "on the left?", "Yes", only).votes.tolist() == [0, 1, 0, 1, 1]
    with pytest.raises(UsageError, match="R4"):
        How(rules=("R1", "R4"))
    with pytest.raises(UsageError, match="votes once"):
        How(rules=("R1", "R1"))


@pytest.mark.parametrize(
    ("names", "question", "answer", "status"),
    [
        (("cat", "dog"), "is it a dog?", "N/A", "N/A"),
        (("cat", "dog"), "is it big?", "Yes", "not covered"),
        (("cat", "dog"), "is it a bus?", "Yes", "nothing fits"),
        (("cat", "teddy bear"), "is it an animal?", "Yes", "people differ"),
        (("cat", "unicorn"), "is it an animal?", "Yes", "people differ"),
        (("cat", "dog"), "is it red?", "Yes", "nothing known"),
        (("cat", "Dog"), "is it a dog?", "Yes", "labelled"),
    ],
)
def test_what_is_not_labelled(
    names: tuple[str, ...], question: str, answer: str, status: str
) -> None:
    """N/A, the uncovered, what people would differ about, and what nothing fits."""
    found = labelled(scene(*names), question, answer)
    assert [name for name, count in found.coverage().items() if count] == [status]
    assert np.isnan(found.probabilities).all() == (status != "labelled")


def test_nothing_fits_can_be_everything_alike() -> None:
    """The policy for all-zero counts is named."""
    found = labelled(scene("cat", "dog"), "is it a bus?", "Yes", How(all_zero="uniform"))
    assert found.probabilities.tolist() == [0.5, 0.5]


def test_a_picture_without_size_has_no_left() -> None:
    """Places are not told where the size of the picture is not known; categories are."""
    bare = scene("cat", "dog", size=0)
    assert labelled(bare, "on the left?", "Yes").coverage()["nothing known"] == 1
    assert labelled(bare, "a dog?", "Yes").probabilities.tolist() == [0, 1]


def test_colours_where_they_are_known() -> None:
    """A thing's attributes tell its colour."""
    known = scene("cat", "dog", attributes=("red", "grey"))
    assert labelled(known, "is it gray?", "Yes").probabilities.tolist() == [0, 1]
    assert labelled(known, "is it red?", "No").probabilities.tolist() == [0, 1]


def test_later_turns_intersect() -> None:
    """A turn's label is the product of all answers that could be read, with a reason for each thing."""
    people = scene("cat", "person", "cat", "person", "cat")
    said = ("is it a cat? Yes", "is it big? No", "on the left? Yes", "a person? Yes")
    counted = Coverage()
    rows = list(soft_labels([play(people, *said)], "all", coverage=counted))
    assert [row.turn for row in rows] == [1, 3]
    assert [row.turns for row in rows] == [(1,), (1, 3)]
    assert [row.type for row in rows] == ["object", "dialogue"]
    assert rows[0].probabilities == pytest.approx((1 / 3, 0, 1 / 3, 0, 1 / 3))
    assert rows[1].probabilities == (0, 0, 0, 0, 1)
    assert rows[1].reference == (False, False, False, False, True)
    assert (
        rows[1].why[4]
        == "5 cat: is it a cat? Yes (stays); on the left? Yes (stays by 1 of 3 rules)"
    )
    assert rows[1].why[1].startswith("2 person: is it a cat? Yes (is ruled out)")
    assert counted.contradicted == 1
    assert (counted.turns, counted.statuses["labelled"]) == (4, 3)
    assert any("3 of 4 turns of 1 games are read (75.00 %)" in line for line in counted.lines())


def test_first_turns_only() -> None:
    """The paper labels first turns; one that is not covered has no label."""
    people = scene("cat", "person")
    rows = [play(people, "is it big? Yes", "a cat? Yes"), play(people, "a cat? No", "a cat? Yes")]
    assert [row.probabilities for row in soft_labels(rows)] == [(0, 1)]


def test_an_unsure_category_yields_to_a_sure_one() -> None:
    """What is a person or an animal for certain is so, whoever doubts."""
    row = truths(("animal", "stuffed animal"))
    assert row[categories()["teddy bear"]] == 1
    assert truths(("animal",))[categories()["teddy bear"]] == -1


def test_a_word_of_which_some_mean_more_is_labelled_where_that_is_not_there() -> None:
    """A bike is a bicycle, but not for everyone beside a motorcycle."""
    alone = labelled(scene("bicycle", "dog"), "is it a bike?", "Yes")
    assert alone.probabilities.tolist() == [1.0, 0.0]
    both = labelled(scene("bicycle", "motorcycle"), "is it a bike?", "Yes")
    assert both.coverage()["people differ"] == 1
    assert labelled(scene("bicycle", "motorcycle"), "is it a bicycle?", "Yes").labelled.all()


def test_questions_that_need_the_history_look_like_any_others(shared: Path) -> None:
    """The page says how many of them are read as places in the picture."""
    text = (shared / "guesswhat" / "history_questions.csv").read_text("utf-8")
    asked = [row["question"] for row in csv.DictReader(text.splitlines())]
    places = [found for found in map(parse, asked) if found is not None and found.type == "spatial"]
    assert (len(asked), len(places)) == (204, 107)


def test_what_people_answered_fits_their_targets(shared: Path) -> None:
    """Of 134 answered questions for categories all but two are true of the target by COCO's names.

    The two are a bottle that is food and a truck that is a car.
    """
    text = (shared / "guesswhat" / "human_100.jsonl").read_text("utf-8")
    wrong, asked = [], 0
    for game in map(json.loads, text.splitlines()):
        for turn in game["qas"]:
            found = parse(turn["question"])
            if found is None or found.type not in ("category", "object"):
                continue
            true = truths(found.names)[categories()[game["target_category"]]]
            if turn["answer"] in ("Yes", "No") and true >= 0:
                asked += 1
                if true != (turn["answer"] == "Yes"):
                    wrong.append((game["target_category"], *found.names))
    assert asked == 134
    assert wrong == [("bottle", "food"), ("truck", "car")]


def test_first_turns_as_arrays() -> None:
    """Every game has its row and its cells, labelled or not; a game without turns is there, too."""
    people, two = scene("cat", "person", "cat", "person", "cat"), scene("cat", "dog")
    played = [play(people, "is it on the left? Yes"), play(two), play(two, "a dog? No")]
    found = first_turns(played)
    assert found.types.tolist() == ["spatial", "", "object"]
    assert found.labelled.tolist() == [True, False, True]
    assert found.answers.tolist() == [1, -1, 0]
    assert found.probabilities[found.cells(0)].round(4).tolist() == [0, 0.4286, 0, 0.4286, 0.1429]
    assert np.isnan(found.probabilities[found.cells(1)]).all()
    assert found.probabilities[found.cells(2)].tolist() == [1, 0]
    assert found.reference[found.cells(2)].tolist() == [True, False]
    assert (found.begins.tolist(), found.widths.tolist()) == ([0, 5, 7], [5, 2, 2])
    assert found.targets.tolist() == [0, 0, 0]


def test_real_dialogues_leave_their_targets(shared: Path) -> None:
    """Of 18 people's dialogues 25 turns are read, and after each the target is still in."""
    counted = Coverage()
    rows: list[SoftLabel] = []
    targets: dict[str, str] = {}
    for path in sorted((shared / "compguesswhat").rglob("compguesswhat-original/**/*.jsonl.gz")):
        played = list(guesswhat.read(path))
        targets |= {each.game.id: getattr(each.game, "target", "") for each in played}
        rows += list(soft_labels(played, "all", coverage=counted))
    assert (counted.games, counted.turns, len(rows)) == (18, 100, 25)
    assert counted.contradicted == 0
    kept = [row.reference[row.objects.index(targets[row.game])] for row in rows]
    assert all(kept)


def test_the_docs_examples_are_read_as_they_say() -> None:
    """Each question of the table is of its row's type, and those that are said not to be covered are not."""
    text = (Path(__file__).parents[2] / "docs" / "soft-labels.md").read_text("utf-8")
    part = text.partition("## Which questions are read")[2].partition("\n## ")[0]
    rows = {
        kind: line for kind in TYPES for line in part.splitlines() if line.startswith(f"| `{kind}`")
    }
    assert len(rows) == 4
    for kind, line in rows.items():
        found = [parse(question) for question in re.findall(r'"([^"]+)"', line)]
        assert [each and each.type for each in found] == [kind] * len(found)
    told = part.partition("not at all:")[2].partition("are not covered")[0]
    assert [parse(question) for question in re.findall(r'"([^"]+)"', told)] == [None] * 4


def test_a_label_does_not_depend_on_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions of games in any order, several of one game, in blocks: each as if it were alone."""
    random = np.random.default_rng(3)
    names = ("cat", "dog", "person", "unicorn", "teddy bear", "cup")
    scenes = [
        Scene(
            str(number),
            *(((100, 80), (0, 0))[number % 5 == 0]),
            tuple(
                Thing(
                    str(place),
                    str(random.choice(names)),
                    0,
                    Box(*random.uniform(0, 60, 4).tolist()),
                )
                for place in range(int(random.integers(0, 6)))
            ),
        )
        for number in range(12)
    ]
    texts = ("a cat?", "an animal?", "on the left?", "top right?", "in the middle?", "red?", "big?")
    games = random.integers(0, len(scenes), 60)
    asked = [parse(texts[place]) for place in random.integers(0, len(texts), 60).tolist()]
    answers = random.integers(-1, 2, 60).astype(np.int8)
    known = candidates(scenes)
    monkeypatch.setattr(labelling, "_BLOCK", 7)
    for how in (How(), How(combine="softmax", all_zero="uniform"), How(rules=("R2",))):
        found = label(known, Answered(games, asked, answers), how)
        begin = 0
        for number, game in enumerate(games.tolist()):
            alone = label(
                candidates([scenes[game]]),
                Answered(np.array([0]), [asked[number]], answers[number : number + 1]),
                how,
            )
            inside = slice(begin, begin + len(scenes[game].things))
            begin = inside.stop
            assert found.statuses[number] == alone.statuses[0]
            np.testing.assert_array_equal(found.votes[inside], alone.votes)
            np.testing.assert_allclose(found.probabilities[inside], alone.probabilities)


def test_no_games_have_no_labels() -> None:
    """Nothing comes of nothing, and of a game without things."""
    assert first_turns([]).probabilities.size == 0
    assert list(soft_labels([])) == []
    bare = Transcript(GuessWhat("1", Scene("1", 9, 9), "x"), (Ask("a cat?"), Answer("Yes")))
    assert first_turns([bare]).labelled.tolist() == [False]
