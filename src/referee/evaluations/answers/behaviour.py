"""What can be seen of an answer without references: its length, whether it says yes or no, or declines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Polarity = Literal["yes", "no"]

_YES = frozenset(
    ["yes", "yeah", "yep", "yup", "yea", "yess", "yah", "ya", "certainly", "definitely"]
)
_NO = frozenset(["no", "nope", "nah", "not", "none", "never"])
_BELIEVES = re.compile(r"i (would |do )?(think|believe|guess|suppose|assume) (so|yes)\b")
_DOUBTS = re.compile(r"i (dont|do not) (think|believe) so\b")
_TELL = r"(tell|see|say|determine|answer|know|identify|make\ (it\ )?out)"
_DECLINES = re.compile(
    rf"""\b(
        (cant|couldnt|cannot|can\ not|could\ not|unable\ to|not\ able\ to)\ (really\ |quite\ )?{_TELL}
      | (hard|difficult|tough|impossible)\ to\ {_TELL}
      | not\ (really\ |entirely\ |quite\ |totally\ )?(sure|certain|clear|visible)
      | unsure | uncertain | unclear | unknown
      | (dont|do\ not)\ (really\ )?know
      | no\ (idea|clue|way\ to\ (tell|know))
      | sorry | as\ an\ ai | (cant|cannot|unable\ to)\ (assist|help)
    )\b""",
    re.VERBOSE,
)
_SPELLING = str.maketrans({"'": None, "\u2019": None})
_WORD = re.compile(r"[a-z]+")


def polarity(text: str) -> Polarity | None:
    """Whether an answer opens with a yes or a no.

    >>> polarity("Yes, there is a dog."), polarity("no people"), polarity("it is red")
    ('yes', 'no', None)
    >>> polarity("i think so"), polarity("i don't think so"), polarity("not sure")
    ('yes', 'no', None)
    """
    plain = _plain(text)
    first = _WORD.match(plain)
    if first is None or refuses(text):
        return None
    if first[0] in _YES or _BELIEVES.match(plain):
        return "yes"
    if first[0] in _NO or _DOUBTS.match(plain):
        return "no"
    return None


def refuses(text: str) -> bool:
    """Whether an answer declines to answer.

    >>> refuses("i can't tell"), refuses("not sure"), refuses("not really")
    (True, True, False)
    """
    return _DECLINES.search(_plain(text)) is not None


def words(texts: Sequence[str]) -> list[int]:
    """The number of words of each text.

    >>> words(["yes, it is", ""])
    [3, 0]
    """
    return [len(text.split()) for text in texts]


def _plain(text: str) -> str:
    return " ".join(text.lower().translate(_SPELLING).split())
