"""The root of the command line: names, help, exit codes, and nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import COMMANDS, _function, main

HEAVY = {"torch", "transformers", "django", "ray", "matplotlib", "polars", "numpy", "PIL", "typer"}


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_a_summary_is_the_first_line_of_its_command(path: tuple[str, ...]) -> None:
    entry = COMMANDS[path]
    documented = (_function(entry).__doc__ or "").strip().split("\n")[0]
    assert entry.summary == documented


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_help(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*path, "--help"]) == 0
    assert f"referee {' '.join(path)}" in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from referee.cli import main; main(['--help']); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(run.stdout.split("\n")[-2].split())


def test_an_unknown_command_is_said_and_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jduge"]) == 2
    shown = capsys.readouterr().err
    assert "there is no command 'jduge'" in shown
    assert "demo" in shown


def test_a_group_lists_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data"]) == 0
    assert "data check" in capsys.readouterr().out


def test_an_unknown_option_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--loudly"]) == 2
    assert "--loudly" in capsys.readouterr().err


def test_the_version_is_the_packages() -> None:
    from importlib.metadata import version

    from referee import __version__

    assert __version__ == version("referee")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "guesswhat"], "Missing option '--games'"),
        (["compare", "a"], "Missing argument"),
        (["demo", "here"], "unexpected extra argument"),
        (["report", "x", "--out", "y", "--games", "many"], "Invalid value for '--games'"),
    ],
)
def test_a_call_that_makes_no_sense_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("referee: ")
    assert said in line
    assert "--help' says more" in line


def test_what_the_system_refuses_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No folder can be made in a file."""
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "world"
    assert main(["data", "make", "iconworld", "--games", "1", "--out", str(out)]) == 1
    assert capsys.readouterr().err == f"referee: {out}: Not a directory\n"


def test_the_package_is_run_like_its_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "referee", "--version"], check=True, capture_output=True, text=True
    )
    assert ran.stdout.startswith("referee ")
