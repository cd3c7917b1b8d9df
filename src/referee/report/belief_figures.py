"""Figures of the `belief` evaluation: both thresholds swept, reliability by turn, entropy by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from referee.evaluations.measures import number
from referee.evaluations.result import Judged, Result, Row
from referee.metrics.belief.calibration import equal_bins
from referee.report.figures import COLOURS, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

THETAS = np.logspace(-5, 0, 101)
_KINDS = {"cq": ("cq", True), "spatial": ("type", "spatial"), "colour": ("type", "colour")}
_SIDES = (
    ("grounded_rs", "least_in_reference", "theta_rs", "reference set: every P above θ"),
    ("grounded_cs", "greatest_in_complement", "theta_cs", "complement set: every P below θ"),
)
_SHOWN = 5
"""Turns that have a reliability diagram."""
_FEWEST = 20


def figures(judged: Judged) -> dict[str, str]:
    """The figures that the results hold something for, as SVG by file name."""
    drawn = {
        "threshold_sweep.svg": threshold_sweep(judged),
        "reliability.svg": reliability(judged.turns),
        "entropy.svg": entropy_by_turn(judged.result),
    }
    return {name: text for name, text in drawn.items() if text is not None}


def swept(rows: Sequence[Row], grounded: str, extreme: str) -> NDArray[np.float64]:
    """The percentage of rows that are well-grounded at each of `THETAS`.

    A row whose set is empty is well-grounded at any threshold, and has no extreme.
    """
    extremes = np.array([number(row[extreme]) for row in rows])
    empty = np.isnan(extremes)[:, None]
    above = extremes[:, None] > THETAS if grounded == "grounded_rs" else extremes[:, None] < THETAS
    found: NDArray[np.float64] = 100 * (above | empty).mean(axis=0)
    return found


def threshold_sweep(judged: Judged) -> str | None:
    """How many first turns are well-grounded at any threshold (Table 3 is two points of each line)."""
    lines = list(_lines(judged.games))
    if not lines:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, 2, sharey=True)
        for axis, (grounded, extreme, theta, title) in zip(axes, _SIDES, strict=True):
            for place, (label, style, rows) in enumerate(lines):
                colour = COLOURS[place // 2 % len(COLOURS)]
                shares = swept(rows, grounded, extreme)
                axis.plot(THETAS, shares, style, color=colour, label=f"{label}, n = {len(rows)}")
            axis.axvline(number(judged.result.options.get(theta)), color="#888888", linewidth=0.8)
            axis.set_xscale("log")
            axis.set_xlabel("θ (the line: as judged)")
            axis.set_title(title)
        axes[0].set_ylabel("well-grounded first turns, %")
        axes[0].set_ylim(-2, 102)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)

    return svg(draw, (7.5, 3.6))


def _lines(games: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """The first turns of each type by answer, where there are any; Yes is drawn whole, No dashed."""
    judged = [row for row in games if row.get("grounded_rs") is not None]
    for kind, (column, cell) in _KINDS.items():
        both = {
            answer: [row for row in judged if row[column] == cell and row["answer"] == answer]
            for answer in ("Yes", "No")
        }
        if all(both.values()):
            yield f"{kind}, Yes", "-", both["Yes"]
            yield f"{kind}, No", "--", both["No"]


def reliability(turns: Sequence[Row]) -> str | None:
    """How often the likeliest candidate is right against how likely it is held, by turn, in equal bins."""
    by_turn: dict[int, list[tuple[float, float]]] = {}
    for row in turns:
        pair = number(row.get("confidence")), number(row.get("correct"))
        if isinstance(row["turn"], int) and not any(map(np.isnan, pair)):
            by_turn.setdefault(row["turn"], []).append(pair)
    shown = [turn for turn in sorted(by_turn) if len(by_turn[turn]) >= _FEWEST][:_SHOWN]
    if not shown:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0].tolist()
        for axis, turn in zip(axes, shown, strict=True):
            _diagram(axis, np.array(by_turn[turn]))
            axis.set_title(f"after turn {turn}")
            axis.set_xlabel("confidence")
        axes[0].set_ylabel("share that is right")

    return svg(draw, (0.6 + 2.0 * len(shown), 2.5))


def _diagram(axis: Axes, pairs: NDArray[np.float64]) -> None:
    places = equal_bins(pairs[:, 0])
    many = np.bincount(places)
    confident, right = (np.bincount(places, pairs[:, side]) / many for side in (0, 1))
    error = np.sqrt(right * (1 - right) / many)
    axis.plot([0, 1], [0, 1], color="#888888", linewidth=0.8)
    axis.errorbar(confident, right, yerror(right, error), fmt="o-", color=COLOURS[0], markersize=3)
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1)


def yerror(right: NDArray[np.float64], error: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard errors below and above, inside 0 and 1."""
    return np.stack([np.minimum(error, right), np.minimum(error, 1 - right)])


def entropy_by_turn(result: Result) -> str | None:
    """The entropy of the belief after each turn, with its interval."""
    head = "entropy_turn_"
    found = {
        int(name.removeprefix(head)): value
        for name, value in result.values.items()
        if name.startswith(head) and value.value is not None
    }
    if not found:
        return None

    def draw(figure: Figure) -> None:
        axis = figure.subplots()
        turns = sorted(found)
        axis.plot(turns, [number(found[turn].value) for turn in turns], "o-", color=COLOURS[0])
        known = [turn for turn in turns if found[turn].ci_low is not None]
        low, high = (
            [number(getattr(found[turn], end)) for turn in known] for end in ("ci_low", "ci_high")
        )
        axis.fill_between(known, low, high, color=COLOURS[0], alpha=0.15, linewidth=0)
        axis.set_xticks(turns)
        axis.set_ylim(bottom=0)
        axis.set_xlabel("turn")
        axis.set_ylabel("entropy of the belief, bits")

    return svg(draw, (4.2, 2.8))
