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
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from referee.errors import SeatError
from referee.games import ANSWERS, Answer, Ask, Event, Guess, GuessWhat, Stop, guesswhat
from referee.games.refusal import Refusal
from referee.players.decoding import Decode
from referee.players.neural.answering import (
    Answering,
    Answers,
    Asked,
    Chances,
    Opened,
    Translation,
    device,
)
from referee.players.neural.asking import Pictures, QuestionModel, Stopping, limits, stopped
from referee.players.neural.batches import Categories, Heard, Looks, Objects, objects
from referee.players.neural.decoding import NoNumbers, generate
from referee.players.neural.vocabulary import SAID, Vocabulary
from referee.randomness import mix

GuessModel: TypeAlias = Callable[[Sequence[Heard], Objects, Tensor | None], Tensor]
"""From dialogues, candidates and images to log probabilities [game, object]: a `Guesser`, or GDSE's."""

Marked = tuple[list[int], int]
"""A question's words and the mark of its answer."""

_ORACLE = 1
"""What sets the oracle's draws off from the questioner's of the same turn."""
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

    def question(self, place: int) -> Asked:
        """The question that waits, for the oracle that knows the game by this place."""
        drawn = mix(mix(self.deal.key, len(self.turns)), _ORACLE)
        asking = self.state.events[-1]
        assert isinstance(asking, Ask)  # noqa: S101 (the rules: what is answered was just asked)
        return Asked(place, self.asked, asking.text, self.state, drawn)

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
        oracle: Answering,
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
        self._guesser_words = Translation(questioner.vocabulary, (guesser or questioner).vocabulary)
        self._seen: dict[Categories, Looks] = {}

    @torch.no_grad()
    def play(self, deals: Sequence[Deal]) -> list[Table]:
        """The games, played to their end."""
        if not deals:
            return []
        tables = [Table(deal, guesswhat.start(deal.game, self._rules)) for deal in deals]
        oracle = self._answers.model if isinstance(self._answers, Answers) else None
        members = (self._asks.model, oracle, self._guesses and self._guesses.model)
        with _as_they_play(*members):
            shown = self._objects(tables, self._asks.model.categories, device(self._asks.model))
            images = self._images(self._asks.images, tables, shown.mask.device)
            opened = self._open(tables)
            while places := _due(tables, "questioner"):
                self._ask(tables, places, shown, images)
                self._answer(tables, _due(tables, "oracle"), opened)
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

    def _open(self, tables: Sequence[Table]) -> Opened:
        games = [table.deal.game for table in tables]
        spans = [
            range(len(game.scene.things))
            if self._everything
            else range(game.target_index, game.target_index + 1)
            for game in games
        ]
        return self._answers.open(games, spans, self._asks.vocabulary)

    def _answer(self, tables: list[Table], places: list[int], oracle: Opened) -> None:
        """The likeliest answers."""
        if not places:
            return
        asked = [tables[place].question(place) for place in places]
        for each, chances in zip(asked, oracle.answer(asked), strict=True):
            self._hear(tables[each.place], chances)

    def _hear(self, table: Table, chances: Chances) -> None:
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
        shown = self._objects(tables, guesses.categories, device(guesses.model))
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
        self, tables: Sequence[Table], categories: Categories, where: torch.device
    ) -> Objects:
        looks = self._seen.setdefault(categories, Looks(categories))
        return objects(
            [looks.of(table.deal.game.scene, table.deal.game.id) for table in tables], where
        )

    @staticmethod
    def _images(
        images: Pictures | None, tables: Sequence[Table], where: torch.device
    ) -> Tensor | None:
        if images is None:
            return None
        games = [table.deal.game for table in tables]
        return images.of([it.scene.id for it in games], [it.id for it in games]).to(where)


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
