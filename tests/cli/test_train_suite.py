"""`referee train suite`, and the models that it made for the package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.cli import _suite, main

pytest.importorskip("torch")

from referee.players.neural import WEIGHTS, checkpoint, shipped
from referee.players.resolve import resolve

Capture = pytest.CaptureFixture[str]
STEPS = _suite.steps(300, 1, "guesser")
SHIPPED = {step.name for step in STEPS if step.model}
MOST = 8_000_000
"""Bytes of all weights that ship."""


def test_a_step_comes_after_what_it_needs() -> None:
    """Each waits for steps that exist, and none for itself by way of others."""
    done: set[str] = set()
    for step in STEPS:
        assert set(step.after) <= done, step.name
        done.add(step.name)


def test_the_package_holds_the_models_of_the_suite() -> None:
    """Every name that the suite trains, and no other, in few bytes."""
    assert set(shipped()) == SHIPPED
    assert sum(path.stat().st_size for path in WEIGHTS.rglob("*") if path.is_file()) <= MOST


@pytest.mark.parametrize("name", sorted(SHIPPED - {"icons"}))
def test_a_shipped_name_sits_down(name: str) -> None:
    """Where it sees pictures it asks for their features, and says how to make them."""
    described = checkpoint.load(WEIGHTS / name).description
    assert described.training["preset"] == "tiny"
    assert not any(str(value).startswith("/") for value in described.training.values())
    if name in {"oracle", "guesser"}:
        assert resolve(f"neural:{name}").who is not None
    else:
        with pytest.raises(Exception, match="features=") as caught:
            resolve(f"neural:{name}")
        assert "referee features extract" in str(caught.value)


@pytest.mark.slow
def test_some_steps_alone(tmp_path: Path, capsys: Capture) -> None:
    """A world, and two models of it side by side; a model that is there is not trained again."""
    few = ["--games", "90", "--epochs", "1", "--out", str(tmp_path / "suite")]
    first = [word for name in ("world", "oracle", "guesser") for word in ("--only", name)]
    assert main(["train", "suite", *few, *first]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("2 models of ")
    assert told.err.index("world: ") < told.err.index("oracle: ")
    found = checkpoint.load(tmp_path / "suite/oracle").description
    assert found.training["games"] == "guesswhat.train.jsonl.gz"
    with pytest.raises(_suite.StepFailed, match=r"holds a model already.*oracle\.txt"):
        _suite.run(tmp_path / "suite", [step for step in STEPS if step.name == "oracle"], 1, print)


def test_what_is_refused(tmp_path: Path, capsys: Capture) -> None:
    """A step that there is not, and a folder that is there."""
    (tmp_path / "there").mkdir()
    assert main(["train", "suite", "--out", str(tmp_path / "there")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["train", "suite", "--out", str(tmp_path / "new"), "--only", "worlds"]) == 2
    assert "--only worlds: there is no such step (there are world, icons" in capsys.readouterr().err


def test_the_first_step_that_fails_ends_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said last, and the file of all that it said; what waits for it is not begun."""
    monkeypatch.setattr(_suite, "_CALL", "import sys; print('no world'); sys.exit(3)")
    assert sys.executable
    begun: list[str] = []
    with pytest.raises(_suite.StepFailed, match=r"world: no world \(.*world\.txt\)"):
        _suite.run(tmp_path, STEPS, 2, print, lambda step: begun.append(step.name))
    assert begun == ["world"]
