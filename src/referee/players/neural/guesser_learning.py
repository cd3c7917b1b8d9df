"""How a guesser learns: from whole successful dialogues, one sample a game (facts 2.3).

With the loss `mtl-kl` also from the soft labels of first turns (`soft_targets`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from referee.players.neural.asking import Pictures
from referee.players.neural.batches import Heard, Objects, Seen, heard, objects, seen
from referee.players.neural.examples import Examples, Played
from referee.players.neural.guesser import Guesser, best
from referee.players.neural.soft_targets import Objective, divergence, one_hot, soft_targets
from referee.players.neural.training import Cost, Task
from referee.players.neural.vocabulary import Vocabulary


class Dialogues:
    """Some games in numbers: what was said, what there was to guess, and what was right."""

    def __init__(self, model: Guesser, vocabulary: Vocabulary, games: Sequence[Played]) -> None:
        self.heard: list[Heard] = []
        self.seen: list[Seen] = []
        self.targets: list[int] = []
        self.images: list[str] = []
        self.games: list[str] = []
        for played in games:
            game = played.game
            self.heard.append(heard(played.transcript.turns, vocabulary, game.id))
            self.seen.append(seen(game.scene, model.config.categories, game.id))
            self.targets.append(game.target_index)
            self.images.append(game.scene.id)
            self.games.append(game.id)

    def __len__(self) -> int:
        return len(self.heard)


class GuesserTask(Task):
    """The guesser's own cost (cross entropy, or the tracking loss), or KL to one-hots and soft labels.

    The best epoch is that of the smallest share of wrong guesses after whole dialogues.
    """

    def __init__(
        self,
        module: Guesser,
        vocabulary: Vocabulary,
        data: Examples,
        images: Pictures | None = None,
        objective: Objective | None = None,
    ) -> None:
        self.module = self.model = module
        self._train = Dialogues(module, vocabulary, data.train)
        self._valid = Dialogues(module, vocabulary, data.valid)
        self._images = images
        self._objective = objective or Objective()
        self._soft = None
        if self._objective.loss == "mtl-kl":
            self.losses = 2
            self._soft = soft_targets(data.train, self._objective.aux)

    def items(self, epoch: int) -> int:
        """The games."""
        del epoch
        return len(self._train)

    def length(self, place: int) -> float:
        """The words of a dialogue."""
        return len(self._train.heard[place].words())

    def cost(self, places: Sequence[int], epoch: int) -> Cost | tuple[Cost, Cost]:
        """The summed cost of some games, and with soft labels that of their first turns."""
        if self._soft is None:
            return self._of_targets(places)
        nothing = Cost(torch.zeros((), device=self._device), 0)
        teaches = self._objective
        return (
            self._of_targets(places) if teaches.teaches_target(epoch) else nothing,
            self._of_labels(places) if teaches.teaches_labels(epoch) else nothing,
        )

    def _of_targets(self, places: Sequence[int]) -> Cost:
        """The cost of the targets after whole dialogues."""
        told, candidates, targets, images = self._batch(self._train, places)
        if self._objective.loss == "ce":
            return Cost(self.model.cost(told, candidates, targets, images).sum(), len(places))
        found: Tensor = self.model(told, candidates, images)
        lost = divergence(found, one_hot(targets, found), candidates.mask).sum()
        return Cost(lost, len(places) * self._cells)

    def _of_labels(self, places: Sequence[int]) -> Cost:
        """The weighted cost of the soft labels after first turns, of the games that have one."""
        soft = self._soft
        taught = [place for place in places if soft and soft.labels[place] is not None]
        if soft is None or not taught:
            return Cost(torch.zeros((), device=self._device), 0)
        told, candidates, _, images = self._batch(self._train, taught)
        first = [Heard(heard.turns[:1]) for heard in told]
        found: Tensor = self.model(first, candidates, images)
        wanted = soft.of(taught, found.shape[1], self._device)
        lost = divergence(found, wanted, candidates.mask).sum()
        return Cost(self._objective.weight * lost, len(taught) * self._cells)

    @property
    def _cells(self) -> int:
        """By how many numbers a game a KL is a mean over; the published code pads to its slots."""
        return self.model.config.slots if self._objective.reduction == "cells" else 1

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._valid)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Wrong guesses, and cross entropies in nats."""
        told, candidates, targets, images = self._batch(self._valid, places)
        found: Tensor = self.model(told, candidates, images)
        wrong = (best(found) != targets).sum()
        nats = -found.gather(1, targets[:, None]).sum()
        return {"error": float(wrong), "nats": float(nats)}

    def _batch(
        self, games: Dialogues, places: Sequence[int]
    ) -> tuple[list[Heard], Objects, Tensor, Tensor | None]:
        device = self._device
        told = [games.heard[place] for place in places]
        shown = [games.seen[place] for place in places]
        targets = torch.tensor([games.targets[place] for place in places], device=device)
        names = [games.games[place] for place in places]
        images = None
        if self._images is not None:
            images = self._images.of([games.images[place] for place in places], names).to(device)
        return told, objects(shown, device), targets, images
