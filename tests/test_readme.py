"""What the README says to type works, line by line and in its order."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GAMES = "60"
"""In place of the README's number of games, which a reader has the time for."""


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language; those without one hold what is typed."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [block for named, block in fenced if named == language]


def typed(program: str) -> list[list[str]]:
    """The words of every line that calls a program, without the comments."""
    lines = (line for block in blocks("") for line in block.splitlines())
    calls = (shlex.split(line, comments=True) for line in lines)
    return [words[1:] for words in calls if words[:1] == [program]]


def smaller(words: list[str]) -> list[str]:
    """The same call of a small world."""
    pairs = zip(["", *words], words, strict=False)
    return [GAMES if before == "--games" and word.isdecimal() else word for before, word in pairs]


def test_every_command_works_in_the_order_in_which_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player's block is written to the file that its first line names."""
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        name = block.partition("\n")[0].removeprefix("# ")
        assert name.endswith(".py")
        Path(name).write_text(block, encoding="utf-8")
    for words in typed("referee"):
        if words[0] == "report" and find_spec("jinja2") is None:
            continue
        assert main(smaller(words)) == 0, (words, capsys.readouterr().err)
        if "--out" in words:
            assert Path(words[words.index("--out") + 1]).exists(), words
    assert "task success" in capsys.readouterr().out.replace("_", " ")


def test_the_readme_plays_judges_compares_reports_and_brings_a_player() -> None:
    """What the test above runs is not nothing."""
    called = [" ".join(words) for words in typed("referee")]
    for start in ("data make", "play", "evaluate", "compare", "report"):
        assert any(call.startswith(start) for call in called), start
    assert len(blocks("python")) == 1
    assert any(".py:" in call for call in called)


def test_every_command_that_the_text_names_exists() -> None:
    named = re.findall(r"`referee ([a-z]+(?: [a-z]+)*)", README)
    assert named
    for name in named:
        words = tuple(name.split())
        assert any(path == words[: len(path)] for path in COMMANDS), name


def test_every_target_of_make_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {words[0] for words in typed("make")} | set(re.findall(r"`make ([a-z]+)`", README))
    assert named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_file_that_is_linked_is_there() -> None:
    linked = re.findall(r"\]\(([^):]+)\)", README)
    assert linked
    for name in linked:
        assert (ROOT / name).is_file(), name
