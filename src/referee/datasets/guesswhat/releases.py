"""The two releases of GuessWhat?! as they stand in the files; they differ in nearly every name.

| meaning | old (2016 to 2020, CompGuessWhat?!, Iconworld) | new (2022) |
| --- | --- | --- |
| game id | `id` | `dialogue_id` |
| image | `image` with its `id` | `picture`, and `picture_id` beside it |
| objects | a list, each with its `id` | a dictionary from id to object |
| turns | `qas` of `id`, `question`, `answer` | `qas` of `id`, `q`, `a` |

The constraints are checked by the decoder. Segments are not kept: no evaluation uses them, they are
most of a file's bytes, and those of the zero-shot scenes are known to be wrong.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from referee.games import Status

Identity: TypeAlias = int | str
Place: TypeAlias = Annotated[float, Meta(ge=0)]
Size: TypeAlias = Annotated[float, Meta(gt=0)]
Words: TypeAlias = Literal["Yes", "No", "N/A"]
Measures: TypeAlias = tuple[Place, Place, Size, Size]


class OldObject(Struct, gc=False):
    """An object of the old release; `attributes` is Iconworld's own key."""

    id: Identity
    category: str
    category_id: Annotated[int, Meta(ge=0)]
    bbox: Measures
    area: Place | None = None
    attributes: tuple[str, ...] = ()


class NewObject(Struct, gc=False):
    """An object of the new release, whose id is its key."""

    category: str
    category_id: Annotated[int, Meta(ge=0)]
    bbox: Measures
    area: Place | None = None
    attributes: tuple[str, ...] = ()


class OldImage(Struct, gc=False):
    """The image of the old release."""

    id: Identity
    width: Size
    height: Size
    file_name: str = ""
    coco_url: str = ""


class NewImage(Struct, gc=False):
    """The picture of the new release, whose id stands beside it."""

    width: Size
    height: Size
    file_name: str = ""
    coco_url: str = ""


class OldTurn(Struct, gc=False):
    """A question and its answer in the old release."""

    question: str
    answer: Words
    id: Identity = ""


class NewTurn(Struct, gc=False, rename={"question": "q", "answer": "a"}):
    """A question and its answer in the new release."""

    question: str
    answer: Words
    id: Identity = ""


class OldGame(Struct, gc=False):
    """A line of the old release."""

    id: Identity
    image: OldImage
    objects: Annotated[list[OldObject], Meta(min_length=1)]
    object_id: Identity
    status: Status
    qas: list[OldTurn] = []


class NewGame(Struct, gc=False):
    """A line of the new release."""

    dialogue_id: Identity
    picture_id: Identity
    picture: NewImage
    objects: Annotated[dict[str, NewObject], Meta(min_length=1)]
    object_id: Identity
    status: Status
    qas: list[NewTurn] = []
