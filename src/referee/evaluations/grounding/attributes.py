"""What the states of the human dialogues know of their targets, or what a player says that is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.datasets import grolla
from referee.errors import DataError, MissingPlayer, UsageError
from referee.evaluations.evaluation import hashed_text
from referee.evaluations.grounding import eliciting, gold, probing, references, states
from referee.evaluations.grounding.eliciting import Elicit
from referee.evaluations.grounding.gold import TASKS, Gold, Tasks
from referee.evaluations.grounding.options import Options, Settled
from referee.evaluations.grounding.probing import Asked, Probed
from referee.evaluations.grounding.references import HUMAN
from referee.evaluations.grounding.states import Encoded, States
from referee.evaluations.result import Option, Row, Value
from referee.games import Transcript
from referee.players import resolve
from referee.players.recorded import digest
from referee.players.resolve import Player

_SEATS = ("questioner", "guesser")
_UNKNOWN = "f1_* and grolla are null"


@dataclass
class Attributes:
    """The rows of the test split's won games, and what else is known of the attribute part."""

    told: dict[str, Option]
    rows: list[Row] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    data: bytes = b""
    """A digest of the dialogues and attributes that were read."""


@dataclass
class _Data:
    """The human dialogues and attributes, each split read when it is needed."""

    games: Path
    folder: Path
    skipped: list[DataError] | None
    tasks: Tasks
    splits: dict[str, Gold] = field(default_factory=dict)

    def of(self, split: str) -> Gold:
        """The won games of a split and their targets' attributes."""
        if split not in self.splits:
            path = references.human(self.games, (split,))[split]
            won = list(references.won(path, self.skipped))
            names = self.tasks.names
            self.splits[split] = gold.read(won, self.folder, split, names, self.skipped)
        return self.splits[split]

    @property
    def told(self) -> str:
        """What tells the judged games and their targets' attributes from others."""
        held = self.of("test")
        found = hashlib.sha256(repr(self.tasks.names).encode())
        found.update(repr([transcript.game.id for transcript in held.games]).encode())
        found.update(_bytes(held))
        return f"{self.folder.name} sha256:{found.hexdigest()[:16]}"

    @property
    def digest(self) -> bytes:
        """What tells all that was read from other data: of each split the dialogues and the attributes."""
        found = hashlib.sha256()
        for split in filter(self.splits.__contains__, HUMAN):
            for transcript in self.splits[split].games:
                found.update(hashed_text(transcript))
            found.update(_bytes(self.splits[split]))
        return found.digest()


def attributes(
    options: Options,
    settled: Settled,
    players: Mapping[str, set[str]],
    skipped: list[DataError] | None,
) -> Attributes:
    """The columns f1, precision and recall of each task, from states; and what was elicited."""
    if options.attributes is None:
        return Attributes({}, notes=[f"{_UNKNOWN}: no attributes are given (--attributes)"])
    if options.games is None:
        raise UsageError(
            "attributes are those of the human dialogues' targets: name these (--games)"
        )
    folder = Path(options.attributes)
    data = _Data(Path(options.games), folder, skipped, gold.tasks(folder))
    found = Attributes({})
    asked = Asked(
        data.tasks,
        settled.beyond,
        settled.code,
        options.probe_seed,
        settled.training,
        settled.batch,
    )
    player = None
    if not options.states or options.elicit:
        player = _player(options, players, found.notes)
        found.told["player"] = None if player is None else player.name
    if options.elicit:
        _check_asked(player)
    parts = [_scored(options, data, asked, player, found)]
    if player is not None and options.elicit:
        parts.append(_elicited(options, data, asked, player))
    found.rows = [_row(transcript) for transcript in data.of("test").games]
    for part in filter(None, parts):
        _add(found, part)
    found.told["attributes"] = data.told
    found.data = data.digest
    found.notes += _without(data.splits)
    return found


