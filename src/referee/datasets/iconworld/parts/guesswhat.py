"""The human games: GuessWhat?! in both releases, and CompGuessWhat?!'s successful ones."""

from __future__ import annotations

from pathlib import Path

from referee.datasets.files import writing
from referee.datasets.iconworld.human_games import Lines, Release, genome_row
from referee.datasets.iconworld.world import HUMAN, World


def write(world: World, folder: Path) -> dict[str, int]:
    """guesswhat.{train,valid,test}.jsonl.gz in the old release; the new one's are in guesswhat-new."""
    return _release(world, folder, "old", "") | _release(world, folder, "new", "guesswhat-new/")


def write_original(world: World, folder: Path) -> dict[str, int]:
    """CompGuessWhat?!'s original games: those that succeeded, linked to the graphs of the pictures."""
    counts = {}
    for split in HUMAN:
        name = f"compguesswhat-original/0.2.0/compguesswhat.{split}.jsonl.gz"
        lines = Lines(world.plan.date, link=lambda drawn: genome_row(drawn, world.view(drawn)[:2]))
        count = 0
        with writing(folder / name) as stream:
            for game in world.games(split):
                if game.dialogue.status == "success":
                    stream.write(lines.line(game) + b"\n")
                    count += 1
        counts[name] = count
    return counts


def _release(world: World, folder: Path, release: Release, place: str) -> dict[str, int]:
    counts = {}
    for split in HUMAN:
        name = f"{place}guesswhat.{split}.jsonl.gz"
        lines, count = Lines(world.plan.date, release), 0
        with writing(folder / name) as stream:
            for count, game in enumerate(world.games(split), start=1):  # noqa: B007
                stream.write(lines.line(game) + b"\n")
        counts[name] = count
    return counts
