"""From names to players: everything that a user can name, and what is said when it cannot be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.errors import MissingExtra, MissingPlayer, RefereeError, SeatError, UsageError
from referee.players import resolve as resolving
from referee.players.naming import parse
from referee.players.resolve import require, resolve, seat
from referee.players.scripted import PLAYERS
from referee.players.scripted.oracles import NoisyOracle

MINE = """
from referee.games import Belief

class Mine:
    def __init__(self, boldness: float = 0.5, greeting: str = "") -> None:
        self.boldness, self.greeting = boldness, greeting

    def ask(self, views):
        return [None] * len(views)

    def believe(self, views):
        return [Belief((1.0,)) for _ in views]

class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no weights")
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_a_name_is_taken_apart() -> None:
    name = parse("scripted:noisy-oracle?accuracy=0.8&hasty=true&by-day=3&file=a%26b.json")
    assert (name.kind, name.rest) == ("scripted", "noisy-oracle")
    assert name.settings == {"accuracy": 0.8, "hasty": True, "by_day": 3, "file": "a&b.json"}


@pytest.mark.parametrize("text", ["scripted:people?", "x?a", "x?=3", "x?a=1&"])
def test_a_setting_has_a_name_and_a_value(text: str) -> None:
    if text.endswith("?"):
        assert parse(text).settings == {}
        return
    with pytest.raises(UsageError, match="is no setting"):
        parse(text)


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "human-questions"])
def test_every_scripted_player_can_be_had_and_says_its_settings(name: str) -> None:
    player = resolve(f"scripted:{name}")
    assert player.version
    given = "&".join(f"{setting}={value}" for setting, value in player.settings.items())
    again = resolve(f"scripted:{name}" + (f"?{given}" if given else ""))
    assert again.settings == player.settings


def test_a_scripted_player_has_the_settings_of_its_name() -> None:
    player = resolve("scripted:noisy-oracle?accuracy=0.75")
    assert player.who == NoisyOracle(0.75)
    assert player.settings == {"accuracy": 0.75}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("scripted:noisy-oracle?accuracy=0.5", "accuracy: Expected `float` > 0.5"),
        ("scripted:noisy-oracle?accuracy=high", "accuracy: Expected `float`"),
        ("scripted:noisy-oracle?precision=1", "no setting 'precision' .its settings are accuracy"),
        ("scripted:perfect-oracle?accuracy=1", "it has no settings"),
        ("scripted:people?error=2", "error=2.0 is no rate from 0 to 1"),
        ("scripted:people?idle=nan", "idle=nan is no rate from 0 to 1"),
        ("scripted:human-questions", "it needs `file`"),
        ("replay:x.json?seed=1", "no setting 'seed' .its settings are games"),
    ],
)
def test_a_wrong_setting_is_named(name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        resolve(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("scripted:nobody", "no scripted player 'nobody' .there are perfect-oracle, "),
        ("robot:x", "there is no kind of player 'robot'"),
        ("somebody", "no installed package offers this player"),
        ("replay:", "name a file of dialogues"),
        ("replay:nowhere.jsonl", "there is no file nowhere.jsonl"),
        ("./nowhere.py:Mine", r"there is no file nowhere\.py"),
    ],
)
def test_a_name_of_nobody_is_refused(name: str, reason: str) -> None:
    with pytest.raises(MissingPlayer, match=reason):
        resolve(name)


