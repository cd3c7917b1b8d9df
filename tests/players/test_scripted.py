"""Scripted players, against what follows from their description."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from referee.arena import Plan, play
from referee.datasets import visdial
from referee.datasets.iconworld.people import Person, next_question
from referee.datasets.iconworld.scenes import make_scene
from referee.errors import SeatError, UsageError
from referee.games import Answer, GuessWhat, Round, Scene, Turn, VisDial, guesswhat
from referee.players.resolve import resolve
from referee.players.scripted.answerers import SceneGraph
from referee.players.scripted.guessers import BayesGuesser, PerfectGuesser, RandomGuesser
from referee.players.scripted.listener import Listener, named_in
from referee.players.scripted.oracles import NoisyOracle, PerfectOracle
from referee.players.scripted.people import HumanQuestions, People
from referee.players.seats import Look, Query, View
from referee.randomness import Stream, key

Ask = Callable[..., Query]
See = Callable[..., View]
At = Callable[..., Look]

DOG, RED = "is it a dog?", "is it red?"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (DOG, "yynn"),
        (RED, "yny-"),
        ("is it on the left?", "ynny"),
        ("do you like it?", "----"),
    ],
)
def test_the_perfect_oracle_says_what_is_true(query: Ask, question: str, answers: str) -> None:
    rows = PerfectOracle().answer([query(question, place) for place in range(4)])
    assert "".join("yn-"[place] for place in rows.argmax(axis=1)) == answers
    assert set(rows.max(axis=1)) == {1.0}


@pytest.mark.parametrize("accuracy", [0.6, 0.9, 1.0])
def test_the_noisy_oracle_is_right_as_often_as_it_says(query: Ask, accuracy: float) -> None:
    """Its share of right answers is its accuracy, and so is the probability of what it says."""
    queries = [
        query(question, thing, draw)
        for draw in range(1000)
        for question in (DOG, RED)
        for thing in range(4)
    ]
    said = NoisyOracle(accuracy).answer(queries)
    right = PerfectOracle().answer(queries)
    agreed = said.argmax(axis=1) == right.argmax(axis=1)
    assert abs(agreed.mean() - accuracy) < 0.02
    assert np.allclose(said.max(axis=1), accuracy)
    assert np.allclose(said.sum(axis=1), 1)


def test_the_noisy_oracles_luck_depends_on_key_and_thing_alone(query: Ask) -> None:
    queries = [query(DOG, thing, draw) for draw in range(50) for thing in range(4)]
    oracle = NoisyOracle(0.7)
    together = oracle.answer(queries)
    alone = np.concatenate([oracle.answer([each]) for each in reversed(queries)])[::-1]
    assert np.array_equal(together, alone)
    first = together[0::4].argmax(axis=1)
    assert (first != together[1::4].argmax(axis=1)).any()


def test_bayes_draws_the_warranted_conclusion(view: See) -> None:
    """Yes to dog, no to red, at accuracy 0.8: worked out by hand."""
    (belief,) = BayesGuesser(0.8).believe([view((DOG, "Yes"), (RED, "No"))])
    # Of the bus it is not known whether it is red: the oracle then errs, one way in two.
    weights = np.array([0.8 * 0.2, 0.8 * 0.8, 0.2 * 0.2, 0.2 * 0.1])
    assert np.allclose(belief.probabilities, weights / weights.sum())


def test_bayes_learns_from_not_applicable(view: See) -> None:
    (belief,) = BayesGuesser(0.8).believe([view((RED, "N/A"))])
    assert belief.probabilities == (0, 0, 0, 1)


def test_bayes_learns_nothing_from_what_nobody_understands(view: See) -> None:
    (belief,) = BayesGuesser().believe([view(("do you like it?", "Yes"))])
    assert belief.probabilities == (0.25,) * 4


def test_what_contradicts_itself_leaves_those_with_the_fewest_contradictions(view: See) -> None:
    said = view((DOG, "Yes"), (DOG, "No"), (RED, "Yes"))
    (belief,) = BayesGuesser(1).believe([said])
    assert belief.probabilities == (0.5, 0, 0.5, 0)


def test_a_very_long_dialogue_does_not_underflow(view: See) -> None:
    said = [(DOG, "No"), (RED, "No")] * 1000
    (belief,) = BayesGuesser(0.99).believe([view(*said)])
    assert sum(belief.probabilities) == pytest.approx(1)


def games(count: int) -> list[GuessWhat]:
    scenes = [make_scene(number, key("bayes", number)).scene for number in range(count)]
    draws = [Stream(key("target", number)) for number in range(count)]
    return [
        GuessWhat(scene.id, scene, draw.choice(scene.things).id)
        for scene, draw in zip(scenes, draws, strict=True)
    ]


def test_bayes_is_calibrated_when_it_knows_the_oracle() -> None:
    """What it holds for likely with 70 % is so in 70 %, within sampling error."""
    plan = Plan(guesswhat.Rules(max_turns=5, beliefs=True))
    seats = {
        "questioner": "scripted:people",
        "oracle": "scripted:noisy-oracle?accuracy=0.8",
        "guesser": "scripted:bayes-guesser?accuracy=0.8",
    }
    said: list[float] = []
    true: list[bool] = []
    for transcript in play(games(700), seats, plan):
        belief = transcript.turns[-1].belief if transcript.turns else None
        if belief is not None and isinstance(transcript.game, GuessWhat):
            said += belief.probabilities
            target = transcript.game.target_index
            true += [place == target for place in range(len(belief.probabilities))]
    chances, hits = np.array(said), np.array(true)
    for low, high in ((0.05, 0.3), (0.3, 0.6), (0.6, 1.01)):
        inside = (chances >= low) & (chances < high)
        error = np.sqrt((chances[inside] * (1 - chances[inside])).sum()) / inside.sum()
        assert abs(hits[inside].mean() - chances[inside].mean()) < 3 * error


def test_the_random_guesser_believes_in_all_alike(view: See) -> None:
    assert RandomGuesser().believe([view((DOG, "Yes"))])[0].probabilities == (0.25,) * 4


def test_the_perfect_guesser_knows_the_target(view: See) -> None:
    assert PerfectGuesser().believe([view(target="3")])[0].probabilities == (0, 0, 1, 0)
    assert PerfectGuesser.privileged


def test_the_perfect_guesser_must_be_privileged(view: See) -> None:
    with pytest.raises(SeatError, match="was not shown the target"):
        PerfectGuesser().believe([view()])


def test_people_ask_what_iconworlds_people_ask(view: See, scene: Scene) -> None:
    person = Person(idle=0.1)
    asked = People(idle=0.1).ask([view((DOG, "Yes"), key=number) for number in range(20)])
    turns = (Turn(DOG, "Yes"),)
    assert asked == [next_question(scene, turns, number, person) for number in range(20)]
    assert len(set(asked)) > 3


def test_people_believe_in_what_the_answers_leave(view: See) -> None:
    (belief,) = People().believe([view((DOG, "No"), (RED, "Yes"))])
    assert belief.probabilities == (0, 0, 1, 0)
    (belief,) = People().believe([view((DOG, "Yes"))])
    assert belief.probabilities == (0.5, 0.5, 0, 0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many dogs are there", "2"),
        ("is there a cat", "yes"),
        ("what color is the cat", "red"),
        ("why", "i can't tell"),
    ],
)
def test_the_scene_graph_gives_the_plain_answer(look: At, question: str, answer: str) -> None:
    ((said, *_),) = SceneGraph().answer([look(question)])
    assert said.text == answer


def test_the_scene_graph_knows_other_words_for_it(look: At) -> None:
    (texts,) = SceneGraph().answer([look("how many dogs are there")], n=3)
    assert len({said.text for said in texts}) == 3


def test_the_scene_graph_scores_the_plain_answer_highest(look: At) -> None:
    options = ("no", "several", "two", "2", "1")
    (scores,) = SceneGraph().score([look("how many dogs are there", *options)])
    assert scores[3] == max(scores) == 2
    assert scores[2] == 1
    assert scores[0] == scores[4] == 0


def test_an_empty_scene_is_not_taken_for_one_without_dogs(look: At, scene: Scene) -> None:
    bare = replace(look("is there a dog"), scene=replace(scene, things=()))
    with pytest.raises(SeatError, match="nothing is known to be in picture 9"):
        SceneGraph().answer([bare])


def test_captions_name_kinds_and_colours() -> None:
    found = named_in("A red dog next to two hot dogs and a bus.")
    assert [(each.category, each.colour) for each in found] == [
        ("dog", "red"),
        ("hot dog", ""),
        ("bus", ""),
    ]


def test_the_listener_weighs_caption_and_answers(scene: Scene) -> None:
    """Each named kind and each answer counts 0.9 where it fits and 0.1 where not."""
    dogs = replace(scene, id="dogs", things=scene.things[:2])
    cat = replace(scene, id="cat", things=scene.things[2:3])
    turns = (Turn("how many dogs are there", "2"), Turn("why", "because"))
    pool = View("g", 1, turns, None, (scene, dogs, cat), "a red cat")
    (belief,) = Listener(0.9).believe([pool])
    weights = np.array([0.9 * 0.9, 0.1 * 0.9, 0.9 * 0.1])
    assert np.allclose(belief.probabilities, weights / weights.sum())


def test_the_listener_needs_to_know_the_pictures() -> None:
    pool = View("g", 1, (), None, (Scene("1"), Scene("2")), "a dog")
    with pytest.raises(SeatError, match="give --scenes"):
        Listener().believe([pool])


@pytest.mark.parametrize("player", ["people", "bayes-guesser"])
def test_players_of_guesswhat_say_so(player: str) -> None:
    with pytest.raises(SeatError, match="GuessWh"):
        resolve(f"scripted:{player}").who.believe([View("g", 1, (), None, (Scene("1"),))])


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A VisDial file of four dialogues of two rounds."""
    path = tmp_path / "visdial.json"
    made = [
        VisDial(
            str(number),
            Scene(str(number)),
            "",
            tuple(
                Round(f"question {number} {turn}", "0", tuple(map(str, range(100))), 0)
                for turn in range(2)
            ),
        )
        for number in range(4)
    ]
    visdial.write(path, made)
    return path


