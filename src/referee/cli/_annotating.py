"""What the annotate commands share: how a result that no transcript is behind is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli._evaluation import Giving, show

if TYPE_CHECKING:
    from referee.evaluations.result import Judged


def give(judged: Judged, giving: Giving, beside: tuple[str, ...]) -> None:
    """The result beside these tables of answers.txt: printed, and as a folder where one is asked for."""
    from referee.evaluations import store
    from referee.report import published, tables

    theirs = [number for number in published.numbers("answers") if number.table in beside]
    printed = tables.published_tables(judged.result, theirs)
    all_tables = (*printed, tables.result_table(judged.result))
    if giving.out is not None:
        store.write(giving.out, judged, tables.texts(all_tables))
    show(judged.result, all_tables, giving)
