"""The games of `mocked` in inspect_ai's loop; run by a Python that has inspect_ai (see `mocked_playing`).

    python rival_inspect.py games.json played.json

Its mock model answers through a function. Samples run at once, as many as inspect_ai likes best, nothing
is displayed or streamed, and usage is given, so that no token need be counted: each makes it faster.
"""

# mypy: disable-error-code="import-not-found, untyped-decorator"
from __future__ import annotations

import json
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

import mocked

AT_ONCE = 64


def answer(messages: list[Any], *_: object) -> ModelOutput:
    """The mock model behind inspect_ai's."""
    text = mocked.reply([(message.role, message.text) for message in messages])
    output = ModelOutput.from_content("mockllm", text)
    output.usage = ModelUsage(input_tokens=len(messages), output_tokens=1, total_tokens=1)
    return output


@solver
def play() -> Solver:
    """One game: five questions, five answers, a guess."""

    async def solve(state: TaskState, _: Generate) -> TaskState:
        model = get_model()
        things, target = state.metadata["things"], state.metadata["target"]
        said: list[str] = []
        for _turn in range(mocked.TURNS):
            asked = await model.generate(state.messages)
            state.messages.append(asked.message)
            question = asked.completion
            told = await model.generate(
                [ChatMessageUser(content=mocked.telling(things, target, question))]
            )
            state.messages.append(ChatMessageUser(content=told.completion))
            said.append(told.completion)
        state.store.set("guess", mocked.guess(said, len(things)))
        return state

    return solve


def main(source: Path, result: Path) -> None:
    """Plays the games, and writes what was said and what it took."""
    games = json.loads(source.read_text())
    samples = [
        Sample(input=mocked.asking(game["things"]), id=game["id"], metadata=game) for game in games
    ]
    model = get_model("mockllm/model", custom_outputs=answer)
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        (log,) = evaluate(
            Task(MemoryDataset(samples), solver=play()),
            model=model,
            log_dir=folder,
            display="none",
            log_level="warning",
            log_realtime=False,
            max_samples=AT_ONCE,
            max_connections=AT_ONCE,
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        written = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        # The samples are read from the log when they are looked at.
        played = {
            sample.id: {
                "said": [message.text for message in sample.messages[1:]],
                "guess": sample.store["guess"],
            }
            for sample in log.samples or []
        }
    found = {"seconds": wall, "cpu": cpu, "bytes": written, "status": log.status}
    told = {"version": version("inspect_ai"), "games": played, **found}
    result.write_text(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
