"""What can be chosen of the `questions` evaluation, and what a choice comes to."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from referee.errors import UsageError
from referee.evaluations.choosing import choice
from referee.evaluations.result import Option
from referee.metrics.question_types import GROUPINGS, Grouping, Keywords, keywords
from referee.metrics.question_types.keywords import ListName

Variant = Literal["paper", "code"]
TargetAnswer = Literal["oracle", "dialogue"]
QuestionText = Literal["asked", "code"]
GroupingName = Literal["effectiveness", "compguesswhat"]


class Options(Struct, frozen=True):
    """How questions are judged; an empty text leaves the choice to `variant`.

    `oracle` and `guesser` are players' names or players; without one it is the one that played, where
    the transcripts know it. `target_answer` is what the answers about the other things are compared
    with: the oracle's answer about the target (paper) or the dialogue's (code). `question_text` is what
    the oracle is asked: the question as it was asked (paper) or as the authors' code prepares it.
    `truncate` judges the first turns only; the task success stays that of the whole game unless
    `reguess` has the guesser guess after these turns. `oracle_accuracy` is how often the oracle is
    right, where it is known to err: it adds noise-corrected values. The seeds are what an oracle or a
    guesser that draws draws from.
    """

    variant: Variant = "paper"
    oracle: object = None
    oracle_seed: int = 0
    truncate: int | None = None
    target_answer: str = ""
    question_text: str = ""
    keywords: str = ""
    grouping: str = ""
    reguess: bool = False
    guesser: object = None
    guesser_seed: int = 0
    oracle_accuracy: float | None = None


class Settled(Struct, frozen=True):
    """The options with nothing left open."""

    code: bool
    target_answer: TargetAnswer
    question_text: QuestionText
    keywords: Keywords
    grouping: Grouping

    def told(self) -> dict[str, Option]:
        """What results.json says of the choices."""
        return {
            "target_answer": self.target_answer,
            "question_text": self.question_text,
            "keywords": self.keywords.name,
            "grouping": self.grouping.name,
        }


def settle(options: Options) -> Settled:
    """The options as resolved: the variant decides what was not chosen; what there is not is refused."""
    code = choice("variant", options.variant, "paper", get_args(Variant)) == "code"
    target: TargetAnswer = "dialogue" if code else "oracle"
    text: QuestionText = "code" if code else "asked"
    grouping: GroupingName = "effectiveness" if code else "compguesswhat"
    named: ListName = "exact"
    if options.truncate is not None and options.truncate < 1:
        raise UsageError(f"truncate must be at least 1, not {options.truncate}")
    if options.reguess and options.truncate is None:
        raise UsageError("reguess needs truncate: a whole game has been guessed already")
    accuracy = options.oracle_accuracy
    if accuracy is not None and not 1 / 2 < accuracy <= 1:
        raise UsageError(f"oracle_accuracy must lie between 0.5 and 1, not be {accuracy}")
    name = choice("grouping", options.grouping, grouping, get_args(GroupingName))
    return Settled(
        code,
        choice("target_answer", options.target_answer, target, get_args(TargetAnswer)),
        choice("question_text", options.question_text, text, get_args(QuestionText)),
        keywords(choice("keywords", options.keywords, named, get_args(ListName))),
        GROUPINGS[name],
    )
