"""Generations and reference sets of DenseVisDial's full size, recombined from the real strings."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from referee.randomness import Stream, key

ROUNDS = 20_640
GENERATIONS = 15

_SHARED = Path(__file__).resolve().parents[2] / "shared"


@dataclass(frozen=True)
class AnswerWorkload:
    """A list of generations and a list of references for each round, and the shares of distinct strings."""

    generations: list[list[str]]
    references: list[list[str]]

    def described(self) -> dict[str, float]:
        """What the speed depends on."""
        said, wanted = (
            list(chain.from_iterable(lists)) for lists in (self.generations, self.references)
        )
        return {
            "rounds": len(self.generations),
            "generations": len(said),
            "references": len(wanted),
            "references a set": round(len(wanted) / len(self.references), 2),
            "share of distinct generations": round(len(set(said)) / len(said), 4),
            "share of distinct references": round(len(set(wanted)) / len(wanted), 4),
        }


def data() -> Path:
    """The real data at hand."""
    return Path(os.environ.get("REFEREE_SHARED", _SHARED)) / "data"


def _read(name: str) -> Any:
    return json.loads((data() / name).read_text(encoding="utf-8"))


def answer_workload(rounds: int = ROUNDS, generations: int = GENERATIONS) -> AnswerWorkload:
    """Each round has the size of a real reference set H, filled with references of all real sets.

    The generations are drawn from the published ones and from the options of the real rounds at hand, all
    with the frequency that they have there.
    """
    sets = [record["refs"] for record in _read("densevisdial/refs_H_human_val.json")]
    wanted = list(chain.from_iterable(sets))
    published = _read("densevisdial/gens.json")
    said = list(chain.from_iterable(record["generations"] for record in published))
    visdial = _read("visdial/visdial_1.0_val_crowdsourced.json")["data"]
    turns = chain.from_iterable(dialogue["dialog"] for dialogue in visdial["dialogs"])
    said += [visdial["answers"][option] for turn in turns for option in turn["answer_options"]]
    stream = Stream(key("answer workload"))
    return AnswerWorkload(
        [[stream.choice(said) for _ in range(generations)] for _ in range(rounds)],
        [[stream.choice(wanted) for _ in stream.choice(sets)] for _ in range(rounds)],
    )
