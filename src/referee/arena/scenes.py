"""What is in the pictures of games that name pictures only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from referee.datasets import coco, guesswhat
from referee.datasets.files import read_head
from referee.datasets.pools import image_number
from referee.games import GuessWhat, GuessWhich, Scene, VisDial


class Scenes:
    """The scenes of a file by the number of their picture."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self._scenes: dict[str, Scene] = {}
        for scene in scenes:
            self._scenes.setdefault(_number(scene), scene)

    @classmethod
    def of(cls, path: Path) -> Scenes:
        """The scenes of GuessWhat?! games of either release, or of COCO instances."""
        head = read_head(path)
        if any(known.recognises(path, head) for known in coco.FORMATS):
            return cls(coco.scenes(path))
        return cls(game.scene for game in guesswhat.games(path) if isinstance(game, GuessWhat))

    def filled(self, scene: Scene) -> Scene:
        """The scene with the things that the file knows in it, if it knows the picture."""
        known = self._scenes.get(_number(scene))
        if known is None:
            return scene
        file = known.file or scene.file
        return replace(
            scene, width=known.width, height=known.height, things=known.things, file=file
        )

    def pools(self, games: Iterable[GuessWhich]) -> Iterator[GuessWhich]:
        """The games with filled pools."""
        for game in games:
            yield replace(game, pool=tuple(map(self.filled, game.pool)))

    def dialogues(self, games: Iterable[VisDial]) -> Iterator[VisDial]:
        """The dialogues with filled scenes."""
        for game in games:
            yield replace(game, scene=self.filled(game.scene))


def _number(scene: Scene) -> str:
    return image_number(scene.id) or scene.id
