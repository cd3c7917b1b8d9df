"""What is planted in states, and in players, is what the evaluation finds."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.arena import Plan, play
from referee.datasets import dialogue_states, guesswhat
from referee.errors import DataError, RefereeError
from referee.evaluations import grounding
from referee.evaluations.evaluation import judge
from referee.evaluations.grounding import references
from referee.evaluations.measures import Intervals
from referee.evaluations.result import Judged
from referee.games import guesswhat as rules

FEW = Intervals(resamples=200)
ALL = np.arange(20)
QUICK = "watch=loss,learning_rate=0.01,epochs=12"
"""The same classifier, in fewer and larger steps."""
TASKS = ("abstract", "situated", "abstract_situated", "location")
COLUMNS = {
    "abstract": ALL[:10],
    "situated": ALL[10:],
    "abstract_situated": ALL,
    "location": ALL[15:],
}


def probed(planted: Any, states: Path | str, **more: Any) -> Judged:
    options = grounding.Options(
        games=str(planted.world),
        attributes=str(planted.attributes),
        states=str(states),
        only="attributes",
        **{"beyond": "", **more},
    )
    return judge(grounding.EVALUATION, [], options, FEW)


def found(judged: Judged, name: str) -> float:
    value = judged.result.values[name].value
    assert value is not None
    return value


def expected(planted: Any, task: str, known: Any) -> float:
    """F1 of who knows some columns for certain, and says of the others what is true of most things."""
    columns = COLUMNS[task]
    truth = planted.truth["test"][1][:, columns].astype(bool)
    most = planted.truth["train"][1][:, columns].mean(axis=0) > 0.5
    said = np.where(np.isin(columns, known), truth, most)
    hits, sizes = (truth & said).sum(axis=1), truth.sum(axis=1) + said.sum(axis=1)
    scores = np.divide(2 * hits, sizes, out=np.zeros(len(hits)), where=sizes > 0)
    return float(100 * scores.mean())


@pytest.mark.slow
def test_states_that_contain_the_attributes_tell_them(planted: Any, tmp_path: Path) -> None:
    judged = probed(planted, planted.write(tmp_path / "all.h5", ALL))
    for task in TASKS:
        possible = expected(planted, task, ALL)
        assert found(judged, f"f1_{task}") > 0.95 * possible, task
    assert found(judged, "f1_abstract_situated") > 95


def test_states_without_them_tell_what_is_true_of_most(planted: Any, tmp_path: Path) -> None:
    """The classifier is stopped by its loss: by F1 over 0.75 it would stop before it knows even that."""
    states = planted.write(tmp_path / "none.h5", ALL[:0])
    judged = probed(planted, states, probe=QUICK)
    for task in TASKS:
        chance = expected(planted, task, ALL[:0])
        assert found(judged, f"f1_{task}") == pytest.approx(chance, abs=4), task


def test_states_with_half_of_them_lie_where_half_must(planted: Any, tmp_path: Path) -> None:
    half = ALL[::2]
    judged = probed(planted, planted.write(tmp_path / "half.h5", half), probe=QUICK)
    for task in TASKS:
        place = expected(planted, task, half)
        none, whole = expected(planted, task, ALL[:0]), expected(planted, task, ALL)
        assert none + 6 < place < whole - 6
        assert found(judged, f"f1_{task}") == pytest.approx(place, abs=4), task


def test_a_classifier_that_stopped_before_it_was_trained_is_said_to_be(
    planted: Any, tmp_path: Path
) -> None:
    """The paper's rule stops where F1 over 0.75 does not rise; states of noise may begin at their best."""
    states = planted.write(tmp_path / "none.h5", ALL[:0], width=8)
    by_f1, by_loss = (
        "\n".join(probed(planted, states, probe=how).result.notes) for how in ("", QUICK)
    )
    assert by_f1.count("HARDLY TRAINED") == 1
    assert "HARDLY TRAINED" not in by_loss


