"""numpy files, read without running anything in them: a pickled array is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from referee.datasets.files import reading
from referee.errors import DataError

Array = NDArray[Any]


def load_npy(path: Path, *, mapped: bool = False) -> Array:
    """One array; a mapped one stays on disk until its rows are asked for."""
    with _loading(path, b"\x93NUMPY") as stream:
        source = path if mapped else stream
        loaded: Array = np.load(source, mmap_mode="r" if mapped else None, allow_pickle=False)
        return loaded


def load_npz(path: Path) -> dict[str, Array]:
    """The arrays of an archive by name."""
    with _loading(path, b"PK") as stream, np.load(stream, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


@contextmanager
def _loading(path: Path, magic: bytes) -> Iterator[IO[bytes]]:
    # The stream is ours, because numpy leaves its own open where an archive is broken.
    with reading(path), path.open("rb") as stream:
        if stream.read(len(magic)) != magic:
            raise DataError(
                "is no such file of numpy's", file=path, expected=f"a start of {magic!r}"
            )
        stream.seek(0)
        try:
            yield stream
        except (DataError, OSError):
            raise
        except Exception as error:  # noqa: BLE001 a broken header makes numpy raise all kinds
            raise DataError(
                f"cannot be read: {error}",
                file=path,
                expected="a whole file with no pickled objects",
            ) from None


def save_npy(path: Path, array: Array) -> None:
    """Writes one array, without pickling."""
    with path.open("wb") as stream:
        np.save(stream, array, allow_pickle=False)


def save_npz(path: Path, arrays: dict[str, Array]) -> None:
    """Writes a compressed archive; objects, which would have to be pickled, are refused."""
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise DataError("holds objects", file=path, field=name, expected="numbers or strings")
    with path.open("wb") as stream:
        np.savez_compressed(stream, **cast("Any", arrays))


def header_shape(head: bytes) -> tuple[int, ...] | None:
    """The shape that the start of a .npy file states; None where it is no such file."""
    stream = BytesIO(head)
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        shape: tuple[int, ...] = read(stream)[0]
    except Exception:  # noqa: BLE001 whatever is wrong with it, it is no such file
        return None
    return shape


def finite(array: Array, path: Path, field: str | None = None) -> Array:
    """The array, if it holds numbers and all of them are finite."""
    if array.dtype.kind not in "biuf":
        raise DataError(f"holds {array.dtype}", file=path, field=field, expected="numbers")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise DataError("holds NaN or infinity", file=path, field=field, expected="finite numbers")
    return array
