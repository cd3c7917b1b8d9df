"""Simulated people: they resemble the human row of Table 1, and every draw follows from its key."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import pytest
from msgspec.structs import replace

from referee.datasets.iconworld.dialogues import LONGEST, play
from referee.datasets.iconworld.language import answers, parse
from referee.datasets.iconworld.people import Person, guess, heard, next_question, spoken
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.world import Plan, World
from referee.games import ANSWERS, Scene, Turn
from referee.randomness import key, mix

PLAN = Plan(games=4000, zero_shot=0, pools=0, seed=1)


@dataclass
class Row:
    """One row of Table 1, in percent but for the questions; a list holds a number a game."""

    questions: list[int] = field(default_factory=list)
    success: list[bool] = field(default_factory=list)
    effectiveness: list[float] = field(default_factory=list)
    last_effective: list[bool] = field(default_factory=list)
    last_referring: list[bool] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def mean(self, name: str, *, where: bool | None = None) -> float:
        """The mean over games, or over those with this success."""
        values = list(getattr(self, name))
        if where is not None:
            values = [v for v, won in zip(values, self.success, strict=True) if won is where]
        return float(sum(values)) / len(values)

    def percent(self, name: str, *, where: bool | None = None) -> float:
        """The mean in percent."""
        return 100 * self.mean(name, where=where)


@pytest.fixture(scope="module")
def table_row() -> Row:
    """4,000 games judged from the truth: section 3.2's reference sets, by a perfect oracle."""
    world, row = World(PLAN), Row()
    for split in ("train", "valid", "test"):
        for game in world.games(split):
            scene, told = game.drawn.scene, game.dialogue
            left, effective = set(range(len(scene.things))), []
            right: tuple[str, ...] = ()
            for question in told.questions:
                right = answers(question, scene) or ()
                reached = {thing for thing in left if right[thing] == right[game.target]}
                effective.append(reached != left)
                left = reached
            others = right[: game.target] + right[game.target + 1 :]
            row.questions.append(len(told.questions))
            row.success.append(told.status == "success")
            row.effectiveness.append(sum(effective) / len(effective))
            row.last_effective.append(effective[-1])
            row.last_referring.append(right[game.target] == "Yes" and set(others) == {"No"})
            row.answers.extend(told.answers)
    assert len(row.success) == PLAN.games
    return row


def test_people_resemble_the_human_row(table_row: Row) -> None:
    """Each number is within two points of the published one, the questions within 0.2."""
    assert table_row.mean("questions") == pytest.approx(5.3, abs=0.2)
    assert table_row.percent("success") == pytest.approx(84.1, abs=2)
    assert table_row.percent("effectiveness") == pytest.approx(56.9, abs=2)
    assert table_row.percent("last_effective") == pytest.approx(33.6, abs=2)
    assert table_row.percent("last_referring") == pytest.approx(26.01, abs=2)


def test_games_that_are_won_end_in_a_name_more_often(table_row: Row) -> None:
    """A last question that refers to the target goes with success, as in the paper."""
    won = table_row.percent("last_referring", where=True)
    assert won > table_row.percent("last_referring", where=False) + 10


def test_answers_are_shared_out_as_people_share_them(table_row: Row) -> None:
    """Yes about 48 %, N/A about 1.8 % of all answers."""
    share = {a: 100 * table_row.answers.count(a) / len(table_row.answers) for a in ANSWERS}
    assert share["Yes"] == pytest.approx(47.7, abs=2)
    assert share["N/A"] == pytest.approx(1.8, abs=0.6)


def test_a_person_who_never_errs_nor_hurries_wins(drawn_scenes: tuple[Drawn, ...]) -> None:
    """Without errors and hasty guesses the target is what is left: no two things are in one place."""
    person = Person(error=0, hasty=0)
    for drawn in drawn_scenes:
        target = int(drawn.scene.id) % len(drawn.scene.things)
        told = play(drawn.scene, target, key(drawn.scene.id), person)
        turns = tuple(map(Turn, told.questions, told.answers))
        assert heard(drawn.scene, turns).possible >> target & 1
        assert told.status == "incomplete" or told.guess == target


