"""Finding the game that a dialogue was about: by its id, else by image and target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from referee.datasets.dialogues.dialogue import Dialogue
from referee.datasets.files import Skipped, refuse
from referee.errors import DataError
from referee.games import (
    Answer,
    Ask,
    Belief,
    Believe,
    Event,
    Forms,
    Guess,
    GuessWhat,
    Scene,
    Transcript,
)

_NEARLY_NOTHING = 1e-6


@dataclass
class Report:
    """What came of joining and of cutting the guesser's slots to the real objects."""

    by_id: int = 0
    by_target: int = 0
    ambiguous: int = 0
    """Dialogues whose image and target fit several games: they take them in their order."""
    unjoined: list[str] = field(default_factory=list)
    beliefs: int = 0
    leaked: float = 0.0
    """The probability that fell on padding, summed over the beliefs; the rest was renormalised."""
    lost_beliefs: int = 0
    """Beliefs with nothing left for the real objects, which are no distribution any more."""
    padding_guesses: int = 0
    """Games in which the guesser chose a slot with no object: failures without a guess."""


class Games:
    """The games that dialogues may be about, each of which takes one dialogue."""

    def __init__(self, games: Iterable[GuessWhat], report: Report | None = None) -> None:
        self.report = report or Report()
        self._by_id: dict[str, GuessWhat] = {}
        self._by_image: defaultdict[str, list[GuessWhat]] = defaultdict(list)
        self._taken: set[str] = set()
        for game in games:
            self._by_id[game.id] = game
            for name in {game.scene.id, game.scene.file}:
                self._by_image[name].append(game)

    def find(self, dialogue: Dialogue) -> GuessWhat:
        """The game of a dialogue, or a DataError that says why there is none."""
        try:
            return self._find(dialogue)
        except DataError:
            self.report.unjoined.append(name_of(dialogue))
            raise

    def _find(self, dialogue: Dialogue) -> GuessWhat:
        named = self._by_id.get(dialogue.game)
        if named is not None and named.id not in self._taken and _fits(dialogue, named):
            self.report.by_id += 1
            return self._take(named)
        if not dialogue.image:
            raise DataError(
                "there is no such game" if named is None else "the game has a dialogue already",
                field="game id",
                expected="the id of one of the games",
            )
        of_image = self._by_image.get(dialogue.image) or self._by_image.get(
            image_id(dialogue.image)
        )
        fitting = [game for game in of_image or () if _fits(dialogue, game)]
        free = [game for game in fitting if game.id not in self._taken]
        if len({game.target for game in fitting}) > 1:
            raise DataError(
                f"the image {dialogue.image} fits {len(fitting)} games of several targets",
                field="target",
                expected="what tells the target",
            )
        if not free:
            raise DataError(
                "every such game has a dialogue already" if fitting else "there is no such game",
                field="image and target",
                expected="those of one of the games",
            )
        self.report.by_target += 1
        self.report.ambiguous += len(fitting) > 1
        return self._take(free[0])

    def _take(self, game: GuessWhat) -> GuessWhat:
        self._taken.add(game.id)
        return game


def join(
    dialogues: Iterable[Dialogue],
    games: Iterable[GuessWhat],
    skipped: Skipped = None,
    report: Report | None = None,
    file: Path | None = None,
) -> Iterator[Transcript]:
    """The dialogues as transcripts of the games they were about.

    A dialogue that fits no game is a DataError, of the `file` that the dialogues are in: raised, or with
    `skipped` noted there and in `report`.
    """
    known = Games(games, report)
    for dialogue in dialogues:
        try:
            transcript = with_game(dialogue, known.find(dialogue), known.report)
        except DataError as error:
            refuse(error.located(file=file, record=name_of(dialogue)), skipped)
        else:
            yield transcript


def without_game(dialogue: Dialogue) -> Transcript:
    """The dialogue alone: its scene has an id and no things, its game at least the place in the file."""
    identity = dialogue.game or str(dialogue.number)
    image = image_id(dialogue.image)
    forms = Forms(
        game="int" if identity.isdecimal() else "str",
        scene="int" if image.isdecimal() else "str",
    )
    scene = Scene(image, file=dialogue.image if dialogue.image != image else "")
    game = GuessWhat(identity, scene, dialogue.target, forms)
    return Transcript(game, _events(dialogue, [], dialogue.guess), dialogue.status)


def with_game(dialogue: Dialogue, game: GuessWhat, report: Report) -> Transcript:
    """The dialogue on the scene that it was about."""
    ids = [thing.id for thing in game.scene.things]
    guess = dialogue.guess
    if dialogue.guess_index is not None:
        inside = dialogue.guess_index < len(ids)
        guess = ids[dialogue.guess_index] if inside else ""
        report.padding_guesses += not inside
    if guess and guess not in ids:
        raise DataError(
            f"the guess {guess} is not among the candidates",
            field="guess",
            expected="the id of one of the objects",
        )
    beliefs = [_belief(slots, len(ids), report) for slots in dialogue.slots]
    return Transcript(game, _events(dialogue, beliefs, guess), dialogue.status)


def image_id(image: str) -> str:
    """The image's id; a file name of COCO (COCO_val2014_000000123456.jpg) ends in it."""
    stem = PurePosixPath(image).stem
    digits = stem.rpartition("_")[2]
    if stem != image and digits.isascii() and digits.isdecimal():
        return str(int(digits))
    return image


def name_of(dialogue: Dialogue) -> str:
    """What a report calls a dialogue: its game's id, or its place and what else is known."""
    if dialogue.game:
        return dialogue.game
    target = dialogue.target or dialogue.target_category
    return f"{dialogue.number} (image {dialogue.image}, target {target})"


def _fits(dialogue: Dialogue, game: GuessWhat) -> bool:
    target = game.target_index
    image = dialogue.image
    return (
        (not image or image in (game.scene.id, game.scene.file) or image_id(image) == game.scene.id)
        and (not dialogue.target or dialogue.target == game.target)
        and (dialogue.target_index is None or dialogue.target_index == target)
        and dialogue.target_category in ("", game.scene.things[target].category)
    )


def _belief(slots: tuple[float, ...], real: int, report: Report) -> Belief | None:
    if not any(slots):
        return None
    if len(slots) < real:
        raise DataError(
            f"{len(slots)} probabilities for {real} objects",
            field="probabilities",
            expected="one for each object",
        )
    on_objects = sum(slots[:real])
    if on_objects < _NEARLY_NOTHING:
        report.lost_beliefs += 1
        return None
    report.beliefs += 1
    report.leaked += sum(slots[real:])
    return Belief(tuple([slot / on_objects for slot in slots[:real]]))


def _events(dialogue: Dialogue, beliefs: list[Belief | None], guess: str) -> tuple[Event, ...]:
    events: list[Event] = []
    before, *after = beliefs or [None]
    if before is not None:
        events.append(Believe(before))
    for number, turn in enumerate(dialogue.turns):
        events += [Ask(turn.question, turn.id), Answer(turn.answer)]
        belief = after[number] if number < len(after) else None
        if belief is not None:
            events.append(Believe(belief))
    if dialogue.unanswered:
        events.append(Ask(dialogue.unanswered))
    if guess:
        events.append(Guess(guess))
    return tuple(events)
