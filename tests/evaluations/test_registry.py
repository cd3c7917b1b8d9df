"""Evaluations by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import UsageError
from referee.evaluations import registry
from referee.games import GuessWhich, Transcript, VisDial

Play = Callable[..., Transcript]

OWN = '''
from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.measures import Measure
from referee.games import GuessWhat
from msgspec import Struct

class Options(Struct, frozen=True):
    """None."""

def collect(transcripts, options):
    games = [transcript.game for transcript in transcripts]
    rows = [{"game": g.id, "image": g.image, "things": len(g.scene.things)} for g in games]
    return Collected(games=rows)

EVALUATION = Evaluation(
    "things", "How many things?", GuessWhat, Options, collect, lambda turns: (Measure("things", "things"),)
)
'''


def test_every_name_leads_to_an_evaluation_of_that_name() -> None:
    assert registry.names()[:3] == ("questions", "answers", "teamwork")
    for name in registry.names():
        assert registry.load(name).name == name


def test_a_game_finds_the_evaluations_that_judge_it() -> None:
    assert [found.name for found in registry.suiting(GuessWhich("g", (), "a"))] == ["teamwork"]
    assert issubclass(VisDial, registry.load("answers").game)


def test_an_evaluation_of_ones_own_is_one_file(tmp_path: Path, play: Play) -> None:
    from referee.evaluations.evaluation import judge

    path = tmp_path / "mine.py"
    path.write_text(OWN, "utf-8")
    own = registry.load(f"{path}:EVALUATION")
    assert (
        judge(own, [play(["a"], 5), play(["a"], 7, game="2")]).result.values["things"].value == 6.0
    )


def test_the_command_judges_by_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN, "utf-8")
    games = Path(__file__).parent.parent / "data/guesswhat/guesswhat.valid.jsonl"
    arguments = ["evaluate", "own", f"{path}:EVALUATION", "--transcripts", str(games), "--json"]
    assert main(arguments) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert values["things"]["n"] == 4
    assert values["things"]["value"] > 1


def test_its_results_have_a_page(tmp_path: Path) -> None:
    """The page knows no file of one's own, only what it left behind."""
    path, page = tmp_path / "mine.py", tmp_path / "page.html"
    path.write_text(OWN, "utf-8")
    games = Path(__file__).parent.parent / "data/guesswhat/guesswhat.valid.jsonl"
    arguments = ["evaluate", "own", f"{path}:EVALUATION", "--transcripts", str(games)]
    assert main([*arguments, "--out", str(tmp_path / "judged")]) == 0
    shown = ["report", str(tmp_path / "judged"), "--transcripts", str(games), "--out", str(page)]
    assert main(shown) == 0
    html = page.read_text("utf-8")
    assert "<h2>Things</h2>" in html
    assert html.count('class="game"') > 0
    assert registry.known("things") is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "there is no evaluation 'nothing'"),
        ("absent.py:EVALUATION", "there is no file"),
        ("{own}:Options", "is no Evaluation"),
        ("{own}:OTHER", "no 'OTHER' in .*it holds"),
    ],
)
def test_a_name_that_leads_nowhere_is_said(tmp_path: Path, name: str, message: str) -> None:
    own = tmp_path / "mine.py"
    own.write_text(OWN, "utf-8")
    with pytest.raises(UsageError, match=message):
        registry.load(name.format(own=own))