def test_the_next_question_follows_from_the_key(drawn_scenes: tuple[Drawn, ...]) -> None:
    """The same scene, dialogue and key give the same question, in a copy of the scene too."""
    for drawn in drawn_scenes[:20]:
        copy = Scene(drawn.scene.id, drawn.scene.width, drawn.scene.height, drawn.scene.things)
        turns = (Turn("is it an animal?", "No"), Turn("is it the gibberish?", "Yes"))
        ask = partial(next_question, turns=turns, key=drawn.background)
        assert ask(drawn.scene) == ask(copy)


def test_people_ask_what_they_can_parse(drawn_scenes: tuple[Drawn, ...]) -> None:
    """A person asks questions of the language until the guess is made."""
    for drawn in drawn_scenes:
        turns: list[Turn] = []
        while len(turns) < LONGEST:
            question = next_question(drawn.scene, turns, mix(drawn.background, len(turns)))
            if question is None:
                break
            assert parse(question) is not None
            right = answers(question, drawn.scene)
            assert right is not None
            turns.append(Turn(question, right[0]))
        assert 0 <= guess(drawn.scene, turns, 5) < len(drawn.scene.things)
        assert turns


def test_people_play_scenes_of_kinds_for_which_they_have_no_words(
    drawn_scenes: tuple[Drawn, ...],
) -> None:
    """As Open Images has them: what is asked is parsed and names no such kind, and games are won."""
    won, person = 0, Person(error=0, hasty=0, refer=1, confirm=1)
    for drawn in drawn_scenes:
        kinds = ("mammal", "squash (plant)", "footwear", "dog")
        things = tuple(
            replace(thing, category=kinds[place % 4], attributes=())
            for place, thing in enumerate(drawn.scene.things)
        )
        scene, turns = replace(drawn.scene, things=things), list[Turn]()
        while len(turns) < LONGEST:
            question = next_question(scene, turns, mix(drawn.background, len(turns)), person)
            if question is None:
                break
            predicate, right = parse(question), answers(question, scene)
            assert predicate is not None
            assert right is not None
            assert predicate.category not in kinds[:-1]
            turns.append(Turn(question, right[0]))
        won += guess(scene, turns, 5) == 0
    assert won > len(drawn_scenes) / 2


def test_kinds_come_before_details(drawn_scenes: tuple[Drawn, ...]) -> None:
    """First questions are about the kind of thing more often than last ones are."""

    def about_kinds(questions: list[str]) -> float:
        read = [parse(question) for question in questions]
        return sum(p is not None and bool(p.category or p.super_category) for p in read) / len(read)

    told = [play(d.scene, 0, mix(d.background, n)) for d in drawn_scenes for n in range(3)]
    first = about_kinds([dialogue.questions[0] for dialogue in told])
    assert first > about_kinds([dialogue.questions[-1] for dialogue in told]) + 0.1


def test_a_person_errs_at_the_set_rate() -> None:
    """Wrong answers come as often as is set, and Yes is taken for No and back."""
    person = Person(error=0.2)
    said = [spoken("Yes", mix(7, number), person) for number in range(5000)]
    assert set(said) == {"Yes", "No"}
    assert said.count("No") / len(said) == pytest.approx(0.2, abs=0.02)
    assert {spoken("N/A", mix(7, n), person) for n in range(100)} == {"N/A", "Yes"}


def test_an_answer_that_leaves_nothing_is_not_believed(drawn_scenes: tuple[Drawn, ...]) -> None:
    """After contradicting answers some things are still possible."""
    scene = drawn_scenes[0].scene
    turns = [Turn("is it on the left?", "Yes"), Turn("is it on the left?", "No")]
    assert heard(scene, turns).possible == heard(scene, turns[:1]).possible != 0
