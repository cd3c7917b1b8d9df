"""Iconworld: how fast games and pictures are made, against a floor a second and core."""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.datasets.iconworld.drawing import draw, png
from referee.datasets.iconworld.human_games import Lines
from referee.datasets.iconworld.scenes import Drawn, make_scene
from referee.datasets.iconworld.world import HUMAN, Plan, World
from referee.randomness import key, mix

GAMES = 1500
PICTURES = 150
ICONS = 7
GAMES_A_SECOND = 5000
PICTURES_A_SECOND = 250
_REPEATS = 7


def case_games() -> dict[str, object]:
    """GuessWhat?! games: scenes and dialogues made, and each game encoded as a line of its file."""
    lengths: list[int] = []

    def run(seed: int) -> int:
        world = World(Plan(games=GAMES, zero_shot=0, pools=0, seed=seed))
        lines = Lines(world.plan.date)
        encoded = [lines.line(game) for split in HUMAN for game in world.games(split)]
        lengths.append(sum(map(len, encoded)))
        return len(encoded)

    rate = _best(run)
    size = sum(lengths) / len(lengths) / GAMES
    return _case(
        "iconworld games",
        rate,
        GAMES_A_SECOND,
        "games per second and core",
        {"games": GAMES, "bytes a line": round(size), "games a scene": 3},
    )


def case_pictures() -> dict[str, object]:
    """PNG pictures of 320 x 240 with seven icons: drawn and encoded."""
    base = key("bench", "pictures")
    scenes: list[Drawn] = []
    number = 0
    while len(scenes) < PICTURES:
        number += 1
        drawn = make_scene(number, mix(base, number))
        if len(drawn.scene.things) == ICONS:
            scenes.append(drawn)
    sizes: list[int] = []

    def run(_: int) -> int:
        encoded = [png(drawn) for drawn in scenes]
        sizes.append(sum(map(len, encoded)))
        return len(encoded)

    rate = _best(run)
    assert {draw(drawn).size for drawn in scenes} == {(320, 240)}
    return _case(
        "iconworld pictures",
        rate,
        PICTURES_A_SECOND,
        "pictures per second and core",
        {"pictures": PICTURES, "icons": ICONS, "bytes a picture": round(sizes[0] / PICTURES)},
    )


def _best(run: Callable[[int], int]) -> float:
    """The most of what `run` makes in a second of this process, over several runs."""
    rates = []
    for repeat in range(_REPEATS):
        start = time.process_time()
        count = run(repeat)
        rates.append(count / (time.process_time() - start))
    return max(rates)


def _case(
    name: str, rate: float, bar: float, unit: str, details: dict[str, object]
) -> dict[str, object]:
    return {
        "name": name,
        "value": round(rate),
        "bar": bar,
        "unit": unit,
        "passed": rate >= bar,
        "details": details,
    }
