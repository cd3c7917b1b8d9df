"""Finding the game that a dialogue was about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.datasets import dialogues, guesswhat
from referee.datasets.dialogues import Dialogue, Report, join
from referee.datasets.dialogues.joining import image_id
from referee.errors import DataError
from referee.games import Box, GuessWhat, Scene, Thing, Turn

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhat"
THINGS = tuple(Thing(str(i), "cup" if i < 3 else "dog", 1, Box(1, 1, 5, 5)) for i in range(1, 5))
SCENE = Scene("77", 100, 100, THINGS, "COCO_val2014_000000000077.jpg")


def game(identity: str, target: str, scene: Scene = SCENE) -> GuessWhat:
    """A game on one small scene."""
    return GuessWhat(identity, scene, target)


def test_the_id_of_an_image_is_at_the_end_of_its_file_name() -> None:
    assert image_id("COCO_val2014_000000000077.jpg") == "77"
    assert image_id("77") == "77"
    assert image_id("004e21eb2e686f40.jpg") == "004e21eb2e686f40.jpg"


def test_an_id_joins_where_nothing_contradicts_it() -> None:
    report = Report()
    said = [Dialogue(0, game="b", image="COCO_val2014_000000000077.jpg", target_index=3)]
    (found,) = join(said, [game("a", "1"), game("b", "4")], report=report)
    assert (found.game.id, report.by_id, report.by_target) == ("b", 1, 0)


def test_a_running_number_that_is_also_an_id_does_not_deceive() -> None:
    """Game 0 of the dump is not game 0 of the data: image and target say which it is."""
    report = Report()
    said = [Dialogue(0, game="0", image="77", target="4")]
    (found,) = join(said, [game("0", "1"), game("9", "4")], report=report)
    assert (found.game.id, report.by_id, report.by_target) == ("9", 0, 1)


def test_games_of_one_image_and_target_take_their_dialogues_in_order() -> None:
    report, skipped = Report(), list[DataError]()
    said = [Dialogue(number, image="77", target="2", guess="2") for number in range(3)]
    found = list(join(said, [game("a", "2"), game("b", "2")], skipped, report))
    assert [each.game.id for each in found] == ["a", "b"]
    assert report.ambiguous == 2
    assert [error.message for error in skipped] == ["every such game has a dialogue already"]
    assert report.unjoined == ["2 (image 77, target 2)"]


def test_what_fits_no_game_is_an_error_or_is_reported() -> None:
    said = [
        Dialogue(0, image="77", target="9"),
        Dialogue(1, image="78", target="1"),
        Dialogue(2, game="z"),
        Dialogue(3, image="77", target="1"),
    ]
    with pytest.raises(DataError, match="no such game"):
        list(join(said, [game("a", "1")]))
    report, skipped = Report(), list[DataError]()
    assert len(list(join(said, [game("a", "1")], skipped, report))) == 1
    assert len(skipped) == 3
    assert report.unjoined == ["0 (image 77, target 9)", "1 (image 78, target 1)", "z"]


def test_a_dialogue_that_fits_no_game_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text((DATA / "dialogues.jsonl").read_text("utf-8"), "utf-8")
    with pytest.raises(DataError, match=r"said\.jsonl, record .*: there is no such game"):
        list(dialogues.read(path, [game("a", "1")]))


def test_the_category_of_the_target_is_enough_where_it_is_one_target() -> None:
    games = [game("a", "1"), game("b", "2"), game("c", "4")]
    (found,) = join([Dialogue(0, image="77", target_category="dog")], games)
    assert found.game.id == "c"
    with pytest.raises(DataError, match="several targets"):
        list(join([Dialogue(0, image="77", target_category="cup")], games))


def test_an_id_with_another_target_is_refused() -> None:
    with pytest.raises(DataError, match="no such game"):
        list(join([Dialogue(0, game="a", image="77", target_index=0)], [game("a", "4")]))


def test_a_guess_that_is_no_candidate_is_refused() -> None:
    with pytest.raises(DataError, match="not among the candidates"):
        list(join([Dialogue(0, image="77", target="1", guess="8")], [game("a", "1")]))


def test_a_question_without_an_answer_is_asked_all_the_same() -> None:
    said = Dialogue(0, image="77", target="1", turns=(Turn("a ?", "No"),), unanswered="is it")
    (found,) = join([said], [game("a", "1")])
    assert len(found.turns) == 1
    assert [type(event).__name__ for event in found.events] == ["Ask", "Answer", "Ask"]


def test_a_looper_dump_joins_the_games_of_the_data() -> None:
    report = Report()
    path = DATA / "guesswhat.final.new_games.greedy.jsonl"
    games = list(guesswhat.games(DATA / "guesswhat.valid.jsonl"))
    found = list(dialogues.read(path, games, report=report))
    assert [each.game.id for each in found] == ["501", "503"]
    assert found[0].game == games[0]
    assert (report.by_target, report.ambiguous, report.unjoined) == (2, 1, [])


def test_a_dump_with_other_objects_does_not_join(tmp_path: Path) -> None:
    rows = (DATA / "guesswhat.final.new_games.greedy.jsonl").read_text().splitlines()
    row = json.loads(rows[0])
    row["objects"].reverse()
    path = tmp_path / "a"
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(DataError, match="not those of the game 501"):
        list(dialogues.read(path, guesswhat.games(DATA / "guesswhat.valid.jsonl")))


@pytest.mark.parametrize("name", ["vdst_dialogues.txt", "vdst_log.txt", "dialogues.jsonl"])
def test_files_without_ids_join_by_image_and_target(name: str) -> None:
    games = list(guesswhat.games(DATA / "guesswhat.valid.jsonl"))
    found = list(dialogues.read(DATA / name, games))
    assert len(found) == 2
    assert all(isinstance(each.game, GuessWhat) and each.game.scene.things for each in found)
    assert found[1].game.id == "503"