def test_random_scores_find_half_of_what_is_true(planted: Any) -> None:
    """Recall is one half, and precision the share of attributes that are true."""
    judged = probed(planted, "random")
    truth = planted.truth["test"][1]
    for task in TASKS:
        columns = truth[:, COLUMNS[task]]
        some = columns.any(axis=1)
        half = 50 * some.mean()
        assert found(judged, f"recall_{task}") == pytest.approx(half, abs=5), task
    assert found(judged, "precision_abstract_situated") == pytest.approx(100 * truth.mean(), abs=4)


def test_the_code_variant_exchanges_the_names(planted: Any) -> None:
    paper, code = probed(planted, "random"), probed(planted, "random", variant="code")
    for task in TASKS:
        assert found(paper, f"precision_{task}") == found(code, f"recall_{task}")
        assert found(paper, f"f1_{task}") == found(code, f"f1_{task}")


@pytest.mark.slow
def test_attributes_that_are_there_are_selective_and_short(planted: Any, tmp_path: Path) -> None:
    """A control task, whose labels belong to categories, cannot be read off states without categories."""
    whole = probed(
        planted, planted.write(tmp_path / "all.h5", ALL), beyond="control,mdl,curve", probe=QUICK
    )
    none = probed(planted, planted.write(tmp_path / "none.h5", ALL[:0]), beyond="mdl", probe=QUICK)
    for task in TASKS:
        assert found(whole, f"selectivity_{task}") > 15
        difference = found(whole, f"f1_{task}") - found(whole, f"control_f1_{task}")
        assert found(whole, f"selectivity_{task}") == pytest.approx(difference)
        assert found(whole, f"mdl_{task}") < found(none, f"mdl_{task}") / 1.5
        assert found(whole, f"compression_{task}") > 1.5 > found(none, f"compression_{task}")
        curve = {
            int(name.rpartition("_")[2]): value.value or 0
            for name, value in whole.result.values.items()
            if name.startswith(f"curve_{task}_") and name.removeprefix(f"curve_{task}_").isdecimal()
        }
        assert list(curve) == sorted(curve)
        assert max(curve) == len(planted.truth["train"][0])
        assert curve[max(curve)] == pytest.approx(found(whole, f"f1_{task}"))
        assert curve[min(curve)] < curve[max(curve)]


def test_few_games_are_learned_from_in_as_many_updates(planted: Any, tmp_path: Path) -> None:
    """By the paper's rule of patience, too, a tenth of the games tells what stands in the states."""
    judged = probed(planted, planted.write(tmp_path / "all.h5", ALL), beyond="curve")
    tenth = round(0.1 * len(planted.truth["train"][0]))
    for task in TASKS:
        assert found(judged, f"curve_{task}_{tenth}") > 85, task


def test_the_end_of_a_learning_curve_has_the_interval_of_the_value_itself(
    planted: Any, tmp_path: Path
) -> None:
    """It is the same number of the same games; and no interval goes over 100."""
    states = planted.write(tmp_path / "all.h5", ALL[10:])
    values = probed(planted, states, beyond="curve", probe=QUICK).result.values
    many = len(planted.truth["train"][0])
    for task in TASKS:
        assert values[f"curve_{task}_{many}"] == values[f"f1_{task}"]
    curves = [value for name, value in values.items() if name.startswith("curve_")]
    assert len(curves) == 16
    assert all(value.ci_high is not None and value.ci_high <= 100 for value in curves)


