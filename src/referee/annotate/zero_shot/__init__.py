"""Zero-shot games from tables of labelled boxes (grounding.txt, section 4.3 and appendix A.4)."""

from referee.annotate.zero_shot.how import How, Sources
from referee.annotate.zero_shot.making import Made, make
from referee.annotate.zero_shot.writing import write

__all__ = ["How", "Made", "Sources", "make", "write"]
