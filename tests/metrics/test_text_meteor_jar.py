"""METEOR's jar is the judge where Java is present: the same statistics and scores, pair by pair."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.datasets.densevisdial import paired, read_generations, read_references
from referee.metrics.text.meteor import Meteor
from referee.metrics.text.profiles import profile

ROOT = Path(__file__).resolve().parents[2]
GENERATED = 20_000

Pairs = list[tuple[str, list[str]]]

MARKS = "... .. . , ; : ! ? ' '' \" ` - -- --- ( ) [ ] { } / \\ | _ * & % $ # @ + = ~ ^ < >"
SPECIAL_MARKS = (
    "\u2018 \u2019 \u201c \u201d \u2013 \u2014 \u2026 \u00a0 \u3000 \u200b \u2009 \x01 \x0b \t"
)
ODD_WORDS = (
    "U.S. e.g. p.m. Mr. mr. No. no. pp. A. 3.5 3.5. 1,000 5,a a,5 10:30 2nd '90s 1990's 5'a 5' "
    "can't isn't dogs' 'tis rock'n'roll well-lit a-b-c x--y an c0 was are has is "
    "caf\u00e9 \u00c9COLE na\u00efve \u0434\u0430 \u041d\u0415\u0422 \u03a9\u03c3 \u0130 \u00df "
    "\u65e5\u672c \U0001f600"
)
MARKED = [*MARKS.split(" "), *SPECIAL_MARKS.split(" "), *ODD_WORDS.split(" ")]
LETTERS = (
    *((0x20, 0x7F),) * 3,
    (0xA0, 0x250),
    (0x386, 0x3CE),
    (0x400, 0x482),
    (0x2000, 0x2066),
    (0x3000, 0x3100),
    (0x4E00, 0x4F00),
    (0x1F600, 0x1F640),
)


@pytest.fixture(scope="module")
def meteor() -> Meteor:
    if find_spec("pycocoevalcap") is None:
        pytest.skip("pycocoevalcap is not installed: METEOR's data are in it")
    from referee.datasets.meteor_data import open_meteor

    return open_meteor()


@pytest.fixture(scope="module")
def jar(meteor: Meteor) -> Iterator[Any]:
    """The reference program; a test that needs the data skips without them first."""
    assert meteor.tables.function_words
    spec = spec_from_file_location("meteor_jar", ROOT / "bench" / "meteor_jar.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.java() is None:
        pytest.skip("no Java: the judge is a jar")
    with module.MeteorJar() as process:
        yield process


def same_as_the_jar(pairs: Pairs, meteor: Meteor, jar: Any) -> list[str]:
    """The jar's statistics of all pairs, after ours and the scores were found equal to its own."""
    said, wanted = [[text] for text, _ in pairs], [texts for _, texts in pairs]
    # Without a character a last field would be no field; one space is the protocol's empty text.
    assert not any("|||" in text for said, texts in pairs for text in (said, *texts))
    lines: list[str] = jar.statistics(
        (text or " ", [one or " " for one in texts]) for text, texts in pairs
    )
    theirs = np.array([[float(number) for number in line.split()] for line in lines])
    ours = meteor.statistics(said, wanted)
    wrong = np.flatnonzero((ours != theirs).any(axis=1))
    assert not len(wrong), (pairs[wrong[0]], ours[wrong[0]].tolist(), lines[wrong[0]])
    assert meteor.score(said, wanted) == pytest.approx(jar.scores(lines), rel=0, abs=1e-9)
    return lines


def real_pairs(shared: Path, method: str) -> Pairs:
    """The published generations as the paper prepares them, with the reference sets of a method."""
    folder = shared / "densevisdial"
    rewrite = profile("paper").hypothesis
    return [
        (rewrite(said.texts[0]), list(reference.references))
        for reference, said in paired(
            read_references(folder / f"refs_{method}_human_val.json"),
            read_generations(folder / "gens.json"),
        )
    ]


