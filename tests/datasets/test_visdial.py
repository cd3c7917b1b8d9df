"""VisDial's dialogues, read, written, and seen as games, transcripts and arrays."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import dense, visdial
from referee.datasets.round_arrays import round_arrays
from referee.datasets.visdial_file import Header, RoundKey, ground_truths, open_document
from referee.errors import DataError, UsageError
from referee.games import Ask, Reply, Round, Scene, VisDial
from referee.games.model import Form, Forms

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
REAL = {
    "visdial_1.0_val_crowdsourced.json": (97, 970, 970),
    "visdial_1.0_val_first50.json": (50, 500, 500),
    "visdial_1.0_test_first50.json": (50, 257, 50),
}


def written_again(path: Path, tmp_path: Path) -> Any:
    again = tmp_path / "again.json"
    visdial.write(again, visdial.games(path), open_document(path).header)
    return json.loads(again.read_bytes())


@pytest.mark.parametrize("name", REAL)
def test_real_files_have_their_published_counts(shared: Path, name: str) -> None:
    """Dialogues, rounds, rounds with options, and the two pools are as published."""
    path = shared / "visdial" / name
    games = list(visdial.games(path))
    rounds = [asked for game in games for asked in game.rounds]
    assert (len(games), len(rounds), sum(bool(one.options) for one in rounds)) == REAL[name]
    header = open_document(path).header
    assert (len(header.questions), len(header.answers)) == (45_237, 34_821)


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_is_written_as_it_was_read(shared: Path, tmp_path: Path, name: str) -> None:
    """Reading and writing gives equal JSON, the unused texts of the pools included."""
    path = shared / "visdial" / name
    assert written_again(path, tmp_path) == json.loads(path.read_bytes())


@pytest.mark.parametrize("name", ["val.json", "test.json"])
def test_a_small_file_is_written_as_it_was_read(tmp_path: Path, name: str) -> None:
    assert written_again(DATA / name, tmp_path) == json.loads((DATA / name).read_bytes())


def test_the_check_prints_what_a_file_holds(shared: Path) -> None:
    """`data check` counts dialogues, rounds, pools and the shares of the commonest answers."""
    skipped: list[DataError] = []
    path = shared / "visdial" / "visdial_1.0_test_first50.json"
    (kind,) = visdial.FORMATS
    assert kind.recognises(path, path.read_bytes()[:65_536])
    counts = kind.summarise(path, skipped)
    assert not skipped
    assert counts["split"] == "test2018"
    assert counts["rounds a dialogue"] == "1 to 10"
    assert (counts["rounds with options"], counts["rounds with an answer"]) == (50, 207)


def test_a_dialogue_is_a_transcript_of_what_people_said() -> None:
    """Each question is asked and answered by people; a dialogue of val is complete."""
    first = next(visdial.read(DATA / "val.json"))
    assert [turn.answer for turn in first.turns] == [
        "a red cup",
        "yes, it\u2019s sunny",
        "it is red",
    ]
    assert first.status == "success"
    assert first.game.forms == Forms()
    assert isinstance(first.game, VisDial)
    assert first.game.scene.file == "VisualDialog_val2018_000000004101.jpg"
    for asked in first.game.rounds:
        assert asked.gt_index is not None
        assert asked.options[asked.gt_index] == asked.answer


def test_the_last_question_of_a_test_dialogue_waits_for_its_answer() -> None:
    """Options are in the last round only, and nobody has answered it."""
    long, short = visdial.read(DATA / "test.json")
    assert long.events == (Ask("is it sunny"), Reply(("yes",)), Ask("what colour is the boat"))
    assert long.status == short.status == "incomplete"
    assert isinstance(long.game, VisDial)
    assert [len(asked.options) for asked in long.game.rounds] == [0, 100]


def test_rounds_share_the_texts_of_the_pool() -> None:
    """An answer that is an option in many rounds is one string in memory."""
    game = next(visdial.games(DATA / "val.json"))
    first, second = game.rounds[0].options, game.rounds[1].options
    assert next(text for text in first if text == "yes") is next(
        text for text in second if text == "yes"
    )


def test_relevance_goes_to_its_round_by_key() -> None:
    """Dense rows are in another order than the dialogues, and still meet their rounds."""
    games = {game.id: game for game in visdial.games(DATA / "val.json", DATA / "dense_val.json")}
    annotated = {
        (game.id, number)
        for game in games.values()
        for number, asked in enumerate(game.rounds)
        if asked.relevance is not None
    }
    assert annotated == {("4101", 2), ("4202", 1), ("4303", 0)}
    asked = games["4202"].rounds[1]
    assert asked.relevance is not None
    assert asked.gt_index is not None
    assert asked.relevance[asked.gt_index] == 1.0


def test_relevance_without_a_dialogue_is_a_problem() -> None:
    """A dense row about an unknown image is named, or collected with the dialogues all read."""
    rows = dense.by_key(dense.read(DATA / "dense_val.json"))
    rows[RoundKey("77", 3)] = rows[RoundKey("4101", 2)]
    with pytest.raises(DataError, match=r"image 77, round 3 \(from 0\)"):
        list(visdial.games(DATA / "val.json", rows))
    skipped: list[DataError] = []
    assert len(list(visdial.games(DATA / "val.json", rows, skipped))) == 3
    assert [error.record for error in skipped] == ["image 77, round 3 (from 0)"]


def test_a_relevance_too_few_is_a_problem() -> None:
    rows = {RoundKey("4101", 2): (1.0,) * 99}
    with pytest.raises(DataError, match="100 options and 99 relevances"):
        list(visdial.games(DATA / "val.json", rows))


Edit = Callable[[dict[str, Any]], None]


def edit(*steps: str | int, to: object) -> Edit:
    """Sets a place of the first dialogue."""

    def change(dialogue: dict[str, Any]) -> None:
        place: Any = dialogue
        for step in steps[:-1]:
            place = place[step]
        if to is ...:
            del place[steps[-1]]
        else:
            place[steps[-1]] = to

    return change


BAD = {
    "image missing": (edit("image_id", to=...), "image_id"),
    "image no id": (edit("image_id", to=1.5), "image_id"),
    "caption no text": (edit("caption", to=7), "caption"),
    "dialogue no list": (edit("dialog", to={"question": 0}), "dialog"),
    "no rounds": (edit("dialog", to=[]), "dialog"),
    "eleven rounds": (edit("dialog", to=[{"question": 0}] * 11), "dialog"),
    "question missing": (edit("dialog", 1, "question", to=...), "question"),
    "question beyond": (edit("dialog", 1, "question", to=5), "dialog[1].question"),
    "question huge": (edit("dialog", 1, "question", to=10**30), "dialog[1].question"),
    "question negative": (edit("dialog", 1, "question", to=-1), "question"),
    "question a flag": (edit("dialog", 1, "question", to=True), "question"),
    "answer missing": (edit("dialog", 0, "answer", to=...), "dialog[0].answer"),
    "answer beyond": (edit("dialog", 0, "answer", to=128), "dialog[0].gt_index"),
    "options missing": (edit("dialog", 2, "answer_options", to=...), "dialog[2].answer_options"),
    "99 options": (edit("dialog", 2, "answer_options", to=[*range(99)]), "answer_options"),
    "option beyond": (edit("dialog", 2, "answer_options", 7, to=128), "answer_options"),
    "option a text": (edit("dialog", 2, "answer_options", 7, to="yes"), "answer_options"),
    "truth missing": (edit("dialog", 0, "gt_index", to=...), "dialog[0].gt_index"),
    "truth out of range": (edit("dialog", 0, "gt_index", to=100), "dialog[0].gt_index"),
    "truth elsewhere": (edit("dialog", 0, "gt_index", to=17), "dialog[0].gt_index"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_dialogues_are_named_or_collected(tmp_path: Path, name: str) -> None:
    """The error tells file, record, field and what was expected; the other dialogues survive."""
    change, field = BAD[name]
    content = json.loads((DATA / "val.json").read_bytes())
    change(content["data"]["dialogs"][0])
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(visdial.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record in {"data.dialogs[0]", "image 4101"}
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(visdial.read(path, None, skipped))) == 2
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_one_image_has_one_dialogue(tmp_path: Path) -> None:
    content = json.loads((DATA / "val.json").read_bytes())
    content["data"]["dialogs"].append(copy.deepcopy(content["data"]["dialogs"][1]))
    path = tmp_path / "twice.json"
    path.write_text(json.dumps(content))
    skipped: list[DataError] = []
    assert len(list(visdial.read(path, None, skipped))) == 3
    assert [error.record for error in skipped] == ["image 4202"]


def test_a_test_round_that_is_not_the_last_needs_its_answer(tmp_path: Path) -> None:
    content = json.loads((DATA / "test.json").read_bytes())
    del content["data"]["dialogs"][0]["dialog"][0]["answer"]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError, match=r"\$\.dialog\[0\]\.answer"):
        list(visdial.read(path))


def test_small_worlds_may_say_how_many_options_they_have(tmp_path: Path) -> None:
    """Other counts than the published hundred are read only where they are asked for."""
    asked = Round("is it", "yes", ("yes", "no"), 0)
    game = VisDial("1", Scene("1"), "a cup", (asked,))
    visdial.write(tmp_path / "tiny.json", [game])
    assert list(visdial.games(tmp_path / "tiny.json", options=2)) == [game]
    with pytest.raises(DataError, match="has 2 options"):
        list(visdial.games(tmp_path / "tiny.json"))


FORMS: tuple[Form, Form] = ("int", "str")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)


@st.composite
def dialogues(draw: st.DrawFn) -> list[VisDial]:
    """Dialogues with three options a round and ids in either form."""
    ids = draw(st.lists(st.integers(0, 10**12), min_size=1, max_size=4, unique=True))
    games = []
    for image in ids:
        form: Form = draw(st.sampled_from(FORMS))
        rounds = []
        for _ in range(draw(st.integers(1, 10))):
            options = tuple(draw(st.lists(TEXTS, min_size=3, max_size=3, unique=True)))
            truth = draw(st.integers(0, 2))
            rounds.append(Round(draw(TEXTS), options[truth], options, truth))
        forms = Forms(game=form, scene=form)
        games.append(VisDial(str(image), Scene(str(image)), draw(TEXTS), tuple(rounds), forms))
    return games


@settings(deadline=None, max_examples=60)
@given(dialogues())
def test_written_games_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, games: list[VisDial]
) -> None:
    """Whatever is written is read back equal, ids in the form they had."""
    path = tmp_path_factory.mktemp("round") / "games.json"
    visdial.write(path, games)
    assert list(visdial.games(path, options=3)) == games


def test_an_id_that_is_no_integer_is_not_written_as_one(tmp_path: Path) -> None:
    game = VisDial("kitchen", Scene("kitchen"), "", (Round("is it"),))
    with pytest.raises(UsageError, match="kitchen"):
        visdial.write(tmp_path / "no.json", [game])
    assert not list(tmp_path.iterdir())


def test_a_pool_that_holds_a_text_twice_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="twice"):
        visdial.write(tmp_path / "no.json", [], Header(answers=("yes", "no", "yes")))


def test_no_dialogues_make_a_file_too(tmp_path: Path) -> None:
    visdial.write(tmp_path / "none.json", [])
    assert list(visdial.read(tmp_path / "none.json")) == []


def test_replies_meet_their_rounds_by_key() -> None:
    """A gap before the last reply is an empty reply; a dialogue without replies is left out."""
    replies = {RoundKey("4101", 1): Reply(("no",)), RoundKey("4303", 0): Reply(("maybe",))}
    path = DATA / "generations.json"
    first, second = visdial.played(path, visdial.games(DATA / "val.json"), replies)
    assert [turn.answer for turn in first.turns] == ["", "no"]
    assert first.status == "incomplete"
    assert (second.game.id, second.status) == ("4303", "success")
    replies[RoundKey("4303", 1)] = Reply(("no",))
    with pytest.raises(DataError, match=r"image 4303, round 1 \(from 0\)"):
        list(visdial.played(path, visdial.games(DATA / "val.json"), replies))


def test_the_arrays_hold_what_the_rounds_hold(shared: Path) -> None:
    """Options, ground truth and relevance agree with the games, round by round."""
    folder = shared / "visdial"
    annotations = folder / "visdial_1.0_val_dense_annotations_crowdsourced.json"
    games = list(visdial.games(folder / "visdial_1.0_val_crowdsourced.json", annotations))
    arrays = round_arrays(games)
    assert arrays.options.shape == (970, 100)
    assert arrays.gt_index.shape == (970,)
    assert arrays.relevance.values.shape == (97, 100)
    answers = np.array(arrays.answers, dtype=object)
    rounds = [asked for game in games for asked in game.rounds]
    for row, asked in enumerate(rounds):
        assert tuple(answers[arrays.options[row]]) == asked.options
        assert arrays.gt_index[row] == asked.gt_index
    key = arrays.relevance.keys[5]
    asked = next(game for game in games if game.id == key.image).rounds[key.round]
    assert tuple(arrays.relevance.at([key])[0]) == asked.relevance


def test_arrays_leave_out_the_rounds_without_options() -> None:
    arrays = round_arrays(visdial.games(DATA / "test.json"))
    assert arrays.keys == (RoundKey("5101", 1), RoundKey("5202", 0))
    assert arrays.gt_index.tolist() == [-1, -1]
    assert arrays.relevance.keys == ()


def test_ground_truths_are_told_for_val_and_not_for_test() -> None:
    assert ground_truths(DATA / "val.json")[RoundKey("4202", 1)] == 70
    assert ground_truths(DATA / "test.json") == {}
