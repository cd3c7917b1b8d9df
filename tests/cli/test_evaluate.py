"""The evaluate commands and `compare`, on runs that were played here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.arena import Plan, play, play_into
from referee.cli import main
from referee.datasets.guesswhat import write
from referee.datasets.iconworld.scenes import make_scene
from referee.evaluations import evaluation, questions
from referee.games import GuessWhat, Thing, Transcript
from referee.games.guesswhat import Rules
from referee.randomness import key

PEOPLE = "scripted:people"
FIELDS = [
    "value",
    "std",
    "unit",
    "higher_is_better",
    "ci_low",
    "ci_high",
    "n",
    "n_failed",
    "n_clusters",
]
PLAN = Plan(Rules(max_turns=8))
PLAIN = [
    {
        "source": "here",
        "index": number,
        "qas": [{"question": "is it a dog?", "answer": "Yes"}],
        "image_id": 9000 + number,
        "target_category": "dog",
        "status": "success",
    }
    for number in range(2)
]


def games(count: int) -> list[GuessWhat]:
    made = []
    for number in range(count):
        scene = make_scene(number, key(0, number)).scene
        made.append(GuessWhat(str(number), scene, scene.things[number % len(scene.things)].id))
    return made


def seats(oracle: str) -> dict[str, str]:
    return {"questioner": PEOPLE, "oracle": oracle, "guesser": PEOPLE}


def played(folder: Path, oracle: str = "scripted:perfect-oracle", count: int = 30) -> Path:
    source = folder.parent / "games"
    source.write_text("made here", "utf-8")
    for _ in play_into(folder, games(count), seats(oracle), PLAN, files={"games": source}):
        pass
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(list(map(str, words))) == 0
    return capsys.readouterr().out


def test_intervals_are_made_as_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By every command that makes some; the table and the comparison say how."""
    run = played(tmp_path / "run")
    how = ("--intervals", "method=bca,by=game,level=0.9,resamples=100")
    table = said(capsys, "evaluate", "questions", "--transcripts", run, *how)
    assert "90 % interval" in table
    assert "method=bca | by=game" in table
    found = json.loads(said(capsys, "compare", run, run, "--json", *how))
    assert (found["options"]["by"], found["options"]["level"]) == ("game", 0.9)
    assert main(["compare", str(run), str(run), "--intervals", "by=chance"]) == 2
    assert "by=chance" in capsys.readouterr().err


def test_a_run_is_judged_by_the_oracle_that_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = played(tmp_path / "run")
    found = json.loads(said(capsys, "evaluate", "questions", "--transcripts", run, "--json"))
    assert list(found) == ["evaluation", "options", "values", "notes"]
    assert found["options"]["oracle"] == "scripted:perfect-oracle"
    assert all(list(value) == FIELDS for value in found["values"].values())
    success = found["values"]["task_success"]
    assert success["ci_low"] <= success["value"] <= success["ci_high"]
    assert (success["n"], success["n_clusters"]) == (30, 30)


def test_the_command_gives_what_judging_the_transcripts_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = played(tmp_path / "run")
    found = json.loads(said(capsys, "evaluate", "questions", "--transcripts", run, "--json"))
    transcripts = play(games(30), seats("scripted:perfect-oracle"), PLAN)
    judged = evaluation.judge(questions.EVALUATION, transcripts).result
    assert found["options"] == judged.options
    assert {name: value["value"] for name, value in found["values"].items()} == {
        name: value.value for name, value in judged.values.items()
    }


def test_brute_force_over_the_scene_finds_the_same_reference_sets() -> None:
    """With the perfect oracle, what is left is the things that share the target's answers."""
    from referee.datasets.iconworld.truth import answers

    transcripts = list(play(games(30), seats("scripted:perfect-oracle"), PLAN))
    turns = iter(evaluation.judge(questions.EVALUATION, transcripts).turns)
    for transcript in transcripts:
        game = transcript.game
        assert isinstance(game, GuessWhat)
        left: list[Thing] = list(game.scene.things)
        for turn in transcript.turns:
            told = answers(turn.question, game.scene)
            if told is not None:
                by_thing = dict(zip(game.scene.things, told, strict=True))
                target = by_thing[game.scene.things[game.target_index]]
                left = [thing for thing in left if by_thing[thing] == target]
            assert next(turns)["reference_set"] == [thing.id for thing in left]
    assert next(turns, None) is None