def captions(shared: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The generated captions and their references; a line end would end a request to the jar."""
    golden = json.loads((shared / "golden" / "coco_fakecap_1000.json").read_text())
    found, wanted = (
        {key: [" ".join(text.split()) for text in texts] for key, texts in golden[side].items()}
        for side in ("res", "gts")
    )
    return found, wanted


def generated_pairs(real: list[str], count: int) -> Pairs:
    """Sentences made of real ones: changed, shuffled, strewn with odd things, random, empty, long."""
    draw = random.Random(15)
    words = sorted(set(chain.from_iterable(text.split() for text in real)))
    return [_generated(number % 10, draw, real, words) for number in range(count)]


def _generated(
    kind: int, draw: random.Random, real: list[str], words: list[str]
) -> tuple[str, list[str]]:
    text = draw.choice(real)
    if kind < 4:
        return _changed(draw, text, words), [
            _changed(draw, text, words) for _ in range(draw.randint(1, 4))
        ]
    if kind < 6:
        odd = [draw.choice(MARKED) for _ in range(draw.randint(1, 10))]
        mixed = [draw.choice(odd + words[:40]) for _ in range(draw.randint(0, 10))]
        said = draw.choice((" ", "")).join(odd).replace("|||", "|")
        return said, [" ".join(mixed), "".join(odd[::-1]).replace("|||", "|")]
    if kind < 8:
        strange = _strange(draw)
        return strange, [strange[: len(strange) // 2] + _strange(draw), strange.lower()]
    if kind == 8:
        return draw.choice(("", "   ", text, "?")), [draw.choice(("", " ", "no")), text]
    many = " ".join(draw.choice(real) for _ in range(40)).split()[: draw.choice((60, 100, 130))]
    other = " ".join(draw.choice(real) for _ in range(20))
    return " ".join(many), [_changed(draw, " ".join(many[20:] + many[:10]), words), other]


def _changed(draw: random.Random, text: str, words: list[str]) -> str:
    found = text.split()
    for _ in range(draw.randint(0, 4)):
        change, place = draw.randrange(5), draw.randint(0, len(found))
        if change == 0:
            del found[place : place + 1]
        elif change == 1:
            found.insert(place, draw.choice(words))
        elif change == 2:
            found.insert(place, draw.choice(MARKED))
        elif change == 3:
            draw.shuffle(found)
        elif place < len(found):
            found[place] += draw.choice(
                ("s", "es", "ed", "ing", "er", "ly", "ness", "'s", ",", ".")
            )
    return " ".join(found)


def _strange(draw: random.Random) -> str:
    """Characters that every version of Unicode at work here knows."""
    codes = (draw.randrange(*draw.choice(LETTERS)) for _ in range(draw.randint(1, 25)))
    text = "".join(chr(code) for code in codes).replace("|", "")
    emoji = range(0x1F600, 0x1F640)
    return "".join(
        letter
        for letter in text
        if ord(letter) in emoji or unicodedata.ucd_3_2_0.category(letter) != "Cn"
    )


def test_a_sample_is_the_jars(shared: Path, meteor: Meteor, jar: Any) -> None:
    real = real_pairs(shared, "H")[:100]
    same_as_the_jar(real, meteor, jar)
    texts = list(chain.from_iterable(wanted for _, wanted in real))
    same_as_the_jar(generated_pairs(texts, 200), meteor, jar)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["H", "S"])
def test_every_published_generation_is_the_jars(
    shared: Path, meteor: Meteor, jar: Any, method: str
) -> None:
    pairs = real_pairs(shared, method)
    assert len(pairs) == 2064
    same_as_the_jar(pairs, meteor, jar)


@pytest.mark.slow
def test_the_golden_captions_are_the_jars(shared: Path, meteor: Meteor, jar: Any) -> None:
    found, wanted = captions(shared)
    pairs = [(texts[0], wanted[key]) for key, texts in found.items()]
    lines = same_as_the_jar(pairs, meteor, jar)
    said, references = [[text] for text, _ in pairs], [texts for _, texts in pairs]
    assert meteor.corpus(said, references) == pytest.approx(
        jar.evaluated(lines)[-1], rel=0, abs=1e-12
    )


@pytest.mark.slow
def test_the_golden_captions_have_the_published_corpus_score(
    shared: Path, meteor: Meteor, jar: Any
) -> None:
    tokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    found, wanted = (
        tokenizer.tokenize({key: [{"caption": text} for text in side[key]] for key in side})
        for side in captions(shared)
    )
    said, references = [found[key] for key in wanted], [wanted[key] for key in wanted]
    pairs = [(texts[0], others) for texts, others in zip(said, references, strict=True)]
    same_as_the_jar(pairs, meteor, jar)
    assert f"{meteor.corpus(said, references):.5f}" == "0.19525"
    assert meteor.corpus(said, references) == pytest.approx(0.19525467177780284, abs=1e-12)


@pytest.mark.slow
def test_generated_sentences_are_the_jars(shared: Path, meteor: Meteor, jar: Any) -> None:
    texts = list(chain.from_iterable(wanted for _, wanted in real_pairs(shared, "M")))
    captioned = list(chain.from_iterable(captions(shared)[1].values()))
    pairs = generated_pairs([*texts, *captioned], GENERATED)
    assert len(pairs) == GENERATED
    same_as_the_jar(pairs, meteor, jar)


@pytest.mark.slow
def test_word_forms_match_as_in_the_jar(shared: Path, meteor: Meteor, jar: Any) -> None:
    texts = chain.from_iterable(captions(shared)[1].values())
    words = sorted({word.strip(".,").lower() for text in texts for word in text.split()})
    endings = ("", "s", "es", "ed", "ing", "er", "est", "ly", "ness", "ation", "ize", "ies", "'s")
    draw = random.Random(3)
    pairs = []
    for word in words:
        forms = [word + ending for ending in draw.sample(endings, 4)]
        forms += [word[:-1] + ending for ending in draw.sample(endings, 2)]
        pairs += [(f"one {form} two", [f"one {word} two"]) for form in forms]
    same_as_the_jar(pairs, meteor, jar)
