"""Zero-shot games as the grounding paper shows them: Table 6's counts, and Figures 4 and 5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.report import published
from referee.report.figures import COLOURS, svg
from referee.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = {
    "nd_valid": "near-domain, validation",
    "od_valid": "out-of-domain, validation",
    "nd_test": "near-domain, test",
    "od_test": "out-of-domain, test",
}
"""The splits in the order of Table 6, and what its rows are called."""
FIGURES = {"nd": ("figure_4.svg", "near-domain"), "od": ("figure_5.svg", "out-of-domain")}
SHOWN = 40
"""So many categories are drawn, the commonest."""


def table(counts: Mapping[str, tuple[int, int]], notes: tuple[str, ...] = ()) -> Table:
    """Pictures and games of each split, beside the published ones."""
    theirs = {
        (n.row, n.column): n.printed for n in published.numbers("grounding") if n.table == "6"
    }
    rows = [
        (name, *map(str, counts[split]), theirs[name, "images"], theirs[name, "games"])
        for split, name in ROWS.items()
        if split in counts
    ]
    columns = ("", "images", "games", "images, published", "games, published")
    return Table("zero-shot games beside grounding, Table 6", columns, tuple(rows), notes)


def figures(domains: Mapping[str, Mapping[str, int]], coco: frozenset[str]) -> dict[str, str]:
    """How often each category is a target, by domain, as SVG by file name."""
    return {
        FIGURES[domain][0]: distribution(found, coco, FIGURES[domain][1])
        for domain, found in domains.items()
        if found
    }


def distribution(found: Mapping[str, int], coco: frozenset[str], domain: str) -> str:
    """A bar a category, the commonest first; the colour says whether COCO has it."""
    ranked = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    shown = ranked[:SHOWN]

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axis = figure.subplots()
        for name, colour, wanted in (
            ("in COCO", COLOURS[0], True),
            ("not in COCO", COLOURS[1], False),
        ):
            places = [at for at, (each, _) in enumerate(shown) if (each in coco) == wanted]
            if places:
                axis.bar(places, [shown[at][1] for at in places], color=colour, label=name)
        axis.set_xticks(range(len(shown)), [name for name, _ in shown], rotation=90)
        axis.set_xlim(-0.6, len(shown) - 0.4)
        axis.set_ylabel("games")
        axis.yaxis.set_major_locator(MaxNLocator(integer=True))
        axis.grid(visible=False, axis="x")
        part = f", the {SHOWN} commonest shown" if len(ranked) > SHOWN else ""
        axis.set_title(
            f"targets of {sum(found.values())} {domain} games: {len(ranked)} categories{part}"
        )
        axis.legend()

    return svg(draw, (max(4.5, 0.2 * len(shown) + 1.2), 3.6))
