"""The console script on streams that are closed, full, unread, interrupted, or no UTF-8."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee.arena import Plan, play_into
from referee.datasets.iconworld.scenes import make_scene
from referee.games import GuessWhat
from referee.randomness import key

SCRIPT = "from referee.cli import _script; _script()"
FULL = Path("/dev/full")


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", SCRIPT, *map(str, words)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few games."""
    folder = tmp_path_factory.mktemp("streams") / "run"
    scenes = [make_scene(number, key("streams", number)).scene for number in range(5)]
    games = [GuessWhat(scene.id, scene, scene.things[0].id) for scene in scenes]
    seats = dict.fromkeys(("questioner", "guesser"), "scripted:people")
    for _ in play_into(
        folder, games, {**seats, "oracle": "scripted:perfect-oracle"}, Plan(), files={}
    ):
        pass
    return folder


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_has_seen_enough_is_no_error(run: Path, form: list[str]) -> None:
    """As with `| head -1`: nothing is said of it, least of all a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    words = command("evaluate", "questions", "--transcripts", run, *form)
    ended = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, b"")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["evaluate", "questions", "--json"]])
def test_a_full_disk_is_said_in_one_line(run: Path, words: list[str]) -> None:
    given = [*words, "--transcripts", run] if "evaluate" in words else words
    with FULL.open("wb") as full:
        ended = subprocess.run(command(*given), stdout=full, stderr=subprocess.PIPE, check=False)
    assert ended.returncode == 1
    assert ended.stderr == b"referee: No space left on device\n"


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_stream_is_done_without(run: Path, closed: str) -> None:
    line = f'exec "$@" {closed}>&-'
    words = command("evaluate", "questions", "--transcripts", run)
    ended = subprocess.run(["/bin/sh", "-c", line, "sh", *words], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_terminal_without_utf_8_shows_what_it_can(run: Path) -> None:
    words = command("evaluate", "questions", "--transcripts", run)
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(words, capture_output=True, check=True, env=ascii_only)
    assert b"task_success" in ended.stdout or b"task success" in ended.stdout


def test_a_pipe_gets_tables_that_are_not_squeezed(run: Path) -> None:
    """The eight columns of Table 1 fit in one line each, as no terminal of eighty signs could hold."""
    anywhere = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    words = command("evaluate", "questions", "--transcripts", run)
    shown = subprocess.run(words, capture_output=True, text=True, check=True, env=anywhere).stdout
    heading = next(line for line in shown.splitlines() if "last referring" in line)
    assert "task success" in heading
    assert "effectiveness failure" in heading


def test_an_interrupt_is_one_line(run: Path, tmp_path: Path) -> None:
    own = tmp_path / "slow.py"
    own.write_text(
        "import time\n"
        "class Slow:\n"
        "    def answer(self, queries):\n"
        "        print('asked', flush=True)\n"
        "        time.sleep(60)\n"
    )
    words = command("evaluate", "questions", "--transcripts", run, "--oracle", f"{own}:Slow")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as going:
        assert going.stdout is not None
        going.stdout.readline()
        going.send_signal(signal.SIGINT)
        _, said = going.communicate(timeout=30)
    assert (going.returncode, said) == (130, b"referee: interrupted\n")
