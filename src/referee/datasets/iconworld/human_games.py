"""Simulated human games as lines of GuessWhat?! files, of either release.

An object has an extra key, `attributes`, so that a game read back can still be answered perfectly.
What the games of one scene share is encoded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from referee.datasets.iconworld.dialogues import Dialogue, play
from referee.datasets.iconworld.people import PERSON, Person
from referee.datasets.iconworld.scenes import Drawn
from referee.games import Status
from referee.randomness import Stream, mix

Release = Literal["old", "new"]
Link = Callable[[Drawn], dict[str, object]]
GENOME_IDS = 2_000_000
"""What is added to a picture's number for its id in Visual Genome, whose ids are not COCO's."""
_SECONDS_A_GAME = 61
_PEOPLE = 400
"""How many people there are to hold the dialogues; each has an id."""


class HumanGame(Struct, frozen=True):
    """A dialogue of two people about a thing of a scene."""

    id: int
    drawn: Drawn
    target: int
    dialogue: Dialogue


class _OldTurn(Struct):
    id: int
    question: str
    answer: str


class _NewTurn(Struct):
    id: int
    q: str
    a: str


class _OldRow(Struct):
    id: int
    image: Raw
    objects: Raw
    object_id: int
    qas: list[_OldTurn]
    status: Status
    questioner_id: int
    timestamp: str


class _NewRow(Struct):
    dialogue_id: int
    picture_id: int
    picture: Raw
    objects: Raw
    object_id: int
    qas: list[_NewTurn]
    status: Status
    questioner_id: int
    timestamp: str


def games_of(
    drawn: Drawn, first: int, count: int, key: int, person: Person = PERSON
) -> Iterator[HumanGame]:
    """`count` games about one scene, numbered from `first`, whose targets differ as long as they can."""
    things = range(len(drawn.scene.things))
    targets = Stream(mix(key, 0)).sample(things, count)
    for place in range(count):
        target = targets[place % len(targets)]
        dialogue = play(drawn.scene, target, mix(key, place + 1), person)
        yield HumanGame(first + place, drawn, target, dialogue)


class Lines:
    """Encodes games; what the games of the last scene share is kept.

    `link` gives what CompGuessWhat?! says of a picture beside its own.
    """

    def __init__(self, date: str, release: Release = "old", link: Link | None = None) -> None:
        self._start = datetime.fromisoformat(date)
        self._new = release == "new"
        self._link = link
        self._encoder = msgspec.json.Encoder()
        self._scene: Drawn | None = None
        self._image = self._objects = Raw()

    def line(self, game: HumanGame) -> bytes:
        """The line of one game, without its end."""
        drawn = game.drawn
        if drawn is not self._scene:
            self._scene = drawn
            image = image_row(drawn, identified=not self._new)
            if self._link is not None:
                image["visual_genome"] = self._link(drawn)
            self._image = Raw(self._encoder.encode(image))
            self._objects = Raw(self._encoder.encode(objects(drawn, by_id=self._new)))
        number = game.id
        target = int(drawn.scene.things[game.target].id)
        told = game.dialogue
        said = enumerate(zip(told.questions, told.answers, strict=True), start=number * 100 + 1)
        asker = number * 7919 % _PEOPLE + 1
        time = str(self._start + timedelta(seconds=number * _SECONDS_A_GAME))
        if self._new:
            turns = [_NewTurn(identity, q, a) for identity, (q, a) in said]
            scene = int(drawn.scene.id)
            return self._encoder.encode(
                _NewRow(
                    number,
                    scene,
                    self._image,
                    self._objects,
                    target,
                    turns,
                    told.status,
                    asker,
                    time,
                )
            )
        asked = [_OldTurn(identity, q, a) for identity, (q, a) in said]
        return self._encoder.encode(
            _OldRow(number, self._image, self._objects, target, asked, told.status, asker, time)
        )


def image_row(drawn: Drawn, *, identified: bool) -> dict[str, object]:
    """A scene's picture as the games name it."""
    scene = drawn.scene
    row: dict[str, object] = {"id": int(scene.id)} if identified else {}
    return row | {
        "file_name": scene.file,
        "coco_url": scene.url,
        "flickr_url": "",
        "width": int(scene.width),
        "height": int(scene.height),
    }


def genome_row(drawn: Drawn, size: tuple[int, int]) -> dict[str, object]:
    """The picture as Visual Genome knows it, which CompGuessWhat?!'s games link to."""
    number = int(drawn.scene.id)
    width, height = size
    return {
        "image_id": GENOME_IDS + number,
        "width": width,
        "height": height,
        "url": drawn.scene.url,
        "coco_id": number,
        "flickr_id": None,
    }


def objects(drawn: Drawn, *, by_id: bool = False) -> object:
    """The things of a scene as the games list them."""
    rows = {thing.id: object_row(drawn, place) for place, thing in enumerate(drawn.scene.things)}
    return rows if by_id else [{"id": int(identity), **row} for identity, row in rows.items()]


def object_row(drawn: Drawn, place: int) -> dict[str, object]:
    """One thing without its id."""
    thing = drawn.scene.things[place]
    return {
        "category": thing.category,
        "category_id": thing.category_id,
        "bbox": thing.box,
        "area": thing.area,
        "segment": [polygon(drawn, place)],
        "attributes": thing.attributes,
    }


def polygon(drawn: Drawn, place: int) -> Sequence[float]:
    """The silhouette of a thing in the picture, as x and y in turn."""
    box = drawn.scene.things[place].box
    at = int(box.x), int(box.y)
    return [number + at[i & 1] for i, number in enumerate(drawn.glyphs[place].polygon)]
