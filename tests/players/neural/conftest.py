"""The shapes in the types of the neural players are checked while their tests run."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("torch")

from jaxtyping import install_import_hook

# Before any test imports the modules; the hook stays for the whole session.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    # A whole number is a number, as every type checker has it.
    tower = "beartype.BeartypeConf(is_pep484_tower=True)"
    install_import_hook("referee.players.neural", f"beartype.beartype(conf={tower})")
