"""Texts out of a network, word by word: the likeliest word, a drawn one, or the best of a beam.

A network is a `Step`: from the last word of each row and what it remembers of the row it gives scores of
the next word. A text ends with a stop word, which is kept, or is cut after so many words, as the original
looper cuts it.

No row knows of another: each draws from its own key by the inverse of the cumulative distribution, so
that a text is the same in any batch (up to the rounding of matrix products).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from referee.errors import SeatError
from referee.players.decoding import Decode
from referee.randomness import uniforms

Memory: TypeAlias = tuple[Tensor, ...]
"""What a network remembers; each tensor has a row for each text."""
Step: TypeAlias = Callable[[Int[Tensor, " row"], Memory], tuple[Float[Tensor, "row word"], Memory]]
"""(last words, memory) -> (scores of the next words, memory)."""

_BEAMS = 2048
"""The texts that are kept beside one another at most; more rows wait."""


@dataclass(frozen=True)
class Limits:
    """Where a text ends, and what is never said."""

    longest: int
    """Words after which a text is cut."""
    stops: tuple[int, ...] = ()
    banned: tuple[int, ...] = ()


class NoNumbers(SeatError):
    """The scores of a row are NaN or infinite; who knows what the row is of says it."""

    def __init__(self, row: int) -> None:
        self.row = row
        super().__init__(f"the network's scores of the next word are no numbers (row {row})")


@torch.no_grad()
def generate(
    step: Step,
    first: Int[Tensor, " row"],
    memory: Memory,
    how: Decode,
    limits: Limits,
    keys: Sequence[int] = (),
) -> list[list[int]]:
    """A text for each row, after its `first` word; only `sample` needs keys, one a row."""
    if how.kind == "beam":
        texts: list[list[int]] = []
        rows = max(1, _BEAMS // how.width)
        for start in range(0, len(first), rows):
            part = slice(start, start + rows)
            held = tuple(it[part] for it in memory)
            texts += _beam(step, first[part], held, how.width, limits, start)
        return texts
    drawn = _Draw(np.array(keys, np.uint64)) if how.kind == "sample" else None
    return _greedy_or_drawn(step, first, memory, drawn, limits)


class _Draw:
    """Draws words; the n-th word of a row follows from the row's key and n."""

    def __init__(self, keys: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> None:
        self._keys = keys

    def __call__(
        self, scores: Float[Tensor, "row word"], rows: Sequence[int], place: int
    ) -> Int[Tensor, " row"]:
        """The first word of each row whose cumulative probability is above the row's number."""
        sums = scores.softmax(dim=1).cpu().double().cumsum(dim=1)
        whole = sums[:, -1:]
        luck = torch.from_numpy(uniforms(self._keys[list(rows)], place))[:, None] * whole
        # The product may be rounded up to the whole, above which there is no word.
        luck = torch.minimum(luck, torch.nextafter(whole, torch.zeros_like(whole)))
        return torch.searchsorted(sums, luck, right=True)[:, 0].to(scores.device)


def _greedy_or_drawn(
    step: Step, words: Int[Tensor, " row"], memory: Memory, draw: _Draw | None, limits: Limits
) -> list[list[int]]:
    texts: list[list[int]] = [[] for _ in range(len(words))]
    rows = list(range(len(words)))
    for place in range(limits.longest if rows else 0):
        logits, memory = step(words, memory)
        scores = _allowed(logits, limits, rows)
        words = scores.argmax(dim=1) if draw is None else draw(scores, rows, place)
        said = words.tolist()
        for row, word in zip(rows, said, strict=True):
            texts[row].append(word)
        going = [number for number, word in enumerate(said) if word not in limits.stops]
        if not going:
            break
        if len(going) < len(rows):
            kept = torch.tensor(going, device=words.device)
            words, memory = words[kept], tuple(it[kept] for it in memory)
            rows = [rows[number] for number in going]
    return texts


def _allowed(
    logits: Float[Tensor, "row word"], limits: Limits, rows: Sequence[int]
) -> Float[Tensor, "row word"]:
    """The scores, without those of what is never said; scores that are no numbers are refused."""
    wrong = ~torch.isfinite(logits).all(dim=1)
    if bool(wrong.any()):
        raise NoNumbers(rows[int(wrong.int().argmax())])
    if not limits.banned:
        return logits
    banned = torch.tensor(limits.banned, device=logits.device)
    return logits.index_fill(1, banned, -torch.inf)


@dataclass
class _Beam:
    """Some texts of each row, side by side: their words, log p, lengths, and which have ended."""

    words: Int[Tensor, "row beam time"]
    sums: Float[Tensor, "row beam"]
    lengths: Int[Tensor, "row beam"]
    done: Bool[Tensor, "row beam"]

    @property
    def means(self) -> Float[Tensor, "row beam"]:
        """The mean log p of a word, by which texts are compared (facts 2.4)."""
        return self.sums / self.lengths.clamp(min=1)

    def best(self) -> list[list[int]]:
        """The words of the best text of each row."""
        place = self.means.argmax(dim=1)
        rows = torch.arange(len(place), device=place.device)
        lengths = self.lengths[rows, place].tolist()
        texts = self.words[rows, place].tolist()
        return [text[:length] for text, length in zip(texts, lengths, strict=True)]


def _beam(
    step: Step,
    first: Int[Tensor, " row"],
    memory: Memory,
    width: int,
    limits: Limits,
    offset: int,
) -> list[list[int]]:
    """The text of the highest mean log p a word among the `width` that are kept after each word.

    Texts that have ended stay in the beam and are compared with those that go on.
    """
    rows, device = len(first), first.device
    memory = tuple(it.repeat_interleave(width, dim=0) for it in memory)
    last = first.repeat_interleave(width)
    origin = [offset + number // width for number in range(rows * width)]
    beam: _Beam | None = None
    for _ in range(limits.longest if rows else 0):
        logits, memory = step(last, memory)
        scores = _allowed(logits, limits, origin).log_softmax(dim=1).view(rows, width, -1)
        if beam is None:
            beam = _opened(scores, width)
        beam, parents = _grown(beam, scores, limits)
        flat = parents + torch.arange(rows, device=device)[:, None] * width
        memory = tuple(it[flat.flatten()] for it in memory)
        last = beam.words[:, :, -1].flatten()
        if bool((beam.done | beam.sums.isneginf()).all()):
            break
    return [[] for _ in range(rows)] if beam is None else beam.best()


def _opened(scores: Float[Tensor, "row beam word"], width: int) -> _Beam:
    """One empty text a row; the others of a row are none yet, which log p = -inf says."""
    rows, device = len(scores), scores.device
    sums = torch.full((rows, width), -torch.inf, dtype=scores.dtype, device=device)
    sums[:, 0] = 0
    none = torch.zeros((rows, width, 0), dtype=torch.long, device=device)
    lengths = torch.zeros((rows, width), dtype=torch.long, device=device)
    return _Beam(none, sums, lengths, lengths.bool())


def _grown(
    beam: _Beam, scores: Float[Tensor, "row beam word"], limits: Limits
) -> tuple[_Beam, Int[Tensor, "row beam"]]:
    """The best texts one word later, and which text each of them goes on from."""
    rows, width, words = scores.shape
    longer = beam.sums.masked_fill(beam.done, -torch.inf)[:, :, None] + scores
    lengths = beam.lengths[:, :, None] + 1
    ended = beam.means.masked_fill(~beam.done, -torch.inf)
    values = torch.cat([(longer / lengths).view(rows, -1), ended], dim=1)
    best, chosen = values.topk(width, dim=1)
    over = chosen >= width * words
    parents = torch.where(over, chosen - width * words, chosen // words)
    said = torch.where(over, torch.zeros_like(chosen), chosen % words)
    sums = torch.where(
        over,
        beam.sums.gather(1, parents),
        longer.view(rows, -1).gather(1, chosen.clamp(max=width * words - 1)),
    )
    # Where there are fewer texts than places, what fills a place must stay none.
    sums = sums.masked_fill(best.isneginf(), -torch.inf)
    stops = torch.tensor(limits.stops, dtype=torch.long, device=said.device)
    kept = beam.words.gather(1, parents[:, :, None].expand(-1, -1, beam.words.shape[2]))
    grown = _Beam(
        torch.cat([kept, said[:, :, None]], dim=2),
        sums,
        beam.lengths.gather(1, parents) + ~over,
        over | torch.isin(said, stops),
    )
    return grown, parents
