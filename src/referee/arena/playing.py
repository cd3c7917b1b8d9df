"""Playing: games, players and a plan in; finished games out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Literal

from referee.arena.guesswhat import GuessWhatDriver
from referee.arena.guesswhich import GuessWhichDriver
from referee.arena.lockstep import Driver, lockstep
from referee.arena.manifest import Argument, make
from referee.arena.run import Run, Summary
from referee.arena.seated import Seated
from referee.arena.table import Played
from referee.arena.visdial import VisDialDriver
from referee.arena.waiting import Waiter
from referee.errors import SeatError, UsageError
from referee.games import Game, Transcript, guesswhat, guesswhich, visdial
from referee.players.decoding import decode as parse_decode
from referee.players.resolve import Player, require, seat

Rules = guesswhat.Rules | guesswhich.Rules | visdial.Rules

SEATS: dict[type, tuple[str, ...]] = {
    guesswhat.Rules: ("questioner", "oracle", "guesser"),
    guesswhich.Rules: ("questioner", "answerer", "guesser"),
    visdial.Rules: ("answerer",),
}
"""Who plays under which rules."""

_NAMES: dict[type, Literal["guesswhat", "guesswhich", "visdial"]] = {
    guesswhat.Rules: "guesswhat",
    guesswhich.Rules: "guesswhich",
    visdial.Rules: "visdial",
}


@dataclass(frozen=True)
class Plan:
    """How games are played: everything but the games and the players that decides what is said."""

    rules: Rules = field(default_factory=lambda: guesswhat.Rules(beliefs=True))
    seed: int = 0
    longest_question: int | None = None
    """The words after which a question is cut."""
    generate: int = 1
    """VisDial: how many answers may be written to a question; 0 for none."""
    decode: str = ""
    """VisDial: how answers are chosen (sample, greedy, beam:5), as far as the answerer can be told."""
    rank: bool = False
    """VisDial: whether the answer options are scored."""

    @property
    def arguments(self) -> dict[str, Argument]:
        """The plan as it stands in a manifest; the seed stands apart."""
        rules = {name: getattr(self.rules, name) for name in self.rules.__struct_fields__}
        if isinstance(self.rules, visdial.Rules):
            told = {"decode": self.decode} if self.decode else {}
            return {**rules, "generate": self.generate, "rank": self.rank, **told}
        return {**rules, "longest_question": self.longest_question}


def play(
    games: Iterable[Game],
    seats: Mapping[str, str | object],
    plan: Plan | None = None,
    *,
    batch: int = 256,
) -> Iterator[Transcript]:
    """The games as they were played, in their order, with who sat where.

    A seat is filled by a player's name or by an object that plays. What is said does not depend on
    `batch`, which is how many games are played at once.
    """
    plan = plan or Plan()
    players = seated(seats, plan)
    sitting = tuple(player.sitting(place, plan.seed) for place, player in players.items())
    for finished in sweeps(games, players, plan, batch=batch):
        for played in finished:
            done = played.transcript
            yield Transcript(done.game, done.events, done.status, sitting)


def sweeps(
    games: Iterable[Game],
    players: Mapping[str, Player],
    plan: Plan,
    *,
    batch: int = 256,
    done: int = 0,
) -> Iterator[list[Played]]:
    """The games that each sweep over the tables finishes; the first `done` games are passed over."""
    if batch < 1:
        raise UsageError(f"{batch} games at once are none: the batch is at least 1")
    with Waiter() as waiter:
        filled = {place: Seated(place, player, waiter) for place, player in players.items()}
        yield from lockstep(games, _driver(filled, plan), seed=plan.seed, batch=batch, done=done)


def seated(seats: Mapping[str, str | object], plan: Plan) -> dict[str, Player]:
    """The players of all seats that these rules know, each able to do what the plan asks."""
    needed = SEATS[type(plan.rules)]
    lacking = [place for place in needed if not seats.get(place)]
    unknown = [place for place in seats if place not in needed]
    if lacking or unknown:
        what = f"no {' and no '.join(lacking)}" if lacking else f"no seat '{unknown[0]}'"
        raise UsageError(f"there is {what}: {_NAMES[type(plan.rules)]} has {', '.join(needed)}")
    players = seat({place: seats[place] for place in needed})
    for place, methods in _needed(plan).items():
        require(players[place], place, methods)
    if plan.decode:
        _check_decoding(players["answerer"], plan)
    return players


def play_into(
    folder: Path,
    games: Iterable[Game],
    seats: Mapping[str, str | object],
    plan: Plan,
    *,
    files: Mapping[str, Path],
    batch: int = 256,
    arguments: Mapping[str, Argument] | None = None,
) -> Iterator[Summary]:
    """Plays into a run folder, continuing what was begun there; says after each sweep how far it is.

    `files` are the files that the games come from, by role; their hashes go into the manifest. The
    first and the last summary count what was played before.
    """
    players = seated(seats, plan)
    made = make(
        _NAMES[type(plan.rules)],
        seed=plan.seed,
        arguments={**plan.arguments, **(arguments or {})},
        files=files,
        seats=[player.sitting(place, plan.seed) for place, player in players.items()],
    )
    with Run(folder, made) as run:
        yield run.played
        if run.finished:
            return
        for finished in sweeps(games, players, plan, batch=batch, done=run.played.games):
            run.append(finished)
            yield run.so_far
        yield run.finish()


def _needed(plan: Plan) -> dict[str, list[str]]:
    """What the plan asks of a seat beyond what any player in it must be able to do."""
    if isinstance(plan.rules, guesswhat.Rules):
        return {}
    if isinstance(plan.rules, guesswhich.Rules):
        return {"answerer": ["answer"]}
    if not plan.generate and not plan.rank:
        raise UsageError("nothing is asked of the answerer: let it write, rank, or both")
    asked = [("answer", plan.generate > 0), ("score", plan.rank)]
    return {"answerer": [method for method, wanted in asked if wanted]}


def _check_decoding(player: Player, plan: Plan) -> None:
    parse_decode(plan.decode)
    if not plan.generate:
        raise UsageError(f"there is nothing to decode by {plan.decode}: no answer is to be written")
    try:
        told = "decode" in signature(player.who.answer).parameters
    except (TypeError, ValueError):
        told = False
    if not told:
        raise SeatError(
            f"{player.name} cannot decode by {plan.decode}: its answer() takes no 'decode'"
        )


def _driver(seats: dict[str, Seated], plan: Plan) -> Driver:
    rules = plan.rules
    if isinstance(rules, guesswhat.Rules):
        return GuessWhatDriver(rules, seats, plan.longest_question)
    if isinstance(rules, guesswhich.Rules):
        return GuessWhichDriver(rules, seats, plan.longest_question)
    return VisDialDriver(rules, seats, generate=plan.generate, decode=plan.decode, rank=plan.rank)
