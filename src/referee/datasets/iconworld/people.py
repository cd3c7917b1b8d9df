"""Simulated people, who ask from general to particular and are not always right.

A person keeps in mind which things the answers so far leave possible. While several are possible, the
next question is mostly one that divides them, the most even of three that come to mind: about the kind
of thing first (super-category before category), then about colour, place, size, style, neighbours or
order. Some questions divide nothing: they follow from what is known, or ask for something that is no
candidate at all (people see more in a picture than its annotation holds; the questions paper gives this
as a reason for what is not effective). When one thing is left, people often ask once more, and that
question may describe it and no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.datasets.iconworld.outlook import Option, outlook
from referee.datasets.iconworld.questions import Predicate, parse, phrases
from referee.datasets.iconworld.truth import members
from referee.games import ANSWERS, Scene, Turn
from referee.randomness import Stream, mix, uniform


class Person(Struct, frozen=True):
    """How somebody plays; the defaults give the human row of Table 1 of the questions paper.

    The row is: 5.3 questions, task success 84 %, effectiveness 57 %, last turn effective 34 % and
    referring 26 %. `idle` sets the effectiveness, `confirm` how often the last turn is effective,
    `refer` how often it refers, `error` and `hasty` the success; the number of questions follows from
    these and from how many things the scenes hold.
    """

    error: float = 0.028
    """How often an answer is wrong."""
    idle: float = 0.575
    """How often a question after the first divides nothing, while several things are possible."""
    hasty: float = 0.03
    """How often a guess is made, rather than a question asked, while several things are possible."""
    confirm: float = 0.69
    """How often one more question is asked when a single thing is left."""
    refer: float = 0.16
    """How often that question is made to describe this thing and no other; others do so by chance."""
    general: float = 0.85
    """How often the kind of thing is asked for before its details, while kinds are open."""


PERSON = Person()


DETAILS = (("colour", 30), ("place", 34), ("size", 12), ("style", 5), ("relation", 12), ("rank", 7))
"""The aspects of a thing other than its kind, and how many of 100 questions on details are on each."""


ELSEWHERE = 0.15
"""How often a question that divides nothing is about something that is no candidate."""


class Mind:
    """What somebody in a dialogue knows: the things still possible, what was asked, what was confirmed."""

    __slots__ = ("asked", "confirmed", "possible", "view")

    def __init__(self, scene: Scene) -> None:
        self.view = outlook(scene)
        self.possible = self.view.sight.everything
        self.asked: list[Predicate] = []
        self.confirmed = False

    def hear(self, option: Option, answer: str) -> None:
        """Takes in an answer; one that would leave nothing is not believed."""
        if answer == ANSWERS[0]:
            left = self.possible & option.yes
        elif answer == ANSWERS[1]:
            left = self.possible & option.known & ~option.yes
        else:
            left = self.possible & ~option.known
        self.confirmed = self.single
        self.possible = left or self.possible
        self.asked.append(option.predicate)

    @property
    def single(self) -> bool:
        """Whether one thing is left."""
        return self.possible & (self.possible - 1) == 0


def choose(mind: Mind, draw: Stream, person: Person) -> Option | None:
    """What a person in this state of mind asks next; None to guess."""
    if mind.single:
        return None if mind.confirmed else _confirming(mind, draw, person)
    if mind.asked and draw.random() < person.hasty:
        return None
    if mind.asked and draw.random() < person.idle:
        return _idle(mind, draw)
    return _dividing(mind, draw, person)


def _confirming(mind: Mind, draw: Stream, person: Person) -> Option | None:
    if draw.random() >= person.confirm:
        return None
    if draw.random() < person.refer:
        names = mind.view.names(mind.possible.bit_length() - 1)
        fresh = [option for option in names if option.predicate not in mind.asked]
        if fresh:
            return draw.choice(fresh)
    return _idle(mind, draw)


def _idle(mind: Mind, draw: Stream) -> Option:
    if draw.random() >= ELSEWHERE:
        follows = [
            option
            for aspect in ("super_category", "category", "colour", "place", "size")
            for option in mind.view.options(aspect)
            if not mind.possible & ~option.yes and option.predicate not in mind.asked
        ]
        if follows:
            return draw.choice(follows)
    return mind.view.absent(draw, mind.asked)


def _dividing(mind: Mind, draw: Stream, person: Person) -> Option | None:
    possible = mind.possible
    thing = draw.choice(members(possible))
    for aspect in _aspects(draw, person):
        options = [
            option
            for option in mind.view.options(aspect)
            if option.yes >> thing & 1 and option.yes & possible != possible
        ]
        if options:
            # One draw stands for three, each of which may be any of the options.
            count = len(options)
            at = draw.below(count * count * count)
            drawn = options[at % count], options[at // count % count], options[at // count // count]
            half = possible.bit_count() / 2
            return min(drawn, key=lambda option: abs((option.yes & possible).bit_count() - half))
    return None


def _aspects(draw: Stream, person: Person) -> Iterable[str]:
    if draw.random() < person.general:
        yield from ("super_category", "category")
    at = draw.below(100)
    for aspect, share in DETAILS:
        at -= share
        if at < 0:
            yield aspect
            break
    yield from (
        "colour",
        "place",
        "size",
        "category",
        "super_category",
        "rank",
        "relation",
        "style",
    )


def heard(scene: Scene, turns: Sequence[Turn]) -> Mind:
    """The mind of somebody who has had this dialogue; questions that are not understood tell nothing."""
    mind = Mind(scene)
    for turn in turns:
        predicate = parse(turn.question)
        if predicate is not None:
            mind.hear(mind.view.option(predicate), turn.answer)
    return mind


def next_question(
    scene: Scene, turns: Sequence[Turn], key: int, person: Person = PERSON
) -> str | None:
    """The question that a person asks next, None where the guess is made; `key` decides every draw."""
    draw = Stream(key)
    option = choose(heard(scene, turns), draw, person)
    return None if option is None else worded(option, draw)


def worded(option: Option, draw: Stream) -> str:
    """The question in one of its wordings, the plainest where it is about nothing in the scene."""
    texts = phrases(option.predicate)
    if option.yes:
        return draw.choice(texts)
    return texts[0 if draw.random() < 1 / 2 else len(texts) // 2]


def spoken(truth: str, key: int, person: Person = PERSON) -> str:
    """The answer that a person gives where `truth` is right: sometimes the wrong one."""
    if uniform(mix(key, 0)) >= person.error:
        return truth
    return ANSWERS[1] if truth == ANSWERS[0] else ANSWERS[0]


def guess(scene: Scene, turns: Sequence[Turn], key: int) -> int:
    """The place of the thing that a person guesses: any of those still possible."""
    return Stream(key).choice(members(heard(scene, turns).possible))
