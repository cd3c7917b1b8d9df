"""Evaluations by name: ours, those of installed packages, and those in a file of one's own."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from referee.errors import UsageError
from referee.evaluations.evaluation import Evaluation
from referee.games import Game
from referee.own import load as load_own
from referee.own import own

GROUP = "referee.evaluations"
"""The entry-point group in which another package offers an Evaluation."""

OURS: dict[str, str] = {
    "questions": "referee.evaluations.questions",
    "answers": "referee.evaluations.answers",
    "teamwork": "referee.evaluations.teamwork",
    "belief": "referee.evaluations.belief",
    "grounding": "referee.evaluations.grounding",
}


def names() -> tuple[str, ...]:
    """The names of all evaluations that are installed, ours first."""
    others = (point.name for point in entry_points(group=GROUP))
    return tuple(dict.fromkeys((*OURS, *others)))


def load(name: str) -> Evaluation:
    """The evaluation of this name; `./mine.py:EVALUATION` is one in a file."""
    found: object
    if name in OURS:
        found = import_module(OURS[name]).EVALUATION
    elif (written := own(name)) is not None:
        found = load_own(written)
    else:
        points = tuple(entry_points(group=GROUP, name=name))
        if not points:
            known = ", ".join(names())
            raise UsageError(f"there is no evaluation '{name}' (there are {known})")
        found = points[0].load()
    if not isinstance(found, Evaluation):
        raise UsageError(f"'{name}' is no Evaluation but a {type(found).__name__}")
    return found


def known(name: str) -> Evaluation | None:
    """The evaluation of a result; None where it is of a file, which a result does not name."""
    return load(name) if name in names() else None


def suiting(game: Game) -> tuple[Evaluation, ...]:
    """The evaluations that judge games of this kind."""
    loaded = (load(name) for name in names())
    return tuple(evaluation for evaluation in loaded if isinstance(game, evaluation.game))
