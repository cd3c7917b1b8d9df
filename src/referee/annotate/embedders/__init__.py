"""Texts as vectors: sentence models and averaged word vectors, by what a user names."""

from referee.annotate.embedders.embedder import Embedder
from referee.annotate.embedders.naming import open_embedder

__all__ = ["Embedder", "open_embedder"]
