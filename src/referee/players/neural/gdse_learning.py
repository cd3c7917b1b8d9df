"""How GDSE learns from people: to ask what they asked next, and now and then to guess (GDSE-SL, facts 2.6).

Of a successful game with at most ten questions every prefix is a sample, whose target is the question
that follows, and the whole is one more, whose target is the guess. Every epoch teaches the QGen; each
`modulo`-th one the guesser too (and the decider, where there is one), and only those may be the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float
from msgspec import Struct
from torch import Tensor

from referee.errors import DataError
from referee.players.neural.asking import Pictures
from referee.players.neural.batches import objects, texts
from referee.players.neural.examples import Examples, Played
from referee.players.neural.gdse import GDSE, Prefix
from referee.players.neural.guesser import best
from referee.players.neural.guesser_learning import Dialogues
from referee.players.neural.training import Cost, Task
from referee.players.neural.vocabulary import Vocabulary


class Schedule(Struct, frozen=True):
    """Which epoch teaches what, what is drawn as one item, and how long the games of CL are."""

    modulo: int = 7
    """SL: every such epoch teaches the guesser too. CL: every such epoch is supervised, the others play."""
    whole_games: bool = False
    """Whether the samples of a game stay together: then its dialogue is read once for all of them.

    Published is one sample an item. A batch of the plan counts items, of either kind.
    """
    questions: int = 10
    """CL: the questions of a game."""
    words: int = 30
    """CL: words after which a question is cut."""


class Samples:
    """The samples of some games: prefixes with the question that follows, whole dialogues with the guess."""

    def __init__(
        self,
        model: GDSE,
        vocabulary: Vocabulary,
        games: Sequence[Played],
        images: Pictures,
        *,
        whole_games: bool,
    ) -> None:
        config = model.config
        kept = [
            played
            for played in games
            if len(played.transcript.turns) <= config.turns
            and len(played.game.scene.things) <= config.guesser.slots
        ]
        if not kept:
            what = f"at most {config.turns} questions and {config.guesser.slots} objects"
            raise DataError("no game to learn from is left", expected=f"games with {what}")
        self._model = model
        self._images = images
        self.games = Dialogues(model.guesser, vocabulary, kept)
        self.turns = [len(heard.turns) for heard in self.games.heard]
        of_game = [[(place, n) for n in range(turns + 1)] for place, turns in enumerate(self.turns)]
        self.items: list[list[Prefix]] = (
            of_game if whole_games else [[prefix] for each in of_game for prefix in each]
        )

    def of(self, places: Sequence[int]) -> tuple[list[Prefix], list[Prefix]]:
        """The samples of some items: those with a question to ask, and those with a guess to make."""
        prefixes = [prefix for place in places for prefix in self.items[place]]
        asking = [prefix for prefix in prefixes if prefix[1] < self.turns[prefix[0]]]
        guessing = [prefix for prefix in prefixes if prefix[1] == self.turns[prefix[0]]]
        return asking, guessing

    def losses(self, asking: Sequence[Prefix], guessing: Sequence[Prefix]) -> Losses:
        """What the words asked next and the guesses cost; at least one sample is given."""
        model, games, count = self._model, self.games, len(asking)
        seen = self.images([*asking, *guessing])
        states = model.states(games.heard, [*asking, *guessing], seen)
        words = guesses = torch.zeros(0, device=seen.device)
        wrong = torch.zeros(0, dtype=torch.bool, device=seen.device)
        if asking:
            longest = model.config.longest
            wanted = [games.heard[place].turns[n][0][:longest] for place, n in asking]
            words = model.qgen.nats(states[:count], seen[:count], texts(wanted, seen.device))
        if guessing:
            places = [place for place, _ in guessing]
            shown = objects([games.seen[place] for place in places], seen.device)
            targets = torch.tensor([games.targets[place] for place in places], device=seen.device)
            found = model.guess(states[count:], shown)
            guesses = -found.gather(1, targets[:, None])[:, 0]
            wrong = best(found) != targets
        return Losses(words, guesses, wrong, self._decisions(states, count))

    def images(self, prefixes: Sequence[Prefix]) -> Float[Tensor, "prefix image"]:
        """The image of each sample's game, read once for all samples of a game."""
        rows: dict[int, int] = {}
        places = [rows.setdefault(place, len(rows)) for place, _ in prefixes]
        names = [self.games.images[place] for place in rows]
        found = self._images.of(names, [self.games.games[place] for place in rows])
        return found[places].to(next(self._model.parameters()).device)

    def _decisions(self, states: Float[Tensor, "sample size"], asking: int) -> Tensor:
        """The decider's cross entropies; none where there is no decider."""
        if not self._model.config.guesser.decider:
            return states.new_zeros(0)
        decided = self._model.guesser.decider(states)
        wanted = (torch.arange(len(states), device=states.device) >= asking).long()
        return torch.nn.functional.cross_entropy(decided, wanted, reduction="none")


class Losses(Struct, frozen=True):
    """Cross entropies in nats: of every word, of every guess, and of every decision to ask or guess."""

    words: Tensor
    guesses: Tensor
    wrong: Tensor
    """Which guesses are wrong."""
    decisions: Tensor

    def costs(self) -> tuple[Cost, Cost, Cost]:
        """Each with its own mean."""
        words, guesses, decisions = (
            Cost(each.sum(), len(each)) for each in (self.words, self.guesses, self.decisions)
        )
        return words, guesses, decisions


class SupervisedTask(Task):
    """GDSE-SL; chosen by the share of wrong guesses at the end of the validation dialogues."""

    losses = 3

    def __init__(
        self,
        module: GDSE,
        vocabulary: Vocabulary,
        data: Examples,
        images: Pictures,
        schedule: Schedule,
    ) -> None:
        self.module = module
        self._schedule = schedule
        self._train = Samples(
            module, vocabulary, data.train, images, whole_games=schedule.whole_games
        )
        self._valid = Samples(module, vocabulary, data.valid, images, whole_games=True)
        words = sum(
            len(question[: module.config.longest])
            for heard in self._valid.games.heard
            for question, _ in heard.turns
        )
        self._words_a_game = words / len(self._valid.games)

    def guessing(self, epoch: int) -> bool:
        """Whether an epoch teaches the guesser."""
        return epoch % self._schedule.modulo == 0

    def eligible(self, epoch: int) -> bool:
        """An epoch that taught the guesser may be the best."""
        return self.guessing(epoch)

    def items(self, epoch: int) -> int:
        """The samples, or games."""
        del epoch
        return len(self._train.items)

    def length(self, place: int) -> float:
        """The words of the longest prefix of an item."""
        game, turns = self._train.items[place][-1]
        return sum(len(question) + 1 for question, _ in self._train.games.heard[game].turns[:turns])

    def cost(self, places: Sequence[int], epoch: int) -> tuple[Cost, Cost, Cost]:
        """Words, guesses and decisions; in most epochs words only."""
        asking, guessing = self._train.of(places)
        if self.guessing(epoch):
            return self._train.losses(asking, guessing).costs()
        if asking:
            words, _, _ = self._train.losses(asking, []).costs()
        else:
            words = Cost(torch.zeros(()), 0)
        return words, Cost(torch.zeros(()), 0), Cost(torch.zeros(()), 0)

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._valid.items)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Wrong guesses, nats a guess, and nats a word of the questions."""
        found = self._valid.losses(*self._valid.of(places))
        return {
            "error": float(found.wrong.sum()),
            "nats": float(found.guesses.sum()),
            "word_nats": float(found.words.sum()) / self._words_a_game,
        }
