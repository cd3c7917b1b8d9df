"""GuessWhich's pools of pictures, in both published formats.

The ten pools of the human study are a list; each has an easy, a medium and a hard variant, and two
captions of its target, which is the last of each variant. The two hundred pools of the later study
are one object from target to pool, the target being the first. Either place would tell the target to
whoever looks: a game has its pictures in an order of its own, and the target is found by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from referee.datasets.files import Skipped, decode, read_json, refuse, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, form_of, written
from referee.errors import DataError, UsageError
from referee.games.model import Form, Forms, GuessWhich, Scene
from referee.randomness import Stream, key

LEVELS = ("easy", "medium", "hard")
"""How like the target the other pictures of a pool are."""

Captions: TypeAlias = Literal["generated", "human"]


class Pool(Struct, frozen=True):
    """A target and its pools by level; the only pool of the second format has the level ""."""

    id: str
    target: str
    levels: dict[str, tuple[str, ...]]
    category: str = ""
    generated_caption: str = ""
    human_caption: str = ""
    forms: Forms = Forms(game="str", scene="str")


class _Listed(Struct, frozen=True):
    gen_caption: str
    gt_caption: str
    obj: str
    pool_id: Id = msgspec.field(name="poolID")
    pools: dict[str, tuple[Id, ...]]
    target: Id


_Pooled: TypeAlias = list[Raw] | dict[str, Raw]
_FILE: msgspec.json.Decoder[_Pooled] = msgspec.json.Decoder(_Pooled)
_LISTED = msgspec.json.Decoder(_Listed)
_NAMES: msgspec.json.Decoder[tuple[Id, ...]] = msgspec.json.Decoder(tuple[Id, ...])


def load(path: Path, skipped: Skipped = None) -> Iterator[Pool]:
    """The pools of a file in either format."""
    encoded = read_json(path, _FILE)
    pairs = encoded.items() if isinstance(encoded, dict) else enumerate(encoded, start=1)
    seen: set[str] = set()
    for record, raw in pairs:
        try:
            if isinstance(record, int):
                pool = _from_list(decode(_LISTED, bytes(raw), path, record))
            else:
                pool = _from_object(record, decode(_NAMES, bytes(raw), path, record))
            _check(pool, seen)
        except DataError as error:
            refuse(error.located(file=path, record=record), skipped)
        else:
            seen.add(pool.id)
            yield pool


def _from_list(listed: _Listed) -> Pool:
    if "" in listed.pools:
        raise DataError("a level without a name", field="$.pools", expected=", ".join(LEVELS))
    return Pool(
        id=str(listed.pool_id),
        target=str(listed.target),
        levels={level: tuple(map(str, names)) for level, names in listed.pools.items()},
        category=listed.obj,
        generated_caption=listed.gen_caption,
        human_caption=listed.gt_caption,
        forms=Forms(game=form_of(listed.pool_id), scene=form_of(listed.target)),
    )


def _from_object(target: str, names: tuple[Id, ...]) -> Pool:
    form: Form = form_of(names[0]) if names else "str"
    return Pool(target, target, {"": tuple(map(str, names))}, forms=Forms(game="str", scene=form))


def _check(pool: Pool, seen: set[str]) -> None:
    if pool.id in seen:
        raise DataError(
            f"pool {pool.id} came before", field="$.poolID", expected="one record a pool"
        )
    if not pool.levels:
        raise DataError("has no pool", field="$.pools", expected=", ".join(LEVELS))
    for level, names in pool.levels.items():
        field = f"$.pools.{level}" if level else "$"
        if level not in LEVELS and (level or len(pool.levels) > 1):
            raise DataError("is no level", field=field, expected=", ".join(LEVELS))
        if not names:
            raise DataError("the pool is empty", field=field, expected="pictures")
        if len(set(names)) < len(names):
            raise DataError("holds a picture twice", field=field, expected="distinct pictures")
        if pool.target not in names:
            raise DataError(
                f"the target {pool.target} is not in the pool", field=field, expected="the target"
            )


def read(
    path: Path,
    level: str | None = None,
    skipped: Skipped = None,
    *,
    captions: Captions = "generated",
) -> Iterator[GuessWhich]:
    """The games of a file: one a pool and level, or those of one level only.

    The people of the study saw the generated caption. A game's pictures are shuffled, always alike.
    """
    if level is not None and level not in LEVELS:
        raise UsageError(f"{level} is no level of a pool: {', '.join(LEVELS)}")
    for pool in load(path, skipped):
        caption = pool.generated_caption if captions == "generated" else pool.human_caption
        for name, pictures in pool.levels.items():
            if level in (None, name):
                game = f"{pool.id}:{name}" if name else pool.id
                shown = Stream(key("pool", game)).sample(pictures, len(pictures))
                yield GuessWhich(
                    id=game,
                    pool=tuple(Scene(picture, file=picture_file(picture)) for picture in shown),
                    target=pool.target,
                    caption=caption,
                    level=name,
                    forms=pool.forms,
                )


def picture_file(picture: str) -> str:
    """The file of a picture, which the first format names without its suffix and the second with it.

    >>> picture_file("COCO_val2014_000000514248")
    'COCO_val2014_000000514248.jpg'
    """
    return picture if picture.endswith(".jpg") else f"{picture}.jpg"


def image_number(picture: str) -> str | None:
    """The number of the image that ends a picture's name: its id in captions and dialogues.

    >>> image_number("VisualDialog_test2018/VisualDialog_test2018_000000351585.jpg")
    '351585'
    """
    found = _NUMBER.search(picture)
    return found[1] if found else None


_NUMBER = re.compile(r"(?:^|_)0*([0-9]+)(?:\.jpg)?$")


def write(path: Path, pools: Iterable[Pool]) -> None:
    """The pools as a file; those without levels are written in the second format."""
    listed: list[dict[str, object]] = []
    by_target: dict[str, list[Id]] = {}
    for pool in pools:
        _check(pool, set())
        form = pool.forms.scene
        levels = {
            level: [written(name, form) for name in names] for level, names in pool.levels.items()
        }
        if "" in levels:
            by_target[pool.target] = levels[""]
            continue
        listed.append(
            {
                "gen_caption": pool.generated_caption,
                "gt_caption": pool.human_caption,
                "obj": pool.category,
                "poolID": written(pool.id, pool.forms.game),
                "pools": levels,
                "target": written(pool.target, form),
            }
        )
    if listed and by_target:
        raise UsageError("pools with and without levels do not go into one file")
    with writing(path) as stream:
        stream.write(msgspec.json.encode(by_target or listed))


_LIST = re.compile(rb'^\s*\[\s*\{.*"(gen_caption|poolID|gt_caption)"', re.DOTALL)
_OBJECT = re.compile(rb'^\s*\{\s*"([^"]+)"\s*:\s*\[\s*"\1"')


def _recognises(path: Path, head: bytes) -> bool:
    del path
    return _LIST.search(head) is not None or _OBJECT.search(head) is not None


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    pools = list(load(path, skipped))
    by_level: dict[str, int] = {}
    pictures: set[str] = set()
    sizes: set[int] = set()
    last = first = 0
    for pool in pools:
        for level, names in pool.levels.items():
            by_level[level] = by_level.get(level, 0) + 1
            pictures.update(names)
            sizes.add(len(names))
            first += names[0] == pool.target
            last += names[-1] == pool.target
    counts: dict[str, Count] = {
        "pools": len(pools),
        "games": sum(by_level.values()),
        "pictures a game": f"{min(sizes, default=0)} to {max(sizes, default=0)}",
        "distinct pictures": len(pictures),
        "target first": first,
        "target last": last,
    }
    return counts | {f"games, {level}": count for level, count in by_level.items() if level}


FORMATS = (
    Format(
        "guesswhich-pools",
        "GuessWhich's pools of pictures: ten with three levels, or one a target",
        _recognises,
        _summarise,
    ),
)
