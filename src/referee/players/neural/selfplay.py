"""Games inside training: a network asks, a frozen oracle answers, a guesser guesses, all games in lockstep.

The rules are those of `games.guesswhat`, whose reducer every game goes through; what stands here is only
how the networks are asked. Reducer and texts take some 30 µs a game of five questions, a fiftieth of
what even the tiny networks take, so that nothing would be gained by a second copy of the rules.

Each network has its own vocabulary. Between two of the same words the numbers are handed on; else a
question travels as text, and its words are numbered anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor, nn

from referee.errors import SeatError
from referee.games import ANSWERS, Answer, Ask, Event, Guess, GuessWhat, Scene, Stop, guesswhat
from referee.games.refusal import Refusal
from referee.players.decoding import Decode
from referee.players.neural.asking import Pictures, QuestionModel, Stopping, limits, stopped
from referee.players.neural.batches import Categories, Heard, Objects, Seen, objects, seen, texts
from referee.players.neural.decoding import NoNumbers, generate
from referee.players.neural.oracle import Oracle, Things
from referee.players.neural.vocabulary import SAID, Vocabulary
from referee.randomness import mix

GuessModel: TypeAlias = Callable[[Sequence[Heard], Objects, Tensor | None], Tensor]
"""From dialogues, candidates and images to log probabilities [game, object]: a `Guesser`, or GDSE's."""

Marked = tuple[list[int], int]
"""A question's words and the mark of its answer."""

_GREEDY, _COCO = Decode("greedy"), Categories()


@dataclass(frozen=True)
class Asks:
    """Who asks, and how."""

    model: QuestionModel
    vocabulary: Vocabulary
    images: Pictures | None = None
    how: Decode = _GREEDY
    longest: int = 12
    """Words after which a question is cut."""
    stop: Stopping = "dialogue"


@dataclass(frozen=True)
class Answers:
    """Who answers."""

    model: Oracle
    vocabulary: Vocabulary
    images: Pictures | None = None
    crops: Pictures | None = None


@dataclass(frozen=True)
class Guesses:
    """Who guesses."""

    model: GuessModel
    vocabulary: Vocabulary
    images: Pictures | None = None
    categories: Categories = _COCO


@dataclass(frozen=True)
class Deal:
    """A game to play; what is drawn in it follows from the key."""

    game: GuessWhat
    key: int


@dataclass
class Table:
    """A game that is being played."""

    deal: Deal
    state: guesswhat.State
    turns: list[Marked] = field(default_factory=list)
    """In the questioner's words."""
    asked: list[int] = field(default_factory=list)
    """The question that waits for its answer."""
    about: list[NDArray[np.int8]] = field(default_factory=list)
    """The answers to each question about every thing, as places in `ANSWERS`, where they were wanted."""
    unfinished: list[int] = field(default_factory=list)
    """What ended the dialogue: <stop_dialogue>, and what was begun before it."""

    @property
    def won(self) -> bool:
        """Whether the guess was right."""
        return self.state.status == "success"

    @property
    def heard(self) -> Heard:
        """The dialogue in the questioner's words."""
        return Heard(tuple(self.turns))

    @property
    def words(self) -> list[int]:
        """Every word of the dialogue, from <start> to what ended it."""
        return [*self.heard.words(end=False), *self.unfinished]

    def happen(self, event: Event) -> None:
        """The game after an event; what the rules refuse is an error."""
        found = guesswhat.apply(self.state, event)
        if isinstance(found, Refusal):
            raise self.error(found.reason)
        self.state = found

    def error(self, reason: str) -> SeatError:
        """What went wrong, with the game and the turn."""
        return SeatError(f"game {self.deal.game.id}, turn {len(self.turns) + 1}: {reason}")


