"""A guesser for GuessWhich that compares what it hears with what is known of every picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from referee.datasets.iconworld.grammar import normalise, nouns
from referee.datasets.iconworld.language import Predicate, parse_open, right_answers
from referee.datasets.iconworld.truth import sight
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.errors import SeatError
from referee.games import Belief, Scene
from referee.players.scripted.guessers import Weights
from referee.players.scripted.settings import Accuracy, Scripted
from referee.players.seats import View


class Listener(Scripted, frozen=True):
    """Holds a picture for likely if it shows what the caption names and would give the same answers.

    From equal chances, each thing that the caption names and each answer counts `accuracy` for the
    pictures that it fits and the rest for the others. Questions that are not understood tell nothing.
    """

    accuracy: Accuracy = 0.9

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The posterior over the pictures of each pool."""
        return [self._posterior(view) for view in views]

    def _posterior(self, view: View) -> Belief:
        pool = view.pool
        if not any(scene.things for scene in pool):
            raise SeatError("nothing is known to be in the pictures of the pool (give --scenes)")
        weights = Weights(len(pool))
        heard = [_shows(named, pool) for named in named_in(view.caption)]
        heard += filter(None, (_would_say(turn.question, turn.answer, pool) for turn in view.turns))
        for fits in heard:
            weights.hear(fits, self.accuracy, 1 - self.accuracy)
        return weights.belief()


@lru_cache(maxsize=4096)
def named_in(caption: str) -> tuple[Predicate, ...]:
    """The kinds of things that a caption names, with the colour that stands right before the name.

    >>> named_in("a red dog and two cats")
    (Predicate(category='dog', colour='red'), Predicate(category='cat'))
    """
    return tuple(dict.fromkeys(_named(normalise(caption).split())))


def _named(words: list[str]) -> Iterator[Predicate]:
    known, colours = nouns(), vocabulary().colours
    before = ""
    place = 0
    while place < len(words):
        for length in (2, 1):
            found = known.get(" ".join(words[place : place + length]))
            if found is not None and place + length <= len(words):
                colour = before if before in colours else ""
                yield replace(Predicate(colour=colour), **{found[0]: found[1]})
                place += length - 1
                break
        before = words[place]
        place += 1


def _shows(named: Predicate, pool: Sequence[Scene]) -> int:
    """The pictures with such a thing, as a mask."""
    return _mask(sight(scene).masks(named)[0] != 0 for scene in pool)


def _would_say(question: str, answer: str, pool: Sequence[Scene]) -> int:
    """The pictures about which the answer would be right, as a mask; 0 where it is not understood."""
    asked = parse_open(question)
    if asked is None:
        return 0
    said = " ".join(answer.lower().split())
    return _mask(said in right_answers(asked, scene) for scene in pool)


def _mask(truths: Iterator[bool]) -> int:
    return sum(1 << place for place, true in enumerate(truths) if true)
