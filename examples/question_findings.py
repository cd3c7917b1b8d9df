"""What the questions paper found about people and models, asked again of the players that ship.

    python examples/question_findings.py --out findings [--games 2000]

Makes an Iconworld that no player was trained on, extracts the features of its pictures, lets every
questioner play the test games with the neural oracle, and judges people's dialogues and the models' by
the world's truth (the perfect oracle). Prints a row a questioner, and the four findings with 95 %
intervals that resample whole pictures:

1. reinforcement learning wins more games than supervised learning, where questions are drawn as they were
   when it learned, and where the likeliest is asked;
2. its last turns refer to the target less often than people's;
3. cooperative learning repeats a question in fewer games than supervised learning;
4. machines' questions are easier for the oracle than people's.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.arena import Plan, play_into, run
from referee.cli import main as referee
from referee.datasets import guesswhat
from referee.evaluations import comparison, questions, store
from referee.evaluations.evaluation import judge
from referee.evaluations.result import Judged
from referee.games.guesswhat import Rules
from referee.metrics.question_types import TYPES
from referee.metrics.statistics import Interval, bootstrap_interval

PEOPLE = "people"
MODELS = ("devries-sl", "devries-rl", "gdse-sl", "gdse-cl", "vdst")
DRAWN = {f"{name}, drawn": name for name in ("devries-sl", "devries-rl")}
"""Models whose questions are drawn word by word; the others ask what is likeliest."""
ORACLE, TRUTH = "neural:oracle", "scripted:perfect-oracle"
SHOWN = (
    "task_success",
    "effectiveness",
    "last_effective",
    "last_referring",
    "repeated_games",
    "question_diversity",
)
SEED = 2026
HELD_OUT = 0.15
"""The share of a world's games that are its test games."""


@dataclass(frozen=True)
class Dialogues:
    """A questioner's games, judged by the truth and by the neural oracle."""

    true: Judged
    heard: Judged

    def right(self) -> Interval:
        """How often the neural oracle answers these questions as the truth does, in percent."""
        pairs = list(zip(self.true.turns, self.heard.turns, strict=True))
        same = [true["oracle_answer"] == heard["oracle_answer"] for true, heard in pairs]
        images = [str(true["image"]) for true, _ in pairs]
        return bootstrap_interval(100 * np.array(same, float), clusters=images, seed=SEED)

    def easy(self, people: Dialogues) -> float:
        """The paper's way: the oracle's accuracy on people's questions, weighted by our types."""
        share = {kind: self.true.result.values[f"type_{kind}"].value or 0.0 for kind in TYPES}
        human = {
            kind: people.heard.result.values[f"oracle_accuracy_{kind}"].value for kind in TYPES
        }
        known = {kind: accuracy for kind, accuracy in human.items() if accuracy is not None}
        return sum(share[kind] * known[kind] for kind in known) / sum(share[kind] for kind in known)


def call(*words: object) -> None:
    """Calls a command of the command line, and stops where it does."""
    code = referee([str(word) for word in words])
    if code:
        sys.exit(code)


def features(world: Path, out: Path) -> dict[str, Path]:
    """What the players see: whole pictures, and the regions that VDST attends to."""
    whole, regions = out / "whole.h5", out / "regions.npy"
    games = world / "guesswhat.test.jsonl.gz"
    seen = ("features", "extract", "--images", world / "images", "--model", "icons")
    call(*seen, "--games", games, "--out", whole)
    call(*seen, "--boxes", games, "--grid", "4x4", "--layout", "vdst", "--out", regions)
    return {"whole": whole, "regions": regions}


def played(name: str, games: Path, given: dict[str, Path], out: Path, turns: int) -> Path:
    """The folder of a questioner's run with its own guesser."""
    player = (
        f"neural:{DRAWN.get(name, name)}?features={given['regions' if name == 'vdst' else 'whole']}"
    )
    if name in DRAWN:
        player += "&decode=sample"
    seats = {"questioner": player, "oracle": ORACLE, "guesser": player}
    plan = Plan(Rules(max_turns=turns, beliefs=False), SEED)
    for _ in play_into(out / name, guesswhat.games(games), seats, plan, files={"games": games}):
        pass
    return out / name


def judged(name: str, games: Path, folder: Path | None, out: Path) -> Dialogues:
    """The dialogues of a run, or people's own where there is none."""
    found = []
    for oracle in (TRUTH, ORACLE):
        source = guesswhat.read(games) if folder is None else run.read(folder)
        found.append(judge(questions.EVALUATION, source, questions.Options(oracle=oracle)))
        store.write(out / f"{name}-{oracle.partition(':')[0]}", found[-1])
    return Dialogues(*found)


def show(found: dict[str, Dialogues]) -> None:
    """A row a questioner."""
    print(f"{'':18}" + "".join(f"{name:>20}" for name in SHOWN) + f"{'oracle right':>20}")
    for name, dialogues in found.items():
        values = [dialogues.true.result.values[each] for each in SHOWN]
        cells = [_cell(value.value, value.ci_low, value.ci_high) for value in values]
        right = dialogues.right()
        print(f"{name:18}" + "".join(cells) + _cell(right.estimate, right.low, right.high))


def conclude(found: dict[str, Dialogues]) -> None:
    """The four findings; a difference is over the same games."""

    def finding(text: str, value: str, first: str, second: str) -> None:
        each = comparison.compare(questions.EVALUATION, found[first].true, found[second].true)
        it = each.differences[value]
        print(
            f"{text}: {value} {first} - {second} = {it.difference:+.1f} "
            f"[{it.ci_low:+.1f}, {it.ci_high:+.1f}], p = {it.p_permutation:.4f}"
        )

    finding("1. RL wins more than SL", "task_success", "devries-rl, drawn", "devries-sl, drawn")
    finding("   asking what is likeliest", "task_success", "devries-rl", "devries-sl")
    finding("2. RL's last turns refer less than people's", "last_referring", "devries-rl", PEOPLE)
    finding("3. CL repeats less than SL", "repeated_games", "gdse-cl", "gdse-sl")
    print("4. Machines' questions are easier for the oracle: accuracy, measured and by types")
    for name, dialogues in found.items():
        right = dialogues.right()
        by_types = dialogues.easy(found[PEOPLE])
        print(
            f"   {name:18}{right.estimate:6.1f} [{right.low:.1f}, {right.high:.1f}]{by_types:8.1f}"
        )


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    return f"{'-' if value is None else f'{value:.1f} [{low:.1f}, {high:.1f}]':>20}"


def main() -> None:
    """Makes, plays, judges, prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="a new folder")
    parser.add_argument("--games", type=int, default=2000, help="test games, about")
    parser.add_argument("--turns", type=int, default=8, help="the most questions of a game")
    asked = parser.parse_args()
    world = asked.out / "world"
    call("data", "make", "iconworld", "--out", world, "--games", round(asked.games / HELD_OUT),
         "--seed", SEED, "--part", "guesswhat", "--part", "pictures")  # fmt: skip
    games = world / "guesswhat.test.jsonl.gz"
    given = features(world, asked.out)
    found = {PEOPLE: judged(PEOPLE, games, None, asked.out / "results")}
    for name in (*MODELS, *DRAWN):
        folder = played(name, games, given, asked.out / "runs", asked.turns)
        found[name] = judged(name, games, folder, asked.out / "results")
    show(found)
    conclude(found)


if __name__ == "__main__":
    main()
