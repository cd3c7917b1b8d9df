"""Replay repeats what a file holds, and refuses what it does not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.arena import Plan, play, play_into
from referee.datasets.guesswhat import write
from referee.datasets.iconworld.scenes import make_scene
from referee.errors import SeatError, UsageError
from referee.games import Answer, Ask, GuessWhat, Scene, Transcript, guesswhat
from referee.players.replay import Replay
from referee.players.resolve import resolve
from referee.players.seats import Query, View
from referee.randomness import key

PLAN = Plan(guesswhat.Rules(max_turns=5, beliefs=True))


@pytest.fixture(scope="module")
def games() -> list[GuessWhat]:
    scenes = [make_scene(number, key("replay", number)).scene for number in range(20)]
    as_read = [replace(s, width=float(s.width), height=float(s.height)) for s in scenes]
    return [GuessWhat(scene.id, scene, scene.things[-1].id) for scene in as_read]


@pytest.fixture
def run(tmp_path: Path, games: list[GuessWhat]) -> Path:
    seats = {
        "questioner": "scripted:people",
        "oracle": "scripted:noisy-oracle",
        "guesser": "scripted:bayes-guesser",
    }
    for _ in play_into(tmp_path / "run", games, seats, PLAN, files={}):
        pass
    return tmp_path / "run"


def everybody(player: object) -> dict[str, object]:
    return dict.fromkeys(("questioner", "oracle", "guesser"), player)


def events(transcripts: Iterable[Transcript]) -> list[object]:
    return [replace(event, cost=None) for t in transcripts for event in t.events]


def test_a_replayed_run_is_the_run(run: Path, games: list[GuessWhat], tmp_path: Path) -> None:
    """One player in every seat; the copy has the same bytes."""
    for _ in play_into(tmp_path / "again", games, everybody(f"replay:{run}"), PLAN, files={}):
        pass
    first, second = (folder / "transcripts.jsonl" for folder in (run, tmp_path / "again"))
    assert first.read_bytes() == second.read_bytes()


def human(game: GuessWhat, status: str = "success") -> Transcript:
    said = (Ask("is it a dog?", "1"), Answer("No"), Ask("is it red?", "2"), Answer("N/A"))
    return Transcript(game, said, "success" if status == "success" else "failure")


@pytest.fixture
def people(tmp_path: Path, games: list[GuessWhat]) -> Path:
    """A GuessWhat?! file with the same dialogue on every game; the last one failed."""
    path = tmp_path / "people.jsonl.gz"
    write(path, [*map(human, games[:-1]), human(games[-1], "failure")])
    return path


def test_human_dialogues_are_replayed_to_their_guess(people: Path, games: list[GuessWhat]) -> None:
    """A game file holds no guess; where the status is success it was the target."""
    plan = Plan(guesswhat.Rules(max_turns=None))
    for transcript in play(games[:-1], everybody(f"replay:{people}"), plan):
        assert [turn.answer for turn in transcript.turns] == ["No", "N/A"]
        assert transcript.status == "success"


def test_a_wrong_guess_that_nobody_wrote_down_is_not_made_up(
    people: Path, games: list[GuessWhat]
) -> None:
    with pytest.raises(SeatError, match="neither a guess nor a last belief is recorded"):
        list(play(games, everybody(f"replay:{people}"), Plan(guesswhat.Rules(None))))


def test_beliefs_that_nobody_wrote_down_are_not_made_up(
    people: Path, run: Path, games: list[GuessWhat]
) -> None:
    assert not Replay(str(people)).beliefs
    assert Replay(str(run)).beliefs
    with pytest.raises(SeatError, match=r"after turn 1 is not recorded .play with --no-beliefs"):
        list(play(games, everybody(f"replay:{people}"), PLAN))


def test_human_questions_go_to_another_oracle(people: Path, games: list[GuessWhat]) -> None:
    seats = {
        "questioner": f"replay:{people}",
        "oracle": "scripted:perfect-oracle",
        "guesser": "scripted:bayes-guesser",
    }
    for transcript in play(games, seats, PLAN):
        assert [turn.question for turn in transcript.turns] == ["is it a dog?", "is it red?"]


def test_games_without_a_dialogue_are_named(run: Path, games: list[GuessWhat]) -> None:
    others = [replace(game, id=f"new {game.id}") for game in games]
    with pytest.raises(SeatError, match=r"has no dialogue for game new 0, .*, new 4 and 15 more"):
        list(play(others, everybody(f"replay:{run}"), PLAN))


def test_the_oracle_answers_what_was_asked_about_the_target_only(
    run: Path, games: list[GuessWhat]
) -> None:
    game = games[0]
    player = Replay(str(run))
    question = player.ask([View(game.id, 1, (), game.scene)])[0]
    assert question is not None
    right = Query(game.id, 1, game.scene, game.target_index, question)
    assert player.answer([right]).sum() == pytest.approx(1)
    with pytest.raises(SeatError, match="what would have been said of thing 1 is not recorded"):
        player.answer([replace(right, thing=0)])
    with pytest.raises(SeatError, match=r"'is it nice.' was asked; recorded is '"):
        player.answer([replace(right, question="is it nice?")])


def test_a_looper_file_finds_its_games_by_image_and_target(
    tmp_path: Path, games: list[GuessWhat]
) -> None:
    """The looper numbers its games anew; `games` gives them their ids back."""
    path, source = tmp_path / "looper.jsonl", tmp_path / "games.jsonl"
    write(source, map(Transcript, games))
    row = games[7]
    line = {
        "id": 0,
        "qas": [{"question": "is it blue ?", "answer": "Yes", "id": 0, "p": _shares(row.scene)}],
        "image": {"id": int(row.scene.id), "width": 320, "height": 240, "coco_url": ""},
        "objects": [
            {
                "id": int(thing.id),
                "category": thing.category,
                "category_id": thing.category_id,
                "bbox": [thing.box.x, thing.box.y, thing.box.width, thing.box.height],
                "area": thing.area,
                "segment": [],
            }
            for thing in row.scene.things
        ],
        "object_id": int(row.target),
        "guess_object_id": int(row.target),
        "status": "success",
    }
    path.write_text(json.dumps(line) + "\n")
    player = resolve(f"replay:{path}?games={source}")
    (transcript,) = play([row], everybody(player), Plan(guesswhat.Rules(1, beliefs=True)))
    assert [turn.question for turn in transcript.turns] == ["is it blue ?"]
    assert transcript.status == "success"


def _shares(scene: Scene) -> list[str]:
    return [f"{1 / len(scene.things):.3f}"] * len(scene.things)


def test_two_dialogues_of_one_game_are_refused(run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    line = (run / "transcripts.jsonl").read_bytes().splitlines(keepends=True)[0]
    (copy / "transcripts.jsonl").write_bytes(line * 2)
    with pytest.raises(UsageError, match="holds two dialogues of game 0"):
        Replay(str(copy))


def test_the_version_is_the_content(run: Path, people: Path) -> None:
    versions = {resolve(f"replay:{path}").version for path in (run, people)}
    assert len(versions) == 2
    assert all(version.startswith("sha256:") for version in versions)
