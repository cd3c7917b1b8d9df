"""CompGuessWhat?!: what its release has besides the games.

The games are GuessWhat?! games (`referee.datasets.guesswhat` reads them). Here are the links of their
pictures to Visual Genome or Open Images, the attribute vectors of their objects, and the dialogue
states of published models. The scene graphs by id are read by `referee.datasets.visual_genome.graph`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.datasets import guesswhat
from referee.datasets.arrays import (
    Array,
    finite,
    header_shape,
    load_npy,
    load_npz,
    save_npy,
    save_npz,
)
from referee.datasets.counting import count_games
from referee.datasets.files import Skipped, dumps, read_json, records, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id
from referee.datasets.visual_genome import Image
from referee.errors import DataError

SPLITS: tuple[str, ...] = ("train", "valid", "test", "nd_valid", "nd_test", "od_valid", "od_test")
"""The splits; those of the zero-shot games are near (nd) or outside (od) the domain of COCO."""

ABSTRACT = "abstract_attributes"
SITUATED = "situated_attributes"
OBJECT_KEYS = ("object2id", "objects2ids")
"""The key of the object ids: the first is what the published code reads, the second what it documents."""
NAME_FILES = {
    "abstract": "abstract_attribute_names.json",
    "situated": "situated_attribute_names.json",
}


class Link(Struct, frozen=True):
    """Where the picture of a game comes from: Visual Genome, or Open Images."""

    game: str
    image: str
    visual_genome: Image | None = None
    open_images: str | None = None


class Names(Struct, frozen=True):
    """The names of the columns of the attribute vectors."""

    abstract: tuple[str, ...]
    situated: tuple[str, ...]


@dataclass(frozen=True)
class Attributes:
    """The attribute vectors of one image: `abstract` is [N, A], `situated` is [N, S], a row an object."""

    objects: tuple[str, ...]
    abstract: NDArray[Any]
    situated: NDArray[Any]

    def __post_init__(self) -> None:
        if len(set(self.objects)) < len(self.objects):
            raise DataError("an object comes twice", field=OBJECT_KEYS[0], expected="distinct ids")
        for field, array in ((ABSTRACT, self.abstract), (SITUATED, self.situated)):
            if array.ndim != 2 or len(array) != len(self.objects):  # noqa: PLR2004 a matrix
                raise DataError(
                    f"has the shape {array.shape}",
                    field=field,
                    expected=f"one row for each of the {len(self.objects)} objects",
                )

    def of(self, thing: str) -> tuple[Array, Array]:
        """The abstract and the situated attributes of an object."""
        if thing not in self.objects:
            raise DataError(f"there is no object {thing}", field=OBJECT_KEYS[0])
        row = self.objects.index(thing)
        return self.abstract[row], self.situated[row]


class _VisualGenome(Struct):
    image_id: Id
    width: int = 0
    height: int = 0
    url: str = ""
    coco_id: Id | None = None
    flickr_id: Id | None = None


class _Image(Struct):
    id: Id
    visual_genome: _VisualGenome | None = None
    vg_id: Id | None = None
    vg_url: str = ""
    open_images_id: str | None = None


class _Game(Struct):
    id: Id
    image: _Image


_GAME = msgspec.json.Decoder(_Game)
_NAMES = msgspec.json.Decoder(tuple[str, ...])


def split(path: Path) -> str | None:
    """The split that a file's name states, whole: od_test is not test."""
    first, _, rest = path.name.partition(".")
    name = rest.partition(".")[0]
    return name if first in {"compguesswhat", "comp_guesswhat"} and name in SPLITS else None


def links(path: Path, skipped: Skipped = None) -> Iterator[Link]:
    """Where the picture of each game of a file comes from, in either version of the release."""
    yield from records(path, _GAME, _link, skipped)


