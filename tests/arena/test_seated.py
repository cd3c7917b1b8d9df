"""A player that does not keep its seat's promise is told so, with its name, the game and the turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from referee.arena import Plan, play
from referee.errors import MissingExtra, SeatError
from referee.games import Belief, GuessWhat, VisDial, guesswhat, visdial
from referee.players.seats import Said

PLAN = Plan(guesswhat.Rules(max_turns=3, beliefs=True))
SILENT = Plan(guesswhat.Rules(max_turns=3))
RANKING = Plan(visdial.Rules(), generate=2, rank=True)


class Player:
    """Does in every seat what the test wants."""

    name = "mine"

    def __init__(self, act: Callable[[Sequence[Any]], Any]) -> None:
        self.act = act

    def ask(self, views: Sequence[Any]) -> Any:
        """As a questioner."""
        return self.act(views)

    def believe(self, views: Sequence[Any]) -> Any:
        """As a guesser."""
        return self.act(views)

    def answer(self, looks: Sequence[Any], n: int = 0) -> Any:
        """As an oracle, or as an answerer who writes; n is given to the latter only."""
        return [[Said("yes")]] * len(looks) if n and self.ranks else self.act(looks)

    def score(self, looks: Sequence[Any]) -> Any:
        """As an answerer who ranks."""
        return self.act(looks)

    ranks = False


def broken(_: Sequence[Any]) -> Any:
    raise ValueError("the server is down")


def uniform(views: Sequence[Any]) -> list[Belief]:
    return [Belief((1 / len(view.candidates),) * len(view.candidates)) for view in views]


QUESTIONERS = {
    "too few": (lambda views: ["is it red?"] * (len(views) - 1), "59 results for 60 games"),
    "no list": (lambda _: (question for question in ["is it red?"]), "not a list"),
    "nothing": (lambda _: None, "gave nothing, not a list"),
    "an empty question": (lambda views: ["  "] * len(views), "the question is empty"),
    "no text": (lambda views: [7] * len(views), "a question is a text, not int"),
    "no UTF-8": (lambda views: ["is it \udcff?"] * len(views), "no valid text: surrogates"),
    "broken": (broken, "ValueError: the server is down"),
}
ORACLES = {
    "one row too many": (lambda q: np.full((len(q) + 1, 3), 1 / 3), "shape \\[61, 3\\]"),
    "two answers": (lambda q: np.full((len(q), 2), 0.5), "shape \\[60, 2\\]"),
    "no numbers": (lambda q: [["Yes", "No", "N/A"]] * len(q), "no array of probabilities"),
    "ragged": (lambda q: [[1, 0, 0]] * (len(q) - 1) + [[1]], "no array of probabilities"),
    "not a number": (lambda q: np.full((len(q), 3), np.nan), "probabilities of Yes, No, N/A"),
    "infinite": (lambda q: [[np.inf, 0, 0]] * len(q), "probabilities of Yes, No, N/A"),
    "negative": (lambda q: [[1.5, -0.5, 0]] * len(q), "probabilities of Yes, No, N/A"),
    "logits": (lambda q: [[3.0, 1.0, 0.2]] * len(q), "that sum to one"),
    "broken": (broken, "answer\\(\\) failed on a batch of 60 that begins here: ValueError"),
}
GUESSERS = {
    "too few": (lambda views: uniform(views)[1:], r"\d+ results for \d+ games"),
    "a bare tuple": (lambda views: [(0.5, 0.5)] * len(views), "where a Belief was due"),
    "too short": (lambda views: [Belief((1.0,))] * len(views), "1 probabilities came where"),
    "not a number": (
        lambda views: [Belief((float("nan"),) * len(v.candidates)) for v in views],
        "sum to nan",
    ),
    "too much": (lambda views: [Belief((1.0,) * len(v.candidates)) for v in views], "not to one"),
    "no numbers": (lambda views: [Belief(("a",))] * len(views), "where numbers were due"),  # type: ignore[arg-type]
    "broken": (broken, "believe\\(\\) failed"),
}


def cases(table: dict[str, tuple[Any, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("act", "reason"), table.values(), ids=table.keys())


@cases(QUESTIONERS)
def test_a_questioner_asks_one_question_a_game(
    games: list[GuessWhat], seats: dict[str, str | object], act: Any, reason: str
) -> None:
    with pytest.raises(SeatError, match=f"Player \\(questioner\\), game 0, turn 1: .*{reason}"):
        list(play(games, {**seats, "questioner": Player(act)}, PLAN))


@cases(ORACLES)
def test_an_oracle_gives_three_probabilities_a_query(
    games: list[GuessWhat], seats: dict[str, str | object], act: Any, reason: str
) -> None:
    with pytest.raises(SeatError, match=f"Player \\(oracle\\), game 0, turn 1: .*{reason}"):
        list(play(games, {**seats, "oracle": Player(act)}, PLAN))


@pytest.mark.parametrize("plan", [PLAN, SILENT], ids=["told", "kept"])
@cases(GUESSERS)
def test_a_guesser_gives_a_distribution_whether_it_is_told_or_not(
    games: list[GuessWhat], seats: dict[str, str | object], act: Any, reason: str, plan: Plan
) -> None:
    """A wrong belief is found even where it only leads to a guess."""
    with pytest.raises(
        SeatError, match=rf"Player \(guesser\), game \d+, after turn \d: .*{reason}"
    ):
        list(play(games, {**seats, "guesser": Player(act)}, plan))


def test_numbers_of_any_make_are_written_as_plain_ones(
    games: list[GuessWhat], seats: dict[str, str | object]
) -> None:
    def single(views: Sequence[Any]) -> list[Belief]:
        return [
            Belief(np.full(len(v.candidates), 1 / len(v.candidates), np.float32))  # type: ignore[arg-type]
            for v in views
        ]

    transcript = next(play(games, {**seats, "guesser": Player(single)}, PLAN))
    belief = transcript.turns[-1].belief
    assert belief is not None
    assert {type(number) for number in belief.probabilities} == {float}


WRITERS = {
    "no answer": (lambda looks: [[]] * len(looks), "1 to 2 answers"),
    "too many": (lambda looks: [[Said("a")] * 3] * len(looks), "1 to 2 answers"),
    "bare text": (lambda looks: [["yes"]] * len(looks), "where a Said was due"),
    "a likelihood that is no number": (
        lambda looks: [[Said("yes", float("nan"))]] * len(looks),
        "the log-likelihood (nan|None)",
    ),
    "a likelihood that is none": (
        lambda looks: [[Said("yes", None)]] * len(looks),  # type: ignore[arg-type]
        "the log-likelihood (nan|None)",
    ),
}
RANKERS = {
    "too few scores": (lambda looks: [[1.0]] * len(looks), "1 scores for 3 options"),
    "a table": (lambda looks: [[[1.0], [2.0], [3.0]]] * len(looks), "shape \\[3, 1\\]"),
    "infinite": (lambda looks: [[1.0, 2.0, float("inf")]] * len(looks), "not finite"),
}


@cases(WRITERS)
def test_an_answerer_writes_at_most_what_was_asked_for(
    dialogues: list[VisDial], act: Any, reason: str
) -> None:
    with pytest.raises(SeatError, match=f"Player \\(answerer\\), game 0, turn 1: .*{reason}"):
        list(play(dialogues, {"answerer": Player(act)}, RANKING))


@cases(RANKERS)
def test_an_answerer_scores_every_option(dialogues: list[VisDial], act: Any, reason: str) -> None:
    player = Player(act)
    player.ranks = True
    with pytest.raises(SeatError, match=f"Player \\(answerer\\), game 0, turn 1: .*{reason}"):
        list(play(dialogues, {"answerer": player}, RANKING))


def test_the_cause_of_a_failure_is_kept(
    games: list[GuessWhat], seats: dict[str, str | object]
) -> None:
    with pytest.raises(SeatError) as caught:
        list(play(games, {**seats, "oracle": Player(broken)}, PLAN))
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_missing_extra_stays_one(games: list[GuessWhat], seats: dict[str, str | object]) -> None:
    def needy(_: Sequence[Any]) -> Any:
        raise MissingExtra("torch", "neural")

    with pytest.raises(MissingExtra, match=r"referee\[neural\]"):
        list(play(games, {**seats, "questioner": Player(needy)}, PLAN))


def test_a_player_says_what_each_of_its_results_cost_or_fails(
    games: list[GuessWhat], seats: dict[str, str | object]
) -> None:
    class Spendthrift(Player):
        def spent(self) -> list[int]:
            return [1]

    wasteful = Spendthrift(uniform)
    with pytest.raises(SeatError, match="not 60 Costs"):
        list(play(games, {**seats, "guesser": wasteful}, PLAN))
