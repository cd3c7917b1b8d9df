"""How a guesser learns: from whole successful dialogues, one sample a game (facts 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from referee.players.neural.batches import Heard, Objects, Seen, heard, objects, seen
from referee.players.neural.examples import Examples, Played
from referee.players.neural.guesser import Guesser, best
from referee.players.neural.images import ImageFeatures
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
    """The guesser's own cost (cross entropy, or the tracking loss); chosen by the share of wrong guesses."""

    def __init__(
        self,
        module: Guesser,
        vocabulary: Vocabulary,
        data: Examples,
        images: ImageFeatures | None = None,
    ) -> None:
        self.module = self.model = module
        self._train = Dialogues(module, vocabulary, data.train)
        self._valid = Dialogues(module, vocabulary, data.valid)
        self._images = images

    def items(self, epoch: int) -> int:
        """The games."""
        del epoch
        return len(self._train)

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """The summed cost of some games."""
        del epoch
        told, candidates, targets, images = self._batch(self._train, places)
        return Cost(self.model.cost(told, candidates, targets, images).sum(), len(places))

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
        device = next(self.model.parameters()).device
        told = [games.heard[place] for place in places]
        shown = [games.seen[place] for place in places]
        targets = torch.tensor([games.targets[place] for place in places], device=device)
        names = [games.games[place] for place in places]
        images = None
        if self._images is not None:
            images = self._images.of([games.images[place] for place in places], names).to(device)
        return told, objects(shown, device), targets, images
