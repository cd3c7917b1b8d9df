"""Sizes and schedules by name: `paper` is what was published, `tiny` learns Iconworld in a minute or two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from referee.players.neural.guesser import GUESSERS, GuesserConfig
from referee.players.neural.oracle import GDSE_ORACLE, OracleConfig
from referee.players.neural.training import Plan

C = TypeVar("C")

Preset = Literal["tiny", "paper"]


@dataclass(frozen=True)
class Recipe(Generic[C]):
    """A configuration, and how it is trained."""

    config: C
    plan: Plan


_TINY_PLAN = Plan(epochs=40, batch=64, rate=3e-3, patience=6, clip=5.0)


def oracle(preset: Preset, variant: Literal["devries", "gdse"] = "devries") -> Recipe[OracleConfig]:
    """An oracle."""
    paper = OracleConfig() if variant == "devries" else GDSE_ORACLE
    if preset == "paper":
        gdse = Plan(epochs=16, batch=1024)
        return Recipe(paper, gdse if variant == "gdse" else Plan())
    layers = (64,) if variant == "devries" else (128, 32)
    return Recipe(replace(paper, word=32, hidden=64, category=32, layers=layers), _TINY_PLAN)


def guesser(
    preset: Preset, encoder: Literal["lstm", "vlstm", "gdse", "tracking"] = "lstm"
) -> Recipe[GuesserConfig]:
    """A guesser."""
    paper = GUESSERS[encoder]
    if preset == "paper":
        return Recipe(paper, Plan())
    tiny = replace(paper, word=32, hidden=64, state=64, category=32, object=64, joint=64)
    return Recipe(tiny, _TINY_PLAN)
