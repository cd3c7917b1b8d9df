"""A guesser that hears only some of what is said: of kinds of things that it learned, or of what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from referee.datasets.iconworld.language import Predicate, parse
from referee.datasets.iconworld.parts.attributes import of_thing
from referee.datasets.iconworld.truth import sight
from referee.errors import SeatError
from referee.games import ANSWERS, Belief, Scene
from referee.players.scripted.guessers import BayesGuesser, Weights
from referee.players.seats import View

_KINDS = ("category", "super_category")
_LOOKS = ("colour", "size", "style", "place")


class SelectiveGuesser(BayesGuesser, frozen=True):
    """`BayesGuesser` that is deaf to some questions, as models are that learned by heart.

    - `hears=categories`: it knows COCO's kinds of things by heart, and nothing else. A question for a kind
      moves it among the things of COCO; an unseen thing has no category for it, so that every such
      question tells it as much as none. Where all things are unseen it guesses at random.
    - `hears=attributes`: it goes by colour, size, style and place, which it sees of anything, and never by
      the name of a kind.
    """

    hears: Literal["categories", "attributes"] = "attributes"

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The posterior over the things of each scene, by what it hears."""
        return [self._heard(view).belief() for view in views]

    def elicit(self, views: Sequence[View], asked: Sequence[Sequence[str]]) -> list[list[float]]:
        """How likely each attribute is true of the target: the weight of the things of which it is."""
        found = []
        for view, names, belief in zip(views, asked, self.believe(views), strict=True):
            scene = _scene(view)
            true = [of_thing(thing, scene) for thing in scene.things]
            weights = list(zip(belief.probabilities, true, strict=True))
            found.append(
                [sum(weight for weight, held in weights if name in held) for name in names]
            )
        return found

    def _heard(self, view: View) -> Weights:
        scene = _scene(view)
        weights = Weights(len(scene.things))
        unseen = sum(1 << at for at, thing in enumerate(scene.things) if not thing.category_id)
        for turn in view.turns:
            predicate = self._part(parse(turn.question), turn.answer)
            if predicate is None or turn.answer == ANSWERS[2]:
                continue
            yes, known = sight(scene).masks(predicate)
            if self.hears == "categories":
                known &= ~unseen
            agree = yes & known if turn.answer == ANSWERS[0] else known & ~yes
            # A thing of which it does not know whether: as likely as not, either way.
            weights.hear(agree, 2 * self.accuracy, 1.0)
            weights.hear(known & ~agree, 2 * (1 - self.accuracy), 1.0)
        return weights

    def _part(self, predicate: Predicate | None, answer: str) -> Predicate | None:
        """What it understands of a question; None where that is nothing, or a No may be due to the rest."""
        if predicate is None:
            return None
        own, other = (_KINDS, _LOOKS) if self.hears == "categories" else (_LOOKS, _KINDS)
        asked = {name: getattr(predicate, name) for name in own if getattr(predicate, name)}
        more = any(getattr(predicate, name) for name in (*other, "relation", "rank"))
        if not asked or (more and answer == ANSWERS[1]):
            return None
        return Predicate(**asked)


def _scene(view: View) -> Scene:
    if view.scene is None:
        raise SeatError("guesses things in a scene; for GuessWhich there is scripted:listener")
    return view.scene
