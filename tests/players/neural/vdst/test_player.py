"""VDST in its seats: what it asks, believes and shows, and what is wrong is said with game and turn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest
import torch

from referee.arena import Plan as Playing
from referee.arena import play
from referee.datasets.features import write_devries
from referee.errors import DataError, SeatError, UsageError
from referee.games import GuessWhat, Turn
from referee.games.guesswhat import Rules
from referee.players import neural
from referee.players.neural import checkpoint
from referee.players.neural.batches import heard
from referee.players.neural.checkpoint import described
from referee.players.neural.vdst import VDST, VDSTConfig
from referee.players.neural.vdst_player import Questioner, VDSTPlayer
from referee.players.neural.vocabulary import Vocabulary
from referee.players.resolve import resolve
from referee.players.seats import View
from referee.randomness import key

if TYPE_CHECKING:
    from tests.players.neural.vdst.conftest import Toys, Trained


def named(trained: Trained | Path, toys: Toys, **settings: Any) -> Any:
    """The player of the folder, with the toys' regions and guesser unless it is said otherwise."""
    given = {"features": toys.features, "guesser": str(toys.guesser), **settings}
    folder = trained if isinstance(trained, Path) else trained.folder
    return neural.build(str(folder), given)


def views(toys: Toys) -> list[View]:
    """The validation games before each of their questions."""
    return [
        View(game.id, key(game.id, turns), played.transcript.turns[:turns], game.scene)
        for played in toys.data.valid[:12]
        for game in [played.game]
        for turns in range(len(played.transcript.turns))
    ]


def alphabetical(game: GuessWhat) -> list[str]:
    return [f"is it a {thing.category} ?" for thing in game.scene.things]


def test_it_asks_what_people_ask_and_wins(trained: Trained, toys: Toys) -> None:
    """Far above the third of the games that a guess by chance wins."""
    player = named(trained, toys)
    seats = {"questioner": player, "oracle": resolve("scripted:perfect-oracle").who}
    games = [one.game for one in toys.data.valid]
    rules = Rules(max_turns=2, beliefs=True)
    told = list(play(games, {**seats, "guesser": player}, Playing(rules)))
    won = sum(one.status == "success" for one in told) / len(told)
    assert won > 0.75
    right = sum(
        one.turns[0].question == alphabetical(game)[0]
        for one, game in zip(told, games, strict=True)
    )
    assert right / len(told) > 0.8
    for one, game in zip(told, games, strict=True):
        assert len(one.turns) == 2  # it never stops by itself
        for turn in one.turns:
            assert turn.belief is not None
            assert len(turn.belief.probabilities) == len(game.scene.things)
            assert sum(turn.belief.probabilities) == pytest.approx(1)


@pytest.mark.parametrize("how", ["greedy", "sample", "beam:4"])
def test_what_it_asks_does_not_depend_on_the_batch(trained: Trained, toys: Toys, how: str) -> None:
    whole = named(trained, toys, decode=how).ask(views(toys))
    small = named(trained, toys, decode=how, batch=3).ask(views(toys)[::-1])
    assert small[::-1] == whole
    assert all(isinstance(question, str) and question for question in whole)


def test_a_question_is_cut_after_so_many_words(trained: Trained, toys: Toys) -> None:
    asked = named(trained, toys, max_words=2).ask(views(toys))
    assert {len(toys.vocabulary.encode(question)) for question in asked} == {2}


@pytest.mark.parametrize(("state", "size"), [("lstm", 32), ("visual", 24), ("regions", 4)])
def test_it_shows_its_state_after_the_last_answer(
    trained: Trained, toys: Toys, state: str, size: int
) -> None:
    player = named(trained, toys, state=state, batch=5)
    found = player.state(views(toys))
    assert found.shape == (len(views(toys)), size)
    model = player._vdst
    for place in (0, 3, -1):
        view = views(toys)[place]
        assert view.scene is not None
        told = [heard(view.turns, toys.vocabulary, view.game)]
        with torch.no_grad():
            standing = model.standing(told, toys.regions.of([view.scene.id], [view.game]))
        expected = {
            "lstm": standing.hidden,
            "visual": standing.visual,
            "regions": standing.chances,
        }[state]
        np.testing.assert_allclose(found[place], expected[0].numpy(), rtol=1e-4, atol=1e-5)
    assert player.state([]).size == 0


