"""Zero-shot games from 7.5 million boxes, against the scan that only filters and groups them.

Twice: of as many pictures as nocaps has, among all those of the table, from the lists to the written
games; and of every picture of the table, up to the drawn targets.
"""

from __future__ import annotations

import atexit
import json
import math
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from referee.annotate.zero_shot import How, Made, Sources, make, write
from referee.annotate.zero_shot import kinds as classes
from referee.annotate.zero_shot.making import draw
from referee.annotate.zero_shot.pictures import Pictures
from referee.datasets import boxes
from referee.datasets.boxes import NocapsImage
from referee.randomness import key, mix, uniform

BOXES = 7_500_000
BOXES_A_PICTURE = 8.4
NOCAPS = {"valid": 4_500, "test": 10_600}
CLASSES = 601
BODY = ("Human face", "Human arm", "Human hair", "Human hand")
COCO = ("Person", "Car", "Dog", "Chair", "Bottle", "Book", "Bird", "Boat", "Horse", "Bus")
WIDTH, HEIGHT = 1024, 768
SAMPLE = 60_000
BAR = 5.0
MEGABYTES = 1000
ROUNDS = 3

_LISTED = """
import sys
from pathlib import Path
import zero_shot
zero_shot.peak(zero_shot.listed, Path(sys.argv[1]))
"""
_EVERY = _LISTED.replace("listed", "every")


def write_table(folder: Path) -> None:
    """A table as Open Images': two thirds of the boxes occluded, classes by Zipf's law, six digits."""
    rng = np.random.default_rng(7)
    count = int(BOXES / BOXES_A_PICTURE)
    lengths = 1 + rng.geometric(1 / (BOXES_A_PICTURE - 1), int(1.02 * count))
    picture = np.repeat(np.arange(len(lengths)), lengths)[:BOXES]
    assert len(picture) == BOXES
    ids = pl.Series(
        [f"{number:016x}" for number in np.sort(rng.integers(0, 2**63, picture[-1] + 1))]
    )
    chances = 1 / np.arange(1, CLASSES + 1)
    kind = rng.choice(CLASSES, BOXES, p=chances / chances.sum())
    across, down = (np.sort(rng.beta(0.8, 0.8, (BOXES, 2)), axis=1).round(6) for _ in range(2))
    columns = {
        "ImageID": ids[picture],
        "Source": pl.repeat("xclick", BOXES, eager=True),
        "LabelName": pl.Series([f"/m/{number:05x}" for number in range(CLASSES)])[kind],
        "Confidence": np.ones(BOXES, np.int8),
        "XMin": across[:, 0],
        "XMax": across[:, 1],
        "YMin": down[:, 0],
        "YMax": down[:, 1],
    }
    for name, share in (("Occluded", 0.66), ("Truncated", 0.25), ("GroupOf", 0.06)):
        columns[f"Is{name}"] = (rng.random(BOXES) < share).astype(np.int8)
    for name in ("Depiction", "Inside"):
        columns[f"Is{name}"] = np.zeros(BOXES, np.int8)
    pl.DataFrame(columns).write_csv(folder / "boxes.csv")
    names = [*COCO, *BODY, *(f"Thing {number}" for number in range(CLASSES))][:CLASSES]
    order = rng.permutation(CLASSES)
    (folder / "classes.csv").write_text(
        "".join(f"/m/{place:05x},{names[at]}\n" for place, at in enumerate(order))
    )
    ids.to_frame("ImageID").write_parquet(folder / "pictures.parquet")
    chosen = rng.choice(len(ids), sum(NOCAPS.values()), replace=False)
    _lists(folder, ids[np.sort(chosen)].to_list())


