"""An oracle asked every question about every object, beside a loop that puts each pair through the network.

5,000 games of 3 to 13 objects and 2 to 10 questions; of the questions 0.7 are distinct, as people's are.
A question has 4 to 8 words with its mark (people's have 6) of 4,901, some much commoner than others, and
begins like another question: of the beginnings of 287 distinct ones, 0.73 are distinct; of as many of
people's (the hundred human games), 0.55, which would be easier for us.
The network is the oracle of de Vries et al. at the paper's size, with fresh weights: what it costs does
not depend on what it has learned. The loop calls the same network, game by game, on all of the game's
pairs of question and object at once, as the published code does; it is timed on every twentieth game and
multiplied by twenty. Ours is the sweep of `referee evaluate questions`, over all games. Both run on one
thread and are told in seconds of the processor, so that what else the machine does counts for neither.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from referee.datasets.gdse_vocabulary import MARKS
from referee.evaluations.oracle import Sweep, Swept
from referee.games import Box, Scene, Thing
from referee.players.neural.batches import seen, texts
from referee.players.neural.examples import fresh
from referee.players.neural.oracle import Oracle, OracleConfig, Things
from referee.players.neural.oracle_player import Given, NeuralOracle
from referee.players.neural.vocabulary import Vocabulary
from referee.players.resolve import resolve

GAMES, DISTINCT, WORDS = 5000, 0.7, 4901
EVERY = 20
"""Of so many games one is put through the loop."""
BAR = 15
TIMES = 3
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Game:
    """A scene and what is asked about it."""

    scene: Scene
    questions: list[str]


def vocabulary() -> Vocabulary:
    """As many words as GDSE's vocabulary has."""
    return Vocabulary((*MARKS, "?", *(f"w{number}" for number in range(WORDS - len(MARKS) - 1))))


def games() -> list[Game]:
    """Scenes with questions, of which a share comes more than once."""
    random = np.random.default_rng(0)
    counts = random.integers(2, 9, GAMES) + random.integers(0, 3, GAMES)
    total = int(counts.sum())
    distinct = _distinct(round(DISTINCT * total), random)
    again = random.choice(len(distinct), total - len(distinct))
    asked = [*distinct, *(distinct[place] for place in again)]
    asked = [asked[place] for place in random.permutation(total)]
    places = np.split(np.arange(total), counts.cumsum()[:-1])
    return [
        Game(_scene(number, random), [asked[place] for place in some])
        for number, some in enumerate(places)
    ]


def _distinct(count: int, random: np.random.Generator) -> list[str]:
    """So many questions, none like another, each with the beginning of one before it."""
    known = vocabulary().words[len(MARKS) + 1 :]
    common = 1 / np.arange(1, len(known) + 1)
    drawn = iter(random.choice(len(known), 10 * count, p=common / common.sum()).tolist())
    made: set[tuple[str, ...]] = set()
    earlier: list[tuple[str, ...]] = [("is",)]
    while len(made) < count:
        length = int(random.integers(3, 6) + random.integers(0, 3))
        other = earlier[random.integers(len(earlier))]
        begun = other[: min(length - 1, random.integers(len(other) + 1, size=2).max())]
        words = (*begun, *(known[next(drawn)] for _ in range(length - len(begun))))
        if words not in made:
            made.add(words)
            earlier.append(words)
    return [" ".join(words) + " ?" for words in earlier[1:]]


def _scene(number: int, random: np.random.Generator) -> Scene:
    size = int(random.integers(3, 9) + random.integers(0, 6))
    boxes = random.uniform(1, 200, (size, 4))
    kinds = random.integers(1, 91, size)
    things = tuple(
        Thing(f"{number}-{place}", "thing", int(kind), Box(*box.tolist()))
        for place, (kind, box) in enumerate(zip(kinds, boxes, strict=True))
    )
    return Scene(str(number), 400, 400, things)


@torch.inference_mode()
def loop(model: Oracle, words: Vocabulary, played: Sequence[Game]) -> list[NDArray[np.float64]]:
    """Every pair of a game's questions and objects as a row of one batch: [question, object, 3] a game."""
    found = []
    for game in played:
        scene = seen(game.scene, model.config.categories, game.scene.id)
        objects, asked = len(scene), len(game.questions)
        rows = [words.question(question, model.config.longest) for question in game.questions]
        questions = texts([row for row in rows for _ in range(objects)])
        categories = torch.from_numpy(np.tile(scene.categories, asked))
        places = torch.from_numpy(np.tile(scene.spatial, (asked, 1)))
        answers = model(questions, Things(categories, places)).probabilities()
        found.append(answers.reshape(asked, objects, 3).double().numpy())
    return found


def sweep(model: Oracle, words: Vocabulary, played: Sequence[Game]) -> tuple[Swept, list[int]]:
    """What `referee evaluate questions` asks; the player is new, and remembers nothing."""
    collected = Sweep()
    numbers = [collected.add(game.scene, each) for game in played for each in game.questions]
    return collected.ask(resolve(NeuralOracle(model, words, Given()))), numbers


def case_oracle_sweep() -> dict[str, object]:
    """Every object and every question of 5,000 games, beside the loop over pairs."""
    words = vocabulary()
    model = fresh(0, lambda: Oracle(OracleConfig(), len(words))).eval()
    played = games()
    some = played[::EVERY]
    questions = [question for game in played for question in game.questions]
    ours, theirs = [], []
    torch.set_num_threads(1)
    for _ in range(TIMES):
        started = time.process_time()
        swept, numbers = sweep(model, words, played)
        ours.append(time.process_time() - started)
        started = time.process_time()
        looped = loop(model, words, some)
        theirs.append((time.process_time() - started) * len(played) / len(some))
    _equal(swept, numbers, played, looped)
    ratio = min(theirs) / min(ours)
    return {
        "name": "oracle sweep of 5,000 games, beside a loop over pairs batched by game",
        "value": round(ratio, 1),
        "bar": BAR,
        "unit": "x as fast, at least",
        "passed": ratio >= BAR,
        "details": {
            "pairs": sum(len(game.scene.things) * len(game.questions) for game in played),
            "questions": len(questions),
            "distinct": round(len(set(questions)) / len(questions), 3),
            "ours, processor seconds": round(min(ours), 2),
            "the loop, processor seconds (every twentieth game, times twenty)": round(
                min(theirs), 1
            ),
        },
    }


def _equal(
    swept: Swept,
    numbers: Sequence[int],
    played: Sequence[Game],
    looped: Sequence[NDArray[np.float64]],
) -> None:
    """Probabilities within a tolerance, and equal answers but where two are that near to each other."""
    first = np.cumsum([0, *(len(game.questions) for game in played)])
    for place, theirs in zip(range(0, len(played), EVERY), looped, strict=True):
        chosen = np.array(numbers[first[place] : first[place + 1]])
        cells = swept.cells(chosen)
        ours = swept.probabilities[cells].reshape(theirs.shape)
        assert np.abs(ours - theirs).max() < TOLERANCE, f"game {place}: other probabilities"
        two = np.sort(theirs, axis=2)
        clear = (two[:, :, 2] - two[:, :, 1] > TOLERANCE).ravel()
        same = swept.answers[cells] == theirs.argmax(axis=2).ravel()
        assert same[clear].all(), f"game {place}: other answers"
