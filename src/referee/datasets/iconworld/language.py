"""The language of Iconworld: what people ask, what it means, and what is true of a scene.

Questions about one thing ("is it the red dog on the left?") are parsed to predicates and answered Yes,
No or N/A by the rules in `truth`; open questions about a picture ("how many dogs are there?") have
right answers in words.

>>> from referee.games import Box, Scene, Thing
>>> box = Box(10, 10, 40, 40)
>>> scene = Scene("1", 320, 240, (Thing("1", "dog", 18, box), Thing("2", "cat", 17, box)))
>>> answers("Is it an animal?", scene), answers("is it a dog", scene), answers("Is it red?", scene)
(('Yes', 'Yes'), ('Yes', 'No'), ('N/A', 'N/A'))
>>> reply("how many dogs are there", scene)
'1'
"""

from referee.datasets.iconworld.open_questions import (
    UNSURE,
    OpenQuestion,
    parse_open,
    reply,
    right_answers,
)
from referee.datasets.iconworld.questions import Predicate, described, parse, phrase, phrases
from referee.datasets.iconworld.truth import answer, answers, applicable, truths

__all__ = [
    "UNSURE",
    "OpenQuestion",
    "Predicate",
    "answer",
    "answers",
    "applicable",
    "described",
    "parse",
    "parse_open",
    "phrase",
    "phrases",
    "reply",
    "right_answers",
    "truths",
]
