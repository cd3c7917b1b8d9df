"""The dialogue files of the published codes, each read and, where it is an output, written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.datasets import dialogues, guesswhat
from referee.datasets.dialogues import (
    effective,
    effectiveness,
    gdse,
    looper,
    plain,
    vdst,
)
from referee.datasets.dialogues.dialogue import answer_of, spoken, written
from referee.datasets.files import read_bytes
from referee.errors import DataError, UsageError
from referee.games import Answer, Ask, Guess, GuessWhat, Transcript, Turn

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhat"
GAMES = DATA / "guesswhat.valid.jsonl"
LOOPER = DATA / "guesswhat.final.new_games.greedy.jsonl"
LOG = DATA / "val_GPinference_small.json"
INPUT = DATA / "effectiveness_input.json"
OUTPUTS: tuple[tuple[str, Callable[[Path], Iterator[tuple[str, effective.Outcome]]]], ...] = (
    ("effectiveness_output.json", effective.read_effective),
    ("referring_output.json", effective.read_referring),
    ("last_turn_output.json", effective.read_last),
)


def known() -> list[GuessWhat]:
    """The games that the small dialogues are about."""
    return list(guesswhat.games(GAMES))


def rewrite(path: Path, out: Path, **fields: Any) -> Path:
    """A table with fields of its first record changed."""
    table = json.loads(path.read_text())
    next(iter(table.values())).update(fields)
    out.write_text(json.dumps(table))
    return out


@pytest.mark.parametrize("text", ["yes", "<yes>", "Yes", " <YES> "])
def test_the_spellings_of_the_logs_are_one_answer(text: str) -> None:
    assert answer_of(text) == "Yes"
    assert answer_of(text.replace("yes", "n/a").replace("YES", "N/A").replace("Yes", "N/A")) == (
        "N/A"
    )


@pytest.mark.parametrize("text", ["", "maybe", "na", "<yes", "y"])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(DataError) as caught:
        answer_of(text)
    assert caught.value.expected == "yes, no or n/a"


def test_a_string_of_tokens_is_turns_and_perhaps_a_last_question() -> None:
    said = "<start> is it a dog ? <no> is it red ? <N/A> is it <padding> <padding>"
    assert spoken(said) == (
        (Turn("is it a dog ?", "No"), Turn("is it red ?", "N/A")),
        "is it",
    )


def test_an_answer_without_a_question_is_refused() -> None:
    with pytest.raises(DataError, match="follows no question"):
        spoken("<start> <no> is it red ? <yes>")


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["is", "it", "a", "dog"]), min_size=1).map(" ".join),
            st.sampled_from(["Yes", "No", "N/A"]),
        )
    ),
    st.booleans(),
)
def test_written_turns_are_spoken_again(said: list[tuple[str, str]], start: bool) -> None:
    turns = tuple(Turn(f"{question} ?", answer) for question, answer in said)
    assert spoken(written(turns, start=start)) == (turns, "")


def test_a_looper_dump_has_beliefs_and_a_guess() -> None:
    """Probabilities of three decimals are made to sum to one."""
    first, second = looper.read(LOOPER)
    assert (first.guess, first.status) == ("12", "success")
    assert (second.guess, second.status) == ("23", "failure")
    belief = first.turns[0].belief
    assert belief is not None
    assert belief.probabilities == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert sum(belief.probabilities) == pytest.approx(1)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_looper_dump_comes_back(tmp_path: Path, name: str) -> None:
    path, again = tmp_path / name, tmp_path / f"again_{name}"
    assert looper.write(path, looper.read(LOOPER)) == 2
    looper.write(again, looper.read(path))
    assert path.read_bytes() == again.read_bytes()
    assert [each.guess for each in looper.read(path)] == ["12", "23"]
    assert [each.game.id for each in looper.read(path)] == ["0", "1"]
    row = json.loads(read_bytes(path).splitlines()[0])
    assert row["qas"][0]["p"] == ["0.333", "0.333", "0.333", "0.0"]
    assert set(row["qas"][0]) == {"question", "answer", "id", "p"}


def test_a_dump_that_numbers_no_game_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a"
    rows = [json.loads(line) for line in LOOPER.read_text().splitlines()]
    path.write_text("".join(json.dumps({**row, "id": 0}) + "\n" for row in [*rows, rows[1]]))
    assert [each.game.id for each in looper.read(path)] == ["0", "1", "2"]
    path.write_text("".join(json.dumps({**row, "id": 7}) + "\n" for row in rows))
    with pytest.raises(DataError, match="a second time"):
        list(looper.read(path))


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"guess_object_id": 11}, "the status is success"),
        ({"guess_object_id": 99, "status": "failure"}, "not among the candidates"),
        ({"status": "incomplete"}, "incomplete"),
        ({"qas": [{"question": "a ?", "answer": "no", "p": ["0.5", "0.5"]}]}, "2 numbers"),
        ({"qas": [{"question": "a ?", "answer": "no", "p": ["0.5", "0.1", "0", "0"]}]}, "sum 0.6"),
        ({"qas": [{"question": "a ?", "answer": "no", "p": ["nan", "1", "0", "0"]}]}, "sum nan"),
        ({"qas": [{"question": "a ?", "answer": "no", "p": ["-1", "2", "0", "0"]}]}, "4 numbers"),
        ({"qas": [{"question": "a ?", "answer": "no", "p": ["x", "1", "0", "0"]}]}, "not a number"),
        ({"qas": [{"question": "a ?", "answer": "perhaps"}]}, "no answer"),
    ],
)
def test_a_dump_that_contradicts_itself_is_refused(
    tmp_path: Path, fields: dict[str, Any], match: str
) -> None:
    row = json.loads(LOOPER.read_text().splitlines()[0])
    path = tmp_path / "a"
    path.write_text(json.dumps({**row, **fields}) + "\n")
    with pytest.raises(DataError, match=match) as caught:
        list(looper.read(path))
    assert caught.value.record == 1
    assert caught.value.file == str(path)


def test_only_played_games_are_written_as_dumps_and_logs(tmp_path: Path) -> None:
    for write in (looper.write, gdse.write):
        with pytest.raises(UsageError, match="has no guess"):
            write(tmp_path / "a", guesswhat.read(GAMES))
    assert not (tmp_path / "a").exists()


def test_a_cut_question_stays_cut_in_a_dump_and_gets_its_mark_in_a_log() -> None:
    """A log's readers cut at the mark and count it; a dump's readers do neither."""
    first = next(looper.read(LOOPER))
    events = (Ask("Is it the"), Answer("No"), Ask("Red?"), Answer("Yes"))
    cut = Transcript(first.game, (*events, Guess(first.guess or "")), first.status)
    dump = [turn["question"] for turn in looper.row_of(cut)["qas"]]
    assert dump == ["is it the", "red ?"]
    row = gdse.row_of(cut, "test", 2)
    assert row["gen_dialogue"] == "<start> is it the ? <no> red ? <yes>"
    assert row["no_qs"] == 2


def test_a_gdse_log_has_slots_before_and_after_each_turn() -> None:
    first, second = gdse.read(LOG)
    assert (first.game, first.target_index, first.guess_index) == ("501", 1, 1)
    assert (first.status, second.status) == ("success", "failure")
    assert [len(slots) for slots in first.slots] == [20, 20, 20]
    assert second.turns == (Turn("is it a frisbee ?", "No"), Turn("is it a dog ?", "No"))


def test_joined_slots_are_cut_to_the_objects_and_the_leak_is_reported() -> None:
    """The mass on padding is .2 + .1 + .04 and .25 + .1 + .1, and what is left is a distribution."""
    report = dialogues.Report()
    first, _ = dialogues.read(LOG, known(), report=report)
    belief = first.turns[0].belief
    assert belief is not None
    assert belief.probabilities == pytest.approx([0.3 / 0.9, 0.35 / 0.9, 0.25 / 0.9, 0])
    assert (report.beliefs, report.by_id) == (6, 2)
    assert report.leaked == pytest.approx(0.79)
    assert report.padding_guesses == report.lost_beliefs == 0


def test_a_gdse_log_comes_back(tmp_path: Path) -> None:
    path, again = tmp_path / "a.json", tmp_path / "b.json"
    gdse.write(path, dialogues.read(LOG, known()), "val")
    played = list(dialogues.read(path, known()))
    wanted = list(dialogues.read(LOG, known()))
    assert [each.guess for each in played] == [each.guess for each in wanted]
    for mine, theirs in zip(played, wanted, strict=True):
        assert [(t.question, t.answer) for t in mine.turns] == [
            (t.question, t.answer) for t in theirs.turns
        ]
        for one, other in zip(mine.turns, theirs.turns, strict=True):
            assert one.belief is not None
            assert other.belief is not None
            assert one.belief.probabilities == pytest.approx(other.belief.probabilities)
    gdse.write(again, played, "val")
    row = json.loads(again.read_text())["501"]
    assert set(row) == set(json.loads(LOG.read_text())["501"])
    assert row["gen_dialogue"] == "<start> is it a person ? <no> is it a cup ? <yes>"
    assert (row["no_qs"], row["target_id"], row["image"]) == (
        2,
        1,
        "COCO_val2014_000000008101.jpg",
    )
    assert [len(slots) for slots in row["all_guess_probs"]] == [20] * 3


def test_a_guess_of_padding_is_a_failure_without_a_guess(tmp_path: Path) -> None:
    path = rewrite(LOG, tmp_path / "a", guess_id=17)
    report = dialogues.Report()
    first, _ = dialogues.read(path, known(), report=report)
    assert (first.status, first.guess, report.padding_guesses) == ("failure", None, 1)


def test_beliefs_that_lie_wholly_on_padding_are_counted(tmp_path: Path) -> None:
    path = rewrite(LOG, tmp_path / "a", all_guess_probs=[[0] * 20, [0] * 19 + [1], [0.25] * 4])
    report = dialogues.Report()
    first, _ = dialogues.read(path, known(), report=report)
    assert [turn.belief is None for turn in first.turns] == [True, False]
    assert report.lost_beliefs == 1


def test_too_few_slots_for_the_objects_are_refused(tmp_path: Path) -> None:
    path = rewrite(LOG, tmp_path / "a", all_guess_probs=[[0.5, 0.5]])
    with pytest.raises(DataError, match="2 probabilities for 4 objects"):
        list(dialogues.read(path, known()))


def test_the_last_distribution_alone_is_the_belief_after_the_last_turn(tmp_path: Path) -> None:
    path = rewrite(LOG, tmp_path / "a", all_guess_probs=[])
    first, _ = dialogues.read(path, known())
    assert [turn.belief is None for turn in first.turns] == [True, False]


@pytest.mark.parametrize("reader", [gdse.read, effectiveness.read])
def test_a_game_that_stands_twice_in_a_table_is_not_lost(tmp_path: Path, reader: Any) -> None:
    path = tmp_path / "a"
    source = LOG if reader is gdse.read else INPUT
    path.write_text(source.read_text().replace('"503"', '"501"').replace('"502"', '"501"'))
    with pytest.raises(DataError, match="'501' is there a second time"):
        list(reader(path))
    skipped: list[DataError] = []
    assert len(list(reader(path, skipped))) == 1
    assert len(skipped) == 1


def test_an_effectiveness_input_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    assert effectiveness.write(path, dialogues.read(INPUT, known())) == 2
    assert list(effectiveness.read(path)) == list(effectiveness.read(INPUT))
    assert json.loads(path.read_text())["502"] == {
        "gen_dialogue": "is it a cup ? <no> can you eat it ? <n/a>",
        "state": "failure",
    }


def test_a_game_played_twice_cannot_stand_in_a_table(tmp_path: Path) -> None:
    played = list(dialogues.read(LOG, known()))
    for write in (effectiveness.write, gdse.write):
        with pytest.raises(UsageError, match="twice"):
            write(tmp_path / "a", [played[0], played[0]])


def test_effectiveness_outputs_come_back(tmp_path: Path) -> None:
    for name, reader in OUTPUTS:
        path = tmp_path / name
        effective.write(path, dict(reader(DATA / name)))
        assert json.loads(path.read_text()) == json.loads((DATA / name).read_text())


def test_an_effectiveness_output_says_what_each_turn_left() -> None:
    found = dict(effective.read_effective(DATA / "effectiveness_output.json"))
    assert [turn.rs for turn in found["501"].qas] == [(11, 12, 13), (11, 12), (11, 12)]
    assert [turn.effective for turn in found["501"].qas] == [True, True, False]
    assert found["502"].qas[0].model_ans == "yes"
    assert found["502"].qas[0].removed_target == "yes"


def test_a_reference_set_only_shrinks(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text((DATA / "effectiveness_output.json").read_text().replace("[11, 12]", "[99]", 1))
    with pytest.raises(DataError, match="not there before") as caught:
        list(effective.read_effective(path))
    assert (caught.value.record, caught.value.field) == ("501", "rs")


def test_vdst_text_names_image_target_and_guess() -> None:
    first, second = vdst.read_text(DATA / "vdst_dialogues.txt")
    assert (first.image, first.target, first.guess, first.status) == ("8101", "12", "12", "success")
    assert first.turns == (Turn("is it a person ?", "No"), Turn("is it a cup ?", "Yes"))
    assert second.status == "failure"


def test_the_shorter_vdst_text_has_no_target(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("one\ntwo\n8101\tis it a cup ?||<yes>\tTrue\n")
    (dialogue,) = vdst.read_text(path)
    assert (dialogue.target, dialogue.guess, dialogue.status) == ("", "", "success")


@pytest.mark.parametrize(
    "line",
    [
        "8101\tis it a cup ?||<yes>",
        "x\tis it a cup ?||<yes>\tTrue\t1\t1",
        "8101\tis it a cup ?\tTrue\t1\t1",
        "8101\t||<yes>\tTrue\t1\t1",
        "8101\tis it a cup ?||perhaps\tTrue\t1\t1",
        "8101\tis it a cup ?||<yes>\ttrue\t1\t1",
        "8101\tis it a cup ?||<yes>\tTrue\t1\t2",
    ],
)
def test_a_broken_line_of_vdst_is_refused(tmp_path: Path, line: str) -> None:
    text, log = tmp_path / "text", tmp_path / "log"
    text.write_text(f"one\ntwo\n{line}\n")
    log.write_text(f"2019-07-17 00:08:04,369 :: INFO :: 0\t{line}\t0.5\n")
    for path, reader, number in ((text, vdst.read_text, 3), (log, vdst.read_log, 1)):
        with pytest.raises(DataError) as caught:
            list(reader(path))
        assert caught.value.record == number
        assert caught.value.expected


def test_a_log_passes_over_dumps_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "log"
    whole = (DATA / "vdst_log.txt").read_text()
    path.write_text(whole + "what is this?\n")
    skipped: list[DataError] = []
    assert len(list(vdst.read_log(path, skipped))) == 2
    assert [error.record for error in skipped] == [7]


def test_the_real_vdst_log_has_1004_games_of_five_questions(shared: Path) -> None:
    """57 % of them won, on 923 images."""
    found = list(vdst.read_log(shared / "guesswhat" / "vdst_train_log_1004.txt"))
    assert len(found) == 1004
    assert {len(dialogue.turns) for dialogue in found} == {5}
    assert len({dialogue.image for dialogue in found}) == 923
    assert sum(dialogue.status == "success" for dialogue in found) / 1004 == pytest.approx(
        0.57, abs=0.005
    )


@pytest.mark.parametrize(
    ("name", "turns", "answers", "won"),
    [
        ("human_100.jsonl", 407, {"No": 223, "Yes": 182, "N/A": 2}, 100),
        ("rl_greedy_100.jsonl", 500, {"No": 250, "Yes": 250}, 60),
    ],
)
def test_the_real_plain_dialogues(
    shared: Path, name: str, turns: int, answers: dict[str, int], won: int
) -> None:
    found = list(plain.read(shared / "guesswhat" / name))
    said = [turn.answer for dialogue in found for turn in dialogue.turns]
    assert len(found) == 100
    assert len(said) == turns
    assert {answer: said.count(answer) for answer in set(said)} == answers
    assert sum(dialogue.status == "success" for dialogue in found) == won


def test_every_dialogue_file_becomes_transcripts_without_games() -> None:
    """A file that holds no objects gives scenes without things, and neither beliefs nor silence."""
    files = {
        LOOPER: 2,
        LOG: 2,
        INPUT: 2,
        DATA / "effectiveness_output.json": 2,
        DATA / "vdst_dialogues.txt": 2,
        DATA / "vdst_log.txt": 2,
        DATA / "dialogues.jsonl": 2,
        GAMES: 4,
        DATA / "guesswhat.new.valid.jsonl": 4,
    }
    for path, games in files.items():
        found: list[Transcript] = list(dialogues.read(path))
        assert len(found) == games
        assert len({each.game.id for each in found}) == games
        assert any(each.turns for each in found)


def test_another_file_is_no_file_of_dialogues() -> None:
    with pytest.raises(DataError, match="no known file"):
        dialogues.read(DATA / "vocab.json")
    with pytest.raises(DataError, match="no such file"):
        dialogues.read(DATA / "nothing.json")
