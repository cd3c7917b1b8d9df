"""VisDial v1.0 dialogues, and the dense relevance of one round of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from referee.datasets import dense, visdial
from referee.datasets.dense import Relevance
from referee.datasets.iconworld.parts.coco import COCO_NAMES, captions_of
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.visual_dialogues import ROUNDS, dialogue
from referee.datasets.iconworld.world import HUMAN, World
from referee.datasets.visdial_file import Header
from referee.games import Round, VisDial
from referee.randomness import Stream, mix

_DIALOGUES = 12
_ROUND = 14


def write(world: World, folder: Path) -> dict[str, int]:
    """visdial/visdial_1.0_{train,val,test}.json, and dense annotations for train (a sample) and val."""
    if not world.plan.visual_dialogues:
        return {}
    (folder / "visdial").mkdir(parents=True, exist_ok=True)
    counts = {}
    for split in HUMAN:
        name = COCO_NAMES.get(split, split)
        scenes = _share(world, split)
        games = [_dialogue(world, drawn) for drawn in scenes]
        rounds = [_round(world, drawn) for drawn in scenes]
        if split == "test":
            shown = [_tested(game, last) for game, last in zip(games, rounds, strict=True)]
        else:
            shown = games
            dense_file = f"visdial/visdial_1.0_{name}_dense_{_DENSE[split]}.json"
            rows = [_relevance(*pair, split) for pair in zip(games, rounds, strict=True)]
            dense.write(folder / dense_file, rows)
            counts[dense_file] = len(rows)
        file = f"visdial/visdial_1.0_{name}.json"
        visdial.write(folder / file, shown, Header("1.0", f"{name}{world.plan.date[:4]}"))
        counts[file] = len(shown)
    return counts


_DENSE = {"train": "sample", "valid": "annotations"}


def _share(world: World, split: str) -> Sequence[Drawn]:
    """The first pictures of the split, as many as its share of the dialogues."""
    plan, scenes = world.plan, world.splits[split]
    return scenes[: -(-plan.visual_dialogues * len(scenes) // plan.human_scenes)]


def _dialogue(world: World, drawn: Drawn) -> VisDial:
    game = dialogue(drawn.scene, mix(mix(world.key, int(drawn.scene.id)), _DIALOGUES))
    return replace(game, caption=captions_of(world, drawn, 1)[0])


def _round(world: World, drawn: Drawn) -> int:
    """The round, from 0, that is annotated, or with which a test dialogue ends."""
    return Stream(mix(mix(world.key, int(drawn.scene.id)), _ROUND)).below(ROUNDS)


def _relevance(game: VisDial, number: int, split: str) -> Relevance:
    relevance = game.rounds[number].relevance
    assert relevance is not None, "a made round has its relevance"  # noqa: S101
    name = "relevance" if split == "train" else "gt_relevance"
    return Relevance(game.image, number, relevance, name=name)  # type: ignore[arg-type]


def _tested(game: VisDial, last: int) -> VisDial:
    asked = [Round(one.question, one.answer) for one in game.rounds[:last]]
    final = game.rounds[last]
    return replace(game, rounds=(*asked, Round(final.question, None, final.options)))
