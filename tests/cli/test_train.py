"""Every `referee train` command on a small world: what it says and writes, how it stops and goes on."""

from __future__ import annotations

import csv
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.cli import COMMANDS, main

pytest.importorskip("torch")

import torch

from referee.players.neural import checkpoint
from referee.players.neural.events import crc32c

if TYPE_CHECKING:
    from tests.cli.conftest import Trainable

EVERY = (
    *("oracle", "oracle-gdse", "oracle-image", "qgen", "gdse-sl", "gdse-cl", "rl"),
    *("guesser", "guesser-vlstm", "guesser-gdse", "guesser-tracking"),
)
SAVED = {"model.json", "model.safetensors", "resume/state.safetensors", "logs/metrics.csv"}


def train(world: Trainable, kind: str, out: Path, *more: object) -> None:
    assert main(world.command(kind, "--out", out, *more)) == 0


def test_each_command_is_tested() -> None:
    """All that train a neural player; vdst, icons and the suite have files of their own."""
    trained = {path[1] for path in COMMANDS if path[0] == "train"}
    assert trained - {"cca", "vdst", "icons", "suite"} == {kind.partition("-")[0] for kind in EVERY}


@pytest.mark.parametrize("kind", EVERY)
def test_a_resumed_run_ends_in_the_same_bits(
    trainable: Trainable, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """Weights, optimiser and history; the best weights, too, which each run chose by itself."""
    train(trainable, kind, tmp_path / "whole", "--epochs", 4)
    said = capsys.readouterr()
    assert f"model: {tmp_path / 'whole'}\nnext: referee " in said.out
    assert "of 4 was best" in said.out
    assert said.err.count("referee: epoch ") == 4
    train(trainable, kind, tmp_path / "stopped", "--epochs", 2)
    train(trainable, kind, tmp_path / "stopped", "--epochs", 4, "--resume")
    for name in ("model.safetensors", "resume/state.safetensors"):
        whole, stopped = (
            checkpoint.load_tensors(tmp_path / run / name) for run in ("whole", "stopped")
        )
        assert whole.keys() == stopped.keys()
        assert all(torch.equal(tensor, stopped[name]) for name, tensor in whole.items())
    whole_figures, stopped_figures = (
        without_time(read_csv(tmp_path / run / "logs/metrics.csv")) for run in ("whole", "stopped")
    )
    assert whole_figures == stopped_figures


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def without_time(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{name: it for name, it in row.items() if name != "seconds"} for row in rows]


@pytest.mark.parametrize("kind", EVERY)
def test_what_is_written_can_be_read(trainable: Trainable, tmp_path: Path, kind: str) -> None:
    """Arrays as safetensors, the rest as JSON and CSV; TensorBoard's events hold the CSV's numbers."""
    out = tmp_path / "out"
    train(trainable, kind, out, "--epochs", 2)
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    (events,) = [name for name in files if "tfevents" in name]
    guesser = (
        {"guesser/model.json", "guesser/model.safetensors"} if kind in {"qgen", "rl"} else set()
    )
    assert files == {*SAVED, events, *guesser}
    found = checkpoint.load(out)
    assert found.description.training["epoch"] in {0, 1}
    assert found.description.training["games_digest"].startswith("sha256:")
    told = {
        (int(row["epoch"]), name): float(figure)
        for row in read_csv(out / "logs/metrics.csv")
        for name, figure in row.items()
        if figure and name not in {"epoch", "seconds"}
    }
    logged = {(step, name): value for step, name, value in scalars(out / events)}
    assert logged == pytest.approx(told, rel=1e-6)
    assert {step for step, _ in logged} == {0, 1}


def scalars(path: Path) -> Iterator[tuple[int, str, float]]:
    """The scalars of an event file, read as the format is defined: framed and summed records of messages."""
    data = path.read_bytes()
    while data:
        (length,) = struct.unpack_from("<Q", data)
        body = data[12 : 12 + length]
        for part, place in ((data[:8], 8), (body, 12 + length)):
            (masked,) = struct.unpack_from("<I", data, place)
            crc = (masked - 0xA282EAD8) & 0xFFFFFFFF
            assert (crc >> 17 | crc << 15) & 0xFFFFFFFF == crc32c(part)
        data = data[16 + length :]
        numbers, texts = fields(body)
        for value in texts.get(5, []):
            _, entries = fields(value)
            for entry in entries[1]:
                _, scalar = fields(entry)
                (found,) = struct.unpack("<f", scalar[2][0])
                yield numbers.get(2, 0), scalar[1][0].decode(), found


def fields(message: bytes) -> tuple[dict[int, int], dict[int, list[bytes]]]:
    """The fields of a protocol buffer's message by number: whole numbers, and bytes."""
    numbers: dict[int, int] = {}
    texts: dict[int, list[bytes]] = {}
    while message:
        tag, message = varint(message)
        if tag & 7 == 0:
            numbers[tag >> 3], message = varint(message)
            continue
        if tag & 7 == 2:
            size, message = varint(message)
        else:
            size = {1: 8, 5: 4}[tag & 7]
        texts.setdefault(tag >> 3, []).append(message[:size])
        message = message[size:]
    return numbers, texts


def varint(message: bytes) -> tuple[int, bytes]:
    """The whole number at the head of some bytes, seven bits a byte, and what follows it."""
    size = next(place for place, byte in enumerate(message) if byte < 0x80) + 1
    found = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(message[:size]))
    return found, message[size:]


@pytest.mark.parametrize("kind", ["oracle", "guesser"])
def test_tensorboard_reads_the_events(trainable: Trainable, kind: str) -> None:
    from tensorboard.backend.event_processing import event_accumulator

    logs = trainable.models / kind / "logs"
    found = event_accumulator.EventAccumulator(str(logs))
    found.Reload()
    losses = [event.value for event in found.Scalars("loss")]
    assert losses == pytest.approx([float(row["loss"]) for row in read_csv(logs / "metrics.csv")])


@pytest.mark.parametrize("kind", EVERY)
def test_training_stops_when_nothing_gets_better(
    trainable: Trainable, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """A rate that moves nothing: after two epochs that were no better than the first."""
    train(trainable, kind, tmp_path / "out", "--rate", 1e-12, "--patience", 2, "--epochs", 30)
    assert "epoch 1 of 3 was best" in capsys.readouterr().out


def test_nothing_is_overwritten(
    trainable: Trainable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a model, nor a stopped run, nor by another guesser that one which is kept."""
    out = trainable.models / "oracle"
    assert main(trainable.command("oracle", "--out", out)) == 2
    assert "nothing is overwritten" in capsys.readouterr().err
    again = trainable.command("oracle", "--out", tmp_path, "--resume")
    assert main(again) == 2
    assert "holds no stopped run" in capsys.readouterr().err
    train(trainable, "guesser", tmp_path / "other", "--epochs", 1, "--seed", 5)
    train(trainable, "qgen", tmp_path / "qgen", "--epochs", 1)
    words = trainable.command("qgen", "--out", tmp_path / "qgen", "--resume", "--epochs", 2)
    words[words.index("--guesser") + 1] = str(tmp_path / "other")
    capsys.readouterr()
    assert main(words) == 2
    assert "holds another guesser already" in capsys.readouterr().err
