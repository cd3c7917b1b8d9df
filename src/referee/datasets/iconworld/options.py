"""A hundred answer options for a question about a scene: every right one's relevance is known.

Wrong options are answers that would be right of another scene (another number, another colour), and
answers to other sorts of questions. None is taken that could pass for right: no part of the truth, no
"no" where the number is nought.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from referee.datasets.iconworld.open_questions import (
    ALL,
    CORNERS_AND_MIDDLE,
    NONE,
    SCATTERED,
    SOME,
    OpenQuestion,
    Sort,
    counted_answers,
    existing_answers,
    place_answers,
    right_answers,
    value_answers,
    values_answers,
    worn,
)
from referee.datasets.iconworld.truth import sight
from referee.datasets.iconworld.vocabulary import SIDES, THING, Noun, vocabulary
from referee.games import Round, Scene
from referee.randomness import Stream

OPTIONS = 100
PLAIN = 0.6
"""How often the human answer is the plainest right one."""
_MOST = 13
_OTHERS: dict[Sort, tuple[Sort, ...]] = {
    "exists": ("colour", "size"),
    "count": ("colour", "size", "place", "whether"),
    "colour": ("count", "size", "place", "whether"),
    "size": ("count", "colour", "place", "whether"),
    "place": ("count", "colour", "size", "whether"),
    "whether": ("count",),
}
"""The sorts of questions whose answers are beside the point of another sort's, whatever the scene."""


def make_round(text: str, question: OpenQuestion, scene: Scene, draw: Stream) -> Round:
    """The question with its human answer, its options and their relevance."""
    right = right_answers(question, scene)
    full = [answer for answer, relevance in right.items() if relevance == 1]
    answer = full[0] if draw.random() < PLAIN else draw.choice(full)
    wrong = [text for text in wrong_answers(question, scene) if text not in right]
    beside = [text for text in _beside(question, scene) if text not in right]
    near = min(len(wrong), (OPTIONS - len(right)) // 2)
    chosen = dict.fromkeys((*right, *draw.sample(wrong, near)))
    chosen |= dict.fromkeys(draw.sample(beside, OPTIONS - len(chosen)))
    if len(chosen) < OPTIONS:
        left = [text for text in (*wrong, *beside) if text not in chosen]
        chosen |= dict.fromkeys(draw.sample(left, OPTIONS - len(chosen)))
    options = draw.sample(tuple(chosen), OPTIONS)
    relevance = tuple(right.get(option, 0.0) for option in options)
    return Round(text, answer, tuple(options), options.index(answer), relevance)


def wrong_answers(question: OpenQuestion, scene: Scene) -> list[str]:
    """Answers of the right sort that are not right of this scene, none of them twice."""
    view, noun = sight(scene), vocabulary().noun(question.kind)
    mask = view.category(question.kind)
    found: Iterator[str]
    if question.sort in ("count", "exists"):
        count = mask.bit_count()
        found = _miscounted(question.sort, count, noun)
    elif question.sort == "whether":
        found = iter((*ALL, *NONE, *SOME))
    elif question.sort == "place":
        false = [place for place in (*CORNERS_AND_MIDDLE, *SIDES) if not mask & view.placed(place)]
        found = (text for place in false for text in place_answers(place))
        if mask & (mask - 1) == 0:
            found = iter((*found, *SCATTERED))
    else:
        found = _misdescribed(question.sort, set(worn(view, mask, question.sort)))
    right = right_answers(question, scene)
    return [text for text in dict.fromkeys(found) if text not in right]


def _miscounted(sort: Sort, count: int, noun: Noun) -> Iterator[str]:
    wordings = [counted_answers] if sort == "count" else [existing_answers, counted_answers]
    for said in wordings:
        for other in range(_MOST):
            if other != count:
                yield from (text for text, share in said(other, noun).items() if share == 1)


def _misdescribed(sort: Sort, values: set[str]) -> Iterator[str]:
    known = vocabulary()
    among = tuple(known.colours if sort == "colour" else known.sizes)
    for value in among:
        if value not in values:
            yield from value_answers(value)
    for pair in combinations(among, 2):
        if not values.issuperset(pair):
            yield from values_answers(pair)


def _beside(question: OpenQuestion, scene: Scene) -> list[str]:
    sorts = _OTHERS[question.sort]
    if question.sort == "count" and not sight(scene).category(question.kind):
        sorts = tuple(sort for sort in sorts if sort != "whether")
    if question.sort == "whether" and question.predicate is not None:
        sorts = (*sorts, "colour" if question.predicate.place else "place")
    return [text for sort in sorts for text in _any(sort)]


@lru_cache(maxsize=8)
def _any(sort: Sort) -> tuple[str, ...]:
    known = vocabulary()
    if sort == "count":
        found = [text for count in range(1, _MOST) for text in counted_answers(count, THING)]
    elif sort == "place":
        found = [text for place in CORNERS_AND_MIDDLE for text in place_answers(place)]
    elif sort == "whether":
        found = [*ALL, *NONE]
    else:
        among = known.colours if sort == "colour" else known.sizes
        found = [text for value in among for text in value_answers(value)]
    return tuple(dict.fromkeys(found))
