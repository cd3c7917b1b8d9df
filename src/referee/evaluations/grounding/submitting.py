"""A submission to GROLLA, gathered from runs, files of dialogues and judged results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.datasets.grolla import Played, Predicted, Said
from referee.errors import DataError, UsageError
from referee.evaluations import sources, store
from referee.evaluations.grounding import references
from referee.evaluations.grounding.gold import TASKS
from referee.evaluations.grounding.references import PLAYED, Pair, Reference, pair
from referee.evaluations.result import Row
from referee.games import GuessWhat, Transcript


@dataclass
class Gathered:
    """The lines of a submission."""

    games: list[Played] = field(default_factory=list)
    attributes: list[Predicted] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def player(self) -> str:
        """Who played, as far as that is known."""
        return ", ".join(dict.fromkeys(self.players)) or "unknown"

    @property
    def counts(self) -> dict[str, int]:
        """The games of each part."""
        found = Counter(str(game.part) for game in self.games)
        return {part: found[part] for part in PLAYED if part in found}


def gathered(paths: Sequence[Path], games: Path | None, zero_shot: Path | None) -> Gathered:
    """What runs, files and judged results hold; of an image and target the first game counts."""
    found = Gathered()
    wanted = references.references(games, zero_shot)
    seen: set[Pair] = set()
    strange = 0
    for path in paths:
        if store.holds_results(path):
            _of_result(path, found, seen)
            continue
        for transcript in sources.transcripts(path):
            if not wanted:
                raise UsageError(
                    f"{path} does not say of which part its games are: name the games (--games, "
                    "--zero-shot)"
                )
            strange += not _of_transcript(transcript, wanted, found, seen)
    if strange:
        found.notes.append(f"{strange:,} games are none of the reference games: left out")
    if not found.games and not found.attributes:
        raise DataError("holds nothing to submit", file=paths[0])
    return found


def _of_transcript(
    transcript: Transcript, wanted: Mapping[Pair, Reference], found: Gathered, seen: set[Pair]
) -> bool:
    game = transcript.game
    known = wanted.get(pair(game)) if isinstance(game, GuessWhat) else None
    if known is None:
        return False
    found.players += [each.player for each in transcript.seats if each.seat == "questioner"]
    if pair(known.game) not in seen:
        seen.add(pair(known.game))
        said = tuple(Said(turn.question, _answer(turn.answer)) for turn in transcript.turns)
        part: Any = known.part
        found.games.append(Played(part, *pair(known.game), transcript.guess, said))
    return True


def _of_result(path: Path, found: Gathered, seen: set[Pair]) -> None:
    judged = store.read(path)
    if judged.result.evaluation != "grounding":
        raise UsageError(f"{path} holds results of '{judged.result.evaluation}', not of grounding")
    told = judged.result.options
    player = told.get("player") or told.get("played_by")
    found.players += [str(player)] if player else []
    dialogues: dict[tuple[str, str], list[Said]] = {}
    for row in judged.turns:
        said = Said(str(row["question"]), _answer(str(row["answer"])))
        dialogues.setdefault((str(row["game"]), str(row["image"])), []).append(said)
    unknown = 0
    for row in judged.games:
        if row.get("success") is not None:
            unknown += not _played(row, dialogues, found, seen)
        if isinstance(row.get("predicted_abstract"), list):
            names = [tuple(_names(row, f"predicted_{task}")) for task in TASKS]
            found.attributes.append(Predicted(str(row["game"]), *names))
    if unknown:
        found.notes.append(
            f"{unknown:,} games of {path.name} are of no known part: judge with --games and --zero-shot"
        )


def _played(
    row: Row, dialogues: Mapping[tuple[str, str], list[Said]], found: Gathered, seen: set[Pair]
) -> bool:
    part: Any = row.get("part")
    key = str(row["image"]), str(row["target"])
    if not part:
        return False
    if key not in seen:
        seen.add(key)
        guess = None if row.get("guess") is None else str(row["guess"])
        said = dialogues.get((str(row["game"]), key[0]), [])
        found.games.append(Played(part, *key, guess, tuple(said)))
    return True


def _names(row: Row, column: str) -> Iterator[str]:
    held = row.get(column)
    return iter(held if isinstance(held, list) else ())


def _answer(text: str) -> Any:
    return text