def _link(game: _Game) -> Link:
    image, genome = game.image, game.image.visual_genome
    if genome is None and image.vg_id is not None:
        genome = _VisualGenome(image.vg_id, url=image.vg_url, coco_id=image.id)
    if genome is None and image.open_images_id is None:
        raise DataError(
            "says nothing of where the picture comes from",
            field="image",
            expected="visual_genome, vg_id or open_images_id",
        )
    found = None if genome is None else _image(genome)
    return Link(str(game.id), str(image.id), found, image.open_images_id)


def _image(genome: _VisualGenome) -> Image:
    coco, flickr = (None if i is None else str(i) for i in (genome.coco_id, genome.flickr_id))
    return Image(str(genome.image_id), genome.width, genome.height, genome.url, coco, flickr)


def read_names(folder: Path) -> Names:
    """The names of the attributes, from the two lists that stand beside the folders of the splits."""
    return Names(**{kind: read_json(folder / file, _NAMES) for kind, file in NAME_FILES.items()})


def write_names(folder: Path, names: Names) -> None:
    """Writes the two lists of names."""
    for kind, file in NAME_FILES.items():
        (folder / file).write_text(dumps(getattr(names, kind)), encoding="utf-8")


def read_attributes(path: Path, names: Names | None = None) -> Attributes:
    """The vectors of one image from `<image id>.npz`, as wide as the names say where they are given."""
    arrays = load_npz(path)
    key = next((key for key in OBJECT_KEYS if key in arrays), OBJECT_KEYS[0])
    for field in (key, ABSTRACT, SITUATED):
        if field not in arrays:
            raise DataError("the array is missing", file=path, field=field)
    try:
        ids = _ids(arrays[key], key)
        found = Attributes(ids, finite(arrays[ABSTRACT], path), finite(arrays[SITUATED], path))
        if names is not None:
            _check_width(found.abstract, ABSTRACT, names.abstract)
            _check_width(found.situated, SITUATED, names.situated)
    except DataError as error:
        raise error.located(file=path) from None
    return found


def write_attributes(path: Path, attributes: Attributes) -> None:
    """Writes the vectors of one image; ids that are whole numbers are written as numbers."""
    whole = all(i.isdecimal() and i == str(int(i)) for i in attributes.objects)
    ids = np.array([int(i) if whole else i for i in attributes.objects])
    arrays = {ABSTRACT: attributes.abstract, SITUATED: attributes.situated}
    save_npz(path, {OBJECT_KEYS[0]: ids, **arrays})


def read_state(path: Path) -> NDArray[Any]:
    """A dialogue state, [d], from `<game id>.npy`, which holds [d] or [1, d]."""
    state = finite(load_npy(path), path)
    if state.ndim == 2 and len(state) == 1:  # noqa: PLR2004 a matrix
        state = state[0]
    if state.ndim != 1 or not len(state):
        raise DataError(f"has the shape {state.shape}", file=path, expected="[d] or [1, d]")
    return state


def read_states(folder: Path, games: Sequence[str], skipped: Skipped = None) -> NDArray[Any]:
    """The states of some games, [G, d]; a game that is missing and listed as skipped gets zeros.

    Zeros are what the paper gives to a game that its model could not encode.
    """
    found: dict[str, NDArray[Any]] = {}
    for game in games:
        try:
            found[game] = read_state(folder / f"{game}.npy")
        except DataError as error:
            refuse(error.located(record=game), skipped)
    widths = Counter(len(state) for state in found.values())
    if len(widths) != 1:
        raise DataError(
            f"states of the widths {sorted(widths)}", file=folder, expected="one width of all"
        )
    states = np.zeros((len(games), next(iter(widths))), next(iter(found.values())).dtype)
    for row, game in enumerate(games):
        if game in found:
            states[row] = found[game]
    return states


def write_state(path: Path, state: NDArray[Any]) -> None:
    """Writes the state of one game, as [1, d]."""
    save_npy(path, np.asarray(state).reshape(1, -1))


