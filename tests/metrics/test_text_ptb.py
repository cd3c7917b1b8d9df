"""The PTB tokeniser without Java, against the jar where there is Java and by its answers elsewhere."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.ptb import ptb, ptb_tokens

VECTORS: list[list[str]] = json.loads(
    (Path(__file__).parent.parent / "data" / "ptb_vectors.json").read_text(encoding="utf-8")
)
_WORDS = "a the dog is on of men red two there can people no yes Smith Street it they Mr St etc"
_ODD = "5 1,000 2.5 5:30 1/2 3rd 20's 1990s $5 5% can't don't cannot U.S. a.m. St. no. 7"
PLAIN = _WORDS.split()

_PROGRAM = ("edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase")

Jar = Callable[[list[str]], list[str]]


def test_tokens_are_those_that_the_jar_gave() -> None:
    """The vectors are sentences and words of our own with what coco-caption makes of them."""
    wrong = [(text, expected, ptb(text)) for text, expected in VECTORS if ptb(text) != expected]
    assert len(VECTORS) > 800
    assert wrong == []


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_has_tokens(text: str) -> None:
    tokens = ptb_tokens(text)
    assert all(token and " " not in token for token in tokens)
    assert tokens == ptb_tokens("  " + text + " ")


@given(st.lists(st.sampled_from([*PLAIN, *_ODD.split(), "Gonna", ". .", "(5", "x."]), max_size=8))
def test_words_after_a_space_are_tokenised_as_in_the_whole_text(words: list[str]) -> None:
    text = " ".join(words)
    # Markup at the beginning keeps the text whole.
    assert ptb_tokens(f"<b> {text}") == ["<b>", *ptb_tokens(text)]


@pytest.fixture(scope="module")
def jar() -> Jar:
    """The lines that coco-caption would get for captions, one by one."""
    package = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    java = shutil.which("java")
    if java is None:
        pytest.skip("no Java to run the PTB tokeniser's jar")
    path = Path(package.__file__).parent / package.STANFORD_CORENLP_3_4_1_JAR
    marks = set(package.PUNCTUATIONS)

    def tokenize(texts: list[str]) -> list[str]:
        # A word of its own follows each text, so that no text sees how the next one begins.
        printed = subprocess.run(
            [java, "-cp", str(path), *_PROGRAM],
            input="\nx\n".join(texts),
            capture_output=True,
            check=True,
            encoding="utf-8",
            env={"LC_ALL": "C.UTF-8"},
        )
        lines = printed.stdout.split("\n")[: 2 * len(texts) : 2]
        return [" ".join(word for word in line.split(" ") if word not in marks) for line in lines]

    return tokenize


def _strings(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _strings(inner)


def _differing(jar: Jar, texts: set[str]) -> list[tuple[str, str, str]]:
    lines = sorted(text.replace("\n", " ") for text in texts if text.strip())
    expected = jar(lines)
    return [
        (line, theirs, ptb(line))
        for line, theirs in zip(lines, expected, strict=True)
        if theirs != ptb(line)
    ]


@pytest.mark.parametrize(
    ("files", "least"),
    [
        ("golden/coco_fakecap_1000.json", 5000),
        ("densevisdial/gens.json", 3000),
        ("densevisdial/refs_H_human_val.json", 7000),
        ("coco/annotations/*caption*.json", 750),
    ],
)
def test_real_captions_and_answers_are_tokenised_as_by_the_jar(
    shared: Path, jar: Jar, files: str, least: int
) -> None:
    texts = {
        text
        for file in shared.glob(files)
        for text in _strings(json.loads(file.read_text(encoding="utf-8")))
    }
    assert len(texts) >= least
    assert _differing(jar, texts) == []


def test_made_up_sentences_are_tokenised_as_by_the_jar(jar: Jar) -> None:
    """Hyphens, quotes, numbers, clitics and abbreviations wherever a writer might put them."""
    chosen = random.Random(0)
    hooks = ["{}"] * 8 + ["{},", '"{}"', "({})", "{}'s", "{}.", "{};", "{}-like", "'{}'", "{}/or"]
    texts = {
        " ".join(
            chosen.choice(hooks).format(
                chosen.choice(PLAIN if chosen.random() < 0.8 else _ODD.split())
            )
            for _ in range(chosen.randint(1, 12))
        )
        + chosen.choice(["", ".", " .", "?", "!"])
        for _ in range(3000)
    }
    assert _differing(jar, texts) == []
