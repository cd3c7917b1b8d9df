"""The rows of rounds whose generated answers are scored against reference sets (section 4.1, appendix C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from referee.evaluations.answers import behaviour, columns
from referee.evaluations.answers.columns import Layout, Values
from referee.evaluations.answers.rounds import Answered, Joined
from referee.evaluations.answers.scoring import Scoring, Workload
from referee.evaluations.measures import COUNT, PERCENT, Measure
from referee.evaluations.result import Row, finite

TOLD = ("game", "image", "turn", "question", "answer", "generations", "references")
"""The columns of a row that say what was judged."""

COUNTED = ("empty", "skipped", "missing")
_BEHAVIOUR = {"answer_length": "", "yes_no_agreement": PERCENT, "refusal_rate": PERCENT}
_CLAIMS = {"answer_length": None, "yes_no_agreement": True, "refusal_rate": None}


def rows(joined: Joined, scoring: Scoring, counts: Sequence[int]) -> list[Row]:
    """One row a reference set: what was said, how much of it nothing, and every value."""
    layout = Layout(joined.rounds, max(counts))
    table = dict(_columns(joined, layout, scoring, counts))
    numbers = {name: values.tolist() for name, values in table.items()}
    polar = [behaviour.polarity(one.references.gt_answer) is not None for one in joined.rounds]
    found = []
    for place, answered in enumerate(joined.rounds):
        row = _told(answered, layout, place)
        for name, values in numbers.items():
            # A question that is not answered by yes or no has no agreement; it did not fail.
            if polar[place] or not name.startswith("yes_no_agreement"):
                row[name] = finite(values[place])
        found.append(row)
    return found


def _told(answered: Answered, layout: Layout, place: int) -> Row:
    given = int(layout.given[place].sum())
    empty = int(layout.empty[place].sum())
    return {
        "game": answered.game,
        "image": answered.references.image,
        "turn": answered.references.round + 1,
        "question": answered.references.question,
        "answer": answered.references.gt_answer,
        "generations": list(answered.texts[: layout.most]),
        "references": list(answered.references.references),
        "empty": empty,
        "skipped": int(0 < given == empty),
        "missing": int(given == 0),
    }


def _columns(
    joined: Joined, layout: Layout, scoring: Scoring, counts: Sequence[int]
) -> Iterator[tuple[str, Values]]:
    references = layout.references
    members = Workload(references, references, members=True)
    spoken = scoring.scores(Workload(layout.hypotheses, references))
    for scores, bound in zip(spoken, scoring.scores(members), strict=True):
        name, higher = scores.name, scores.higher
        generated = layout.generations(scores.values)
        yield from columns.of_generations(name, generated, layout.given, counts, higher=higher)
        yield f"{name}_agt", layout.human(scores.values)
        yield from columns.of_members(name, bound.values, references, higher=higher)
    for name, values in _behaviour(joined.rounds, layout).items():
        said = np.where(layout.given & ~layout.empty, values, np.nan)
        for column, mean in columns.of_generations(name, said, layout.given, counts, higher=True):
            if not column.endswith(("_gamma", "_sigma_within")):
                yield column, mean


def _behaviour(rounds: Sequence[Answered], layout: Layout) -> dict[str, Values]:
    shape = (len(rounds), layout.most)
    found = {name: np.full(shape, np.nan) for name in _BEHAVIOUR}
    polarity, refuses = cache(behaviour.polarity), cache(behaviour.refuses)
    for place, answered in enumerate(rounds):
        human = polarity(answered.references.gt_answer)
        texts = answered.texts[: layout.most]
        found["answer_length"][place, : len(texts)] = behaviour.words(texts)
        found["refusal_rate"][place, : len(texts)] = list(map(refuses, texts))
        found["yes_no_agreement"][place, : len(texts)] = [polarity(text) == human for text in texts]
    return found


def measures(turns: Iterable[Row]) -> Iterator[Measure]:
    """The values that these rows hold, in the order of their columns."""
    names = dict.fromkeys(name for row in turns if "missing" in row for name in row)
    for name in sorted(names, key=lambda name: name in COUNTED):
        base = next((known for known in _BEHAVIOUR if name.startswith(known)), None)
        if base is not None:
            unit, claim = _BEHAVIOUR[base], _CLAIMS[base]
            yield Measure(name, name, "turns", unit, higher_is_better=claim, ddof=0)
        elif name in COUNTED:
            yield Measure(name, name, "turns", COUNT, higher_is_better=False, statistic="sum")
        elif name.startswith(_SCORED):
            better = None if name.endswith("_sigma_within") else not _is_distance(name)
            told = _compared(name)
            yield Measure(name, name, "turns", higher_is_better=better, ddof=0, compared=told)


def _compared(name: str) -> bool:
    """Whether runs can differ in it: the bounds are the references', and of one answer there is no spread."""
    if name.endswith(("_agt", "_bound_mu", "_bound_gamma")):
        return False
    return "_k" in name or not name.endswith(("_sigma_within", "_gamma"))


_SCORED = ("cider", "bleu", "rouge_l", "meteor", "minilm", "bert", "fasttext", "glove")


def _is_distance(name: str) -> bool:
    return "_l2" in name
