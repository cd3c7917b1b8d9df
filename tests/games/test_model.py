"""The views on a transcript, and its way through JSON."""

from __future__ import annotations

import msgspec

from referee import games
from referee.games import (
    Answer,
    Ask,
    Belief,
    Believe,
    Box,
    Forms,
    Guess,
    GuessWhat,
    Pick,
    Scene,
    Thing,
    Transcript,
    Turn,
)

THINGS = (Thing("1", "dog", 18, Box(0, 0, 5, 5)), Thing("2", "cat", 17, Box(5, 5, 5, 5)))
GAME = GuessWhat("9", Scene("4", 10, 10, THINGS), "2", Forms(thing="str"))
BELIEF = Belief((0.0, 1.0))
TRANSCRIPT = Transcript(
    GAME,
    (
        Ask("is it a dog?", id="7"),
        Answer("No", (0.0, 1.0, 0.0)),
        Believe(BELIEF),
        Ask("is it red?"),
        Answer("Yes"),
        Pick("1"),
        Ask("unanswered?"),
        Guess("1"),
        Guess("2"),
    ),
    "success",
)


def test_turns_are_the_answered_questions_with_the_belief_after_each() -> None:
    assert TRANSCRIPT.turns == (
        Turn("is it a dog?", "No", BELIEF, "7"),
        Turn("is it red?", "Yes"),
    )


def test_guesses_and_picks_keep_their_order() -> None:
    assert TRANSCRIPT.guesses == ("1", "2")
    assert TRANSCRIPT.guess == "2"
    assert TRANSCRIPT.picks == ("1",)
    assert Transcript(GAME).guess is None


def test_a_transcript_comes_back_from_json_as_it_went() -> None:
    line = msgspec.json.encode(TRANSCRIPT)
    assert msgspec.json.decode(line, type=Transcript) == TRANSCRIPT


def test_candidates_stand_in_the_order_of_the_things() -> None:
    assert [candidate.id for candidate in GAME.candidates] == ["1", "2"]
    assert GAME.target_index == 1


def test_every_exported_name_exists_and_is_documented() -> None:
    for name in games.__all__:
        assert getattr(games, name) is not None
