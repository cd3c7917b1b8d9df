"""Generated answers beside their reference sets: joined by (image, round), never by position."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.evaluations.answers.references import References
from referee.games import Reply, Transcript, VisDial

_SHOWN = 5


@dataclass(frozen=True)
class Answered:
    """A round with a reference set and what a model generated for it; nothing where it did not answer."""

    game: str
    references: ReferenceSet
    texts: tuple[str, ...] = ()


@dataclass
class Joined:
    """All rounds that have a reference set, those that nobody answered, and answers without references."""

    rounds: list[Answered] = field(default_factory=list)
    missing: list[RoundKey] = field(default_factory=list)
    extra: list[RoundKey] = field(default_factory=list)

    @property
    def most(self) -> int:
        """The greatest number of generations of a round."""
        return max((len(answered.texts) for answered in self.rounds), default=0)

    def notes(self) -> list[str]:
        """The rounds that do not meet, the first few by name."""
        found = []
        if self.missing:
            found.append(
                f"reference sets without a generation (n_failed): {len(self.missing)} of "
                f"{len(self.rounds)} ({_some(self.missing)})"
            )
        if self.extra:
            found.append(
                f"generated rounds without a reference set, left out: {len(self.extra)} "
                f"({_some(self.extra)})"
            )
        return found


def _some(keys: list[RoundKey]) -> str:
    named = "; ".join(map(str, keys[:_SHOWN]))
    return f"{named}; …" if len(keys) > _SHOWN else named


class Joining:
    """Takes dialogues one by one and keeps what was generated for the rounds that have references."""

    def __init__(self, references: References) -> None:
        self._sets = references.sets
        self._given: dict[RoundKey, Answered] = {}
        self._extra: list[RoundKey] = []

    def add(self, game: VisDial, transcript: Transcript) -> list[int]:
        """Adds the texts of a dialogue and names the generated rounds that have no reference set."""
        replies = (event for event in transcript.events if isinstance(event, Reply))
        extra = []
        for number, reply in enumerate(replies):
            if not reply.texts:
                continue
            key = RoundKey(game.image, number)
            found = self._sets.get(key)
            if found is None:
                extra.append(number)
                continue
            if key in self._given:
                raise DataError(
                    "two dialogues answer this round",
                    record=str(key),
                    expected="one dialogue an image",
                )
            _same_question(game.rounds[number].question, found)
            self._given[key] = Answered(game.id, found, reply.texts)
        self._extra += [RoundKey(game.image, number) for number in extra]
        return extra

    def joined(self) -> Joined:
        """Every round that has a reference set, in the order of image and round."""
        rounds = [
            self._given.get(key) or Answered(key.image, self._sets[key])
            for key in sorted(self._sets, key=_numbered)
        ]
        missing = [answered.references.key for answered in rounds if not answered.texts]
        return Joined(rounds, missing, self._extra)


def _numbered(key: RoundKey) -> tuple[int, str, int]:
    return (len(key.image), *key) if key.image.isdecimal() else (0, *key)


def _same_question(asked: str, found: ReferenceSet) -> None:
    # Files that count rounds from 1 where others count from 0 join without a sound, but for this.
    if asked and found.question and _bare(asked) != _bare(found.question):
        raise DataError(
            f"the dialogue asks {asked!r}, the reference set is for {found.question!r}",
            record=str(found.key),
            field="question",
            expected="the same question (does one of the files count rounds from 1?)",
        )


def _bare(question: str) -> str:
    return question.strip().rstrip("?").rstrip().casefold()
