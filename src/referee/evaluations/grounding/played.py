"""The rows of games that were played: of which part each is, whether it was won, what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.evaluations.grounding.references import (
    PLAYED,
    Pair,
    Reference,
    domain,
    domain_of,
    pair,
)
from referee.evaluations.questions.kept import check_answers, game_row, picture, turn_rows
from referee.evaluations.questions.options import Options as QuestionOptions
from referee.evaluations.questions.options import settle
from referee.evaluations.result import Row
from referee.games import GuessWhat, Transcript

PARTS_OF = {"seen": "gameplay", "near": "zero-shot", "out": "zero-shot"}


@dataclass
class Played:
    """The rows of games and turns, and what is to be noted of them."""

    games: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    players: dict[str, set[str]] = field(default_factory=dict)
    """Who sat in which seat."""

    @property
    def seated(self) -> str | None:
        """Who sat in which seat, as the results say it; None where nobody is known."""
        seats = (f"{seat} {' and '.join(sorted(who))}" for seat, who in self.players.items())
        return ", ".join(seats) or None


def rows(
    transcripts: Iterable[Transcript],
    references: Mapping[Pair, Reference],
    *,
    code: bool,
    sent: bool = False,
) -> Played:
    """A row for each game and turn; a reference game that nobody played has a row that failed.

    Of a submission (`sent`) such a game is lost: it could leave out those that it would not win.

    Of games with the same image and target the first counts (`unique`). Without references each game's
    own scene says whether it holds unseen things.
    """
    found = Played()
    settled = settle(QuestionOptions(variant="code" if code else "paper"))
    seen: set[Pair] = set()
    strange = incomplete = 0
    for transcript in transcripts:
        for sitting in transcript.seats:
            found.players.setdefault(sitting.seat, set()).add(sitting.player)
        game = transcript.game
        assert isinstance(game, GuessWhat)  # noqa: S101 - judge has checked, mypy has not
        known = references.get(pair(game))
        if references and known is None:
            strange += 1
            continue
        check_answers(game, transcript.turns)
        incomplete += transcript.status == "incomplete"
        told = _part(game, known)
        row = game_row(transcript, transcript.turns, pair(game) not in seen, settled)
        seen.add(pair(game))
        found.games.append(row | told)
        found.turns += [each | told for each in turn_rows(game, transcript.turns, settled)]
    _add_unplayed(found, references, seen, sent=sent)
    if strange:
        found.notes.append(f"{strange:,} games are none of the reference games: left out")
    if incomplete:
        found.notes.append(f"{incomplete:,} incomplete games: not won")
    return found


def played_domains(found: Played) -> frozenset[str]:
    """The domains of which games were played."""
    return frozenset(str(row["domain"]) for row in found.games)


def lacking(found: Played) -> Sequence[str]:
    """The domains of which nothing was played."""
    return [name for name in ("seen", "near", "out") if name not in played_domains(found)]


def _part(game: GuessWhat, known: Reference | None) -> Row:
    if known is None:
        return {"part": "", "domain": domain_of(game)}
    return {"part": known.part, "domain": domain(known.part)}


def _add_unplayed(
    found: Played, references: Mapping[Pair, Reference], seen: set[Pair], *, sent: bool
) -> None:
    """A reference game of a domain of which others were played should have been played too."""
    domains = {str(row["domain"]) for row in found.games}
    missing = {part: 0 for part in PLAYED if domain(part) in domains}
    for key, reference in references.items():
        if key in seen or reference.part not in missing:
            continue
        missing[reference.part] += 1
        game = reference.game
        found.games.append(
            {
                "game": game.id,
                "image": picture(game),
                "target": game.target,
                "status": "incomplete",
                "success": False if sent else None,
                "unique": True,
                "part": reference.part,
                "domain": domain(reference.part),
            }
        )
    for part, many in missing.items():
        if many:
            how = "are not in the submission: not won" if sent else "were not played (n_failed)"
            found.notes.append(f"{many:,} reference games of {part} {how}")
