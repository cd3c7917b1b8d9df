"""Beliefs of games that can be judged by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.annotate.soft_labels.dialogues import soft_labels
from referee.datasets import soft_labels as files
from referee.errors import DataError, UsageError
from referee.evaluations import belief, evaluation
from referee.evaluations.measures import number
from referee.evaluations.result import Judged
from referee.games import Belief, Sitting, Transcript
from referee.players.seats import Query, View

Play = Callable[..., Transcript]

DOG = ("is it a dog?", "Yes")
NO_ANIMAL = ("is it an animal?", "No")
LEFT = ("is it on the left?", "Yes")


def judged(*games: Transcript, **options: Any) -> Judged:
    return evaluation.judge(belief.EVALUATION, games, belief.Options(**options))


def value(found: Judged, name: str) -> float | None:
    return found.result.values[name].value


class Certain:
    """An oracle that is certain: dogs are dogs, and only the car is no animal."""

    name = "certain"

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Yes or No for certain."""
        yes = [self._yes(query) for query in queries]
        return np.array([[each, 1 - each, 0.0] for each in yes])

    def _yes(self, query: Query) -> float:
        category = query.scene.things[query.thing].category
        if "animal" in query.question:
            return float(category in ("dog", "cat"))
        return float(category == "dog")


class Guesser:
    """Believes alike until an answer, then in the first thing; two tenths go nowhere if it leaks."""

    name = "first"

    def __init__(self, leak: float = 0.0, beliefs: Sequence[float] = (0.7, 0.1, 0.1, 0.1)) -> None:
        self.leak = leak
        self.beliefs = tuple(beliefs)
        self.seen: list[tuple[str, int]] = []

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """By the number of turns."""
        self.seen += [(view.game, len(view.turns)) for view in views]
        return [Belief(self.beliefs if view.turns else (0.25,) * 4, "softmax") for view in views]

    def leaked(self, views: Sequence[View]) -> list[float]:
        """The same of every belief."""
        return [self.leak] * len(views)


def test_the_litmus_test_of_one_answer(play: Play) -> None:
    """Dogs are the reference set: one has enough, the other too little; of the others one has too much."""
    found = judged(play((*DOG, [0.95, 0.0005, 0.0445, 0.005])))
    row = found.games[0]
    assert (row["type"], row["cq"], row["answer"]) == ("object", True, "Yes")
    assert value(found, "grounded_rs_object_yes") == 0
    assert value(found, "grounded_cs_cq_yes") == 0
    assert value(found, "complement_probability_object_yes") == pytest.approx(100 * 0.0495 / 2)
    expected = np.corrcoef([0.95, 0.0005, 0.0445, 0.005], [0.5, 0.5, 0, 0])[0, 1]
    assert value(found, "r_object") == pytest.approx(expected)
    assert value(found, "r_cq_per_game") == pytest.approx(expected)
    assert value(found, "grounded_rs_category_yes") is None


def test_thresholds_are_strict_and_can_be_set(play: Play) -> None:
    game = play((*DOG, [0.595, 0.4, 0.001, 0.004]))
    assert value(judged(game), "grounded_cs_cq_yes") == 0
    assert value(judged(game, theta_cs=0.0041), "grounded_cs_cq_yes") == 100
    assert value(judged(game, theta_rs=0.4), "grounded_rs_cq_yes") == 0
    assert value(judged(game, theta_rs=0.39), "grounded_rs_cq_yes") == 100


def test_after_a_no_the_complement_is_who_has_the_property(play: Play) -> None:
    found = judged(play((*NO_ANIMAL, [0.1, 0.1, 0.1, 0.7])))
    assert value(found, "complement_probability_category_no") == pytest.approx(10)
    assert value(found, "grounded_rs_category_no") == 100


def test_pooled_r_is_over_all_candidates_and_r_per_game_the_mean(play: Play) -> None:
    games = [
        play((*DOG, [0.5, 0.3, 0.1, 0.1])),
        play((*DOG, [0.9, 0.04, 0.03, 0.03]), game="2", image="11"),
    ]
    found = judged(*games)
    beliefs, labels = [0.5, 0.3, 0.1, 0.1, 0.9, 0.04, 0.03, 0.03], [0.5, 0.5, 0, 0] * 2
    assert value(found, "r_cq") == pytest.approx(np.corrcoef(beliefs, labels)[0, 1])
    each = [np.corrcoef(beliefs[i : i + 4], labels[:4])[0, 1] for i in (0, 4)]
    assert value(found, "r_cq_per_game") == pytest.approx(np.mean(each))
    assert found.result.values["r_cq"].n_clusters == 2


