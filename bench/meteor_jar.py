"""METEOR's own jar over its stdio protocol, for the tests and the benchmark that hold ours against it."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import IO, Self

from referee.datasets.meteor_data import installed_files

Pair = tuple[str, Sequence[str]]
"""A hypothesis and its references."""


def java() -> str | None:
    """The Java on this machine's path."""
    return shutil.which("java")


class MeteorJar:
    """The reference program in a process of its own; requests are piped, a thread collects the answers."""

    def __init__(self) -> None:
        jar = installed_files().jar
        command = [java() or "java", "-Dfile.encoding=UTF-8", "-jar", "-Xmx2G", str(jar)]
        self._process = subprocess.Popen(
            [*command, "-", "-", "-stdio", "-l", "en", "-norm"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"LC_ALL": "C"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the process."""
        self._input.close()
        self._process.wait()
        self._output.close()

    @property
    def _input(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _ask(self, lines: Iterable[str]) -> list[str]:
        """One answer a line."""
        sent = [f"{line}\n".encode() for line in lines]
        answers: list[bytes] = []

        def collect() -> None:
            answers.extend(self._output.readline() for _ in sent)

        reader = threading.Thread(target=collect)
        reader.start()
        self._input.writelines(sent)
        self._input.flush()
        reader.join()
        return [answer.decode().strip() for answer in answers]

    def statistics(self, pairs: Iterable[Pair]) -> list[str]:
        """The line of 23 numbers of each hypothesis and its best reference."""
        return self._ask(
            " ||| ".join(("SCORE", *references, hypothesis)) for hypothesis, references in pairs
        )

    def scores(self, statistics: Iterable[str]) -> list[float]:
        """The score of each line of statistics."""
        return [float(answer) for answer in self._ask(f"SING ||| {line}" for line in statistics)]

    def evaluated(self, statistics: Sequence[str]) -> list[float]:
        """The score of each line, asked for at once, and then that of all lines as one corpus."""
        lines = " ||| ".join(("EVAL", *statistics))
        self._input.write(f"{lines}\n".encode())
        self._input.flush()
        return [float(self._output.readline()) for _ in range(len(statistics) + 1)]
