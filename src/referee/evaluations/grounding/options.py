"""What can be chosen of the `grounding` evaluation, and what a choice comes to."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, TypeVar, get_args

from msgspec import Struct

from referee.errors import UsageError
from referee.evaluations.choosing import choice
from referee.metrics.probing import Training

Variant = Literal["paper", "code"]
Missing = Literal["zero", "error"]
Part = Literal["gameplay", "attributes", "zero-shot", "dialogue"]
Beyond = Literal["control", "mdl", "curve"]

T = TypeVar("T", bound=str)

PARTS: tuple[Part, ...] = get_args(Part)
BEYOND: tuple[Beyond, ...] = get_args(Beyond)


class Options(Struct, frozen=True):
    """How grounding is judged.

    `player` (a player or its name) is whose states are probed, or who is asked about attributes; without,
    it is who played, where the transcripts know it. `games` are the reference games: a folder with a
    train, a valid and a test split, or one such file whose neighbours are found by their names;
    `attributes` is the folder of attribute vectors, `zero_shot` that of zero-shot games. `states` are
    states from elsewhere: a folder or HDF5 file, or a baseline (`glove`, `images:F`, `random`).
    `submission` is a file in the format of `referee export grolla`, whose predictions are scored.
    `missing` says what becomes of a dialogue without a state: zeros (the paper's way) or an error.
    `only` names the parts that are judged, separated by commas, `beyond` what is measured besides the
    paper's values. `elicit` is about how many attributes a player is asked after each dialogue.
    `max_turns` and `play_seed` tell how the games were played where they are played for the evaluation.
    `probe` changes how the classifiers are trained, as in learning_rate=0.01,watch=loss,epochs=200; by
    default as in the paper, with batches so small that an epoch has the paper's number of updates.
    `variant` code exchanges the names of precision and recall, and counts the special tokens among words.
    """

    variant: Variant = "paper"
    player: object = None
    games: str | None = None
    attributes: str | None = None
    zero_shot: str | None = None
    states: str = ""
    submission: str | None = None
    missing: Missing = "zero"
    only: str = ""
    beyond: str = "control,mdl,curve"
    elicit: int = 0
    skip_bad: bool = False
    probe: str = ""
    probe_seed: int = 0
    max_turns: int | None = None
    play_seed: int | None = None


class Settled(Struct, frozen=True):
    """The options with nothing left open."""

    code: bool
    zeros: bool
    parts: frozenset[Part]
    beyond: frozenset[Beyond]
    training: Training
    """How the classifiers are trained, but for the batch and the seed."""
    batch: int | None
    """The batch where it was chosen."""


def settle(options: Options) -> Settled:
    """The options as resolved; what there is not is refused."""
    if options.elicit < 0 or options.elicit == 1:
        raise UsageError(
            f"elicit must be at least 2 (one attribute that is true, one that is not), not {options.elicit}"
        )
    beyond = "" if options.beyond == "none" else options.beyond
    return Settled(
        choice("variant", options.variant, "paper", get_args(Variant)) == "code",
        choice("missing", options.missing, "zero", get_args(Missing)) == "zero",
        frozenset(_several("only", options.only, PARTS) or PARTS),
        frozenset(_several("beyond", beyond, BEYOND)),
        *_training(options.probe),
    )


def _training(text: str) -> tuple[Training, int | None]:
    """The settings of the classifier that a text changes."""
    known = {each.name: getattr(Training(), each.name) for each in fields(Training)}
    known = {name: usual for name, usual in known.items() if name not in ("seed", "betas")}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        if name.strip() not in known:
            raise UsageError(f"probe '{part}': expected name=value, of {', '.join(known)}")
        usual = known[name.strip()]
        try:
            given[name.strip()] = type(usual)(value.strip())
        except ValueError:
            raise UsageError(f"probe '{part}': expected a number like {usual}") from None
    if given.get("watch", "f1") not in ("f1", "loss"):
        raise UsageError(f"probe: watch must be f1 or loss, not '{given['watch']}'")
    return Training(**given), given.get("batch")


def _several(name: str, text: str, known: tuple[T, ...]) -> tuple[T, ...]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return tuple(choice(name, word, known[0], known) for word in words)
