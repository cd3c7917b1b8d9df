"""Table 2 of the belief paper, asked again of small guessers on Iconworld.

    python examples/belief_findings.py --out findings [--games 3000] [--test 1500] [--seeds 3]

Makes a world to learn from and another to be judged by, trains STL-CE, STL-KL and MTL-KL from several
seeds each, feeds them people's games of the other world, and prints a row a model with 95 % intervals
that resample whole pictures. Then two questions:

1. does the soft-label task bring the beliefs after first turns nearer to the rules' (r), and what does
   it cost (task accuracy)? MTL-KL - STL-CE of the same seed, over the same games;
2. how far apart are STL-CE and STL-KL, whose gradients are the same, beside two seeds of one of them?
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from referee.cli import main as referee
from referee.datasets import guesswhat
from referee.evaluations import belief, comparison, store
from referee.evaluations.evaluation import judge
from referee.evaluations.result import Judged

LOSSES = {"stl-ce": "ce", "stl-kl": "kl", "mtl-kl": "mtl-kl"}
SHOWN = ("task_accuracy", "r_category", "r_object", "r_cq", "r_spatial")
TAUGHT, FRESH = 1, 2026
"""The seeds of the world to learn from, and of the one to be judged by."""
TRAIN = 0.7
"""The share of a world's games that are its training games; those of the other world nobody learns from."""


def call(*words: object) -> None:
    """Calls a command of the command line, and stops where it does."""
    code = referee([str(word) for word in words])
    if code:
        sys.exit(code)


def world(out: Path, games: int, seed: int) -> Path:
    """A world's games, and the features of its pictures."""
    call("data", "make", "iconworld", "--out", out, "--games", games, "--seed", seed,
         "--part", "guesswhat", "--part", "pictures")  # fmt: skip
    call("features", "extract", "--images", out / "images", "--model", "icons",
         "--out", out / "icons.h5")  # fmt: skip
    return out


def trained(taught: Path, out: Path, loss: str, seed: int) -> Path:
    """The folder of a guesser that learned by a loss."""
    call("train", "guesser", "--encoder", "gdse", "--loss", loss, "--seed", seed,
         "--games", taught / "guesswhat.train.jsonl.gz",
         "--valid", taught / "guesswhat.valid.jsonl.gz",
         "--features", taught / "icons.h5", "--out", out)  # fmt: skip
    return out


def judged(model: Path, fresh: Path, out: Path) -> Judged:
    """What the litmus test says of a model that is fed people's games."""
    told = guesswhat.read(fresh / "guesswhat.train.jsonl.gz")
    player = f"neural:{model}?features={fresh / 'icons.h5'}"
    found = judge(belief.EVALUATION, told, belief.Options(guesser=player, turns=1))
    store.write(out, found)
    return found


def show(found: dict[tuple[str, int], Judged]) -> None:
    """A row a model and seed."""
    print(f"{'':12}" + "".join(f"{name:>22}" for name in SHOWN))
    for (name, seed), each in found.items():
        values = [each.result.values[value] for value in SHOWN]
        cells = [_cell(value.value, value.ci_low, value.ci_high) for value in values]
        print(f"{name + ' ' + str(seed):12}" + "".join(cells))


def conclude(found: dict[tuple[str, int], Judged], seeds: int) -> None:
    """The two answers."""
    print("\n1. MTL-KL - STL-CE, seed by seed")
    for seed in range(seeds):
        each = comparison.compare(belief.EVALUATION, found["mtl-kl", seed], found["stl-ce", seed])
        for value in SHOWN:
            it = each.differences.get(value)
            if it is not None:
                low, high = it.ci_low, it.ci_high
                said = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
                print(f"   seed {seed}: {value} {it.difference:+.3f}{said}")
    print("\n2. STL-CE and STL-KL beside seeds of one")
    for value in ("task_accuracy", "r_cq"):
        rows = {
            name: [_value(found[name, seed], value) for seed in range(seeds)] for name in LOSSES
        }
        losses = [abs(a - b) for a, b in zip(rows["stl-ce"], rows["stl-kl"], strict=True)]
        same = [abs(a - b) for name in ("stl-ce", "stl-kl") for a, b in combinations(rows[name], 2)]
        said = f"{np.mean(same):.3f}" if same else "unknown (one seed)"
        print(f"   {value}: between losses {np.mean(losses):.3f}, between seeds {said}")


def _value(found: Judged, name: str) -> float:
    value = found.result.values[name].value
    return float("nan") if value is None else value


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    return f"{'-' if value is None else f'{value:.3f} [{low:.3f}, {high:.3f}]':>22}"


def main() -> None:
    """Makes, trains, judges, prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="a new folder")
    parser.add_argument("--games", type=int, default=3000, help="games of the world to learn from")
    parser.add_argument("--test", type=int, default=1500, help="games to be judged by, about")
    parser.add_argument("--seeds", type=int, default=3, help="seeds of each model")
    asked = parser.parse_args()
    taught = world(asked.out / "taught", asked.games, TAUGHT)
    fresh = world(asked.out / "fresh", round(asked.test / TRAIN), FRESH)
    found = {}
    for seed in range(asked.seeds):
        for name, loss in LOSSES.items():
            model = trained(taught, asked.out / "models" / f"{name}-{seed}", loss, seed)
            found[name, seed] = judged(model, fresh, asked.out / "results" / f"{name}-{seed}")
    show(dict(sorted(found.items())))
    conclude(found, asked.seeds)


if __name__ == "__main__":
    main()
