"""Randomness depends on names, never on order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.randomness import Stream, key, mix, mixes, uniform, uniforms


def test_a_key_is_the_same_on_every_machine() -> None:
    """These numbers are part of every recorded run: a change of them changes all play."""
    assert key("referee", 7) == 1219165922403205173
    assert mix(1234567, 0) == 6457827717110365317  # the known first draw of splitmix64


def test_numbers_and_their_texts_are_the_same_name() -> None:
    assert key(1, 2) == key("1", "2")
    assert key("12") != key("1", "2")


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20), st.integers(0, 1000))
def test_arrays_draw_what_single_keys_draw(keys: list[int], number: int) -> None:
    drawn = uniforms(np.array(keys, dtype=np.uint64), number)
    assert drawn.tolist() == [uniform(mix(one, number)) for one in keys]


@given(st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 2), min_size=1, max_size=20))
def test_arrays_are_mixed_as_single_keys_are(pairs: list[tuple[int, int]]) -> None:
    """Each key with a number of its own, and all with one."""
    keys, numbers = np.array(pairs, dtype=np.uint64).T
    assert mixes(keys, numbers).tolist() == [mix(*pair) for pair in pairs]
    assert mixes(keys, 7).tolist() == [mix(one, 7) for one, _ in pairs]


@given(st.integers(0, 2**64 - 1), st.integers(1, 1000))
def test_a_stream_draws_what_its_key_is_mixed_to(start: int, bound: int) -> None:
    stream, again = Stream(start), Stream(start)
    for number in range(1, 20):
        assert stream.random() == uniform(mix(start, number))
        assert again.below(bound) == mix(start, number) * bound >> 64


def test_draws_are_even() -> None:
    """Chi-square of 20,000 draws over 10 cells stays below its 99.9 % point for 9 degrees."""
    stream = Stream(key("even"))
    cells = np.bincount([stream.below(10) for _ in range(20_000)], minlength=10)
    assert ((cells - 2000) ** 2 / 2000).sum() < 27.9


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(), max_size=30), st.integers(0, 40))
def test_a_sample_takes_distinct_places(start: int, items: list[int], count: int) -> None:
    drawn = Stream(start).sample(list(enumerate(items)), count)
    assert len(drawn) == min(count, len(items))
    assert len({place for place, _ in drawn}) == len(drawn)
