"""Reference sets: H against the released one, the others against scikit-learn on real rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from sklearn.cluster import AgglomerativeClustering, MeanShift

from referee.annotate.cca import Model
from referee.annotate.reference_sets import (
    Counts,
    How,
    Projections,
    correlated,
    human,
    human_set,
)
from referee.annotate.reference_sets.checking import disagreement, marked, of_dialogues, within
from referee.datasets import densevisdial
from referee.datasets.densevisdial import ReferenceSet
from referee.errors import DataError
from referee.games import Round, Scene, VisDial
from referee.metrics.cca import cosines

Floats = NDArray[np.float64]

OPTIONS = ("yes", "yes.", "no", "maybe", "a red one")


class ByTable:
    """A model that knows the projections of a few texts."""

    def __init__(self, **vectors: Sequence[float]) -> None:
        self.vectors = {name.replace("_", " "): vector for name, vector in vectors.items()}
        self.asked: list[str] = []

    def answers(self, texts: Sequence[str]) -> Floats:
        """Whatever the table says."""
        self.asked += texts
        return np.array([self.vectors[text.rstrip(".")] for text in texts], dtype=np.float64)

    questions = answers


MODEL: dict[str, Sequence[float]] = {
    "yes": (1, 0),
    "no": (-1, 0.1),
    "maybe": (1, 0.4),
    "a_red_one": (0, 1),
    "is_it_sunny": (0, 2),
}


def game(image: str = "7", **changes: Any) -> VisDial:
    asked = Round("is it sunny", "yes", OPTIONS, 0, (0.0, 0.4, 0.0, 0.0, 0.0))
    return VisDial(image, Scene(image), "a beach", (replace(asked, **changes),))


def sets(found: Iterator[ReferenceSet]) -> list[tuple[str, ...]]:
    return [row.references for row in found]


def test_people_found_it_relevant_or_it_is_the_ground_truth() -> None:
    assert human_set((0.0, 0.2, 1.0, 0.0), 3).tolist() == [False, True, True, True]


def test_h_of_the_real_dialogues_is_the_released_one(
    shared: Path, dialogues: list[VisDial]
) -> None:
    """97 of 97: mask, answers, question and ground truth."""
    path = shared / "densevisdial" / "refs_H_human_val.json"
    released = {row.key: row for row in densevisdial.read_references(path)}
    counts = Counts()
    built = list(human(dialogues, counts))
    assert (counts.built, counts.without_relevance) == (97, 0)
    assert built == [released[row.key] for row in built]


def test_a_round_in_which_nothing_is_relevant_has_no_h() -> None:
    counts = Counts()
    assert sets(human([game(relevance=(0.0,) * 5), game("8")], counts)) == [("yes", "yes.")]
    assert (counts.built, counts.references, counts.without_relevance) == (1, 2, 1)


def test_a_round_that_nobody_annotated_has_no_h_and_is_no_problem() -> None:
    assert not sets(human([game(relevance=None, options=(), gt_index=None)], Counts()))


def real_sets(
    dialogues: list[VisDial], model: Model, how: How
) -> Iterator[tuple[ReferenceSet, Floats, int]]:
    """Each round's set with the correlations as the definition has them, and the ground truth."""
    counts = Counts()
    rounds = [asked for game in dialogues for asked in game.rounds]
    found = list(correlated(dialogues, model, how, counts))
    assert counts.built == len(rounds) == 970
    for row, asked in zip(found, rounds, strict=True):
        assert asked.gt_index is not None
        options = model.answers(asked.options)
        anchor = model.questions([asked.question]) if how.of_question else options[[asked.gt_index]]
        yield row, cosines(anchor, options)[0], asked.gt_index


def without(values: Floats, place: int) -> Floats:
    found: Floats = np.delete(values, place)
    return found


def test_sigma_of_all_real_rounds_is_the_band_of_the_paper(
    dialogues: list[VisDial], cca_aq_star: Model
) -> None:
    """{A : C_max - sigma <= corr(A_gt, A) <= C_max} and the ground truth, in 970 rounds."""
    for row, correlations, truth in real_sets(dialogues, cca_aq_star, How()):
        rest = without(correlations, truth)
        expected = correlations >= rest.max() - rest.std(ddof=1)
        expected[truth] = True
        assert row.mask == tuple(expected.astype(int))


