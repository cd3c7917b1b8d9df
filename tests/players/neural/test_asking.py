"""The questioner's seat: whatever the model, a question ends as it should, and in any batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import pytest
import torch
from torch import Tensor

from referee.errors import DataError, SeatError, UsageError
from referee.games import Box, Scene, Thing, Turn
from referee.players.neural.asking import Given, NeuralQuestioner, Remembered
from referee.players.neural.batches import Categories, Heard, Objects
from referee.players.neural.decoding import Memory
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.vocabulary import (
    SAID,
    START,
    STOP_DIALOGUE,
    UNKNOWN,
    YES,
    Vocabulary,
)
from referee.players.seats import View

VOCABULARY = Vocabulary.counted(["is it a red dog on the left?"], least=1)
SCENE = Scene("9", 320, 240, (Thing("1", "dog", 18, Box(1, 1, 9, 9)),))


def view(*said: tuple[str, str], game: str = "g", key: int = 5, scene: str = "9") -> View:
    shown = Scene(scene, SCENE.width, SCENE.height, SCENE.things)
    return View(game, key, tuple(Turn(*pair) for pair in said), shown)


class Reader:
    """Says the words of the text whose number is how many turns it has heard."""

    def __init__(self, *lines: Sequence[int], stops: bool = True) -> None:
        self.lines, self.stops = lines, stops
        self.categories = Categories()

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Tensor, Memory]:
        """Remembers the line and the place in it."""
        del objects, images
        turns = torch.tensor([len(told.turns) for told in dialogues])
        return torch.full_like(turns, START), (turns, torch.zeros_like(turns))

    def step(self, words: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """The next word of the line; nearly as likely are the mark <unk>, and then "red"."""
        del words
        turns, places = memory
        scores = torch.zeros(len(turns), len(VOCABULARY))
        for row, (turn, place) in enumerate(zip(turns.tolist(), places.tolist(), strict=True)):
            scores[row, self.lines[turn][place]] = 9.0
            scores[row, UNKNOWN] = 4.0
            scores[row, VOCABULARY.numbers["red"]] += 3.0
        return scores, (turns, places + 1)


def words(text: str) -> list[int]:
    return VOCABULARY.encode(text)


class Numbers:
    """Features that follow from the id; reads are counted."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Tensor:
        """A row for each image but that of the id 404."""
        for number, game in zip(ids, games, strict=True):
            if number == "404":
                raise DataError(f"the game {game} needs features of 404")
        self.read += ids
        return torch.tensor([[float(number), 1.0] for number in ids])


def qgen(seed: int = 0) -> QGen:
    torch.manual_seed(seed)
    model = QGen(QGenConfig(word=8, hidden=16, image=2, visual=4), len(VOCABULARY))
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(3)  # what has not learned says much the same after anything
    return model


ONE = ("is it a dog?", "Yes")
TWO = ("is it on the left?", "No")


def test_a_question_ends_with_its_mark_and_is_cut_where_it_has_none() -> None:
    reader = Reader(words("is it a dog? red red"), words("red red red red red red"))
    seat = NeuralQuestioner(reader, VOCABULARY, Given(max_words=5))
    asked = seat.ask([view(), view(ONE)])
    assert asked == ["is it a dog ?", "red red red red red"]


def test_stop_dialogue_ends_the_game_and_what_was_begun_is_dropped() -> None:
    reader = Reader([STOP_DIALOGUE], [*words("is it"), STOP_DIALOGUE])
    seat = NeuralQuestioner(reader, VOCABULARY, Given())
    assert seat.ask([view(), view(ONE)]) == [None, None]


def test_a_questioner_that_may_not_stop_says_something_else() -> None:
    reader = Reader([STOP_DIALOGUE, *words("is it a dog?")])
    found = NeuralQuestioner(reader, VOCABULARY, Given(stop="never")).ask([view()])
    assert found == ["red is it a dog ?"]
    silent = Reader([STOP_DIALOGUE, *words("is it a dog?")], stops=False)
    assert NeuralQuestioner(silent, VOCABULARY, Given()).ask([view()]) == found


