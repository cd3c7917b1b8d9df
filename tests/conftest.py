"""What every test may use: the real data at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run, and no verdict that hangs on how busy the machine is.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")

# Tables are as wide as in a pipe, however wide the terminal is in which the suite was started.
os.environ.pop("COLUMNS", None)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `data` of REFEREE_SHARED (default ../shared), which is never part of the project."""
    folder = Path(os.environ.get("REFEREE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"real data absent: {folder} (set REFEREE_SHARED)")
    return folder
