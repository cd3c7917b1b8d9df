"""Files of features that are written row by row, survive being killed, and appear whole.

A table of features is a plain block of bytes in both formats: rows are put where they belong in a file
`<name>.part`, and a note beside it, `<name>.part.json`, says what is being made and how many rows are
there. The same making finds its note and goes on; another one begins anew. Companions (boxes, indices)
are written when the last row is there, and the file takes its name after them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.datasets.arrays import Array
from referee.datasets.files import dumps, writing
from referee.errors import DataError, UsageError

HDF_SUFFIXES = (".h5", ".hdf5")


class _Note(Struct):
    made: str
    done: int


_NOTE = msgspec.json.Decoder(_Note)


class Growing:
    """A file of float32 tables of which the rows come in order, table after table.

    `tables` gives the shape of each by its name; an .npy file has one. `beside` holds small arrays that
    an HDF5 file has besides. `made` says in a word or a hash what the rows depend on.
    """

    def __init__(
        self,
        path: Path,
        tables: Mapping[str, tuple[int, ...]],
        made: str,
        *,
        beside: Mapping[str, Array] | None = None,
        model: str = "",
    ) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._journal = path.with_name(f"{path.name}.part.json")
        self._made = made
        refuse(path, len(tables))
        self.done = self._kept()
        if not self.done:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._journal.unlink(missing_ok=True)
            _begin(self._part, path, tables, beside or {}, model)
        self._blocks = [_flat(block) for block in _blocks(self._part, path, tables)]

    @property
    def rows(self) -> int:
        """How many rows the file has when it is whole."""
        return sum(map(len, self._blocks))

    def append(self, rows: NDArray[np.floating]) -> None:
        """Puts the next rows, [n, width], in their places; they are safe when this returns."""
        if not np.isfinite(rows).all():
            raise DataError("a model gave NaN or infinity", file=self.path, record=self.done)
        start = 0
        for block in self._blocks:
            end = start + len(block)
            first, last = max(start, self.done), min(end, self.done + len(rows))
            if first < last:
                block[first - start : last - start] = rows[first - self.done : last - self.done]
                block.flush()
            start = end
        self.done += len(rows)
        with writing(self._journal) as stream:
            stream.write(msgspec.json.encode(_Note(self._made, self.done)))

    def finish(self, companions: Mapping[Path, Array | Mapping[str, Any]] | None = None) -> None:
        """Writes what belongs beside the file, and gives the file its name."""
        if self.done != self.rows:
            raise UsageError(f"{self.path} has {self.done} of {self.rows} rows")
        for path, content in (companions or {}).items():
            with writing(path) as stream:
                if isinstance(content, np.ndarray):
                    np.save(stream, content, allow_pickle=False)
                else:
                    stream.write(dumps(content).encode())
        self._blocks.clear()
        self._part.replace(self.path)
        self._journal.unlink(missing_ok=True)

    def _kept(self) -> int:
        if not (self._part.is_file() and self._journal.is_file()):
            return 0
        try:
            note = _NOTE.decode(self._journal.read_bytes())
        except (msgspec.DecodeError, OSError):
            return 0
        return note.done if note.made == self._made else 0


def index_path(path: Path) -> Path:
    """The index beside a file: features.h5 has features2id.json."""
    return path.with_name(f"{path.stem}2id.json")


def region_paths(path: Path) -> tuple[Path, Path]:
    """The boxes and the info file beside an array of regions."""
    return path.with_name(f"{path.stem}_boxes.npy"), info_path(path)


def info_path(path: Path) -> Path:
    """The rows of the images of an array: features.npy has features.json."""
    return path.with_suffix(".json")


def places(names: Sequence[str]) -> dict[str, int]:
    """The row of each name."""
    return {name: row for row, name in enumerate(names)}


def info(ids: Sequence[str], sizes: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """What LXMERT's info file tells of an array."""
    return {
        "image_id2image_pos": places(ids),
        "image_pos2image_id": list(ids),
        "img_h": [height for _, height in sizes],
        "img_w": [width for width, _ in sizes],
    }


def refuse(path: Path, tables: int = 1) -> None:
    """Refuses to write over a file, or one of another name than features have."""
    if path.exists():
        raise UsageError(f"{path} is there already: nothing is overwritten")
    if path.suffix not in (*HDF_SUFFIXES, ".npy"):
        raise UsageError(f"{path} is no name for features: .h5, .hdf5 or .npy")
    if path.suffix == ".npy" and tables != 1:
        raise UsageError(f"{path} can hold one table only")


def _begin(
    part: Path,
    path: Path,
    tables: Mapping[str, tuple[int, ...]],
    beside: Mapping[str, Array],
    model: str,
) -> None:
    if path.suffix == ".npy":
        (shape,) = tables.values()
        np.lib.format.open_memmap(part, "w+", np.dtype("<f4"), shape)
        return
    import h5py

    with h5py.File(part, "w") as file:
        for name, shape in tables.items():
            settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            settings.set_obj_track_times(False)  # equal rows are equal files
            settings.set_layout(h5py.h5d.CONTIGUOUS)
            settings.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            space = h5py.h5s.create_simple(shape)
            h5py.h5d.create(file.id, name.encode(), h5py.h5t.IEEE_F32LE, space, settings)
        for name, array in beside.items():
            file.create_dataset(name, data=array, track_times=False)
        if model:
            file.attrs["model"] = model


def _blocks(part: Path, path: Path, tables: Mapping[str, tuple[int, ...]]) -> list[np.memmap]:
    if path.suffix == ".npy":
        return [np.lib.format.open_memmap(part, "r+")]
    import h5py

    with h5py.File(part, "r") as file:
        starts = {name: file[name].id.get_offset() for name in tables}
    return [
        np.memmap(part, np.dtype("<f4"), "r+", starts[name], shape)
        for name, shape in tables.items()
    ]


def _flat(block: np.memmap) -> np.memmap:
    """The block as rows of its last dimension."""
    return cast("np.memmap", block.reshape(-1, block.shape[-1]))
