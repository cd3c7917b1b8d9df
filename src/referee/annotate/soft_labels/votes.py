"""People's votes: from exports of makesense.ai, and as soft labels of the questions (belief.txt, 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from referee.annotate.soft_labels.first_turns import guesswhat
from referee.annotate.soft_labels.questions import parse
from referee.datasets.annotations import Labelled, Vote
from referee.datasets.files import Skipped, refuse
from referee.datasets.question_sample import NONE, Item, Object
from referee.datasets.soft_labels import SoftLabel
from referee.errors import DataError
from referee.games import Box, Transcript
from referee.metrics.belief.labels import AllZero, combined
from referee.metrics.belief.ragged import Floats

_NUMBER = re.compile(r"#?\s*(\d+)\b")
LEAST_OVERLAP = 0.5
"""A box that somebody drew is an object's where the two share at least this of their union."""


@dataclass(frozen=True, eq=False)
class Voted:
    """A question and what people said: `votes` [objects, people], NaN where somebody said nothing."""

    item: Item
    people: tuple[str, ...]
    votes: Floats

    @property
    def counts(self) -> Floats:
        """How many people put each object into the reference set."""
        found: Floats = np.nansum(self.votes, axis=1)
        return found


def questions(transcripts: Iterable[Transcript]) -> Iterator[Item]:
    """The turns of dialogues as questions that people can have been asked."""
    for transcript in transcripts:
        game = guesswhat(transcript)
        objects = tuple(
            Object(number, thing.id, thing.category, thing.box)
            for number, thing in enumerate(game.scene.things, start=1)
        )
        for place, turn in enumerate(transcript.turns, start=1):
            asked = parse(turn.question)
            yield Item(
                game=game.id,
                image=game.image,
                turn=place,
                type="other" if asked is None else asked.type,
                question=turn.question,
                answer=turn.answer,
                picture=f"{game.id}-{place}.png",
                width=game.scene.width,
                height=game.scene.height,
                objects=objects,
            )


def of_makesense(
    marks: Iterable[Labelled], annotator: str, items: Sequence[Item], skipped: Skipped = None
) -> Iterator[Vote]:
    """One annotator's votes from labels on the pictures that `sample-questions` drew.

    A label is the number of an object, as in "3" or "3 dog", or "none"; a box with any other label is
    that of the object that it overlaps most. A picture without a label was not looked at.
    """
    known = {PurePath(item.picture).stem: item for item in items}
    chosen: dict[str, set[int]] = {}
    for mark in marks:
        name = PurePath(mark.image).stem
        try:
            number = _number(mark, known.get(name))
        except DataError as error:
            refuse(error.located(record=f"{annotator}, picture {mark.image}"), skipped)
            continue
        chosen.setdefault(name, set()).update(() if number is None else (number,))
    for name, numbers in chosen.items():
        item = known[name]
        for each in item.objects:
            yield Vote(item.game, item.turn, annotator, each.id, each.number in numbers)


def _number(mark: Labelled, item: Item | None) -> int | None:
    if item is None:
        raise DataError(
            f"is about the picture {mark.image!r}", field="image", expected="one of the task's"
        )
    if mark.label.strip().lower() == NONE:
        return None
    written = _NUMBER.match(mark.label.strip())
    if written is not None:
        number = int(written[1])
        if 1 <= number <= len(item.objects):
            return number
    elif mark.box is not None:
        overlaps = [_overlap(mark.box, each.box) for each in item.objects]
        best = int(np.argmax(overlaps)) if overlaps else 0
        if overlaps and overlaps[best] >= LEAST_OVERLAP:
            return item.objects[best].number
    raise DataError(
        f"{mark.label!r} is no object",
        field="label",
        expected=f"a number from 1 to {len(item.objects)}, a box on an object, or '{NONE}'",
    )


def _overlap(one: Box, other: Box) -> float:
    """The intersection of two boxes over their union."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    both = max(across, 0.0) * max(down, 0.0)
    whole = one.width * one.height + other.width * other.height - both
    return both / whole if whole > 0 else 0.0


def voted(
    votes: Iterable[Vote], items: Iterable[Item], skipped: Skipped = None
) -> tuple[Voted, ...]:
    """The questions that people voted on, each with its votes; who votes must speak of every object."""
    found: dict[tuple[str, int], dict[str, dict[str, bool]]] = {}
    for vote in votes:
        by_person = found.setdefault((vote.game, vote.turn), {})
        by_person.setdefault(vote.annotator, {})[vote.object] = vote.vote
    rows: list[Voted] = []
    for item in items:
        by_person = found.pop(item.key, {})
        whole = dict(_whole(item, by_person, skipped))
        if whole:
            marks = np.array(list(whole.values()), dtype=np.float64).T
            rows.append(Voted(item, tuple(whole), marks))
    for game, turn in found:
        unknown = DataError(
            "there are votes on it but it was not asked", record=f"game {game}, turn {turn}"
        )
        refuse(unknown, skipped)
    return tuple(rows)


def _whole(
    item: Item, by_person: Mapping[str, Mapping[str, bool]], skipped: Skipped
) -> Iterator[tuple[str, list[bool]]]:
    ids = [each.id for each in item.objects]
    for person, marks in by_person.items():
        if set(marks) == set(ids):
            yield person, [marks[name] for name in ids]
            continue
        odd = sorted(set(marks) ^ set(ids))
        wrong = DataError(
            f"{person} voted on {len(marks)} objects (see {odd[0]})",
            record=f"game {item.game}, turn {item.turn}",
            field="object",
            expected=f"each of the {len(ids)} objects",
        )
        refuse(wrong, skipped)


def distributions(rows: Sequence[Voted], all_zero: AllZero = "unlabelled") -> Iterator[SoftLabel]:
    """People's soft labels: the votes of each object over all votes; nothing where nobody meant any."""
    for row in rows:
        counts, item = row.counts, row.item
        if item.answer not in ("Yes", "No") or (all_zero == "unlabelled" and not counts.any()):
            continue
        shares = combined(counts, np.array([len(counts)]), all_zero=all_zero)
        yield SoftLabel(
            game=item.game,
            image=item.image,
            turn=item.turn,
            question=item.question,
            answer="Yes" if item.answer == "Yes" else "No",
            type=item.type,
            objects=tuple(each.id for each in item.objects),
            probabilities=tuple(shares.tolist()),
            reference=tuple((counts > 0).tolist()),
            source=f"{len(row.people)} people",
            turns=(item.turn,),
            why=tuple(
                f"{each.category}: meant by {int(count)} of {len(row.people)} people"
                for each, count in zip(item.objects, counts, strict=True)
            ),
        )