def test_ward_of_all_real_rounds_is_scikit_learns(
    dialogues: list[VisDial], cca_aq_star: Model
) -> None:
    """The best of five clusters, in 970 rounds."""
    how = How("agglomerative")
    for row, correlations, truth in real_sets(dialogues, cca_aq_star, how):
        rest = without(correlations, truth)
        labels = AgglomerativeClustering(5).fit(rest[:, None]).labels_
        best = max(range(5), key=lambda label: rest[labels == label].mean())
        assert without(np.array(row.mask), truth).tolist() == (labels == best).tolist()
        assert row.mask[truth] == 1


@pytest.mark.slow
def test_mean_shift_of_real_rounds_is_scikit_learns(
    dialogues: list[VisDial], cca_aq_star: Model
) -> None:
    """The cluster with the largest centre, in every twentieth round."""
    found = list(real_sets(dialogues, cca_aq_star, How("meanshift")))
    for row, correlations, truth in found[3::20]:
        rest = without(correlations, truth)
        fitted = MeanShift().fit(rest[:, None])
        best = fitted.labels_ == fitted.cluster_centers_[:, 0].argmax()
        assert without(np.array(row.mask), truth).tolist() == best.tolist()
        assert row.mask[truth] == 1


@pytest.mark.parametrize("pairing", ["q-gt", "q-max"])
def test_with_the_question_wards_clusters_are_scikit_learns(
    dialogues: list[VisDial], cca_aq_star: Model, pairing: str
) -> None:
    how = How("agglomerative", pairing, 4)  # type: ignore[arg-type]
    for row, correlations, truth in list(real_sets(dialogues, cca_aq_star, how))[::7]:
        labels = AgglomerativeClustering(4).fit(correlations[:, None]).labels_
        anchor = truth if pairing == "q-gt" else correlations.argmax()
        assert np.array_equal(row.mask, labels == labels[anchor])


def test_every_text_is_projected_once() -> None:
    model = ByTable(**MODEL)
    games = [game(str(number)) for number in range(20)]
    assert len(list(correlated(games, model, How("sigma", "q-gt"), Counts()))) == 20
    assert sorted(model.asked) == sorted([*OPTIONS, "is it sunny"])


def test_the_sets_of_a_small_round() -> None:
    """Yes. is as good as yes, maybe nearly; with the question the red one is best."""
    model = ByTable(**MODEL)
    found = {
        pairing: sets(correlated([game()], model, How("agglomerative", pairing, 3), Counts()))[0]
        for pairing in ("gt-rest", "gt-all", "q-gt", "q-max")
    }
    assert found == {
        "gt-rest": ("yes", "yes.", "maybe"),
        "gt-all": ("yes", "yes.", "maybe"),
        "q-gt": ("yes", "yes.", "no"),
        "q-max": ("a red one",),
    }


def test_an_option_without_a_projection_correlates_with_nothing_and_is_counted() -> None:
    counts = Counts()
    model = ByTable(**MODEL | {"no": (0, 0), "maybe": (np.nan, 0)})
    assert sets(correlated([game()], model, How(), counts)) == [("yes", "yes.")]
    assert counts.unknown_options == 2


def test_a_ground_truth_without_a_projection_is_a_problem_or_a_counted_skip() -> None:
    model = ByTable(**MODEL | {"maybe": (0, 0)})
    games = [game("1"), game("2", gt_index=3), game("3")]
    with pytest.raises(DataError, match="'maybe' has no projection") as caught:
        list(correlated(games, model, How(), Counts()))
    assert caught.value.record == "image 2, round 0 (from 0)"
    skipped: list[DataError] = []
    built = list(correlated(games, model, How(), Counts(), skipped))
    assert [row.image for row in built] == ["1", "3"]
    assert [str(error) for error in skipped] == [str(caught.value)]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no options": ({"options": (), "gt_index": None}, "no answer options"),
    "no ground truth": ({"gt_index": None}, "no ground truth"),
    "an option twice": ({"options": ("yes", "yes", "no", "maybe", "a red one")}, "option twice"),
}


