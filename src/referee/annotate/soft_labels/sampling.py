"""First turns drawn for people to look at (belief.txt, section 3.1 and Table 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple

from referee.annotate.soft_labels.first_turns import guesswhat
from referee.annotate.soft_labels.labelling import ANSWER_CODES
from referee.annotate.soft_labels.questions import TYPES, Type, parse
from referee.datasets.question_sample import ANNOTATORS, PEOPLE, Item, Object, Task
from referee.errors import UsageError
from referee.games import GuessWhat, Transcript, Turn
from referee.randomness import key, mix

COUNTS: Mapping[str, int] = {"category": 25, "object": 25, "colour": 40, "spatial": 85}
"""How many questions of each type people were asked (Table 1)."""


class _Drawn(NamedTuple):
    order: int
    game: GuessWhat
    turn: Turn
    type: Type


def counts(text: str) -> dict[str, int]:
    """How many of each type a text wants.

    >>> counts("category=2, spatial=3")
    {'category': 2, 'spatial': 3}
    """
    wanted: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (each.strip() for each in part.partition("="))
        if name not in TYPES or name in wanted or not number.isdecimal():
            known = ",".join(f"{each}=N" for each in TYPES)
            raise UsageError(f"counts '{text}': expected {known}, each at most once")
        wanted[name] = int(number)
    return wanted


def sample(
    transcripts: Iterable[Transcript],
    wanted: Mapping[str, int] = COUNTS,
    *,
    people: int = PEOPLE,
    annotators: int = ANNOTATORS,
    seed: int = 0,
    source: str = "",
) -> Task:
    """A task of first turns, so many of each type, that were answered Yes or No and have two objects.

    What is drawn depends on the seed and the games alone, not on their order. The questions of all types
    come mixed, and as evenly as can be each is given to `people` of the annotators p1, p2 …
    """
    if not 1 <= people <= annotators:
        raise UsageError(f"{people} people for each question cannot be had of {annotators}")
    found: dict[str, list[_Drawn]] = {name: [] for name, count in wanted.items() if count}
    seen: dict[str, int] = dict.fromkeys(found, 0)
    for each in _first(transcripts, found, seed):
        seen[each.type] += 1
        held = found[each.type]
        held.append(each)
        # Keeping all would keep every game of the file in memory.
        if len(held) > 2 * wanted[each.type] + 64:
            found[each.type] = nsmallest(wanted[each.type], held)
    short = [f"{seen[name]} of {name}" for name in found if seen[name] < wanted[name]]
    if short:
        asked = ", ".join(f"{wanted[name]} of {name}" for name in found)
        raise UsageError(f"there are only {', '.join(short)} to draw {asked} from (give --counts)")
    drawn = [each for name, held in found.items() for each in nsmallest(wanted[name], held)]
    drawn.sort(key=lambda each: mix(each.order, 1))
    shares = _shared_out([each.order for each in drawn], people, annotators)
    digits = max(3, len(str(len(drawn))))
    items = tuple(
        _item(each, f"{number:0{digits}}.png", who)
        for number, (each, who) in enumerate(zip(drawn, shares, strict=True), start=1)
    )
    return Task(items=items, people=people, seed=seed, source=source)


def _first(
    transcripts: Iterable[Transcript], wanted: Mapping[str, object], seed: int
) -> Iterator[_Drawn]:
    for transcript in transcripts:
        game = guesswhat(transcript)
        for turn in transcript.turns[:1]:
            asked = parse(turn.question)
            fits = asked is not None and asked.type in wanted and turn.answer in ANSWER_CODES
            if fits and asked is not None and len(game.scene.things) > 1:
                order = key("sample-questions", seed, game.id)
                yield _Drawn(order, game, turn, asked.type)


def _shared_out(orders: Sequence[int], people: int, annotators: int) -> Iterator[tuple[str, ...]]:
    """Who is asked each question: those who have least to do, drawn among equals."""
    load = dict.fromkeys(range(1, annotators + 1), 0)
    for order in orders:
        chosen = sorted(load, key=lambda who: (load[who], mix(order, who)))[:people]
        for who in chosen:
            load[who] += 1
        yield tuple(f"p{who}" for who in sorted(chosen))


def _item(drawn: _Drawn, picture: str, annotators: tuple[str, ...]) -> Item:
    scene = drawn.game.scene
    return Item(
        game=drawn.game.id,
        image=drawn.game.image,
        turn=1,
        type=drawn.type,
        question=drawn.turn.question,
        answer=drawn.turn.answer,
        picture=picture,
        width=scene.width,
        height=scene.height,
        objects=tuple(
            Object(number, thing.id, thing.category, thing.box)
            for number, thing in enumerate(scene.things, start=1)
        ),
        annotators=annotators,
        image_file=scene.file,
    )
