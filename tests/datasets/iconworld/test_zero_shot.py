"""The choice of zero-shot targets."""

from __future__ import annotations

from collections import Counter

from referee.datasets.iconworld.scenes import Drawn, make_scene
from referee.datasets.iconworld.zero_shot import TARGETS, kept, targets


def scenes() -> list[Drawn]:
    """Scenes of unseen things."""
    return [make_scene(number, number, "out") for number in range(1, 200)]


def test_each_picture_has_up_to_five_different_targets() -> None:
    """As many as it has things, and no thing twice."""
    made = scenes()
    found = Counter((drawn.scene.id, thing.id) for drawn, thing in targets(made, 1))
    assert set(found.values()) == {1}
    games = Counter(scene for scene, _ in found)
    for drawn in made:
        assert games[drawn.scene.id] == min(TARGETS, len(kept(drawn.scene)))


def test_rare_kinds_are_targets_more_often() -> None:
    """The share of its things that are chosen is larger for the rarer half of the categories."""
    made = scenes()
    there = Counter(thing.category for drawn in made for thing in kept(drawn.scene))
    chosen = Counter(thing.category for _, thing in targets(made, 1))
    ranked = [name for name, _ in there.most_common()]
    common, rare = ranked[: len(ranked) // 2], ranked[len(ranked) // 2 :]

    def share(names: list[str]) -> float:
        return sum(chosen[name] for name in names) / sum(there[name] for name in names)

    assert share(rare) > share(common)
