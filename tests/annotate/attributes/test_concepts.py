"""How things find their concepts, and what is true of them then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.annotate.attributes.concepts import Concepts, Known, Roles, read_roles
from referee.annotate.attributes.how import How
from referee.annotate.attributes.wordnet import WordNet
from referee.datasets.visa import Concept
from referee.errors import DataError

OWN = Path(__file__).resolve().parents[2] / "data"
VISA = (
    Concept(
        "dog", "dog.n.01", {"behaviour": ("beh_-_barks",), "structure": ("is_thin",)}, ("pet",)
    ),
    Concept("couch", "couch.n.01", {"function": ("used_for_sitting",)}),
    Concept("person", "person.n.01", {}, ("mammal",)),
)


def known(folder: Path | None, how: How | None = None, roles: Roles | None = None) -> Concepts:
    wordnet = None if folder is None else WordNet(folder)
    return Concepts(VISA, roles or Roles(), wordnet, how or How())


def test_exact_similar_and_none(small_wordnet: Path) -> None:
    """A puppy has a dog's attributes, a woman, at just three quarters, a person's; an adult is nearer."""
    pytest.importorskip("nltk")
    concepts = known(small_wordnet)
    dog = frozenset({" barks", "pet"})
    assert concepts.of_object(("dog.n.01", "sofa.n.01"), ("hound",)) == Known(dog, "synset", "dog")
    assert concepts.of_object(("puppy.n.01",), ("puppy",)) == Known(dog, "similar", "dog")
    assert concepts.of_object(("woman.n.01",), ()).concept == "person"
    assert concepts.of_object(("entity.n.01",), ()) == Known(frozenset(), "none")
    assert concepts.of_object((), ("dog",)) == Known(frozenset(), "none")
    assert concepts.of_category("couch").concept == "couch", "sofa.n.01 is couch.n.01"
    strict = known(small_wordnet, How(similarity=0.76))
    assert strict.of_object(("woman.n.01",), ()).found == "none"


def test_without_wordnet_only_equal_names_match() -> None:
    concepts = known(None)
    assert concepts.of_object(("dog.n.01",), ()).found == "synset"
    assert concepts.of_object(("puppy.n.01",), ()).found == "none"


def test_the_code_takes_names_and_every_kind() -> None:
    """The concept of a category is the one of its name; a kind that depends on a picture stays."""
    concepts = known(None, How(concept="name", kinds="all"))
    assert concepts.of_category("couch") == Known(frozenset({"used for sitting"}), "name", "couch")
    assert concepts.of_category("sofa") == Known(frozenset(), "none")
    assert "is thin" in concepts.of_object(("dog.n.01",), ()).attributes
    assert "is thin" not in known(None).of_object(("dog.n.01",), ()).attributes


def test_roles_go_by_number_then_by_word(
    tmp_path: Path, wordnet_writer: Callable[..., dict[str, int]]
) -> None:
    """Of two nouns of one word the number tells which is meant; what is like a dog does what dogs do."""
    pytest.importorskip("nltk")
    number = wordnet_writer(tmp_path / "dict")["dog"]
    roles = Roles()
    roles.add(f"n{number:08d}", ("dog",), "agent barking")
    roles.add("n99999999", ("dog", "hot dog"), "can_be eating")
    roles.add("n99999998", ("cat",), "agent sitting")
    concepts = known(tmp_path / "dict", roles=roles)
    assert "agent barking" in concepts.of_object(("dog.n.01",), ("dog",)).attributes
    assert "can_be eating" not in concepts.of_object(("dog.n.01",), ("dog",)).attributes
    assert "agent barking" in concepts.of_object(("puppy.n.01",), ("puppy",)).attributes
    by_word = known(None, roles=roles).of_object(("dog.n.01",), ("dog",)).attributes
    assert {"agent barking", "can_be eating"} <= by_word
    assert "agent sitting" in concepts.of_object(("cat.n.01",), ("cat",)).attributes
    assert len(roles) == 3


def test_roles_of_a_folder(tmp_path: Path) -> None:
    """What the annotators of the small pictures saw; a folder without pictures is refused."""
    roles = read_roles(OWN / "imsitu")
    assert len(roles) > 0
    with pytest.raises(DataError, match="no pictures"):
        read_roles(tmp_path)
