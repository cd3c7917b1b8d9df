"""Self-play is the arena's play without the arena: the same networks say the same, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from referee.arena import Plan, play
from referee.errors import DataError, SeatError
from referee.games import ANSWERS, Answer, Ask, GuessWhat, guesswhat
from referee.games.guesswhat import Rules
from referee.players.decoding import Decode
from referee.players.neural import asking, guesser_player, oracle_player
from referee.players.neural.answering import Answers, AnswersOfPlayer
from referee.players.neural.asking import NeuralQuestioner
from referee.players.neural.guesser_player import NeuralGuesser
from referee.players.neural.oracle_player import NeuralOracle
from referee.players.neural.selfplay import Asks, Deal, Guesses, SelfPlay, Table
from referee.players.neural.vocabulary import SAID, START, STOP_DIALOGUE, Vocabulary
from referee.players.seats import Query, View
from referee.randomness import key

RULES = Rules(max_turns=5)


def seats(world: Any, seed: int = 0, how: str = "greedy") -> tuple[Asks, Answers, Guesses]:
    decode = Decode("sample" if how == "sample" else "greedy")
    return (
        Asks(world.qgen(seed), world.vocabulary, world.pictures, decode),
        Answers(world.oracle(seed), world.vocabulary),
        Guesses(world.guesser(seed), world.vocabulary),
    )


def deals(world: Any) -> list[Deal]:
    return [Deal(game, key("deal", game.id)) for game in world.games]


def shown(table: Table) -> tuple[list[tuple[str, str]], tuple[str, ...], str]:
    told = guesswhat.transcript(table.state)
    return [(turn.question, turn.answer) for turn in told.turns], told.guesses, told.status


@pytest.mark.parametrize("seed", range(3))
def test_it_plays_what_the_arena_plays(world: Any, seed: int) -> None:
    """Questions, answers, stops and guesses are equal, and some games stop early."""
    asks, answers, guesses = seats(world, seed)
    played = SelfPlay(asks, answers, guesses, RULES).play(deals(world))
    seated = {
        "questioner": NeuralQuestioner(
            world.qgen(seed), world.vocabulary, asking.Given(), world.pictures
        ),
        "oracle": NeuralOracle(world.oracle(seed), world.vocabulary, oracle_player.Given()),
        "guesser": NeuralGuesser(world.guesser(seed), world.vocabulary, guesser_player.Given()),
    }
    expected = [
        ([(turn.question, turn.answer) for turn in told.turns], told.guesses, told.status)
        for told in play(world.games, seated, Plan(RULES))
    ]
    assert [shown(table) for table in played] == expected
    assert len({str(turns) for turns, _, _ in expected}) > 5


@pytest.mark.parametrize("how", ["greedy", "sample"])
def test_a_game_does_not_depend_on_its_batch(world: Any, how: str) -> None:
    whole = SelfPlay(*seats(world, how=how), RULES).play(deals(world))
    again = SelfPlay(*seats(world, how=how), RULES)
    parts = [table for deal in reversed(deals(world)) for table in again.play([deal])]
    assert [shown(table) for table in parts[::-1]] == [shown(table) for table in whole]
    assert {table.won for table in whole} == {True, False}


def test_the_words_are_the_whole_dialogue(world: Any) -> None:
    """They are <start>, the questions with the marks of their answers, and what ended it."""
    tables = SelfPlay(*seats(world, how="sample"), RULES).play(deals(world))
    assert {len(table.turns) for table in tables} > {5}
    for table in tables:
        expected = [START]
        for event in table.state.events:
            if isinstance(event, Ask):
                expected += world.vocabulary.encode(event.text)
            if isinstance(event, Answer):
                expected.append(SAID[event.text])
        assert table.words == expected + table.unfinished
        assert (table.words[-1] == STOP_DIALOGUE) == (len(table.turns) < 5)
        assert table.heard.words(end=False) == expected


def test_the_oracle_can_be_asked_about_everything(world: Any) -> None:
    """The answers about all things are the oracle's own, and the dialogue holds those about the target."""
    tables = SelfPlay(*seats(world, how="sample"), RULES, everything=True).play(deals(world))
    player = NeuralOracle(world.oracle(0), world.vocabulary, oracle_player.Given())
    plain = SelfPlay(*seats(world, how="sample"), RULES).play(deals(world))
    assert [shown(table) for table in tables] == [shown(table) for table in plain]
    for table in tables[:15]:
        game, turns = table.deal.game, guesswhat.transcript(table.state).turns
        assert len(table.about) == len(turns)
        for turn, about in zip(turns, table.about, strict=True):
            queries = [
                Query(game.id, 0, game.scene, thing, turn.question)
                for thing in range(len(game.scene.things))
            ]
            assert about.tolist() == player.answer(queries).argmax(axis=1).tolist()
            assert ANSWERS[about[game.target_index]] == turn.answer


