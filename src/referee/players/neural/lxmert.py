"""The LXMERT guesser: a transformer reads the raw dialogue and 36 regions (Greco et al. 2020; facts 2.8).

    state = tanh(W pooled), p(o) = softmax_o <state, ReLU MLP [category; place]>

`pooled` is LXMERT's vector of [CLS] after nine layers over the words, five over the regions and five over
both; what weighs the candidates is GDSE's. At the paper's size it has 208.9 M parameters with the decider.
A dialogue of more than 200 pieces loses its first ones, as it does for the other guessers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from referee.errors import DataError, SeatError
from referee.players.neural.batches import Heard, Objects
from referee.players.neural.encoders import Decider, ObjectEncoder, log_probabilities, scores
from referee.players.neural.guesser import CandidateConfig, Guesser
from referee.players.neural.lxmert_regions import CORNERS
from referee.players.neural.pieces import CLS, PAD, SEP, WordPieces

if TYPE_CHECKING:
    from transformers import LxmertModel


@dataclass(frozen=True, kw_only=True)
class LxmertConfig(CandidateConfig):
    """LXMERT's and GDSE's published sizes."""

    hidden: int = 768
    heads: int = 12
    inner: int = 3072
    language: int = 9
    vision: int = 5
    cross: int = 5
    region: int = 2048
    """The length of a region's features, its corners left out."""
    dropout: float = 0.1
    longest: int = 200


class LxmertGuesser(Guesser):
    """Gives each candidate a log probability, for dialogues of any length (also none)."""

    config: LxmertConfig

    def __init__(self, config: LxmertConfig, pieces: WordPieces) -> None:
        super().__init__()
        self.config = config
        self._pieces = pieces
        self.lxmert = _body(config, len(pieces))
        self.project = nn.Linear(config.hidden, config.state)
        self.objects = ObjectEncoder(
            config.categories, config.category, config.object, config.state
        )
        if config.decider:
            self.decider = Decider(config.state)

    def start_from(self, name: str) -> None:
        """Takes the weights of a published LXMERT, from a folder or the hub."""
        from transformers import LxmertModel

        try:
            found = LxmertModel.from_pretrained(name)
        except (OSError, ValueError) as error:
            raise DataError(f"cannot be read: {str(error).splitlines()[0]}", file=name) from None
        wanted, given = self.lxmert.state_dict(), found.state_dict()
        for key, tensor in wanted.items():
            if key not in given or given[key].shape != tensor.shape:
                shape = list(given[key].shape) if key in given else "nothing"
                raise DataError(
                    f"has {shape}", file=name, field=key, expected=f"{list(tensor.shape)}"
                )
        self.lxmert.load_state_dict(given)

    def forward(
        self,
        dialogues: Sequence[Heard],
        objects: Objects,
        images: Float[Tensor, "game region feature"] | None = None,
    ) -> Float[Tensor, "game object"]:
        """Log probabilities; padding gets -inf."""
        logits = scores(self.state(dialogues, objects, images), self.objects(objects))
        return log_probabilities(logits, objects.mask, self.config.mask, self.config.slots)

    def state(
        self,
        dialogues: Sequence[Heard],
        objects: Objects,
        images: Float[Tensor, "game region feature"] | None = None,
    ) -> Float[Tensor, "game state"]:
        """The vector of dialogue and picture, which knows nothing of the candidates."""
        if images is None:
            raise SeatError("LXMERT's guesser sees regions, and there are none")
        words, there = self._words(dialogues, objects.mask.device)
        shown, corners = images[..., :-CORNERS], images[..., -CORNERS:]
        found = self.lxmert(
            input_ids=words, attention_mask=there, visual_feats=shown, visual_pos=corners
        )
        return torch.tanh(self.project(found.pooled_output))

    def _words(
        self, dialogues: Sequence[Heard], device: torch.device
    ) -> tuple[Int[Tensor, "game piece"], Bool[Tensor, "game piece"]]:
        """[CLS], each question and its answer's word, [SEP]; and where they are."""
        rows = [self._row(heard) for heard in dialogues]
        words = torch.full((len(rows), max(map(len, rows))), self._pieces.number(PAD))
        there = torch.zeros(words.shape, dtype=torch.bool)
        for number, row in enumerate(rows):
            words[number, : len(row)] = torch.tensor(row)
            there[number, : len(row)] = True
        return words.to(device), there.to(device)

    def _row(self, heard: Heard) -> list[int]:
        said = [
            piece
            for question, answer in heard.turns
            for piece in (*question, *self._pieces.marks[answer])
        ]
        kept = said[max(0, len(said) - self.config.longest + 2) :]
        return [self._pieces.number(CLS), *kept, self._pieces.number(SEP)]


def _body(config: LxmertConfig, words: int) -> LxmertModel:
    from transformers import LxmertConfig as Sizes
    from transformers import LxmertModel

    return LxmertModel(
        Sizes(
            vocab_size=words,
            hidden_size=config.hidden,
            num_attention_heads=config.heads,
            intermediate_size=config.inner,
            l_layers=config.language,
            r_layers=config.vision,
            x_layers=config.cross,
            visual_feat_dim=config.region,
            visual_pos_dim=CORNERS,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.dropout,
        )
    )
