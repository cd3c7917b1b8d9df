"""The reference sets under test: of a file, or from the relevance that people gave."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from referee.annotate.reference_sets import human_set, reference_set
from referee.annotate.reference_sets.built import Asked
from referee.datasets.densevisdial import ReferenceSet, read_references
from referee.datasets.files import Skipped
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.games import Round, VisDial

_PUBLISHED = re.compile(r"refs_(?P<method>[HSMG])_(?P<of>human|full)_(?P<split>train|val)")
_DIGEST = 16


@dataclass(frozen=True)
class References:
    """Reference sets by round; `kind` is H, S, M or G where the file is a published one, else own."""

    sets: dict[RoundKey, ReferenceSet] = field(repr=False)
    kind: str = "own"
    source: str = ""

    @property
    def name(self) -> str:
        """How the options call them."""
        sets = msgspec.json.encode([self.sets[key] for key in sorted(self.sets)])
        digest = hashlib.sha256(sets).hexdigest()[:_DIGEST]
        return f"{self.source} sha256:{digest}".strip()

    @classmethod
    def read(cls, path: Path, skipped: Skipped = None) -> References:
        """The reference sets of a file in DenseVisDial's format."""
        sets = {row.key: row for row in read_references(path, skipped)}
        if not sets:
            raise DataError("holds no reference set", file=path, expected="one a round")
        published = _PUBLISHED.search(path.name)
        return cls(sets, published["method"] if published else "own", path.name)

    @classmethod
    def of_relevance(cls, games: Iterable[VisDial]) -> References | None:
        """H of the rounds whose relevance is known; None where there is no such round."""
        sets: dict[RoundKey, ReferenceSet] = {}
        for game in games:
            for number, asked in enumerate(game.rounds):
                if (built := of_relevance(game, number, asked)) is not None:
                    sets[built.key] = built
        return cls(sets, "H", "relevance") if sets else None


def of_relevance(game: VisDial, number: int, asked: Round) -> ReferenceSet | None:
    """H of a round: the options that somebody found right, and the human answer (section 4.2.1).

    As in the released sets, a round in which people found no option right has none.
    """
    relevance, target = asked.relevance, asked.gt_index
    if relevance is None or target is None or not any(relevance):
        return None
    return reference_set(Asked(game, number, asked, target), human_set(relevance, target))
