"""Tables that belong to the dialogues: oracles' answers, history questions, the vocabulary."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from referee.datasets import gdse_vocabulary, history_questions
from referee.datasets.dialogues import oracle_answers
from referee.datasets.files import writing
from referee.errors import DataError

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhat"


def test_the_real_oracles_agree_with_people_as_published(shared: Path) -> None:
    answers = list(oracle_answers.read(shared / "guesswhat" / "oracle_answers.csv.gz"))
    assert len(answers) == 99_784
    found = {name: f"{share:.2f}" for name, share in oracle_answers.agreement(answers).items()}
    assert found == {"QSpCa": "77.96", "QSpCr": "74.40", "QSp": "68.27", "LXMERT": "83.94"}
    by_class = {
        human: f"{oracle_answers.agreement(answers, human)['QSpCa']:.2f}"
        for human in ("Yes", "No", "N/A")
    }
    assert by_class == {"Yes": "78.99", "No": "79.76", "N/A": "0.00"}
    said = Counter((name, said) for answer in answers for name, said in answer.oracles.items())
    assert (said["QSpCa", "N/A"], said["LXMERT", "N/A"]) == (0, 47)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "empty"),
        ("gid,pos,human\n", "column is missing"),
        ("gid,pos,question_id,human,a\n1,0,2,<no>\n", "4 fields"),
        ("gid,pos,question_id,human,a\n1,-1,2,<no>,<no>\n", "no place"),
        ("gid,pos,question_id,human,a\n1,0,2,<no>,dunno\n", "no answer"),
        ("gid,pos,question_id,human,a\n1,0,2,<no>,<no>\n1,0,3,<no>,<no>\n", "second time"),
    ],
)
def test_a_broken_table_of_answers_is_refused(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=match):
        list(oracle_answers.read(path))


def test_the_real_questions_that_need_the_history_are_204(shared: Path) -> None:
    found = list(history_questions.read(shared / "guesswhat" / "history_questions.csv"))
    assert len(found) == 204
    assert found[0].question == "the one after that before the red one?"
    assert any("," in question.question for question in found)


def test_the_real_vocabulary_has_4901_words(shared: Path) -> None:
    vocabulary = gdse_vocabulary.read(shared / "guesswhat" / "gdse_vocab.json")
    numbers = vocabulary.numbers()
    assert len(vocabulary.words) == 4901
    assert [numbers[word] for word in ("?", "is", "it", "a", "person")] == [12, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('"cup": 11', '"cup": 9', "gaps"),
        ('"11": "cup"', '"11": "mug"', "differ"),
        ('"<yes>"', '"yes"', "begins with"),
    ],
)
def test_a_vocabulary_that_contradicts_itself_is_refused(
    tmp_path: Path, old: str, new: str, match: str
) -> None:
    path = tmp_path / "vocab.json"
    with writing(path) as stream:
        stream.write((DATA / "vocab.json").read_text().replace(old, new).encode())
    with pytest.raises(DataError, match=match):
        gdse_vocabulary.read(path)
