"""The benchmarks that `make bench` runs."""

from __future__ import annotations

import ast
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent / "bench"


def definitions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def listed() -> tuple[str, ...]:
    tree = ast.parse((BENCH / "run.py").read_text("utf-8"))
    (found,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    )
    return tuple(found)


def test_every_module_with_a_case_is_run() -> None:
    """A case that is in no list is measured by nobody."""
    timed = {
        file.stem
        for file in BENCH.glob("*.py")
        if any(name.startswith("case") for name in definitions(file))
    }
    assert set(listed()) == timed
    assert len(listed()) == len(timed)
