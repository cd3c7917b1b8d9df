"""One world of simulated people, whose every scene is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli import main


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 2,100 games to train on and 450 to validate on."""
    folder = tmp_path_factory.mktemp("questions") / "world"
    words = ["data", "make", "iconworld", "--out", str(folder), "--part", "guesswhat"]
    assert main([*words, "--games", "3000", "--seed", "11"]) == 0
    return folder
