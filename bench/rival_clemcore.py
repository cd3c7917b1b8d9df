"""The games of `mocked` in clemcore's loop; run by a Python that has clemcore (see `mocked_playing`).

    python rival_clemcore.py games.json played.json

What is written is what its command line writes.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-unimported"
from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from clemcore.backends import Model, ModelSpec
from clemcore.clemgame import (
    DialogueGameMaster,
    ExperimentFileSaver,
    GameBenchmark,
    GameBenchmarkCallbackList,
    GameInstances,
    GameSpec,
    InstanceFileSaver,
    InteractionsFileSaver,
    Player,
    ResultsFolder,
    RunFileSaver,
)
from clemcore.clemgame.callbacks.files import PlayerFileSaver, SignalFileSaver
from clemcore.clemgame.runners import sequential

import mocked


class Mock(Model):
    """The mock model behind clemcore's."""

    def generate_response(self, messages: list[dict[str, str]]) -> tuple[Any, Any, str]:
        """The messages, the whole response, and its text."""
        text = mocked.reply([(message["role"], message["content"]) for message in messages])
        return messages, {"text": text}, text


class Speaker(Player):
    """A player that the model speaks for."""

    def _custom_response(self, _context: dict[str, str]) -> str:
        raise NotImplementedError


class Master(DialogueGameMaster):
    """One game: five questions, five answers, a guess."""

    played: dict[str, dict[str, object]]

    def _on_setup(self, **game: Any) -> None:
        self.game = game
        self.said: list[str] = []
        self.questioner, self.oracle = (Speaker(self.player_models[0]) for _ in range(2))
        self.add_player(self.questioner, initial_context=mocked.asking(game["things"]))
        self.add_player(self.oracle)

    def _parse_response(self, _player: Player, response: str) -> str:
        return response

    def _advance_game(self, player: Player, parsed_response: str) -> None:
        self.said.append(parsed_response)
        things, target = self.game["things"], self.game["target"]
        if player is self.questioner:
            self.set_context_for(self.oracle, mocked.telling(things, target, parsed_response))
        elif len(self.said) < 2 * mocked.TURNS:
            self.set_context_for(self.questioner, parsed_response)
        else:
            guess = mocked.guess(self.said[1::2], len(things))
            self.log_key("guess", guess)
            self.played[self.game["id"]] = {"said": self.said, "guess": guess}
            (self.state.succeed if guess == target else self.state.failed)()


class Benchmark(GameBenchmark):
    """The game as clemcore wants it to be offered."""

    def create_game_master(self, experiment: dict[str, Any], player_models: list[Model]) -> Master:
        """The master of one game."""
        master = Master(self.game_spec, experiment, player_models)
        master.played = self.played
        return master


def main(source: Path, result: Path) -> None:
    """Plays the games, and writes what was said and what it took."""
    games = json.loads(source.read_text())
    spec = GameSpec(game_name="mocked", game_path=str(Path(__file__).parent), players=2)
    rows = [
        {
            "game_name": "mocked",
            "experiment": {"name": "all"},
            "game_instance": {"game_id": number, **game},
        }
        for number, game in enumerate(games)
    ]
    model = Mock(ModelSpec(model_name="mock"))
    benchmark = Benchmark(spec)
    benchmark.played = {}
    with tempfile.TemporaryDirectory() as name:
        folder = ResultsFolder(Path(name), "run")
        savers = GameBenchmarkCallbackList(
            [
                InstanceFileSaver(folder),
                ExperimentFileSaver(folder),
                InteractionsFileSaver(folder),
                RunFileSaver(folder),
                PlayerFileSaver(folder),
                SignalFileSaver(folder),
            ]
        )
        wall, cpu = time.perf_counter(), time.process_time()
        with contextlib.redirect_stderr(io.StringIO()):
            instances = GameInstances("mocked", rows)
            sequential.run(benchmark, instances, [model, model], callbacks=savers)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        written = sum(path.stat().st_size for path in Path(name).rglob("*") if path.is_file())
    found = {"seconds": wall, "cpu": cpu, "bytes": written}
    told = {"version": version("clemcore"), "games": benchmark.played, **found}
    result.write_text(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
