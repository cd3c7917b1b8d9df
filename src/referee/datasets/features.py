"""Image features that others extracted: rows of an HDF5 or numpy file, found by the id of the image.

| layout | file | rows are named by |
| --- | --- | --- |
| de Vries et al. | h5: `features` | `idx2img` in the same file |
| GDSE | h5: `{split}_img_features` | json: `{split}2id`, from file name to row |
| object crops | h5: `objects_features` | json: from game id to row |
| bottom-up regions (LXMERT) | npy [N, R, D] and npy boxes [N, R, 4] | json: `image_id2image_pos` |

Nothing is held: every look-up opens the file and reads the rows that it needs. Where a file is named alone
(`open_layout`), what names its rows stands beside it: `<stem>2id.json` for HDF5, `<stem>.json` for numpy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec
import numpy as np
from msgspec import Struct

from referee.datasets.arrays import Array, finite, header_shape, load_npy, save_npy
from referee.datasets.features_writing import index_path, info_path, places
from referee.datasets.files import dumps, read_json, reading
from referee.datasets.formats import Count, Format
from referee.errors import DataError, UsageError

SIGNATURE = b"\x89HDF\r\n\x1a\n"

_COCO_NAME = re.compile(r"(?:\w+_)?(?=\d{12}(?:\.|$))0*(\d+)(?:\.\w+)?")
"""Names that end in a number of twelve digits, as COCO's and Iconworld's pictures have them."""
GDSE_SPLITS = {"train": "train", "valid": "val", "val": "val", "test": "test"}
"""How a split is named, and how GDSE names it."""
_SUFFIX = "_img_features"
_CROPS = "objects_features"


class _Source(Protocol):
    @property
    def path(self) -> Path: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def read(self, rows: Array) -> Array: ...


@dataclass(frozen=True)
class _Hdf:
    path: Path
    name: str

    @cached_property
    def shape(self) -> tuple[int, ...]:
        with _hdf(self.path) as file:
            return tuple(_dataset(file, self.name, self.path).shape)

    def read(self, rows: Array) -> Array:
        with _hdf(self.path) as file:
            return np.asarray(_dataset(file, self.name, self.path)[rows])


@dataclass(frozen=True)
class _Npy:
    path: Path

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return load_npy(self.path, mapped=True).shape

    def read(self, rows: Array) -> Array:
        return np.asarray(load_npy(self.path, mapped=True)[rows])


@dataclass(frozen=True)
class _Held:
    path: Path
    array: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def read(self, rows: Array) -> Array:
        return self.array[rows]


class Features:
    """The features of some images (or games, or objects): one row of a file for each id."""

    def __init__(self, source: _Source, rows: Mapping[str, int]) -> None:
        self._source = source
        self._rows = dict(rows)
        self._check()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids as the file names them."""
        return tuple(self._rows)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one row."""
        return self._source.shape[1:]

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, identity: str) -> bool:
        return identity in self._rows or identity in self._numbers

    def of(self, ids: Sequence[str]) -> Array:
        """The rows of some ids in their order, [len(ids), *shape]; ids may repeat.

        Where a file names images COCO_train2014_000000000009.jpg, the id 9 names them too.
        """
        rows = np.array([self._row(identity) for identity in ids], np.int64)
        if not len(rows):
            return np.zeros((0, *self.shape), np.float32)
        # HDF5 reads rows in rising order, and each of them once.
        distinct, places = np.unique(rows, return_inverse=True)
        return finite(self._source.read(distinct), self._source.path)[places]

    def batches(self, ids: Sequence[str], size: int = 256) -> Iterator[Array]:
        """The rows of some ids, `size` at a time."""
        for start in range(0, len(ids), size):
            yield self.of(ids[start : start + size])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        named = ((_COCO_NAME.fullmatch(identity), row) for identity, row in self._rows.items())
        return {match[1]: row for match, row in named if match}

    def _row(self, identity: str) -> int:
        row = self._rows.get(identity)
        if row is None:
            row = self._numbers.get(identity)
        if row is None:
            raise DataError(
                f"has no features of {identity}",
                file=self._source.path,
                record=identity,
                expected=extraction("images"),
            )
        return row

    def _check(self) -> None:
        shape = self._source.shape
        if not shape:
            raise DataError("is one number", file=self._source.path, expected="rows of features")
        for identity, row in self._rows.items():
            if not 0 <= row < shape[0]:
                raise DataError(
                    f"row {row} is not in the file",
                    file=self._source.path,
                    record=identity,
                    expected=f"0 to {shape[0] - 1}",
                )


@dataclass(frozen=True)
class RegionBatch:
    """Regions of n images: `features` [n, R, D], `boxes` [n, R, 4] as corners, `sizes` [n, 2]."""

    features: Array
    boxes: Array
    sizes: Array


@dataclass(frozen=True)
class Regions:
    """Bottom-up regions: the features and the boxes of each image, and its width and height."""

    features: Features
    boxes: Features
    sizes: Features

    def of(self, ids: Sequence[str]) -> RegionBatch:
        """The regions of some images in their order."""
        return RegionBatch(self.features.of(ids), self.boxes.of(ids), self.sizes.of(ids))


class _Info(Struct):
    image_id2image_pos: dict[str, int]
    img_w: list[int] = []
    img_h: list[int] = []


_INFO = msgspec.json.Decoder(_Info)
_INDEX = msgspec.json.Decoder(dict[str, dict[str, int]])
_ROWS = msgspec.json.Decoder(dict[str, int])


def open_devries(path: Path) -> Features:
    """The features that the original GuessWhat?! code writes, one file a split."""
    with _hdf(path) as file:
        ids = _dataset(file, "idx2img", path)[...]
    if ids.ndim != 1 or ids.dtype.kind not in "iu" or len(set(ids.tolist())) < len(ids):
        raise DataError("is no list of distinct ids", file=path, field="idx2img")
    return Features(_Hdf(path, "features"), {str(i): row for row, i in enumerate(ids.tolist())})


def open_gdse(path: Path, index: Path, split: str) -> Features:
    """The features of one split of GDSE's file; the split is named as in either code."""
    name = GDSE_SPLITS.get(split)
    rows = read_json(index, _INDEX)
    if name is None or f"{name}2id" not in rows:
        raise DataError(f"has no split {split}", file=index, expected=", ".join(sorted(rows)))
    return Features(_Hdf(path, name + _SUFFIX), rows[f"{name}2id"])


