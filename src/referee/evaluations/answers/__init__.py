"""Are the answers right, when many answers are right? (answers.txt: DenseVisDial, and VisDial's ranks)."""

from referee.evaluations.answers.judging import EVALUATION
from referee.evaluations.answers.options import Options
from referee.evaluations.answers.references import References

__all__ = ["EVALUATION", "Options", "References"]
