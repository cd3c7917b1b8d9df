"""What questions say by themselves: their types, their words, their shifts; no oracle is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.evaluations import evaluation, questions
from referee.games import Transcript

Play = Callable[..., Transcript]


def values(transcripts: list[Transcript], **options: Any) -> dict[str, float | None]:
    judged = evaluation.judge(questions.EVALUATION, transcripts, questions.Options(**options))
    return {name: value.value for name, value in judged.result.values.items()}


def test_types_are_shares_of_all_questions_and_may_exceed_a_hundred(play: Play) -> None:
    found = values([play(["is it the red one on the left?", "is it a dog?", "an animal?", "hm?"])])
    shares = {name: found[f"type_{name}"] for name in ("color", "location", "object", "other")}
    assert shares == dict.fromkeys(shares, 25)
    assert found["type_super_category"] == 25
    assert found["type_entity"] == 50
    assert found["location_turns"] == found["type_location"] == found["type_location_absolute"]


def test_the_corrected_list_is_another_list(play: Play) -> None:
    games = [play(["is it a triangle?", "has it a tail?"], 2)]
    exact, corrected = values(games), values(games, keywords="corrected")
    assert (exact["type_shape"], corrected["type_shape"]) == (0, 50)
    assert (exact["type_size"], corrected["type_size"]) == (50, 0)


def test_the_oracle_is_compared_with_people_who_won_by_type(play: Play, known: Any) -> None:
    """An oracle that says yes to colours only; the lost game does not count."""
    asked = ["is it red?", "is it a dog?", "in the third row?"]
    oracle = known({asked[0]: "yn", asked[1]: "nn", asked[2]: "nn"})
    games = [
        play(asked, 2, said="yyn"),
        play(asked[:1], 2, game="2", said="n"),
        play(asked, 2, game="3", status="failure", said="nnn"),
    ]
    found = values(games, oracle=oracle)
    assert found["oracle_accuracy_color"] == 50
    assert found["oracle_accuracy_object"] == found["oracle_accuracy_entity"] == 0
    assert found["oracle_accuracy_location"] == found["oracle_accuracy_order"] == 100
    assert found["oracle_accuracy"] == 50
    assert found["oracle_accuracy_yes"] == 50
    assert found["oracle_accuracy_no"] == 50
    assert found["oracle_accuracy_na"] is None


def test_diversity_is_of_all_games_together(play: Play) -> None:
    """Ten tokens of six types (the question mark is one); four questions, three of them different."""
    games = [play(["a dog?", "a cat?"], 2), play(["a dog?", "x"], 2, game="2")]
    found = values(games)
    assert found["lexical_diversity"] == pytest.approx(100 * 5 / 10)
    assert found["question_diversity"] == pytest.approx(75)
    assert found["vocabulary"] == 4
    assert found["repeated_games"] == 0


def test_a_game_repeats_where_the_very_same_question_comes_twice(play: Play) -> None:
    games = [
        play(["a dog?", "a cat?", "a dog?"], 2),
        play(["a dog?", "a  dog?"], 2, game="2"),
    ]
    assert values(games)["repeated_games"] == 50


def test_a_shift_needs_a_yes_and_a_next_turn(play: Play) -> None:
    """From super-category to object or attribute; from object to attribute only."""
    asked = ["an animal?", "a dog?", "red?", "an animal?"]
    found = values([play(asked, 2)])
    assert found["shift_super_to_object_or_attribute"] == 100
    assert found["shift_object_to_attribute"] == 100
    denied = values([play(asked, 2, said="nnyy")])
    assert denied["shift_super_to_object_or_attribute"] is None
    assert denied["shift_object_to_attribute"] is None
    assert values([play(["a dog?", "a cat?"], 2)])["shift_object_to_attribute"] == 0


@pytest.mark.parametrize(
    ("file", "lexical", "questions_asked", "different", "repeating"),
    [("human_100.jsonl", 14.04, 407, 314, 0), ("rl_greedy_100.jsonl", 2.39, 500, 99, 69)],
)
def test_the_hundred_games_of_people_and_of_reinforce(
    shared: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    lexical: float,
    questions_asked: int,
    different: int,
    repeating: int,
) -> None:
    """People repeat nothing and seldom say the same; the machine does both. Lexical diversity is NLTK's."""
    path = shared / "guesswhat" / file
    games = [json.loads(line)["qas"] for line in path.read_text("utf-8").splitlines()]
    asked = [[turn["question"] for turn in game] for game in games]
    assert sum(map(len, asked)) == questions_asked
    assert len({question for game in asked for question in game}) == different
    assert sum(len(set(game)) < len(game) for game in asked) == repeating
    assert main(["evaluate", "questions", "--transcripts", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["values"]
    assert round(found["lexical_diversity"]["value"], 2) == lexical
    assert found["question_diversity"]["value"] == pytest.approx(100 * different / questions_asked)
    assert found["repeated_games"]["value"] == repeating


def test_the_types_of_1004_real_games_through_the_command(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The facts' figures: location 66.4, object or super-category 33.2, unclassified 0.36 %."""
    path = shared / "guesswhat" / "vdst_train_log_1004.txt"
    assert main(["evaluate", "questions", "--transcripts", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["values"]
    assert round(found["type_location"]["value"], 1) == 66.4
    assert round(found["type_entity"]["value"], 1) == 33.2
    assert round(found["type_other"]["value"], 2) == 0.36
    assert found["location_turns"]["value"] == found["type_location"]["value"]
    assert found["type_location"]["n"] == 5020
