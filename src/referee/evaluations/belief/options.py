"""What can be chosen of the `belief` evaluation, and what a choice comes to."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from referee.errors import UsageError
from referee.evaluations.choosing import choice
from referee.metrics.belief.labels import Combine

Variant = Literal["paper", "code"]
Mass = Literal["candidates", "slots"]
Status = Literal["success", "all"]


class Options(Struct, frozen=True):
    """How beliefs are judged; an empty text leaves the choice to `variant`, or to what is judged.

    With `guesser` (a player or its name) the dialogues are fed to it, turn by turn; without, the beliefs
    are those of the transcripts, or where these hold none of the guesser who played. `oracle` is the one
    whose answer probabilities an ideal observer goes by. `soft_labels` is a file of labels of first
    turns; without, the rules make them. `status` takes all games or those that succeeded: by default
    successful ones where a guesser is fed (people's games, as in the paper), and all that were played.
    `mass` says what the litmus test compares with its thresholds: the belief over the `candidates`
    (paper), or what the candidates keep of a softmax in which padding `slots` share (code: GDSE's).
    `turns` is up to which turn values are given by turn. The seeds are what a guesser or an oracle that
    draws draws from; `padding` is the report of the reader of a file whose beliefs had padding slots.
    """

    variant: Variant = "paper"
    guesser: object = None
    oracle: object = None
    soft_labels: str | None = None
    theta_rs: float = 0.001
    theta_cs: float = 0.004
    status: str = ""
    mass: str = ""
    combine: Combine = "normalise"
    turns: int = 10
    skip_bad: bool = False
    guesser_seed: int = 0
    oracle_seed: int = 0
    padding: object = None


class Settled(Struct, frozen=True):
    """The options with nothing left open."""

    slots: bool
    successful: bool


def settle(options: Options, *, fed: bool) -> Settled:
    """The options as resolved; `fed` says that a guesser is asked about dialogues that were held."""
    code = choice("variant", options.variant, "paper", get_args(Variant)) == "code"
    mass: Mass = "slots" if code else "candidates"
    status: Status = "success" if fed else "all"
    for name, theta in (("theta_rs", options.theta_rs), ("theta_cs", options.theta_cs)):
        if not 0 <= theta <= 1:
            raise UsageError(f"{name} is a probability, not {theta}")
    if options.turns < 1:
        raise UsageError(f"turns must be at least 1, not {options.turns}")
    if options.combine not in get_args(Combine):
        raise UsageError(f"combine must be one of {', '.join(get_args(Combine))}")
    return Settled(
        choice("mass", options.mass, mass, get_args(Mass)) == "slots",
        choice("status", options.status, status, get_args(Status)) == "success",
    )
