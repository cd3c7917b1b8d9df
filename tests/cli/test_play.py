"""`referee play`, from a file to a run folder, as a user calls it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.arena.run import TRANSCRIPTS, manifest, read, summary
from referee.cli import main
from referee.datasets import pools, visdial
from referee.datasets.guesswhat import write
from referee.datasets.iconworld.language import parse_open, reply
from referee.datasets.iconworld.scenes import make_scene
from referee.games import GuessWhat, Reply, Round, Scene, Transcript, VisDial
from referee.games.guesswhich import score
from referee.randomness import Stream, key

SCRIPTED = (
    *("--questioner", "scripted:people", "--oracle", "scripted:perfect-oracle"),
    *("--guesser", "scripted:bayes-guesser"),
)
ASKED = ("how many things are there", "is there a dog", "how many people are there")

OWN = '''
"""One file, no fork: an oracle that says yes to everything, and a guesser who likes the last."""
from referee.games import Belief

class MyOracle:
    def answer(self, queries):
        return [[0.8, 0.1, 0.1] for _ in queries]

class MyGuesser:
    def believe(self, views):
        counts = [len(view.candidates) for view in views]
        return [Belief((0.0,) * (count - 1) + (1.0,), "votes") for count in counts]
'''


def picture(number: int) -> Scene:
    scene = make_scene(number, key("cli", number)).scene
    return replace(scene, width=320.0, height=240.0)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty games of GuessWhat?!."""
    path = tmp_path_factory.mktemp("world") / "games.jsonl.gz"
    scenes = map(picture, range(1, 31))
    write(
        path,
        [
            Transcript(GuessWhat(s.id, s, Stream(key("t", s.id)).choice(s.things).id))
            for s in scenes
        ],
    )
    return path


@pytest.fixture(scope="module")
def dialogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty VisDial dialogues about the same pictures, with the true answer among a hundred options."""
    path = tmp_path_factory.mktemp("visdial") / "visdial.json"
    made = []
    for number in range(1, 31):
        scene = picture(number)
        rounds = []
        for question in ASKED:
            assert parse_open(question)
            truth = reply(question, scene)
            options = (truth, *(f"perhaps {number}" for number in range(99)))
            rounds.append(Round(question, truth, options, 0))
        made.append(VisDial(scene.id, Scene(scene.id), "some things", tuple(rounds)))
    visdial.write(path, made)
    return path


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pools of ten of these pictures, named as COCO names them."""
    path = tmp_path_factory.mktemp("pools") / "pools.json"
    names = [f"COCO_val2014_{number:012}" for number in range(1, 31)]
    pools.write(
        path,
        [
            pools.Pool(
                f"p{start}",
                names[start],
                {"medium": tuple(names[start : start + 10])},
                "dog",
                "a dog",
            )
            for start in (0, 10, 20)
        ],
    )
    return path


def call(*words: object) -> int:
    return main([str(word) for word in words])