def test_a_folder_of_results_is_written_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = played(tmp_path / "run"), tmp_path / "out"
    shown = said(capsys, "evaluate", "questions", "--transcripts", run, "--out", out)
    assert "task_success" in shown
    assert "56.9" in shown
    assert "data=sha256:" in shown
    assert sorted(path.name for path in out.iterdir()) == [
        "games.parquet",
        "results.json",
        "table.md",
        "table.tex",
        "turns.parquet",
    ]
    assert main(["evaluate", "questions", "--transcripts", str(run), "--out", str(out)]) == 2
    assert "nothing is ever overwritten" in capsys.readouterr().err


def test_runs_and_folders_of_results_compare_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noisy = "scripted:noisy-oracle?accuracy=0.6"
    runs = [played(tmp_path / "a"), played(tmp_path / "b", noisy)]
    asked = ("--oracle", "scripted:perfect-oracle")
    for run in runs:
        out = tmp_path / f"{run.name}-judged"
        said(capsys, "evaluate", "questions", "--transcripts", run, *asked, "--out", out)
    of_runs = json.loads(said(capsys, "compare", *runs, *asked, "--json"))
    folders = [tmp_path / "a-judged", tmp_path / "b-judged"]
    of_folders = json.loads(said(capsys, "compare", *folders, "--json"))
    assert of_runs == of_folders
    success = of_runs["differences"]["task_success"]
    assert success["difference"] > 0
    assert success["n"] == 30
    shown = said(capsys, "compare", *folders, "--out", tmp_path / "compared")
    assert "a-judged" in shown
    assert (tmp_path / "compared" / "compare.json").is_file()


def test_runs_judged_by_different_oracles_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [played(tmp_path / "a"), played(tmp_path / "b", "scripted:noisy-oracle")]
    assert main(["compare", *map(str, runs)]) == 2
    assert "judged in different ways: oracle" in capsys.readouterr().err


def test_runs_on_other_games_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [played(tmp_path / "a"), played(tmp_path / "b", count=20)]
    assert main(["compare", *map(str, runs)]) == 2
    assert "cannot be paired: 10 only in A" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["evaluate", "questions", "--transcripts", "absent"], 1, "absent"),
        (["evaluate", "teamwork", "--transcripts", "{run}"], 2, "judges games of GuessWhich"),
        (["evaluate", "questions", "--transcripts", "{run}", "--oracle", "nobody"], 2, "nobody"),
        (["evaluate", "questions", "--transcripts", "{run}", "--truncate", "0"], 2, "at least 1"),
        (["evaluate", "answers"], 2, "give one of --ranks, --generations and --transcripts"),
        (["evaluate", "answers", "--ranks", "x"], 2, "needs --visdial"),
        (["compare", "{run}", "{run}", "--evaluation", "nothing"], 2, "no evaluation 'nothing'"),
        (["compare", "{run}", "absent"], 1, "absent"),
    ],
)
def test_a_call_that_makes_no_sense_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    message: str,
) -> None:
    run = played(tmp_path / "run", count=2)
    assert main([word.format(run=run) for word in words]) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


DATA = Path(__file__).parent.parent / "data"
VISDIAL = ("--visdial", DATA / "visdial" / "val.json")
DENSE = ("--dense", DATA / "visdial" / "dense_val.json")


def test_shipped_ranks_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    ranks = ("--ranks", DATA / "visdial" / "ranks.json")
    found = json.loads(said(capsys, "evaluate", "answers", *ranks, *VISDIAL, *DENSE, "--json"))
    values = found["values"]
    assert values["mr"]["n"] > 0
    assert values["ndcg"]["n"] > 0
    assert 0 < values["ndcg"]["value"] <= 1


PLAYERS = '''
from referee.games import Belief
from referee.players.seats import Said

class Shortest:
    """Scores an option by how short it is."""

    def score(self, looks):
        return [[-len(option) for option in look.options] for look in looks]

class Team:
    """Asks and answers the same, and believes in the last picture of the pool most."""

    def ask(self, views):
        return ["is it blue?" for _ in views]

    def answer(self, looks, n=1):
        return [[Said("yes")] for _ in looks]

    def believe(self, views):
        counts = [len(view.candidates) for view in views]
        weights = [range(1, count + 1) for count in counts]
        return [Belief(tuple(w / sum(each) for w in each)) for each in weights]
'''


def test_a_run_of_visdial_is_ranked_with_relevances_from_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(PLAYERS, "utf-8")
    run = tmp_path / "run"
    seat = ("--answerer", f"{tmp_path / 'mine.py'}:Shortest", "--rank")
    said(capsys, "play", "visdial", *VISDIAL, *seat, "--out", run)
    words = ("evaluate", "answers", "--transcripts", run)
    plain = json.loads(said(capsys, *words, "--json"))["values"]
    dense = json.loads(said(capsys, *words, *VISDIAL, *DENSE, "--json"))["values"]
    assert plain["mr"] == dense["mr"]
    assert plain["mr"]["n"] > 0
    assert (plain["ndcg"]["n"], plain["ndcg"]["value"]) == (0, None)
    assert dense["ndcg"]["n"] > 0
    optimistic = json.loads(said(capsys, *words, "--ties", "optimistic", "--json"))["values"]
    assert optimistic["mr"]["value"] < plain["mr"]["value"]


