"""How an oracle learns: one question and its answer about the target at a time (facts 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from referee.players.neural.batches import answer_mark, seen, texts
from referee.players.neural.classes import AnswerScores
from referee.players.neural.examples import Examples, Played
from referee.players.neural.images import ImageFeatures
from referee.players.neural.oracle import Oracle, Things
from referee.players.neural.training import Cost, Task
from referee.players.neural.vocabulary import Vocabulary


class Asked:
    """The questions of some games, each with the thing that it was about."""

    def __init__(self, model: Oracle, vocabulary: Vocabulary, games: Sequence[Played]) -> None:
        config = model.config
        self.questions: list[list[int]] = []
        self.answers: list[int] = []
        self.target: list[int] = []
        categories, places = [], []
        for number, played in enumerate(games):
            game = played.game
            scene = seen(game.scene, config.categories, game.id)
            categories.append(scene.categories[game.target_index])
            places.append(scene.spatial[game.target_index])
            for turn, said in enumerate(played.transcript.turns):
                answer_mark(said.answer, game.id, turn)  # an answer that is none is refused here
                self.questions.append(vocabulary.question(said.question, config.longest))
                self.answers.append(config.order.column(said.answer))
                self.target.append(number)
        self._categories = torch.from_numpy(np.array(categories, np.int64))
        self._places = torch.from_numpy(np.stack(places))
        self._games = [played.game for played in games]

    def __len__(self) -> int:
        return len(self.questions)

    def things(
        self,
        places: Sequence[int],
        images: ImageFeatures | None = None,
        crops: ImageFeatures | None = None,
    ) -> Things:
        """What some questions were about."""
        rows = [self.target[place] for place in places]
        games = [self._games[row] for row in rows]
        names = [game.id for game in games]
        image = None if images is None else images.of([game.scene.id for game in games], names)
        crop = None if crops is None else crops.of([game.target for game in games], names)
        return Things(self._categories[rows], self._places[rows], image, crop)


class OracleTask(Task):
    """Cross entropy of people's answers; chosen by the share of wrong ones."""

    def __init__(
        self,
        module: Oracle,
        vocabulary: Vocabulary,
        data: Examples,
        images: ImageFeatures | None = None,
        crops: ImageFeatures | None = None,
    ) -> None:
        self.module = self.model = module
        self._train = Asked(module, vocabulary, data.train)
        self._valid = Asked(module, vocabulary, data.valid)
        self._features = (images, crops)

    def items(self, epoch: int) -> int:
        """The questions."""
        del epoch
        return len(self._train)

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """The summed cross entropy of some answers."""
        del epoch
        found, answers = self._scores(self._train, places)
        return Cost(found.cross_entropy(answers).sum(), len(places))

    def valid_items(self) -> int:
        """The questions of the validation games."""
        return len(self._valid)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Wrong answers, and cross entropies in nats."""
        found, answers = self._scores(self._valid, places)
        wrong = (found.logits.argmax(dim=1) != answers).sum()
        return {"error": float(wrong), "nats": float(found.cross_entropy(answers).sum())}

    def _scores(self, asked: Asked, places: Sequence[int]) -> tuple[AnswerScores, Tensor]:
        device = next(self.model.parameters()).device
        questions = texts([asked.questions[place] for place in places], device)
        found: AnswerScores = self.model(
            questions, asked.things(places, *self._features).to(device)
        )
        answers = torch.tensor([asked.answers[place] for place in places], device=device)
        return found, answers
