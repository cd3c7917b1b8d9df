"""Pictures through a model, in batches that are read ahead, in a fixed order that can be resumed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby, islice
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.errors import DataError
from referee.players.neural.features.crops import Cut, Fit, crop, opened, whole
from referee.players.neural.features.extractor import Extractor, Pixels, Rows
from referee.players.neural.features.pictures import Picture

_AHEAD = 2
"""How many batches are read while one is in the model."""
_READERS = 2


class View(NamedTuple):
    """What one row shows: a region of a picture, or all of it."""

    picture: Picture
    cut: Cut | None


Cutting: TypeAlias = Callable[[Picture], Sequence[Cut | None]]
"""What is shown of a picture, one cut a row."""


def views(pictures: Iterable[Picture], cutting: Cutting) -> Iterator[View]:
    """What the rows show, in order."""
    for picture in pictures:
        for cut in cutting(picture):
            yield View(picture, cut)


def extract(
    wanted: Iterable[View], extractor: Extractor, fit: Fit = "stretch", batch: int = 32
) -> Iterator[Rows]:
    """The rows of some views, `batch` at a time; a picture is opened once for all its neighbours."""
    with ThreadPoolExecutor(_READERS) as pool:
        waiting: deque[list[Future[list[Pixels]]]] = deque()
        batches = batches_of(wanted, batch)
        try:
            while True:
                for group in islice(batches, _AHEAD - len(waiting)):
                    parts = groupby(group, key=lambda view: view.picture.path)
                    waiting.append(
                        [pool.submit(_shown, list(part), extractor, fit) for _, part in parts]
                    )
                if not waiting:
                    return
                shown = [pixels for future in waiting.popleft() for pixels in future.result()]
                yield extractor.vectors(np.stack(shown))
        finally:
            pool.shutdown(cancel_futures=True)


def batches_of(wanted: Iterable[View], batch: int) -> Iterator[tuple[View, ...]]:
    """The views, so many at a time."""
    rest = iter(wanted)
    while group := tuple(islice(rest, batch)):
        yield group


def _shown(group: list[View], extractor: Extractor, fit: Fit) -> list[Pixels]:
    image = opened(group[0].picture.path)
    shown = []
    for view in group:
        if view.cut is None:
            shown.append(whole(image, extractor.whole, fit))
            continue
        try:
            shown.append(crop(image, view.cut, extractor.crop, extractor.blank))
        except DataError as error:
            raise error.located(file=view.picture.path, record=view.picture.id) from None
    return shown
