"""From folders to a page's sections: results as they were judged, and games of the run to look at."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from referee.evaluations import registry
from referee.evaluations.result import Judged, Row
from referee.games import Transcript
from referee.report import by_metric, published, tables
from referee.report.cards import Card, LeftByTurn, NoteByTurn, card
from referee.report.glance import glance
from referee.report.page import Figure, Section, table

_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def section(
    judged: Mapping[str, Judged],
    transcripts: Iterable[Transcript] = (),
    pictures: Path | None = None,
    *,
    games: int = 4,
    drawn: Sequence[Figure] = (),
) -> Section:
    """One evaluation's results by name (all of the same evaluation), and some games of the first."""
    heading, first = next(iter(judged.items()))
    name = first.result.evaluation
    beside = tables.published_tables(first.result, published.beside(name), heading)
    scores = [one for each in judged.values() for one in by_metric.by_metric(each.result)]
    evaluation = registry.known(name)
    results = {heading: each.result for heading, each in judged.items()}
    return Section(
        name=name,
        heading=name.capitalize(),
        asks=evaluation.asks if evaluation else "",
        glance=glance(results, evaluation.headline if evaluation else ()),
        tables=tuple(
            table(by_metric.rest(each.result), heading) for heading, each in judged.items()
        ),
        published=(*scores, *beside),
        cards=_cards(varied(transcripts, games), first, pictures),
        figures=tuple(drawn),
    )


def figures(folder: Path, name: str) -> Iterator[Figure]:
    """The figures that an evaluation left in its folder of results, which the page calls by a name."""
    for path in sorted(folder.glob("*.svg")):
        # Not inline: two figures of one page would have ids in common.
        held = base64.b64encode(path.read_bytes()).decode()
        caption = f"{name}, {path.stem.replace('_', ' ')}"
        yield Figure(caption, f"data:image/svg+xml;base64,{held}")


def varied(transcripts: Iterable[Transcript], count: int) -> list[Transcript]:
    """Some games about different pictures, failures among them where there are any (about a third)."""
    won: list[Transcript] = []
    lost: list[Transcript] = []
    seen: set[str] = set()
    for transcript in transcripts:
        kind = lost if transcript.status == "failure" else won
        if transcript.game.image not in seen and len(kind) < count:
            kind.append(transcript)
            seen.add(transcript.game.image)
        if len(won) == len(lost) == count:
            break
    failures = lost[: max(count // 3, 1, count - len(won))]
    return [*won[: max(count - len(failures), 0)], *failures][:count]


def left_by_turn(judged: Judged) -> dict[str, LeftByTurn]:
    """For each game the reference set after each turn, where the evaluation kept it."""
    left: dict[str, list[list[str]]] = defaultdict(list)
    for row in judged.turns:
        kept = row.get("reference_set")
        if isinstance(kept, list):
            left[str(row["game"])].append([str(name) for name in kept])
    return dict(left)


def notes_by_turn(judged: Judged) -> dict[str, NoteByTurn]:
    """For each game what is said under each of its questions: the columns of questions.txt, Figure 1."""
    notes: dict[str, list[str]] = defaultdict(list)
    for row in judged.turns:
        if isinstance(row.get("effective"), bool):
            notes[str(row["game"])].append(_note(row))
    return dict(notes)


def _note(row: Row) -> str:
    left = f"{row['distractors']} distractor{'' if row['distractors'] == 1 else 's'} left"
    refers = "refers to the target" if row.get("referring") else ""
    if row.get("refers_to_another"):
        refers = "refers to another"
    return ", ".join(filter(None, (left, "effective" if row["effective"] else "", refers)))


def files_by_scene(transcript: Transcript, folder: Path) -> dict[str, Path]:
    """Where the pictures of a game are: under their file name, or under their id."""
    game = transcript.game
    scenes = getattr(game, "pool", None) or (getattr(game, "scene", None),)
    found: dict[str, Path] = {}
    for scene in scenes:
        if scene is None:
            continue
        names = (scene.file, *(scene.id + ending for ending in _PICTURES))
        paths = [folder / name for name in names if name and (folder / name).is_file()]
        if paths:
            found[scene.id] = paths[0]
    return found


def _cards(
    transcripts: Sequence[Transcript], judged: Judged, pictures: Path | None
) -> tuple[Card, ...]:
    left, notes = left_by_turn(judged), notes_by_turn(judged)
    return tuple(
        card(
            transcript,
            left.get(transcript.game.id, ()),
            files_by_scene(transcript, pictures) if pictures else {},
            notes.get(transcript.game.id, ()),
        )
        for transcript in transcripts
    )
