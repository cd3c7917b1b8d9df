"""Asking a player, after the dialogue, which attributes the target has: for those who show no state.

A player that has `elicit(views, asked)` says how likely each attribute is to be true of the target.
Another that can guess and answer is asked, as an oracle would be, about the thing that it points at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from referee.arena import guessing, stating
from referee.errors import UsageError
from referee.evaluations.grounding.asking import question
from referee.evaluations.grounding.gold import TASKS, Gold, Tasks
from referee.evaluations.grounding.probing import Probed
from referee.evaluations.result import Row
from referee.games import GuessWhat, Transcript, Turn
from referee.metrics import probing
from referee.metrics.probing import Labels
from referee.players.resolve import Player
from referee.players.seats import Query
from referee.randomness import Stream, key

Held: TypeAlias = tuple[GuessWhat, tuple[Turn, ...]]
Drawn: TypeAlias = dict[str, dict[str, bool]]
"""For each task the attributes asked about, and whether each is true."""

HALF = 0.5


@dataclass(frozen=True)
class Elicit:
    """About how many attributes of each kind, by which draws, and how precision is called."""

    count: int
    seed: int
    code: bool


def elicit(player: Player, gold: Gold, tasks: Tasks, how: Elicit) -> Probed:
    """The columns of each test game: scores over the attributes asked about, half of them true."""
    labels = {task: tasks.labels(task, gold) for task in TASKS if task != "abstract_situated"}
    asked = [_drawn(game, place, labels, tasks, how) for place, game in enumerate(gold.games)]
    lists = [
        list(dict.fromkeys(name for names in each.values() for name in names)) for each in asked
    ]
    said = _said(player, gold, lists, how.seed)
    found = Probed([{} for _ in gold.games])
    for row, each, names, values in zip(found.columns, asked, lists, said, strict=True):
        held = {name for name, value in zip(names, values, strict=True) if value > HALF}
        row["asked"] = names
        row["affirmed"] = [name for name in names if name in held]
        for task, of_task in each.items():
            if of_task:
                row.update(_scores(task, of_task, held, code=how.code))
    return found


def check(player: Player) -> None:
    """Refuses a player that cannot be asked about attributes."""
    asked, answers, *guesses = (
        callable(getattr(player.who, name, None))
        for name in ("elicit", "answer", "believe", "guess")
    )
    if not (asked or (answers and any(guesses))):
        raise UsageError(
            f"{player.name} cannot be asked about attributes: it has no elicit(), and does not both guess "
            "and answer"
        )


def _drawn(
    transcript: Transcript, place: int, labels: Mapping[str, Labels], tasks: Tasks, how: Elicit
) -> Drawn:
    """As many attributes that are true as not, of each kind."""
    game, _ = _dialogue(transcript)
    stream = Stream(key("elicit", how.seed, game.image, game.target, game.id))
    found: Drawn = {}
    for task, of_task in labels.items():
        names = tasks.of[task]
        held = of_task.columns[of_task.offsets[place] : of_task.offsets[place + 1]].tolist()
        rest = sorted(set(range(len(names))) - set(held))
        many = min(how.count // 2, len(held), len(rest))
        true, false = stream.sample(held, many), stream.sample(rest, many)
        found[task] = {names[column]: True for column in true}
        found[task] |= {names[column]: False for column in false}
    return found | {"abstract_situated": found["abstract"] | found["situated"]}


def _said(
    player: Player, gold: Gold, asked: Sequence[Sequence[str]], seed: int
) -> Iterator[Sequence[float]]:
    dialogues = [_dialogue(transcript) for transcript in gold.games]
    who = player.who
    if callable(getattr(who, "elicit", None)):
        return stating.elicited(dialogues, asked, player, seed)
    return _answered(player, dialogues, asked, seed)


def _answered(
    player: Player,
    dialogues: Sequence[Held],
    asked: Sequence[Sequence[str]],
    seed: int,
) -> Iterator[Sequence[float]]:
    """The probability of Yes about the thing at which the player points, attribute by attribute."""
    pointed = list(guessing.guesses(dialogues, player, seed))
    said = stating.affirmed(_queries(dialogues, pointed, asked, seed), player)
    for names in asked:
        yield list(islice(said, len(names)))


def _queries(
    dialogues: Sequence[Held], pointed: Sequence[str], asked: Sequence[Sequence[str]], seed: int
) -> Iterator[Query]:
    for (game, turns), thing, names in zip(dialogues, pointed, asked, strict=True):
        place = next(i for i, known in enumerate(game.scene.things) if known.id == thing)
        heard = tuple([Turn(turn.question, turn.answer) for turn in turns])
        for name in names:
            draw = key(seed, "elicit", game.id, name)
            yield Query(game.id, draw, game.scene, place, question(name), heard)


def _scores(task: str, asked: Mapping[str, bool], held: set[str], *, code: bool) -> Row:
    names = list(asked)
    gold, said = (
        Labels.of_rows([[place for place, name in enumerate(names) if true(name)]], len(names))
        for true in (asked.get, held.__contains__)
    )
    scores = probing.example_scores(gold, said)
    precision, recall = float(scores.precision[0]), float(scores.recall[0])
    if code:
        precision, recall = recall, precision
    return {
        f"elicited_f1_{task}": float(scores.f1[0]),
        f"elicited_precision_{task}": precision,
        f"elicited_recall_{task}": recall,
    }


def _dialogue(transcript: Transcript) -> Held:
    game = transcript.game
    assert isinstance(game, GuessWhat)  # noqa: S101 - read as such
    return game, transcript.turns
