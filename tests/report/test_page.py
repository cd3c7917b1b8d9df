"""The page: one file, nothing from elsewhere, and every text from data escaped."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.evaluations.result import Judged, Result, Value
from referee.games import (
    Answer,
    Ask,
    Belief,
    Believe,
    Box,
    Guess,
    GuessWhat,
    GuessWhich,
    Pick,
    Reply,
    Round,
    Scene,
    Status,
    Thing,
    Transcript,
    VisDial,
)
from referee.report import gather, page
from referee.report.cards import card
from referee.report.glance import glance

THINGS = (
    Thing("1", "dog", 18, Box(5, 5, 30, 30)),
    Thing("2", "cat", 17, Box(50, 50, 30, 30)),
    Thing("3", "<b>bus</b>", 6, Box(60, 5, 30, 30)),
)
SCENE = Scene("4", 100, 100, THINGS)
PLAYED = Transcript(
    GuessWhat("9", SCENE, "2"),
    (
        Ask("is it a <script>alert(1)</script>?"),
        Answer("No"),
        Believe(Belief((0.25, 0.75, 0.0))),
        Ask("is it a cat?"),
        Answer("Yes"),
        Guess("2"),
    ),
    "success",
)
RESULT = Result(
    "questions",
    {"data": "sha256:ab"},
    {
        "task_success": Value(50.0, unit="%", ci_low=25.0, ci_high=75.0, n=8),
        "effectiveness": Value(None, unit="%"),
    },
    ("a <i>note</i>",),
)
JUDGED = Judged(
    RESULT,
    turns=[
        {"game": "9", "turn": 1, "reference_set": ["1", "2"]},
        {"game": "9", "turn": 2, "reference_set": ["2"]},
    ],
)


class _Seen(HTMLParser):
    """The tags of a page, its addresses, and whether every tag is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in {"meta", "img"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def html(tmp_path: Path) -> str:
    section = gather.section({"people": JUDGED}, [PLAYED], games=2)
    return page.write(tmp_path / "r.html", "A & B", "lead", [section], "foot").read_text("utf-8")


def test_the_page_needs_nothing_but_itself(html: str) -> None:
    seen = _Seen()
    seen.feed(html)
    assert not seen.open
    assert "script" not in seen.tags
    assert "link" not in seen.tags
    assert all(address.startswith(("#", "data:")) for address in seen.addresses)


def test_text_from_data_is_escaped(html: str) -> None:
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<b>bus" not in html
    assert "A &amp; B" in html


def test_values_and_intervals_are_there_and_an_undefined_value_is_no_number(html: str) -> None:
    assert "50.00 %" in html
    assert "[25.00, 75.00]" in html
    assert "sha256:ab" in html
    assert "None" not in html


def test_the_headline_is_open_and_every_value_is_folded(html: str) -> None:
    before, _, folded = html.partition("<details>")
    assert 'class="glance"' in before
    assert "[25.00, 75.00]" in before
    assert before.index('class="glance"') < before.index('class="game"')
    assert "Every value: people" in folded
    assert folded.count("[25.00, 75.00]") >= 1


def test_the_candidates_left_are_those_of_the_reference_set() -> None:
    first, second = card(PLAYED, gather.left_by_turn(JUDGED)["9"]).lines
    assert [mark.left for mark in first.marks] == [True, True, False]
    assert [mark.left for mark in second.marks] == [False, True, False]
    assert [mark.belief for mark in first.marks] == [0.25, 0.75, 0.0]
    assert [mark.target for mark in first.marks] == [False, True, False]


def test_a_card_says_of_each_question_what_figure_1_says() -> None:
    rows = [
        {"distractors": 1, "effective": True, "referring": False, "refers_to_another": False},
        {"distractors": 0, "effective": True, "referring": True, "refers_to_another": False},
        {"distractors": 0, "effective": False, "referring": False, "refers_to_another": True},
    ]
    judged = Judged(RESULT, turns=[{"game": "9", "turn": n, **row} for n, row in enumerate(rows)])
    notes = gather.notes_by_turn(judged)["9"]
    assert notes == [
        "1 distractor left, effective",
        "0 distractors left, effective, refers to the target",
        "0 distractors left, refers to another",
    ]
    assert [line.note for line in card(PLAYED, notes=notes).lines] == notes[:2]
    assert gather.notes_by_turn(JUDGED) == {}


def test_without_reference_sets_and_beliefs_no_candidates_are_drawn() -> None:
    assert card(PLAYED).lines[1].marks == ()


def test_a_guesswhich_card_tells_picks_and_guesses_by_number() -> None:
    pool = (Scene("a"), Scene("b"))
    events = (Pick("b"), Ask("is it big?"), Answer("yes"), Pick("a"), Guess("b"), Guess("a"))
    shown = card(Transcript(GuessWhich("g", pool, "a", "a dog"), events, "success"))
    assert "First pick: 2" in shown.opening
    assert shown.lines[0].note == "pick 1"
    assert shown.ending == "Guesses: 2, 1"


def test_a_visdial_card_tells_the_human_answer_and_its_rank() -> None:
    game = VisDial("4", SCENE, "a dog", (Round("how many?", "two", ("one", "two", "six"), 1),))
    played = Transcript(game, (Ask("how many?"), Reply(("six",), scores=(0.1, 0.2, 0.9))))
    assert card(played).lines[0].note == "person: two (rank 2 of 3)"


def test_a_dialogue_of_which_no_picture_is_known_has_neither_picture_nor_verdict(
    tmp_path: Path,
) -> None:
    game = VisDial("4", Scene("4"), "a dog", (Round("how many?", "two"),))
    played = Transcript(game, (Ask("how many?"), Reply(("six",))), "success")
    shown = card(played)
    assert (shown.picture, shown.status) == ("", "")
    broken = Transcript(game, (Ask("how many?"),), "incomplete")
    assert card(broken).status == "incomplete"
    section = page.Section("answers", "Answers", "?", glance({"a": RESULT}), cards=(shown,))
    html = page.write(tmp_path / "r.html", "t", "l", [section], "f").read_text("utf-8")
    assert "<img" not in html
    assert "badge" not in html.partition("</style>")[2]
    assert "A box holds" not in html


def test_figures_of_a_folder_are_on_the_page_each_in_its_own_address(tmp_path: Path) -> None:
    for name in ("against_k", "ranks"):
        (tmp_path / f"{name}.svg").write_text(f"<svg id='same'>{name}</svg>", "utf-8")
    drawn = list(gather.figures(tmp_path, "people"))
    assert [figure.caption for figure in drawn] == ["people, against k", "people, ranks"]
    held = b64decode(drawn[1].source.removeprefix("data:image/svg+xml;base64,")).decode()
    assert held == "<svg id='same'>ranks</svg>"
    section = gather.section({"people": JUDGED}, [PLAYED], drawn=drawn)
    html = page.write(tmp_path / "r.html", "t", "l", [section], "f").read_text("utf-8")
    assert all(f'src="{figure.source}" alt="{figure.caption}"' in html for figure in drawn)
    assert "id='same'" not in html


def _about(picture: int, status: Status) -> Transcript:
    return Transcript(GuessWhat(str(picture), Scene(str(picture), 9, 9, THINGS), "2"), (), status)


def test_some_failures_are_shown_where_there_are_any() -> None:
    won = [_about(number, "success") for number in range(20)]
    lost = [_about(number, "failure") for number in range(20, 30)]
    shown = gather.varied([*won, *lost], 6)
    assert [each.status for each in shown].count("failure") == 2
    assert len(shown) == 6
    assert len(gather.varied(lost, 6)) == 6


def test_no_picture_is_shown_twice() -> None:
    assert len(gather.varied([PLAYED] * 20, 6)) == 1


def test_intervals_are_called_by_their_level(html: str, tmp_path: Path) -> None:
    assert ">interval<" in html
    judged = Judged(Result("questions", {"level": 0.9}, RESULT.values))
    section = gather.section({"people": judged})
    again = page.write(tmp_path / "again.html", "t", "l", [section], "f").read_text("utf-8")
    assert "90 % interval" in again
    assert "95 %" not in again


def test_our_row_beside_a_papers_goes_by_the_runs_name(html: str) -> None:
    assert "people beside questions, Table 1" in html


def test_a_page_is_never_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    target.write_text("mine")
    with pytest.raises(UsageError, match="nothing is ever overwritten"):
        page.write(target, "t", "l", [], "f")
    assert target.read_text() == "mine"


def test_pictures_are_small_enough_to_send(html: str) -> None:
    pictures = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', html)
    assert len(pictures) == 1
    assert len(pictures[0]) < 200_000
