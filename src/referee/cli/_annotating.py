"""What the annotate commands share: how a result that no transcript is behind is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli._evaluation import Giving, show

if TYPE_CHECKING:
    from referee.evaluations.result import Judged


def give(judged: Judged, giving: Giving, paper: str = "answers") -> None:
    """The result beside the paper's numbers: printed, and as a folder where one is asked for."""
    from referee.evaluations import store
    from referee.report import published, tables

    beside = tables.published_tables(judged.result, published.numbers(paper))
    all_tables = (*beside, tables.result_table(judged.result))
    if giving.out is not None:
        store.write(giving.out, judged, tables.texts(all_tables))
    show(judged.result, all_tables, giving)
