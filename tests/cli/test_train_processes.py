"""Two processes train what one trains, up to the rounding of sums that are added in another order.

Held to 1e-4 in weights and figures after two epochs, where Adam's steps are 3e-3; the largest difference
seen was 1e-5. Models with dropout are left out: each process draws its own, so that they agree in the
mean only.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch")

import torch

from referee.cli import main
from referee.players.neural import checkpoint

if TYPE_CHECKING:
    from tests.cli.conftest import Trainable

TOLERANCE = 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["oracle", "guesser", "qgen", "rl"])
def test_two_processes_train_what_one_trains(
    trainable: Trainable, tmp_path: Path, kind: str
) -> None:
    """Both take their share of each batch; one of them writes the files and says what happens."""
    words = trainable.command(kind, "--epochs", 2)
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    program = Path(sys.executable).with_name("referee")
    done = subprocess.run(
        [program, *words, "--out", str(tmp_path / "two"), "--devices", "2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("was best") == 1
    assert done.stderr.count("referee: epoch ") == 2
    one, two = (checkpoint.load(tmp_path / name) for name in ("one", "two"))
    assert one.weights.keys() == two.weights.keys()
    for name, tensor in one.weights.items():
        torch.testing.assert_close(tensor, two.weights[name], atol=TOLERANCE, rtol=0)
    told, again = (found.description.training["figures"] for found in (one, two))
    assert again == pytest.approx(told, abs=TOLERANCE)