def test_rules_are_judged_on_the_target(play: Play) -> None:
    """Thing 1 is on the left by every rule; where people said No, none is right."""
    games = [play((*LEFT, [1, 0, 0, 0])), play((LEFT[0], "No", [1, 0, 0, 0]), game="2")]
    found = judged(*games)
    for name in ("r1", "r2", "r3", "r1_r2", "r1_r3", "r2_r3", "r1_r2_r3"):
        assert value(found, f"rule_accuracy_{name}") == 50


def test_calibration_is_by_turn(play: Play) -> None:
    game = play((*DOG, [0.5, 0.3, 0.1, 0.1]), ("is it red?", "N/A", [0.2, 0.6, 0.1, 0.1]))
    found = judged(*(game for _ in range(20)))
    assert value(found, "nll_turn_1") == pytest.approx(-math.log(0.5))
    assert value(found, "nll_turn_2") == pytest.approx(-math.log(0.2))
    assert value(found, "brier_turn_2") == pytest.approx(0.64 + 0.36 + 0.01 + 0.01)
    entropy = -sum(p * math.log2(p) for p in (0.5, 0.3, 0.1, 0.1))
    assert value(found, "entropy_turn_1") == pytest.approx(entropy)
    assert value(found, "ece_turn_1") == pytest.approx(50)
    assert value(found, "ece_turn_2") == pytest.approx(60)


def test_the_bayes_gap_goes_by_the_belief_before(play: Play) -> None:
    """After Yes to dog all on the dogs; then the animals, which tells nothing new: what moves is invented."""
    game = play((*DOG, [0.4, 0.4, 0.1, 0.1]), ("is it an animal?", "Yes", [0.7, 0.1, 0.1, 0.1]))
    found = judged(game, oracle=Certain())
    parts = ("bayes_ignored", "bayes_invented")
    gaps = [tuple(number(row[part]) for part in parts) for row in found.turns]
    # From alike to (0.5, 0.5, 0, 0): two tenths stay where they were.
    assert gaps[0] == pytest.approx((0.2, 0.0))
    # From (0.4, 0.4, 0.1, 0.1) without the car; what it keeps is ignored, what the first gains invented.
    assert gaps[1] == pytest.approx((0.1, 0.7 - 0.4 / 0.9))
    assert value(found, "bayes_gap") == pytest.approx(100 * np.sum(gaps) / 2)


def test_a_belief_before_the_first_question_is_where_the_observer_starts(play: Play) -> None:
    game = play((*DOG, [0.8, 0.2, 0, 0]), before=[0.4, 0.1, 0.3, 0.2])
    found = judged(game, oracle=Certain())
    assert value(found, "bayes_gap") == pytest.approx(0, abs=1e-9)


def test_without_an_oracle_there_is_no_gap_and_it_is_said(play: Play) -> None:
    found = judged(play((*DOG, [0.5, 0.5, 0, 0])))
    assert "bayes_gap" not in found.result.values
    assert any("--oracle" in note for note in found.result.notes)


def test_an_answer_that_was_held_impossible_has_no_ideal_observer(play: Play) -> None:
    found = judged(play((*DOG, [0, 0, 1, 0]), before=[0, 0, 0.5, 0.5]), oracle=Certain())
    assert found.result.values["bayes_gap"].n_failed == 1
    assert any("no ideal observer" in note for note in found.result.notes)


def test_a_guesser_is_fed_every_turn_of_peoples_successful_games(play: Play) -> None:
    games = [
        play((*DOG, None), (*LEFT, None)),
        play((*DOG, None), game="2", status="failure"),
    ]
    guesser = Guesser()
    found = judged(*games, guesser=guesser)
    assert sorted(guesser.seen) == [("1", 0), ("1", 1), ("1", 2)]
    assert found.result.options["status"] == "success"
    assert value(found, "task_accuracy") == 100
    assert value(found, "complement_probability_cq_yes") == pytest.approx(10)
    everything = judged(*games, guesser=Guesser(), status="all")
    assert len(everything.games) == 2