def test_the_weights_of_the_regions_move_with_the_answers(trained: Trained, toys: Toys) -> None:
    """Even at first, and differently after a Yes and after a No."""
    player = named(trained, toys, state="regions", guesser="none")
    game = toys.data.valid[0].game
    asked = alphabetical(game)[0]
    turns = [(), (Turn(asked, "Yes"),), (Turn(asked, "No"),)]
    start, yes, no = player.state([View(game.id, 1, told, game.scene) for told in turns])
    np.testing.assert_allclose(start, 0.25, rtol=1e-6)
    for weights in (yes, no):
        assert weights.sum() == pytest.approx(1, abs=1e-5)
        assert not np.allclose(weights, start, atol=1e-3)
    assert not np.allclose(yes, no, atol=1e-3)


def test_it_believes_what_its_guesser_believes(trained: Trained, toys: Toys) -> None:
    player, guesser = named(trained, toys), neural.build(str(toys.guesser), {})
    assert isinstance(player, VDSTPlayer)
    assert player.believe(views(toys)) == guesser.believe(views(toys))  # type: ignore[attr-defined]
    assert "guesser weights" in player.version


def test_without_a_guesser_it_does_not_guess(trained: Trained, toys: Toys) -> None:
    player = named(trained, toys, guesser="none")
    assert type(player) is Questioner
    assert not hasattr(player, "believe")
    assert player.ask(views(toys)) == named(trained, toys).ask(views(toys))


def test_without_regions_it_says_how_to_give_them(trained: Trained, toys: Toys) -> None:
    with pytest.raises(UsageError, match=r"sees 4 regions of 5 numbers: give features=F"):
        named(trained, toys, features="")


def test_other_regions_than_it_was_trained_on_are_refused(
    trained: Trained, toys: Toys, tmp_path: Path
) -> None:
    write_devries(tmp_path / "more.h5", [1], np.ones((1, 6, 5), np.float32))
    with pytest.raises(DataError, match=r"6 regions of 5 numbers.*expected 4 of 5"):
        named(trained, toys, features=str(tmp_path / "more.h5"))


def test_a_missing_image_names_the_game(trained: Trained, toys: Toys) -> None:
    game = toys.data.valid[0].game
    lost = msgspec.structs.replace(game.scene, id="4242")
    with pytest.raises(DataError, match="the game g-lost needs the regions of 4242"):
        named(trained, toys).ask([View("g-lost", 1, (), lost)])


def test_scores_that_are_no_numbers_name_game_and_turn(trained: Trained, toys: Toys) -> None:
    player = named(trained, toys)
    with torch.no_grad():
        player._vdst.matching.score.weight.fill_(torch.nan)
    heard_nothing, heard_one = views(toys)[0], views(toys)[1]
    assert player.ask([heard_nothing])  # before the first answer nothing is matched
    with pytest.raises(SeatError, match=rf"game {heard_one.game}, turn 2: .* no numbers"):
        player.ask([heard_nothing, heard_one])


def test_an_unknown_setting_is_refused(trained: Trained, toys: Toys) -> None:
    with pytest.raises(UsageError, match="colour"):
        named(trained, toys, colour="red")


def test_weights_of_another_model_are_refused(
    toys: Toys, small: VDSTConfig, trained: Trained, tmp_path: Path
) -> None:
    """Another kind, a configuration that the weights do not have, and another vocabulary."""
    found = checkpoint.load(trained.folder)
    with pytest.raises(DataError, match=r"model\.json.*is a vdst.*expected gdse"):
        found.require("gdse")
    more = Vocabulary((*toys.vocabulary.words, "penguin"))
    with pytest.raises(DataError, match=r"model\.json.*vocabulary .*expected the vocabulary"):
        found.require("vdst", more)
    wider = replace(small, visual=30)
    for name, told in {
        "wider": described("vdst", wider, toys.vocabulary),
        "wordier": described("vdst", small, more),
    }.items():
        checkpoint.save(tmp_path / name, VDST(small, len(toys.vocabulary)), told)
        with pytest.raises(DataError, match=r"model\.safetensors.*has the shape"):
            named(tmp_path / name, toys)
