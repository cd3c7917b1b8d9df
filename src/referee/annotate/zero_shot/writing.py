"""Games written as CompGuessWhat?! released them: compguesswhat.{nd,od}_{valid,test}.jsonl.gz."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.annotate.zero_shot.making import Made
from referee.annotate.zero_shot.reading import areas
from referee.datasets.boxes import NocapsImage
from referee.datasets.files import writing

_JSON = msgspec.json.Encoder()


def file_name(split: str) -> str:
    """The released name of a split's file."""
    return f"compguesswhat.{split}.jsonl.gz"


def write(folder: Path, made: Made) -> dict[str, int]:
    """Writes a file for each split that there is, and says how many games each holds."""
    return {split: _write(folder / file_name(split), made, split) for split in made.splits}


def _write(path: Path, made: Made, split: str) -> int:
    number = 0
    with writing(path) as stream:
        for scene, names in _pictures(made, made.split(split)):
            for name in names:
                stream.write(
                    b'{"id":%d,%s,"object_id":%s,"status":"incomplete"}\n'
                    % (number, scene, _JSON.encode(name))
                )
                number += 1
    return number


def _pictures(made: Made, targets: NDArray[np.int64]) -> Iterator[tuple[bytes, list[str]]]:
    """For each picture what its games share, and the ids of its targets."""
    picture = made.boxes.picture
    starts = np.searchsorted(picture, np.arange(len(made.pictures) + 1))
    of_target = picture[targets]
    for group in np.split(targets, np.flatnonzero(np.diff(of_target)) + 1) if len(targets) else []:
        place = int(picture[group[0]])
        image = made.pictures.images[place]
        rows = slice(starts[place], starts[place + 1])
        objects = _objects(made, image, rows)
        shared = _JSON.encode({"image": _image(image), "objects": objects})
        yield shared[1:-1], [objects[row - rows.start]["id"] for row in group.tolist()]


def _image(image: NocapsImage) -> dict[str, Any]:
    return {
        "id": int(image.id) if image.id.isdecimal() else image.id,
        "open_images_id": image.open_images,
        "file_name": image.file,
        "coco_url": image.url,
        "date_captured": image.captured,
        "license": image.license,
        "width": _whole(image.width),
        "height": _whole(image.height),
    }


def _objects(made: Made, image: NocapsImage, rows: slice) -> list[dict[str, Any]]:
    sides = made.boxes.sides[rows]
    size = np.array([image.width, image.height])
    # The far side first becomes a pixel, and the size is what is between: so are the released numbers.
    left, right, top, bottom = sides.T * np.repeat(size, 2)[:, None]
    spots = np.stack([left, top, right - left, bottom - top], axis=1).tolist()
    sizes = areas(sides, np.broadcast_to(size, (len(sides), 2))).tolist()
    kinds, numbers = made.boxes.kind[rows].tolist(), made.boxes.place[rows].tolist()
    return [
        {
            "id": f"{image.open_images}_{number}",
            "category": made.kinds.names[kind],
            "category_id": int(made.kinds.categories[kind]),
            "bbox": box,
            "area": area,
            "IsOccluded": 0,
            "IsTruncated": 0,
            "segment": [],
        }
        for number, kind, box, area in zip(numbers, kinds, spots, sizes, strict=True)
    ]


def _whole(size: float) -> float:
    return int(size) if float(size).is_integer() else size
