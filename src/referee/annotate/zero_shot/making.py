"""From tables of boxes to games: kept boxes, pictures of 3 to 20 of them, domains, targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.annotate.zero_shot import kinds as classes
from referee.annotate.zero_shot import pictures as lists
from referee.annotate.zero_shot import reading, targets
from referee.annotate.zero_shot.how import DOMAINS, SPLITS, How, Sources
from referee.annotate.zero_shot.kinds import Kinds
from referee.annotate.zero_shot.pictures import Pictures
from referee.annotate.zero_shot.reading import Boxes
from referee.datasets.files import Skipped, refuse
from referee.errors import DataError, UsageError

NO_BOXES, TOO_FEW, TOO_MANY = "with no kept box", "with too few", "with too many"


@dataclass(frozen=True)
class Made:
    """The games, a target each: rows of the boxes, in the order of pictures and draws."""

    pictures: Pictures
    kinds: Kinds
    boxes: Boxes
    """The candidates of all games, picture by picture."""
    targets: NDArray[np.int64]
    near: NDArray[np.bool_]
    """Which pictures are near COCO's domain."""
    left_out: dict[str, int]
    """Boxes and pictures that no game is made of, by the reason."""

    def split(self, name: str) -> NDArray[np.int64]:
        """The targets of a split: nd_valid, nd_test, od_valid or od_test."""
        domain, _, part = name.partition("_")
        of_split = np.array([split == part for split in self.pictures.splits], np.bool_)
        chosen = of_split & (self.near == (domain == "nd"))
        rows: NDArray[np.int64] = self.targets[chosen[self.boxes.picture[self.targets]]]
        return rows

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of which pictures were given, in the order of the paper's Table 6."""
        there = set(self.pictures.splits)
        return tuple(f"{d}_{part}" for part in SPLITS for d in DOMAINS if part in there)

    def counts(self) -> dict[str, tuple[int, int]]:
        """Pictures and games of each split."""
        found = {name: self.split(name) for name in self.splits}
        return {
            name: (len(np.unique(self.boxes.picture[rows])), len(rows))
            for name, rows in found.items()
        }

    def notes(self) -> Iterator[str]:
        """What no game is made of, in words."""
        said = self.left_out
        failed = ", ".join(f"{said[why]} {why}" for why in reading.CONDITIONS)
        yield f"{said[reading.KEPT]} of {said[reading.READ]} boxes are kept; failed: {failed}"
        unfit = ", ".join(f"{said[why]} {why}" for why in (NO_BOXES, TOO_FEW, TOO_MANY))
        yield f"{len(self.pictures)} pictures are listed; left out: {unfit}"

    def categories(self, domain: str) -> Counter[str]:
        """How many games of a domain have a target of each category."""
        rows = [self.split(name) for name in self.splits if name.startswith(domain)]
        kinds = self.boxes.kind[np.concatenate(rows)]
        return Counter(self.kinds.names[kind] for kind in kinds.tolist())


def make(sources: Sources, how: How | None = None, skipped: Skipped = None) -> Made:
    """The games of some tables."""
    how = how or How()
    if not sources.lists:
        raise UsageError("say which pictures are meant: a list of nocaps for valid, test or both")
    kinds = classes.read(sources.classes, sources.hierarchy, how.coco, skipped)
    pictures = lists.read(sources.lists, skipped)
    return draw(sources.boxes, pictures, kinds, how, skipped)


def draw(
    tables: Sequence[Path], pictures: Pictures, kinds: Kinds, how: How, skipped: Skipped = None
) -> Made:
    """The games of some pictures, of which, and of whose classes, more is known than a path."""
    kept = reading.read(tables, pictures, kinds, how.least_area, skipped)
    if not kept.left_out[reading.READ]:
        raise DataError(
            "there is no box of any picture of the lists",
            file=tables[0],
            field="ImageID",
            expected="open_images_id of the lists",
        )
    single = _single(tables, kept.boxes, kinds, skipped)
    boxes = kept.boxes.rows(single)
    counts = np.bincount(boxes.picture, minlength=len(pictures))
    fits = (counts >= how.fewest) & (counts <= how.most)
    boxes = boxes.rows(fits[boxes.picture])
    coco = kinds.categories[boxes.kind] > 0
    near = kept.near
    if how.near == "kept":
        near = np.bincount(boxes.picture[coco], minlength=len(pictures)) > 0
    rows = np.flatnonzero(~coco) if how.unseen_only else np.arange(len(boxes))
    able = boxes.rows(rows)
    keys = targets.draw_keys(able, pictures, kinds, how.seed)
    drawn = targets.draw(able, _frequency(boxes, kinds)[rows], keys, how)
    left_out = {**kept.left_out, reading.KEPT: len(single), **_unfit(counts, how)}
    made = Made(pictures, kinds, boxes, rows[drawn], near, left_out)
    if not len(drawn):
        raise DataError(
            f"no game can be made: {'; '.join(made.notes())}",
            file=tables[0],
            expected=f"pictures with {how.fewest} to {how.most} boxes that can be candidates",
        )
    return made


def _frequency(boxes: Boxes, kinds: Kinds) -> NDArray[np.int64]:
    """How often the category of each box occurs among the candidates; labels of one name are one category."""
    _, category = np.unique(np.array(kinds.names), return_inverse=True)
    of_box = category[boxes.kind]
    result: NDArray[np.int64] = np.bincount(of_box, minlength=len(kinds.names))[of_box]
    return result


def _unfit(counts: NDArray[np.int64], how: How) -> dict[str, int]:
    few = int(((counts > 0) & (counts < how.fewest)).sum())
    many = int((counts > how.most).sum())
    return {NO_BOXES: int((counts == 0).sum()), TOO_FEW: few, TOO_MANY: many}


def _single(
    tables: Sequence[Path], boxes: Boxes, kinds: Kinds, skipped: Skipped
) -> NDArray[np.int64]:
    """The rows without those that say again what a row before them said."""
    keys = targets.identities(boxes, boxes.picture.astype(np.uint64), kinds.keys)
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order[1:]] == keys[order[:-1]]]
    for row in np.sort(again).tolist():
        error = DataError(
            "the box comes twice",
            file=tables[boxes.table[row]],
            record=int(boxes.line[row]),
            field="XMin, XMax, YMin, YMax",
            expected="distinct boxes of a class in a picture",
        )
        refuse(error, skipped)
    return np.setdiff1d(np.arange(len(boxes)), again, assume_unique=True)
