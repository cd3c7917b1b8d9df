"""Which candidates an answered question leaves, and how sure people would be of it (belief.txt).

The names below stay as they are. `first_turns(transcripts, how)` gives the labels of first turns as
arrays; `label(candidates(scenes), Answered(...), how)` those of any questions; `parse` reads a question.
"""

from referee.annotate.soft_labels.candidates import Candidates, candidates
from referee.annotate.soft_labels.first_turns import FirstTurns, first_turns
from referee.annotate.soft_labels.labelling import STATUSES, Answered, How, Labels, label
from referee.annotate.soft_labels.questions import TYPES, Asked, parse

__all__ = [
    "STATUSES",
    "TYPES",
    "Answered",
    "Asked",
    "Candidates",
    "FirstTurns",
    "How",
    "Labels",
    "candidates",
    "first_turns",
    "label",
    "parse",
]
