"""How GDSE's guesser learns from its own games while its QGen learns from people (GDSE-CL, facts 2.6).

It begins with the weights of GDSE-SL. Every `modulo`-th epoch, the first among them, is supervised:
encoder and QGen learn from people's questions. In every other epoch games are played, one about each
image of the training games with a target drawn anew: greedy questions, a frozen oracle's answers. Then
encoder and guesser learn to guess from what was said; what was said has no gradient. (The modulo means
the reverse of what it means in GDSE-SL.) The best epoch is that of most games won on the validation
games, played to the end.

Published are optimisers of their own for encoder, QGen and guesser. Adam keeps account of each number by
itself and leaves alone what got no gradient, so that one over all three takes the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from referee.games.guesswhat import Rules
from referee.players.neural.asking import Pictures
from referee.players.neural.batches import objects, seen
from referee.players.neural.examples import Examples
from referee.players.neural.gameplay import Gameplay
from referee.players.neural.gdse import GDSE
from referee.players.neural.gdse_learning import Samples, Schedule
from referee.players.neural.selfplay import Asks, Guesses, SelfPlay, Table
from referee.players.neural.training import Cost, Task
from referee.players.neural.vocabulary import Vocabulary


class CooperativeTask(Task):
    """GDSE-CL; chosen by the share of validation games that it wins."""

    watch = "success"
    highest = True

    def __init__(
        self,
        module: GDSE,
        vocabulary: Vocabulary,
        data: Examples,
        images: Pictures,
        schedule: Schedule,
        gameplay: Gameplay,
    ) -> None:
        self.module = self._model = module
        self._schedule = schedule
        self._images = images
        self._gameplay = gameplay
        self._samples = Samples(
            module, vocabulary, data.train, images, whole_games=schedule.whole_games
        )
        asks = Asks(module, vocabulary, images, longest=schedule.words, stop="never")
        guesses = Guesses(module.guesser, vocabulary, images, module.categories)
        rules = Rules(schedule.questions)
        self._talk = SelfPlay(asks, gameplay.oracle, None, rules)
        self._games = SelfPlay(asks, gameplay.oracle, guesses, rules)

    def supervised(self, epoch: int) -> bool:
        """Whether an epoch learns from people."""
        return epoch % self._schedule.modulo == 0

    def begin(self, epoch: int) -> None:
        """The oracle goes where the model is."""
        del epoch
        self._gameplay.move(next(self._model.parameters()).device)

    def items(self, epoch: int) -> int:
        """People's samples, or the images."""
        return (
            len(self._samples.items) if self.supervised(epoch) else len(self._gameplay.stage.scenes)
        )

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """What people's questions cost, or the guesses after the model's own."""
        if self.supervised(epoch):
            asking, _ = self._samples.of(places)
            if not asking:
                return Cost(torch.zeros(()), 0)
            return self._samples.losses(asking, []).costs()[0]
        tables = self._talk.play([self._gameplay.deal(it, epoch) for it in places])
        return Cost(self._guesses(tables).sum(), len(tables))

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._gameplay.stage.valid)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Games won, and games in which a question was asked twice."""
        tables = self._games.play([self._gameplay.judged(place) for place in places])
        asked = [[tuple(question) for question, _ in table.turns] for table in tables]
        return {
            "success": float(sum(table.won for table in tables)),
            "repeating": float(sum(len(set(each)) < len(each) for each in asked)),
        }

    def _guesses(self, tables: Sequence[Table]) -> Tensor:
        """The cross entropy of each game's target after what was said."""
        games = [table.deal.game for table in tables]
        device = next(self._model.parameters()).device
        ids = [game.id for game in games]
        images = self._images.of([game.scene.id for game in games], ids).to(device)
        shown = objects([seen(it.scene, self._model.categories, it.id) for it in games], device)
        targets = torch.tensor([game.target_index for game in games], device=device)
        prefixes = [(place, len(table.turns)) for place, table in enumerate(tables)]
        states = self._model.states([table.heard for table in tables], prefixes, images)
        return -self._model.guess(states, shown).gather(1, targets[:, None])[:, 0]