@pytest.mark.parametrize("name", BAD)
def test_rounds_of_which_no_set_can_be_built_are_named_or_counted(name: str) -> None:
    changes, said = BAD[name]
    games = [game("1"), game("2", **changes)]
    with pytest.raises(DataError, match=said):
        list(correlated(games, ByTable(**MODEL), How(), Counts()))
    skipped: list[DataError] = []
    assert len(list(correlated(games, ByTable(**MODEL), How(), Counts(), skipped))) == 1
    assert said in str(skipped[0])


def test_rounds_with_different_numbers_of_options_are_built_in_order() -> None:
    games = [game("1"), game("2", options=OPTIONS[:4], relevance=None), game("3")]
    built = list(correlated(games, ByTable(**MODEL), How(), Counts()))
    assert [(row.image, len(row.mask)) for row in built] == [("1", 5), ("2", 4), ("3", 5)]


def test_projections_grow_and_keep_what_they_had() -> None:
    model = ByTable(**{f"t{number}": (number, 1.0) for number in range(1, 50)})
    growing = Projections(model.answers)
    for number in range(1, 50, 4):
        growing.rows([f"t{number}", f"t{max(number - 2, 1)}"])
    rows = growing.rows(["t49", "t1", "t9"])
    expected = np.array([(49, 1), (1, 1), (9, 1)]) / np.sqrt([[2402], [2], [82]])
    assert growing.table[rows] == pytest.approx(expected)
    assert growing.known(rows).all()


# Sets against each other and against the dialogues.

ROW = ReferenceSet("7", 0, (1, 1, 0, 0, 0), ("yes", "yes."), "is it sunny", "yes")


def test_marks_tell_the_places() -> None:
    assert marked(replace(ROW, mask=(0, 1, 0, 0, 1))) == {1: "yes", 4: "yes."}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mask": (1, 1, 0, 0)}, "4 marks"),
        ({"question": "is it snowy"}, "is it snowy"),
        ({"gt_answer": "no"}, "gt_answer"),
        ({"references": ("yes", "no")}, "'no' as option 1"),
        ({"mask": (1, 0, 1, 0, 0)}, "'yes.' as option 2"),
    ],
)
def test_sets_that_are_about_different_options_disagree(changes: dict[str, Any], said: str) -> None:
    problem = disagreement(ROW, replace(ROW, **changes))
    assert problem is not None
    assert said in str(problem)
    assert "image 7, round 0" in str(problem)


def test_sets_of_different_answers_do_not_disagree() -> None:
    assert disagreement(ROW, ROW) is None
    other = replace(ROW, mask=(1, 0, 0, 1, 1), references=("yes", "maybe", "a red one"))
    assert disagreement(ROW, other) is None
    assert disagreement(other, ROW) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"image": "8"}, "no dialogue has this round"),
        ({"round": 1}, "no dialogue has this round"),
        ({"mask": (1, 1, 0)}, "3 marks for 5 options"),
        ({"question": "is it snowy"}, "asks 'is it snowy'"),
        ({"gt_answer": "yes."}, "is 'yes.'"),
        ({"references": ("yes", "nope")}, "'nope' for option 1"),
    ],
)
def test_sets_that_are_not_of_the_dialogues_are_named_or_collected(
    changes: dict[str, Any], said: str
) -> None:
    rows = [ROW, replace(ROW, **changes)]
    with pytest.raises(DataError, match=said):
        list(of_dialogues(rows, [game()]))
    skipped: list[DataError] = []
    assert list(of_dialogues(rows, [game()], skipped)) == [ROW]
    assert said in str(skipped[0])


def test_correlations_within_a_set_have_the_ground_truths_own_one() -> None:
    model = ByTable(**MODEL)
    row = replace(ROW, mask=(1, 0, 0, 0, 1), references=("yes", "a red one"))
    assert [found.tolist() for found in within([row, ROW], model)] == [[1, 0], [1, 1]]
    assert [found.tolist() for found in within([row], model, of_question=True)] == [[0, 1]]
    (lost,) = within([row], ByTable(**MODEL | {"yes": (0, 0)}))
    assert np.isnan(lost).all()
