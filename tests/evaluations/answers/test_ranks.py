"""The ranking metrics, on rounds of known value and on the real dialogues at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sklearn.metrics import ndcg_score

from referee.errors import DataError, UsageError
from referee.evaluations import answers, evaluation, sources
from referee.evaluations.result import Value
from referee.games import Ask, Event, Reply, Round, Scene, Transcript, VisDial
from referee.metrics.ranking import Ties

OPTIONS = ("yes", "no", "maybe", "two")


def dialogue(*rounds: tuple[int | None, tuple[float, ...], tuple[float, ...] | None]) -> Transcript:
    """A dialogue whose rounds have a ground truth, scores and perhaps relevances."""
    asked = tuple(
        Round(f"question {number}", "yes", OPTIONS, target, relevance)
        for number, (target, _, relevance) in enumerate(rounds)
    )
    events: list[Event] = []
    for number, (_, scores, _) in enumerate(rounds):
        events += [Ask(f"question {number}"), Reply(scores=scores)]
    return Transcript(VisDial("1", Scene("1"), "a cow", asked), tuple(events), "success")


def judged(*transcripts: Transcript, ties: Ties = "stable") -> dict[str, Value]:
    options = answers.Options(ties=ties)
    return evaluation.judge(answers.EVALUATION, transcripts, options).result.values


def test_three_rounds_of_known_rank() -> None:
    found = judged(
        dialogue(
            (0, (4.0, 3.0, 2.0, 1.0), (1.0, 0.5, 0.0, 0.0)),
            (1, (4.0, 3.0, 2.0, 1.0), None),
            (3, (4.0, 3.0, 2.0, 1.0), None),
        )
    )
    assert found["mr"].value == pytest.approx((1 + 2 + 4) / 3)
    assert found["mrr"].value == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert found["r_at_1"].value == pytest.approx(100 / 3)
    assert found["r_at_5"].value == 100.0
    assert found["median_rank"].value == 2.0
    assert (found["ndcg"].value, found["ndcg"].n) == (1.0, 1)


@pytest.mark.parametrize(
    ("ties", "rank"), [("stable", 3), ("expected", 2.5), ("optimistic", 1), ("pessimistic", 4)]
)
def test_where_a_tied_answer_stands_is_chosen(ties: Ties, rank: float) -> None:
    assert judged(dialogue((2, (1.0, 1.0, 1.0, 1.0), None)), ties=ties)["mr"].value == rank


def test_an_unknown_way_with_ties_is_refused() -> None:
    with pytest.raises(UsageError, match="ties must be one of stable, expected"):
        judged(ties="random")  # type: ignore[arg-type]


def test_a_round_without_scores_has_failed_and_one_without_ground_truth_does_not_count() -> None:
    found = judged(
        dialogue((0, (4.0, 3.0, 2.0, 1.0), None), (1, (), (0.0, 1.0, 0.0, 0.0)), (None, (), None))
    )
    assert (found["mr"].value, found["mr"].n, found["mr"].n_failed) == (1.0, 1, 1)
    assert (found["ndcg"].n, found["ndcg"].n_failed) == (0, 1)


def test_a_round_with_no_relevant_option_has_no_ndcg() -> None:
    found = judged(dialogue((0, (4.0, 3.0, 2.0, 1.0), (0.0,) * 4)))
    assert (found["ndcg"].value, found["ndcg"].n_failed) == (None, 1)


@pytest.mark.parametrize(
    "round_",
    [
        (4, (4.0, 3.0, 2.0, 1.0), None),
        (0, (1.0, 2.0), None),
        (0, (1.0, 2.0, float("nan"), 0.0), None),
        (0, (4.0, 3.0, 2.0, 1.0), (1.0,)),
    ],
)
def test_a_round_that_makes_no_sense_is_an_error_that_names_it(
    round_: tuple[int, tuple[float, ...], tuple[float, ...] | None],
) -> None:
    with pytest.raises(DataError, match="1, round 1"):
        judged(dialogue(round_))


@pytest.fixture
def real(shared: Path) -> tuple[Path, Path]:
    folder = shared / "visdial"
    return (
        folder / "visdial_1.0_val_crowdsourced.json",
        folder / "visdial_1.0_val_dense_annotations_crowdsourced.json",
    )


def test_real_dialogues_ranked_by_a_file_come_out_as_counted_here(
    real: tuple[Path, Path], tmp_path: Path
) -> None:
    """Every round's options are ranked in the order of the file, so the ground truth's place is its rank."""
    dialogues, dense = real
    loaded = json.loads(dialogues.read_text("utf-8"))["data"]["dialogs"]
    rows = [
        {"image_id": one["image_id"], "round_id": number, "ranks": list(range(1, 101))}
        for one in loaded
        for number in range(1, 11)
    ]
    ranks = tmp_path / "ranks.json"
    ranks.write_text(json.dumps(rows), "utf-8")
    places = [asked["gt_index"] + 1 for one in loaded for asked in one["dialog"]]
    found = evaluation.judge(
        answers.EVALUATION, sources.ranked(ranks, dialogues, dense)
    ).result.values
    assert (found["mr"].n, found["mr"].n_clusters, found["mr"].n_failed) == (970, 97, 0)
    assert found["mr"].value == pytest.approx(sum(places) / 970)
    assert found["r_at_10"].value == pytest.approx(100 * sum(place <= 10 for place in places) / 970)
    relevances = [row["gt_relevance"] for row in json.loads(dense.read_text("utf-8"))]
    expected = [
        ndcg_score([row], [list(range(100, 0, -1))], k=sum(value > 0 for value in row))
        for row in relevances
    ]
    assert found["ndcg"].n == 97
    assert found["ndcg"].value == pytest.approx(sum(expected) / 97)


def test_a_missing_dialogue_in_the_ranks_has_failed(
    real: tuple[Path, Path], tmp_path: Path
) -> None:
    dialogues, dense = real
    loaded = json.loads(dialogues.read_text("utf-8"))["data"]["dialogs"]
    rows = [
        {"image_id": one["image_id"], "round_id": number, "ranks": list(range(1, 101))}
        for one in loaded[1:]
        for number in range(1, 11)
    ]
    ranks = tmp_path / "ranks.json"
    ranks.write_text(json.dumps(rows), "utf-8")
    judged = evaluation.judge(answers.EVALUATION, sources.ranked(ranks, dialogues, dense)).result
    assert (judged.values["mr"].n, judged.values["mr"].n_failed) == (960, 10)
    assert any("10 of 970 rounds" in note for note in judged.notes)
