"""CCA between the answers and the questions of visual dialogues: sentences, training pairs, models."""

from __future__ import annotations

from referee.annotate.cca.model import Model, Training
from referee.annotate.cca.sentences import Recipe, Sentences, sentences
from referee.annotate.cca.training import Directions, train

__all__ = ["Directions", "Model", "Recipe", "Sentences", "Training", "sentences", "train"]
