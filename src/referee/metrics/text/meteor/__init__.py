"""METEOR 1.5 without a JVM: tokeniser, stemmer, four matchers, beam alignment, fragmentation, score."""

from referee.metrics.text.meteor.meteor import Meteor
from referee.metrics.text.meteor.normaliser import Normaliser
from referee.metrics.text.meteor.scoring import aggregated, score
from referee.metrics.text.meteor.stemmer import stem
from referee.metrics.text.meteor.tables import Tables, tables_of

__all__ = ["Meteor", "Normaliser", "Tables", "aggregated", "score", "stem", "tables_of"]