@pytest.fixture(scope="module")
def leaking(planted: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files in which the games of test are those of train, under other ids."""
    folder: Path = tmp_path_factory.mktemp("leaking")
    attributes = folder / "attributes"
    shutil.copytree(planted.attributes, attributes)
    shutil.rmtree(attributes / "test")
    shutil.copytree(attributes / "train", attributes / "test")
    shutil.copy(planted.world / "guesswhat.valid.jsonl.gz", folder)
    for split, ahead in (("train", 0), ("test", 100_000)):
        with gzip.open(planted.world / "guesswhat.train.jsonl.gz", "rt") as lines:
            games = [json.loads(line) for line in lines]
        with gzip.open(folder / f"guesswhat.{split}.jsonl.gz", "wt") as lines:
            lines.writelines(
                json.dumps({**game, "id": game["id"] + ahead}) + "\n" for game in games
            )
    return folder


def test_targets_that_are_in_train_and_in_test_are_found_out(
    planted: Any, leaking: Path, tmp_path: Path
) -> None:
    """States of noise are known by heart there; labels that are shuffled over targets betray it."""
    draws = np.random.default_rng(2)
    trained, ids = planted.truth["train"][0], planted.truth["valid"][0]
    states = draws.normal(size=(len(trained), 200))
    renumbered = [str(int(i) + 100_000) for i in trained]
    path = tmp_path / "leaking.h5"
    dialogue_states.write(
        path,
        {
            "train": (trained, states),
            "valid": (ids, draws.normal(size=(len(ids), 200))),
            "test": (renumbered, states),
        },
    )
    options = grounding.Options(
        games=str(leaking),
        attributes=str(leaking / "attributes"),
        states=str(path),
        only="attributes",
        beyond="",
    )
    with pytest.raises(RefereeError, match="on shuffled labels, where chance gives"):
        judge(grounding.EVALUATION, [], options, FEW)


def test_a_game_that_is_in_train_and_in_test_is_named(
    planted: Any, leaking: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "same"
    shutil.copytree(leaking, folder)
    shutil.copy(folder / "guesswhat.train.jsonl.gz", folder / "guesswhat.test.jsonl.gz")
    options = grounding.Options(
        games=str(folder),
        attributes=str(folder / "attributes"),
        states=str(planted.write(tmp_path / "all.h5", ALL)),
        only="attributes",
    )
    first = planted.truth["train"][0][0]
    with pytest.raises(DataError, match=f"game {first}: is in train and in test"):
        judge(grounding.EVALUATION, [], options, FEW)


@pytest.fixture(scope="module")
def scores(planted: Any) -> dict[str, dict[str, float]]:
    """What two guessers reach on seen and unseen things, and chance."""
    world = planted.world
    wanted = references.references(world, world)
    parts = references.by_part(
        {key: each for key, each in wanted.items() if "valid" not in each.part},
        ("seen", "near", "out"),
    )
    told = {}
    for hears in ("categories", "attributes"):
        seats = {
            "questioner": "scripted:people",
            "oracle": "scripted:perfect-oracle",
            "guesser": f"scripted:selective-guesser?hears={hears}",
        }
        transcripts = (
            each for games in parts for each in play(games, seats, Plan(rules.Rules(8), 0))
        )
        options = grounding.Options(
            games=str(world), zero_shot=str(world), only="gameplay,zero-shot"
        )
        judged = judge(grounding.EVALUATION, transcripts, options, FEW)
        told[hears] = {
            name: found(judged, name) for name in ("gameplay", "zero_shot_near", "zero_shot_out")
        }
    unseen = [g for games in parts for g in games if references.domain_of(g) == "out"]
    told["chance"] = {
        "zero_shot_out": 100 * sum(1 / len(g.scene.things) for g in unseen) / len(unseen)
    }
    return told


def test_who_knows_kinds_by_heart_falls_to_chance_on_unseen_ones(
    scores: dict[str, dict[str, float]],
) -> None:
    learned = scores["categories"]
    assert learned["gameplay"] > 45
    assert learned["zero_shot_out"] == pytest.approx(scores["chance"]["zero_shot_out"], abs=5)


def test_who_goes_by_attributes_keeps_its_score(scores: dict[str, dict[str, float]]) -> None:
    seen = scores["attributes"]
    assert seen["gameplay"] > 45
    assert seen["zero_shot_out"] > seen["gameplay"] - 8
    assert seen["zero_shot_out"] > 2 * scores["categories"]["zero_shot_out"]


def test_a_game_of_unseen_things_is_known_by_its_scene(planted: Any) -> None:
    """Without files of reference games too."""
    for part, path in references.zero_shot(planted.world).items():
        assert {references.domain_of(game) for game in guesswhat.games(path)} == {
            references.domain(part)
        }
