"""What is seen and what was said: the structs that pass through every room.

Ids are strings inside; a game remembers in `forms` whether its file wrote them as integers, so that
a writer can give them back in the form in which they came.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

Status = Literal["success", "failure", "incomplete"]
Form = Literal["int", "str"]
ANSWERS: tuple[str, str, str] = ("Yes", "No", "N/A")
"""The three answers of GuessWhat?!, in the order of every probability triple in Referee."""


class Box(Struct, frozen=True, array_like=True):
    """COCO's box: the left upper corner and the size, in pixels, y growing downwards."""

    x: float
    y: float
    width: float
    height: float


class Thing(Struct, frozen=True, omit_defaults=True):
    """One object of a scene."""

    id: str
    category: str
    category_id: int
    box: Box
    area: float | None = None
    attributes: tuple[str, ...] = ()


class Scene(Struct, frozen=True, omit_defaults=True):
    """A picture and the things that are known to be in it."""

    id: str
    width: float = 0
    height: float = 0
    things: tuple[Thing, ...] = ()
    file: str = ""
    url: str = ""


class Candidate(Struct, frozen=True, omit_defaults=True):
    """One of what the target is among: a thing of the scene, an image of the pool, an answer option."""

    id: str
    name: str
    box: Box | None = None


class Forms(Struct, frozen=True, array_like=True):
    """The form in which a file wrote its ids."""

    game: Form = "int"
    scene: Form = "int"
    thing: Form = "int"
    turn: Form = "int"


class GuessWhat(Struct, frozen=True, omit_defaults=True, tag_field="game", tag="guesswhat"):
    """One scene; the target is one of its things."""

    id: str
    scene: Scene
    target: str
    forms: Forms = Forms()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The things of the scene, in its order."""
        return tuple(Candidate(thing.id, thing.category, thing.box) for thing in self.scene.things)

    @property
    def target_index(self) -> int:
        """The place of the target among the candidates."""
        return next(i for i, thing in enumerate(self.scene.things) if thing.id == self.target)

    @property
    def image(self) -> str:
        """The id of the picture, by which intervals are clustered."""
        return self.scene.id


class GuessWhich(Struct, frozen=True, omit_defaults=True, tag_field="game", tag="guesswhich"):
    """A pool of pictures; the target is one of them, and the answerer's caption describes it."""

    id: str
    pool: tuple[Scene, ...]
    target: str
    caption: str = ""
    level: str = ""
    forms: Forms = Forms(game="str", scene="str")

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The pictures of the pool, in its order."""
        return tuple(Candidate(scene.id, scene.file or scene.id) for scene in self.pool)

    @property
    def target_index(self) -> int:
        """The place of the target among the candidates."""
        return next(i for i, scene in enumerate(self.pool) if scene.id == self.target)

    @property
    def image(self) -> str:
        """The id of the target picture."""
        return self.target


class Round(Struct, frozen=True, omit_defaults=True):
    """One round of a VisDial dialogue; a test round may lack its answer, options and ground truth."""

    question: str
    answer: str | None = None
    options: tuple[str, ...] = ()
    gt_index: int | None = None
    relevance: tuple[float, ...] | None = None


class VisDial(Struct, frozen=True, omit_defaults=True, tag_field="game", tag="visdial"):
    """A picture, its caption, and rounds of questions with candidate answers."""

    id: str
    scene: Scene
    caption: str
    rounds: tuple[Round, ...]
    forms: Forms = Forms()

    @property
    def image(self) -> str:
        """The id of the picture."""
        return self.scene.id


Game: TypeAlias = GuessWhat | GuessWhich | VisDial


class Belief(Struct, frozen=True):
    """A distribution over the candidates, and what kind of statement it is."""

    probabilities: tuple[float, ...]
    source: Literal["softmax", "likelihoods", "verbalised", "votes", "rules"] = "softmax"


class Cost(Struct, frozen=True, omit_defaults=True):
    """What an event took: wall-clock start, seconds, and, where there are any, tokens and money."""

    started: float = 0.0
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    parse_failures: int = 0


class Ask(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="ask"):
    """The questioner asks."""

    text: str
    id: str = ""
    cost: Cost | None = None


class Stop(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="stop"):
    """The questioner has heard enough."""

    cost: Cost | None = None


class Answer(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="answer"):
    """The oracle or the answerer answers; an oracle's probabilities are in the order of `ANSWERS`."""

    text: str
    probabilities: tuple[float, float, float] | None = None
    cost: Cost | None = None


class Reply(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="reply"):
    """A VisDial answerer's round: generated texts with log-likelihoods, and a score for each option."""

    texts: tuple[str, ...] = ()
    log_likelihoods: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    cost: Cost | None = None


class Believe(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="believe"):
    """The guesser says what it thinks of every candidate."""

    belief: Belief
    cost: Cost | None = None


class Pick(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="pick"):
    """GuessWhich: the picture that the person would choose now; nothing is told."""

    candidate: str
    cost: Cost | None = None


class Guess(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="guess"):
    """The guesser points at a candidate."""

    candidate: str
    cost: Cost | None = None


Event: TypeAlias = Ask | Stop | Answer | Reply | Believe | Pick | Guess


class Turn(Struct, frozen=True, omit_defaults=True):
    """A question, its answer, and the belief after it where there is one."""

    question: str
    answer: str
    belief: Belief | None = None
    id: str = ""


class Sitting(Struct, frozen=True, omit_defaults=True):
    """Who sat in a seat."""

    seat: str
    player: str
    version: str = ""
    settings: dict[str, str | int | float | bool] = {}
    seed: int | None = None


class Transcript(Struct, frozen=True, omit_defaults=True):
    """A game as it was played; the properties are the views on its events that everyone reads."""

    game: Game
    events: tuple[Event, ...] = ()
    status: Status = "incomplete"
    seats: tuple[Sitting, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The answered questions in order; a question without an answer is no turn."""
        return tuple(_turns(self.events))

    @property
    def guesses(self) -> tuple[str, ...]:
        """The candidates guessed, in order."""
        return tuple(event.candidate for event in self.events if isinstance(event, Guess))

    @property
    def guess(self) -> str | None:
        """The last guess."""
        return next(iter(reversed(self.guesses)), None)

    @property
    def picks(self) -> tuple[str, ...]:
        """GuessWhich: the picture picked after the caption and after each answer."""
        return tuple(event.candidate for event in self.events if isinstance(event, Pick))


def _turns(events: tuple[Event, ...]) -> Iterator[Turn]:
    question: Ask | None = None
    answer: str | None = None
    belief: Belief | None = None
    for event in events:
        if isinstance(event, Ask):
            if question is not None and answer is not None:
                yield Turn(question.text, answer, belief, question.id)
            question, answer, belief = event, None, None
        elif isinstance(event, Answer):
            answer = event.text
        elif isinstance(event, Reply):
            answer = event.texts[0] if event.texts else ""
        elif isinstance(event, Believe):
            belief = event.belief
    if question is not None and answer is not None:
        yield Turn(question.text, answer, belief, question.id)
