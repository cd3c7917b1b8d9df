"""How VDST learns from people: what they asked, word by word, in successful dialogues (facts 2.7).

The loss is the cross entropy of the words of the questions; how the state of the regions moves is learned
through it alone, as the state decides what is looked at before the next question. The learning rate falls
along half a cosine and is then set back, after periods that grow longer (Loshchilov and Hutter 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi

from msgspec import Struct
from torch import Tensor
from torch.nn import functional

from referee.players.neural.asking import Pictures
from referee.players.neural.batches import Heard, heard
from referee.players.neural.examples import Examples, Played
from referee.players.neural.training import Cost, Plan, Task
from referee.players.neural.vdst import VDST, Followed
from referee.players.neural.vocabulary import Vocabulary


class Restarts(Struct, frozen=True):
    """Half cosines of the learning rate, in epochs.

    That there are restarts is published, and not after how long. The default is the code's setting of one
    epoch for the first period; each is then twice as long as the one before.
    """

    first: int = 1
    longer: int = 2

    def share(self, epochs: float) -> float:
        """What share of the learning rate is left after so many epochs."""
        length = self.first
        while epochs >= length:
            epochs -= length
            length *= self.longer
        return (1 + cos(pi * epochs / length)) / 2


class Asked:
    """The dialogues of some games, each with its picture; of a long one the first questions."""

    def __init__(self, vocabulary: Vocabulary, games: Sequence[Played], turns: int) -> None:
        self.heard: list[Heard] = [
            heard(played.transcript.turns[:turns], vocabulary, played.game.id) for played in games
        ]
        self.images = [played.game.scene.id for played in games]
        self.games = [played.game.id for played in games]
        self.words = sum(len(question) for told in self.heard for question, _ in told.turns)

    def __len__(self) -> int:
        return len(self.heard)


class VDSTTask(Task):
    """The cross entropy of what people asked; chosen by that of the validation games, in nats a word."""

    watch = "nats"

    def __init__(
        self,
        module: VDST,
        vocabulary: Vocabulary,
        data: Examples,
        images: Pictures,
        restarts: Restarts,
    ) -> None:
        self.module = self.model = module
        self._train = Asked(vocabulary, data.train, module.config.turns)
        self._valid = Asked(vocabulary, data.valid, module.config.turns)
        self._images = images
        self._restarts = restarts
        # Figures are sums over words that are divided by the games.
        self._share = len(self._valid) / max(self._valid.words, 1)

    def items(self, epoch: int) -> int:
        """The games."""
        del epoch
        return len(self._train)

    def length(self, place: int) -> float:
        """The words of a dialogue."""
        return len(self._train.heard[place].words())

    def rate_at(self, plan: Plan, epoch: int, done: float) -> float:
        """Along the cosines, step by step."""
        return plan.rate * self._restarts.share(epoch + done)

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """The summed cross entropy of some games' words."""
        del epoch
        logits, followed = self._scores(self._train, places)
        nats = functional.cross_entropy(logits, followed.words, reduction="sum")
        return Cost(nats, len(followed.words))

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._valid)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """A word's cross entropy in nats, and the share of words that were not the likeliest."""
        logits, followed = self._scores(self._valid, places)
        nats = functional.cross_entropy(logits, followed.words, reduction="sum")
        wrong = (logits.argmax(dim=1) != followed.words).sum()
        return {"nats": float(nats) * self._share, "error": float(wrong) * self._share}

    def _scores(self, asked: Asked, places: Sequence[int]) -> tuple[Tensor, Followed]:
        """The scores before each word, and the words."""
        device = self.model.next.weight.device
        names = [asked.games[place] for place in places]
        regions = self._images.of([asked.images[place] for place in places], names).to(device)
        followed = self.model.follow(
            [asked.heard[place] for place in places], self.model.look(regions)
        )
        return self.model.next(followed.states), followed
