"""What the page says is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli import annotate_attributes, main

PAGE = Path(__file__).resolve().parents[3] / "docs" / "attributes.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_commands_print_what_the_page_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two commands on Iconworld, and the lines that count right and wrong."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)
    commands = blocks[1][1].splitlines()
    assert len(commands) == 2
    for command in commands:
        assert main(command.split()[1:]) == 0
    said = capsys.readouterr().out
    assert blocks[2][1] in said
    assert "train, published" in said
    (place,) = [place for place, block in enumerate(blocks) if block[0] == "python"]
    exec(compile(blocks[place][1], "attributes.md", "exec"), {})  # noqa: S102 (our own page)
    assert capsys.readouterr().out == blocks[place + 1][1]


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    rows = [line for line in TEXT.partition("| option |")[2].splitlines() if line[:3] == "| `"]
    told = {
        name.split()[0]
        for row in rows[: next(i for i, r in enumerate(rows) if "--skip-bad" in r) + 1]
        for name in re.findall(r"`(--[^`]+)`", row.split(" | ")[0])
    }
    known = {f"--{n.replace('_', '-')}" for n in annotate_attributes.attributes.__annotations__}
    assert told == known - {"--return", "--out", "--json"}
