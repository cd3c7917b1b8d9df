"""What GDSE shows of a dialogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import torch

from referee.games import Turn
from referee.players.neural.examples import fresh
from referee.players.neural.gdse import GDSE, GDSEConfig
from referee.players.neural.gdse_player import GDSEPlayer, Given
from referee.players.seats import View

if TYPE_CHECKING:
    from tests.players.neural.gdse.conftest import Toys


KINDS = ("dog", "cat", "bus", "cup", "kite")


def view(toys: Toys, turns: tuple[Turn, ...]) -> View:
    """A game of the toys after these turns."""
    game = toys.data.train[0].game
    return View(game.id, 1, turns, game.scene)


@pytest.mark.parametrize("state", ["shared", "text"])
def test_the_state_is_that_of_the_last_ten_turns(
    toys: Toys, small: GDSEConfig, state: Literal["shared", "text"]
) -> None:
    """The published states are (facts 3.6); what was said before makes no difference, the tenth does."""
    model = fresh(3, lambda: GDSE(small, len(toys.vocabulary))).eval()
    with torch.no_grad():  # so that what was said first is not forgotten after ten turns
        for weights in model.encoder.text.lstm.parameters():
            weights.mul_(8)
    given = Given(state=state)
    player = GDSEPlayer(model, toys.vocabulary, given, toys.images)
    said = tuple(Turn(f"is it a {KINDS[i % 5]} ?", "No" if i % 3 else "Yes") for i in range(13))
    whole, ten, nine = player.state([view(toys, said[-many:]) for many in (13, 10, 9)])
    assert whole.shape == (32,)
    np.testing.assert_allclose(whole, ten, atol=1e-5)
    assert np.abs(ten - nine).max() > 1e-3