def test_a_team_that_prefers_the_last_picture_is_as_good_as_the_targets_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from referee.datasets import pools

    path = DATA / "guesswhich" / "pools.json"
    (tmp_path / "mine.py").write_text(PLAYERS, "utf-8")
    run = tmp_path / "run"
    player = f"{tmp_path / 'mine.py'}:Team"
    said(capsys, "play", "guesswhich", "--pools", path, "--player", player, "--out", run)
    found = json.loads(said(capsys, "evaluate", "teamwork", "--transcripts", run, "--json"))
    games = list(pools.read(path))
    ranks = [len(game.pool) - game.target_index for game in games]
    assert found["values"]["mean_rank"]["value"] == pytest.approx(sum(ranks) / len(ranks))
    assert found["values"]["mean_rank"]["n"] == len(games)
    assert "guessing at random" in found["notes"][0]
    compared = json.loads(said(capsys, "compare", run, run, "--json"))
    assert compared["evaluation"] == "teamwork"


@pytest.mark.parametrize(
    ("file", "games_read", "n_questions", "task_success"),
    [
        ("human_100.jsonl", 100, 4.07, 100.0),
        ("rl_greedy_100.jsonl", 100, 5.0, 60.0),
        ("vdst_train_log_1004.txt", 1004, 5.0, 57.0),
    ],
)
def test_real_dialogue_files_are_judged_as_far_as_they_tell(
    shared: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    games_read: int,
    n_questions: float,
    task_success: float,
) -> None:
    """They hold no objects, so that effectiveness is undefined; the counts are those of their README."""
    path = shared / "guesswhat" / file
    found = json.loads(said(capsys, "evaluate", "questions", "--transcripts", path, "--json"))
    values = found["values"]
    assert values["n_questions"]["n"] == games_read
    assert values["n_questions"]["value"] == pytest.approx(n_questions)
    assert values["task_success"]["value"] == pytest.approx(task_success, abs=0.5)
    assert values["effectiveness"]["value"] is None


def test_records_that_are_left_out_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "said.jsonl"
    first, second = map(json.dumps, PLAIN)
    path.write_text(f"{first}\n{{\n{second}", "utf-8")
    words = ["evaluate", "questions", "--transcripts", path, "--json"]
    assert main(list(map(str, words))) == 1
    assert "said.jsonl, record 2" in capsys.readouterr().err
    found = json.loads(said(capsys, *words, "--skip-bad"))
    assert any("1 bad record was left out; the first: " in note for note in found["notes"])
    assert found["values"]["task_success"]["n_failed"] == 1


def test_where_every_record_is_left_out_nothing_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A data set of other games joins nothing, which is not a result of zero games."""
    path, other = tmp_path / "said.jsonl", tmp_path / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, PLAIN)), "utf-8")
    write(other, map(Transcript, games(3)))
    words = ["evaluate", "questions", "--transcripts", path, "--games", other, "--skip-bad"]
    assert main(list(map(str, words))) == 1
    shown = capsys.readouterr().err
    assert "there is no game to judge: 2 bad records were left out; the first: " in shown
    assert "said.jsonl, record" in shown


def test_a_folder_that_is_no_run_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "questions", "--transcripts", str(tmp_path)]) == 1
    assert (
        f"{tmp_path}: is no run (expected a folder with manifest.json)" in capsys.readouterr().err
    )


def test_results_with_another_oracle_are_not_compared_as_if_with_this_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = played(tmp_path / "run"), tmp_path / "out"
    said(capsys, "evaluate", "questions", "--transcripts", run, "--out", out)
    words = ["compare", str(out), str(run), "--oracle", "scripted:noisy-oracle"]
    assert main(words) == 2
    assert "holds results with the oracle scripted:perfect-oracle" in capsys.readouterr().err


def test_a_signature_is_printed_once_and_written_under_each_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several tables of one result follow one another: those of the papers, and ours."""
    run, out = played(tmp_path / "run"), tmp_path / "judged"
    assert main(["evaluate", "questions", "--transcripts", str(run), "--out", str(out)]) == 0
    tables = (out / "table.md").read_text("utf-8")
    assert capsys.readouterr().out.count("data=sha256") == 1 < tables.count("data=sha256")
