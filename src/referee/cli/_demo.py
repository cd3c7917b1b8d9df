"""The steps of the demo: a world, five runs in it, what the evaluations say, one page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli._evaluation import wide_console
from referee.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from msgspec import Struct
    from rich.console import Console

    from referee.arena import Plan
    from referee.evaluations.result import Judged
    from referee.games import Game

GAMES = 2400
POOLS = 20
UNSEEN = 40
"""The pictures of each zero-shot split."""
SHOWN = 6
_BETWEEN = "values with 95 % intervals that resample whole pictures"


@dataclass(frozen=True)
class Match:
    """One run of the demo: which games, who plays, how, and which evaluations judge it, with options."""

    name: str
    games: Callable[[], Iterable[Game]]
    files: dict[str, Path]
    seats: dict[str, str]
    plan: Plan
    judges: Mapping[str, Struct | None]


def run(out: Path, seed: int, divisor: int = 1) -> None:
    """Makes, plays, judges, prints, and writes the page."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    if out.exists():
        raise UsageError(f"{out} exists already, and nothing is ever overwritten")
    if find_spec("jinja2") is None:
        raise MissingExtra("jinja2", "report")
    console = wide_console()
    columns = (TextColumn("{task.description:<44}"), BarColumn(), TimeElapsedColumn())
    # A log or a pipe gets the steps as lines, a terminal gets the bar.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task("the world", total=1)

        def step(what: str, of: int | None = None) -> None:
            progress.update(task, description=what, advance=1, total=of)
            if progress.disable:
                sys.stderr.write(f"{what}\n")

        judged = _all(out, seed, divisor, step)
    for results in judged.values():
        _print(console, results)
    page = _page(out, judged)
    console.print("The report has every value, the papers' own numbers beside them, and games.")
    console.print(f"report: {page.resolve()}", highlight=False, soft_wrap=True)


