"""Reading many texts at once is the same as reading each by itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.players.neural import reading
from referee.players.neural.batches import texts
from referee.players.neural.encoders import TextEncoder
from referee.players.neural.reading import read

WORDS = 6


def encoder() -> TextEncoder:
    torch.manual_seed(1)
    made = TextEncoder(WORDS, 4, 5)
    with torch.no_grad():
        for weights in made.parameters():
            weights.mul_(3)
    return made


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(1, WORDS - 1), min_size=1, max_size=6), min_size=1))
def test_it_reads_what_the_lstm_reads(rows: list[list[int]]) -> None:
    """Whatever texts begin alike, hold one another, or are equal."""
    model = encoder()
    torch.testing.assert_close(read(model, rows), model(texts(rows)).detach(), atol=1e-6, rtol=1e-5)


def test_a_beginning_is_read_once() -> None:
    """Texts that are equal have the same bits, in whatever company they are read."""
    model = encoder()
    found = read(model, [[1, 2, 3], [1, 2], [1, 2, 3], [1, 2, 3, 4], [5]])
    assert torch.equal(found[0], found[2])
    torch.testing.assert_close(found[1], read(model, [[1, 2]])[0])
    assert not found.requires_grad


def test_more_texts_than_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_TEXTS", 7)
    model = encoder()
    random = np.random.default_rng(0)
    rows = [random.integers(1, WORDS, random.integers(1, 9)).tolist() for _ in range(50)]
    torch.testing.assert_close(read(model, rows), model(texts(rows)).detach(), atol=1e-6, rtol=1e-5)