def open_layout(path: Path) -> tuple[Features, ...]:
    """The features of a file of any layout but regions' boxes; GDSE's has some for each split."""
    with reading(path), path.open("rb") as stream:
        hdf = stream.read(len(SIGNATURE)) == SIGNATURE
    if not hdf:
        return (open_array(path, info_path(path)),)
    with _hdf(path) as file:
        names = set(file)
    index = index_path(path)
    if _CROPS in names and "idx2img" not in names:
        return (open_objects(path, index),)
    splits = [name.removesuffix(_SUFFIX) for name in sorted(names) if name.endswith(_SUFFIX)]
    if splits and "idx2img" not in names:
        return tuple(open_gdse(path, index, split) for split in splits)
    return (open_devries(path),)


def extraction(what: Literal["images", "objects", "regions"]) -> str:
    """How features that are missing are made, for an error to say."""
    cuts = {"images": "", "objects": " --boxes GAMES", "regions": " --boxes GAMES --grid 6x6"}
    out = "F.npy" if what == "regions" else "F.h5"
    return f"one made by 'referee features extract --images DIR --model M{cuts[what]} --out {out}'"


def open_objects(path: Path, index: Path) -> Features:
    """The features of cut-out target objects, by game."""
    rows = read_json(index, _ROWS)
    return Features(_Hdf(path, _CROPS), rows)


def open_array(path: Path, info: Path) -> Features:
    """The rows of one numpy array, by the ids of its info file."""
    return Features(_Npy(path), read_json(info, _INFO).image_id2image_pos)


def open_regions(features: Path, boxes: Path, info: Path) -> Regions:
    """Bottom-up regions as LXMERT's guesser reads them."""
    wire = read_json(info, _INFO)
    rows = wire.image_id2image_pos
    if len(wire.img_w) != len(wire.img_h):
        raise DataError("img_w and img_h differ in length", file=info, field="img_w")
    sizes = np.array([wire.img_w, wire.img_h], np.int64).T
    found = Regions(
        Features(_Npy(features), rows),
        Features(_Npy(boxes), rows),
        Features(_Held(info, sizes), rows),
    )
    if found.boxes.shape != (*found.features.shape[:1], 4):
        raise DataError(
            f"rows of the shape {found.boxes.shape}",
            file=boxes,
            expected=f"({found.features.shape[0]}, 4), a box for each region",
        )
    return found


