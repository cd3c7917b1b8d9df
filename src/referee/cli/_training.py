"""What the training commands share: options, the games and words, the progress, and the last lines."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from referee.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from referee.players.neural.checkpoint import Checkpoint, Description
    from referee.players.neural.examples import Examples
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.state import Row, State
    from referee.players.neural.training import Plan, Task
    from referee.players.neural.vocabulary import Vocabulary

Games: TypeAlias = Annotated[
    Path, typer.Option(help="Human GuessWhat?! games; what was won is learned from.")
]
Valid: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Games that choose the best epoch; by default a tenth of the images."),
]
Features: TypeAlias = Annotated[
    str | None, typer.Option(help="Image features: one or more files, separated by commas.")
]
Words: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="A dict.json or vocab.json; by default the words of the training questions."),
]
Out: TypeAlias = Annotated[
    Path, typer.Option(help="A new folder for the model, or with --resume that of a stopped run.")
]
Preset: TypeAlias = Annotated[
    Literal["tiny", "paper"],
    typer.Option(help="The paper's sizes and schedule, or small ones that learn Iconworld."),
]
Device: TypeAlias = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
Devices: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, help="Processes a node; by default one a GPU, and one without any."),
]
Nodes: TypeAlias = Annotated[int, typer.Option(min=1, help="Machines that train together.")]
Resume: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Go on after the last whole epoch of a stopped run.")
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Every draw follows from it.")]
Epochs: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Epochs; else the preset's.")]
Batch: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Samples a step, over all processes; else the preset's.")
]
Rate: TypeAlias = Annotated[
    float | None, typer.Option(help="The learning rate; else the preset's.")
]
Patience: TypeAlias = Annotated[
    int | None,
    typer.Option(min=0, help="Epochs without a better one that end it; 0 for never."),
]

_EXTRA = ("torch", "lightning_fabric", "jaxtyping")


@dataclass(frozen=True)
class Options:
    """What one call of a training command asks for, whichever model it trains."""

    games: Path
    out: Path
    valid: Path | None = None
    features: str | None = None
    vocabulary: Path | None = None
    preset: Literal["tiny", "paper"] = "tiny"
    device: str = "auto"
    devices: int | None = None
    nodes: int = 1
    resume: bool = False
    seed: int = 0
    epochs: int | None = None
    batch: int | None = None
    rate: float | None = None
    patience: int | None = None

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Options:
        """Those of a command's arguments (its `locals()`) that all training commands have."""
        return cls(**{field.name: asked[field.name] for field in fields(cls)})

    def __post_init__(self) -> None:
        """Refuses before anything is read."""
        require()
        if self.rate is not None and not self.rate > 0:
            raise UsageError(f"--rate {self.rate:g} teaches nothing: give a number above 0")
        from referee.players.neural.training import refuse

        refuse(self.out, resume=self.resume)

    def plan(self, preset: Plan) -> Plan:
        """The preset's schedule with what was asked for otherwise."""
        import msgspec

        asked = {
            "seed": self.seed,
            "epochs": self.epochs,
            "batch": self.batch,
            "rate": self.rate,
            "patience": self.patience,
        }
        return msgspec.structs.replace(
            preset, **{name: value for name, value in asked.items() if value is not None}
        )

    def examples(self) -> Examples:
        """The games to learn from, and those that choose the best epoch."""
        from referee.players.neural.examples import examples

        note(f"reading {self.games}")
        found = examples(self.games, self.valid)
        note(f"{len(found.train)} games to learn from, {len(found.valid)} to choose the epoch by")
        return found

    def images(self) -> ImageFeatures | None:
        """The features of whole images, where files are given."""
        from referee.players.neural.images import ImageFeatures

        return None if self.features is None else ImageFeatures(self.features)

    def image_scale(self, images: ImageFeatures | None, data: Examples) -> float:
        """What a dialogue state multiplies images by: one of published size takes them as they are."""
        from referee.players.neural.images import unit_scale

        if images is None or self.preset == "paper":
            return 1.0
        return unit_scale(images, data.train)

    def description(
        self,
        kind: str,
        config: object,
        words: Vocabulary,
        data: Examples,
        more: Mapping[str, Any] | None = None,
        **files: str | None,
    ) -> Description:
        """What the folder will say of the weights: `more`, and all files that were read, by hash."""
        import msgspec

        from referee.players.neural.checkpoint import Description
        from referee.players.recorded import digest

        told = {**data.sources, "preset": self.preset, **(more or {})}
        for role, names in {"features": self.features, **files}.items():
            if names is not None:
                told[role] = names
                told[f"{role}_digest"] = " ".join(digest(Path(name)) for name in names.split(","))
        return Description(kind, msgspec.to_builtins(config), words.words, training=told)


