"""What docs/neural.md says of the models that ship and of the presets is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.players import neural
from referee.players.neural import checkpoint, presets

PAGE = Path(__file__).parents[3] / "docs" / "neural.md"
TEXT = PAGE.read_text(encoding="utf-8")


def shipped() -> dict[str, tuple[str, str]]:
    """Of each model of the table what is said of it, and its best epoch."""
    table = TEXT.partition("\n## The models that ship\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`neural:.*?) \| (.*) \| (\d+ of \d+) \|$", table, re.MULTILINE)
    return {
        name: (said, epoch) for names, said, epoch in rows for name in re.findall(r":(\S+)`", names)
    }


def test_every_model_that_ships_is_in_the_table() -> None:
    assert set(shipped()) == set(neural.shipped())


@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_figures_of_the_models_are_those_of_their_training(name: str) -> None:
    """Shares in percent with one digit after the point, nats with two."""
    said, epoch = shipped()[name]
    told = checkpoint.load(neural.WEIGHTS / name).description.training
    assert epoch == f"{told['epoch'] + 1} of {told['plan']['epochs']}"
    figures = told["figures"].values()
    known = {f"{100 * it:.1f} %" for it in figures} | {f"{it:.2f} nats" for it in figures}
    # A model's own figure, not that of chance.
    printed = re.findall(r"\d+\.\d+(?: %| nats)", said.replace(" % wrong", " %"))
    assert set(printed) <= known
    assert printed or name == "icons"


def test_the_tiny_schedule_of_reinforce() -> None:
    tiny, paper = presets.rl("tiny"), presets.rl("paper")
    assert f"a rate of {tiny.plan.rate:g} and {tiny.plan.epochs} epochs" in TEXT
    assert f"baseline's loss by {tiny.config.baseline_weight:g}" in TEXT
    assert (
        f"batch {paper.plan.batch}, each variable's gradient clipped at {paper.plan.clip:g}" in TEXT
    )
    assert f"{paper.plan.epochs} epochs, {paper.config.questions} questions" in TEXT
