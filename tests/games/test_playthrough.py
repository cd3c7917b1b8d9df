"""The committed games still play as they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import DataError
from referee.games import GuessWhich, VisDial
from referee.games.guesswhat import Rules
from referee.games.playthrough import main, replay, write
from referee.games.seeded import guesswhat_events, guesswhat_game, playthroughs

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    """Every committed event meets the same answer from the rules, down to each view."""
    transcript = replay(path.read_text(encoding="utf-8"), path)
    assert transcript.status != "incomplete"


def test_what_is_committed() -> None:
    """There are at least two games of each kind, refusals, a win, a loss, and both histories."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FILES}
    for kind in ("guesswhat", "guesswhich", "visdial"):
        assert sum(name.startswith(kind) for name in texts) >= 2
    assert all("    refused: " in text for text in texts.values())
    played = [replay(text) for text in texts.values()]
    assert {transcript.status for transcript in played} == {"success", "failure"}
    assert any(isinstance(each.game, GuessWhich) and len(each.guesses) > 1 for each in played)
    assert any(isinstance(each.game, VisDial) for each in played)


def test_the_seeded_games_are_the_committed_ones() -> None:
    """The command would write the files as they are."""
    assert dict(playthroughs()) == {path.stem: path.read_text(encoding="utf-8") for path in FILES}
    assert main([str(FOLDER), "--check"]) == 0


def test_the_command_writes_what_it_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checking an empty folder names every game; writing fills it; then nothing would change."""
    assert main([str(tmp_path / "new"), "--check"]) == 1
    assert capsys.readouterr().out.count("would change") == len(FILES)
    assert not (tmp_path / "new").exists()
    assert main([str(tmp_path / "new")]) == 0
    assert main([str(tmp_path / "new"), "--check"]) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turn 1:", "turn 9:"),
        ('"text":"Yes"', '"text":"No"'),
        ("\nsuccess, over", "\nfailure, over"),
        ("\nsuccess", "\n\nsuccess"),
        ("refused: ", "accepted: "),
    ],
)
def test_a_change_is_found(old: str, new: str) -> None:
    """A playthrough that does not say what playing gives is refused."""
    text = (FOLDER / "guesswhat-1.txt").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(DataError, match=r"playing gives|too early"):
        replay(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "game {}\nrules {}", "hello", "game\nrules"])
def test_no_playthrough(text: str) -> None:
    """Any other text is refused as no playthrough."""
    with pytest.raises(DataError, match="not a playthrough"):
        replay(text)


def test_an_unfinished_game() -> None:
    """A game that stops in the middle says whose turn it is, and replays."""
    game = guesswhat_game(3)
    events = guesswhat_events(game, Rules(), 3, slips=0)[:1]
    text = write(game, events, Rules())
    assert "incomplete, the oracle's turn" in text
    assert replay(text).events == tuple(events)