def train(
    options: Options, task: Task, plan: Plan, description: Description, following: str
) -> None:
    """Trains, shows how far it is, and says what came of it; `following` is the next command."""
    from referee.players.neural import training
    from referee.players.neural.sharing import speaks

    with _shown(plan.epochs, task.watch) as (report, tick):
        run = training.Run(
            options.out,
            description,
            device=options.device,
            devices=options.devices or "auto",
            nodes=options.nodes,
            resume=options.resume,
            report=report,
            tick=tick,
        )
        state = training.train(task, plan, run)
    if speaks():
        _conclude(options.out, state, following)


def accompanied(
    options: Options, description: Description, guesser: Checkpoint | None
) -> Description:
    """What a questioner's folder will say, with the guesser that it takes along; which is kept there."""
    if guesser is None:
        return description
    import msgspec

    from referee.players.neural import companions
    from referee.players.neural.sharing import speaks

    if speaks():
        companions.keep(guesser, options.out)
    return msgspec.structs.replace(description, guesser=companions.companion(guesser))


def require() -> None:
    """Refuses where the extra is not installed."""
    for package in _EXTRA:
        if find_spec(package) is None:
            raise MissingExtra(package, "neural")


def note(message: str) -> None:
    """A line about what is going on, from the first process only."""
    from referee.players.neural.sharing import speaks

    if speaks():
        sys.stderr.write(f"referee: {message}\n")
        sys.stderr.flush()


def player(folder: Path, **settings: str | None) -> str:
    """The name of what was trained, as a shell takes it."""
    given = "&".join(f"{name}={value}" for name, value in settings.items() if value is not None)
    return shlex.quote(f"neural:{folder}?{given}" if given else f"neural:{folder}")


_Shown: TypeAlias = "tuple[Callable[[Row], None], Callable[[int, int, int], None]]"


@contextmanager
def _shown(epochs: int, watched: str) -> Iterator[_Shown]:
    """What to call after each epoch and each batch: a line an epoch, and on a terminal a bar besides."""
    if not sys.stderr.isatty():
        yield (lambda row: note(_line(row))), (lambda *_: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[best]}"),
    )
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("starting", total=None, best="")
        best: list[float] = []

        def report(row: Row) -> None:
            if row.eligible:
                best.append(row.watched)
            console.print(_line(row), markup=False)

        def tick(epoch: int, done: int, batches: int) -> None:
            told = f"{watched} so far {best[-1]:.4f}" if best else ""
            name = f"epoch {epoch + 1}/{epochs}"
            progress.update(bar, description=name, completed=done, total=batches, best=told)

        yield report, tick


def _line(row: Row) -> str:
    told = ", ".join(filter(None, (f"loss {row.loss:.4f}", _figures(row))))
    return f"epoch {row.epoch + 1}: {told} ({row.seconds:.1f} s)"


def _figures(row: Row) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in row.figures.items())


def _conclude(out: Path, state: State, following: str) -> None:
    best = state.history[state.best]
    sys.stdout.write(
        f"epoch {best.epoch + 1} of {len(state.history)} was best: {_figures(best)}\n"
        f"model: {out}\n"
        f"next: {following}\n"
    )
