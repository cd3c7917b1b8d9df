"""Figures of the `answers` evaluation: values against k, the ranks of the human answers, example sets."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import cycle
from typing import TYPE_CHECKING, Any

from referee.evaluations.answers.columns import suffix
from referee.evaluations.result import Judged, Result, Row, Value
from referee.report import by_metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
_PLAIN: dict[Any, Any] = {
    "svg.hashsalt": "referee",  # equal figures are equal bytes
    "svg.fonttype": "path",  # a report must look the same where the font is absent
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}
_DRAWN = ("", "_gamma")
_LEAST = 2
_FLAT = 0.02
"""An axis is no shorter: it would make a slope of the last digits of equal numbers."""
_EXAMPLES = 8


def available() -> bool:
    """Whether figures can be drawn: matplotlib comes with the extra `report`."""
    return find_spec("matplotlib") is not None


def figures(judged: Judged, beside: Mapping[str, Result]) -> dict[str, str]:
    """The figures that the results hold something for, as SVG by file name, and the examples as Markdown."""
    found: dict[str, str] = {}
    if available():
        if drawn := against_k(_labelled(judged.result, beside)):
            found["against_k.svg"] = drawn
        ranks = [row["rank"] for row in judged.turns if isinstance(row.get("rank"), int | float)]
        if ranks:
            found["ranks.svg"] = histogram([float(str(rank)) for rank in ranks])
        if judged.result.evaluation == "belief":
            from referee.report import belief_figures

            found |= belief_figures.figures(judged)
        if judged.result.evaluation == "grounding":
            from referee.report import grounding_figures

            found |= grounding_figures.figures(judged)
    if judged.result.evaluation == "grounding":
        from referee.report.grounding_figures import by_attribute

        if listed := by_attribute(judged):
            found["attributes.md"] = listed
    if examples := example_sets(judged.turns):
        found["examples.md"] = examples
    return found


def _labelled(ours: Result, beside: Mapping[str, Result]) -> dict[str, Result]:
    """The results by their kinds of reference sets; those beside by their folders, where kinds repeat."""
    kinds = {folder: _kind(result) for folder, result in beside.items()}
    own = _kind(ours)
    named = len({own, *kinds.values()}) == len(kinds) + 1 and all(kinds.values())
    others = {kinds[folder] if named else folder: result for folder, result in beside.items()}
    return {own if own and own not in others else "this run": ours, **others}


def _kind(result: Result) -> str:
    kind = str(result.options.get("reference_sets", ""))
    return "Σ" if kind == "S" else kind


def series(
    values: Mapping[str, Value], least: int = _LEAST
) -> dict[str, dict[bool, dict[int, Value]]]:
    """The values by metric, by whether they are gamma (else mu), by k; those of fewer than `least` left out.

    >>> found = series({"meteor": Value(0.2), "meteor_k5": Value(0.3), "meteor_k5_gamma": Value(0.5)})
    >>> {gamma: sorted(by_k) for gamma, by_k in found["meteor"].items()}
    {False: [1, 5], True: [5]}
    """
    found: dict[str, dict[bool, dict[int, Value]]] = {}
    for (metric, k, what), value in by_metric.scores(values).items():
        if what in _DRAWN and value.value is not None:
            found.setdefault(metric, {}).setdefault(what == "_gamma", {})[k] = value
    return {name: lines for name, lines in found.items() if len(lines.get(False, {})) >= least}


def against_k(results: Mapping[str, Result]) -> str | None:
    """Every metric against k, mu as lines and gamma dashed, a colour a reference set (Figure 3).

    One k alone is no line, but worth drawing where several results stand beside one another.
    """
    least = _LEAST if len(results) == 1 else 1
    lines = {label: series(result.values, least) for label, result in results.items()}
    names = list(dict.fromkeys(name for found in lines.values() for name in found))
    if not names:
        return None
    columns = min(4, len(names))
    high = -(-len(names) // columns)

    def draw(figure: Figure) -> None:
        axes = figure.subplots(high, columns, squeeze=False).ravel().tolist()
        for axis, name in zip(axes, names, strict=False):
            _panel(axis, {label: found.get(name, {}) for label, found in lines.items()})
            arrow = "↓" if name.endswith("_l2") else "↑"
            axis.set_title(f"{name.replace('_', ' ')} {arrow}")
            axis.set_xlabel("k")
        for axis in axes[len(names) :]:
            axis.set_axis_off()
        told = {
            label: handle
            for axis in axes
            for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        figure.legend(told.values(), told.keys(), loc="outside upper center", ncols=len(told))

    return svg(draw, (2.6 * columns, 2.3 * high + 0.3))


def _panel(axis: Axes, found: Mapping[str, Mapping[bool, Mapping[int, Value]]]) -> None:
    """One metric, of every result; its axis is set when all are drawn, which freezes it."""
    for (label, lines), colour in zip(found.items(), cycle(COLOURS), strict=False):
        _lines(axis, lines, label, colour)
    axis.set_xticks(
        sorted({k for lines in found.values() for by_k in lines.values() for k in by_k})
    )
    bottom, top = axis.get_ylim()
    if top - bottom < _FLAT:
        axis.set_ylim((bottom + top - _FLAT) / 2, (bottom + top + _FLAT) / 2)


def _lines(axis: Axes, found: Mapping[bool, Mapping[int, Value]], label: str, colour: str) -> None:
    for gamma, by_k in sorted(found.items()):
        places = sorted(by_k)
        values = [by_k[k].value or 0.0 for k in places]
        style = "--" if gamma else "-"
        name = f"{label}, {'gamma' if gamma else 'mu'}"
        axis.plot(places, values, style, color=colour, marker="o", markersize=3, label=name)
        ends = [(by_k[k].ci_low, by_k[k].ci_high) for k in places]
        if all(None not in pair for pair in ends):
            low, high = (list(map(float, map(str, side))) for side in zip(*ends, strict=True))
            axis.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)


def histogram(ranks: Sequence[float]) -> str:
    """How often the human answer stands at each rank (Figure 2)."""

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        most = int(max(100.0, *ranks))
        axis.hist(ranks, bins=[place + 0.5 for place in range(most + 1)], color=COLOURS[0])
        axis.set_xlim(0.5, most + 0.5)
        axis.set_xticks([1, *range(10, most + 1, 10)])
        axis.set_xlabel("rank of the human answer")
        axis.set_ylabel("rounds")

    return svg(draw, (6.0, 2.8))


def svg(draw: Any, size: tuple[float, float]) -> str:
    """What `draw` draws on a figure of this size in inches, as SVG."""
    # The object interface: pyplot keeps a global state and looks for a screen.
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(_PLAIN):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        stream = io.StringIO()
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None})
    return stream.getvalue()


def example_sets(turns: Sequence[Row]) -> str:
    """Some rounds in words: the question, the reference set, and what was generated, worst to best."""
    scored = [row for row in turns if isinstance(row.get("references"), list) and _texts(row)]
    if not scored:
        return ""
    by = _best_known(scored[0])
    if by is not None:
        scored = sorted(
            (row for row in scored if row.get(by) is not None), key=lambda row: float(str(row[by]))
        )
    shown = min(_EXAMPLES, len(scored))
    places = [(2 * number + 1) * len(scored) // (2 * shown) for number in range(shown)]
    lines = [f"Rounds from the worst to the best{f' by {by}' if by else ''}.", ""]
    for row in (scored[place] for place in places):
        score = "" if by is None else f" ({by} {float(str(row[by])):.4f})"
        lines += [
            f"**{row['question']}** (image {row['image']}, round {row['turn']})",
            "",
            f"- generated{score}: {_listed(_texts(row))}",
            f"- people: {row['answer']}",
            f"- reference set: {_listed([str(text) for text in _cells(row, 'references')])}",
            "",
        ]
    return "\n".join(lines)


def _best_known(row: Row) -> str | None:
    """The score by which the rounds are ordered: over as many generations as are shown."""
    found = [(metric, k) for metric, k, what in by_metric.scores(row) if not what]
    for wanted in ("meteor", "cider_1", "rouge_l"):
        if counts := [k for metric, k in found if metric == wanted]:
            return f"{wanted}{suffix(max(counts))}"
    return None


def _texts(row: Row) -> list[str]:
    return [text for text in _cells(row, "generations") if text.strip()]


def _cells(row: Row, name: str) -> list[str]:
    found = row.get(name)
    return found if isinstance(found, list) else []


def _listed(texts: Sequence[str]) -> str:
    return " / ".join(text.replace("*", r"\*").replace("|", r"\|") for text in texts)
