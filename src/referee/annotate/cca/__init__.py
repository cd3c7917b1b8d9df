"""CCA between the answers and the questions of visual dialogues: sentences, training pairs, models."""

from __future__ import annotations

from referee.annotate.cca.model import Model
from referee.annotate.cca.sentences import Recipe, Sentences, sentences

__all__ = ["Model", "Recipe", "Sentences", "sentences"]
