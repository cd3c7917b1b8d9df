"""VDST's network: what is looked at, how regions are tracked, and the published sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from referee.errors import UsageError
from referee.players.decoding import Decode
from referee.players.neural.batches import Heard, Objects
from referee.players.neural.decoding import Limits, generate
from referee.players.neural.examples import fresh
from referee.players.neural.guesser import parameters
from referee.players.neural.vdst import VDST, Difference, VDSTConfig
from referee.players.neural.vocabulary import NO, START, YES

WORDS = 20
STOP = 12
CONFIG = VDSTConfig(regions=5, region=7, word=6, hidden=10, visual=8, joint=9)
DIALOGUES = [
    Heard((([9, 10, 12], NO), ([9, 11, 13, 12], YES))),
    Heard(()),
    Heard((([14, 12], YES),)),
    Heard((([10, 11, 12], NO), ([9, 12], NO), ([15, 16, 12], YES))),
]
TURN = st.tuples(
    st.lists(st.integers(8, WORDS - 1), min_size=1, max_size=4), st.sampled_from([NO, YES])
)
TALK = st.lists(st.lists(TURN, max_size=4), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def model() -> VDST:
    return loud(CONFIG)


def loud(config: VDSTConfig) -> VDST:
    """A network whose regions differ, and whose words do."""
    made = fresh(3, lambda: VDST(config, WORDS)).eval()
    with torch.no_grad():
        for weights in made.parameters():
            weights.mul_(3)
        made.image.weight.mul_(8)
    return made


def regions(rows: int, seed: int = 1) -> Tensor:
    torch.manual_seed(seed)
    return torch.rand(rows, CONFIG.regions, CONFIG.region)


def nothing(rows: int) -> Objects:
    return Objects(
        torch.zeros(rows, 1, dtype=torch.long), torch.zeros(rows, 1, 8), torch.ones(rows, 1) > 0
    )


def test_a_region_is_looked_at_for_its_differences_to_all_others() -> None:
    """The short sum is that of the table of all differences."""
    attention = fresh(2, lambda: Difference(CONFIG))
    with torch.no_grad():
        attention.weight.normal_(std=0.5)
        attention.bias.normal_()
    weighed = torch.randn(3, CONFIG.regions, CONFIG.visual)
    table = weighed[:, :, None] * (weighed[:, :, None] - weighed[:, None])
    flat = attention.weight.flatten(0, 1)
    scores = table.flatten(2) @ flat + attention.bias
    shares = (scores / CONFIG.visual**0.5).softmax(dim=1)
    glimpses = [shares[:, None, :, k] @ weighed for k in range(CONFIG.glimpses)]
    expected = attention.join(torch.cat(glimpses, dim=2)[:, 0])
    torch.testing.assert_close(attention(weighed), expected)


def by_hand(model: VDST, heard: Heard, seen: Tensor) -> tuple[list[Tensor], list[Tensor]]:
    """The scores before each word, and the state of the regions over time, of one game by itself."""
    chances = torch.full((CONFIG.regions,), 1 / CONFIG.regions)
    states, scores = [chances], []
    memory = torch.zeros(1, 1, CONFIG.hidden), torch.zeros(1, 1, CONFIG.hidden)
    mark = START
    for question, answer in heard.turns:
        weighed = seen * chances[:, None]
        visual = model.difference(weighed[None])
        for word in [mark, *question]:
            entering = torch.cat([model.words(torch.tensor([word])), visual], dim=1)
            out, memory = model.lstm(entering[None], memory)
            scores.append(model.next(out[0, 0]))
        scores.pop()  # what follows the question is its answer, which is heard and not said
        said = torch.cat([memory[0][0, 0], model.words(torch.tensor(answer))])
        seen_side = torch.tanh(weighed @ model.matching.seen.weight.T)
        said_side = torch.tanh(model.matching.said.weight @ said)
        fits = (seen_side * said_side) @ model.matching.score.weight[0]
        fits = (fits + model.matching.score.bias) / CONFIG.joint**0.5
        chances = chances * fits.softmax(dim=0) + 1e-5
        chances = chances / chances.sum()
        states.append(chances)
        mark = answer
    return scores, states


@torch.no_grad()
def test_dialogues_are_followed_as_they_are_one_by_one(model: VDST) -> None:
    """Longer and shorter ones together, in their order, word by word and turn by turn."""
    seen = model.look(regions(len(DIALOGUES)))
    followed = model.follow(DIALOGUES, seen)
    logits = model.next(followed.states)
    assert followed.chances.shape == (4, 4, CONFIG.regions)
    for game, heard in enumerate(DIALOGUES):
        scores, states = by_hand(model, heard, seen[game])
        mine = followed.games == game
        said = [word for question, _ in heard.turns for word in question]
        assert followed.words[mine].tolist() == said
        if scores:
            torch.testing.assert_close(logits[mine], torch.stack(scores))
        for time in range(4):
            expected = states[min(time, len(states) - 1)]
            torch.testing.assert_close(followed.chances[game, time], expected)
    assert float(followed.chances[0, -1].max()) > 0.3  # the answers tell regions apart


@settings(max_examples=25, deadline=None)
@given(talk=TALK)
@torch.no_grad()
def test_the_state_of_the_regions_is_a_distribution_and_knows_nothing_of_other_games(
    talk: list[list[tuple[list[int], int]]],
) -> None:
    model = loud(CONFIG)
    dialogues = [Heard(tuple(turns)) for turns in talk]
    seen = model.look(regions(len(dialogues), seed=4))
    followed = model.follow(dialogues, seen)
    torch.testing.assert_close(followed.chances.sum(2), torch.ones(followed.chances.shape[:2]))
    assert float(followed.chances.min()) > 0
    for game, heard in enumerate(dialogues):
        alone = model.follow([heard], seen[game : game + 1])
        torch.testing.assert_close(alone.chances[0, -1], followed.chances[game, -1])
        for mine, theirs in ((alone.hidden, followed.hidden), (alone.cell, followed.cell)):
            torch.testing.assert_close(mine[0], theirs[game], rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_a_question_is_asked_with_the_words_scores_of_training(model: VDST) -> None:
    """The scores of the words of a next question, said one by one, are those when it is heard."""
    images = regions(len(DIALOGUES))
    shorter = [Heard(heard.turns[:-1]) for heard in DIALOGUES if heard.turns]
    kept = [place for place, heard in enumerate(DIALOGUES) if heard.turns]
    followed = model.follow([DIALOGUES[it] for it in kept], model.look(images[kept]))
    last, memory = model.open(shorter, nothing(3), images[kept])
    for row, place in enumerate(kept):
        question, _ = DIALOGUES[place].turns[-1]
        expected = model.next(followed.states[followed.games == row][-len(question) :])
        word, held = last[row : row + 1], tuple(it[row : row + 1] for it in memory)
        for number, said in enumerate(question):
            scores, held = model.step(word, held)
            torch.testing.assert_close(scores[0], expected[number])
            word = torch.tensor([said])


@pytest.mark.parametrize("how", ["greedy", "sample", "beam"])
def test_questions_do_not_depend_on_the_batch(model: VDST, how: str) -> None:
    images = regions(len(DIALOGUES))
    way = Decode(how, 3)  # type: ignore[arg-type]
    limits = Limits(8, (STOP,))
    last, memory = model.open(DIALOGUES, nothing(4), images)
    together = generate(model.step, last, memory, way, limits, [5, 6, 7, 8])
    for row in range(4):
        last, memory = model.open(DIALOGUES[row : row + 1], nothing(1), images[row : row + 1])
        alone = generate(model.step, last, memory, way, limits, [5 + row])
        assert alone == together[row : row + 1]
    assert len(set(map(tuple, together))) > 1


@torch.no_grad()
def test_the_standing_is_what_the_next_question_begins_from(model: VDST) -> None:
    """Its LSTM's state is the one from which the first word of the next question is said."""
    images = regions(len(DIALOGUES))
    found = model.standing(DIALOGUES, images)
    last, memory = model.open(DIALOGUES, nothing(4), images)
    scores, _ = model.step(last, memory)
    torch.testing.assert_close(model.next(found.hidden), scores)
    torch.testing.assert_close(found.visual, memory[2])
    followed = model.follow(DIALOGUES, model.look(images))
    torch.testing.assert_close(found.chances, followed.chances[:, -1])


