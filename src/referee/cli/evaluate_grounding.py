"""`referee evaluate grounding`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from referee.cli._evaluation import Giving, IntervalsText, Json, Out, SkipBad, evaluate
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.errors import DataError
    from referee.evaluations.grounding.options import Missing, Variant
    from referee.games import Transcript

Player = Annotated[
    str | None,
    typer.Option(help="Whose states are probed, and who plays where no transcripts are given."),
]
Transcripts = Annotated[
    list[Path] | None,
    typer.Option(help="Games that were played: run folders, files of dialogues, or a submission."),
]
Oracle = Annotated[
    str | None, typer.Option(help="Who answers a player's questions; by default neural:oracle.")
]
Guesser = Annotated[
    str | None, typer.Option(help="Who guesses for a player; by default the player itself.")
]
Questioner = Annotated[
    str | None, typer.Option(help="Who asks for a player; by default the player itself.")
]
MaxTurns = Annotated[int, typer.Option(min=1, help="How many questions a player may ask.")]
Seed = Annotated[int, typer.Option(help="What a player's games are drawn from.")]
Games = Annotated[
    Path | None,
    typer.Option(help="The human games: a folder with train, valid and test, or one of its files."),
]
Attributes = Annotated[
    Path | None, typer.Option(help="Attribute vectors: by split and image, with their names.")
]
ZeroShot = Annotated[Path | None, typer.Option(help="The folder of the zero-shot games.")]
States = Annotated[
    str,
    typer.Option(
        help="States from elsewhere: a folder of <game id>.npy, an HDF5 file, glove, images:F or random."
    ),
]
Missing_ = Annotated[
    str, typer.Option("--missing", help="A dialogue without a state: zero (counted) or error.")
]
Only = Annotated[
    str,
    typer.Option(help="What is judged: gameplay, attributes, zero-shot, dialogue; by default all."),
]
Beyond = Annotated[
    str, typer.Option(help="Of the classifiers, besides: control, mdl, curve; or none.")
]
Probe = Annotated[
    str,
    typer.Option(
        help="Changes how the classifiers are trained, as in learning_rate=0.01,watch=loss."
    ),
]
Elicit = Annotated[
    int, typer.Option(help="Ask the player after each dialogue about so many attributes of a kind.")
]
Variant_ = Annotated[
    str,
    typer.Option("--variant", help="paper, or code: precision and recall under exchanged names."),
]
Columns = Annotated[
    str,
    typer.Option(help="Seven numbers of Table 1, separated by commas: prints their GROLLA score."),
]


def grounding(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    player: Player = None,
    transcripts: Transcripts = None,
    questioner: Questioner = None,
    oracle: Oracle = None,
    guesser: Guesser = None,
    max_turns: MaxTurns = 8,
    seed: Seed = 0,
    games: Games = None,
    attributes: Attributes = None,
    zero_shot: ZeroShot = None,
    states: States = "",
    missing: Missing_ = "zero",
    only: Only = "",
    beyond: Beyond = "control,mdl,curve",
    probe: Probe = "",
    elicit: Elicit = 0,
    variant: Variant_ = "paper",
    columns: Columns = "",
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges what states know of objects, and whether it survives unseen ones: GROLLA."""
    from referee.cli import _grounding
    from referee.evaluations.grounding import Options

    giving = Giving(out, json, skip_bad, intervals=intervals)
    if columns:
        _grounding.show_columns(columns, giving)
        return
    if player is None and not transcripts and not states:
        raise UsageError("there is nothing to judge: name --player, --transcripts or --states")
    seats = {"questioner": questioner, "oracle": oracle, "guesser": guesser}
    named = [f"--{seat}" for seat, who in seats.items() if who is not None]
    if transcripts and named:
        raise UsageError(f"{' and '.join(named)} would play, but --transcripts were played already")
    submission = _grounding.submission(transcripts or [])
    options = Options(
        variant=cast("Variant", variant),
        player=player,
        games=_text(games),
        attributes=_text(attributes),
        zero_shot=_text(zero_shot),
        states=states,
        submission=_text(submission),
        missing=cast("Missing", missing),
        only=only,
        beyond=beyond,
        probe=probe,
        elicit=elicit,
        skip_bad=skip_bad,
        max_turns=None if transcripts else max_turns,
        play_seed=None if transcripts else seed,
    )
    read: Callable[[list[DataError] | None], Iterator[Transcript]]
    if transcripts:
        read = _grounding.reader(transcripts, games, zero_shot)
    else:
        _grounding.check(options)
        read = _grounding.playing(options, seats)
    evaluate("grounding", read, options, giving)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