def write_devries(path: Path, ids: Sequence[int], features: Array) -> None:
    """Writes features in the layout of de Vries et al."""
    _write_hdf(path, {"features": features, "idx2img": np.array(ids, np.int32)})


def write_gdse(path: Path, index: Path, splits: Mapping[str, tuple[Sequence[str], Array]]) -> None:
    """Writes the names and features of each split in GDSE's layout."""
    if unknown := set(splits) - set(GDSE_SPLITS):
        raise UsageError(f"GDSE has no splits {sorted(unknown)}: {sorted(GDSE_SPLITS)}")
    named = {GDSE_SPLITS[split]: content for split, content in splits.items()}
    _write_hdf(path, {name + _SUFFIX: features for name, (_, features) in named.items()})
    rows = {f"{name}2id": places(names) for name, (names, _) in named.items()}
    index.write_text(dumps(rows), encoding="utf-8")


def write_objects(path: Path, index: Path, games: Sequence[str], features: Array) -> None:
    """Writes the features of cut-out target objects."""
    _write_hdf(path, {_CROPS: features})
    index.write_text(dumps(places(games)), encoding="utf-8")


def write_regions(
    features: Path, boxes: Path, info: Path, ids: Sequence[str], batch: RegionBatch
) -> None:
    """Writes bottom-up regions as two arrays and their info file."""
    save_npy(features, batch.features)
    save_npy(boxes, batch.boxes)
    width, height = np.asarray(batch.sizes).T.tolist()
    rows = {"image_id2image_pos": places(ids), "image_pos2image_id": list(ids)}
    info.write_text(dumps({**rows, "img_h": height, "img_w": width}), encoding="utf-8")


@contextmanager
def _hdf(path: Path) -> Iterator[Any]:
    import h5py

    with reading(path):
        if not path.exists():
            raise FileNotFoundError
        try:
            with h5py.File(path, "r") as file:
                yield file
        except DataError:
            raise
        except Exception as error:  # noqa: BLE001 damage makes HDF5 raise all kinds
            raise DataError(
                f"cannot be read: {error}", file=path, expected="a whole HDF5 file"
            ) from None


def _dataset(file: Any, name: str, path: Path) -> Any:
    import h5py

    found = file.get(name)
    if not isinstance(found, h5py.Dataset):
        raise DataError(f"is not among the data sets {list(file)}", file=path, field=name)
    return found


def _write_hdf(path: Path, arrays: Mapping[str, Array]) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file.create_dataset(name, data=array)


def _known(name: str) -> bool:
    return name in {"features", _CROPS} or name.endswith(_SUFFIX)


def _count_hdf(path: Path, _: list[DataError]) -> dict[str, Count]:
    with _hdf(path) as file:
        shapes = {name: tuple(_dataset(file, name, path).shape) for name in file if _known(name)}
    if not shapes:
        raise DataError(
            "holds no features", file=path, expected=f"features, *{_SUFFIX} or {_CROPS}"
        )
    if "features" in shapes:
        open_devries(path)
    return {name: " x ".join(map(str, shape)) for name, shape in shapes.items()}


def _count_array(path: Path, _: list[DataError]) -> dict[str, Count]:
    images, regions, width = load_npy(path, mapped=True).shape
    return {"images": images, "regions of each": regions, "width": width}


def _count_index(path: Path, _: list[DataError]) -> dict[str, Count]:
    return {name.removesuffix("2id"): len(rows) for name, rows in read_json(path, _INDEX).items()}


def _count_info(path: Path, _: list[DataError]) -> dict[str, Count]:
    return {"images": len(read_json(path, _INFO).image_id2image_pos)}


FORMATS: tuple[Format, ...] = (
    Format(
        "features-hdf5",
        "image features in HDF5",
        lambda _, head: head.startswith(SIGNATURE),
        _count_hdf,
    ),
    Format(
        "features-regions",
        "features or boxes of the regions of images",
        lambda _, head: len(header_shape(head) or ()) == 3,  # noqa: PLR2004 images, regions, numbers
        _count_array,
    ),
    Format(
        "features-index",
        "the rows of image files in a file of features",
        lambda _, head: head.startswith(b"{") and re.match(rb'\{\s*"\w+2id"', head) is not None,
        _count_index,
    ),
    Format(
        "features-info",
        "the rows of images in an array of regions",
        lambda _, head: head.lstrip().startswith(b"{") and b'"image_id2image_pos"' in head,
        _count_info,
    ),
)