def _ids(array: Array, key: str) -> tuple[str, ...]:
    if array.ndim != 1 or array.dtype.kind not in "iuU":
        raise DataError(
            f"holds {array.dtype} in the shape {array.shape}", field=key, expected="a list of ids"
        )
    return tuple(str(i) for i in array.tolist())


def _check_width(array: Array, field: str, names: Sequence[str]) -> None:
    if array.shape[1] != len(names):
        raise DataError(
            f"has {array.shape[1]} columns",
            field=field,
            expected=f"{len(names)}, one for each name",
        )


def _count_games(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    counts = count_games(guesswhat.read(path, skipped))
    refused = {error.record for error in skipped}
    unlinked: list[DataError] = []
    found = list(links(path, unlinked))
    skipped.extend(error for error in unlinked if error.record not in refused)
    return {
        **counts,
        "in Visual Genome": sum(link.visual_genome is not None for link in found),
        "in Open Images": sum(link.open_images is not None for link in found),
    }


def _count_attributes(path: Path, _: list[DataError]) -> dict[str, Count]:
    found = read_attributes(path)
    return {
        "objects": len(found.objects),
        "abstract attributes": found.abstract.shape[1],
        "situated attributes": found.situated.shape[1],
    }


def _count_folder(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    names = read_names(path)
    counts = Counter[str]()
    for file in sorted(path.rglob("*.npz")):
        try:
            found = read_attributes(file, names)
        except DataError as error:
            skipped.append(error)
            continue
        counts[f"images of {file.parent.name}"] += 1
        counts["objects"] += len(found.objects)
    kinds = {f"{kind} attributes": len(getattr(names, kind)) for kind in NAME_FILES}
    return {**counts, **kinds}


def _count_states(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    games = [file.stem for file in sorted(path.glob("*.npy"))]
    states = read_states(path, games, skipped)
    return {"games": len(games), "width": states.shape[1]}


def _count_names(path: Path, _: list[DataError]) -> dict[str, Count]:
    return {"names": len(read_json(path, _NAMES))}


def _is_state(_: Path, head: bytes) -> bool:
    shape = header_shape(head)
    return shape is not None and (len(shape) == 1 or (len(shape) == 2 and shape[0] == 1))  # noqa: PLR2004


def _is_states(path: Path, _: bytes) -> bool:
    try:
        with next(path.glob("*.npy")).open("rb") as stream:
            return _is_state(path, stream.read(4096))
    except (StopIteration, OSError):
        return False


def _is_game(path: Path, head: bytes) -> bool:
    linked = b'"visual_genome"' in head or b'"vg_id"' in head or b'"open_images_id"' in head
    return head.startswith(b"{") and b'"object_id"' in head and (linked or split(path) is not None)


FORMATS: tuple[Format, ...] = (
    Format(
        "compguesswhat-games",
        "CompGuessWhat?! games, original or zero-shot, linked to Visual Genome or Open Images",
        _is_game,
        _count_games,
    ),
    Format(
        "compguesswhat-attributes",
        "the attribute vectors of one image",
        lambda path, head: (
            path.suffix == ".npz" and head.startswith(b"PK") and SITUATED.encode() in head
        ),
        _count_attributes,
    ),
    Format(
        "compguesswhat-attribute-names",
        "the names of abstract or situated attributes",
        lambda path, _: path.name in NAME_FILES.values(),
        _count_names,
    ),
    Format(
        "compguesswhat-state",
        "a dialogue state",
        _is_state,
        lambda path, _: {"width": len(read_state(path))},
    ),
    Format(
        "compguesswhat-states",
        "a folder of dialogue states, one file a game",
        _is_states,
        _count_states,
    ),
    Format(
        "compguesswhat-attributes-folder",
        "attribute vectors by split and image, with the names of the attributes",
        lambda path, _: all((path / file).is_file() for file in NAME_FILES.values()),
        _count_folder,
    ),
)
