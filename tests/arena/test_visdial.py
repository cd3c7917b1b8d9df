"""VisDial in the arena: the data set asks, an answerer writes, ranks, or both."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.arena import Plan, play
from referee.errors import SeatError, UsageError
from referee.games import Reply, VisDial
from referee.games.visdial import Rules
from referee.players.seats import Look, Said


class Watching:
    """Says "well", likes the last option best, and keeps what it was shown."""

    def __init__(self) -> None:
        self.written: list[Look] = []
        self.ranked: list[Look] = []

    def answer(self, looks: Sequence[Look], n: int = 1) -> list[list[Said]]:
        """Twice something, the first likelier."""
        self.written += looks
        return [[Said("well", -0.5), Said("hm", -1.5)][:n] for _ in looks]

    def score(self, looks: Sequence[Look]) -> list[range]:
        """The later, the better."""
        self.ranked += looks
        return [range(len(look.options)) for look in looks]


def replies(dialogues: list[VisDial], player: object, plan: Plan) -> list[Reply]:
    transcripts = play(dialogues, {"answerer": player}, plan)
    return [event for t in transcripts for event in t.events if isinstance(event, Reply)]


def test_an_answerer_writes_with_likelihoods_and_scores_the_options(
    dialogues: list[VisDial],
) -> None:
    found = replies(dialogues, Watching(), Plan(Rules(), generate=2, rank=True))
    assert len(found) == 2 * len(dialogues)
    assert set(found) == {Reply(("well", "hm"), (-0.5, -1.5), (0.0, 1.0, 2.0))}


def test_who_writes_is_not_shown_the_options(dialogues: list[VisDial]) -> None:
    """One of the options is the human answer."""
    player = Watching()
    replies(dialogues, player, Plan(Rules(), generate=1, rank=True))
    assert {look.options for look in player.written} == {()}
    assert {len(look.options) for look in player.ranked} == {3}


@pytest.mark.parametrize(("history", "answer"), [("human", "9"), ("own", "well")])
def test_the_history_is_the_human_one_or_its_own(
    dialogues: list[VisDial], history: str, answer: str
) -> None:
    player = Watching()
    plan = Plan(Rules("own" if history == "own" else "human"), generate=1)
    replies(dialogues, player, plan)
    assert {look.turns[0].answer for look in player.written if look.turns} == {answer}


def test_the_scene_graph_ranks_the_true_answer_first(dialogues: list[VisDial]) -> None:
    plan = Plan(Rules(), generate=0, rank=True)
    for transcript in play(dialogues, {"answerer": "scripted:scene-graph"}, plan):
        assert isinstance(transcript.game, VisDial)
        count = len(transcript.game.scene.things)
        first, second = (event for event in transcript.events if isinstance(event, Reply))
        dog = any(thing.category == "dog" for thing in transcript.game.scene.things)
        assert (first.scores[0] == 2) == (count == 9)
        assert second.scores == ((2, 0, 0) if dog else (0, 2, 0))


def test_only_what_is_asked_for_is_needed(dialogues: list[VisDial]) -> None:
    class Ranker:
        def score(self, looks: Sequence[Look]) -> list[list[float]]:
            return [[0.0] * len(look.options) for look in looks]

    assert replies(dialogues, Ranker(), Plan(Rules(), generate=0, rank=True))
    with pytest.raises(SeatError, match=r"cannot be the answerer: it has no answer\(\)"):
        replies(dialogues, Ranker(), Plan(Rules(), generate=1, rank=True))
    with pytest.raises(UsageError, match="nothing is asked"):
        replies(dialogues, Ranker(), Plan(Rules(), generate=0))


def test_a_round_without_options_cannot_be_ranked_alone(dialogues: list[VisDial]) -> None:
    """Of a test dialogue only the last round has options; written answers fill the others."""
    game = dialogues[0]
    first, last = game.rounds
    test = [replace(game, rounds=(replace(first, options=(), gt_index=None), last))]
    with pytest.raises(UsageError, match="game 0: round 1 has no answer options to rank"):
        replies(test, Watching(), Plan(Rules(), generate=0, rank=True))
    found = replies(test, Watching(), Plan(Rules(), generate=1, rank=True))
    assert [reply.scores for reply in found] == [(), (0.0, 1.0, 2.0)]
