"""What needs no oracle, and the oracle's accuracy by type, counted by plain loops over a world's games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import pytest

from referee.datasets import guesswhat
from referee.datasets.iconworld.language import answers
from referee.evaluations import evaluation, questions
from referee.games import GuessWhat, Transcript, Turn
from referee.metrics.question_types import (
    SUBTYPES,
    TYPES,
    coarse_type,
    is_order,
    keywords,
    location_subtype,
    question_types,
)

Shares = dict[str, list[bool]]
EXACT = keywords("exact")
ANSWERED = {"Yes": "yes", "No": "no", "N/A": "na"}


@pytest.fixture(scope="module")
def games(world: Path) -> list[Transcript]:
    return list(guesswhat.read(world / "guesswhat.valid.jsonl.gz"))


def kinds(question: str) -> dict[str, bool]:
    """Every type that there is, and whether the question is of it."""
    found = question_types(question, EXACT)
    subtype = location_subtype(question, EXACT)
    return {
        **{kind: kind in found for kind in TYPES},
        "entity": "object" in found or "super_category" in found,
        "order": is_order(question, EXACT),
        **{f"location_{kind}": kind == subtype for kind in SUBTYPES},
    }


def right(game: GuessWhat, turn: Turn) -> bool:
    """Whether what was said about the target is so in the scene."""
    told = answers(turn.question, game.scene)
    return (told[game.target_index] if told else "N/A") == turn.answer


def by_loops(games: Sequence[Transcript]) -> dict[str, float]:
    values: Shares = {"location_turns": []}
    for turn in every(games):
        for kind, is_so in kinds(turn.question).items():
            values.setdefault(f"type_{kind}", []).append(is_so)
        values["location_turns"].append(kinds(turn.question)["location"])
    for transcript in games:
        if transcript.status != "success":
            continue
        game = transcript.game
        assert isinstance(game, GuessWhat)
        for turn in transcript.turns:
            of = ["", ANSWERED[turn.answer], *(k for k, so in kinds(turn.question).items() if so)]
            for kind in of:
                name = f"oracle_accuracy_{kind}".rstrip("_")
                values.setdefault(name, []).append(right(game, turn))
    for name, shifts in shifted(games).items():
        values[name] = shifts
    return {name: 100 * fmean(found) for name, found in values.items()}


def every(games: Sequence[Transcript]) -> Iterator[Turn]:
    return (turn for transcript in games for turn in transcript.turns)


def shifted(games: Sequence[Transcript]) -> Shares:
    found: Shares = {"shift_super_to_object_or_attribute": [], "shift_object_to_attribute": []}
    for transcript in games:
        for turn, after in zip(transcript.turns, transcript.turns[1:], strict=False):
            if turn.answer != "Yes":
                continue
            here, there = (coarse_type(each.question, EXACT) for each in (turn, after))
            if here == "super_category":
                found["shift_super_to_object_or_attribute"].append(there in ("object", "attribute"))
            if here == "object":
                found["shift_object_to_attribute"].append(there == "attribute")
    return found


def test_every_type_shift_and_accuracy_is_what_loops_count(games: list[Transcript]) -> None:
    options = questions.Options(oracle="scripted:perfect-oracle")
    found = evaluation.judge(questions.EVALUATION, games, options).result.values
    wanted = by_loops(games)
    assert len(wanted) > 30
    assert {name: found[name].value for name in wanted} == pytest.approx(wanted)
    told = ("type_", "oracle_accuracy", "shift_")
    rest = [name for name in found if name.startswith(told) and name not in wanted]
    assert {found[name].value for name in rest} == {None}


def test_diversity_vocabulary_and_repetition_are_what_sets_count(games: list[Transcript]) -> None:
    found = evaluation.judge(questions.EVALUATION, games).result.values
    asked = [turn.question for turn in every(games)]
    tokens = [token for text in asked for token in re.findall(r"[\w'-]+|\?", text.lower())]
    by_game = [[turn.question for turn in game.turns] for game in games]
    wanted = {
        "lexical_diversity": 100 * len(set(tokens)) / len(tokens),
        "question_diversity": 100 * len(set(asked)) / len(asked),
        "vocabulary": len({word for text in asked for word in text.lower().split(" ")}),
        "repeated_games": 100 * fmean(len(set(each)) < len(each) for each in by_game),
    }
    assert {name: found[name].value for name in wanted} == pytest.approx(wanted)
