"""The published generations against the human reference sets: the numbers to six digits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from referee.datasets.densevisdial import paired, read_generations, read_references
from referee.metrics.text.bleu import bleu
from referee.metrics.text.cider import cider
from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.interning import Scores, Texts, Vocabulary
from referee.metrics.text.profiles import profile
from referee.metrics.text.rouge import rouge_l


@dataclass(frozen=True)
class Human:
    """The human subset of val, its texts as released."""

    generated: Texts
    truths: Texts
    references: Texts


@pytest.fixture(scope="module")
def human(shared: Path) -> Human:
    folder = shared / "densevisdial"
    rows = list(
        paired(
            read_references(folder / "refs_H_human_val.json"),
            read_generations(folder / "gens.json"),
        )
    )
    words = Vocabulary()
    return Human(
        generated=words.texts([generations.texts for _, generations in rows]),
        truths=words.texts([[reference.gt_answer] for reference, _ in rows]),
        references=words.texts([reference.references for reference, _ in rows]),
    )


def _six(values: Scores) -> list[float]:
    return [round(float(value), 6) for value in values]


def _four(values: Scores) -> list[float]:
    return [round(float(value), 4) for value in values]


def _members(values: Scores, sets: Texts) -> tuple[Scores, Scores]:
    """The mean and the best over the members of each set, [sets, orders]."""
    begin = sets.offsets[:-1]
    sizes = np.diff(sets.offsets)[:, None]
    return np.add.reduceat(values, begin) / sizes, np.maximum.reduceat(values, begin)


def test_cider_of_the_generations(human: Human) -> None:
    scores = cider(human.generated, human.references)
    assert scores.shape == (2064, 4)
    assert _six(scores.mean(axis=0)) == [0.072026, 0.043328, 0.029789, 0.022561]
    assert _six(scores.std(axis=0)) == [0.118177, 0.072414, 0.050550, 0.038801]


def test_bleu_of_the_generations(human: Human) -> None:
    scores = bleu(human.generated, human.references)
    assert _six(scores.mean(axis=0)) == [0.432160, 0.145953, 0.034528, 0.013835]
    assert _six(scores.std(axis=0)) == [0.384063, 0.318914, 0.159394, 0.104067]


def _rewritten(human: Human, metric: str) -> tuple[Texts, Texts, Texts]:
    """The generations, the ground truths and the references, as the paper's profile has them."""
    paper, words = profile("paper"), Vocabulary()

    def ours(text: str) -> list[str]:
        return paper.hypothesis(text).split()

    def theirs(text: str) -> list[str]:
        return paper.reference_for(metric)(text).split()

    return (
        words.texts(_lists(human.generated), ours),
        words.texts(_lists(human.truths), ours),
        words.texts(_lists(human.references), theirs),
    )


def _lists(texts: Texts) -> list[list[str]]:
    flat = [texts.distinct[number] for number in texts.index]
    return [flat[begin:end] for begin, end in pairwise(texts.offsets.tolist())]


def test_the_papers_tokenisation_gives_the_papers_cider(human: Human) -> None:
    generated, _, references = _rewritten(human, "cider")
    scores = cider(generated, references)
    assert _six(scores.mean(axis=0)) == [0.072117, 0.043401, 0.029824, 0.022588]
    assert _six(scores.std(axis=0)) == [0.118716, 0.072588, 0.050634, 0.038854]


def test_the_papers_tokenisation_gives_the_papers_bleu(human: Human) -> None:
    generated, truths, references = _rewritten(human, "bleu")
    scores = bleu(generated, references)
    assert _six(scores.mean(axis=0)) == [0.432349, 0.146051, 0.034528, 0.013835]
    assert _four(scores.std(axis=0))[0] == 0.3839
    assert _four(bleu(truths, references).mean(axis=0)) == [0.9961, 0.4840, 0.3934, 0.2916]


def test_the_reference_sets_scored_against_themselves(human: Human) -> None:
    """The upper bound that the paper calls Gamma: 26,358 hypotheses."""
    scores = bleu(human.references, human.references)
    assert len(scores) == 26_358
    mean, best = _members(scores, human.references)
    assert _four(mean.mean(axis=0)) == [1, 0.7633, 0.5974, 0.3371]
    assert _four(mean.std(axis=0)) == [0, 0.1440, 0.1538, 0.1675]
    assert _four(best.mean(axis=0)) == [1, 0.9898, 0.9826, 0.9300]
    mean, best = _members(cider(human.references, human.references), human.references)
    assert _four(mean.mean(axis=0)) == [0.1982, 0.1483, 0.1209, 0.0997]
    assert _four(best.mean(axis=0)) == [0.2866, 0.2230, 0.1869, 0.1554]


def test_the_ground_truth_as_hypothesis(human: Human) -> None:
    found = bleu(human.truths, human.references).mean(axis=0)
    assert _four(found) == [1, 0.4894, 0.4007, 0.2971]
    found = cider(human.truths, human.references).mean(axis=0)
    assert _four(found) == [0.1922, 0.1275, 0.1003, 0.0836]


def test_every_generation_scores_what_pycocoevalcap_gives_it(human: Human) -> None:
    bleu_class = pytest.importorskip("pycocoevalcap.bleu.bleu_scorer").BleuScorer
    cider_class = pytest.importorskip("pycocoevalcap.cider.cider_scorer").CiderScorer
    rouge = pytest.importorskip("pycocoevalcap.rouge.rouge").Rouge()
    bleu_scorer, cider_scorer, expected_rouge = bleu_class(), cider_class(), []
    for (text,), references in zip(_lists(human.generated), _lists(human.references), strict=True):
        bleu_scorer += (text, references)
        cider_scorer += (text, references)
        words = [" ".join(other.split()) for other in references]
        expected_rouge.append(rouge.calc_score([" ".join(text.split())], words))
    texts = human.generated, human.references
    expected_bleu = np.transpose(bleu_scorer.compute_score(option="closest")[1])
    np.testing.assert_allclose(bleu(*texts), expected_bleu, rtol=1e-12)
    np.testing.assert_allclose(cider_d(*texts), cider_scorer.compute_score()[1], atol=1e-11)
    np.testing.assert_allclose(rouge_l(*texts), expected_rouge, rtol=1e-12)