def test_without_regions_it_asks_for_them(model: VDST) -> None:
    with pytest.raises(UsageError, match="regions"):
        model.open(DIALOGUES, nothing(4), None)


def test_the_published_sizes() -> None:
    """With GDSE's 4,901 words 8,953,628 numbers in the code; a PyTorch LSTM has its biases twice."""
    with torch.device("meta"):
        paper = VDST(VDSTConfig(), 4901)
        rewarded = VDST(replace(VDSTConfig(), baseline=128), 4901)
    of_code = {
        "words": 4901 * 512,
        "image": (2048 + 8) * 300 + 300,
        "difference": 36 * 300 * 2 + 2 + (2 * 300 * 300 + 300),
        "lstm": (512 + 300 + 512) * 4 * 512 + 4 * 512,
        "matching": 300 * 300 + (512 + 512) * 300 + (300 + 1),
        "next": 512 * 4901 + 4901,
    }
    assert sum(of_code.values()) == 8_953_628
    for name, module in paper.named_children():
        assert parameters(module) == of_code[name] + (4 * 512 if name == "lstm" else 0)
    assert parameters(rewarded) - parameters(paper) == 512 * 128 + 128 + 128 + 1


def test_it_begins_as_the_code_does() -> None:
    """Small word vectors, no biases, and an LSTM that forgets little at first."""
    fresh_one = fresh(0, lambda: VDST(CONFIG, WORDS))
    assert float(fresh_one.words.weight.detach().abs().max()) <= 0.08
    size = CONFIG.hidden
    bias = fresh_one.lstm.get_parameter("bias_ih_l0") + fresh_one.lstm.get_parameter("bias_hh_l0")
    assert bias[size : 2 * size].tolist() == [1] * size
    assert float(bias.detach().abs().sum()) == size
    for layer in (fresh_one.image, fresh_one.next, fresh_one.difference.join):
        assert isinstance(layer, nn.Linear)
        assert not layer.bias.detach().any()
    assert bool(fresh_one.difference.weight.detach().any())
