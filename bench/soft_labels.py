"""Soft labels of 150,000 first turns, beside a Python loop that takes one object at a time.

The games are random: 3 to 20 boxes of COCO's categories in pictures of COCO's sizes, and the questions
of four kinds in equal parts (nobody has asked so much about places, but the rules are what costs). The
loop is written as one would write it: for each object its label, or the three rules with early ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from referee.annotate.soft_labels import (
    Answered,
    Asked,
    Candidates,
    Labels,
    candidates,
    label,
    parse,
)
from referee.annotate.soft_labels.concepts import UNSURE, YES, categories, truths
from referee.annotate.soft_labels.labelling import How
from referee.games import Box, Scene, Thing
from referee.metrics.belief.rules import PAPER
from timing import least_seconds

TURNS = 150_000
SECONDS_BAR, RATIO_BAR = 3.0, 50.0
HALF, RIM = PAPER.half, PAPER.central / 2
SIZES = ((640, 480), (480, 640), (640, 427), (500, 375))
SPATIAL = (
    *("is it on the left?", "on the right side?", "is it in the left half of the picture?"),
    *("is it at the top?", "in the bottom half?", "is it in the middle?", "top left?"),
    *("is it on the bottom right?", "in the right half?", "in the center of the photo?"),
)
NAMED = (
    *("is it a person?", "Is it an animal?", "is it food?", "a vehicle?", "is it furniture?"),
    *("is it a dog?", "is it a car?", "the chair?", "is it a bottle or a cup?", "is it alive?"),
)


@cache
def games() -> tuple[list[Scene], list[Asked | None], np.ndarray]:
    """The scenes, what is asked about each, and the answers."""
    random = np.random.default_rng(0)
    widths = random.integers(3, 21, TURNS)
    names = list(categories())
    kinds = random.integers(0, len(names), widths.sum()).tolist()
    corners = random.random((int(widths.sum()), 2)) * 0.9
    sides = 0.02 + random.random(corners.shape) * (0.98 - corners)
    scenes, begin = [], 0
    for number, width in enumerate(widths.tolist()):
        across, down = SIZES[number % len(SIZES)]
        things = tuple(
            Thing(str(place), names[kind], kind, Box(x * across, y * down, w * across, h * down))
            for place, (kind, (x, y), (w, h)) in enumerate(
                zip(
                    kinds[begin : begin + width],
                    corners[begin : begin + width].tolist(),
                    sides[begin : begin + width].tolist(),
                    strict=True,
                )
            )
        )
        scenes.append(Scene(str(number), across, down, things))
        begin += width
    texts = [SPATIAL, NAMED]
    asked = [
        parse(texts[which][place % len(texts[which])])
        for which, place in zip(
            random.integers(0, 2, TURNS).tolist(),
            random.integers(0, 1000, TURNS).tolist(),
            strict=True,
        )
    ]
    answers = random.integers(0, 2, TURNS).astype(np.int8)
    return scenes, asked, answers


def by_rules(box: Box, size: tuple[float, float], region: str) -> int:
    """How many of R1, R2 and R3 put one box there."""
    left, top = max(box.x / size[0], 0.0), max(box.y / size[1], 0.0)
    right = min((box.x + box.width) / size[0], 1.0)
    bottom = min((box.y + box.height) / size[1], 1.0)
    x, y = (left + right) / 2, (top + bottom) / 2
    if region == "middle":
        across = max(min(right, 0.75) - max(left, 0.25), 0.0) / (right - left)
        down = max(min(bottom, 0.75) - max(top, 0.25), 0.0) / (bottom - top)
        return (
            (across >= PAPER.r1_middle and down >= PAPER.r1_middle)
            + (across >= 1 - 1e-9 or down >= 1 - 1e-9)
            + (abs(x - HALF) <= RIM and abs(y - HALF) <= RIM)
        )
    shares = {
        "left": max(min(right, 0.5) - left, 0.0) / (right - left),
        "right": max(right - max(left, 0.5), 0.0) / (right - left),
        "top": max(min(bottom, 0.5) - top, 0.0) / (bottom - top),
        "bottom": max(bottom - max(top, 0.5), 0.0) / (bottom - top),
    }
    at = {"left": x < HALF, "right": x > HALF, "top": y < HALF, "bottom": y > HALF}
    side, _, other = region.partition(" ")
    if other in at:
        whole = shares[side] >= 1 - 1e-9 and shares[other] >= 1 - 1e-9
        return 2 * whole + (at[side] and at[other])
    share = shares[side]
    if side in ("top", "bottom"):
        return (share > PAPER.r1_side) + (share >= PAPER.r2_half) + at[side]
    outer = left < PAPER.r2_outer if side == "left" else right > 1 - PAPER.r2_outer
    second = share >= PAPER.r2_side and (outer or other == "half")
    return (share > PAPER.r1_side) + second + at[side]


def loop(
    scenes: Sequence[Scene], asked: Sequence[Asked | None], answers: Sequence[int]
) -> list[list[float] | None]:
    """The labels of each game, an object at a time; None where there is none."""
    places = categories()
    found: list[list[float] | None] = []
    rows = {each: truths(each.names) for each in set(asked) if each and each.type != "spatial"}
    for scene, each, answer in zip(scenes, asked, answers, strict=True):
        assert each is not None
        votes = []
        if each.type == "spatial":
            size, most = (scene.width, scene.height), 3
            for thing in scene.things:
                votes.append(by_rules(thing.box, size, each.names[0]))  # noqa: PERF401
        else:
            most, row = 1, rows[each]
            for thing in scene.things:
                votes.append(int(row[places[thing.category]]))  # noqa: PERF401
            if UNSURE in votes:
                found.append(None)
                continue
            votes = [int(vote == YES) for vote in votes]
        if not answer:
            votes = [most - vote for vote in votes]
        total = sum(votes)
        found.append([vote / total for vote in votes] if total else None)
    return found


def _equal(found: Labels, theirs: Sequence[list[float] | None]) -> None:
    """Every label is the loop's."""
    assert found.labelled.tolist() == [row is not None for row in theirs]
    flat = [value for row in theirs if row is not None for value in row]
    ours = found.probabilities[np.repeat(found.labelled, found.widths)]
    assert np.abs(ours - np.array(flat)).max() < 1e-12  # noqa: PLR2004 (another order of summation)


