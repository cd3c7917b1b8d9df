"""The oracle in its seat answers as its network does, however its questions and things are put together."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pytest
import torch

from referee.games import Box, Scene, Thing
from referee.players.neural import oracle_player
from referee.players.neural.batches import seen, texts
from referee.players.neural.examples import fresh
from referee.players.neural.images import ImageFeatures
from referee.players.neural.oracle import GDSE_ORACLE, Oracle, OracleConfig, Things
from referee.players.neural.oracle_player import Given, NeuralOracle
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import Query

WORDS = Vocabulary(
    (
        "<padding>",
        "<start>",
        "<stop>",
        "<stop_dialogue>",
        "<unk>",
        "<yes>",
        "<no>",
        "<n/a>",
        "?",
        "is",
        "it",
        "a",
        "red",
        "dog",
    )
)
QUESTIONS = ("is it a dog?", "is it red?", "is it a red dog?", "red?", "dog?", "is it a cat?")


def scene(name: str, things: int) -> Scene:
    random = np.random.default_rng(things)
    boxes = random.uniform(1, 50, (things, 4)).tolist()
    kinds = random.integers(0, 91, things).tolist()
    return Scene(
        name,
        100,
        100,
        tuple(
            Thing(f"{name}{place}", "thing", kind, Box(*box))
            for place, (kind, box) in enumerate(zip(kinds, boxes, strict=True))
        ),
    )


def queries() -> list[Query]:
    """In no order, some twice, and not about every thing."""
    scenes = [scene("a", 3), scene("b", 5), scene("a", 3)]
    random = np.random.default_rng(0)
    return [
        Query("game", 0, shown, int(random.integers(len(shown.things))), str(question))
        for question in random.choice(QUESTIONS, 60)
        for shown in [scenes[random.integers(3)]]
    ]


class Drawn(ImageFeatures):
    """Features that follow from the id."""

    def __init__(self, long: int) -> None:
        self.long = long

    def of(self, ids: Sequence[str], games: Sequence[str]) -> torch.Tensor:
        """A row an id."""
        assert len(ids) == len(games)
        rows = [np.random.default_rng(crc32(name.encode())).random(self.long) for name in ids]
        return torch.tensor(np.array(rows), dtype=torch.float32)


IMAGES, CROPS = Drawn(3), Drawn(5)


def one_by_one(model: Oracle, asked: list[Query]) -> np.ndarray:
    rows = []
    for query in asked:
        shown = seen(query.scene, model.config.categories, query.game)
        place = slice(query.thing, query.thing + 1)
        things = Things(
            torch.from_numpy(shown.categories[place]),
            torch.from_numpy(shown.spatial[place]),
            IMAGES.of([query.scene.id], [query.game]) if model.config.image else None,
            CROPS.of([query.scene.things[query.thing].id], [query.game])
            if model.config.crop
            else None,
        )
        words = [WORDS.question(query.question, model.config.longest)]
        with torch.inference_mode():
            rows.append(model(texts(words), things).probabilities()[0].double().numpy())
    return np.array(rows)


@pytest.mark.parametrize(
    "config",
    [
        OracleConfig(word=6, hidden=8, category=4, layers=(7,)),
        OracleConfig("gdse", word=6, hidden=8, category=4, layers=GDSE_ORACLE.layers, longest=3),
        OracleConfig(word=6, hidden=8, category=0, layers=(7,)),
        OracleConfig(word=6, hidden=8, category=4, place=False, layers=(7,)),
        OracleConfig(word=6, hidden=8, category=4, layers=(7,), image=3, crop=5),
        OracleConfig(word=6, hidden=8, category=0, place=False, layers=(7,), crop=5),
    ],
)
@pytest.mark.parametrize("together", [1 << 14, 9])
def test_it_answers_as_its_network_does(
    monkeypatch: pytest.MonkeyPatch, config: OracleConfig, together: int
) -> None:
    monkeypatch.setattr(oracle_player, "_LOOKED_AT", together)
    model = fresh(0, lambda: Oracle(config, len(WORDS))).eval()
    asked = queries()
    images = (IMAGES if config.image else None, CROPS if config.crop else None)
    found = NeuralOracle(model, WORDS, Given(batch=7), images).answer(asked)
    np.testing.assert_allclose(found, one_by_one(model, asked), atol=1e-6)


def test_what_it_has_read_it_remembers_until_that_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Questions that come in several batches, whether they are known, new or forgotten."""
    monkeypatch.setattr(oracle_player, "_REMEMBERED", 4)
    config = OracleConfig(word=6, hidden=8, category=4, layers=(7,))
    model = fresh(0, lambda: Oracle(config, len(WORDS))).eval()
    player, asked = NeuralOracle(model, WORDS, Given()), queries()
    found = np.concatenate([player.answer(asked[start : start + 5]) for start in range(0, 60, 5)])
    np.testing.assert_allclose(found, one_by_one(model, asked), atol=1e-6)
    assert len(player._read.rows) <= 4 + 5


def test_no_queries_have_no_answers() -> None:
    model = fresh(0, lambda: Oracle(OracleConfig(word=6, hidden=8, category=4), len(WORDS)))
    assert NeuralOracle(model, WORDS, Given()).answer([]).shape == (0, 3)


def test_things_are_looked_at_for_so_many_queries_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many queries come at once, what is known of their things takes the same room."""
    monkeypatch.setattr(oracle_player, "_LOOKED_AT", 6)
    config = OracleConfig(word=6, hidden=8, category=4, layers=(7,))
    model, asked = fresh(0, lambda: Oracle(config, len(WORDS))).eval(), queries()
    looked, look = [], model.look_many

    def looking(things: Things) -> torch.Tensor:
        looked.append(len(things.categories))
        return look(things)

    monkeypatch.setattr(model, "look_many", looking)
    found = NeuralOracle(model, WORDS, Given(batch=4)).answer(asked)
    np.testing.assert_allclose(found, one_by_one(model, asked), atol=1e-6)
    assert len(looked) == 10
    assert max(looked) <= 6
