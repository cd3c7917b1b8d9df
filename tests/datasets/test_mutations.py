"""Whatever stands in a file, a reader says DataError and nothing else."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from referee.datasets.check import check, formats
from referee.randomness import Stream, key

ROOT = Path(__file__).resolve().parent.parent.parent
LINES = (
    "guesswhat/guesswhat.valid.jsonl",
    "guesswhat/guesswhat.new.valid.jsonl",
    "guesswhat/guesswhat.final.new_games.greedy.jsonl",
    "guesswhat/dialogues.jsonl",
)


@pytest.fixture(scope="module")
def mutations() -> ModuleType:
    """The module of bench/ that damages files."""
    spec = importlib.util.spec_from_file_location("mutations", ROOT / "bench" / "mutations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutations"] = module
    spec.loader.exec_module(module)
    return module


def test_every_format_has_a_small_sample(mutations: ModuleType, tmp_path: Path) -> None:
    sampled = {sample.format.name for sample in mutations.samples(tmp_path)}
    assert {known.name for known in formats()} - sampled == set()


def test_the_samples_have_no_problems(mutations: ModuleType, tmp_path: Path) -> None:
    for sample in mutations.samples(tmp_path):
        problems: list[object] = []
        sample.format.summarise(sample.path, problems)
        assert problems == []


def test_2000_damaged_files_give_nothing_but_data_errors(mutations: ModuleType) -> None:
    outcomes = list(mutations.outcomes(2000))
    assert [outcome.failure for outcome in outcomes if outcome.failure] == []
    assert sum(outcome.refused for outcome in outcomes) > 1000
    assert len({outcome.kind for outcome in outcomes}) == 7


@pytest.mark.parametrize("name", LINES)
def test_no_record_is_lost_in_silence(mutations: ModuleType, tmp_path: Path, name: str) -> None:
    """Each line of a damaged file is a game or a problem."""
    source = ROOT / "tests" / "data" / name
    path = tmp_path / source.name
    for number in range(60):
        data = mutations.change_json(source.read_bytes(), Stream(key("lost", name, number)))
        path.write_bytes(data)
        (summary,) = check(path)
        if summary.format:
            games = summary.counts.get("games", 0)
            assert isinstance(games, int)
            refused = {problem.record for problem in summary.problems}
            assert games + len(refused) == len(data.splitlines())


def test_the_damage_is_the_same_for_a_number(mutations: ModuleType) -> None:
    source = (ROOT / "tests" / "data" / LINES[0]).read_bytes()
    damaged = [mutations.damage(source, Stream(key(number % 50))) for number in range(100)]
    assert damaged[:50] == damaged[50:]
    assert len(set(damaged)) > 45


def test_odd_numbers_stand_in_the_text_as_they_are(mutations: ModuleType) -> None:
    assert mutations._written(["@1e999@", {"a@again": "@NaN@"}]) == '[1e999, {"a": NaN}]'
    deep = mutations._written("@deep@")
    assert deep == "[" * mutations.DEEP + "]" * mutations.DEEP
    with pytest.raises(RecursionError):
        json.loads(deep)
