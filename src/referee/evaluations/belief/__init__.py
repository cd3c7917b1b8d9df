"""Are the guesser's probabilities those that the answers warrant? The litmus test, calibration, Bayes."""

from referee.evaluations.belief.judging import EVALUATION
from referee.evaluations.belief.measuring import measures
from referee.evaluations.belief.options import Options

__all__ = ["EVALUATION", "Options", "measures"]
