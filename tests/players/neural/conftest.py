"""The shapes in the types of the neural players are checked while their tests run."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("torch")

import torch
from jaxtyping import install_import_hook

# Small products gain nothing by a second thread, and tests that run at once would wait for theirs.
torch.set_num_threads(1)

# Before any test imports the modules; the hook stays for the whole session.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    # A whole number is a number, as every type checker has it.
    tower = "beartype.BeartypeConf(is_pep484_tower=True)"
    install_import_hook("referee.players.neural", f"beartype.beartype(conf={tower})")