def test_task_accuracy_is_the_fed_guessers_own(play: Play) -> None:
    found = judged(play((*DOG, None)), guesser=Guesser(beliefs=(0.1, 0.7, 0.1, 0.1)))
    assert (value(found, "task_accuracy"), found.games[0]["guess"]) == (0, "2")


def test_a_played_run_is_judged_whole_by_the_beliefs_that_it_holds(play: Play) -> None:
    games = [
        play((*DOG, [0.5, 0.5, 0, 0])),
        play((*DOG, [0.5, 0.5, 0, 0]), game="2", status="failure"),
    ]
    found = judged(*games)
    assert (found.result.options["status"], value(found, "task_accuracy")) == ("all", 50)


def test_without_beliefs_the_guesser_who_played_is_asked(play: Play) -> None:
    seats = (Sitting("guesser", "scripted:random-guesser"),)
    found = judged(play((*DOG, None), seats=seats))
    assert value(found, "complement_probability_cq_yes") == pytest.approx(25)
    assert found.result.options["guesser"] == "scripted:random-guesser"


def test_without_beliefs_and_guesser_it_is_said_what_to_do(play: Play) -> None:
    with pytest.raises(UsageError, match=r"no beliefs to judge.*--guesser"):
        judged(play((*DOG, None)))


def test_mass_on_padding_is_reported_and_judged_as_slots_by_the_codes_variant(play: Play) -> None:
    game = play((*DOG, None))
    paper, code = (
        judged(game, guesser=Guesser(0.2), variant=variant) for variant in ("paper", "code")
    )
    assert value(paper, "leaked_mass") == value(code, "leaked_mass") == pytest.approx(20)
    assert value(paper, "complement_probability_cq_yes") == pytest.approx(10)
    assert value(code, "complement_probability_cq_yes") == pytest.approx(8)
    assert any(note.startswith("MASS LEAKS") for note in paper.result.notes)
    assert (paper.result.options["mass"], code.result.options["mass"]) == ("candidates", "slots")
    sound = judged(game, guesser=Guesser())
    assert value(sound, "leaked_mass") == 0
    assert not any("LEAKS" in note for note in sound.result.notes)


def test_an_explicit_choice_wins_over_the_variant(play: Play) -> None:
    found = judged(play((*DOG, None)), guesser=Guesser(0.2), variant="code", mass="candidates")
    assert value(found, "complement_probability_cq_yes") == pytest.approx(10)


@pytest.mark.parametrize("source", ["verbalised", "votes", "likelihoods"])
def test_beliefs_of_another_source_are_judged_alike_and_marked(play: Play, source: str) -> None:
    soft = judged(play((*DOG, [0.5, 0.4, 0.05, 0.05])))
    other = judged(play((*DOG, [0.5, 0.4, 0.05, 0.05]), source=source))
    assert value(other, "r_cq") == value(soft, "r_cq")
    assert other.turns[0]["source"] == other.result.options["source"] == source
    assert any(source in note for note in other.result.notes)
    assert not any("no softmax" in note for note in soft.result.notes)


BAD = {
    "sums to 0.9": [0.4, 0.3, 0.1, 0.1],
    "sums to 1.002": [0.5, 0.3, 0.1, 0.102],
    "holds NaN": [math.nan, 0.5, 0.25, 0.25],
    "negative": [1.1, -0.1, 0, 0],
    "holds 3 probabilities for 4 candidates": [0.5, 0.3, 0.2],
    "holds 20 probabilities for 4 candidates": [0.05] * 20,
}


@pytest.mark.parametrize("message", BAD)
def test_a_belief_that_is_none_is_an_error_that_names_game_and_turn(
    play: Play, message: str
) -> None:
    game = play((*DOG, [0.5, 0.5, 0, 0]), (*LEFT, BAD[message]), game="seven")
    with pytest.raises(DataError, match=f"game seven, turn 2.*{message}"):
        judged(game)


@pytest.mark.parametrize("message", BAD)
def test_with_skip_bad_it_is_counted(play: Play, message: str) -> None:
    games = [play((*DOG, [0.5, 0.5, 0, 0])), play((*DOG, BAD[message]), game="2")]
    found = judged(*games, skip_bad=True)
    kept = found.result.values["grounded_cs_cq_yes"]
    assert (kept.value, kept.n, kept.n_failed) == (100, 1, 1)
    assert any("1 turn is bad" in note and "game 2, turn 1" in note for note in found.result.notes)


