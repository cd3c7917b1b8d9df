"""Scoring answer options, and finding candidates to write, by correlation or by nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.annotate.cca import Model, Sentences
from referee.annotate.cca.words import Images
from referee.annotate.reference_sets import Projections
from referee.metrics.cca import unit
from referee.players.cca.candidates import Candidates
from referee.players.cca.memory import Memory, Neighbours
from referee.players.seats import Look

Floats = NDArray[np.floating]

DIGITS = 12


class Projected(Protocol):
    """Texts as vectors whose cosine is a correlation; `uncentred_answers` are those of candidates."""

    def answers(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of answers, centred."""

    def questions(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of questions, centred."""

    def uncentred_answers(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of answers, not centred."""


@dataclass(frozen=True, eq=False)
class Plain:
    """NCCA: the sentences' own vectors, centred over the training pairs, with no CCA between them."""

    sentences: Sentences
    answer_mean: NDArray[np.float64]
    question_mean: NDArray[np.float64]

    @classmethod
    def of(cls, model: Model) -> Plain:
        """With the means that a model was trained with."""
        means = dict(zip(model.views, model.fit.means, strict=True))
        return cls(model.sentences, means["answers"], means["questions"])

    @classmethod
    def over(cls, sentences: Sentences, memory: Memory) -> Plain:
        """With the means over training rounds."""
        answers, questions, _ = memory.rounds.rows
        made = memory.rounds
        return cls(
            sentences,
            np.average(sentences.embed(made.answers), axis=0, weights=np.bincount(answers)),
            np.average(sentences.embed(made.questions), axis=0, weights=np.bincount(questions)),
        )

    def answers(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of answers, centred."""
        return self.sentences.embed(texts) - self.answer_mean

    def questions(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of questions, centred."""
        return self.sentences.embed(texts) - self.question_mean

    def uncentred_answers(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of answers, not centred."""
        return self.sentences.embed(texts).astype(np.float64)


@dataclass(eq=False)
class Correlating:
    """Scores an option by its correlation with the question: corr(Q, A) of answers.txt, section 2.2."""

    projected: Projected
    _answers: Projections = field(init=False)
    _questions: Projections = field(init=False)

    def __post_init__(self) -> None:
        """Each distinct text is projected once."""
        self._answers = Projections(self.projected.answers)
        self._questions = Projections(self.projected.questions)

    def scores(self, looks: Sequence[Look]) -> list[Floats]:
        """The correlation of each option; 0 for a text that projects to nothing."""
        asked = self.questions([look.question for look in looks])
        options = self._answers.rows([text for look in looks for text in look.options])
        table, place = self._answers.table, 0
        found: list[Floats] = []
        for row, look in zip(asked, looks, strict=True):
            scores = table[options[place : place + len(look.options)]] @ row
            # The last digits depend on how many texts are multiplied at once: what is said must not.
            found.append(np.round(scores, DIGITS))
            place += len(look.options)
        return found

    def questions(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The projections of some questions at length 1."""
        rows = self._questions.rows(texts)
        return self._questions.table[rows]


@dataclass(frozen=True, eq=False)
class OnTheFly:
    """Candidates on the fly: the answers to the nearest training questions, by their correlation with Q.

    As in the published code the candidates' projections are not centred here, unlike those of given
    options.
    """

    ranker: Correlating
    neighbours: Neighbours
    count: int
    _answers: Floats

    @classmethod
    def of(cls, ranker: Correlating, memory: Memory, count: int) -> OnTheFly:
        """Over training rounds."""
        answers = unit(ranker.projected.uncentred_answers(memory.rounds.answers))
        return cls(ranker, by_correlation(ranker, memory), count, answers.astype(np.float32))

    def candidates(self, looks: Sequence[Look]) -> list[Candidates]:
        """The candidates for each question."""
        queries = self.ranker.questions([look.question for look in looks])
        rounds = self.neighbours.memory.rounds
        found = []
        for query, (rows, _) in zip(queries, self.neighbours.of(queries, self.count), strict=True):
            numbers = rounds.rows[0][rows]
            scores = self._answers[numbers] @ query
            found.append(Candidates([rounds.answers[n] for n in numbers.tolist()], scores, scores))
        return found


@dataclass(frozen=True, eq=False)
class InProportion:
    """CCA-AQ-G: the answers to the nearest training questions, as likely as Q correlates with those."""

    ranker: Correlating
    neighbours: Neighbours
    count: int

    def candidates(self, looks: Sequence[Look]) -> list[Candidates]:
        """The candidates for each question."""
        queries = self.ranker.questions([look.question for look in looks])
        rounds = self.neighbours.memory.rounds
        found = []
        for rows, similar in self.neighbours.of(queries, self.count):
            texts = [rounds.answers[n] for n in rounds.rows[0][rows].tolist()]
            found.append(Candidates(texts, similar, similar))
        return found


def by_correlation(ranker: Correlating, memory: Memory) -> Neighbours:
    """Neighbours by the correlation of questions with questions."""
    table = unit(ranker.projected.questions(memory.rounds.questions))
    return Neighbours(memory, table.astype(np.float32))


@dataclass(frozen=True, eq=False)
class NearestAnswers:
    """NN-AQ: ranks by the distance to the mean answer to the nearest training questions (appendix A).

    With images it is NN-AQI: of those neighbours only the `alike` with the most similar images count.
    """

    sentences: Sentences
    neighbours: Neighbours
    count: int
    _answers: Floats
    images: Images | None = None
    shown: Images | None = None
    alike: int = 20

    @classmethod
    def of(
        cls,
        sentences: Sentences,
        memory: Memory,
        count: int,
        images: tuple[Images, Images] | None = None,
        alike: int = 20,
    ) -> NearestAnswers:
        """Over training rounds; `images` are the features of the training's and of the shown ones."""
        table = sentences.embed(memory.rounds.questions)
        penalty = np.einsum("nd,nd->n", table, table, dtype=np.float64) / 2
        answers = sentences.embed(memory.rounds.answers)
        trained, shown = images or (None, None)
        found = Neighbours(memory, table, penalty)
        return cls(sentences, found, count, answers, trained, shown, alike)

    def scores(self, looks: Sequence[Look]) -> list[Floats]:
        """The distance of each option, negative: nearer is better."""
        texts = {text: None for look in looks for text in look.options}
        places = {text: place for place, text in enumerate(texts)}
        table = self.sentences.embed(list(texts))
        return [
            -np.linalg.norm(table[[places[text] for text in look.options]] - mean, axis=1)
            for look, (_, mean) in zip(looks, self._means(looks), strict=True)
        ]

    def candidates(self, looks: Sequence[Look]) -> list[Candidates]:
        """The neighbours' answers, nearest to their mean first; each neighbour weighs the same."""
        rounds = self.neighbours.memory.rounds
        found = []
        for rows, mean in self._means(looks):
            numbers = rounds.rows[0][rows]
            distances = np.linalg.norm(self._answers[numbers] - mean, axis=1)
            texts = [rounds.answers[number] for number in numbers.tolist()]
            found.append(Candidates(texts, -distances, np.ones(len(texts))))
        return found

    def _means(self, looks: Sequence[Look]) -> list[tuple[NDArray[np.int64], Floats]]:
        """The rounds that count for each question, and the mean vector of their answers."""
        queries = self.sentences.embed([look.question for look in looks])
        rounds = self.neighbours.memory.rounds
        found = []
        for look, (near, _) in zip(looks, self.neighbours.of(queries, self.count), strict=True):
            rows = self._alike(look, near)
            mean = self._answers[rounds.rows[0][rows]].mean(axis=0, dtype=np.float64)
            found.append((rows, mean))
        return found

    def _alike(self, look: Look, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.images is None or self.shown is None:
            return rows
        rounds = self.neighbours.memory.rounds
        names = [rounds.images[number] for number in rounds.rows[2][rows].tolist()]
        shown = self.shown.of([look.scene.id])
        distances = np.linalg.norm(self.images.of(names) - shown, axis=1)
        return rows[np.argsort(distances, kind="stable")[: self.alike]]
