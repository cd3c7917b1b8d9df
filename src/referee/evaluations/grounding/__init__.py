"""Do the states know the object's attributes, and do they survive unseen objects? GROLLA, CompGuessWhat?!"""

from referee.evaluations.grounding.judging import EVALUATION
from referee.evaluations.grounding.measuring import measures
from referee.evaluations.grounding.options import Options

__all__ = ["EVALUATION", "Options", "measures"]
