"""A thousand published captions: coco-caption's own scores, tokenised by its own tokeniser."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.metrics.text.bleu import bleu, corpus_bleu, matched
from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.interning import Texts, Vocabulary
from referee.metrics.text.rouge import rouge_l


@dataclass(frozen=True)
class Captions:
    """The captions and their references, and the scores that coco-caption gives them."""

    generated: Texts
    references: Texts
    scores: dict[str, float | list[float]]


@pytest.fixture(scope="module")
def captions(shared: Path) -> Captions:
    if shutil.which("java") is None:
        pytest.skip("no Java: the tokeniser is a jar")
    tokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    golden = json.loads((shared / "golden" / "coco_fakecap_1000.json").read_text())
    split = {
        side: tokenizer.tokenize(
            {key: [{"caption": text} for text in texts] for key, texts in golden[side].items()}
        )
        for side in ("res", "gts")
    }
    words = Vocabulary()
    return Captions(
        generated=words.texts([split["res"][key] for key in golden["res"]]),
        references=words.texts([split["gts"][key] for key in golden["res"]]),
        scores=golden["reproduced_here"],
    )


def test_bleu_of_the_corpus_is_the_published_one(captions: Captions) -> None:
    found = corpus_bleu(captions.generated, captions.references)
    assert [f"{value:.5f}" for value in found] == ["0.57940", "0.40439", "0.27854", "0.19083"]
    assert found == pytest.approx(captions.scores["Bleu"], abs=1e-12)


def test_the_counts_behind_it_are_the_published_ones(captions: Captions) -> None:
    matches = matched(captions.generated, captions.references)
    assert matches.length.sum() == 9893
    assert matches.closest.sum() == 9855
    assert matches.guessed.sum(axis=0).tolist() == [9893, 8893, 7893, 6893]
    assert matches.correct.sum(axis=0).tolist() == [5732, 2510, 1043, 423]


def test_the_mean_of_sentence_bleu_is_another_number(captions: Captions) -> None:
    """Long captions weigh more in the corpus, and a caption without a 4-gram is nearly 0 by itself."""
    found = bleu(captions.generated, captions.references).mean(axis=0)
    assert found[3] < 0.15


def test_cider_d_is_the_published_one(captions: Captions) -> None:
    found = cider_d(captions.generated, captions.references).mean()
    assert f"{found:.5f}" == "0.59979"
    assert found == pytest.approx(captions.scores["CIDEr"], abs=1e-12)


def test_rouge_l_is_the_published_one(captions: Captions) -> None:
    found = rouge_l(captions.generated, captions.references).mean()
    assert f"{found:.5f}" == "0.39625"
    assert found == pytest.approx(captions.scores["ROUGE_L"], abs=1e-12)
