"""A whole game as text: every event that was tried, whose turn it was, and what came of it.

    python -m referee.games.playthrough           # writes the seeded games to tests/games/playthroughs
    python -m referee.games.playthrough --check   # says which would change

A playthrough holds the game and the rules as JSON, then a numbered line for each event with the seat
whose turn it was, then what the rules made of it. Replaying plays the events again and compares every
line, so that a diff of these files shows what a change did to play.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee.errors import DataError
from referee.games import guesswhat, guesswhich, visdial
from referee.games.model import (
    Answer,
    Believe,
    Event,
    Game,
    Guess,
    GuessWhat,
    GuessWhich,
    Pick,
    Reply,
    Transcript,
    VisDial,
)
from referee.games.refusal import Refusal

_RULES: dict[type, Any] = {GuessWhat: guesswhat, GuessWhich: guesswhich, VisDial: visdial}
_GAME = msgspec.json.Decoder(Game)
_EVENT = msgspec.json.Decoder(Event)
_FOLDER = Path("tests/games/playthroughs")
_ROW = re.compile(r" *\d+ [a-z]+ +(\{.*\})")
_SHOWN = 3
"""As many digits of a probability or a score are shown; the event's own line has them all."""


def write(game: Game, events: Iterable[Event], rules: Any = None) -> str:
    """The playthrough of the events, in which a refused event changes nothing."""
    # Numbers are written as they come back: a box of whole numbers is a box of floats once decoded.
    game = _GAME.decode(_json(game))
    events = [_EVENT.decode(_json(event)) for event in events]
    reducer = _RULES[type(game)]
    rules = reducer.Rules() if rules is None else rules
    lines = [f"game  {_json(game)}", f"rules {_json(rules)}", "", *_candidates(game), ""]
    state = reducer.start(game, rules)
    for number, event in enumerate(events, 1):
        seat = reducer.whose_turn(state) or "nobody"
        lines.append(f"{number:>3} {seat:<10} {_json(event)}")
        after = reducer.apply(state, event)
        if isinstance(after, Refusal):
            lines.append(f"    refused: {after.reason}")
            continue
        state = after
        lines += [f"    {_one_line(line)}" for line in _views(event, reducer.transcript(state))]
        if isinstance(event, Reply):
            lines.append(f"    history: {_one_line(state.turns[-1].answer)}")
    lines += ["", *_ending(reducer.transcript(state), reducer.whose_turn(state))]
    return "\n".join(lines) + "\n"


def replay(text: str, file: str | Path | None = None) -> Transcript:
    """The transcript of a playthrough; a line that comes out different is a DataError."""
    game, rules, events = _parse(text, file)
    again = write(game, events, rules)
    for number, (old, new) in enumerate(zip(text.split("\n"), again.split("\n"), strict=False), 1):
        if old != new:
            raise DataError(
                f"the line reads {old!r}, and playing gives {new!r}", file=file, record=number
            )
    if text != again:
        raise DataError("the playthrough ends too early or too late", file=file)
    reducer = _RULES[type(game)]
    state = reducer.start(game, rules)
    for event in events:
        after = reducer.apply(state, event)
        state = state if isinstance(after, Refusal) else after
    transcript: Transcript = reducer.transcript(state)
    return transcript


def _parse(text: str, file: str | Path | None) -> tuple[Game, Any, list[Event]]:
    lines = text.split("\n")
    try:
        game = _GAME.decode(lines[0].removeprefix("game"))
        rules = msgspec.json.decode(lines[1].removeprefix("rules"), type=_RULES[type(game)].Rules)
        rows = filter(None, map(_ROW.fullmatch, lines[2:]))
        return game, rules, [_EVENT.decode(row[1]) for row in rows]
    except (msgspec.MsgspecError, IndexError) as error:
        raise DataError(
            f"not a playthrough: {error}", file=file, expected="game, rules and numbered events"
        ) from None


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _candidates(game: Game) -> Iterator[str]:
    if isinstance(game, VisDial):
        yield f"{len(game.rounds)} rounds about {_one_line(game.image)}: {_one_line(game.caption)}"
        return
    for number, candidate in enumerate(game.candidates, 1):
        mark = " (target)" if candidate.id == game.target else ""
        yield f"{number:>3}. {_one_line(candidate.id)} {_one_line(candidate.name)}{mark}"


def _views(event: Event, transcript: Transcript) -> Iterator[str]:
    """What everyone can read of the game after an event that changed it."""
    if isinstance(event, Answer | Reply):
        turn = transcript.turns[-1]
        yield f"turn {len(transcript.turns)}: {turn.question} {turn.answer}"
    if isinstance(event, Reply) and event.scores:
        yield f"scores: {_numbers(event.scores)}"
    if isinstance(event, Believe):
        yield f"belief: {_numbers(event.belief.probabilities)}"
    if isinstance(event, Pick):
        yield f"pick {len(transcript.picks)}: {event.candidate}"
    if isinstance(event, Guess):
        yield f"guess {len(transcript.guesses)}: {event.candidate}"
    if isinstance(transcript.game, GuessWhich) and isinstance(event, Pick | Guess):
        yield f"score: {guesswhich.score(transcript)}"


def _ending(transcript: Transcript, seat: str | None) -> Iterator[str]:
    whose = "over" if seat is None else f"the {seat}'s turn"
    counts = [f"turns {len(transcript.turns)}"]
    if not isinstance(transcript.game, VisDial):
        counts.append(f"guesses {len(transcript.guesses)}")
    yield f"{transcript.status}, {whose}: {', '.join(counts)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.{_SHOWN}f}" for value in values)


def main(arguments: list[str] | None = None) -> int:
    """Writes or checks the seeded playthroughs of a folder."""
    from referee.games.seeded import playthroughs

    parser = argparse.ArgumentParser(prog="python -m referee.games.playthrough")
    parser.add_argument("folder", type=Path, nargs="?", default=_FOLDER, help=f"default: {_FOLDER}")
    parser.add_argument(
        "--check", action="store_true", help="change nothing, say what would change"
    )
    options = parser.parse_args(arguments)
    changed = []
    for name, text in playthroughs():
        path = options.folder / f"{name}.txt"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(name)
            if not options.check:
                options.folder.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    verb = "would change" if options.check else "written"
    sys.stdout.write("".join(f"{name} {verb}\n" for name in changed))
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