def _questions(*, places_only: bool) -> tuple[list[Scene], Answered]:
    scenes, asked, answers = games()
    if places_only:
        asked = [parse(SPATIAL[place % len(SPATIAL)]) for place in range(TURNS)]
    return scenes, Answered(np.arange(TURNS), asked, answers)


def case_seconds() -> dict[str, object]:
    """From scenes as they are read to distributions, the questions parsed."""
    scenes, questions = _questions(places_only=False)
    label(candidates(scenes), questions, How())
    seconds = least_seconds(lambda: label(candidates(scenes), questions, How()), 5)
    return {
        "name": f"soft labels of {TURNS:,} first turns, from scenes, the questions parsed",
        "value": round(seconds, 2),
        "bar": SECONDS_BAR,
        "unit": "s, at most",
        "passed": seconds <= SECONDS_BAR,
        "details": {"objects": sum(len(scene.things) for scene in scenes)},
    }


def case_ratio() -> dict[str, object]:
    """The three rules and the labels over arrays of boxes, beside the loop; every label equal."""
    known = candidates(games()[0])
    (theirs, ours), (theirs_mixed, ours_mixed) = (_beside(known, each) for each in (True, False))
    return {
        "name": f"soft labels of {TURNS:,} spatial first turns, beside a loop over objects",
        "value": round(theirs / ours, 1),
        "bar": RATIO_BAR,
        "unit": "x as fast, at least",
        "passed": theirs / ours >= RATIO_BAR,
        "details": {
            "loop, s": round(theirs, 2),
            "ours, s": round(ours, 3),
            "half of them about names: loop, s": round(theirs_mixed, 2),
            "half of them about names: ours, s": round(ours_mixed, 3),
            "labels equal": True,
        },
    }


def _beside(known: Candidates, places_only: bool) -> tuple[float, float]:
    scenes, questions = _questions(places_only=places_only)
    answers = questions.answers.tolist()
    _equal(label(known, questions, How()), loop(scenes, questions.asked, answers))
    theirs = least_seconds(lambda: loop(scenes, questions.asked, answers), 3)
    return theirs, least_seconds(lambda: label(known, questions, How()), 9)