def _lists(folder: Path, ids: list[str]) -> None:
    images = [
        {
            "id": n,
            "open_images_id": name,
            "width": WIDTH,
            "height": HEIGHT,
            "file_name": f"{name}.jpg",
        }
        for n, name in enumerate(ids)
    ]
    cut = min(NOCAPS["valid"], len(images) // 2)
    for split, part in (("valid", images[:cut]), ("test", images[cut:])):
        (folder / f"{split}.json").write_text(json.dumps({"images": part}))


@cache
def table() -> Path:
    """The folder of the table, which both cases share."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    write_table(Path(folder.name))
    return Path(folder.name)


def _sources(folder: Path) -> Sources:
    lists = (folder / f"{split}.json" for split in NOCAPS)
    return Sources((folder / "boxes.csv",), folder / "classes.csv", *lists)


def scan(folder: Path) -> int:
    """The rival: how many pictures have 3 to 20 boxes that pass, by polars' streaming engine."""
    named = boxes.classes(folder / "classes.csv")
    body = [label for label, name in named.items() if name in BODY]
    size = (pl.col("XMax") - pl.col("XMin")) * (pl.col("YMax") - pl.col("YMin")) * WIDTH * HEIGHT
    passing = (
        (pl.col("IsOccluded") == 0)
        & (pl.col("IsTruncated") == 0)
        & (size > How.least_area)
        & ~pl.col("LabelName").is_in(body)
    )
    found = pl.scan_csv(folder / "boxes.csv").filter(passing).group_by("ImageID").len()
    fits = found.filter(pl.col("len").is_between(How.fewest, How.most)).collect(engine="streaming")
    return len(fits)


def listed(folder: Path) -> Made:
    """The listed pictures: everything, from the lists to the written games."""
    made = make(_sources(folder))
    with TemporaryDirectory() as out:
        counts = write(Path(out), made)
    assert sum(counts.values()) == len(made.targets)
    return made


def every(folder: Path) -> Made:
    """Every picture of the table, up to the drawn targets."""
    ids = pl.read_parquet(folder / "pictures.parquet")["ImageID"]
    images = tuple(NocapsImage(str(n), name, WIDTH, HEIGHT) for n, name in enumerate(ids))
    kinds = classes.read(folder / "classes.csv", None)
    return draw((folder / "boxes.csv",), Pictures(images, ("test",) * len(images)), kinds, How())


def peak(run: Callable[[Path], Made], folder: Path) -> None:
    """Prints how many games a run makes, and the most memory that this process ever held."""
    games = len(run(folder).targets)
    status = Path("/proc/self/status").read_text().splitlines()
    held = next(line for line in status if line.startswith("VmHWM"))
    print(games, int(held.split()[1]) / 1024)


def plain(sources: Sources, how: How) -> dict[str, list[str]]:
    """The targets of each picture by loops over single boxes and single keys."""
    named = boxes.classes(sources.classes)
    kept = defaultdict(list)
    seen = Counter[str]()
    for box in boxes.read(sources.boxes[0]):
        number = seen[box.image]
        seen[box.image] += 1
        spot = box.pixels(WIDTH, HEIGHT)
        whole = box.occluded is False and box.truncated is False
        if whole and spot.width * spot.height > how.least_area and named[box.label] not in BODY:
            kept[box.image].append((f"{box.image}_{number}", box))
    listed = {i.open_images for path in sources.lists.values() for i in boxes.nocaps(path)}
    few, many = how.fewest, how.most
    fits = {i: some for i, some in kept.items() if i in listed and few <= len(some) <= many}
    frequency = Counter(box.label for some in fits.values() for _, box in some)
    found = {}
    for image, some in fits.items():
        times = {}
        for name, box in some:
            at = mix(key("zero-shot targets", how.seed, image), key("zero-shot label", box.label))
            for side in (box.left, box.right, box.top, box.bottom):
                at = mix(at, int(np.float64(side).view(np.uint64)))
            times[name] = -math.log1p(-uniform(mix(at, 0))) * frequency[box.label]
        found[image] = sorted(times, key=lambda name: times[name])[: how.per_image]
    return found


def check_sample(folder: Path) -> int:
    """The first boxes of the table: the same targets, in the same order, as by loops."""
    with TemporaryDirectory() as part, (folder / "boxes.csv").open() as stream:
        sample = Path(part)
        rows = [line for line, _ in zip(stream, range(SAMPLE), strict=False)]
        (sample / "boxes.csv").write_text("".join(rows))
        (sample / "classes.csv").write_text((folder / "classes.csv").read_text())
        _lists(sample, list(dict.fromkeys(row.partition(",")[0] for row in rows[1:])))
        made, theirs = make(_sources(sample)), plain(_sources(sample), How())
    ours = defaultdict(list)
    for row in made.targets.tolist():
        image = made.pictures.images[made.boxes.picture[row]].open_images
        ours[image].append(f"{image}_{made.boxes.place[row]}")
    assert ours == theirs
    return sum(map(len, theirs.values()))


def _measured(run: Callable[[Path], Made], script: str) -> tuple[float, float, float, int, int]:
    """Seconds of the scan and of a run, the run's peak memory, the games, the scan's pictures."""
    folder = table()
    pairs = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        pictures = scan(folder)
        middle = time.perf_counter()
        made = run(folder)
        pairs.append((middle - started, time.perf_counter() - middle))
    theirs, ours = (min(times) for times in zip(*pairs, strict=True))
    command = [sys.executable, "-c", script, str(folder)]
    here = Path(__file__).parent
    said = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=here
    ).stdout.split()
    assert int(said[0]) == len(made.targets)
    if run is every:
        assert sum(images for images, _ in made.counts().values()) == pictures
    return theirs, ours, float(said[1]), len(made.targets), pictures


def _case(name: str, run: Callable[[Path], Made], script: str) -> dict[str, object]:
    compared = check_sample(table())
    theirs, ours, held, games, pictures = _measured(run, script)
    ratio = ours / theirs
    return {
        "name": name,
        "value": round(ratio, 2),
        "bar": BAR,
        "unit": "x, at most",
        "passed": ratio <= BAR and held <= MEGABYTES,
        "details": {
            "scan seconds": round(theirs, 2),
            "our seconds": round(ours, 2),
            "peak resident megabytes": round(held, 1),
            "megabytes at most": MEGABYTES,
            "games": games,
            "pictures that the scan leaves": pictures,
            "games of the sample equal to those by loops": compared,
        },
    }


def case_listed() -> dict[str, object]:
    """As many pictures as nocaps has: lists, boxes, targets, and the files of the games."""
    name = (
        f"zero-shot games of {sum(NOCAPS.values())} listed pictures among {BOXES} boxes over a scan"
    )
    return _case(name, listed, _LISTED)


def case_every() -> dict[str, object]:
    """Every picture of the table: boxes and targets."""
    return _case(f"zero-shot targets of all pictures of {BOXES} boxes over a scan", every, _EVERY)