def test_networks_with_other_vocabularies_hear_the_same_words(world: Any) -> None:
    """An oracle whose words stand in another order answers as it does to the text."""
    words = world.vocabulary.words
    other = Vocabulary((*words[:8], *words[:7:-1]))
    asks, _, _ = seats(world, how="sample")
    answers = Answers(world.oracle(0, other), other)
    guesses = Guesses(world.guesser(0, other), other)
    tables = SelfPlay(asks, answers, guesses, RULES).play(deals(world)[:10])
    player = NeuralOracle(world.oracle(0, other), other, oracle_player.Given())
    guessing = NeuralGuesser(world.guesser(0, other), other, guesser_player.Given())
    for table in tables:
        game, told = table.deal.game, guesswhat.transcript(table.state)
        for turn in told.turns:
            query = Query(game.id, 0, game.scene, game.target_index, turn.question)
            assert ANSWERS[int(player.answer([query]).argmax())] == turn.answer
        (belief,) = guessing.believe([View(game.id, 0, told.turns, game.scene)])
        likeliest = int(np.argmax(belief.probabilities))
        assert told.guess == game.scene.things[likeliest].id


def test_without_a_guesser_the_games_end_before_the_guess(world: Any) -> None:
    asks, answers, _ = seats(world)
    tables = SelfPlay(asks, answers, None, RULES).play(deals(world)[:5])
    assert {guesswhat.whose_turn(table.state) for table in tables} == {"guesser"}


def test_no_deals_are_no_games(world: Any) -> None:
    assert SelfPlay(*seats(world), RULES).play([]) == []


def test_networks_play_without_dropout_and_are_given_back_as_they_were(world: Any) -> None:
    asks, answers, guesses = seats(world)
    members = [it for it in (asks.model, answers.model, guesses.model) if isinstance(it, nn.Module)]
    for number, network in enumerate(members):
        network.train(number != 1)
    SelfPlay(asks, answers, guesses, RULES).play(deals(world)[:2])
    assert [network.training for network in members] == [True, False, True]


@pytest.mark.parametrize("who", ["questioner", "oracle", "guesser"])
def test_scores_that_are_no_numbers_name_game_and_turn(world: Any, who: str) -> None:
    asks, answers, guesses = seats(world)
    broken = {"questioner": asks.model, "oracle": answers.model, "guesser": guesses.model}[who]
    assert isinstance(broken, nn.Module)
    with torch.no_grad():
        next(iter(broken.parameters()))[START + 4 :] = torch.nan
    with pytest.raises(SeatError, match=r"game g\d+, turn \d: .* no numbers"):
        SelfPlay(asks, answers, guesses, RULES).play(deals(world))


def test_a_missing_feature_names_the_game(world: Any) -> None:
    game: GuessWhat = world.games[0]
    things = game.scene.things
    lost = GuessWhat("g-lost", replace_scene(game, "lost"), things[0].id)
    with pytest.raises(DataError, match="the game g-lost needs features of lost"):
        SelfPlay(*seats(world), RULES).play([Deal(lost, 1)])


