"""Many texts at once, each distinct beginning read once.

People begin alike: of 287 distinct questions, 1710 words, 933 beginnings are distinct. An LSTM's state
after "is it the" is the same whatever follows, so texts are sorted, and at each depth the network takes
one step for every beginning that differs from the one before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor, nn

from referee.players.neural.encoders import TextEncoder
from referee.players.neural.products import product
from referee.players.neural.vocabulary import PADDING

_TEXTS = 2048
"""Texts read at a time: their gates stay near the processor."""


@torch.no_grad()
def read(encoder: TextEncoder, rows: Sequence[Sequence[int]]) -> Float[Tensor, "text hidden"]:
    """What `TextEncoder.forward` makes of some texts of at least one word, without gradients."""
    tokens, lengths = _table(rows)
    order = np.lexsort(tokens.T[::-1])
    device = encoder.words.weight.device
    used, words = np.unique(tokens[order], return_inverse=True)
    entering = _entering(encoder, torch.from_numpy(used).to(device))
    found = torch.empty((len(rows), encoder.lstm.hidden_size), device=device)
    for start in range(0, len(rows), _TEXTS):
        part = order[start : start + _TEXTS]
        sorted_ = words[start : start + _TEXTS], lengths[part]
        found[torch.from_numpy(part).to(device)] = _read(encoder.lstm, entering, *sorted_)
    return found


def _read(
    lstm: nn.LSTM,
    entering: Float[Tensor, "word gates"],
    words: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> Float[Tensor, "text hidden"]:
    """The state after each of some sorted texts; `words` are padded rows of places in `entering`."""
    # Where a text differs from the one above it, in this word or one before.
    new = np.ones(words.shape, np.bool_)
    new[1:] = np.logical_or.accumulate(words[1:] != words[:-1], axis=1)
    hidden = cell = torch.zeros((1, lstm.hidden_size), device=entering.device)
    found = torch.empty((len(words), lstm.hidden_size), device=entering.device)
    state = np.zeros(len(words), np.int64)
    for depth in range(int(lengths.max())):
        going = new[:, depth] & (lengths > depth)
        here = np.flatnonzero(going)
        before = torch.from_numpy(state[here]).to(entering.device)
        step = entering[torch.from_numpy(words[here, depth]).to(entering.device)]
        hidden, cell = _step(lstm, step, hidden[before], cell[before])
        # A text that ended has no state any more; those below it that go on count their own.
        state = np.cumsum(going) - 1
        ends = np.flatnonzero(lengths == depth + 1)
        places = torch.from_numpy(ends).to(entering.device)
        found[places] = hidden[torch.from_numpy(state[ends]).to(entering.device)]
    return found


def _table(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Padded rows and their lengths; padding sorts before every word."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    tokens = np.full((len(rows), int(lengths.max())), PADDING, np.int64)
    tokens[np.arange(tokens.shape[1]) < lengths[:, None]] = np.concatenate([*rows])
    return tokens, lengths


def _entering(encoder: TextEncoder, used: Tensor) -> Float[Tensor, "word gates"]:
    """What each word adds to the gates, whatever comes before it."""
    weight, *biases = (
        encoder.lstm.get_parameter(name) for name in ("weight_ih_l0", "bias_ih_l0", "bias_hh_l0")
    )
    return product(encoder.words(used), weight, biases[0] + biases[1])


def _step(
    lstm: nn.LSTM,
    entering: Float[Tensor, "text gates"],
    hidden: Float[Tensor, "text hidden"],
    cell: Float[Tensor, "text hidden"],
) -> tuple[Tensor, Tensor]:
    """One step of the LSTM; the gates are come, keep, new and show."""
    gates = product(hidden, lstm.get_parameter("weight_hh_l0")).add_(entering)
    size = lstm.hidden_size
    gates[:, : 2 * size].sigmoid_()
    come, keep, new, show = gates.chunk(4, dim=1)
    cell = torch.addcmul(keep * cell, come, new.tanh_())
    return show.sigmoid_() * torch.tanh(cell), cell
