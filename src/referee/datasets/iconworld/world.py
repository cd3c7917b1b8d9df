"""A world: its scenes by split, all decided by a seed and a date, and the games that people played.

No two splits share a picture. Training pictures hold COCO's kinds of things only; near-domain ones mix
them with unseen kinds, out-of-domain ones hold unseen kinds only.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cached_property

from msgspec import Struct

from referee.datasets.iconworld.genome_views import Mismatch, View, view
from referee.datasets.iconworld.human_games import HumanGame, games_of
from referee.datasets.iconworld.people import PERSON, Person
from referee.datasets.iconworld.scenes import Domain, Drawn, make_scene
from referee.datasets.iconworld.zero_shot import kept
from referee.errors import UsageError
from referee.randomness import key, mix

HUMAN = ("train", "valid", "test")
"""The splits of the human games, in the proportions of the published ones."""
ZERO_SHOT = ("nd_valid", "od_valid", "nd_test", "od_test")
POOLS = "pools"
GAMES_A_SCENE = 3
DATE = "2026-01-01"
"""The default date: the same seed gives the same world on any day. Give today's for a fresh world."""
_HELD_OUT = 0.15
_ATTEMPTS = 1000


class Plan(Struct, frozen=True):
    """How large a world is, and what decides it."""

    games: int = 1000
    scenes: int | None = None
    """The pictures of the human games; a third of the games where it is not given."""
    zero_shot: int | None = None
    """The pictures of each zero-shot split; a tenth of `scenes`, at least 4, where it is not given."""
    dialogues: int | None = None
    """The VisDial-like dialogues; one a picture, at most 600, where it is not given."""
    pools: int = 10
    seed: int = 0
    date: str = DATE
    person: Person = PERSON
    genome: Mismatch | None = None
    """How Visual Genome's pictures differ from COCO's; they do not where it is not given."""

    def __post_init__(self) -> None:
        try:
            date.fromisoformat(self.date)
        except ValueError:
            raise UsageError(f"{self.date!r} is no date: YYYY-MM-DD") from None
        if self.games < 1 or self.human_scenes < len(HUMAN):
            raise UsageError(
                "a world needs a game, and a picture for each of train, valid and test"
            )
        if min(self.zero_shot_scenes, self.visual_dialogues, self.pools) < 0:
            raise UsageError("a number of pictures, dialogues or pools cannot be negative")

    @property
    def human_scenes(self) -> int:
        """The pictures of the human games."""
        if self.scenes is None:
            return max(len(HUMAN), -(-self.games // GAMES_A_SCENE))
        return self.scenes

    @property
    def zero_shot_scenes(self) -> int:
        """The pictures of each zero-shot split."""
        return max(4, self.human_scenes // 10) if self.zero_shot is None else self.zero_shot

    @property
    def visual_dialogues(self) -> int:
        """The VisDial-like dialogues."""
        wanted = min(600, self.human_scenes) if self.dialogues is None else self.dialogues
        return min(wanted, self.human_scenes)

    @property
    def pool_scenes(self) -> int:
        """The pictures that pools are made of."""
        return 20 + 12 * self.pools if self.pools else 0


class World:
    """The scenes and games of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.key = key("iconworld", plan.date, plan.seed)

    @cached_property
    def splits(self) -> dict[str, tuple[Drawn, ...]]:
        """The scenes of each split; they are numbered from 1 through all of them."""
        found: dict[str, tuple[Drawn, ...]] = {}
        first = 1
        for name, count in self._sizes().items():
            domain: Domain = {"nd": "near", "od": "out"}.get(name[:2], "seen")  # type: ignore[assignment]
            found[name] = tuple(self._scene(first + place, domain) for place in range(count))
            first += count
        return found

    def _sizes(self) -> dict[str, int]:
        plan = self.plan
        held_out = max(1, round(plan.human_scenes * _HELD_OUT))
        sizes = {"train": plan.human_scenes - 2 * held_out, "valid": held_out, "test": held_out}
        sizes |= dict.fromkeys(ZERO_SHOT, plan.zero_shot_scenes)
        return sizes | {POOLS: plan.pool_scenes}

    def _scene(self, number: int, domain: Domain) -> Drawn:
        scene_key, file = mix(self.key, number), f"{picture_name(number)}.png"
        for attempt in range(_ATTEMPTS):
            drawn = make_scene(number, mix(scene_key, attempt), domain, file)
            if domain == "seen" or _suits(drawn, domain):
                break
        return drawn

    def view(self, drawn: Drawn) -> View:
        """A picture of the human games as Visual Genome has it."""
        return view(drawn.scene, self.key, self.plan.genome)

    def games(self, split: str) -> Iterator[HumanGame]:
        """The human games of a split; the numbers run through all of them."""
        plan = self.plan
        total, first = plan.human_scenes, 0
        for name in HUMAN[: HUMAN.index(split)]:
            first += len(self.splits[name])
        for place, drawn in enumerate(self.splits[split], start=first):
            start, end = plan.games * place // total, plan.games * (place + 1) // total
            scene_key = mix(mix(self.key, int(drawn.scene.id)), _ATTEMPTS)
            yield from games_of(drawn, start + 1, end - start, scene_key, plan.person)


def _suits(drawn: Drawn, domain: Domain) -> bool:
    unseen = [thing.category_id == 0 for thing in kept(drawn.scene)]
    return len(unseen) > 2 and any(unseen) and (domain == "out") == all(unseen)  # noqa: PLR2004


def picture_name(number: int | str) -> str:
    """The name of a picture, without its suffix.

    >>> picture_name(12)
    'iconworld_000000000012'
    """
    return f"iconworld_{int(number):012d}"
