"""Does each question earn its turn? Effective and referring questions, and what else is known of them."""

from referee.evaluations.questions.judging import EVALUATION
from referee.evaluations.questions.measuring import measures
from referee.evaluations.questions.options import Options

__all__ = ["EVALUATION", "Options", "measures"]
