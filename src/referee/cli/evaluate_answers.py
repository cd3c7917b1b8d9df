"""`referee evaluate answers`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from referee.cli._evaluation import (
    TRANSCRIPTS,
    Giving,
    IntervalsText,
    Json,
    Out,
    SkipBad,
    Ties,
    evaluate,
)
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.errors import DataError
    from referee.evaluations.answers import Options
    from referee.evaluations.answers.options import Variant
    from referee.games import Transcript
    from referee.metrics import ranking

Ranks = Annotated[Path | None, typer.Option(help="Ranks of the options, as EvalAI takes them.")]
Generations = Annotated[
    Path | None, typer.Option(help="Generated answers, in DenseVisDial's format.")
]
Played = Annotated[
    Path | None,
    typer.Option(help=f"In place of ranks or generations: {TRANSCRIPTS}, VisDial's own too."),
]
References = Annotated[
    Path | None,
    typer.Option(
        help="Reference sets; without them, H is taken from --dense where answers are judged."
    ),
]
Dialogues = Annotated[Path | None, typer.Option(help="VisDial's dialogues; needed with --ranks.")]
Dense = Annotated[Path | None, typer.Option(help="VisDial's dense annotations: NDCG, H, --meta.")]
K = Annotated[
    str, typer.Option(help="Numbers of generations, as in 1,5; by default the paper's 1,5,10,15.")
]
Metrics = Annotated[
    str,
    typer.Option(
        help="Of cider, cider_d, bleu, rouge_l, meteor, and an embedder's name; by default all installed."
    ),
]
Profile = Annotated[
    str, typer.Option(help="Tokenisation: paper, released, clean, short or ptb; by the variant.")
]
Embedder = Annotated[
    list[str] | None,
    typer.Option(help="minilm, bert:F, fasttext:F or glove:F; may be given several times."),
]
Variant_ = Annotated[str, typer.Option("--variant", help="paper, or code: what the authors ran.")]
Meta = Annotated[
    bool, typer.Option("--meta", help="Judge the metrics by people's relevance (needs --dense).")
]
Beside = Annotated[
    list[Path] | None,
    typer.Option(help="Results of the same model to draw beside, as those on other references."),
]


@dataclass(frozen=True)
class _Sources:
    """The files that answers are judged from."""

    ranks: Path | None
    generations: Path | None
    transcripts: Path | None
    references: Path | None
    visdial: Path | None
    dense: Path | None
    meta: bool

    def check(self) -> None:
        """Refuses files that do not go together."""
        given = [self.ranks, self.generations, self.transcripts]
        if self.meta:
            if any(given) or self.visdial is None or self.dense is None:
                raise UsageError("--meta judges metrics, and needs --visdial and --dense only")
            return
        if sum(path is not None for path in given) != 1:
            raise UsageError("give one of --ranks, --generations and --transcripts")
        if self.visdial is None and (self.ranks is not None or self.dense is not None):
            raise UsageError(f"--{'ranks' if self.ranks else 'dense'} needs --visdial")
        if self.generations is not None and self.references is None and self.dense is None:
            raise UsageError("--generations needs --references, or --visdial and --dense")
        if self.ranks is not None and self.references is not None:
            raise UsageError("--ranks hold no texts that --references could judge")

    def read(self, options: Options, skipped: list[DataError] | None) -> Iterator[Transcript]:
        """The dialogues to judge."""
        from referee.datasets import visdial as reader
        from referee.evaluations import sources

        if self.meta and self.visdial is not None:
            return map(reader.human, reader.games(self.visdial, self.dense, skipped))
        if self.ranks is not None and self.visdial is not None:
            return sources.ranked(self.ranks, self.visdial, self.dense, skipped)
        known = options.references
        wanted = () if known is None else known.sets.values()
        if self.generations is not None:
            return sources.generated(self.generations, wanted, self.visdial, self.dense, skipped)
        assert self.transcripts is not None  # noqa: S101 - checked above
        return sources.answered(self.transcripts, wanted, self.visdial, self.dense, skipped)


def answers(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    generations: Generations = None,
    transcripts: Played = None,
    references: References = None,
    ranks: Ranks = None,
    visdial: Dialogues = None,
    dense: Dense = None,
    k: K = "",
    metrics: Metrics = "",
    profile: Profile = "",
    embedder: Embedder = None,
    variant: Variant_ = "paper",
    ties: Ties = "stable",
    meta: Meta = False,
    beside: Beside = None,
    out: Out = None,
    intervals: IntervalsText = "",
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges generated answers by sets of right ones, and where the right answers are ranked."""
    from referee.evaluations.answers import Options
    from referee.evaluations.answers import References as Sets

    files = _Sources(ranks, generations, transcripts, references, visdial, dense, meta)
    files.check()
    giving = Giving(out, json, skip_bad, tuple(beside or ()), intervals)
    skipped = giving.skipped()
    options = Options(
        ties=cast("ranking.Ties", ties),
        references=None if references is None else Sets.read(references, skipped),
        k=k,
        metrics=metrics,
        embedders=",".join(embedder or []),
        profile=profile,
        variant=cast("Variant", variant),
        meta=meta,
    )

    def read(collected: list[DataError] | None) -> Iterator[Transcript]:
        if collected is not None and skipped:
            collected.extend(skipped)
        return files.read(options, collected)

    evaluate("answers", read, options, giving)
