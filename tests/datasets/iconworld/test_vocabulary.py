"""The words of Iconworld, against the icon font and COCO's own categories."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

from referee.datasets.iconworld.concepts import knowledge
from referee.datasets.iconworld.glyphs import forms
from referee.datasets.iconworld.vocabulary import vocabulary


def test_every_icon_is_in_the_font() -> None:
    """Each icon named in the vocabulary is a glyph of Material Design Icons 7."""
    from fonticon_mdi7 import MDI7

    named = [icon for kind in vocabulary().categories.values() for icon in kind.icons]
    named += [o for kind in vocabulary().categories.values() for _, o in forms(kind) if o]
    assert len(named) > 120
    assert [icon for icon in named if not hasattr(MDI7, icon)] == []


def test_about_sixty_kinds_of_each_sort_are_drawn() -> None:
    """About 60 of COCO's categories have an icon, and about 60 unseen ones."""
    assert 55 <= len(vocabulary().drawn(unseen=False)) <= 70
    assert 55 <= len(vocabulary().drawn(unseen=True)) <= 70


def test_coco_is_spoken_of_as_published(shared: Path) -> None:
    """Ids, names and super-categories of COCO's 80 categories are COCO's."""
    file = shared / "coco/annotations/instances_val2017.json"
    published = {
        (row["id"], row["name"], row["supercategory"])
        for row in json.loads(file.read_text(encoding="utf-8"))["categories"]
    }
    ours = vocabulary().categories.values()
    assert {(k.id, k.name, k.super_category) for k in ours if not k.unseen} == published


def test_unseen_kinds_have_no_coco_id() -> None:
    """An unseen kind has the id 0, which the published zero-shot games give it too."""
    assert {kind.id for kind in vocabulary().drawn(unseen=True)} == {0}


def test_every_word_of_the_knowledge_is_a_kind() -> None:
    """The lists of what is known name categories and super-categories only."""
    known = vocabulary()
    text = files("referee.datasets.iconworld").joinpath("concepts.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    verbs = table.pop("verbs")
    fillers = {
        w
        for verb in verbs.values()
        for role in verb.values()
        if isinstance(role, list)
        for w in role
    }
    assert fillers <= {*known.categories, *known.super_categories}
    for attributes in table.values():
        for extent in attributes.values():
            assert {*extent.get("of", ()), *extent.get("but", ())} <= set(known.categories)
            assert set(extent.get("all", ())) <= set(known.super_categories)


def test_a_penguin_swims_and_does_not_fly() -> None:
    """What is true of most birds is not thereby true of a penguin."""
    penguin = next(concept for concept in knowledge().concepts if concept.id == "penguin")
    held = {name for names in penguin.attributes.values() for name in names}
    assert {"beh_-_swims", "has_wings"} <= held
    assert "beh_-_flies" not in held
