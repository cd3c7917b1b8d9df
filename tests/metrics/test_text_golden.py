"""A thousand published captions: coco-caption's own scores, tokenised by its jar and by our port."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.metrics.text.bleu import bleu, corpus_bleu, matched
from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.interning import Texts, Vocabulary
from referee.metrics.text.ptb import ptb
from referee.metrics.text.rouge import rouge_l

Captions: TypeAlias = list[list[str]]


@dataclass(frozen=True)
class Scored:
    """The captions and their references, and the scores that coco-caption gives them."""

    generated: Texts
    references: Texts
    scores: dict[str, float | list[float]]


def _by_jar(captions: Captions) -> list[list[str]]:
    if shutil.which("java") is None:
        pytest.skip("no Java: the tokeniser is a jar")
    tokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    numbered = {
        number: [{"caption": text} for text in texts] for number, texts in enumerate(captions)
    }
    return list(tokenizer.tokenize(numbered).values())


def _by_ours(captions: Captions) -> list[list[str]]:
    return [[ptb(text) for text in texts] for texts in captions]


@pytest.fixture(scope="module", params=[_by_jar, _by_ours], ids=["jar", "ours"])
def scored(shared: Path, request: pytest.FixtureRequest) -> Scored:
    golden = json.loads((shared / "golden" / "coco_fakecap_1000.json").read_text())
    generated = [golden["res"][key] for key in golden["res"]]
    references = [golden["gts"][key] for key in golden["res"]]
    words = Vocabulary()
    return Scored(
        generated=words.texts(request.param(generated)),
        references=words.texts(request.param(references)),
        scores=golden["reproduced_here"],
    )


def test_bleu_of_the_corpus_is_the_published_one(scored: Scored) -> None:
    found = corpus_bleu(scored.generated, scored.references)
    assert [f"{value:.5f}" for value in found] == ["0.57940", "0.40439", "0.27854", "0.19083"]
    assert found == pytest.approx(scored.scores["Bleu"], abs=1e-12)


def test_the_counts_behind_it_are_the_published_ones(scored: Scored) -> None:
    matches = matched(scored.generated, scored.references)
    assert matches.length.sum() == 9893
    assert matches.closest.sum() == 9855
    assert matches.guessed.sum(axis=0).tolist() == [9893, 8893, 7893, 6893]
    assert matches.correct.sum(axis=0).tolist() == [5732, 2510, 1043, 423]


def test_the_mean_of_sentence_bleu_is_another_number(scored: Scored) -> None:
    """Long captions weigh more in the corpus, and a caption without a 4-gram is nearly 0 by itself."""
    found = bleu(scored.generated, scored.references).mean(axis=0)
    assert found[3] < 0.15


def test_cider_d_is_the_published_one(scored: Scored) -> None:
    found = cider_d(scored.generated, scored.references).mean()
    assert f"{found:.5f}" == "0.59979"
    assert found == pytest.approx(scored.scores["CIDEr"], abs=1e-12)


def test_rouge_l_is_the_published_one(scored: Scored) -> None:
    found = rouge_l(scored.generated, scored.references).mean()
    assert f"{found:.5f}" == "0.39625"
    assert found == pytest.approx(scored.scores["ROUGE_L"], abs=1e-12)
