"""Tables of boxes in the making, and games as they are written."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from referee.annotate.zero_shot import Made, Sources, write
from referee.annotate.zero_shot.writing import file_name

COLUMNS = ("ImageID", "LabelName", "XMin", "XMax", "YMin", "YMax", "IsOccluded", "IsTruncated")
NAMES = {
    "/m/p": "Person",
    "/m/d": "Dog",
    "/m/o": "Owl",
    "/m/s": "Shark",
    "/m/b": "Ball",
    "/m/a": "Human arm",
}
SIZE = 1000


@dataclass
class Table:
    """A box table in the making, and its pictures: 1000 by 1000 pixels each."""

    folder: Path
    names: dict[str, str] = field(default_factory=lambda: dict(NAMES))
    rows: list[tuple[object, ...]] = field(default_factory=list)
    columns: tuple[str, ...] = COLUMNS

    def put(self, image: str, kinds: str, marks: Iterable[tuple[int, int]] = ()) -> None:
        """Boxes of 100 by 100 pixels, a letter each; the marks of the first ones where they are given."""
        told = [*marks, *[(0, 0)] * len(kinds)]
        for place, (kind, (occluded, truncated)) in enumerate(zip(kinds, told, strict=False)):
            x = 0.03 * place
            self.rows.append((image, f"/m/{kind}", x, x + 0.1, 0.2, 0.3, occluded, truncated))

    def sources(self, valid: Sequence[str] | None = None) -> Sources:
        """The files; pictures are of the validation list, or where it is given, all others of test's."""
        self.folder.mkdir(exist_ok=True)
        boxes, classes = self.folder / "boxes.csv", self.folder / "classes.csv"
        with boxes.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([self.columns, *self.rows])
        classes.write_text("".join(f"{label},{name}\n" for label, name in self.names.items()))
        images = list(dict.fromkeys(str(row[0]) for row in self.rows))
        lists = {"valid": [image for image in images if valid is None or image in valid]}
        if valid is not None:
            lists["test"] = [image for image in images if image not in valid]
        paths = {}
        for split, chosen in lists.items():
            paths[split] = self.folder / f"{split}.json"
            paths[split].write_text(json.dumps({"images": [listed(i, images) for i in chosen]}))
        return Sources((boxes,), classes, paths["valid"], paths.get("test"))


def listed(image: str, images: Sequence[str]) -> dict[str, object]:
    return {
        "id": images.index(image),
        "open_images_id": image,
        "width": SIZE,
        "height": SIZE,
        "file_name": f"{image}.jpg",
    }


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "boxes")


def lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def written(tmp_path: Path, made: Made) -> dict[str, list[dict[str, Any]]]:
    folder = tmp_path / "games"
    counts = write(folder, made)
    found = {split: lines(folder / file_name(split)) for split in counts}
    assert {split: len(games) for split, games in found.items()} == counts
    return found
