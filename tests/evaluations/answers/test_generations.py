"""Generated answers against reference sets: small rounds by hand, and the paper's numbers from its files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from referee.errors import DataError, UsageError
from referee.evaluations import answers, comparison, evaluation, sources
from referee.evaluations.answers import Options, References
from referee.evaluations.result import Judged, Value
from referee.games import Ask, Reply, Round, Scene, Transcript, VisDial

MakeReferences = Callable[..., References]
MakeDialogue = Callable[..., Transcript]

WORDS = "cider,bleu,rouge_l"


def judged(references: References | None, *transcripts: Transcript, **options: object) -> Judged:
    chosen = Options(references=references, **{"metrics": WORDS, **options})  # type: ignore[arg-type]
    return evaluation.judge(answers.EVALUATION, transcripts, chosen)


def values(*args: object, **options: object) -> dict[str, Value]:
    return judged(*args, **options).result.values  # type: ignore[arg-type]


def test_a_perfect_answer_of_one_word_scores_what_the_formula_says(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("2", 0): ["a red bus"]})
    found = values(sets, dialogue("1", ["yes"]), dialogue("2", ["a red bus"]))
    assert found["bleu_1"].value == pytest.approx(1)
    assert found["bleu_2"].value == pytest.approx((1e-3 + 1) / 2, abs=1e-6)
    assert found["rouge_l"].value == pytest.approx(1)
    assert found["cider_4"].value == pytest.approx((1 / 4 + 3 / 4) / 2)


def test_rounds_are_joined_by_image_and_number_whatever_the_order(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("1", 2): ["two"], ("2", 1): ["red"]})
    one = dialogue("1", ["yes"], ["no"], ["two"])
    two = dialogue("2", ["x"], ["red"])
    first, second = judged(sets, one, two), judged(sets, two, one)
    assert first.result.values["bleu_1"].value == pytest.approx(1)
    assert [row["turn"] for row in first.turns] == [1, 3, 2]
    assert first.turns == second.turns


def test_what_does_not_meet_is_counted_and_named(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("2", 0): ["no"]})
    found = judged(sets, dialogue("1", ["yes"], ["two"]))
    assert found.result.values["missing"].value == 1
    assert found.result.values["extra"].value == 1
    assert (found.result.values["bleu_1"].n, found.result.values["bleu_1"].n_failed) == (1, 1)
    assert found.games[0]["extra_rounds"] == ["1"]
    assert any("image 2, round 0" in note for note in found.result.notes)
    assert any("image 1, round 1" in note for note in found.result.notes)


def test_a_question_that_is_not_the_sets_gives_away_rounds_that_are_off_by_one(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("1", 1): ["no"]})
    with pytest.raises(DataError, match="count rounds from 1"):
        judged(sets, dialogue("1", ["yes"], ["no"], question="another q{}"))


def test_empty_generations_are_skipped_and_counted(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("2", 0): ["no"], ("3", 0): ["red"]})
    found = values(
        sets,
        dialogue("1", ["", "yes"]),
        dialogue("2", ["", " "]),
        dialogue("3", ["red", "red"]),
        k="1,2",
    )
    first, both = found["bleu_1"], found["bleu_1_k2"]
    assert (first.n, first.n_failed, both.n, both.n_failed) == (1, 2, 2, 1)
    assert first.value == pytest.approx(1)
    assert both.value == pytest.approx(1)
    assert (found["empty"].value, found["skipped"].value) == (3, 1)


def test_nothing_but_empty_generations_is_no_crash(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    found = values(references({("1", 0): ["yes"]}), dialogue("1", [""]))
    assert (found["bleu_1"].value, found["bleu_1"].n_failed) == (None, 1)


def test_rounds_with_fewer_generations_fail_for_that_k_only(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("2", 0): ["no"]})
    found = judged(sets, dialogue("1", ["yes"] * 5), dialogue("2", ["no"]))
    assert found.result.options["k"] == "1,5"
    assert found.result.values["bleu_1"].n == 2
    assert (found.result.values["bleu_1_k5"].n, found.result.values["bleu_1_k5"].n_failed) == (1, 1)
    assert any("fewer than 5" in note for note in found.result.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": "9"}, "no round has more than 1"),
        ({"k": "one"}, "k must be numbers"),
        ({"k": "0"}, "at least 1"),
        ({"metrics": "spice"}, "no metric 'spice'"),
        ({"profile": "loud"}, "profile"),
        ({"variant": "mine"}, "variant must be one of"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    references: MakeReferences, dialogue: MakeDialogue, options: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        judged(references({("1", 0): ["yes"]}), dialogue("1", ["yes"]), **options)


def test_the_variant_sets_the_profile_unless_one_is_named(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets, said = references({("1", 0): ["yes"]}), dialogue("1", ["yes"])
    profiles = [
        judged(sets, said, **options).result.options["profile"]
        for options in ({}, {"variant": "code"}, {"variant": "code", "profile": "clean"})
    ]
    assert profiles == ["paper", "released", "clean"]


def test_yes_and_no_agree_where_people_said_either(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    sets = references({("1", 0): ["yes"], ("2", 0): ["no, 2"], ("3", 0): ["red"]})
    found = values(sets, dialogue("1", ["yeah"]), dialogue("2", ["yes"]), dialogue("3", ["yes"]))
    assert (found["yes_no_agreement"].value, found["yes_no_agreement"].n) == (50.0, 2)


def test_a_file_of_no_references_is_refused(tmp_path: Path) -> None:
    (tmp_path / "refs.json").write_text("[]", "utf-8")
    with pytest.raises(DataError, match="no reference set"):
        References.read(tmp_path / "refs.json")


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "densevisdial"


@pytest.fixture(scope="module")
def human(folder: Path) -> References:
    return References.read(folder / "refs_H_human_val.json")


def of_paper(folder: Path, human: References, **options: object) -> dict[str, Value]:
    said = sources.generated(folder / "gens.json", human.sets.values())
    return values(human, *said, **options)


def printed(found: dict[str, Value], names: list[str]) -> str:
    return " ".join(f"{found[name].value:.4f}" for name in names)


def spreads(found: dict[str, Value], names: list[str]) -> str:
    return " ".join(f"{found[name].std:.4f}" for name in names)


CIDER = [f"cider_{order}" for order in (1, 2, 3, 4)]
BLEU = [f"bleu_{order}" for order in (1, 2, 3, 4)]


def test_the_papers_rows_come_out_to_the_printed_digit(folder: Path, human: References) -> None:
    """Table 6, CCA-AQ-G (k = 1), A_gt and Gamma; Gamma's and A_gt's CIDEr cannot (docs/answers.md)."""
    found = of_paper(folder, human, metrics="cider,bleu")
    assert printed(found, CIDER) == "0.0721 0.0434 0.0298 0.0226"
    assert spreads(found, CIDER) == "0.1187 0.0726 0.0506 0.0389"
    assert printed(found, BLEU) == "0.4323 0.1461 0.0345 0.0138"
    assert f"{found['bleu_1'].std:.4f}" == "0.3839"
    assert printed(found, [f"{name}_agt" for name in BLEU]) == "0.9961 0.4840 0.3934 0.2916"
    bounds = [f"{name}_bound_mu" for name in BLEU]
    assert printed(found, bounds) == "1.0000 0.7633 0.5974 0.3371"
    assert spreads(found, bounds) == "0.0000 0.1440 0.1538 0.1675"
    best = [f"{name}_bound_gamma" for name in BLEU]
    assert printed(found, best) == "1.0000 0.9898 0.9826 0.9300"


def test_without_tokenisation_six_digits_come_out(folder: Path, human: References) -> None:
    found = of_paper(folder, human, metrics="cider,bleu", profile="clean")
    expected = {
        "cider_1": (0.072026, 0.118177),
        "cider_2": (0.043328, 0.072414),
        "cider_3": (0.029789, 0.050550),
        "cider_4": (0.022561, 0.038801),
        "bleu_1": (0.432160, 0.384063),
        "bleu_2": (0.145953, 0.318914),
        "bleu_3": (0.034528, 0.159394),
        "bleu_4": (0.013835, 0.104067),
    }
    for name, (mean, spread) in expected.items():
        assert found[name].value == pytest.approx(mean, abs=5.1e-7)
        assert found[name].std == pytest.approx(spread, abs=5.1e-7)
    assert printed(found, [f"{name}_agt" for name in BLEU]) == "1.0000 0.4894 0.4007 0.2971"
    assert printed(found, [f"{name}_agt" for name in CIDER]) == "0.1922 0.1275 0.1003 0.0836"


def test_what_the_public_code_does_differs_in_the_spread_of_cider_only(
    folder: Path, human: References
) -> None:
    found = of_paper(folder, human, metrics="cider", variant="code")
    assert printed(found, CIDER) == "0.0721 0.0434 0.0298 0.0226"
    assert spreads(found, CIDER) == "0.1181 0.0724 0.0505 0.0388"


def test_meteor_comes_out_as_printed(folder: Path, human: References) -> None:
    found = of_paper(folder, human, metrics="meteor")
    assert printed(found, ["meteor", "meteor_agt", "meteor_bound_mu"]) == "0.2713 0.9971 1.0000"
    assert spreads(found, ["meteor"]) == "0.3083"


def test_the_docs_show_what_comes_out(folder: Path, human: References) -> None:
    """The rows of Referee in docs/answers.md, to the digit."""
    docs = Path(__file__).parents[3] / "docs" / "answers.md"
    rows = re.findall(
        r"^\| (Referee[^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$", docs.read_text("utf-8"), re.MULTILINE
    )
    found = of_paper(folder, human, metrics="cider,bleu,meteor")
    suffixes = ["", "", "_agt", "_bound_mu", "_bound_gamma"]
    shown = [printed, spreads, printed, printed, printed]
    assert len(rows) == len(suffixes)
    for (_, *cells), suffix, show in zip(rows, suffixes, shown, strict=True):
        names = [[f"{name}{suffix}" for name in group] for group in (CIDER, BLEU, ["meteor"])]
        assert [cell.split() for cell in cells] == [
            [_short(number) for number in show(found, group).split()] for group in names
        ]


def _short(number: str) -> str:
    """As the docs print it: without the zero before the point, and a bare 1."""
    return "1" if number == "1.0000" else number.removeprefix("0")


def test_an_embedder_is_used_wherever_it_is_named(
    references: MakeReferences, dialogue: MakeDialogue, tmp_path: Path
) -> None:
    vectors = tmp_path / "small.txt"
    vectors.write_text("yes 1 0 0 0 0 0 0 1\nno 0 1 0 0 0 0 0 1\nred 0 0 1 0 0 0 0 1\n", "utf-8")
    sets, said = references({("1", 0): ["yes", "no"]}), dialogue("1", ["yes"])
    name = f"glove:{vectors}"
    ways = [{"metrics": f"bleu,{name}"}, {"metrics": "bleu", "embedders": name}]
    both = [values(sets, said, **way) for way in ways]
    assert both[0] == both[1]
    assert both[0]["glove_cs"].value == pytest.approx((1 + 1 / 2) / 2)
    assert both[0]["glove_l2_gamma"].value == pytest.approx(2**0.5 / 2, abs=1e-5)
    assert (both[0]["glove_l2"].higher_is_better, "minilm_cs" in both[0]) == (False, False)


def test_what_runs_cannot_differ_in_is_not_compared(
    references: MakeReferences, dialogue: MakeDialogue
) -> None:
    """Bounds are the references', of one answer the best is the mean: they would weaken Holm's tests."""
    sets = references({("1", 0): ["yes", "sure"], ("2", 0): ["no", "a red bus"]})
    first, second = (
        judged(
            sets, dialogue("1", said), dialogue("2", ["no", "a bus"]), metrics="rouge_l", k="1,2"
        )
        for said in (["yes", "no"], ["no", "sure"])
    )
    found = comparison.compare(answers.EVALUATION, first, second).differences
    assert [name for name in found if name.startswith("rouge_l")] == [
        "rouge_l",
        "rouge_l_k2",
        "rouge_l_k2_sigma_within",
        "rouge_l_k2_gamma",
    ]
    assert found["rouge_l"].difference == pytest.approx(0.5)


def test_runs_without_values_in_common_say_why(references: MakeReferences) -> None:
    """One run wrote an answer to the first round; the other only ranked the options of both."""
    asked = tuple(Round(f"q{number}", "yes", ("yes", "no"), 0) for number in range(2))
    game = VisDial("1", Scene("1"), "", asked)
    wrote = Transcript(game, (Ask("q0"), Reply(("yes",))), "incomplete")
    told = [event for one in asked for event in (Ask(one.question), Reply(scores=(1.0, 0.0)))]
    sets = references({("1", 0): ["yes"]})
    first = judged(sets, wrote, metrics="rouge_l", k="1")
    second = msgspec.structs.replace(
        judged(None, Transcript(game, tuple(told), "success")), result=first.result
    )
    with pytest.raises(UsageError, match=r"no value in common .* values over turns are left out"):
        comparison.compare(answers.EVALUATION, first, second)