@pytest.mark.parametrize("name", ["cca:aq", "neural:oracle", "hf:org/model", "inspect:mock/model"])
def test_a_room_that_is_not_there_is_missed_by_name(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later versions have these rooms; without one, or without its extra, the user is told which."""
    kind = name.partition(":")[0]
    monkeypatch.setitem(resolving._ROOMS, kind, "referee.players.not_there")
    with pytest.raises(MissingPlayer, match=f"has no {kind}: players"):
        resolve(name)


def test_a_room_whose_package_is_not_there_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "room_without_package.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(resolving._ROOMS, "neural", "room_without_package")
    with pytest.raises(MissingExtra, match=r"a_package_that_nobody_has .* 'referee\[neural\]'"):
        resolve("neural:oracle")


def test_an_own_player_is_a_path_and_a_class(mine: Path) -> None:
    player = resolve(f"{mine}:Mine?boldness=0.9&greeting=hi")
    assert (player.who.boldness, player.who.greeting) == (0.9, "hi")
    assert player.settings == {"boldness": 0.9, "greeting": "hi"}
    assert player.version.startswith("sha256:")


def test_an_edited_file_is_another_version(mine: Path) -> None:
    before = resolve(f"{mine}:Mine")
    mine.write_text(MINE.replace("[None]", '["is it red?"]'))
    after = resolve(f"{mine}:Mine")
    assert after.version != before.version
    assert (before.who.ask([1]), after.who.ask([1])) == ([None], ["is it red?"])


@pytest.mark.parametrize(
    ("rest", "reason", "error"),
    [
        ("", "nothing named after the colon .*it holds Mine, Broken", MissingPlayer),
        (":Yours", "no 'Yours' .*it holds Mine, Broken", MissingPlayer),
        (":Broken", "could not be made: RuntimeError: no weights", MissingPlayer),
        (":Mine?courage=1", "settings do not fit: .*courage", UsageError),
    ],
)
def test_what_is_wrong_with_an_own_player_is_said(
    mine: Path, rest: str, reason: str, error: type[RefereeError]
) -> None:
    with pytest.raises(error, match=reason):
        resolve(f"{mine}{rest}")


@pytest.mark.parametrize("text", ["import nowhere_at_all", "def broken(:", "1 / 0", "exit(3)"])
def test_a_file_that_cannot_be_imported_is_an_error_of_ours(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(MissingPlayer, match=r"bad\.py cannot be imported: "):
        resolve(f"{path}:Mine")


def test_an_installed_package_may_offer_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_players.py").write_text(MINE)
    info = tmp_path / "their_players-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-players\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text("[referee.players]\ntheirs = their_players:Mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    player = resolve("theirs?boldness=1")
    assert (player.who.boldness, player.version, player.name) == (1, "2.5", "theirs?boldness=1")


def test_one_name_in_several_seats_is_one_player(mine: Path) -> None:
    players = seat({"questioner": f"{mine}:Mine", "guesser": f"{mine}:Mine"})
    assert players["questioner"] is players["guesser"]


def test_a_player_that_lacks_its_seats_method_is_refused(mine: Path) -> None:
    with pytest.raises(SeatError, match=r"no answer\(\); it can be questioner or guesser"):
        seat({"oracle": f"{mine}:Mine"})
    with pytest.raises(SeatError, match=r"perfect-oracle cannot be the guesser: .* no believe\(\)"):
        seat({"guesser": "scripted:perfect-oracle"})
    with pytest.raises(SeatError, match=r"no score\(\)"):
        require(resolve("scripted:perfect-oracle"), "answerer", ["answer", "score"])


def test_nothing_is_imported_before_it_is_named() -> None:
    code = "import sys, referee.players.resolve; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {name for name in run.stdout.split() if name.startswith("referee.")}
    assert not any("scripted" in name or "datasets" in name for name in rooms)


def test_what_lies_beside_an_own_file_may_be_imported(tmp_path: Path) -> None:
    """A player of two files is one name, as a script of two files is one command."""
    (tmp_path / "lexicon_beside_it.py").write_text("WORDS = ['dog']\n")
    path = tmp_path / "two.py"
    path.write_text(f"from lexicon_beside_it import WORDS\n{MINE}")
    assert resolve(f"{path}:Mine").version.startswith("sha256:")


@pytest.mark.parametrize("settings", ["7", "{'weights': object()}", "{1: 2}"])
def test_settings_that_no_manifest_can_hold_are_refused(tmp_path: Path, settings: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"{MINE}\nclass Odd(Mine):\n    settings = {settings}\n")
    with pytest.raises(SeatError, match="settings must map names to texts, numbers or booleans"):
        resolve(f"{path}:Odd")


def test_a_name_that_is_no_utf_8_is_written_down_all_the_same(tmp_path: Path) -> None:
    """On Linux a file's name is bytes; the manifest is UTF-8."""
    path = tmp_path / "mine\udcff.py"
    path.write_text(MINE)
    sitting = resolve(f"{path}:Mine?greeting=\udcff").sitting("questioner", 0)
    assert sitting.player.endswith("mine\\udcff.py:Mine?greeting=\\udcff")
    assert sitting.settings == {"greeting": "\\udcff"}