def test_marks_are_no_words_of_a_question() -> None:
    reader = Reader([YES, *words("dog?")])
    found = NeuralQuestioner(reader, VOCABULARY, Given()).ask([view()])
    assert found == ["red dog ?"]


@pytest.mark.parametrize("how", ["greedy", "sample", "beam:3"])
def test_a_question_does_not_depend_on_the_batch(how: str) -> None:
    """Dialogues of any length, in batches of any size and in any order."""
    dialogues = islice(cycle([(), (ONE,), (ONE, TWO), (TWO,)]), 11)
    views = [view(*said, game=str(n), key=n, scene=str(n)) for n, said in enumerate(dialogues)]
    images = Numbers()
    whole = NeuralQuestioner(qgen(), VOCABULARY, Given(decode=how), images).ask(views)
    parts = NeuralQuestioner(qgen(), VOCABULARY, Given(decode=how, batch=3), images)
    assert parts.ask(views) == whole
    assert parts.ask(views[::-1]) == whole[::-1]
    assert len(set(whole)) > 1


def test_a_drawn_question_follows_from_the_key() -> None:
    seat = NeuralQuestioner(qgen(), VOCABULARY, Given(decode="sample"), Numbers())
    views = [view(game=str(n), key=n) for n in range(20)]
    found = seat.ask(views)
    assert len(set(found)) > 5
    assert seat.ask(views) == found


def test_features_are_read_once_an_image() -> None:
    images = Numbers()
    remembered = Remembered(images)
    first = remembered.of(["3", "4", "3"], ["a", "b", "c"])
    assert torch.equal(first, torch.tensor([[3.0, 1.0], [4.0, 1.0], [3.0, 1.0]]))
    assert torch.equal(remembered.of(["4"], ["d"]), first[1:2])
    assert images.read == ["3", "4"]


def test_a_missing_feature_names_the_game() -> None:
    seat = NeuralQuestioner(qgen(), VOCABULARY, Given(), Numbers())
    with pytest.raises(DataError, match="the game lost needs features of 404"):
        seat.ask([view(), view(game="lost", scene="404")])


def test_scores_that_are_no_numbers_name_game_and_turn() -> None:
    model = qgen()
    with torch.no_grad():
        model.words.weight[VOCABULARY.numbers["left"]] = torch.nan
    seat = NeuralQuestioner(model, VOCABULARY, Given(), Numbers())
    views = [view(), view(ONE, game="good"), view(ONE, TWO, game="bad")]
    with pytest.raises(SeatError, match=r"game bad, turn 3: .* no numbers"):
        seat.ask(views)


def test_a_view_without_a_scene_is_refused() -> None:
    with pytest.raises(SeatError, match="game pool: it asks about one scene"):
        NeuralQuestioner(qgen(), VOCABULARY, Given(), Numbers()).ask([View("pool", 1, ())])


def test_an_answer_that_is_none_names_game_and_turn() -> None:
    with pytest.raises(DataError, match="the answer of turn 1 is 'Maybe'"):
        NeuralQuestioner(qgen(), VOCABULARY, Given(), Numbers()).ask([view(("is it?", "Maybe"))])


def test_another_way_to_decode_is_refused() -> None:
    with pytest.raises(UsageError, match="no way to decode"):
        NeuralQuestioner(qgen(), VOCABULARY, Given(decode="guess"), Numbers())


def test_step_by_step_is_the_same_as_all_at_once() -> None:
    """The scores after `open` and `step` are those of one pass over the dialogue."""
    model = qgen(4)
    dialogue = Heard(((words("is it a dog?"), SAID["Yes"]), (words("red?"), SAID["No"])))
    images = torch.tensor([[3.0, 1.0]])
    last, memory = model.open([dialogue], _nothing(), images)
    stepped, _ = model.step(last, memory)
    from referee.players.neural.batches import texts

    whole = model(texts([dialogue.words(end=False)]), images)
    assert torch.allclose(stepped, whole[:, -1], atol=1e-6)
    state = model.state([dialogue], images)
    assert torch.allclose(model.next(state), stepped, atol=1e-6)


def _nothing() -> Objects:
    empty = torch.zeros(1, 1)
    return Objects(empty.long(), torch.zeros(1, 1, 8), empty.bool())
