"""Figures 6 to 10 of belief.txt: what R1, R2 and R3 take in, drawn by asking the rules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from referee.metrics.belief.rules import PAPER, RULES, Thresholds, extents
from referee.report.figures import svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "figure_6": ("R1", ("left", "top", "top left")),
    "figure_7": ("R2", ("left", "left half", "top")),
    "figure_8": ("R2", ("middle",)),
    "figure_9": ("R3", ("left", "top")),
    "figure_10": ("R3", ("top left", "middle")),
}
"""The rule and the places of each figure; R1's middle is that of no figure, and right mirrors left."""

_SIZE = (4.0, 3.0)
"""Of the pictures: COCO's usual shape."""
_SMALL = 0.1
"""The shaded ground is where the middle of a box of this share of the picture may be."""
_STEPS = 160
_IN, _OUT, _GROUND = "#009e73", "#d55e00", "#c5e8dc"
_ACROSS = (
    *((0.05, 0.12, 0.30, 0.16), (0.22, 0.36, 0.38, 0.18), (0.42, 0.62, 0.07, 0.16)),
    *((0.30, 0.80, 0.28, 0.14), (0.62, 0.10, 0.28, 0.20)),
)
_EXAMPLES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "left": _ACROSS,
    "left half": _ACROSS,
    "top": (
        *((0.06, 0.05, 0.16, 0.30), (0.28, 0.22, 0.18, 0.37), (0.52, 0.38, 0.14, 0.22)),
        *((0.72, 0.30, 0.16, 0.35), (0.10, 0.62, 0.28, 0.28)),
    ),
    "top left": (
        *((0.06, 0.08, 0.24, 0.26), (0.34, 0.20, 0.24, 0.20), (0.10, 0.38, 0.18, 0.20)),
        *((0.62, 0.10, 0.24, 0.24), (0.36, 0.60, 0.30, 0.26)),
    ),
    "middle": (
        *((0.38, 0.38, 0.24, 0.24), (0.10, 0.30, 0.30, 0.22), (0.64, 0.05, 0.10, 0.20)),
        *((0.58, 0.55, 0.34, 0.30), (0.02, 0.72, 0.20, 0.22)),
    ),
}
"""Hypothetical boxes: x, y, width and height as shares of the picture."""


def rule_figures(limits: Thresholds = PAPER) -> dict[str, str]:
    """The five figures as SVG, by file name."""
    return {f"{name}.svg": _drawn(rule, places, limits) for name, (rule, places) in FIGURES.items()}


def verdicts(rule: str, place: str, limits: Thresholds = PAPER) -> list[bool]:
    """What a rule says of the boxes that its figure shows.

    >>> verdicts("R1", "left"), verdicts("R3", "left")
    ([True, False, True, False, False], [True, True, True, True, False])
    """
    edges, _ = extents(_EXAMPLES[place], (1.0, 1.0))
    found: list[bool] = RULES[rule](edges, place, limits).tolist()
    return found


def ground(rule: str, place: str, limits: Thresholds = PAPER) -> NDArray[np.bool_]:
    """Where in the picture the middle of a small box may be, shape (steps, steps), rows downwards."""
    at = (np.arange(_STEPS) + 0.5) / _STEPS
    across, down = np.meshgrid(at, at)
    corners = np.stack([across.ravel(), down.ravel()], axis=1) - _SMALL / 2
    edges, _ = extents(
        np.concatenate([corners, np.full(corners.shape, _SMALL)], axis=1), (1.0, 1.0)
    )
    return RULES[rule](edges, place, limits).reshape(_STEPS, _STEPS)


def _drawn(rule: str, places: tuple[str, ...], limits: Thresholds) -> str:
    def draw(figure: Figure) -> None:
        for axis, place in zip(
            np.ravel(figure.subplots(1, len(places), squeeze=False)), places, strict=True
        ):
            _panel(axis, rule, place, limits)

    return svg(draw, (3.4 * len(places), 2.9))


def _panel(axis: Axes, rule: str, place: str, limits: Thresholds) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Rectangle

    width, height = _SIZE
    axis.imshow(
        ground(rule, place, limits),
        extent=(0, width, height, 0),
        cmap=ListedColormap(["white", _GROUND]),
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    for x, y in _lines(rule, place, limits):
        if x is not None:
            axis.axvline(x * width, color="#555555", linewidth=0.8, linestyle="--")
        if y is not None:
            axis.axhline(y * height, color="#555555", linewidth=0.8, linestyle="--")
    for box, there in zip(_EXAMPLES[place], verdicts(rule, place, limits), strict=True):
        x, y, across, down = box
        axis.add_patch(
            Rectangle(
                (x * width, y * height),
                across * width,
                down * height,
                fill=False,
                edgecolor=_IN if there else _OUT,
                linestyle="-" if there else ":",
                linewidth=2,
            )
        )
        middle = ((x + across / 2) * width, (y + down / 2) * height)
        axis.plot(*middle, ".", color=_IN if there else _OUT, markersize=4)
    axis.set_title(f"{rule}: {place}")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.grid(visible=False)
    for spine in axis.spines.values():
        spine.set_visible(True)


def _lines(rule: str, place: str, limits: Thresholds) -> list[tuple[float | None, float | None]]:
    """The lines of the picture that a rule looks at."""
    if place == "middle":
        rim = limits.central / 2
        return [(0.5 - rim, 0.5 - rim), (0.5 + rim, 0.5 + rim)]
    found: list[tuple[float | None, float | None]] = [
        (
            limits.half if "left" in place else None,
            limits.half if "top" in place else None,
        )
    ]
    if (rule, place) == ("R2", "left"):
        found.append((limits.r2_outer, None))
    return found
