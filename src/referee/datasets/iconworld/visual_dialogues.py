"""VisDial-like dialogues: a caption and ten open questions about a picture, each with its options."""

from __future__ import annotations

from collections.abc import Iterator

from referee.datasets.iconworld.captions import captions
from referee.datasets.iconworld.open_questions import OpenQuestion, ask_open
from referee.datasets.iconworld.options import make_round
from referee.datasets.iconworld.questions import Predicate
from referee.datasets.iconworld.truth import sight
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.games import Forms, Scene, VisDial
from referee.randomness import Stream, mix

ROUNDS = 10
PRESENT = 0.6
"""How often "is there a …" asks for something that is there."""


def dialogue(scene: Scene, key: int, rounds: int = ROUNDS) -> VisDial:
    """The dialogue about a scene; the same key gives the same dialogue."""
    draw = Stream(mix(key, 0))
    caption = captions(scene, mix(key, 1), 1)[0]
    asked: dict[str, OpenQuestion] = {}
    for text, question in _questions(scene, draw):
        asked.setdefault(text, question)
        if len(asked) == rounds:
            break
    made = tuple(make_round(text, question, scene, draw) for text, question in asked.items())
    return VisDial(scene.id, scene, caption, made, Forms())


def _questions(scene: Scene, draw: Stream) -> Iterator[tuple[str, OpenQuestion]]:
    view, known = sight(scene), vocabulary()
    present = list(view.values("category"))
    kinds = (*present, *view.values("super_category"))
    everything = (*known.categories, *known.super_categories)
    while True:
        at = draw.below(100)
        kind = draw.choice(present)
        if at < 30:  # noqa: PLR2004 (of 100 questions, so many are of each sort)
            sought = draw.choice(kinds if draw.random() < PRESENT else everything)
            question = OpenQuestion("exists", sought)
        elif at < 50:  # noqa: PLR2004
            question = OpenQuestion("count", draw.choice(("", *kinds)))
        elif at < 65:  # noqa: PLR2004
            question = OpenQuestion("colour", kind)
        elif at < 75:  # noqa: PLR2004
            question = OpenQuestion("place", kind)
        elif at < 85:  # noqa: PLR2004
            question = OpenQuestion("size", kind)
        else:
            question = OpenQuestion("whether", kind, _predicate(draw))
        several = view.category(question.kind).bit_count() > 1
        if question.sort == "exists":
            several = draw.random() < 1 / 2
        yield ask_open(question, several=several), question


def _predicate(draw: Stream) -> Predicate:
    known = vocabulary()
    sort = draw.below(3)
    if sort == 0:
        return Predicate(colour=draw.choice(tuple(known.colours)))
    if sort == 1:
        return Predicate(size=draw.choice(tuple(known.sizes)))
    return Predicate(place=draw.choice(("left", "right", "top", "bottom", "middle")))
