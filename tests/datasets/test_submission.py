"""A submission to the server, made of what an answerer played."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.datasets import evalai, visdial
from referee.datasets.submission import of_transcripts
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError, UsageError
from referee.games import GuessWhat, Reply, Scene, Transcript

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"


@pytest.fixture
def played() -> list[Transcript]:
    """The small validation file with the predictions of the small file of ranks."""
    return list(evalai.transcripts(DATA / "ranks.json", visdial.games(DATA / "val.json")))


def test_ranks_come_back_from_the_scores(played: list[Transcript]) -> None:
    """What was read as scores is written as the ranks that it was."""
    assert of_transcripts(played) == list(evalai.read(DATA / "ranks.json"))


def test_of_test_the_last_round_is_submitted(played: list[Transcript]) -> None:
    """Which split it is can be told, or seen from whether ground truths are known."""
    last = [row.key for row in of_transcripts(played, "test")]
    assert last == [
        RoundKey(one.game.image, len(one.game.rounds) - 1)  # type: ignore[union-attr]
        for one in played
    ]
    blind = [
        replace(
            one,
            game=replace(
                one.game,
                rounds=tuple(replace(asked, gt_index=None) for asked in one.game.rounds),  # type: ignore[union-attr]
            ),
        )
        for one in played
    ]
    assert [row.key for row in of_transcripts(blind)] == last


def test_equal_scores_rank_the_earlier_option_first(played: list[Transcript]) -> None:
    flat = Reply(scores=(0.5,) * 100)
    events = tuple(flat if isinstance(event, Reply) else event for event in played[0].events)
    rows = of_transcripts([replace(played[0], events=events)])
    assert rows[0].ranks == tuple(range(1, 101))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ((), "has no scores"),
        ((1.0,) * 99, "has 99 scores"),
        ((float("nan"),) * 100, "is not finite"),
    ],
)
def test_a_round_without_a_score_for_each_option_is_named(
    played: list[Transcript], scores: tuple[float, ...], message: str
) -> None:
    events = tuple(
        Reply(scores=scores) if isinstance(event, Reply) else event for event in played[0].events
    )
    with pytest.raises(DataError, match=message) as caught:
        of_transcripts([replace(played[0], events=events)])
    assert caught.value.record == "image 4101, round 0 (from 0)"


def test_an_unfinished_dialogue_has_a_round_without_scores(played: list[Transcript]) -> None:
    with pytest.raises(DataError, match="has no scores"):
        of_transcripts([replace(played[0], events=played[0].events[:2])])


def test_other_games_and_splits_make_no_submission(played: list[Transcript]) -> None:
    with pytest.raises(UsageError, match="val or test"):
        of_transcripts(played, "train")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="none of VisDial's"):
        of_transcripts([Transcript(GuessWhat("1", Scene("1"), ""))])