def _scored(
    options: Options, data: _Data, asked: Asked, player: Player | None, found: Attributes
) -> Probed | None:
    """What a linear classifier finds; None, with the reason, where there are no states."""
    if options.submission is not None:
        return _submitted(Path(options.submission), data, asked, found)
    if options.states == states.RANDOM:
        found.told["states"] = states.RANDOM
        return probing.random(data.of("test"), asked)
    source: States
    if options.states:
        source = states.named(options.states)
    elif player is not None and callable(getattr(player.who, "state", None)):
        source = states.OfPlayer(player)
    else:
        why = "no player is known" if player is None else f"{player.name} shows no state"
        how = "give --states, or a player that shows its state (--player)"
        ask = "" if options.elicit else ", or ask it about attributes (--elicit)"
        found.notes.append(f"{_UNKNOWN}: {why}; {how}{ask}")
        return None
    encoded = Encoded(source, zeros=options.missing == "zero")
    splits = {split: data.of(split) for split in HUMAN}
    gold.check_apart(splits, data.games)
    matrices = {split: encoded.of(split, each.games) for split, each in splits.items()}
    found.told |= {
        "states": source.name,
        "state_width": encoded.width,
        "states_data": encoded.data,
        "classifier": asked.told(len(splits["train"].games)),
    }
    many = ", ".join(f"{count} of {split}" for split, count in encoded.missing.items() if count)
    if many:
        found.notes.append(f"games without a state, which got zeros: {many}")
    found.told["missing_states"] = sum(encoded.missing.values())
    return probing.probe(matrices, splits, asked)


def _submitted(path: Path, data: _Data, asked: Asked, found: Attributes) -> Probed | None:
    """What a submission says of each game; none where it says nothing of attributes."""
    said = grolla.predictions(path)
    found.told["states"] = f"{path.name} {digest(path)}"
    if not said:
        found.notes.append(f"{_UNKNOWN}: {path.name} predicts no attributes")
        return None
    test, of_task = data.of("test"), data.tasks.of
    rows: dict[str, list[Sequence[str]]] = {task: [] for task in TASKS}
    lacking = 0
    for transcript in test.games:
        predicted = said.get(transcript.game.id, {})
        lacking += not predicted
        for task in TASKS:
            names = predicted.get(task, ())
            strange = sorted(set(names) - set(of_task[task]))
            if strange:
                raise DataError(
                    f"predicts {strange[0]!r}, which is no attribute of this task",
                    file=path,
                    record=f"game {transcript.game.id}",
                    field=task,
                    expected=f"names of {data.folder.name}",
                )
            rows[task].append(names)
    strangers = said.keys() - {transcript.game.id for transcript in test.games}
    if strangers:
        found.notes.append(
            f"{len(strangers):,} games with predictions are none that people won in test (such as "
            f"{min(strangers)}): left out"
        )
    if lacking:
        found.notes.append(
            f"{lacking} games without a prediction: none of their attributes is found"
        )
    return probing.told(test, rows, asked)


def _check_asked(player: Player | None) -> None:
    """Refuses whom nobody can ask, before classifiers are trained for an hour."""
    if player is None:
        raise UsageError("who is to be asked about attributes? Name a player (--player)")
    eliciting.check(player)


def _elicited(options: Options, data: _Data, asked: Asked, player: Player) -> Probed:
    how = Elicit(options.elicit, options.probe_seed, asked.code)
    return eliciting.elicit(player, data.of("test"), data.tasks, how)


def _player(options: Options, players: Mapping[str, set[str]], notes: list[str]) -> Player | None:
    """The player that is named, else the one that played and shows a state, else one that played."""
    if options.player is not None:
        return resolve.resolve(options.player)
    found: list[Player] = []
    for seat in _SEATS:
        names = players.get(seat, set())
        if len(names) != 1:
            continue
        try:
            found.append(resolve.resolve(next(iter(names))))
        except MissingPlayer as error:
            notes.append(f"the {seat} that played cannot be asked again: {error}")
    able = [each for each in found if callable(getattr(each.who, "state", None))]
    return next(iter([*able, *found]), None)


def _add(found: Attributes, part: Probed) -> None:
    for row, columns in zip(found.rows, part.columns, strict=True):
        row.update(columns)
    found.values |= part.values
    found.notes += part.notes


def _row(transcript: Transcript) -> Row:
    game: Any = transcript.game
    category = game.scene.things[game.target_index].category
    return {
        "game": game.id,
        "image": game.image,
        "target": game.target,
        "category": category,
        "domain": "seen",
    }


def _bytes(held: Gold) -> bytes:
    """The attributes of a split's targets, to be hashed."""
    arrays = (
        array
        for labels in (held.abstract, held.situated)
        for array in (labels.offsets, labels.columns)
    )
    return b"".join(array.tobytes() for array in arrays)


def _without(splits: Mapping[str, Gold]) -> list[str]:
    left = [f"{each.without:,} of {split}" for split, each in splits.items() if each.without]
    return [f"games of pictures without attributes, left out: {', '.join(left)}"] if left else []
