"""A trained CCA: what it projects, and the file it is kept in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from referee.annotate.cca import Directions, Model, train
from referee.annotate.cca.pairs import Pairs, pairs, truths
from referee.annotate.cca.words import Images
from referee.datasets import features, visdial
from referee.errors import DataError, RefereeError, UsageError
from referee.metrics.cca import cosines

TEXTS = ["yes", "no", "2 dogs", "it is red", "qqq"]


@pytest.fixture(scope="module")
def found(world: Path) -> Pairs:
    return pairs(truths(visdial.games(world / "visdial_1.0_train.json")))


def test_projections_are_centred_over_the_training_pairs(model: Model, found: Pairs) -> None:
    answers, questions, _ = found.rows
    assert model.answers(found.answers)[answers].mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert model.questions(found.questions)[questions].mean(axis=0) == pytest.approx(0, abs=1e-9)


def test_training_pairs_correlate_more_than_pairs_by_lot(model: Model, found: Pairs) -> None:
    answers, questions, _ = found.rows
    every = cosines(model.questions(found.questions), model.answers(found.answers))
    lot = np.random.default_rng(0).permutation(answers)
    assert every[questions, answers].mean() > every[questions, lot].mean() + 0.2


def test_no_direction_is_kept_beyond_k(model: Model, found: Pairs) -> None:
    few = train(found, model.sentences, Directions(k=3))
    assert few.answers(["yes"]).shape == (1, 3)
    assert few.fit.eigenvalues == pytest.approx(model.fit.eigenvalues[:3])


@pytest.mark.parametrize("name", ["model", "model.safetensors"])
def test_a_model_comes_back_from_its_file(model: Model, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    model.save(path)
    back = Model.load(path)
    assert np.array_equal(back.answers(TEXTS), model.answers(TEXTS))
    assert np.array_equal(back.questions(TEXTS), model.questions(TEXTS))
    assert back.uncentred_answers(TEXTS) - back.answers(TEXTS) == pytest.approx(
        np.tile(back.uncentred_answers(["yes"]) - back.answers(["yes"]), (len(TEXTS), 1))
    )
    assert (back.training, back.views) == (model.training, model.views)


def test_a_model_is_never_written_over_another(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    with pytest.raises(UsageError, match="nothing is overwritten"):
        model.save(tmp_path / "model")


@pytest.fixture
def saved(model: Model, tmp_path: Path) -> Path:
    model.save(tmp_path / "model")
    return tmp_path / "model"


def change(path: Path, **arrays: np.ndarray) -> None:
    held = load_file(path)
    save_file({**held, **arrays}, path)


def test_a_file_cut_short_says_so(saved: Path) -> None:
    arrays = saved / "model.safetensors"
    arrays.write_bytes(arrays.read_bytes()[:1000])
    with pytest.raises(DataError, match="safetensors"):
        Model.load(saved)


def test_arrays_that_do_not_fit_one_another_are_named(saved: Path) -> None:
    change(saved / "model.safetensors", **{"answers.weights": np.zeros((3, 3))})
    with pytest.raises(DataError) as caught:
        Model.load(saved)
    assert caught.value.field == "answers.weights"


def test_numbers_that_are_none_are_refused(saved: Path) -> None:
    values = load_file(saved / "model.safetensors")["eigenvalues"]
    change(saved / "model.safetensors", eigenvalues=values * np.nan)
    with pytest.raises(DataError, match="NaN"):
        Model.load(saved)


@pytest.mark.parametrize("wrong", [{"kind": "other"}, {"views": ["questions", "answers"]}])
def test_a_description_of_something_else_is_refused(saved: Path, wrong: dict[str, object]) -> None:
    told = json.loads((saved / "model.json").read_text())
    (saved / "model.json").write_text(json.dumps({**told, **wrong}))
    with pytest.raises(DataError, match="is no CCA model"):
        Model.load(saved)


def test_a_folder_without_a_model_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r"model\.json"):
        Model.load(tmp_path)


def test_pairs_without_words_that_have_vectors_cannot_be_trained_on(model: Model) -> None:
    groups = pairs(truths([]))
    with pytest.raises(DataError, match="0 pairs"):
        train(groups, model.sentences)
    one = Pairs(("yes",), ("is it",), ("1",), (np.zeros(3, np.int32),) * 3)
    with pytest.raises(DataError, match="does not vary"):
        train(one, model.sentences)


@pytest.fixture
def pictures(found: Pairs, tmp_path: Path) -> Path:
    """Features that tell of the image by its number."""
    ids = [int(image) for image in found.images]
    rng = np.random.default_rng(0)
    features.write_devries(
        tmp_path / "features.h5", ids, rng.normal(size=(len(ids), 4)).astype(np.float32)
    )
    return tmp_path / "features.h5"


def test_with_images_there_are_three_views(
    model: Model, found: Pairs, pictures: Path, tmp_path: Path
) -> None:
    """Its file holds all three, and questions and answers are still what it projects."""
    three = train(found, model.sentences, images=Images(str(pictures)))
    assert three.views == ("answers", "images", "questions")
    assert three.fit.eigenvalues[0] > 1
    assert [weights.shape[0] for weights in three.fit.weights] == [50, 4, 50]
    three.save(tmp_path / "three")
    assert np.array_equal(Model.load(tmp_path / "three").answers(TEXTS), three.answers(TEXTS))


def test_images_are_looked_for_in_one_file_after_another(tmp_path: Path) -> None:
    first, second = tmp_path / "a.h5", tmp_path / "b.h5"
    features.write_devries(first, [1, 2], np.array([[1.0], [2.0]], np.float32))
    features.write_devries(second, [3], np.array([[3.0]], np.float32))
    images = Images(f"{first},{second}")
    assert images.of(["3", "1", "3"]).tolist() == [[3.0], [1.0], [3.0]]
    with pytest.raises(DataError, match="no features of 4"):
        images.of(["4"])


def test_features_of_unlike_lengths_are_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "a.h5", tmp_path / "b.h5"
    features.write_devries(first, [1], np.zeros((1, 2), np.float32))
    features.write_devries(second, [2], np.zeros((1, 3), np.float32))
    with pytest.raises(UsageError, match="equally long"):
        Images(f"{first},{second}")
