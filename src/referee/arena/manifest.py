"""What made a run: enough to make it again, and to refuse to continue it as something else."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
from msgspec import Struct

import referee
from referee.games import Sitting
from referee.players.naming import encodable

Argument = str | int | float | bool | None

PACKAGES = ("msgspec", "numpy", "torch", "transformers")
"""The packages whose versions may show in what players say; those installed are recorded."""


class Data(Struct, frozen=True):
    """A file that was read, and what was in it."""

    path: str
    bytes: int
    sha256: str


class Git(Struct, frozen=True):
    """The commit that the working folder stood at, and whether files differed from it."""

    commit: str
    changed: bool


class Manifest(Struct, frozen=True, omit_defaults=True):
    """The seed, the arguments, the data, the players and the versions behind the transcripts."""

    run: str
    game: str
    seed: int
    arguments: dict[str, Argument]
    data: dict[str, Data]
    seats: tuple[Sitting, ...]
    referee: str
    python: str
    platform: str
    packages: dict[str, str]
    started: str
    git: Git | None = None

    def differences(self, other: Manifest) -> Iterator[str]:
        """What would make `other` write other transcripts; where a file lies makes no difference."""
        yield from _differing("game", {"": self.game}, {"": other.game})
        yield from _differing("Referee", {"": self.referee}, {"": other.referee})
        yield from _differing("seed", {"": self.seed}, {"": other.seed})
        yield from _differing("argument", self.arguments, other.arguments)
        mine, others = (
            {role: data.sha256[:12] for role, data in m.data.items()} for m in (self, other)
        )
        yield from _differing("data", mine, others)
        mine, others = ({sitting.seat: _who(sitting) for sitting in m.seats} for m in (self, other))
        yield from _differing("player", mine, others)


def make(
    game: str,
    *,
    seed: int,
    arguments: Mapping[str, Argument],
    files: Mapping[str, Path],
    seats: Iterable[Sitting],
) -> Manifest:
    """The manifest of a run that starts now."""
    now = datetime.now(UTC)
    data = {role: hashed(path) for role, path in files.items()}
    sitting = tuple(seats)
    identity = msgspec.json.encode([game, seed, dict(arguments), data, sitting])
    digest = hashlib.sha256(identity).hexdigest()
    return Manifest(
        run=f"{now:%Y%m%dT%H%M%S}-{digest[:8]}",
        game=game,
        seed=seed,
        arguments=dict(arguments),
        data=data,
        seats=sitting,
        referee=referee.__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        packages=dict(_installed()),
        started=now.isoformat(timespec="seconds"),
        git=_git(),
    )


def hashed(path: Path) -> Data:
    """A file's size and SHA-256."""
    from referee.datasets.files import reading

    with reading(path), path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return Data(encodable(str(path)), stream.tell(), digest)


def _who(sitting: Sitting) -> str:
    settings = "&".join(f"{name}={value}" for name, value in sorted(sitting.settings.items()))
    return f"{sitting.player} {sitting.version} {settings}".strip()


def _differing(
    what: str, mine: Mapping[str, Argument], others: Mapping[str, Argument]
) -> Iterator[str]:
    for name in dict.fromkeys([*mine, *others]):
        if mine.get(name) != others.get(name):
            yield f"{what} {name}".strip() + f" was {mine.get(name)}, is {others.get(name)}"


def _installed() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue


def _git() -> Git | None:
    """The state of the repository around the working folder, if there is one and git to ask."""
    try:
        commit, status = (
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout  # noqa: S603 (these two commands and no others)
            for command in (["git", "rev-parse", "HEAD"], ["git", "status", "--porcelain"])
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return Git(commit.strip(), changed=bool(status.strip()))
