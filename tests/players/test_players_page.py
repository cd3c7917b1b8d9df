"""What docs/players.md says is so: its own player plays, and its table holds every scripted player."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from referee.arena import run
from referee.cli import main
from referee.games import GuessWhat
from referee.players import resolve, scripted

PAGE = Path(__file__).parents[2] / "docs" / "players.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(language: str) -> str:
    """The page's fenced block of a language; the one without holds what is typed."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (found,) = (text for named, text in fenced if named == language)
    assert isinstance(found, str)
    return found


def test_the_player_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written and called as the page says, it finds the target's kind in every game."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(block("python"), encoding="utf-8")
    for line in block("").replace("\\\n", "").splitlines():
        assert main(shlex.split(line)[1:]) == 0
    played = list(run.read(Path("run")))
    assert len(played) == 90
    for transcript in played:
        game = transcript.game
        assert isinstance(game, GuessWhat)
        kinds = {thing.id: thing.category for thing in game.scene.things}
        assert kinds[str(transcript.guess)] == kinds[game.target]


def test_every_scripted_player_is_in_the_table() -> None:
    told = re.findall(r"`scripted:([a-z-]+)", TEXT)
    assert set(told) == set(scripted.PLAYERS)


def test_the_settings_of_the_table_are_the_players_own() -> None:
    """A name with a file or an ear of its own is not built here."""
    names = re.findall(r"`(scripted:[^`]+)`", TEXT.partition("## Your own")[0])
    assert len(names) == len(scripted.PLAYERS)
    for name in names:
        if "=F" not in name and "=H" not in name:
            resolve.resolve(name)