def test_the_tolerance_of_a_sum_is_a_thousandth(play: Play) -> None:
    assert len(judged(play((*DOG, [0.5, 0.5009, 0, 0]))).games) == 1
    with pytest.raises(DataError, match="game 1, turn 1"):
        judged(play((*DOG, [0.5, 0.5011, 0, 0])))


def test_an_answer_that_the_game_does_not_have_is_refused_or_counted(play: Play) -> None:
    games = [
        play((*DOG, [0.5, 0.5, 0, 0])),
        play(("is it a dog?", "maybe", [1, 0, 0, 0]), game="2"),
    ]
    with pytest.raises(DataError, match=r"game 2, turn 1.*Yes, No or N/A"):
        judged(*games)
    assert len(judged(*games, skip_bad=True).games) == 1


def test_what_is_not_covered_or_not_applicable_is_never_labelled(play: Play) -> None:
    games = [
        play(("is it the one that smiles?", "Yes", [1, 0, 0, 0])),
        play(("is it a dog?", "N/A", [1, 0, 0, 0]), game="2"),
    ]
    found = judged(*games)
    assert [row["type"] for row in found.games] == ["", ""]
    assert value(found, "r_cq") is None
    assert any("0 of 2 first turns" in note for note in found.result.notes)


def test_games_without_things_or_turns_do_not_stop_it(play: Play) -> None:
    games = [
        play((*DOG, [0.5, 0.5, 0, 0])),
        play(game="2"),
        play((*DOG, None), game="3", things=()),
    ]
    found = judged(*games)
    assert found.result.values["task_accuracy"].n_failed == 1
    assert value(found, "task_accuracy") == 100
    assert any("cannot be judged" in note for note in found.result.notes)


def test_labels_of_a_file_are_used_and_named(play: Play, tmp_path: Path) -> None:
    """Here the file says that only the first dog was meant."""
    game = play((*DOG, [0.9, 0.1, 0, 0]))
    (row,) = soft_labels([game])
    path = tmp_path / "people.jsonl"
    row = type(row)(
        **{name: getattr(row, name) for name in row.__struct_fields__}
        | {
            "probabilities": (1.0, 0.0, 0.0, 0.0),
            "reference": (True, False, False, False),
            "source": "people",
        }
    )
    files.write(path, [row])
    found = judged(game, soft_labels=str(path))
    assert value(found, "complement_probability_object_yes") == pytest.approx(100 * 0.1 / 3)
    assert str(found.result.options["soft_labels"]).startswith("people.jsonl sha256:")
    assert any("(people)" in note for note in found.result.notes)


def test_labels_of_another_question_are_refused(play: Play, tmp_path: Path) -> None:
    files.write(tmp_path / "f.jsonl", soft_labels([play((*DOG, None))]))
    with pytest.raises(DataError, match="question"):
        judged(play((*NO_ANIMAL, [0, 0, 0, 1])), soft_labels=str(tmp_path / "f.jsonl"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "papers"}, "variant must be one of paper, code"),
        ({"status": "won"}, "status must be one of success, all"),
        ({"mass": "all"}, "mass must be one of candidates, slots"),
        ({"combine": "mean"}, "combine must be one of"),
        ({"theta_cs": 4}, "theta_cs is a probability"),
        ({"turns": 0}, "turns must be at least 1"),
    ],
)
def test_a_choice_that_there_is_not_is_refused(
    play: Play, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        judged(play((*DOG, [0.5, 0.5, 0, 0])), **options)


def test_an_interval_draws_pictures_not_games(play: Play) -> None:
    """Ten games about one picture are no better known than one."""
    beliefs = [0.4, 0.4, 0.1, 0.1], [0.5, 0.5, 0, 0]

    def games(each: int) -> list[Transcript]:
        return [
            play(
                (*DOG, beliefs[image % 2]),
                image=str(image),
                game=f"{image}-{n}",
            )
            for image in range(6)
            for n in range(each)
        ]

    one, ten = (judged(*games(each)).result.values["grounded_cs_cq_yes"] for each in (1, 10))
    assert (one.ci_low, one.ci_high) == (ten.ci_low, ten.ci_high)
    assert (one.n, ten.n, ten.n_clusters) == (6, 60, 6)
    assert (one.value, one.ci_low) != (one.ci_high, one.value)
