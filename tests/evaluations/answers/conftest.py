"""Rounds with reference sets, small enough to be judged by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from referee.datasets.densevisdial import ReferenceSet
from referee.evaluations.answers import References
from referee.games import Ask, Event, Reply, Round, Scene, Transcript, VisDial

Sets = Mapping[tuple[str, int], Sequence[str]]
MakeReferences = Callable[[Sets], References]
MakeDialogue = Callable[..., Transcript]


@pytest.fixture
def references() -> MakeReferences:
    """Reference sets by (image, round); the first answer of each is the human one."""

    def make(sets: Sets) -> References:
        rows = [
            ReferenceSet(image, number, (1,) * len(texts), tuple(texts), f"q{number}", texts[0])
            for (image, number), texts in sets.items()
        ]
        return References({row.key: row for row in rows}, "own", "here")

    return make


@pytest.fixture
def dialogue() -> MakeDialogue:
    """A dialogue about an image in which a model generated these texts, round by round."""

    def make(image: str, *texts: Sequence[str], question: str = "q{}") -> Transcript:
        asked = tuple(Round(question.format(number)) for number in range(len(texts)))
        events: list[Event] = []
        for one, said in zip(asked, texts, strict=True):
            events += [Ask(one.question), Reply(tuple(said))]
        return Transcript(VisDial(image, Scene(image), "", asked), tuple(events), "success")

    return make
