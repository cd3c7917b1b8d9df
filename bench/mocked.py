"""Games that a text model plays, the same for every framework: prompts, and a model that never waits.

Only the standard library is used, so that a rival's own Python can import it. A game is ten calls: five
questions, each of which is put to the oracle; the guess at the end is scripted. What the model says
depends on the messages alone, so that equal dialogues mean equal prompts.
"""

from __future__ import annotations

from zlib import crc32

TURNS = 5
ANSWERS = ("Yes", "No", "N/A")
ASKS = (
    "You play a guessing game. One of the things below is meant. "
    "Find out which by questions that can be answered with yes or no; ask one question at a time."
)
TELLS = "You answer questions about one thing in a picture. Say Yes, No or N/A, and nothing else."

Messages = list[tuple[str, str]]
"""A chat: the role (user, assistant) and the content of each message."""


def asking(things: list[str]) -> str:
    """What the questioner is told first."""
    listed = "\n".join(f"{number}. {thing}" for number, thing in enumerate(things, start=1))
    return f"{ASKS}\n{listed}\nAsk your first question."


def telling(things: list[str], target: int, question: str) -> str:
    """What the oracle is sent."""
    shown = f"The picture has {', '.join(things)}. The thing is {target + 1}, {things[target]}."
    return f"{TELLS}\n{shown}\n{question}"


def reply(messages: Messages) -> str:
    """The model: at once, and the same to the same messages; of an oracle's only the last counts."""
    last = messages[-1][1]
    if last.startswith(TELLS):
        return ANSWERS[crc32(last.encode()) % 16 % 3]
    drawn = crc32("\n".join(content for _, content in messages).encode())
    lines = messages[0][1].splitlines()[1:-1]
    thing = lines[drawn % len(lines)].partition(". ")[2]
    return f"is it the {thing} ?" if drawn & 256 else f"is it near a {thing} ?"


def guess(answers: list[str], things: int) -> int:
    """The scripted guess: a place among the things."""
    return crc32("".join(answers).encode()) % things
