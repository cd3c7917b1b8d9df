"""Table 1 of the grounding paper, asked again of the neural players that come in the package.

    python examples/grounding_findings.py --out findings [--games 3000] [--players gdse-sl,gdse-cl]

Makes a fresh world, the features of its pictures and regions, and judges every player by it: games about
things of COCO's kinds and about unseen ones, played with `neural:oracle`, and what a linear classifier reads
off the states. Beside them stand the baselines: word vectors, pictures, the text encoders of GDSE, and lots.
Prints the layout of Table 1, each number with its 95 % interval, which resamples whole pictures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from referee.cli import main as referee
from referee.evaluations import store
from referee.evaluations.grounding.measuring import COLUMNS
from referee.evaluations.result import Value
from referee.players.neural import shipped

FRESH = 2026
"""The seed of the world, in which no player was trained."""
PLAYERS = ("devries-sl", "devries-rl", "gdse-sl", "gdse-cl", "vdst")
GRID = "4x4"
PROBE = "watch=loss,learning_rate=0.01"
"""Few games let nothing become more likely than 0.75: the paper's rule would stop at once."""
SHOWN = (*COLUMNS, "grolla")


def call(*words: object) -> None:
    """Calls a command of the command line, and stops where it does."""
    code = referee([str(word) for word in words])
    if code:
        sys.exit(code)


def world(out: Path, games: int, *, regions: bool) -> Path:
    """A world, the features of its pictures and, where a player wants them, of their regions."""
    parts = ("guesswhat", "attributes", "zero-shot", "pictures", "coco")
    call("data", "make", "iconworld", "--out", out, "--games", games, "--seed", FRESH,
         *(word for part in parts for word in ("--part", part)))  # fmt: skip
    call("features", "extract", "--images", out / "images", "--model", "icons",
         "--out", out / "icons.h5")  # fmt: skip
    if regions:
        for name, boxes in boxes_of(out).items():
            call("features", "extract", "--images", out / "images", "--model", "icons",
                 "--boxes", boxes, "--grid", GRID, "--out", out / f"{name}.npy")  # fmt: skip
    return out


def boxes_of(out: Path) -> dict[str, Path]:
    """The files of all pictures' objects, by what the file of their regions is called."""
    found = {path.stem: path for path in sorted((out / "annotations").glob("instances_*.json"))}
    zero_shot = sorted((out / "compguesswhat-zero_shot").rglob("*.jsonl.gz"))
    return found | {path.name.split(".")[1]: path for path in zero_shot}


def row(place: Path, out: Path, *words: object) -> dict[str, Value]:
    """What the command makes of a player or of states."""
    call("evaluate", "grounding", "--games", place, "--attributes", place / "attributes",
         "--zero-shot", place / "compguesswhat-zero_shot", "--probe", PROBE, "--beyond", "none",
         "--out", out, *words)  # fmt: skip
    return store.read(out).result.values


def player(name: str, place: Path) -> str:
    """The player with the features that it sees."""
    if name != "vdst":
        return f"neural:{name}?features={place / 'icons.h5'}"
    return (
        f"neural:vdst?features={','.join(str(place / f'{each}.npy') for each in boxes_of(place))}"
    )


def show(found: dict[str, dict[str, Value]]) -> None:
    """A row a player, as Table 1 has them."""
    print(f"| | {' | '.join(SHOWN)} |".replace("_", " "))
    print("|" + " --- |" + " ---: |" * len(SHOWN))
    for name, values in found.items():
        print(f"| {name} | {' | '.join(_cell(values.get(column)) for column in SHOWN)} |")


def _cell(value: Value | None) -> str:
    if value is None or value.value is None:
        return "-"
    low, high = value.ci_low or 0.0, value.ci_high or 0.0
    return f"{value.value:.1f} [{low:.1f}, {high:.1f}]"


def main() -> None:
    """Makes, plays, judges, prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="a new folder")
    parser.add_argument("--games", type=int, default=3000, help="human games of the world")
    parser.add_argument("--players", default=",".join(PLAYERS), help="names, separated by commas")
    asked = parser.parse_args()
    names = [name for name in asked.players.split(",") if name in shipped()]
    place = world(asked.out / "world", asked.games, regions="vdst" in names)
    results = asked.out / "results"
    lots = ("--player", "scripted:people", "--guesser", "scripted:random-guesser",
            "--oracle", "scripted:perfect-oracle", "--states", "random")  # fmt: skip
    found = {
        "Random": row(place, results / "random", *lots),
        "GloVe": row(place, results / "glove", "--states", "glove", "--only", "attributes"),
        "icons": row(place, results / "images", "--states", f"images:{place / 'icons.h5'}",
                     "--only", "attributes"),
    }  # fmt: skip
    if "guesser" in shipped():
        seats = ("--player", "neural:guesser", "--questioner", "scripted:people")
        found["people's questions, neural:guesser"] = row(place, results / "guesser", *seats)
    for name in names:
        if name.startswith("gdse"):
            text = f"{player(name, place)}&state=text"
            found[f"{name}-text"] = row(
                place, results / f"{name}-text", "--player", text, "--only", "attributes"
            )
        found[name] = row(place, results / name, "--player", player(name, place))
    show(found)


if __name__ == "__main__":
    main()
