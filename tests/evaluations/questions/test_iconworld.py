"""With the perfect oracle every value is what sets over the scene graph give, counted here one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log2
from pathlib import Path
from statistics import fmean

import pytest

from referee.datasets import guesswhat
from referee.datasets.iconworld.language import answers
from referee.evaluations import evaluation, questions
from referee.games import Answer, Ask, GuessWhat, Transcript

Values = dict[str, float]


@pytest.fixture(scope="module")
def games(world: Path) -> list[Transcript]:
    """Games of simulated people, who err as people do; in every fifth the first turn comes again."""
    read = guesswhat.read(world / "guesswhat.valid.jsonl.gz")
    return [again(game) if number % 5 == 0 else game for number, game in enumerate(read)]


def again(game: Transcript) -> Transcript:
    turn = game.turns[0]
    more = (Ask(turn.question.upper()), Answer(turn.answer))
    return Transcript(game.game, (*game.events, *more), game.status)


@dataclass
class Judged:
    """What one game's questions did, as lists that grow turn by turn."""

    about: tuple[str, str]
    """Image and target."""
    effective: list[bool] = field(default_factory=list)
    referring: list[bool] = field(default_factory=list)
    in_context: list[bool] = field(default_factory=list)
    to_another: list[bool] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    oracle_right: list[bool] = field(default_factory=list)
    removed: bool = False
    efficiency: float = 0.0


def entropy(counts: Sequence[int]) -> float:
    total = sum(counts)
    return sum(-count / total * log2(count / total) for count in counts if count)


def by_sets(transcript: Transcript, *, dialogue: bool) -> Judged:
    """The definitions of section 3.2, word by word, with the truth of the scene as the oracle.

    Among equally likely things a split is worth what its sizes are, and what is told in all is the
    bits from all things to those that no answer contradicts; an answer that all contradict tells
    nothing.
    """
    game = transcript.game
    assert isinstance(game, GuessWhat)
    target = game.target
    everything = {thing.id for thing in game.scene.things}
    left, believed = set(everything), set(everything)
    found, said_before = Judged((game.image, target)), []
    asked_before: list[str] = []
    for turn in transcript.turns:
        told = answers(turn.question, game.scene) or ("N/A",) * len(everything)
        about = dict(zip((thing.id for thing in game.scene.things), told, strict=True))
        answer = turn.answer if dialogue else about[target]
        others = everything - {target}
        after = {thing for thing in left if about[thing] == answer}
        effective = after - {target} != left - {target}
        heard = {**about, target: answer}
        alone = [thing for thing in everything if heard[thing] == "Yes"]
        sole = len(alone) == 1 and all(heard[t] == "No" for t in everything - set(alone))
        found.effective.append(effective)
        found.referring.append(answer == "Yes" and all(about[thing] == "No" for thing in others))
        found.in_context.append(
            answer == "Yes" and all(about[thing] == "No" for thing in left - {target})
        )
        found.to_another.append(sole and alone != [target])
        found.gain.append(entropy(list(Counter(about[thing] for thing in believed).values())))
        sizes = range(len(believed) + 1)
        found.best.append(max(entropy([size, len(believed) - size]) for size in sizes))
        found.oracle_right.append(about[target] == turn.answer)
        plain = turn.question.lower().rstrip("? ")
        reason = "implied"
        if effective:
            reason = ""
        elif plain in asked_before:
            reason = "repeated"
        elif told in said_before:
            reason = "paraphrase"
        found.reasons.append(reason)
        asked_before.append(plain)
        said_before.append(told)
        left = after
        believed = {thing for thing in believed if about[thing] == answer} or believed
    found.removed = target not in left
    found.efficiency = 1 - log2(len(believed)) / log2(len(everything))
    return found


def expected(games: Sequence[Transcript], *, dialogue: bool) -> Values:
    judged = [by_sets(game, dialogue=dialogue) for game in games]
    share = [100 * fmean(found.effective) for found in judged]
    won = [game.status == "success" for game in games]
    lost = [game.status == "failure" for game in games]
    last = [found.referring[-1] for found in judged]
    first: dict[tuple[str, str], bool] = {}
    for found, right in zip(judged, won, strict=True):
        first.setdefault(found.about, right)
    values = {
        "task_success": 100 * fmean(won),
        "task_success_unique": 100 * fmean(first.values()),
        "n_questions": fmean(len(found.effective) for found in judged),
        "effectiveness": fmean(share),
        "effectiveness_success": fmean(s for s, w in zip(share, won, strict=True) if w),
        "effectiveness_failure": fmean(s for s, f in zip(share, lost, strict=True) if f),
        "last_effective": 100 * fmean(found.effective[-1] for found in judged),
        "last_referring": 100 * fmean(last),
        "last_referring_in_context": 100 * fmean(found.in_context[-1] for found in judged),
        "task_success_last_referring": 100 * fmean(w for w, r in zip(won, last, strict=True) if r),
        "task_success_last_not_referring": 100
        * fmean(w for w, r in zip(won, last, strict=True) if not r),
        "removed_target": 100 * fmean(found.removed for found in judged),
        "refers_to_target": 100 * fmean(turns(found.referring for found in judged)),
        "refers_to_another": 100 * fmean(turns(found.to_another for found in judged)),
        "information_gain": fmean(turns(found.gain for found in judged)),
        "best_gain": fmean(turns(found.best for found in judged)),
        "efficiency": fmean(found.efficiency for found in judged),
        "oracle_accuracy": 100
        * fmean(turns(f.oracle_right for f, w in zip(judged, won, strict=True) if w)),
    }
    reasons = list(turns(found.reasons for found in judged))
    for reason in ("repeated", "paraphrase", "implied"):
        values[f"redundancy_{reason}"] = 100 * reasons.count(reason) / len(reasons)
    by_turn: dict[int, list[bool]] = defaultdict(list)
    for found in judged:
        for number, effective in enumerate(found.effective, 1):
            by_turn[number].append(effective)
    return values | {f"effectiveness_turn_{n}": 100 * fmean(e) for n, e in by_turn.items()}


def turns(lists: Iterator[list]) -> Iterator:  # type: ignore[type-arg]
    return (each for one in lists for each in one)


@pytest.mark.parametrize("dialogue", [False, True])
def test_every_value_is_what_sets_over_the_scene_give(
    games: list[Transcript], dialogue: bool
) -> None:
    options = questions.Options(
        oracle="scripted:perfect-oracle", target_answer="dialogue" if dialogue else "oracle"
    )
    found = evaluation.judge(questions.EVALUATION, games, options).result.values
    wanted = expected(games, dialogue=dialogue)
    assert len(games) > 150
    assert {name: found[name].value for name in wanted} == pytest.approx(wanted)
    by_turn = {name for name in found if name.startswith("effectiveness_turn_")}
    assert by_turn == {name for name in wanted if name.startswith("effectiveness_turn_")}


def test_the_games_hold_what_the_definitions_tell_apart(games: list[Transcript]) -> None:
    """Else agreement would show little: every reason, both ends, targets that are lost, N/A answers."""
    paper, code = (expected(games, dialogue=dialogue) for dialogue in (False, True))
    for name in (
        "redundancy_repeated",
        "redundancy_paraphrase",
        "redundancy_implied",
        "refers_to_another",
    ):
        assert 0 < paper[name] < 100
    assert paper["removed_target"] == 0 < code["removed_target"]
    assert paper["effectiveness"] != pytest.approx(code["effectiveness"])
    assert paper["last_referring_in_context"] > paper["last_referring"]
    assert 90 < paper["oracle_accuracy"] < 100
