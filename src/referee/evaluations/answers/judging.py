"""The evaluation itself: from dialogues to rows of ranks and of generations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.evaluations.answers import generations, meta, ranks
from referee.evaluations.answers import options as choices
from referee.evaluations.answers.options import Options
from referee.evaluations.answers.references import References, of_relevance
from referee.evaluations.answers.rounds import Joined, Joining
from referee.evaluations.answers.scoring import Scoring, scoring
from referee.evaluations.evaluation import Collected, Evaluation
from referee.evaluations.measures import COUNT, Measure
from referee.evaluations.result import Row
from referee.games import Reply, Transcript, VisDial

_EXTRA = Measure("extra", "extra", unit=COUNT, statistic="sum")


def measures(turns: Sequence[Row]) -> tuple[Measure, ...]:
    """Ranks where there are any, generations where there are any; ranks where there is nothing."""
    generated = tuple(generations.measures(turns))
    if any("option" in row for row in turns):
        return tuple(meta.measures(turns))
    ranked = ranks.MEASURES if not generated or any("rank" in row for row in turns) else ()
    return (*ranked, *generated, *([_EXTRA] if generated else []))


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """One row a dialogue, and one a round for its ranks, its generated answers, or both."""
    choices.check(options)
    if options.meta:
        return meta.collect(transcripts, options)
    ranked = ranks.Ranked()
    found = Collected()
    joining, late = _joining(options.references), _Late()
    for transcript in transcripts:
        game = transcript.game
        assert isinstance(game, VisDial)  # noqa: S101 - judge has checked, mypy has not
        scored = ranked.add(game, transcript)
        extra = joining.add(game, transcript) if joining else late.add(game, transcript)
        found.games.append(
            {
                "game": game.id,
                "image": game.image,
                "n_rounds": len(game.rounds),
                "n_ranked": scored,
                "n_generated": sum(bool(one.texts) for one in _replies(transcript)),
                "extra": len(extra),
                "extra_rounds": [str(number) for number in extra],
            }
        )
    if joining is None and late.references.sets:
        joining = late.joining()
    joined = None if joining is None else joining.joined()
    if joined is None or any(row["n_ranked"] for row in found.games):
        found.turns = ranked.rows(options.ties)
        found.notes = ranked.notes()
    if joined is not None:
        _score(found, joined, options, options.references or late.references)
    return found


def _replies(transcript: Transcript) -> Iterable[Reply]:
    return (event for event in transcript.events if isinstance(event, Reply))


def _joining(references: References | None) -> Joining | None:
    return None if references is None else Joining(references)


class _Late:
    """Dialogues that bring their own reference sets: H, from the relevance of their rounds."""

    def __init__(self) -> None:
        self._dialogues: list[tuple[VisDial, Transcript]] = []
        self.references = References({}, "H", "relevance")

    def add(self, game: VisDial, transcript: Transcript) -> list[int]:
        """Keeps a dialogue in which something was generated; names the rounds that nobody judged."""
        said = [number for number, one in enumerate(_replies(transcript)) if one.texts]
        if not said:
            return []
        sets = {
            found.key: found
            for number, asked in enumerate(game.rounds)
            if (found := of_relevance(game, number, asked)) is not None
        }
        if sets:
            self._dialogues.append((game, transcript))
            self.references.sets.update(sets)
        return [number for number in said if RoundKey(game.image, number) not in sets]

    def joining(self) -> Joining:
        """The dialogues joined with their sets."""
        result = Joining(self.references)
        for game, transcript in self._dialogues:
            result.add(game, transcript)
        return result


def _score(found: Collected, joined: Joined, options: Options, references: References) -> None:
    """Adds the rows of generations, each to the row of the same round's ranks where there is one."""
    if not joined.most:
        raise DataError("nothing was generated for any round that has a reference set")
    counts = choices.counts_of(options, joined.most)
    using = scoring(
        choices.listed(options.metrics),
        choices.listed(options.embedders),
        choices.profile_of(options),
    )
    scored = generations.rows(joined, using, counts)
    by_round = {(row["image"], row["turn"]): row for row in found.turns}
    for row in scored:
        known = by_round.get((row["image"], row["turn"]))
        if known is None:
            found.turns.append(row)
        else:
            known |= row
    found.notes += [*joined.notes(), *_failed(scored, counts), *using.notes]
    found.options |= _resolved(using, counts, references)


def _failed(rows: Sequence[Row], counts: Sequence[int]) -> list[str]:
    skipped = sum(row["skipped"] == 1 for row in rows)
    short = sum(row["missing"] == 0 and len(_texts(row)) < max(counts) for row in rows)
    found = []
    if skipped:
        found.append(f"rounds with nothing but empty generations, skipped (n_failed): {skipped}")
    if short:
        found.append(f"rounds with fewer than {max(counts)} generations (n_failed there): {short}")
    return found


def _texts(row: Row) -> list[str]:
    texts = row["generations"]
    return texts if isinstance(texts, list) else []


def _resolved(
    using: Scoring, counts: Sequence[int], references: References
) -> dict[str, str | int | float | bool | None]:
    return {
        "references": references.name,
        "reference_sets": references.kind,
        "k": ",".join(map(str, counts)),
        "metrics": ",".join(using.metrics),
        "embedders": ",".join(f"{one.name} {one.version}" for one in using.embedders),
        "profile": using.profile.name,
    }


EVALUATION = Evaluation(
    name="answers",
    asks="Are the answers right, when many answers are right?",
    game=VisDial,
    options=Options,
    collect=collect,
    measures=measures,
    headline=(
        "ndcg",
        "mrr",
        "mr",
        "cider_1",
        "cider_1_k5",
        "rouge_l",
        "rouge_l_k5",
        "meteor",
        "meteor_k5",
        "yes_no_agreement",
        "refusal_rate",
    ),
)
