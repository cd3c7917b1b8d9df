"""What `referee data check` counts in a file of dialogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.datasets.counting import shares
from referee.datasets.dialogues.dialogue import Dialogue
from referee.datasets.formats import Count


def count_dialogues(dialogues: Iterable[Dialogue]) -> dict[str, Count]:
    """Games, turns, images, and the shares of statuses and answers."""
    statuses: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    images: set[str] = set()
    unanswered = probabilities = 0
    for dialogue in dialogues:
        statuses[dialogue.status] += 1
        answers.update(turn.answer for turn in dialogue.turns)
        images.add(dialogue.image)
        unanswered += bool(dialogue.unanswered)
        probabilities += sum(any(slots) for slots in dialogue.slots[1:])
    counts: dict[str, Count] = {"games": statuses.total(), "turns": answers.total()}
    if images - {""}:
        counts["images"] = len(images)
    if unanswered:
        counts["last questions without an answer"] = unanswered
    if probabilities:
        counts["turns with a belief"] = probabilities
    counts |= shares(statuses, ("success", "failure", "incomplete"))
    return counts | shares(answers, ("Yes", "No", "N/A"), "answer ")
