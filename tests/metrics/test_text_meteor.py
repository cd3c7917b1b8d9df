"""METEOR 1.5 over hand-made tables, and over the real ones against the jar's recorded statistics."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.datasets.densevisdial import paired, read_generations, read_references
from referee.errors import UsageError
from referee.metrics.text.meteor import Meteor, aggregated, score, tables_of
from referee.metrics.text.meteor.relations import java_hash
from referee.metrics.text.profiles import profile

Lists = list[list[str]]


@pytest.fixture(scope="module")
def small() -> Meteor:
    """Synonyms car and automobile, three paraphrases, and the function words a and the."""
    return Meteor(
        tables_of(
            {"car": [1], "automobile": [1], "be": [2]},
            [("do not know", "not sure"), ("red bus", "bus"), ("bus", "coach")],
            ("a", "the"),
            {"was": ["be"], "are": ["be"]},
        )
    )


@pytest.fixture(scope="module")
def meteor() -> Meteor:
    if find_spec("pycocoevalcap") is None:
        pytest.skip("pycocoevalcap is not installed: METEOR's data are in it")
    from referee.datasets.meteor_data import open_meteor

    return open_meteor()


@pytest.fixture(scope="module")
def vectors(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "golden/meteor_vectors.json").read_text())
    return found


@pytest.fixture(scope="module")
def human(shared: Path) -> tuple[Lists, Lists, Lists]:
    """The published generations, ground truths and human reference sets, by image and round."""
    folder = shared / "densevisdial"
    rows = sorted(
        paired(
            read_references(folder / "refs_H_human_val.json"),
            read_generations(folder / "gens.json"),
        ),
        key=lambda row: (int(row[0].image), row[0].round),
    )
    return (
        [list(said.texts) for _, said in rows],
        [[reference.gt_answer] for reference, _ in rows],
        [list(reference.references) for reference, _ in rows],
    )


def test_the_373_vectors_have_the_jars_statistics_and_scores(
    meteor: Meteor, vectors: list[dict[str, Any]]
) -> None:
    said, wanted = [[row["hyp"]] for row in vectors], [row["refs"] for row in vectors]
    lines = [[float(number) for number in row["stats"].split()] for row in vectors]
    assert len(vectors) == 373
    assert meteor.statistics(said, wanted).tolist() == lines
    scores = meteor.score(said, wanted)
    assert scores == pytest.approx([row["score"] for row in vectors], rel=0, abs=1e-12)


def test_the_score_of_the_statistics_is_the_score(
    vectors: list[dict[str, Any]],
) -> None:
    for row in vectors:
        line = np.array([float(number) for number in row["stats"].split()]).astype(np.int64)
        assert score(line) == pytest.approx(row["score"], rel=0, abs=1e-12)


def test_the_published_generations_score_what_the_paper_says(
    meteor: Meteor, human: tuple[Lists, Lists, Lists]
) -> None:
    generated, truths, references = human
    rewrite = profile("paper").hypothesis
    scores = meteor.score(generated, references, rewrite)
    assert f"{scores.mean():.6f} {scores.std():.6f}" == "0.271304 0.308252"
    assert scores[:5].round(6).tolist() == [0, 0.266667, 0.195122, 0, 0.165517]
    assert f"{meteor.score(truths, references, rewrite).mean():.4f}" == "0.9971"


def test_generations_are_scored_item_by_item_in_their_order(meteor: Meteor) -> None:
    said = [["yes", "", "a red bus"], [], ["two dogs", "yes"]]
    wanted = [["a red bus", "no"], ["yes"], ["dogs", "two cats"]]
    alone = [
        meteor.score([[text]], [references])[0]
        for texts, references in zip(said, wanted, strict=True)
        for text in texts
    ]
    assert meteor.score(said, wanted).tolist() == alone
    assert alone[:3] == [0, 0, 1]


def test_the_number_of_threads_changes_no_score(
    meteor: Meteor, human: tuple[Lists, Lists, Lists]
) -> None:
    generated, _, references = human
    alone = Meteor(meteor.tables, threads=1).score(generated, references)
    assert np.array_equal(alone, Meteor(meteor.tables, threads=3).score(generated, references))


def test_an_empty_hypothesis_scores_nothing(small: Meteor) -> None:
    assert small.score([["", " \t", "|||"]], [["a bus", ""]]).tolist() == [0, 0, 0]
    assert small.statistics([[""]], [["a bus"]])[0, :4].tolist() == [0, 2, 0, 1]


def test_without_references_there_is_no_score(small: Meteor) -> None:
    assert np.isnan(small.score([["a bus"]], [[]])).all()
    with pytest.raises(UsageError, match="at least one reference"):
        small.statistics([["a bus"]], [[]])


def test_nothing_to_score_is_no_score(small: Meteor) -> None:
    assert small.score([], []).shape == (0,)
    assert small.score([[]], [["a bus"]]).shape == (0,)


def test_lists_of_other_items_are_refused(small: Meteor) -> None:
    with pytest.raises(UsageError, match="1 lists of hypotheses and 2 reference sets"):
        small.score([["a"]], [["a"], ["b"]])


def test_the_best_reference_counts_and_the_first_of_equals(small: Meteor) -> None:
    found = small.statistics([["a bus"]], [["dog", "a bus here", "a bus there"]])
    assert found[0, [1, 20, 21]].tolist() == [3, 1, 2]
    assert small.score([["dog"]], [["cat", "a"]]).tolist() == [0]
    assert small.statistics([["dog"]], [["cat", "a"]])[0, 3] == 0


def test_each_module_counts_its_words(small: Meteor) -> None:
    said = [["a dog"], ["two dogs here"], ["one automobile"], ["i do not know"], ["was"]]
    wanted = [["a dog"], ["two dog here"], ["one car"], ["i not sure"], ["are"]]
    found = small.statistics(said, wanted)
    assert found[0, 4:8].tolist() == [1, 1, 1, 1]
    assert found[1, 8:12].tolist() == [1, 1, 0, 0]
    assert found[2, 12:16].tolist() == [1, 1, 0, 0]
    assert found[3, 16:20].tolist() == [3, 2, 0, 0]
    assert found[4, 12:16].tolist() == [1, 1, 0, 0]


def test_a_paraphrase_counts_in_both_directions(small: Meteor) -> None:
    there = small.statistics([["one red bus"]], [["one bus"]])
    back = small.statistics([["one bus"]], [["one red bus"]])
    assert there[0, 21:].tolist() == [3, 2] or there[0, 21:].tolist() == [2, 2]
    assert back[0, 21:].tolist() == there[0, :20:-1].tolist()


def test_perfect_alignments_add_no_chunks_to_a_corpus(small: Meteor) -> None:
    said, wanted = [["a bus"], ["one red car"]], [["a bus"], ["one blue car"]]
    lines = small.statistics(said, wanted)
    summed = aggregated(lines)
    assert lines[:, 20].tolist() == [1, 2]
    assert summed[20] == 2
    assert small.corpus(said, wanted) == score(summed)


def test_sentences_longer_than_a_machine_word_of_bits_are_aligned(small: Meteor) -> None:
    words = [f"w{number}" for number in range(150)]
    backwards = " ".join(reversed(words))
    assert small.score([[" ".join(words)]], [[" ".join(words)]]).tolist() == [1]
    assert small.statistics([[backwards]], [[" ".join(words)]])[0, 20:].tolist() == [150, 150, 150]
    twice = " ".join(words + words)
    found = small.statistics([[" ".join(words)]], [[twice]])
    assert found[0, 20:].tolist() == [1, 150, 150]


def test_words_of_equal_java_hash_are_equal_words(small: Meteor) -> None:
    assert java_hash("an") == java_hash("c0") == 3117
    assert java_hash("\U0001f600") == 1772899
    assert small.score([["an dog"]], [["c0 dog"]]).tolist() == [1]


def test_the_hypothesis_alone_is_rewritten(small: Meteor) -> None:
    assert small.score([["BUS"]], [["bus"]], lambda _: "car").tolist() == [0]
    assert small.score([["BUS"]], [["automobile"]], lambda _: "car").tolist() == [
        0.8000000000000002
    ]
