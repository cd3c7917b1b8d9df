"""Small games and the events of players that now and then try what the rules do not allow.

Everything follows from a seed. The questioner asks about names, colours and sides; the answers are
true; the guesser believes in what the answers leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games import guesswhat, guesswhich, visdial
from referee.games.model import (
    Answer,
    Ask,
    Belief,
    Believe,
    Box,
    Event,
    Game,
    Guess,
    GuessWhat,
    GuessWhich,
    Pick,
    Reply,
    Round,
    Scene,
    Stop,
    Thing,
    VisDial,
)
from referee.games.refusal import Refusal
from referee.randomness import Stream, key

_NAMES = ("dog", "cat", "bus", "cup", "kite", "chair")
_COLOURS = ("red", "green", "blue")
_SIDE = 320
_SLIPS = 3
"""One event in so many is preceded by one that the rules must refuse."""

_WRONG: dict[str, tuple[Event, ...]] = {
    "question": (Ask("  "), Ask("a question of my own ?"), Answer("Yes")),
    "answer": (Answer("Perhaps"), Ask("and is it big ?"), Pick("nowhere")),
    "belief": (Believe(Belief((0.5, 0.5))), Guess("nowhere")),
    "pick": (Pick("nowhere"), Stop()),
    "guess": (Guess("nowhere"), Ask("one more ?")),
    "reply": (Reply(), Reply(scores=(0.5,)), Reply(("red",), (-1.0, -2.0))),
}


def guesswhat_game(seed: int, things: int = 6) -> GuessWhat:
    """A scene of coloured things, one of which is the target."""
    stream = Stream(key("guesswhat", seed))
    scene = _scene(stream, str(900 + seed), things)
    return GuessWhat(str(seed), scene, stream.choice(scene.things).id)


def guesswhich_game(seed: int, pictures: int = 6) -> GuessWhich:
    """A pool of scenes with two things each; the caption names one thing of the target."""
    stream = Stream(key("guesswhich", seed))
    pool = tuple(_scene(stream, f"picture{place}", 2) for place in range(pictures))
    target = stream.choice(pool)
    return GuessWhich(
        str(seed), pool, target.id, caption=f"a {target.things[0].category}", level="seeded"
    )


def visdial_game(seed: int, rounds: int = 3) -> VisDial:
    """A dialogue about the colours of a scene's things, with the colours as answer options."""
    stream = Stream(key("visdial", seed))
    scene = _scene(stream, str(700 + seed), rounds)
    asked = tuple(
        Round(
            f"what colour is the {thing.category} ?",
            thing.attributes[0],
            _COLOURS,
            _COLOURS.index(thing.attributes[0]),
        )
        for thing in scene.things
    )
    return VisDial(str(seed), scene, f"there are {rounds} things", asked)


def guesswhat_events(
    game: GuessWhat, rules: guesswhat.Rules, seed: int, slips: int = _SLIPS
) -> list[Event]:
    """What the players of GuessWhat?! try, the slips included."""
    stream = Stream(key("guesswhat players", seed))
    things = game.scene.things
    target = things[game.target_index]
    left = list(things)
    question = ""

    def due(state: guesswhat.State) -> Event:
        nonlocal left, question
        if state.due == "question":
            question = _question(stream.choice(left), stream)
            return Stop() if len(left) == 1 else Ask(f"is it {_phrase(question)} ?")
        if state.due == "answer":
            true = _true(question, target)
            left = [thing for thing in left if _true(question, thing) == true]
            return Answer("Yes" if true else "No", (0.9, 0.1, 0.0) if true else (0.1, 0.9, 0.0))
        if state.due == "belief":
            return _believe([thing in left for thing in things])
        return Guess(left[0].id)

    return _played(guesswhat, guesswhat.start(game, rules), due, stream, slips)


def guesswhich_events(
    game: GuessWhich, rules: guesswhich.Rules, seed: int, slips: int = _SLIPS
) -> list[Event]:
    """What the players of GuessWhich try, the slips included."""
    stream = Stream(key("guesswhich players", seed))
    target = game.pool[game.target_index]
    named = game.caption.removeprefix("a ")
    left = [scene for scene in game.pool if any(_true(named, thing) for thing in scene.things)]
    question = ""

    def due(state: guesswhich.State) -> Event:
        nonlocal left, question
        if state.due == "question":
            question = _question(stream.choice(stream.choice(left).things), stream)
            return Ask(f"do you see {_phrase(question, 'something ')} ?")
        if state.due == "answer":
            true = _shows(question, target)
            left = [scene for scene in left if _shows(question, scene) == true]
            return Answer("yes , I do" if true else "no")
        if state.due == "belief":
            return _believe([scene in left for scene in game.pool])
        if state.due == "pick":
            return Pick(stream.choice(left).id)
        return Guess(stream.choice([s.id for s in game.pool if s.id not in state.guessed]))

    return _played(guesswhich, guesswhich.start(game, rules), due, stream, slips)