class SelfPlay:
    """Plays games with networks; `everything` asks the oracle about all things, not only the target.

    Without a guesser the games end before the guess.
    """

    def __init__(
        self,
        questioner: Asks,
        oracle: Answers,
        guesser: Guesses | None,
        rules: guesswhat.Rules,
        *,
        everything: bool = False,
    ) -> None:
        self._asks, self._answers, self._guesses = questioner, oracle, guesser
        self._rules = rules
        self._everything = everything
        self._limits = limits(
            questioner.model, questioner.vocabulary, questioner.longest, questioner.stop
        )
        self._oracle_words = Translation(questioner.vocabulary, oracle.vocabulary)
        self._guesser_words = Translation(questioner.vocabulary, (guesser or questioner).vocabulary)
        self._seen: dict[tuple[str, Categories], tuple[Scene, Seen]] = {}

    @torch.no_grad()
    def play(self, deals: Sequence[Deal]) -> list[Table]:
        """The games, played to their end."""
        if not deals:
            return []
        tables = [Table(deal, guesswhat.start(deal.game, self._rules)) for deal in deals]
        members = (self._asks.model, self._answers.model, self._guesses and self._guesses.model)
        with _as_they_play(*members):
            shown = self._objects(tables, self._asks.model.categories, _device(self._asks.model))
            images = self._images(self._asks.images, tables, shown.mask.device)
            looked = self._look(tables)
            while places := _due(tables, "questioner"):
                self._ask(tables, places, shown, images)
                self._answer(tables, _due(tables, "oracle"), *looked)
            if self._guesses is not None:
                self._guess([tables[place] for place in _due(tables, "guesser")], self._guesses)
        return tables

    def _ask(
        self, tables: list[Table], places: list[int], shown: Objects, images: Tensor | None
    ) -> None:
        asks = self._asks
        asking = [tables[place] for place in places]
        kept = torch.tensor(places, device=shown.mask.device)
        some = Objects(shown.categories[kept], shown.spatial[kept], shown.mask[kept])
        told = [table.heard for table in asking]
        keys = [mix(table.deal.key, len(table.turns)) for table in asking]
        last, memory = asks.model.open(told, some, None if images is None else images[kept])
        try:
            rows = generate(asks.model.step, last, memory, asks.how, self._limits, keys)
        except NoNumbers as error:
            what = "the network's scores of the next word are no numbers"
            raise asking[error.row].error(what) from None
        for table, row in zip(asking, rows, strict=True):
            if stopped(row):
                table.happen(Stop())
                table.unfinished = row
            else:
                table.happen(Ask(asks.vocabulary.decode(row)))
                table.asked = row

    def _look(self, tables: Sequence[Table]) -> tuple[Float[Tensor, "thing first"], list[int]]:
        """What the oracle makes of the things that it may be asked about, and where each game's begin."""
        oracle, games = self._answers, [table.deal.game for table in tables]
        spans = [
            range(len(game.scene.things)) if self._everything else [game.target_index]
            for game in games
        ]
        starts = np.cumsum([0, *map(len, spans)]).tolist()
        pairs = [(game, place) for game, span in zip(games, spans, strict=True) for place in span]
        names = [game.id for game, _ in pairs]
        seen_ = [(self._look_at(game, oracle.model.config.categories), n) for game, n in pairs]
        image, crop = oracle.images, oracle.crops
        things = Things(
            torch.tensor([look.categories[n] for look, n in seen_], dtype=torch.long),
            torch.from_numpy(np.stack([look.spatial[n] for look, n in seen_])),
            None if image is None else image.of([game.scene.id for game, _ in pairs], names),
            None if crop is None else crop.of([it.scene.things[n].id for it, n in pairs], names),
        )
        return oracle.model.look(things.to(_device(oracle.model))), starts

    def _answer(
        self,
        tables: list[Table],
        places: list[int],
        looked: Float[Tensor, "thing first"],
        starts: list[int],
    ) -> None:
        """The likeliest answers; each distinct question is read once."""
        if not places:
            return
        asked = [tables[place] for place in places]
        translated = [tuple(self._oracle_words(table.asked)) for table in asked]
        distinct = {question: number for number, question in enumerate(dict.fromkeys(translated))}
        oracle = self._answers.model
        rows = [list(question[: oracle.config.longest]) for question in distinct]
        read = oracle.read(texts(rows, looked.device))
        spans = [range(starts[place], starts[place + 1]) for place in places]
        which = [distinct[text] for text, span in zip(translated, spans, strict=True) for _ in span]
        scores = oracle.judge(read[which] + looked[[thing for span in spans for thing in span]])
        chances = scores.probabilities().cpu().numpy()
        ends = np.cumsum([0, *map(len, spans)]).tolist()
        for table, (start, end) in zip(asked, pairwise(ends), strict=True):
            self._hear(table, chances[start:end])

    def _hear(self, table: Table, chances: NDArray[np.floating]) -> None:
        if not np.isfinite(chances).all():
            raise table.error("the oracle's scores are no numbers")
        likely = chances.argmax(axis=1).astype(np.int8)
        if self._everything:
            table.about.append(likely)
        answer = ANSWERS[likely[table.deal.game.target_index if self._everything else 0]]
        table.happen(Answer(answer))
        table.turns.append((table.asked, SAID[answer]))

    def _guess(self, tables: list[Table], guesses: Guesses) -> None:
        if not tables:
            return
        words = self._guesser_words
        told = [Heard(tuple((words(said), mark) for said, mark in it.turns)) for it in tables]
        shown = self._objects(tables, guesses.categories, _device(guesses.model))
        images = self._images(guesses.images, tables, shown.mask.device)
        found = guesses.model(told, shown, images).masked_fill(~shown.mask, -torch.inf)
        chances = found.exp().sum(dim=1)
        for table, place, total in zip(
            tables, found.argmax(dim=1).tolist(), chances.tolist(), strict=True
        ):
            if not total > 0:  # which NaN is not either
                raise table.error("the guesser's scores are no numbers")
            table.happen(Guess(table.deal.game.scene.things[place].id))

    def _objects(
        self, tables: Sequence[Table], categories: Categories, device: torch.device
    ) -> Objects:
        return objects([self._look_at(table.deal.game, categories) for table in tables], device)

    def _look_at(self, game: GuessWhat, categories: Categories) -> Seen:
        place = (game.scene.id, categories)
        scene, known = self._seen.get(place, (None, None))
        if known is None or scene is not game.scene:
            known = seen(game.scene, categories, game.id)
            self._seen[place] = (game.scene, known)
        return known

    @staticmethod
    def _images(
        images: Pictures | None, tables: Sequence[Table], device: torch.device
    ) -> Tensor | None:
        if images is None:
            return None
        games = [table.deal.game for table in tables]
        return images.of([it.scene.id for it in games], [it.id for it in games]).to(device)


class Translation:
    """From the numbers of one vocabulary to those of another."""

    def __init__(self, source: Vocabulary, target: Vocabulary) -> None:
        self._source, self._target = source, target
        self._same = source.words == target.words
        self._known: dict[tuple[int, ...], list[int]] = {}

    def __call__(self, words: list[int]) -> list[int]:
        """A question in the other numbers."""
        if self._same:
            return words
        found = self._known.get(tuple(words))
        if found is None:
            found = self._known[tuple(words)] = self._target.question(self._source.decode(words))
        return found


@contextmanager
def _as_they_play(*members: object) -> Iterator[None]:
    """Without dropout; afterwards each network is as it was."""
    networks = [it for it in members if isinstance(it, nn.Module)]
    training = [it.training for it in networks]
    try:
        for network in networks:
            network.eval()
        yield
    finally:
        for network, was in zip(networks, training, strict=True):
            network.train(was)


def _due(tables: Sequence[Table], seat: str) -> list[int]:
    return [n for n, table in enumerate(tables) if guesswhat.whose_turn(table.state) == seat]


def _device(network: object) -> torch.device:
    if isinstance(network, nn.Module):
        return next(network.parameters()).device
    return torch.device("cpu")
