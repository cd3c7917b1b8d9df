"""The WordNet synset of each of COCO's categories, under its name."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def synsets() -> dict[str, str]:
    """The synsets by category, 80 of them.

    >>> synsets()["fire hydrant"]
    'fireplug.n.01'
    """
    text = files(__package__).joinpath("coco_synsets.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
