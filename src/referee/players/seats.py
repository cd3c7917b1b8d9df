"""The seats of the games, and what a player must offer to sit in one.

Every method takes a batch of views and gives one result a view, in order; it may be `async`. A view
holds what its seat may see and no more: nobody but a player that says `privileged = True`, and the
oracle about its own thing, can read the target. Draw randomness from `view.key` only: it depends on
(seed, game, turn, seat), so a result does not depend on who else is in the batch.

    class Questioner:  ask(views)         -> the questions; None where it wants the guess to be made
    class Oracle:      answer(queries)    -> probabilities over Yes, No, N/A, one row a query
    class Guesser:     believe(views)     -> a Belief a view
    class Answerer:    answer(views, n)   -> n Replies' texts a view;  score(views) -> a score an option

An answerer whose `answer` takes `decode` besides is told how to choose (sample, greedy, beam:5), where a
user says so. A player may also have `version`, `settings`, `state(views)` (one vector a view),
`elicit(views, asked)` (how likely each of some attributes is true of the target), `guess(views)` where a
guesser does not simply choose what it holds likeliest, and `spent()` where its
calls cost something.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from referee.games import Belief, Candidate, Cost, Scene, Turn

T = TypeVar("T")
Maybe: TypeAlias = T | Awaitable[T]


class View(Struct, frozen=True, gc=False):
    """What a questioner or a guesser may see of a game."""

    game: str
    key: int
    turns: tuple[Turn, ...]
    scene: Scene | None = None
    """The scene of GuessWhat?!; the questioner and the guesser of GuessWhich see no single picture."""
    pool: tuple[Scene, ...] = ()
    caption: str = ""
    target: str | None = None
    """Filled for players with `privileged = True` only."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What can be guessed, in the game's order."""
        if self.scene is not None:
            things = self.scene.things
            return tuple(Candidate(thing.id, thing.category, thing.box) for thing in things)
        return tuple(Candidate(scene.id, scene.file or scene.id) for scene in self.pool)


class Query(Struct, frozen=True, gc=False):
    """One question to an oracle, about one thing of one scene, which need not be the target."""

    game: str
    key: int
    scene: Scene
    thing: int
    """The place of the thing in the scene."""
    question: str
    turns: tuple[Turn, ...] = ()


class Look(Struct, frozen=True, gc=False):
    """What an answerer may see: the picture, the caption, the dialogue so far, the question, the options."""

    game: str
    key: int
    scene: Scene
    question: str
    caption: str = ""
    turns: tuple[Turn, ...] = ()
    options: tuple[str, ...] = ()


class Said(Struct, frozen=True):
    """One generated answer and its log-likelihood under the answerer (0 where it gives none)."""

    text: str
    log_likelihood: float = 0.0


@runtime_checkable
class Questioner(Protocol):
    """Asks."""

    def ask(self, views: Sequence[View]) -> Maybe[Sequence[str | None]]:
        """The next question of each game, or None where the questioner wants the guess to be made."""


@runtime_checkable
class Oracle(Protocol):
    """Answers yes, no or not applicable about any thing of a scene."""

    def answer(self, queries: Sequence[Query]) -> Maybe[ArrayLike]:
        """Probabilities [query, 3] over `referee.games.ANSWERS`."""


@runtime_checkable
class Guesser(Protocol):
    """Says how likely each candidate is to be the target."""

    def believe(self, views: Sequence[View]) -> Maybe[Sequence[Belief]]:
        """A distribution over the candidates of each game."""


@runtime_checkable
class Answerer(Protocol):
    """Answers open questions about a picture."""

    def answer(self, looks: Sequence[Look], n: int = 1) -> Maybe[Sequence[Sequence[Said]]]:
        """Up to n answers to each question, best first."""


@runtime_checkable
class Scorer(Protocol):
    """Scores given answer options."""

    def score(self, looks: Sequence[Look]) -> Maybe[Sequence[ArrayLike]]:
        """A score for each option of each look; higher is better."""


@runtime_checkable
class Stateful(Protocol):
    """Shows its state, for `grounding`."""

    def state(self, views: Sequence[View]) -> Maybe[NDArray[np.floating]]:
        """One vector a view."""


@runtime_checkable
class Elicited(Protocol):
    """Says after a dialogue what it made of the target, for `grounding` where it shows no state."""

    def elicit(
        self, views: Sequence[View], asked: Sequence[Sequence[str]]
    ) -> Maybe[Sequence[ArrayLike]]:
        """For each view the probability that each attribute asked about is true of the target."""


@runtime_checkable
class Chooser(Protocol):
    """A guesser of GuessWhat?! that points at a candidate itself."""

    def guess(self, views: Sequence[View]) -> Maybe[Sequence[str | None]]:
        """The id of a candidate of each game, or None for the likeliest of what it believes."""


@runtime_checkable
class Spender(Protocol):
    """Knows what its calls cost."""

    def spent(self) -> Sequence[Cost]:
        """Tokens, dollars and parse failures of each result of the last call; the arena adds the times."""