def _all(
    out: Path, seed: int, divisor: int, step: Callable[..., None]
) -> dict[str, dict[str, Judged]]:
    from referee.arena import play_into, run
    from referee.datasets.iconworld import making
    from referee.datasets.iconworld.world import Plan
    from referee.evaluations import evaluation, registry, store

    few = max(4, UNSEEN // divisor)
    plan = Plan(games=GAMES // divisor, zero_shot=few, pools=POOLS // divisor, seed=seed)
    parts = tuple(part for part in making.PARTS if part in _PARTS)
    step("making Iconworld", len(parts) + 17)
    making.make(out / "world", plan, parts, lambda part: step(f"making Iconworld: {part}"))
    judged: dict[str, dict[str, Judged]] = {}
    for match in _matches(out / "world", seed):
        step(f"playing: {match.name}")
        folder = out / "runs" / _slug(match.name)
        for _ in play_into(folder, match.games(), match.seats, match.plan, files=match.files):
            pass
        for place, (judge, options) in enumerate(match.judges.items()):
            step(f"judging: {match.name}, {judge}")
            found = evaluation.judge(registry.load(judge), run.read(folder), options)
            name = f"{match.name} {judge}" if place else match.name
            store.write(out / "results" / _slug(name), found)
            judged.setdefault(judge, {})[match.name] = found
    return judged


_PARTS = {"guesswhat", "coco", "attributes", "zero-shot", "visdial", "pools", "pictures"}


def _matches(world: Path, seed: int) -> tuple[Match, ...]:
    from referee.arena import Plan
    from referee.evaluations import answers, belief, questions
    from referee.games import guesswhat, guesswhich, visdial

    right = "scripted:perfect-oracle"
    judges = {
        "questions": questions.Options(oracle=right),
        "belief": belief.Options(oracle=right, turns=3),
    }
    games, dialogues = world / "guesswhat.test.jsonl.gz", world / "visdial/visdial_1.0_val.json"
    dense = world / "visdial/visdial_1.0_val_dense_annotations.json"
    pools, things = world / "guesswhich/pools.json", world / "annotations/instances_pools.json"
    seen = world / "annotations/instances_val.json"
    turns = Plan(guesswhat.Rules(max_turns=10, beliefs=True), seed)

    def guessing(name: str, questioner: str, oracle: str, guesser: str) -> Match:
        seats = {"questioner": questioner, "oracle": oracle, "guesser": guesser}
        files = {"games": games}
        return Match(name, lambda: _guesswhat(games), files, seats, turns, judges)

    people = "scripted:people"
    borrowed = f"scripted:human-questions?file={world / 'guesswhat.train.jsonl.gz'}"
    return (
        guessing("people", people, right, people),
        guessing(
            "people (oracle 20 % wrong)", people, "scripted:noisy-oracle?accuracy=0.8", people
        ),
        guessing("questions about other pictures", borrowed, right, "scripted:bayes-guesser"),
        _grounded(world, "goes by looks", "attributes", seed),
        _grounded(world, "knows kinds by heart", "categories", seed),
        Match(
            "listener",
            lambda: _pools(pools, things),
            {"pools": pools, "scenes": things},
            {
                "questioner": f"scripted:human-questions?file={dialogues}",
                "answerer": "scripted:scene-graph",
                "guesser": "scripted:listener",
            },
            Plan(guesswhich.Rules(), seed),
            {"teamwork": None},
        ),
        Match(
            "scene graph",
            lambda: _dialogues(dialogues, dense, seen),
            {"visdial": dialogues, "dense": dense, "scenes": seen},
            {"answerer": "scripted:scene-graph"},
            Plan(visdial.Rules(), seed, generate=5, rank=True),
            # what needs no further package and no further minute
            {"answers": answers.Options(metrics="cider,bleu,rouge_l")},
        ),
    )


def _grounded(world: Path, name: str, hears: str, seed: int) -> Match:
    """Games about things that were seen in training, and about things that were not."""
    from referee.arena import Plan
    from referee.evaluations import grounding
    from referee.games import guesswhat

    guesser = f"scripted:selective-guesser?hears={hears}"
    zero_shot = world / "compguesswhat-zero_shot"
    files = {
        "games": world / "guesswhat.test.jsonl.gz",
        "near": zero_shot / "0.2.0/compguesswhat.nd_test.jsonl.gz",
        "out": zero_shot / "0.2.0/compguesswhat.od_test.jsonl.gz",
    }
    options = grounding.Options(
        player=guesser,
        games=str(files["games"]),
        attributes=str(world / "attributes"),
        zero_shot=str(zero_shot),
        elicit=10,
    )
    seats = {
        "questioner": "scripted:people",
        "oracle": "scripted:perfect-oracle",
        "guesser": guesser,
    }
    plan = Plan(guesswhat.Rules(max_turns=8), seed)
    return Match(name, lambda: _numbered(files), files, seats, plan, {"grounding": options})


def _numbered(files: Mapping[str, Path]) -> Iterable[Game]:
    """The games of several files, each of which counts its own from 0."""
    from msgspec.structs import replace

    for part, path in files.items():
        for game in _guesswhat(path):
            yield game if part == "games" else replace(game, id=f"{part} {game.id}")


def _guesswhat(path: Path) -> Iterable[Game]:
    from referee.datasets import guesswhat

    return guesswhat.games(path)


def _pools(path: Path, things: Path) -> Iterable[Game]:
    from referee.arena.scenes import Scenes
    from referee.datasets import pools

    return Scenes.of(things).pools(pools.read(path))


def _dialogues(path: Path, dense: Path, things: Path) -> Iterable[Game]:
    from referee.arena.scenes import Scenes
    from referee.datasets import visdial

    return Scenes.of(things).dialogues(visdial.games(path, dense))


def _slug(name: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in name).split())


def _print(console: Console, results: dict[str, Judged]) -> None:
    """What to look at first, a value a row, a run a column; the page has the rest."""
    from referee.evaluations import registry
    from referee.report.glance import glance, rich_glance

    found = {name: each.result for name, each in results.items()}
    evaluation = registry.load(next(iter(found.values())).evaluation)
    console.print(rich_glance(glance(found, evaluation.headline)))


def _page(out: Path, judged: dict[str, dict[str, Judged]]) -> Path:
    from referee import __version__
    from referee.arena import run
    from referee.report import gather, page

    sections = []
    shown: set[Path] = set()
    for results in judged.values():
        folder = out / "runs" / _slug(next(iter(results)))
        pictures = out / "world" / "images"
        # what two evaluations judge is looked at once
        games = 0 if folder in shown else SHOWN
        shown.add(folder)
        sections.append(gather.section(results, run.read(folder), pictures, games=games))
    lead = f"Scripted players in a small Iconworld: {_BETWEEN}."
    footer = f"Referee {__version__}. The world, the runs and the results are in {out.name}/."
    return page.write(out / "report.html", "Referee's demo", lead, sections, footer)
