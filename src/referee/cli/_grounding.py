"""Where the games come from that `evaluate grounding` judges, and how a score of seven numbers is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli._evaluation import Giving, show
from referee.errors import DataError, UsageError

if TYPE_CHECKING:
    from referee.cli._evaluation import Read
    from referee.evaluations.grounding.options import Options
    from referee.games import Transcript

ORACLE = "neural:oracle"
_SEVEN = 7


def show_columns(text: str, giving: Giving) -> None:
    """Prints the score of seven numbers as Table 1 has them, and the three that it is the mean of."""
    from referee.evaluations.grounding.measuring import COLUMNS
    from referee.evaluations.grounding.values import of_columns
    from referee.evaluations.result import Result
    from referee.report import tables

    words = [word.strip() for word in text.split(",")]
    try:
        numbers = [float(word.removesuffix("%")) for word in words]
    except ValueError as error:
        raise UsageError(f"columns '{text}': {error}") from None
    if len(numbers) != _SEVEN or not all(0 <= number <= 100 for number in numbers):  # noqa: PLR2004
        raise UsageError(f"columns '{text}': expected seven percentages: {', '.join(COLUMNS)}")
    result = Result("grounding", {"columns": text}, of_columns(numbers), tuple(_known(numbers)))
    show(result, [tables.result_table(result)], giving)


def _known(numbers: Sequence[float]) -> Iterator[str]:
    """Whose row of Table 1 these numbers are, which score stands there, and what is to be known of it."""
    from referee.evaluations.grounding.measuring import COLUMNS
    from referee.report import published

    held = [number for number in published.numbers("grounding") if number.table == "1"]
    printed = {(number.row, number.column): number for number in held}
    for row in dict.fromkeys(number.row for number in held):
        seven = [printed.get((row, column)) for column in COLUMNS]
        if [each and float(each.value) for each in seven] == list(numbers):
            score = printed[row, "grolla"]
            more = f", which {score.note}" if score.note else ""
            yield f"{row} of Table 1, where {score.printed} is printed{more}"


def submission(paths: Sequence[Path]) -> Path | None:
    """The submission among the files, if there is one."""
    from referee.datasets import grolla
    from referee.datasets.files import read_head

    known = grolla.FORMATS[0].recognises
    files = [path for path in paths if path.is_file() and known(path, read_head(path))]
    if len(files) > 1:
        raise UsageError("several submissions cannot be judged as one: give one of them")
    return files[0] if files else None


def reader(paths: Sequence[Path], games: Path | None, zero_shot: Path | None) -> Read:
    """The transcripts of run folders, files and a submission, one after the other."""
    from referee.datasets import dialogues, grolla, own
    from referee.evaluations import sources
    from referee.evaluations.grounding import references

    sent = submission(paths)

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        # What is wrong with the reference games is noted where they are judged by.
        wanted = references.references(games, zero_shot, None if skipped is None else [])
        known = [reference.game for reference in wanted.values()]
        for path in paths:
            if path == sent:
                parts = {pair: (each.game, each.part) for pair, each in wanted.items()}
                yield from grolla.transcripts(path, parts, skipped)
            elif path.is_dir() or own.files(path) != [path]:
                yield from sources.transcripts(path, None, skipped)
            else:
                yield from dialogues.read(path, known or None, skipped)

    return read


def check(options: Options) -> None:
    """Refuses what leaves nothing to be judged, and says what each part needs."""
    from referee.evaluations.grounding.options import settle

    parts = settle(options).parts
    if "attributes" in parts and options.attributes:
        return
    needed = {
        "gameplay": options.games,
        "zero-shot": options.zero_shot,
        "dialogue": options.zero_shot,
    }
    if options.player is None or not any(needed.get(part) for part in parts):
        raise UsageError(
            "there is nothing to judge: attributes need --games and --attributes; gameplay needs --games, "
            "zero-shot and dialogue --zero-shot, and somebody who plays (--player) or has (--transcripts)"
        )


def playing(options: Options, seats: Mapping[str, str | None]) -> Read:
    """The reference games as the player plays them: those of the parts that are judged."""
    from referee.arena import Plan, play
    from referee.evaluations.grounding import references
    from referee.evaluations.grounding.options import settle
    from referee.games import guesswhat

    parts = settle(options).parts
    player = None if options.player is None else str(options.player)
    domains: set[references.Domain] = {"seen"} if "gameplay" in parts else set()
    if {"zero-shot", "dialogue"} & parts:
        domains |= {"near", "out"}
    games, zero = (
        None if path is None else Path(path) for path in (options.games, options.zero_shot)
    )

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        if player is None:
            return
        wanted = references.references(games, zero, skipped)
        plan = Plan(guesswhat.Rules(options.max_turns), options.play_seed or 0)
        seated = _seated(seats, player)
        for part in references.by_part(wanted, domains):
            yield from play(part, seated, plan)

    return read


def _seated(seats: Mapping[str, str | None], player: str) -> dict[str, str]:
    """Who sits where: the player, unless somebody else is named; an oracle that needs no name."""
    return {
        "questioner": seats["questioner"] or player,
        "oracle": seats["oracle"] or ORACLE,
        "guesser": seats["guesser"] or player,
    }
