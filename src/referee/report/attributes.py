"""The attributes made for games as the grounding paper shows them: the counts of Tables 2 and 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.report import published
from referee.report.tables import Table

TABLES = {
    "2": {"images": "pictures", "mapped_images": "in Visual Genome"},
    "3": {
        "dialogues": "dialogues",
        "kept": "kept",
        "kept_share": "kept, %",
        "vocabulary": "words",
        "turns": "questions",
        "success": "success",
        "failure": "failure",
        "incomplete": "incomplete",
    },
}
"""The columns of either table, and what they are called."""


def tables(splits: Mapping[str, Mapping[str, str]], notes: Sequence[str] = ()) -> tuple[Table, ...]:
    """Both tables: under each split's counts, by column, the published ones; the notes stand last."""
    found = []
    for number, columns in TABLES.items():
        theirs = {(n.row, n.column): n for n in published.numbers("grounding") if n.table == number}
        rows = []
        for split, counts in splits.items():
            rows.append((split, *(counts[column] for column in columns)))
            printed = [theirs.get((split, column)) for column in columns]
            if any(printed):
                rows.append(
                    (f"{split}, published", *("" if n is None else n.printed for n in printed))
                )
        said = tuple(dict.fromkeys(n.note for n in theirs.values() if n.note))
        last = tuple(notes) if number == max(TABLES) else ()
        title = f"attributes beside grounding, Table {number}"
        found.append(Table(title, ("", *columns.values()), tuple(rows), (*said, *last)))
    return tuple(found)
