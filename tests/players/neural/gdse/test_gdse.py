"""GDSE's network: one state, read once for all prefixes; words of a question; the published sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch

from referee.players.decoding import Decode
from referee.players.neural.batches import Heard, texts
from referee.players.neural.decoding import Limits, generate
from referee.players.neural.examples import fresh
from referee.players.neural.gdse import GDSE, GDSEConfig, told
from referee.players.neural.guesser import parameters
from referee.players.neural.vocabulary import NO, START, YES

WORDS = 20
STOP = 12
DIALOGUES = [
    Heard((([9, 10, 12], NO), ([9, 11, 13, 12], YES))),
    Heard((([14, 12], YES),)),
    Heard((([10, 11, 12], NO), ([9, 12], NO), ([15, 16, 12], YES))),
]


@pytest.fixture
def model(small: GDSEConfig) -> GDSE:
    made = fresh(3, lambda: GDSE(small, WORDS)).eval()
    with torch.no_grad():  # so that the words of a question differ, and the questions
        made.qgen.next.weight.mul_(8)
        made.encoder.state.weight.mul_(8)
    return made


def images(rows: int) -> torch.Tensor:
    torch.manual_seed(1)
    return torch.rand(rows, 5)


def alone(model: GDSE, heard: Heard, turns: int, image: torch.Tensor) -> torch.Tensor:
    """The state after some turns, of a dialogue that ends there."""
    cut = Heard(heard.turns[:turns])
    read = texts([cut.words(end=False, longest=model.config.guesser.longest)])
    state: torch.Tensor = model.encoder(read, image[None])[0]
    return state


@pytest.mark.parametrize("longest", [200, 7])
def test_every_prefix_has_the_state_of_a_dialogue_that_ends_there(
    small: GDSEConfig, longest: int
) -> None:
    """Also where a dialogue is longer than is read, and loses its first words."""
    config = replace(small, guesser=replace(small.guesser, longest=longest))
    model = fresh(3, lambda: GDSE(config, WORDS)).eval()
    prefixes = [(2, 3), (0, 0), (0, 2), (2, 1), (1, 1), (0, 1)]
    seen = images(len(prefixes))
    found = model.states(DIALOGUES, prefixes, seen)
    for row, (place, turns) in enumerate(prefixes):
        expected = alone(model, DIALOGUES[place], turns, seen[row])
        torch.testing.assert_close(found[row], expected)


def test_prefixes_of_a_dialogue_are_one_text() -> None:
    rows, ends = told(DIALOGUES, [(0, 1), (0, 2), (2, 0), (0, 0)], 200)
    assert rows == [[START, 9, 10, 12, NO, 9, 11, 13, 12, YES], [START]]
    assert ends == [(0, 4), (0, 9), (1, 0), (0, 0)]


def test_a_question_costs_what_its_words_cost_one_by_one(model: GDSE) -> None:
    questions = [[9, 10, 12], [14, 12]]
    seen = images(2)
    states = model.states(DIALOGUES, [(0, 1), (1, 0)], seen)
    found = model.qgen.nats(states, seen, texts(questions))
    expected = []
    for row, question in enumerate(questions):
        memory = model.qgen.remember(states[row : row + 1], seen[row : row + 1])
        last = torch.tensor([START])
        for word in question:
            scores, memory = model.qgen.step(last, memory)
            expected.append(-scores.log_softmax(1)[0, word])
            last = torch.tensor([word])
    torch.testing.assert_close(found, torch.stack(expected))


def greedy(model: GDSE, state: torch.Tensor, image: torch.Tensor, longest: int) -> list[int]:
    """The likeliest word, over and over, without any batch or library."""
    memory = model.qgen.remember(state, image)
    said = [START]
    while len(said) <= longest and said[-1] != STOP:
        scores, memory = model.qgen.step(torch.tensor(said[-1:]), memory)
        said.append(int(scores[0].argmax()))
    return said[1:]


def test_greedy_questions_are_the_likeliest_word_at_each_step(model: GDSE) -> None:
    prefixes = [(place, 1) for place in range(3)]
    seen = images(3)
    states = model.states(DIALOGUES, prefixes, seen)
    first = torch.full((3,), START)
    memory = model.qgen.remember(states, seen)
    found = generate(model.qgen.step, first, memory, Decode("greedy"), Limits(12, (STOP,)))
    expected = [greedy(model, states[row, None], seen[row, None], 12) for row in range(3)]
    assert found == expected
    assert len(set(map(tuple, found))) > 1


def test_dropout_falls_on_the_image_alone(small: GDSEConfig) -> None:
    """In training, states differ from draw to draw only where there is an image to drop."""
    config = replace(small, guesser=replace(small.guesser, dropout=0.5))
    model = fresh(3, lambda: GDSE(config, WORDS)).train()

    def states(seen: torch.Tensor) -> Sequence[torch.Tensor]:
        return [model.states(DIALOGUES, [(0, 2)], seen).detach() for _ in range(6)]

    dark, *others = states(torch.zeros(1, 5))
    assert all(torch.equal(dark, other) for other in others)
    seen = torch.ones(1, 5)
    assert len({float(state.sum()) for state in states(seen)}) > 1
    assert len({float(model.qgen.look(seen).detach().sum()) for _ in range(9)}) > 1


def test_the_published_sizes() -> None:
    """Encoder, guesser and decider have the 10.95 M that are published for the V-LSTM guesser."""
    with torch.device("meta"):
        paper = GDSE(GDSEConfig(), 4901)
        decided = GDSE(GDSEConfig(replace(GDSEConfig().guesser, decider=True)), 4901)
    assert round(parameters(decided.guesser) / 1e6, 2) == 10.95
    assert parameters(decided) - parameters(paper) == parameters(decided.guesser.decider)
    qgen = {name: tuple(tensor.shape) for name, tensor in paper.qgen.state_dict().items()}
    assert qgen["words.weight"] == (4901, 512)
    assert qgen["image.weight"] == (512, 2048)
    assert qgen["lstm.weight_ih_l0"] == (4 * 512, 1024)
    assert qgen["next.weight"] == (4901, 512)
