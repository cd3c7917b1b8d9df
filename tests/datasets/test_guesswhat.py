"""GuessWhat?! games of both releases: read, checked and written."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import guesswhat
from referee.datasets.guesswhat.writing import Release
from referee.errors import DataError, UsageError
from referee.games import (
    Answer,
    Ask,
    Box,
    Forms,
    GuessWhat,
    Scene,
    Status,
    Thing,
    Transcript,
    VisDial,
)

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhat"
OLD = DATA / "guesswhat.valid.jsonl"
NEW = DATA / "guesswhat.new.valid.jsonl"
OLD_ROWS: list[dict[str, Any]] = [json.loads(line) for line in OLD.read_text().splitlines()]
NEW_ROWS: list[dict[str, Any]] = [json.loads(line) for line in NEW.read_text().splitlines()]
STATUSES: tuple[Status, ...] = ("success", "failure", "incomplete")


def lay(path: Path, *rows: Any) -> Path:
    """A file of lines; what is a string stands there as it is."""
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def test_a_game_is_read_with_its_scene_and_its_dialogue() -> None:
    transcript = next(guesswhat.read(OLD))
    game = transcript.game
    assert isinstance(game, GuessWhat)
    assert (game.id, game.target, game.image) == ("501", "12", "8101")
    assert game.scene.things[0] == Thing("11", "cup", 47, Box(12.5, 200.0, 40.0, 55.25), 1105.0)
    assert (game.scene.width, game.scene.height) == (640, 480)
    assert game.scene.file == "COCO_val2014_000000008101.jpg"
    assert transcript.events[:2] == (Ask("Is it alive?", "9001"), Answer("No"))
    assert [turn.answer for turn in transcript.turns] == ["No", "Yes", "Yes"]
    assert transcript.guess is None


def test_both_releases_say_the_same() -> None:
    assert list(guesswhat.read(OLD)) == list(guesswhat.read(NEW))


def test_statuses_are_kept() -> None:
    wanted = ["success", "failure", "success", "incomplete"]
    assert [transcript.status for transcript in guesswhat.read(OLD)] == wanted


def test_games_are_those_of_the_transcripts() -> None:
    assert list(guesswhat.games(NEW)) == [each.game for each in guesswhat.read(NEW)]


@pytest.mark.parametrize("release", ["old", "new"])
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_what_is_written_is_what_was_read(tmp_path: Path, release: Release, name: str) -> None:
    path = tmp_path / name
    assert guesswhat.write(path, guesswhat.read(OLD), release) == 4
    assert list(guesswhat.read(path)) == list(guesswhat.read(OLD))
    assert path.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


def test_the_written_lines_have_the_published_names(tmp_path: Path) -> None:
    """Up to the order of the keys they are the lines that were read."""
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    guesswhat.write(old, guesswhat.read(NEW), "old")
    guesswhat.write(new, guesswhat.read(OLD), "new")
    assert [json.loads(line) for line in old.read_text().splitlines()] == OLD_ROWS
    assert [json.loads(line) for line in new.read_text().splitlines()] == NEW_ROWS


sizes = st.floats(0.5, 4000, allow_nan=False)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """A game and its dialogue, with ids of any form."""
    whole = [draw(st.booleans()) for _ in range(4)]
    number = st.integers(0, 10**12).map(str)
    text = st.text("abc_12f", min_size=1).map("x".__add__)
    game, scene, thing, turn = (number if each else text for each in whole)
    ids = draw(st.lists(thing, min_size=1, max_size=6, unique=True))
    things = tuple(
        Thing(
            each,
            draw(st.text(max_size=8)),
            draw(st.integers(0, 90)),
            Box(draw(st.floats(0, 900)), draw(st.floats(0, 900)), draw(sizes), draw(sizes)),
            draw(st.none() | st.floats(0, 1e6)),
            tuple(draw(st.lists(st.sampled_from(["red", "large"]), max_size=2))),
        )
        for each in ids
    )
    questions = draw(st.lists(st.tuples(st.text(max_size=9), turn), max_size=4))
    events = [
        event
        for question, identity in questions
        for event in (
            Ask(question, identity),
            Answer(draw(st.sampled_from(["Yes", "No", "N/A"]))),
        )
    ]
    names = ["int" if each else "str" for each in whole]
    if not questions:
        names[3] = "int"
    return Transcript(
        GuessWhat(
            draw(game),
            Scene(draw(scene), draw(sizes), draw(sizes), things, draw(st.text(max_size=5))),
            draw(st.sampled_from(ids)),
            msgspec.convert(names, Forms),
        ),
        tuple(events),
        draw(st.sampled_from(STATUSES)),
    )


@settings(max_examples=60, deadline=None)
@given(transcripts(), st.sampled_from(["old", "new"]))
def test_any_game_comes_back_in_the_form_in_which_it_came(
    tmp_path_factory: pytest.TempPathFactory, transcript: Transcript, release: Release
) -> None:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    guesswhat.write(path, [transcript], release)
    assert list(guesswhat.read(path)) == [transcript]


def test_the_attributes_of_a_made_world_are_kept(tmp_path: Path) -> None:
    row = copy.deepcopy(OLD_ROWS[0])
    row["objects"][0]["attributes"] = ["red", "large"]
    (game,) = guesswhat.games(lay(tmp_path / "a", row))
    assert game.scene.things[0].attributes == ("red", "large")
    assert game.scene.things[1].attributes == ()


def test_a_zero_shot_scene_has_text_ids_and_no_dialogue(tmp_path: Path) -> None:
    row = copy.deepcopy(OLD_ROWS[3])
    del row["qas"]
    for thing in row["objects"]:
        thing.update(id=f"f00_{thing['id']}", category_id=0, IsOccluded=0, segment=[{"Clicks": ""}])
    row["object_id"] = "f00_22"
    path = lay(tmp_path / "a", row)
    (transcript,) = guesswhat.read(path)
    assert isinstance(transcript.game, GuessWhat)
    assert transcript.game.forms == Forms(thing="str")
    assert transcript.turns == ()
    guesswhat.write(path, [transcript])
    written = json.loads(path.read_text())
    assert (written["id"], written["image"]["id"], written["object_id"]) == (504, 8102, "f00_22")


def change(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """Sets fields of a row."""
    return lambda row: row.update(fields)


def change_object(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """Sets fields of the second object of a row of the old release."""
    return lambda row: row["objects"][1].update(fields)


NAN, INFINITY = float("nan"), float("inf")
BAD: dict[str, tuple[Callable[[dict[str, Any]], Any], str, str]] = {
    "no target": (lambda row: row.pop("object_id"), "$.object_id", "is missing"),
    "a target that is not there": (change(object_id=99), "$.object_id", "not among the candidates"),
    "a target in another form": (change(object_id="12"), "$.object_id", "not written like"),
    "no objects": (change(objects=[]), "$.objects", "not what belongs here"),
    "an object twice": (change_object(id=11), "$.objects", "a second time"),
    "mixed ids": (change_object(id="12"), "$.objects[1].id", "are text or absent"),
    "mixed turn ids": (
        lambda row: row["qas"][1].update(id="9002"),
        "$.qas[1].id",
        "are text or absent",
    ),
    "NaN": (change_object(bbox=[1, NAN, 3, 4]), "$.objects[1].bbox[1]", "NaN"),
    "infinity": (change_object(bbox=[1, 2, INFINITY, 4]), "$.objects[1].bbox[2]", "NaN"),
    "a negative place": (change_object(bbox=[-1, 2, 3, 4]), "$.objects[1].bbox[0]", "belongs"),
    "a negative size": (change_object(bbox=[1, 2, -3, 4]), "$.objects[1].bbox[2]", "belongs"),
    "no size": (change_object(bbox=[1, 2, 3, 0]), "$.objects[1].bbox[3]", "belongs"),
    "three numbers": (change_object(bbox=[1, 2, 3]), "$.objects[1].bbox", "belongs"),
    "five numbers": (change_object(bbox=[1, 2, 3, 4, 5]), "$.objects[1].bbox", "belongs"),
    "a box of texts": (change_object(bbox=["1", 2, 3, 4]), "$.objects[1].bbox[0]", "found str"),
    "a negative area": (change_object(area=-1), "$.objects[1].area", "belongs"),
    "a category of number": (change_object(category=3), "$.objects[1].category", "found int"),
    "a picture without width": (
        lambda row: row["image"].pop("width"),
        "$.image.width",
        "is missing",
    ),
    "a flat picture": (lambda row: row["image"].update(height=0), "$.image.height", "belongs"),
    "another answer": (
        lambda row: row["qas"][0].update(answer="yes"),
        "$.qas[0].answer",
        "'yes'",
    ),
    "another status": (change(status="won"), "$.status", "'won'"),
    "a null id": (change(id=None), "$.id", "found null"),
    "a fraction for an id": (change(id=1.5), "$.id", "found float"),
    "turns that are none": (change(qas={}), "$.qas", "found object"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_games_are_refused_with_place_field_and_what_was_expected(
    tmp_path: Path, name: str
) -> None:
    """Collected, they cost no game that is good."""
    damage, field, message = BAD[name]
    row = copy.deepcopy(OLD_ROWS[0])
    damage(row)
    path = lay(tmp_path / "games.jsonl", OLD_ROWS[1], row, OLD_ROWS[2])
    with pytest.raises(DataError) as caught:
        list(guesswhat.read(path))
    error = caught.value
    assert (error.file, error.record, error.field) == (str(path), 2, field)
    assert message in error.message
    assert error.expected
    skipped: list[DataError] = []
    assert [each.game.id for each in guesswhat.read(path, skipped)] == ["502", "503"]
    assert [str(each) for each in skipped] == [str(error)]


def test_answers_and_statuses_say_what_they_may_be(tmp_path: Path) -> None:
    rows = [copy.deepcopy(OLD_ROWS[0]), copy.deepcopy(OLD_ROWS[1])]
    rows[0]["qas"][0]["answer"] = "<yes>"
    rows[1]["status"] = "won"
    skipped: list[DataError] = []
    assert list(guesswhat.read(lay(tmp_path / "a", *rows), skipped)) == []
    wanted = ["Yes, No or N/A", "success, failure or incomplete"]
    assert [error.expected for error in skipped] == wanted


def test_a_game_may_stand_once_in_a_file(tmp_path: Path) -> None:
    path = lay(tmp_path / "a", *OLD_ROWS, OLD_ROWS[1])
    skipped: list[DataError] = []
    assert len(list(guesswhat.read(path, skipped))) == 4
    assert [(error.record, error.field) for error in skipped] == [(5, "$.id")]


def test_an_object_that_stands_twice_in_the_new_release_is_not_lost(tmp_path: Path) -> None:
    """A decoder would keep the last of two equal keys without a word."""
    text = json.dumps(NEW_ROWS[0]).replace('"11": {', '"12": {')
    with pytest.raises(DataError, match="'12' is there a second time"):
        list(guesswhat.read(lay(tmp_path / "a", text)))


def test_a_question_that_speaks_of_keys_does_not_look_like_one(tmp_path: Path) -> None:
    row = copy.deepcopy(NEW_ROWS[0])
    row["qas"][0]["q"] = '"bbox"'
    row["extra"] = {"bbox": 1}
    assert len(list(guesswhat.read(lay(tmp_path / "a", row)))) == 1


def test_a_file_may_change_its_release(tmp_path: Path) -> None:
    path = lay(tmp_path / "a", OLD_ROWS[0], NEW_ROWS[1], NEW_ROWS[2], OLD_ROWS[3])
    assert list(guesswhat.read(path)) == list(guesswhat.read(OLD))


def test_broken_text_is_refused_even_in_a_field_that_nobody_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(json.dumps(OLD_ROWS[0]).encode()[:-1] + b', "flickr_url": "\xff"}\n')
    with pytest.raises(DataError, match="not valid text"):
        list(guesswhat.read(path))


def test_a_file_cut_short_is_counted_and_its_whole_games_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(OLD.read_bytes())[:-30])
    skipped: list[DataError] = []
    assert 1 <= len(list(guesswhat.read(path, skipped))) < 4
    assert skipped[-1].expected == "a whole gzip file"
    with pytest.raises(DataError):
        list(guesswhat.read(path))


def test_what_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    first = next(guesswhat.read(OLD))
    scene = Scene("1")
    named = Transcript(GuessWhat("one", scene, "1"))
    other = Transcript(VisDial("1", scene, "", ()))
    for games, release in (([named], "old"), ([other], "new"), ([first], "third")):
        with pytest.raises(UsageError):
            guesswhat.write(tmp_path / "a", games, release)  # type: ignore[arg-type]
    assert not (tmp_path / "a").exists()


def test_the_real_human_games_are_18_with_118_objects_and_100_turns(shared: Path) -> None:
    files = sorted((shared / "compguesswhat" / "compguesswhat-original").rglob("*.gz"))
    found = [list(guesswhat.read(path)) for path in files]
    assert [len(each) for each in found] == [6, 6, 6]
    games = [transcript for each in found for transcript in each]
    assert sum(len(each.turns) for each in games) == 100
    assert sum(len(game.scene.things) for path in files for game in guesswhat.games(path)) == 118
    assert {each.status for each in games} == {"success"}


def test_the_real_zero_shot_scenes_are_24_with_192_objects(shared: Path) -> None:
    files = sorted((shared / "compguesswhat" / "compguesswhat-zero_shot").rglob("*.gz"))
    games = [game for path in files for game in guesswhat.games(path)]
    assert len(games) == 24
    assert sum(len(game.scene.things) for game in games) == 192
    assert {game.forms.thing for game in games} == {"str"}
    assert {game.forms.game for game in games} == {"int"}


@pytest.mark.parametrize("release", ["old", "new"])
def test_real_games_survive_either_release(shared: Path, tmp_path: Path, release: Release) -> None:
    for path in (shared / "compguesswhat").rglob("*.gz"):
        written = tmp_path / path.name
        guesswhat.write(written, guesswhat.read(path), release)
        assert list(guesswhat.read(written)) == list(guesswhat.read(path))