def test_playing_says_what_came_of_it_and_what_to_do_next(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert call("play", "guesswhat", "--games", games, *SCRIPTED, "--out", out) == 0
    said = capsys.readouterr()
    found = summary(out)
    assert found is not None
    assert said.out.splitlines() == [
        f"30 games, {found.success} won ({100 * found.success / 30:.1f} %)",
        f"run: {out}",
        f"next: referee evaluate questions --transcripts {out}",
    ]
    assert said.err == ""


def test_the_next_command_works(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert call("play", "guesswhat", "--games", games, *SCRIPTED, "--out", out) == 0
    proposed = capsys.readouterr().out.splitlines()[-1].removeprefix("next: referee ")
    assert main([*proposed.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["evaluation"] == "questions"


def test_an_outsiders_player_is_one_file(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written to a file, named by its path, it plays; no fork, no registration."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(OWN)
    words = ["--questioner", "scripted:people", "--oracle", "./mine.py:MyOracle"]
    words += ["--guesser", "./mine.py:MyGuesser", "--out", "run"]
    assert call("play", "guesswhat", "--games", games, *words) == 0
    for transcript in read(Path("run")):
        assert isinstance(transcript.game, GuessWhat)
        assert {turn.answer for turn in transcript.turns} <= {"Yes"}
        assert transcript.guess == transcript.game.scene.things[-1].id
    oracle = manifest(Path("run")).seats[1]
    assert oracle.player == "./mine.py:MyOracle"
    assert oracle.version.startswith("sha256:")


def test_the_options_reach_the_game(games: Path, tmp_path: Path) -> None:
    words = ["--max-turns", 2, "--max-words", 3, "--no-beliefs", "--limit", 7, "--seed", 3]
    out = tmp_path / "run"
    assert call("play", "guesswhat", "--games", games, *SCRIPTED, *words, "--out", out) == 0
    transcripts = list(read(out))
    assert len(transcripts) == 7
    turns = [turn for transcript in transcripts for turn in transcript.turns]
    assert max(len(transcript.turns) for transcript in transcripts) == 2
    assert max(len(turn.question.split()) for turn in turns) == 3
    assert not any(turn.belief for turn in turns)
    made = manifest(out)
    assert (made.seed, made.arguments["limit"], made.arguments["beliefs"]) == (3, 7, False)


def test_one_player_may_sit_wherever_nobody_is_named(games: Path, tmp_path: Path) -> None:
    words = ["--player", "scripted:people", "--oracle", "scripted:perfect-oracle"]
    out = tmp_path / "run"
    assert call("play", "guesswhat", "--games", games, *words, "--out", out) == 0
    names = [sitting.player for sitting in manifest(out).seats]
    assert names == ["scripted:people", "scripted:perfect-oracle", "scripted:people"]


def test_starting_again_goes_on(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "guesswhat", "--games", games, *SCRIPTED, "--out", tmp_path / "run"]
    assert call(*words) == 0
    log = tmp_path / "run" / TRANSCRIPTS
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    (tmp_path / "run" / "summary.json").unlink()
    assert call(*words, "--batch", 5) == 0
    assert "is continued after" in capsys.readouterr().err
    assert log.read_bytes() == whole


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["--seed", 1], 2, "holds another run, which is never overwritten: seed was 0, is 1"),
        (["--guesser", "scripted:nobody"], 2, "no scripted player 'nobody'"),
        (["--guesser", "scripted:perfect-oracle"], 2, "cannot be the guesser"),
        (["--guesser", "neural:nothing"], 2, "neural:"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    games: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[object],
    code: int,
    reason: str,
) -> None:
    out = tmp_path / "run"
    given = ["play", "guesswhat", "--games", games, *SCRIPTED, "--out", out]
    assert call(*given) == 0
    capsys.readouterr()
    assert call(*given, *words) == code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert reason in said


def test_an_empty_seat_is_named(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--oracle", "scripted:perfect-oracle", "--out", tmp_path / "run"]
    assert call("play", "guesswhat", "--games", games, *words) == 2
    assert "nobody sits in --questioner, --guesser" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_bad_data_is_named_or_left_out(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import gzip

    lines = gzip.decompress(games.read_bytes()).splitlines(keepends=True)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"".join([*lines[:4], b'{"id": 3}\n', *lines[4:]]))
    words = ["play", "guesswhat", "--games", bad, *SCRIPTED]
    assert call(*words, "--out", tmp_path / "a") == 1
    assert "bad.jsonl, record 5" in capsys.readouterr().err
    assert call(*words, "--out", tmp_path / "b", "--skip-bad") == 0
    said = capsys.readouterr()
    assert "1 bad record left out" in said.err
    assert said.out.startswith("30 games")


def test_a_file_that_is_not_there_is_named_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--games", tmp_path / "none.jsonl", *SCRIPTED, "--out", tmp_path / "run"]
    assert call("play", "guesswhat", *words) == 1
    assert "none.jsonl: there is no such file" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_folder_is_no_file_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", tmp_path, *SCRIPTED, "--out", tmp_path / "run"]
    assert call("play", "guesswhat", *words) == 1
    assert "is a folder (expected a file)" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "option"), [("", []), ('{"id": 3}\n', ["--skip-bad"])])
def test_without_a_game_nothing_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, option: list[str]
) -> None:
    """A file that holds none, or none that is sound, is no success of zero games."""
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    words = ["--games", path, *SCRIPTED, "--out", tmp_path / "run", *option]
    assert call("play", "guesswhat", *words) == 1
    said = capsys.readouterr().err
    assert "games.jsonl: holds no games" in said
    assert ("1 bad record left out" in said) == bool(option)
    assert not (tmp_path / "run").exists()


def test_a_limit_beyond_counting_is_none(games: Path, tmp_path: Path) -> None:
    words = ["--games", games, *SCRIPTED, "--out", tmp_path / "run", "--limit", 10**20]
    assert call("play", "guesswhat", *words) == 0


def test_a_name_that_is_no_utf_8_is_played_from(games: Path, tmp_path: Path) -> None:
    odd = tmp_path / "games\udcff.jsonl.gz"
    odd.write_bytes(games.read_bytes())
    out = tmp_path / "run"
    assert call("play", "guesswhat", "--games", odd, *SCRIPTED, "--out", out) == 0
    assert manifest(out).data["games"].path.endswith("games\\udcff.jsonl.gz")


def test_guesswhich_is_played_with_scenes(
    pool: Path,
    games: Path,
    dialogues: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Pictures named as COCO names them are found by their number in the games' file."""
    words = ["--questioner", f"scripted:human-questions?file={dialogues}", "--rounds", 3]
    words += ["--answerer", "scripted:scene-graph", "--guesser", "scripted:listener"]
    words += ["--pools", pool, "--scenes", games, "--out", tmp_path / "run"]
    assert call("play", "guesswhich", *words) == 0
    transcripts = list(read(tmp_path / "run"))
    assert len(transcripts) == 3
    assert all(score(transcript) >= 200 - 90 for transcript in transcripts)
    assert {turn.question for t in transcripts for turn in t.turns} <= set(ASKED)
    said = capsys.readouterr().out
    assert "3 games, 3 found" in said
    assert "referee evaluate teamwork" in said


def test_a_pool_of_unknown_pictures_needs_scenes(
    pool: Path, dialogues: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--questioner", f"scripted:human-questions?file={dialogues}", "--rounds", 3]
    words += ["--answerer", "scripted:scene-graph", "--guesser", "scripted:listener"]
    assert call("play", "guesswhich", "--pools", pool, *words, "--out", tmp_path / "run") == 2
    assert "give --scenes" in capsys.readouterr().err


def test_visdial_is_answered_and_ranked(
    dialogues: Path, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--visdial", dialogues, "--answerer", "scripted:scene-graph", "--scenes", games]
    out = tmp_path / "run"
    assert call("play", "visdial", *words, "--rank", "--generate", 2, "--out", out) == 0
    for transcript in read(out):
        assert isinstance(transcript.game, VisDial)
        replies = [event for event in transcript.events if isinstance(event, Reply)]
        assert len(replies) == len(ASKED)
        for event, asked in zip(replies, transcript.game.rounds, strict=True):
            assert event.texts[0] == asked.answer
            assert event.scores.index(max(event.scores)) == asked.gt_index
    assert "30 games\n" in capsys.readouterr().out


def test_visdial_is_written_or_ranked_as_asked(
    dialogues: Path, games: Path, tmp_path: Path
) -> None:
    words = ["--visdial", dialogues, "--answerer", "scripted:scene-graph", "--scenes", games]
    for name, option in (("ranked", ["--rank"]), ("written", [])):
        assert call("play", "visdial", *words, *option, "--out", tmp_path / name) == 0
        transcript = next(read(tmp_path / name))
        reply_event = transcript.events[1]
        assert isinstance(reply_event, Reply)
        assert bool(reply_event.scores) == (name == "ranked")
        assert bool(reply_event.texts) == (name == "written")


def test_coco_instances_give_scenes(shared: Path, dialogues: Path, tmp_path: Path) -> None:
    """The real annotations fill the pictures that they know."""
    instances = shared / "coco" / "annotations" / "instances_val2017.json"
    document = json.loads(instances.read_text())
    known = [image["id"] for image in document["images"] if image["id"]]
    annotated = {row["image_id"] for row in document["annotations"] if not row["iscrowd"]}
    names = [f"COCO_val2014_{number:012}" for number in known if number in annotated][:10]
    path = tmp_path / "pools.json"
    pools.write(path, [pools.Pool("p", names[3], {"easy": tuple(names)}, "", "", "")])
    words = ["--questioner", f"scripted:human-questions?file={dialogues}", "--rounds", 3]
    words += ["--answerer", "scripted:scene-graph", "--guesser", "scripted:listener"]
    words += ["--pools", path, "--scenes", instances, "--out", tmp_path / "run"]
    assert call("play", "guesswhich", *words) == 0
    (transcript,) = read(tmp_path / "run")
    count = sum(
        r["image_id"] == int(names[3][-12:]) and not r["iscrowd"] for r in document["annotations"]
    )
    said = {turn.question: turn.answer for turn in transcript.turns}
    if "how many things are there" in said:
        assert said["how many things are there"] == str(count)


def test_a_terminal_sees_a_bar_and_a_pipe_does_not(games: Path, tmp_path: Path) -> None:
    words = ["play", "guesswhat", "--games", str(games), *SCRIPTED, "--out"]
    code = "import sys; from referee.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *words]
    piped = subprocess.run([*command, str(tmp_path / "a")], capture_output=True, check=True)
    assert piped.stderr == b""
    ours, theirs = pty.openpty()
    shown = subprocess.Popen(
        [*command, str(tmp_path / "b")], stdout=subprocess.DEVNULL, stderr=theirs
    )
    assert shown.wait() == 0
    os.close(theirs)
    assert b"playing" in os.read(ours, 1 << 16)
    os.close(ours)
