"""Texts out of a network: three ways to choose words, limits, and rows that do not know of one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import log, sqrt

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import one_hot

from referee.errors import SeatError
from referee.players.decoding import Decode
from referee.players.neural.decoding import Limits, Memory, NoNumbers, generate
from referee.randomness import key

GREEDY, SAMPLE = Decode("greedy"), Decode("sample")
WORDS, STOP = 5, 4
FEW = settings(max_examples=20)
LIMITS = Limits(4, (STOP,))


class Network:
    """An untrained recurrent network: every history has scores of its own."""

    def __init__(self, seed: int) -> None:
        draw = torch.Generator().manual_seed(seed)
        sizes = ((WORDS, 8), (8, 8), (8, WORDS))
        self.words, self.turn, self.next = (
            torch.randn(size, generator=draw, dtype=torch.float64) for size in sizes
        )

    def step(self, last: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """Scores that hang on all words so far."""
        state = torch.tanh(memory[0] @ self.turn + self.words[last])
        return state @ self.next, (state,)


def start(rows: int, seed: int = 0) -> tuple[Tensor, Memory]:
    """First words and memories, a different one for each row."""
    torch.manual_seed(seed)
    return torch.arange(rows) % WORDS, (torch.randn(rows, 8).double(),)


def texts(
    network: Network,
    how: Decode,
    limits: Limits = LIMITS,
    rows: Sequence[int] = range(6),
    seed: int = 0,
) -> list[list[int]]:
    first, (memory,) = start(6, seed)
    kept = torch.tensor(rows, dtype=torch.long)
    keys = [key("row", row) for row in rows]
    return generate(network.step, first[kept], (memory[kept],), how, limits, keys)


def mean_log_p(
    network: Network, row: int, whole: Sequence[Sequence[int]], seed: int
) -> list[float]:
    """The mean log p of the words of each of some texts, reckoned without a beam."""
    first, (memory,) = start(6, seed)
    last, state = first[row].expand(len(whole)), memory[row].expand(len(whole), -1)
    sums = [0.0] * len(whole)
    for place in range(max(map(len, whole))):
        logits, (state,) = network.step(last, (state,))
        scores = logits.log_softmax(1).tolist()
        for number, text in enumerate(whole):
            sums[number] += scores[number][text[place]] if place < len(text) else 0.0
        last = torch.tensor([text[place] if place < len(text) else 0 for text in whole])
    return [total / len(text) for total, text in zip(sums, whole, strict=True)]


def every_text(limits: Limits) -> list[tuple[int, ...]]:
    """All texts that the limits allow: those that end, and those that are cut."""
    open_ = [word for word in range(WORDS) if word not in limits.stops]
    ended = [
        (*head, stop)
        for length in range(limits.longest)
        for head in product(open_, repeat=length)
        for stop in limits.stops
    ]
    return ended + list(product(open_, repeat=limits.longest))


@FEW
@given(st.integers(0, 1000))
def test_a_beam_of_width_one_is_greedy(seed: int) -> None:
    network = Network(seed)
    assert texts(network, Decode("beam", 1)) == texts(network, GREEDY)


@FEW
@given(st.integers(0, 1000))
def test_a_beam_of_full_width_finds_the_best_of_all_texts(seed: int) -> None:
    network, limits = Network(seed), Limits(3, (STOP,))
    whole = every_text(limits)
    found = texts(network, Decode("beam", len(whole)), limits, seed=seed)
    for row, text in enumerate(found):
        means = mean_log_p(network, row, whole, seed)
        assert tuple(text) == whole[means.index(max(means))]


@FEW
@given(st.integers(0, 300), st.integers(1, 4))
def test_a_wider_beam_never_leaves_the_vocabulary_nor_the_limits(seed: int, width: int) -> None:
    limits = Limits(4, (STOP,), (0, 2))
    for text in texts(Network(seed), Decode("beam", width), limits):
        assert 1 <= len(text) <= 4
        assert STOP not in text[:-1]
        assert not {0, 2} & set(text)


def test_a_beam_is_not_greedy_where_a_likely_word_leads_nowhere() -> None:
    """After word 0 (0.6) both go on at 0.5; after word 1 (0.4) one is certain: 0.4 beats 0.3."""
    after = {3: [0.6, 0.4, 0, 0], 0: [0, 0, 0.5, 0.5], 1: [0, 0, 1.0, 0]}
    table = torch.full((4, 4), -50.0).double()
    for word, chances in after.items():
        table[word] = torch.tensor([log(p) if p else -50.0 for p in chances]).double()

    def step(last: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return table[last], memory

    first, limits = torch.tensor([3]), Limits(2)
    assert generate(step, first, (), GREEDY, limits)[0][0] == 0
    assert generate(step, first, (), Decode("beam", 3), limits) == [[1, 2]]


@pytest.mark.parametrize("how", [GREEDY, SAMPLE, Decode("beam", 3)])
@FEW
@given(st.integers(0, 200), st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True))
def test_a_text_does_not_depend_on_its_batch(how: Decode, seed: int, rows: list[int]) -> None:
    network = Network(seed)
    together = texts(network, how)
    assert texts(network, how, rows=rows) == [together[row] for row in rows]


def test_many_rows_of_a_wide_beam_wait_for_one_another() -> None:
    """More texts than are kept at once give the same as each row by itself."""
    network = Network(3)
    first, (memory,) = start(700)
    together = generate(network.step, first, (memory,), Decode("beam", 7), LIMITS)
    for row in (0, 291, 292, 699):
        part = slice(row, row + 1)
        alone = generate(network.step, first[part], (memory[part],), Decode("beam", 7), LIMITS)
        assert alone == [together[row]]


def test_words_are_drawn_as_often_as_they_are_likely() -> None:
    chances = torch.tensor([0.5, 0.25, 0.125, 0.125, 0.0])
    draws = 4000

    def step(last: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return chances.clamp(min=1e-30).log().expand(len(last), -1), memory

    keys = [key("draw", number) for number in range(draws)]
    found = generate(step, torch.zeros(draws, dtype=torch.long), (), SAMPLE, Limits(2), keys)
    for place in (0, 1):
        counts = Counter(text[place] for text in found)
        for word, chance in enumerate(chances.tolist()):
            spread = sqrt(draws * chance * (1 - chance))
            assert abs(counts[word] - draws * chance) <= 3.5 * spread
    pairs = Counter(map(tuple, found))
    assert abs(pairs[0, 0] - draws / 4) <= 3.5 * sqrt(draws * 3 / 16)


def test_what_is_banned_is_never_drawn() -> None:
    def step(last: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return torch.tensor([9.0, 0.0, 9.0, 0.0, 9.0]).expand(len(last), -1), memory

    keys = [key("draw", number) for number in range(500)]
    limits = Limits(1, banned=(0, 2, 4))
    found = generate(step, torch.zeros(500, dtype=torch.long), (), SAMPLE, limits, keys)
    assert {word for (word,) in found} == {1, 3}


def test_a_text_ends_with_its_stop_word_or_is_cut() -> None:
    def count(last: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return one_hot((last + 1) % 6, 6).float(), memory

    first = torch.tensor([0, 3, 4])
    assert generate(count, first, (), GREEDY, Limits(3, (5,))) == [[1, 2, 3], [4, 5], [5]]
    assert generate(count, first, (), Decode("beam", 2), Limits(3, (5,)))[1] == [4, 5]


def test_no_rows_give_no_texts() -> None:
    first = torch.zeros(0, dtype=torch.long)
    for how in (GREEDY, SAMPLE, Decode("beam", 3)):
        assert generate(Network(0).step, first, (torch.zeros(0, 8).double(),), how, LIMITS) == []


@pytest.mark.parametrize("how", [GREEDY, SAMPLE, Decode("beam", 3)])
def test_scores_that_are_no_numbers_are_refused_with_their_row(how: Decode) -> None:
    network = Network(0)
    first, (memory,) = start(6)
    memory[2] = torch.nan
    keys = list(range(6))
    with pytest.raises(NoNumbers, match="no numbers") as raised:
        generate(network.step, first, (memory,), how, LIMITS, keys)
    assert raised.value.row == 2
    assert isinstance(raised.value, SeatError)
