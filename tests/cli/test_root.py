"""The root of the command line: names, help, exit codes, and nothing heavy."""

from __future__ import annotations

import subprocess
import sys

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
