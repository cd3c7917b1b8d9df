"""Sizes and schedules by name: `paper` is what was published, `tiny` learns Iconworld in a minute or two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

import msgspec

from referee.players.neural.gdse import GDSEConfig
from referee.players.neural.gdse_learning import Schedule
from referee.players.neural.guesser import GUESSERS, GuesserConfig
from referee.players.neural.lxmert import LxmertConfig
from referee.players.neural.oracle import GDSE_ORACLE, OracleConfig
from referee.players.neural.qgen import QGenConfig
from referee.players.neural.reinforce import Policy
from referee.players.neural.training import Plan
from referee.players.neural.vdst import VDSTConfig
from referee.players.neural.vdst_learning import Restarts
from referee.players.neural.vdst_reinforcing import VDSTPolicy

C = TypeVar("C")

Preset = Literal["tiny", "paper"]


@dataclass(frozen=True)
class Recipe(Generic[C]):
    """A configuration, and how it is trained."""

    config: C
    plan: Plan


_TINY_PLAN = Plan(epochs=16, batch=64, rate=3e-3, patience=4, clip=5.0, alike=16)
_TINY_GUESSING = Plan(epochs=14, batch=16, rate=1e-3, patience=4, clip=5.0, alike=16)
"""Many small steps: with fewer, or longer ones, a guesser learns kinds and never the places."""


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
    tiny = replace(paper, word=32, hidden=112, state=112, category=32, object=112, joint=64)
    return Recipe(tiny, _TINY_GUESSING)


def lxmert(preset: Preset) -> Recipe[LxmertConfig]:
    """The LXMERT guesser, as Greco et al. trained it."""
    if preset == "paper":
        return Recipe(LxmertConfig(decider=True), Plan(epochs=25, batch=16, rate=1e-5, clip=5.0))
    tiny = LxmertConfig(
        hidden=48,
        heads=4,
        inner=96,
        language=2,
        vision=1,
        cross=1,
        state=64,
        category=32,
        object=64,
    )
    return Recipe(tiny, Plan(epochs=4, batch=16, rate=1e-3, clip=5.0, alike=16))


def qgen(preset: Preset) -> Recipe[QGenConfig]:
    """The QGen of de Vries et al., supervised."""
    if preset == "paper":
        return Recipe(QGenConfig(), Plan(epochs=30, batch=32))
    tiny = QGenConfig(word=32, hidden=128, image=128, visual=64)
    return Recipe(tiny, _TINY_PLAN)


def rl(preset: Preset) -> Recipe[Policy]:
    """REINFORCE for that QGen; 80 epochs as in the paper (the code's file says 150)."""
    plan = Plan(epochs=80, batch=64, rate=1e-3, clip=5.0, clip_each=True)
    if preset == "paper":
        return Recipe(Policy(), plan)
    tiny = msgspec.structs.replace(plan, epochs=20, rate=0.05)
    return Recipe(Policy(baseline_weight=0.001), tiny)


@dataclass(frozen=True)
class GDSERecipe(Recipe[GDSEConfig]):
    """With which epoch teaches what; the configuration of `cl` is that of the model it goes on from."""

    schedule: Schedule


def gdse(preset: Preset, mode: Literal["sl", "cl"] = "sl") -> GDSERecipe:
    """GDSE, supervised or cooperative."""
    paper = GDSEConfig()
    if preset == "paper":
        return GDSERecipe(paper, Plan(epochs=100, batch=64 if mode == "sl" else 32), Schedule())
    guesser = replace(
        paper.guesser, word=32, hidden=112, state=112, category=32, object=112, image=128
    )
    tiny = GDSEConfig(guesser, word=32, visual=64)
    if mode == "sl":
        return GDSERecipe(tiny, _TINY_GUESSING, Schedule(modulo=1, whole_games=True))
    plan = msgspec.structs.replace(_TINY_GUESSING, epochs=10, batch=32)
    return GDSERecipe(tiny, plan, Schedule(modulo=4, whole_games=True, questions=8))


@dataclass(frozen=True)
class VDSTRecipe(Recipe[VDSTConfig]):
    """With the periods of its learning rate; how many regions there are, and how long, the files say."""

    restarts: Restarts


def vdst_rl(preset: Preset) -> Recipe[VDSTPolicy]:
    """REINFORCE for VDST."""
    plan = Plan(epochs=500, batch=64, rate=1e-3, clip=5.0, clip_each=True)
    if preset == "paper":
        return Recipe(VDSTPolicy(), plan)
    return Recipe(VDSTPolicy(), msgspec.structs.replace(plan, epochs=20, rate=0.01))


def vdst(preset: Preset) -> VDSTRecipe:
    """VDST, supervised."""
    if preset == "paper":
        plan = Plan(epochs=50, batch=64, rate=3e-4, clip=5.0, clip_each=True)
        return VDSTRecipe(VDSTConfig(), plan, Restarts())
    tiny = VDSTConfig(word=32, hidden=128, visual=64, joint=64, gain=16.0)
    plan = Plan(epochs=5, batch=32, rate=3e-3, clip=5.0, alike=16)
    return VDSTRecipe(tiny, plan, Restarts(first=5))
