"""Reading 150,000 GuessWhat?! games from gzip, against untyped decoding of the same bytes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from referee.datasets import guesswhat
from referee.randomness import Stream, key

GAMES = 150_000
BAR = 0.7
MEGABYTES = 100
ROUNDS = 3
SCENES = 2_000

_CATEGORIES = ("person", "cup", "dog", "car", "chair", "bottle", "bird", "book", "kite", "oven")
_QUESTIONS = (
    "is it a person?",
    "Is it something that you can eat?",
    "is it on the left half of the picture?",
    "Is it the one that is closest to the camera?",
    "is it red",
)
_RESIDENT = """
import sys
from pathlib import Path
from referee.datasets import guesswhat
count = sum(1 for _ in guesswhat.read(Path(sys.argv[1])))
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(count, int(peak.split()[1]) / 1024)
"""


def write_games(path: Path, games: int) -> None:
    """Games of about the published length: 3 to 8 objects with polygons, 1 to 10 questions.

    Scenes come back with other ids, far enough apart that the compression does not see it.
    """
    rows = [_game(Stream(key("reading", number))) for number in range(SCENES)]
    tails = [json.dumps(row)[1:] for row in rows]
    with gzip.open(path, "wt", 6) as file:
        for number in range(games):
            file.write(f'{{"id": {number}, {tails[number % SCENES]}\n')


def _game(stream: Stream) -> dict[str, Any]:
    objects = [_object(stream, number) for number in range(3 + stream.below(6))]
    image = stream.below(500_000)
    return {
        "image": {
            "id": image,
            "width": 640,
            "height": 480,
            "file_name": f"COCO_train2014_{image:012}.jpg",
            "coco_url": f"images/{image}",
            "flickr_url": f"photos/{stream.below(10**10)}_{stream.below(10**10):x}_z.jpg",
        },
        "objects": objects,
        "object_id": objects[stream.below(len(objects))]["id"],
        "qas": [
            {
                "id": stream.below(10**6),
                "question": stream.choice(_QUESTIONS),
                "answer": stream.choice(("Yes", "No", "No", "Yes", "N/A")),
            }
            for _ in range(1 + stream.below(10))
        ],
        "status": stream.choice(("success", "success", "failure", "incomplete")),
        "questioner_id": stream.below(3_000),
        "timestamp": "2016-07-08 15:10:17",
    }


def _object(stream: Stream, number: int) -> dict[str, Any]:
    corner = [round(500 * stream.random(), 2), round(300 * stream.random(), 2)]
    size = [round(10 + 130 * stream.random(), 2), round(10 + 160 * stream.random(), 2)]
    category = stream.below(len(_CATEGORIES))
    outline = [round(600 * stream.random(), 2) for _ in range(20 + 2 * stream.below(40))]
    return {
        "id": 100 * stream.below(10**5) + number,
        "category": _CATEGORIES[category],
        "category_id": category + 1,
        "bbox": corner + size,
        "area": size[0] * size[1] / 2,
        "segment": [outline],
    }


def _untyped(path: Path) -> int:
    count = 0
    with gzip.open(path) as file:
        for line in file:
            msgspec.json.decode(line)
            count += 1
    return count


def _ours(path: Path) -> int:
    return sum(1 for _ in guesswhat.read(path))


def _seconds(count: Callable[[Path], int], path: Path) -> float:
    started = time.perf_counter()
    assert count(path) == GAMES
    return time.perf_counter() - started


def _peak_megabytes(path: Path) -> float:
    command = [sys.executable, "-c", _RESIDENT, str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(said[0]) == GAMES
    return float(said[1])


def case() -> dict[str, object]:
    """The time to read, build and check the games over that of gzip and untyped decoding."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "guesswhat.train.jsonl.gz"
        write_games(path, GAMES)
        pairs = [(_seconds(_untyped, path), _seconds(_ours, path)) for _ in range(ROUNDS)]
        untyped, ours = (min(times) for times in zip(*pairs, strict=True))
        peak = _peak_megabytes(path)
        size = path.stat().st_size
    ratio = ours / untyped
    return {
        "name": f"reading {GAMES} GuessWhat?! games over gzip and untyped decoding",
        "value": round(ratio, 3),
        "bar": BAR,
        "unit": "x, at most",
        "passed": ratio <= BAR and peak <= MEGABYTES,
        "details": {
            "untyped seconds": round(untyped, 2),
            "our seconds": round(ours, 2),
            "peak resident megabytes": round(peak, 1),
            "megabytes at most": MEGABYTES,
            "compressed bytes": size,
        },
    }
