"""What zero-shot games are made of, and how: as the paper says, and a choice where it leaves one open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Near: TypeAlias = Literal["kept", "annotated"]
Targets: TypeAlias = Literal["unique", "repeat"]
Coco: TypeAlias = Literal["names", "things"]

SPLITS = ("valid", "test")
DOMAINS = ("nd", "od")


@dataclass(frozen=True)
class Sources:
    """The files: tables of boxes, the names of their classes, and nocaps' lists of the pictures."""

    boxes: tuple[Path, ...]
    classes: Path
    valid: Path | None = None
    test: Path | None = None
    hierarchy: Path | None = None

    @property
    def lists(self) -> dict[str, Path]:
        """The lists of pictures by split, those that are given."""
        found = {"valid": self.valid, "test": self.test}
        return {split: path for split, path in found.items() if path is not None}


@dataclass(frozen=True)
class How:
    """The procedure of appendix A.4."""

    per_image: int = 5
    """How many targets a picture has, where it has so many candidates."""
    near: Near = "kept"
    """Which boxes of COCO's categories make a picture near-domain: a kept one, or any annotated one."""
    targets: Targets = "unique"
    """Whether a thing is the target of one game of its picture at most."""
    unseen_only: bool = False
    """Whether only things of no COCO category can be targets; all of a picture's stay candidates."""
    coco: Coco = "names"
    """A class is COCO's where its name is (the released files), or where COCO has the thing at all."""
    seed: int = 0
    least_area: float = 500
    """A box must be larger than this, in pixels."""
    fewest: int = 3
    most: int = 20
    """A picture has so many kept boxes, both numbers included."""