def replace_scene(game: GuessWhat, name: str) -> Any:
    return msgspec.structs.replace(game.scene, id=name)


def test_a_scene_of_the_same_id_but_other_things_is_looked_at_again(world: Any) -> None:
    """Two files may number their pictures alike."""
    game = world.games[0]
    other = GuessWhat("o", replace_scene(world.games[1], game.scene.id), world.games[1].target)
    playing = SelfPlay(*seats(world), RULES)
    playing.play([Deal(game, 1)])
    (again,) = playing.play([Deal(other, 1)])
    (alone,) = SelfPlay(*seats(world), RULES).play([Deal(other, 1)])
    assert shown(again) == shown(alone)
    assert msgspec.structs.asdict(other.scene) != msgspec.structs.asdict(game.scene)


def test_the_limits_of_a_question_hold(world: Any) -> None:
    asks, answers, guesses = seats(world, how="sample")
    asks = replace(asks, longest=3, stop="never")
    tables = SelfPlay(asks, answers, guesses, Rules(max_turns=2)).play(deals(world))
    assert {len(table.turns) for table in tables} == {2}
    assert max(len(words) for table in tables for words, _ in table.turns) == 3


@pytest.mark.parametrize("everything", [True, False])
def test_any_player_can_answer(world: Any, everything: bool) -> None:
    """The network in its seat answers what the network answers by itself."""
    asks, answers, guesses = seats(world, how="sample")
    seat = NeuralOracle(world.oracle(0), world.vocabulary, oracle_player.Given())
    mine = AnswersOfPlayer(seat, "neural:mine")
    tables = SelfPlay(asks, mine, guesses, RULES, everything=everything).play(deals(world))
    plain = SelfPlay(asks, answers, guesses, RULES, everything=everything).play(deals(world))
    assert [shown(table) for table in tables] == [shown(table) for table in plain]
    for one, other in zip(tables, plain, strict=True):
        assert [row.tolist() for row in one.about] == [row.tolist() for row in other.about]


class Short:
    """An oracle that answers one question fewer than it was asked."""

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """One row too few."""
        return np.full((len(queries) - 1, 3), 1 / 3)


class Sure:
    """An oracle whose numbers are no probabilities: all three answers are likely."""

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Probabilities, but for the third query."""
        rows = np.tile([1.0, 0.0, 0.0], (len(queries), 1))
        rows[2:] = 0.9
        return rows


class Later:
    """An oracle that has to be waited for."""

    async def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Nothing yet."""
        return np.full((len(queries), 3), 1 / 3)


def test_a_player_that_answers_too_few_questions_is_refused(world: Any) -> None:
    asks, _, guesses = seats(world)
    ten = deals(world)[:10]
    where = (
        rf"short \(oracle\), game {ten[0].game.id}, turn 1: gave probabilities of shape \[9, 3\]"
    )
    with pytest.raises(SeatError, match=where):
        SelfPlay(asks, AnswersOfPlayer(Short(), "short"), guesses, RULES).play(ten)


def test_a_player_whose_numbers_are_no_probabilities_is_refused(world: Any) -> None:
    """As in the arena, with the game that they are about."""
    asks, _, guesses = seats(world)
    ten = deals(world)[:10]
    where = rf"sure \(oracle\), game {ten[2].game.id}, turn 1: gave \[0.9, 0.9, 0.9\]"
    with pytest.raises(SeatError, match=where):
        SelfPlay(asks, AnswersOfPlayer(Sure(), "sure"), guesses, RULES).play(ten)


@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_player_that_has_to_be_waited_for_is_refused(world: Any) -> None:
    asks, _, guesses = seats(world)
    with pytest.raises(SeatError, match="later answers asynchronously"):
        SelfPlay(asks, AnswersOfPlayer(Later(), "later"), guesses, RULES).play(deals(world)[:10])
