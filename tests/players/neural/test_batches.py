"""What players remember of scenes and texts is what they would see anew."""

from __future__ import annotations

import pytest

from referee.datasets.gdse_vocabulary import MARKS
from referee.errors import DataError
from referee.games import Box, Scene, Thing
from referee.players.neural import batches, vocabulary
from referee.players.neural.batches import Categories, Looks, seen
from referee.players.neural.vocabulary import Vocabulary


def scene(name: str, *kinds: int) -> Scene:
    things = (Thing(f"{kind}", "thing", kind, Box(kind, 1, 2, 3)) for kind in kinds)
    return Scene(name, 100, 100, tuple(things))


def test_a_scene_is_looked_at_once_and_another_of_its_name_by_itself() -> None:
    looks = Looks(Categories())
    one, other = scene("a", 1, 2), scene("a", 3)
    first = looks.of(one, "game")
    assert looks.of(one, "game") is first
    assert looks.of(other, "game").categories.tolist() == [3]
    assert (first.spatial == seen(one, Categories(), "game").spatial).all()


def test_scenes_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_REMEMBERED", 2)
    looks, scenes = Looks(Categories()), [scene("a", kind) for kind in range(1, 6)]
    for _ in range(2):
        assert [looks.of(it, "game").categories[0] for it in scenes] == [1, 2, 3, 4, 5]
    assert len(looks._known) <= 2


def test_a_scene_that_is_wrong_is_wrong_whenever_it_is_looked_at() -> None:
    looks = Looks(Categories(5))
    for game in ("one", "two"):
        with pytest.raises(DataError, match=f"of the game {game} has the category 7"):
            looks.of(scene("a", 7), game)


def test_the_numbers_of_a_text_are_remembered_and_nobody_else_s_to_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vocabulary, "_REMEMBERED", 2)
    words = Vocabulary((*MARKS, "is", "it", "red", "?"))
    for text in ("is it red?", "red?", "is it blue?", "is it red?"):
        numbers = words.question(text)
        assert words.question(text) == numbers
        numbers.clear()
        assert words.decode(words.question(text)) == text.replace("?", " ?").replace("blue ", "")
    assert len(words._encoded) <= 2
