"""Figures of the `grounding` evaluation: the attributes one by one, and what more games would teach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.evaluations.grounding.gold import TASKS
from referee.evaluations.measures import number
from referee.evaluations.result import Judged, Row, Value
from referee.report.figures import COLOURS, svg
from referee.report.tables import Table, markdown
from referee.report.tables import number as printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CURVE = re.compile(rf"curve_({'|'.join(sorted(TASKS, key=len, reverse=True))})_(\d+)")
_KINDS = ("abstract", "situated")
_LEAST = 2


@dataclass(frozen=True)
class Attribute:
    """How often an attribute was true of a target, how often it was said, and both."""

    name: str
    kind: str
    sort: str
    gold: int
    said: int
    both: int

    @property
    def precision(self) -> float:
        """How much of what was said is true."""
        return self.both / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """How much of what is true was said."""
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.both / (self.gold + self.said) if self.both else 0.0


def figures(judged: Judged) -> dict[str, str]:
    """The figures that the results hold something for, as SVG by file name."""
    drawn = {
        "attributes.svg": _by_frequency(attributes(judged.games)),
        "learning_curve.svg": _curves(judged.result.values),
    }
    return {name: text for name, text in drawn.items() if text is not None}


def by_attribute(judged: Judged) -> str:
    """Every attribute with its scores, and every sort of them, as tables in Markdown; empty without."""
    found = attributes(judged.games)
    if not found:
        return ""
    signature = judged.result.signature
    return "\n".join(
        markdown(each) for each in (_sorts(found, signature), _listed(found, signature))
    )


def attributes(games: Sequence[Row]) -> list[Attribute]:
    """The scores of each attribute over the test games, the most frequent first of each kind."""
    found: list[Attribute] = []
    for kind in _KINDS:
        gold, said, both = Counter[str](), Counter[str](), Counter[str]()
        for row in games:
            true, told = row.get(f"gold_{kind}"), row.get(f"predicted_{kind}")
            if isinstance(true, list) and isinstance(told, list):
                gold.update(true)
                said.update(told)
                both.update(set(true) & set(told))
        found += [
            Attribute(name, kind, sort_of(name, kind), gold[name], said[name], both[name])
            for name in sorted(gold | said, key=lambda name: (-gold[name], name))
        ]
    return found


def sort_of(name: str, kind: str) -> str:
    """What an attribute is about, by the words with which its source writes such.

    >>> [sort_of(name, "abstract") for name in ("has legs", "can be worn", "used_to cut", " eats", "animal")]
    ['part', 'can be', 'used to', 'behaviour', 'other abstract']
    >>> sort_of("agent riding", "abstract"), sort_of("made of wood", "abstract")
    ('agent', 'material')
    >>> sort_of("left_image", "situated"), sort_of("red", "situated")
    ('location', 'other situated')
    """
    if kind == "situated":
        return "location" if name.endswith("_image") or name == "center" else "other situated"
    plain = name.replace("_", " ")
    heads = {"has ": "part", " ": "behaviour", "agent ": "agent", "can be ": "can be"}
    heads |= {"used ": "used to", "made of ": "material", "is ": "is"}
    return next((sort for head, sort in heads.items() if plain.startswith(head)), "other abstract")


def _sorts(found: Sequence[Attribute], signature: str) -> Table:
    held: dict[str, list[Attribute]] = {}
    for each in found:
        held.setdefault(each.sort, []).append(each)
    rows = []
    for sort, members in held.items():
        gold, said, both = (sum(getattr(m, n) for m in members) for n in ("gold", "said", "both"))
        whole = Attribute(sort, "", sort, gold, said, both)
        mean = sum(each.f1 for each in members) / len(members)
        rows.append((*_cells(whole), printed(100 * mean, "%"), str(len(members))))
    columns = (*_COLUMNS, "mean F1 of each", "attributes")
    return Table(
        "attributes by what they are about, all of a sort together",
        columns,
        tuple(rows),
        (),
        signature,
    )


def _listed(found: Sequence[Attribute], signature: str) -> Table:
    rows = tuple((*_cells(each), each.kind) for each in found)
    return Table("attributes one by one", (*_COLUMNS, "kind"), rows, (), signature)


_COLUMNS = ("", "F1", "precision", "recall", "true of", "said of")


def _cells(each: Attribute) -> tuple[str, ...]:
    scores = (printed(100 * value, "%") for value in (each.f1, each.precision, each.recall))
    return (each.name.strip(), *scores, str(each.gold), str(each.said))


def _by_frequency(found: Sequence[Attribute]) -> str | None:
    """The F1 of each attribute against how many targets have it."""
    true = [each for each in found if each.gold]
    if not true:
        return None

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        for place, kind in enumerate(_KINDS):
            of_kind = [each for each in true if each.kind == kind]
            axis.scatter(
                [each.gold for each in of_kind],
                [100 * each.f1 for each in of_kind],
                s=12,
                color=COLOURS[place],
                alpha=0.6,
                label=f"{kind}, {len(of_kind)} attributes",
            )
        axis.set_xscale("log")
        axis.set_ylim(-2, 102)
        axis.set_xlabel("targets of the test games that have the attribute")
        axis.set_ylabel("F1 of the attribute, %")
        axis.legend()

    return svg(draw, (6.0, 3.6))


def curves(values: Mapping[str, Value]) -> dict[str, dict[int, Value]]:
    """F1 by the number of training games, task by task."""
    found: dict[str, dict[int, Value]] = {}
    for name, value in values.items():
        matched = _CURVE.fullmatch(name)
        if matched is not None and value.value is not None:
            found.setdefault(matched[1], {})[int(matched[2])] = value
    return {task: points for task, points in found.items() if len(points) >= _LEAST}


def _curves(values: Mapping[str, Value]) -> str | None:
    found = curves(values)
    if not found:
        return None

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        for colour, (task, points) in zip(COLOURS, found.items(), strict=False):
            games = sorted(points)
            label = task.replace("_", " + ")
            axis.plot(
                games, [number(points[n].value) for n in games], "o-", color=colour, label=label
            )
            low, high = (
                [number(getattr(points[n], end)) for n in games] for end in ("ci_low", "ci_high")
            )
            axis.fill_between(games, low, high, color=colour, alpha=0.15, linewidth=0)
        axis.set_xscale("log")
        many = sorted({count for points in found.values() for count in points})
        axis.set_xticks(many, [f"{count:,}" for count in many])
        axis.minorticks_off()
        axis.set_xlabel("training games")
        axis.set_ylabel("F1, %")
        axis.legend()

    return svg(draw, (5.0, 3.4))