def visdial_events(
    game: VisDial, rules: visdial.Rules, seed: int, slips: int = _SLIPS
) -> list[Event]:
    """What the players of VisDial try, the slips included."""
    stream = Stream(key("visdial players", seed))

    def due(state: visdial.State) -> Event:
        asked = game.rounds[len(state.turns)]
        if state.due == "question":
            return Ask(asked.question)
        scores = tuple(round(stream.random(), 3) for _ in asked.options)
        return Reply((stream.choice(_COLOURS),), (-1.25,), scores)

    return _played(visdial, visdial.start(game, rules), due, stream, slips)


def playthroughs() -> Iterator[tuple[str, str]]:
    """The names and texts of the committed playthroughs."""
    from referee.games.playthrough import write

    for name, game, rules, events in _committed():
        yield name, write(game, events, rules)


def _committed() -> Iterator[tuple[str, Game, Any, list[Event]]]:
    for seed, rules in enumerate(
        (guesswhat.Rules(5), guesswhat.Rules(5, beliefs=True), guesswhat.Rules(1)), 1
    ):
        what = guesswhat_game(seed)
        yield f"guesswhat-{seed}", what, rules, guesswhat_events(what, rules, seed)
    for seed, each in enumerate((guesswhich.Rules(), guesswhich.Rules(2, beliefs=True)), 1):
        which = guesswhich_game(seed)
        yield f"guesswhich-{seed}", which, each, guesswhich_events(which, each, seed)
    for seed, one in enumerate((visdial.Rules(), visdial.Rules("own")), 1):
        dialogue = visdial_game(seed)
        yield f"visdial-{seed}", dialogue, one, visdial_events(dialogue, one, seed)


def _scene(stream: Stream, name: str, things: int) -> Scene:
    def thing(place: int, category: str) -> Thing:
        size = 20 + stream.below(60)
        box = Box(stream.below(_SIDE - size), stream.below(_SIDE - size), size, size)
        number = _NAMES.index(category) + 1
        colour = stream.choice(_COLOURS)
        return Thing(f"{name}-{place}", category, number, box, attributes=(colour,))

    categories = stream.sample(_NAMES, things)
    return Scene(
        name, _SIDE, _SIDE, tuple(thing(place, each) for place, each in enumerate(categories, 1))
    )


def _question(thing: Thing, stream: Stream) -> str:
    return stream.choice((thing.category, thing.attributes[0], _side(thing)))


def _phrase(question: str, before: str = "") -> str:
    return f"a {question}" if question in _NAMES else f"{before}{question}"


def _side(thing: Thing) -> str:
    return "on the left" if thing.box.x + thing.box.width / 2 < _SIDE / 2 else "on the right"


def _true(question: str, thing: Thing) -> bool:
    return question in {thing.category, thing.attributes[0], _side(thing)}


def _shows(question: str, scene: Scene) -> bool:
    return any(_true(question, thing) for thing in scene.things)


def _believe(held: list[bool]) -> Believe:
    return Believe(Belief(tuple(each / sum(held) for each in held), "rules"))


def _slip(state: Any, stream: Stream) -> Event:
    """An event that this state should refuse: a bad one of the kind that is due, or the last one again."""
    slips: tuple[Event, ...] = (*_WRONG[state.due], *state.events[-1:])
    return stream.choice(slips)


def _played(reducer: Any, state: Any, due: Any, stream: Stream, slips: int) -> list[Event]:
    tried: list[Event] = []
    while reducer.whose_turn(state) is not None:
        if slips and stream.below(slips) == 0:
            slip = _slip(state, stream)
            if isinstance(reducer.apply(state, slip), Refusal):
                tried.append(slip)
        event = due(state)
        tried.append(event)
        state = reducer.apply(state, event)
    if slips:
        tried.append(Guess("too late"))
    return tried
