"""Figures 4 and 5 of belief.txt: how often people fully agree, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.evaluations.result import Judged, Row, Value
from referee.report.figures import available, svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TYPES = ("category", "object", "colour", "spatial")
_SHOWN = 12


def figures(judged: Judged) -> dict[str, str]:
    """The bars of full agreement by type as SVG, and questions on which people differ as Markdown."""
    found: dict[str, str] = {}
    values = {
        kind: value
        for kind in _TYPES
        if (value := judged.result.values.get(f"full_agreement_{kind}")) is not None
        and value.value is not None
    }
    if values and available():
        found["figure_4.svg"] = bars(values)
    if listed := disagreements(judged.turns):
        found["disagreements.md"] = listed
    return found


def bars(values: dict[str, Value]) -> str:
    """The share of questions of each type on which all people chose the same objects (Figure 4)."""

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        places = range(len(values))
        heights = [value.value or 0.0 for value in values.values()]
        axis.bar(places, heights, color="#0072b2", width=0.6)
        for place, value in zip(places, values.values(), strict=True):
            if value.ci_low is not None and value.ci_high is not None:
                axis.plot([place, place], [value.ci_low, value.ci_high], color="#1b2326")
        axis.set_xticks(list(places), [f"{kind}\nn = {value.n}" for kind, value in values.items()])
        axis.set_ylim(0, 100)
        axis.set_ylabel("full agreement, %")

    return svg(draw, (4.2, 2.8))


def disagreements(turns: Sequence[Row]) -> str:
    """Questions on which people differ, and whom each of them chose (Figure 5)."""
    differing = [row for row in turns if row.get("agree") is False]
    if not differing:
        return ""
    lines = [
        f"{len(differing)} questions on which people differ; numbers are those in the pictures.",
        "",
    ]
    for row in differing[:_SHOWN]:
        chosen = row["chosen"] if isinstance(row["chosen"], list) else []
        lines += [
            f"**{str(row['question']).strip()} {row['answer']}** (image {row['image']}, game {row['game']})",
            "",
            *(f"- {each}" for each in chosen),
            "",
        ]
    return "\n".join(lines)
