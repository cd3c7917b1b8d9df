"""Dialogues of models as the published codes leave them, and the way from them to transcripts."""

from referee.datasets.dialogues.dialogue import Dialogue
from referee.datasets.dialogues.joining import Report, join
from referee.datasets.dialogues.sources import read

__all__ = ["Dialogue", "Report", "join", "read"]
