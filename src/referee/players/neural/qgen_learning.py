"""How the QGen learns from people: what they asked, word by word, in whole successful dialogues (facts 2.4).

The loss is the cross entropy of the words of the questions and of <stop_dialogue>; the answers are heard
and not learned. It is divided as in the code by all words but the answers and one, which is one too many
for every game of a batch but the first: of 32 games of 30 such words each some 3 % too much. Validation
counts what is learned exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from referee.players.neural.asking import Pictures
from referee.players.neural.batches import Texts, heard, texts
from referee.players.neural.examples import Examples, Played
from referee.players.neural.qgen import QGen
from referee.players.neural.training import Cost, Task
from referee.players.neural.vocabulary import NO, NOT_APPLICABLE, PADDING, YES, Vocabulary

_HEARD = (PADDING, YES, NO, NOT_APPLICABLE)


def asked(words: Int[Tensor, "text time"]) -> Bool[Tensor, "text time"]:
    """Which words the questioner says: all but the answers and the padding."""
    marks = torch.tensor(_HEARD, device=words.device)
    return ~torch.isin(words, marks)


class Spoken:
    """The dialogues of some games as rows of words, each with its picture."""

    def __init__(self, vocabulary: Vocabulary, games: Sequence[Played]) -> None:
        self.rows = [
            heard(played.transcript.turns, vocabulary, played.game.id).words() for played in games
        ]
        self.images = [played.game.scene.id for played in games]
        self.games = [played.game.id for played in games]

    @property
    def learned(self) -> int:
        """The words that there are to learn."""
        return sum(word not in _HEARD for row in self.rows for word in row[1:])


class QGenTask(Task):
    """The cross entropy of what people asked; chosen by that of the validation games, in nats a word."""

    watch = "nats"

    def __init__(
        self, module: QGen, vocabulary: Vocabulary, data: Examples, images: Pictures
    ) -> None:
        self.module = self.model = module
        self._train = Spoken(vocabulary, data.train)
        self._valid = Spoken(vocabulary, data.valid)
        self._images = images
        # Figures are sums over words that are divided by the games.
        self._share = len(self._valid.rows) / max(self._valid.learned, 1)

    def items(self, epoch: int) -> int:
        """The games."""
        del epoch
        return len(self._train.rows)

    def length(self, place: int) -> float:
        """The words of a dialogue."""
        return len(self._train.rows[place])

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """The summed cross entropy of some games, and the code's count of their words."""
        del epoch
        logits, targets, told = self._scores(self._train, places)
        answers = int(torch.isin(told.tokens, torch.tensor(_HEARD[1:])).sum())
        nats = torch.nn.functional.cross_entropy(logits, targets, reduction="sum")
        return Cost(nats, int(told.lengths.sum()) - answers - 1)

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._valid.rows)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """A word's cross entropy in nats, and the share of words that were not the likeliest."""
        logits, targets, _ = self._scores(self._valid, places)
        nats = torch.nn.functional.cross_entropy(logits, targets, reduction="sum")
        wrong = (logits.argmax(dim=1) != targets).sum()
        return {"nats": float(nats) * self._share, "error": float(wrong) * self._share}

    def _scores(self, spoken: Spoken, places: Sequence[int]) -> tuple[Tensor, Tensor, Texts]:
        """The scores before each learned word, those words, and the dialogues (on the CPU)."""
        device = self.model.next.weight.device
        told = texts([spoken.rows[place] for place in places])
        names = [spoken.games[place] for place in places]
        images = self._images.of([spoken.images[place] for place in places], names).to(device)
        words = told.tokens.to(device)
        states = self.model.read(Texts(words[:, :-1], told.lengths - 1), images)
        learned = asked(words[:, 1:])
        return self.model.next(states[learned]), words[:, 1:][learned], told
