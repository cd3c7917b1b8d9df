"""What is trained from scratch on a small world knows more of it than the commonest answer, or luck."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from referee.cli import main

pytest.importorskip("torch")

from tests.cli.conftest import Trainable, make_world

from referee.datasets import guesswhat
from referee.games import GuessWhat, Transcript

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Trainable:
    """A world of 2500 games, with an oracle, a guesser and a QGen that learned from it."""
    folder = tmp_path_factory.mktemp("learned")
    found = Trainable(make_world(folder / "world", 2500), folder / "models")
    for kind, epochs in (("oracle", 5), ("guesser", 12), ("qgen", 5)):
        out = str(found.models / kind)
        assert main(found.command(kind, "--epochs", epochs, "--out", out)) == 0
    return found


def figures(world: Trainable, kind: str) -> dict[str, float]:
    """What its best epoch found on the validation games."""
    described = json.loads((world.models / kind / "model.json").read_text("utf-8"))
    found: dict[str, float] = described["training"]["figures"]
    return found


def valid(world: Trainable) -> list[Transcript]:
    """The validation games that were won."""
    games = guesswhat.read(world.world / "guesswhat.valid.jsonl.gz")
    return [game for game in games if game.status == "success" and game.turns]


def test_the_oracle_beats_the_commonest_answer(learned: Trainable) -> None:
    """By a tenth of all questions."""
    counts = Counter(turn.answer for game in valid(learned) for turn in game.turns)
    commonest = max(counts.values()) / counts.total()
    assert 1 - figures(learned, "oracle")["error"] > commonest + 0.1


def test_the_guesser_beats_luck(learned: Trainable) -> None:
    """By a third; luck is right once in as many games as there are candidates."""
    sizes = [
        len(game.game.scene.things) for game in valid(learned) if isinstance(game.game, GuessWhat)
    ]
    luck = sum(1 / size for size in sizes) / len(sizes)
    assert 1 - figures(learned, "guesser")["error"] > luck * 4 / 3


def test_the_qgen_knows_most_words_that_people_say_next(learned: Trainable) -> None:
    """And better from epoch to epoch."""
    rows = history(learned.models / "qgen")
    assert figures(learned, "qgen")["error"] < 0.5
    assert float(rows[-1]["nats"]) < float(rows[0]["nats"]) / 2


def test_reinforce_moves_success_up(learned: Trainable, tmp_path: Path) -> None:
    """From 0.165 to 0.22, on games that it did not learn from and that are drawn alike before and after.

    The guesser of so small a world is weak: with that of 6,000 games it goes from 0.25 to 0.33.
    """
    words = learned.command("rl", "--reward", "success", "--questions", 5)
    assert main([*words, "--rate", "1e-12", "--epochs", "1", "--out", str(tmp_path / "sl")]) == 0
    assert main([*words, "--epochs", "12", "--batch", "32", "--out", str(tmp_path / "rl")]) == 0
    (before,), after = (
        [float(row["success"]) for row in history(tmp_path / name)] for name in ("sl", "rl")
    )
    assert sum(after[-3:]) / 3 > before + 0.02


def history(out: Path) -> list[dict[str, str]]:
    """An epoch a row."""
    with (out / "logs/metrics.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