def test_human_questions_are_of_the_turn_and_by_lot(asked: Path, shared: Path) -> None:
    real = shared / "visdial" / "visdial_1.0_val_first50.json"
    player = HumanQuestions(str(real))
    views = [View(str(number), key(number), ()) for number in range(30)]
    first = {game.rounds[0].question for game in visdial.games(real)}
    assert set(player.ask(views)) <= first
    assert len(set(player.ask(views))) > 10
    assert player.version != HumanQuestions(str(asked)).version


def test_human_questions_end_with_the_longest_dialogue(shared: Path) -> None:
    player = HumanQuestions(str(shared / "visdial" / "visdial_1.0_val_first50.json"))
    said = tuple(Turn(str(number), "yes") for number in range(10))
    assert player.ask([View("g", 1, said)]) == [None]


def test_human_questions_of_a_file_without_any(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(
        '{"id": 1, "image": {"id": 1, "width": 9, "height": 9}, "objects": [{"id": 1, "category":'
        ' "dog", "category_id": 18, "bbox": [1, 1, 1, 1]}], "object_id": 1, "qas": [],'
        ' "status": "incomplete"}\n'
    )
    with pytest.raises(UsageError, match="holds no questions"):
        HumanQuestions(str(path))


def test_an_oracles_answer_is_its_likeliest() -> None:
    seats = {
        "questioner": "scripted:people",
        "oracle": "scripted:noisy-oracle?accuracy=0.6",
        "guesser": "scripted:bayes-guesser",
    }
    for transcript in play(games(20), seats):
        for event in transcript.events:
            if isinstance(event, Answer) and event.probabilities is not None:
                place = ("Yes", "No", "N/A").index(event.text)
                assert event.probabilities[place] == max(event.probabilities)
