"""Short forms of answers: what falls, and what is left alone because no rule knows it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.short import short


@pytest.mark.parametrize(
    ("form", "answers"),
    [
        ("yes", "Yes|yes.|Yes, there is a dog.|yes it is|yep|yeah, 2|yes a few|y|yes 3 people"),
        ("yes", "i think so|I believe so, yes|it is|they are|there are|i can|Yes! It's very big"),
        ("no", "No.|no, i don't think so|nope|no it isn't|no there's not|no, no trees|n|no, 2"),
        ("no", "i don't think so|not that i can see|it is not|there aren't|i cannot|no- it is red"),
        ("no", "i don\u2019t think so|no just grass|No, the chair is upright"),
        ("can't tell", "i can't tell|cannot tell|can't tell from the picture|I can't really tell"),
        ("can't tell", "i cannot tell, it is too dark|unable to tell|can't tell it's too far away"),
        ("not sure", "i'm not sure|not sure|i am not sure if it is|not sure, i can't see him"),
        ("don't know", "i don't know|don't know|i do not know what it is"),
        ("hard to tell", "it's hard to tell|hard to tell|it is hard to say from here"),
        ("red", "red|Red.|it is red|it's red|they are red|It looks red|it appears to be red"),
        ("dog", "a dog|it's a dog|There is a dog.|the dog|looks like a dog|i see a dog"),
        ("2", "2|two|there are 2 dogs|There are two dogs.|just 2|i can see 2|2 dogs|about 2"),
        ("0", "0|zero|0 that i can see|0 at all|0 visible|0 in the picture"),
        ("no people", "no people|there are no people|no people in the photo|no people visible"),
        ("in color", "it is in color|the picture is in color|in color"),
        ("middle age", "middle age i think|middle age"),
        ("", "|  |.|..."),
    ],
)
def test_wordy_and_terse_answers_have_one_short_form(form: str, answers: str) -> None:
    found = {answer: short(answer) for answer in answers.split("|")}
    assert found == dict.fromkeys(found, form)


@pytest.mark.parametrize(
    "answer",
    [
        "yes and no",
        "yes, but it is blurry",
        "no, but there is snow",
        "no or very few",
        "no people",
        "no 1",
        "no sky just grass",
        "nothing",
        "maybe",
        "yesterday",
        "not really",
        "not in the picture",
        "black and white",
        "20s or 30s",
        "2 feet",
        "5 pm",
        "1 is red, the other is blue",
        "a few",
        "a little bit",
        "the sun is setting",
        "it is big and it has a roof",
        "it is not snowing",
        "it looks like it",
        "it looks like it was raining",
        "he is wearing a hat with a red brim",
        "i can't tell there is possibly a bus",
        "i'm not sure but i think it is red",
        "i can't see any",
        "not sure, looks tan",
        "i can't tell, i think 2",
        "they are too far away to see",
    ],
)
def test_what_no_rule_knows_stays(answer: str) -> None:
    assert short(answer) == answer


def test_capitals_spaces_and_final_marks_always_go() -> None:
    assert short("  The SUN is   setting!!") == "the sun is setting"


@given(st.text() | st.text("abinotes ',.120", max_size=30))
def test_a_short_form_is_never_longer_and_has_no_outer_space(text: str) -> None:
    form = short(text)
    assert len(form.split()) <= max(2, len(text.split()))
    assert form == form.strip()


def test_real_answers_become_shorter_and_few_merge(shared: Path) -> None:
    """Of the human references a third is rewritten, and two words in three are left."""
    rows = json.loads((shared / "densevisdial/refs_H_human_val.json").read_text())
    counts = Counter(text for row in rows for text in row["refs"])
    total = sum(counts.values())
    rewritten = sum(count for text, count in counts.items() if short(text) != text) / total
    words, left = (
        sum(len(form(text).split()) * count for text, count in counts.items())
        for form in (str, short)
    )
    assert 0.3 < rewritten < 0.7
    assert 0.4 < left / words < 0.75
    assert all(short(text) for text in counts)
