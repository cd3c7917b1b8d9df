"""What the paper says and what its authors' code does (facts 3.2 and 3.3), one difference at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import UsageError
from referee.evaluations import evaluation, questions
from referee.evaluations.result import Judged
from referee.games import Transcript

Play = Callable[..., Transcript]


def judged(transcripts: list[Transcript], oracle: object, **options: Any) -> Judged:
    chosen = questions.Options(oracle=oracle, **options)
    return evaluation.judge(questions.EVALUATION, transcripts, chosen)


def column(found: Judged, name: str) -> list[Any]:
    return [row[name] for row in found.turns]


CODE = {"variant": "code", "question_text": "asked"}


def test_the_codes_reference_set_follows_the_dialogue_and_may_lose_the_target(
    play: Play, known: Any
) -> None:
    """The dialogue says yes where the oracle says no about the target."""
    games = [play(["q"], 3)]
    oracle = known({"q": "nyn"})
    paper, code = judged(games, oracle), judged(games, oracle, **CODE)
    assert column(paper, "reference_set") == [["100", "102"]]
    assert column(code, "reference_set") == [["101"]]
    assert column(paper, "effective") == column(code, "effective") == [True]
    assert (column(paper, "removed_target"), column(code, "removed_target")) == ([False], [True])
    found = code.result.values["removed_target"]
    assert (found.value, found.unit, found.higher_is_better) == (100, "%", False)
    assert paper.result.values["removed_target"].value == 0


def test_to_lose_the_target_alone_is_not_effective(play: Play, known: Any) -> None:
    code = judged([play(["q"], 3)], known({"q": "nyy"}), **CODE)
    assert column(code, "effective") == [False]
    assert column(code, "removed_target") == [True]


def test_where_nothing_is_left_nothing_is_effective(play: Play, known: Any) -> None:
    """A person's N/A, which the oracle never says, empties the reference set: effective once."""
    games = [play(["q", "r", "s"], 3, said="-yn")]
    code = judged(games, known({"q": "ynn", "r": "ynn", "s": "nnn"}), **CODE)
    assert column(code, "effective") == [True, False, False]
    assert column(code, "distractors") == [0, 0, 0]
    assert column(code, "removed_target") == [True, True, True]


def test_a_reference_is_by_the_dialogues_answer_in_the_code(play: Play, known: Any) -> None:
    games = [play(["q"], 3, said="y"), play(["r"], 3, game="2", said="n")]
    oracle = known({"q": "nnn", "r": "ynn"})
    assert column(judged(games, oracle), "referring") == [False, True]
    assert column(judged(games, oracle, **CODE), "referring") == [True, False]


@pytest.mark.parametrize("variant", ["paper", "code"])
def test_not_applicable_to_another_thing_breaks_a_reference(
    play: Play, known: Any, variant: str
) -> None:
    found = judged([play(["q"], 3)], known({"q": "yn-"}), variant=variant, question_text="asked")
    assert column(found, "referring") == [False]


def test_a_reference_looks_at_every_thing_and_in_context_at_what_is_left(
    play: Play, known: Any
) -> None:
    found = judged([play(["q", "r"], 3)], known({"q": "yyn", "r": "yny"}))
    assert column(found, "referring") == [False, False]
    assert column(found, "referring_in_context") == [False, True]


class Hearing:
    """An oracle that says yes to everything and keeps what it was asked."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def answer(self, queries: list[Any]) -> list[list[float]]:
        """Yes."""
        self.heard += [query.question for query in queries]
        return [[1.0, 0.0, 0.0] for _ in queries]


def test_the_codes_oracle_hears_people_without_their_last_letter(play: Play) -> None:
    asked = ["Is it a Shirt?", "is it the man's", "is it a dog ?"]
    for variant, heard in (
        ("paper", asked),
        ("code", ["is it a shirt ?", "is it the man' ?", "is it a dog ?"]),
    ):
        oracle = Hearing()
        judged([play(asked, 2)], oracle, variant=variant)
        assert oracle.heard == [question for question in heard for _ in range(2)]


def test_a_variant_settles_every_option_and_one_that_is_given_wins(play: Play, known: Any) -> None:
    games, oracle = [play(["q ?"], 2)], known({"q ?": "yn"})
    names = ("target_answer", "question_text", "keywords", "grouping")

    def settled(**options: Any) -> tuple[object, ...]:
        found = judged(games, oracle, **options).result.options
        return tuple(found[name] for name in names)

    assert settled() == ("oracle", "asked", "exact", "compguesswhat")
    assert settled(variant="code") == ("dialogue", "code", "exact", "effectiveness")
    assert settled(variant="code", target_answer="oracle", keywords="corrected") == (
        "oracle",
        "code",
        "corrected",
        "effectiveness",
    )
    assert settled(target_answer="dialogue", grouping="effectiveness") == (
        "dialogue",
        "asked",
        "exact",
        "effectiveness",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "book"}, "variant must be one of paper, code; not 'book'"),
        ({"target_answer": "people"}, "target_answer must be one of oracle, dialogue"),
        ({"question_text": "x"}, "question_text must be one of asked, code"),
        ({"keywords": "best"}, "keywords must be one of exact, corrected"),
        ({"grouping": "x"}, "grouping must be one of effectiveness, compguesswhat"),
        ({"reguess": True}, "reguess needs truncate"),
        ({"truncate": 0}, "truncate must be at least 1"),
        ({"oracle_accuracy": 0.5}, "oracle_accuracy must lie between 0.5 and 1"),
        ({"oracle_accuracy": float("nan")}, "oracle_accuracy must lie between 0.5 and 1"),
    ],
)
def test_what_there_is_not_is_refused(play: Play, options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        judged([play(["q"], 2)], None, **options)


def test_the_code_counts_eight_special_tokens_as_words(play: Play) -> None:
    games = [play(["is it a dog?", "is it a cat?"], 2)]
    paper, code = judged(games, None), judged(games, None, variant="code")
    assert paper.result.values["vocabulary"].value == 5
    assert code.result.values["vocabulary"].value == 13


def test_an_action_is_an_attribute_by_the_grouping_of_the_first_paper(play: Play) -> None:
    games = [play(["is it a man?", "is he sitting?"], 2)]
    shift = "shift_object_to_attribute"
    assert judged(games, None).result.values[shift].value == 0
    assert judged(games, None, variant="code").result.values[shift].value == 100
