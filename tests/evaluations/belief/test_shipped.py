"""What the page says of the guessers whose weights come in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli import main
from referee.datasets import guesswhat
from referee.evaluations.belief import EVALUATION, Options
from referee.evaluations.evaluation import judge
from referee.evaluations.result import Value
from referee.players import neural

NEEDED = ("icons", "stl-ce", "stl-kl", "mtl-kl")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not set(NEEDED) <= set(neural.shipped()), reason="the weights are not in the package"
    ),
]


def test_losses_of_the_same_gradient_give_the_same_guesser() -> None:
    """STL-CE and STL-KL of one seed are the same bits."""
    ce, kl = (neural.WEIGHTS / name / "model.safetensors" for name in ("stl-ce", "stl-kl"))
    assert ce.read_bytes() == kl.read_bytes()


def test_soft_labels_bring_beliefs_nearer_to_what_answers_warrant(tmp_path: Path) -> None:
    """After category questions, and with intervals that are apart, in a world that nobody learned from."""
    made, seen = tmp_path / "fresh", tmp_path / "fresh" / "icons.h5"
    world = f"--out {made} --games 400 --seed 2027 --part guesswhat --part pictures"
    assert main(["data", "make", "iconworld", *world.split()]) == 0
    pictures = f"--images {made}/images --model icons --out {seen}"
    assert main(["features", "extract", *pictures.split()]) == 0
    found: dict[str, Value] = {}
    for name in ("stl-ce", "mtl-kl"):
        options = Options(guesser=f"neural:{name}?features={seen}", turns=1)
        told = guesswhat.read(made / "guesswhat.train.jsonl.gz")
        found[name] = judge(EVALUATION, told, options).result.values["r_cq"]
    low, high = found["mtl-kl"].ci_low, found["stl-ce"].ci_high
    assert low is not None
    assert high is not None
    assert low > high
