"""Scores of attributes against scikit-learn; baselines, GROLLA and chance against the papers' own numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score, precision_score, recall_score

from referee.errors import DataError, RefereeError
from referee.metrics import probing
from referee.metrics.probing import Labels


def drawn(
    seed: int, rows: int = 60, width: int = 23, share: float = 0.1
) -> tuple[np.ndarray, Labels]:
    matrix = np.random.default_rng(seed).random((rows, width)) < share
    return matrix, Labels.of_dense(matrix)


@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_example_scores_are_scikit_learns_averaged_over_samples(empty: int, kind: str) -> None:
    (gold, golds), (guess, guesses) = drawn(0), drawn(1)
    assert (gold.sum(axis=1) == 0).any()
    given = (gold, guess) if kind == "dense" else (golds, guesses)
    found = probing.example_scores(*given, empty=empty).means()
    for name, rival in (("f1", f1_score), ("precision", precision_score), ("recall", recall_score)):
        expected = rival(
            gold.astype(int), guess.astype(int), average="samples", zero_division=empty
        )
        assert found[name] == pytest.approx(expected, abs=1e-12)


def test_label_scores_are_scikit_learns_without_average() -> None:
    (gold, golds), (guess, guesses) = drawn(2), drawn(3)
    found = probing.label_scores(golds, guesses)
    assert found.f1 == pytest.approx(f1_score(gold, guess, average=None, zero_division=0))
    assert found.gold.tolist() == gold.sum(axis=0).tolist()


def test_sparse_labels_do_what_their_matrix_does() -> None:
    (one, first), (other, second) = drawn(4), drawn(5)
    rows, columns = np.array([3, 0, 3]), np.array([7, 1, 20])
    assert np.array_equal(first.take(rows).dense(), one[rows])
    assert np.array_equal(first.keep(columns).dense(), one[:, columns])
    assert np.array_equal(first.beside(second).dense(), np.hstack([one, other]))
    assert np.array_equal(probing.stacked([first, second]).dense(), np.vstack([one, other]))
    assert np.array_equal(
        first.beside(second).columns, sparse.csr_matrix(np.hstack([one, other])).indices
    )


def test_bad_labels_are_refused_with_their_row() -> None:
    with pytest.raises(DataError, match="record 1, field labels: is 5"):
        Labels.of_rows([[0], [5]], width=5)
    with pytest.raises(DataError, match="as the gold labels"):
        probing.example_scores(drawn(0)[1], drawn(0, rows=3)[1])


def test_random_scores_are_the_means_of_drawn_ones() -> None:
    sizes = np.array([0, 1, 3, 8])
    generator = np.random.default_rng(0)
    gold = Labels.of_rows([range(size) for size in np.repeat(sizes, 4000)], 9)
    guesses = probing.over_threshold(generator.random((len(gold), 9)), 0.3)
    found = probing.random_scores(sizes, 9, 0.3)
    drawn_scores = probing.example_scores(gold, guesses)
    for name in ("precision", "recall", "f1"):
        means = getattr(drawn_scores, name).reshape(4, -1).mean(axis=1)
        assert getattr(found, name) == pytest.approx(means, abs=0.015)


def test_location_labels_of_the_code_give_the_papers_random_row() -> None:
    """Table 5: F1 27.5, precision 20.3 and recall 49.7 once named rightly, with 1.05 labels a target."""
    found = probing.random_scores(np.repeat([1, 2], [95, 5]), 5).means()
    assert found["precision"] == pytest.approx(0.203, abs=5e-4)
    assert found["f1"] == pytest.approx(0.275, abs=2e-3)
    assert found["recall"] == pytest.approx(0.497, abs=4e-3)


@pytest.mark.parametrize(
    ("columns", "printed"),
    [
        ((41.5, 46.8, 39.1, 48.5, 42.7, 31.3, 28.4), 38.5),
        ((53.5, 45.2, 38.9, 47.2, 43.5, 43.9, 38.7), 46.2),  # L of Table 5
        ((49.1, 59.9, 47.6, 60.1, 48.3, 29.8, 22.3), 43.0),
        ((59.8, 59.5, 47.6, 59.8, 48.1, 43.4, 29.8), 50.1),  # exactly 50.05
        ((15.81, 15.1, 0.1, 7.8, 2.8, 16.9, 18.6), 13.3),  # L of Table 1
    ],
)
def test_grolla_of_the_papers_columns_is_its_last_column(
    columns: tuple[float, ...], printed: float
) -> None:
    assert abs(probing.grolla(*columns) - printed) <= 0.05 + 1e-9


def test_shuffled_labels_keep_their_rows_and_groups() -> None:
    labels = drawn(6)[1]
    groups = [np.arange(60) // 2, np.arange(60) // 2]
    first, second = probing.shuffled([labels, labels], 0, groups=groups)
    assert np.array_equal(first.dense(), second.dense())
    (alone,) = probing.shuffled([labels], 0)
    assert alone.frequencies().tolist() == labels.frequencies().tolist()
    assert not np.array_equal(alone.dense(), labels.dense())


def test_a_score_above_chance_on_shuffled_labels_is_an_error_that_says_so() -> None:
    gold = drawn(7, rows=300)[1]
    with pytest.raises(RefereeError, match=r"scores F1 .* on shuffled labels, where chance gives"):
        probing.check_chance(gold, gold)


def test_blind_and_constant_predictions_are_at_chance() -> None:
    gold = drawn(8, rows=300)[1]
    for seed in range(5):
        probing.check_chance(gold, drawn(100 + seed, rows=300)[1])
    always = probing.constant(np.array([0, 1, 2]), 300, 23)
    found = probing.check_chance(gold, always)
    assert found.score == pytest.approx(found.expected)


def test_control_labels_keep_the_shares_of_the_attributes() -> None:
    matrix, labels = drawn(9, rows=500)
    table = probing.control_table(labels, np.zeros(500, dtype=int), 4000, seed=1)
    assert table.frequencies() / 4000 == pytest.approx(matrix.mean(axis=0), abs=0.02)


def test_the_code_by_shares_is_the_one_sent_example_by_example() -> None:
    matrix, labels = drawn(10, rows=40, width=3, share=0.4)
    bits = 0.0
    for column in matrix.T:
        ones = 0
        for place, one in enumerate(column):
            share = (ones + 0.5) / (place + 1)
            bits -= np.log2(share if one else 1 - share)
            ones += one
    assert probing.marginal_bits(labels) == pytest.approx(bits)
