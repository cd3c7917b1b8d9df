"""The run folder: nothing is overwritten, nothing is lost, and what is written is the same everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from referee.arena import Plan, play, play_into
from referee.arena.run import CLOCK, MANIFEST, SUMMARY, TRANSCRIPTS, manifest, read, summary
from referee.errors import DataError, SeatError, UsageError
from referee.games import Belief, Cost, GuessWhat, Transcript, VisDial, guesswhat, visdial
from referee.players.seats import Look, Said, View

PLAN = Plan(guesswhat.Rules(max_turns=4, beliefs=True))

Seats = dict[str, str | object]


def run(
    folder: Path,
    games: Iterable[GuessWhat],
    seats: Seats,
    plan: Plan = PLAN,
    files: Mapping[str, Path] | None = None,
    **options: Any,
) -> bytes:
    for _ in play_into(folder, games, seats, plan, files=files or {}, **options):
        pass
    return (folder / TRANSCRIPTS).read_bytes()


@pytest.fixture
def whole(tmp_path: Path, games: list[GuessWhat], seats: Seats) -> Path:
    """A run of sixty games that nothing interrupted."""
    run(tmp_path / "whole", games, seats)
    return tmp_path / "whole"


def test_what_is_read_back_is_what_was_played(
    whole: Path, games: list[GuessWhat], seats: Seats
) -> None:
    played = list(play(games, seats, PLAN))
    assert [without_costs(transcript) for transcript in read(whole)] == played


def without_costs(transcript: Transcript) -> Transcript:
    return replace(transcript, events=tuple(replace(e, cost=None) for e in transcript.events))


def test_the_manifest_says_what_made_the_run(
    tmp_path: Path, games: list[GuessWhat], seats: Seats, file: Path
) -> None:
    run(tmp_path / "run", games, seats, files={"games": file}, arguments={"limit": None})
    made = manifest(tmp_path / "run")
    assert (made.game, made.seed, made.arguments["max_turns"]) == ("guesswhat", 0, 4)
    assert made.data["games"].bytes == file.stat().st_size
    assert [sitting.seat for sitting in made.seats] == ["questioner", "oracle", "guesser"]
    assert made.seats[1].settings == {"accuracy": 0.9}
    assert made.packages["msgspec"]
    assert summary(tmp_path / "run") is not None


def test_the_transcripts_hold_no_time(
    tmp_path: Path, whole: Path, games: list[GuessWhat], seats: Seats
) -> None:
    """Played again later, in another folder and batch, the bytes are the same."""
    assert run(tmp_path / "again", games, seats, batch=3) == (whole / TRANSCRIPTS).read_bytes()


def test_every_event_that_a_player_made_has_its_time(whole: Path) -> None:
    for transcript in read(whole):
        *events, guess = transcript.events
        assert all(event.cost and event.cost.started > 1.7e9 for event in events)
        # The guess is made from the last belief: nobody was asked for it, unless nothing was said.
        assert (guess.cost is None) == bool(transcript.turns)


def test_what_a_player_says_of_its_costs_is_kept(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    class Dear:
        def believe(self, views: Sequence[View]) -> list[Belief]:
            self.count = len(views)
            return [Belief((1 / len(v.candidates),) * len(v.candidates)) for v in views]

        def spent(self) -> list[Cost]:
            return [Cost(tokens_in=7, tokens_out=2, dollars=0.25, parse_failures=1)] * self.count

    run(tmp_path / "run", games, {**seats, "guesser": Dear()})
    cost = next(read(tmp_path / "run")).events[2].cost
    assert cost is not None
    assert (cost.tokens_in, cost.tokens_out, cost.dollars, cost.parse_failures) == (7, 2, 0.25, 1)
    assert cost.started > 1.7e9


@pytest.mark.parametrize("cut", range(0, 100, 5))
def test_a_run_cut_off_anywhere_is_continued_to_the_same_end(
    tmp_path: Path, whole: Path, games: list[GuessWhat], seats: Seats, cut: int
) -> None:
    """Both files may end in the middle of a line, and either may be ahead of the other."""
    torn = tmp_path / "torn"
    shutil.copytree(whole, torn)
    (torn / SUMMARY).unlink()
    for name, share in ((TRANSCRIPTS, cut), (CLOCK, (cut * 37) % 100)):
        data = (whole / name).read_bytes()
        (torn / name).write_bytes(data[: len(data) * share // 100 + cut % 7])
    assert run(torn, games, seats, batch=cut + 1) == (whole / TRANSCRIPTS).read_bytes()
    assert [len(t.events) for t in read(torn)] == [len(t.events) for t in read(whole)]
    assert summary(torn) == summary(whole)


def test_a_player_that_fails_leaves_the_games_before(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    """The failure is never stored as an answer, and once it is mended the run goes on."""

    class Guesser:
        def __init__(self) -> None:
            self.calls = 0

        def believe(self, views: Sequence[View]) -> list[Belief]:
            self.calls += 1
            if self.calls == 20:
                raise ConnectionError("no route")
            return [Belief((1 / len(v.candidates),) * len(v.candidates)) for v in views]

    with pytest.raises(SeatError, match="no route"):
        run(tmp_path / "run", games, {**seats, "guesser": Guesser()}, batch=5)
    kept = (tmp_path / "run" / TRANSCRIPTS).read_bytes()
    assert 0 < kept.count(b"\n") < 60
    mended = run(tmp_path / "run", games, {**seats, "guesser": Guesser()}, batch=50)
    assert mended.startswith(kept)
    assert mended == run(tmp_path / "other", games, {**seats, "guesser": Guesser()}, batch=50)


def test_a_finished_run_is_left_alone(whole: Path, games: list[GuessWhat], seats: Seats) -> None:
    before = {path.name: path.read_bytes() for path in whole.iterdir()}
    run(whole, games, seats)
    assert {path.name: path.read_bytes() for path in whole.iterdir()} == before


def test_another_run_is_refused_with_what_differs(
    whole: Path, games: list[GuessWhat], seats: Seats, file: Path
) -> None:
    before = (whole / TRANSCRIPTS).read_bytes()
    other: dict[str, dict[str, Any]] = {
        "seed was 0, is 1": {"plan": Plan(PLAN.rules, 1)},
        "argument max_turns was 4, is 5": {"plan": Plan(guesswhat.Rules(5, beliefs=True))},
        "data games was None, is": {"files": {"games": file}},
        "player oracle was .*accuracy=0.9, is .*accuracy=0.8": {
            "seats": {**seats, "oracle": "scripted:noisy-oracle?accuracy=0.8"}
        },
    }
    for reason, changes in other.items():
        with pytest.raises(UsageError, match=f"never overwritten: {reason}"):
            run(whole, games, **{"seats": seats, **changes})
    assert (whole / TRANSCRIPTS).read_bytes() == before


def test_a_run_without_a_game_may_be_begun_in_another_way(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    run(tmp_path, [], seats)
    assert summary(tmp_path) is not None
    run(tmp_path, games, seats, Plan(PLAN.rules, 5))
    assert manifest(tmp_path).seed == 5
    assert len(list(read(tmp_path))) == 60


def test_a_folder_of_something_else_is_refused(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(UsageError, match=r"holds thesis\.tex and is no run"):
        run(tmp_path, games, seats)
    with pytest.raises(UsageError, match="is a file"):
        run(tmp_path / "thesis.tex", games, seats)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_two_processes_do_not_write_one_run(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    going = play_into(tmp_path, games, seats, PLAN, files={}, batch=2)
    next(going)
    with pytest.raises(UsageError, match="being written by another process"):
        run(tmp_path, games, seats)
    going.close()  # type: ignore[attr-defined]


def test_a_kill_while_the_manifest_was_written_does_no_harm(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    (tmp_path / f"{MANIFEST}.part").write_text("{")
    (tmp_path / TRANSCRIPTS).touch()
    run(tmp_path, games, seats)
    assert len(list(read(tmp_path))) == 60


def test_a_run_that_still_goes_is_read_as_far_as_it_is(whole: Path) -> None:
    (whole / TRANSCRIPTS).write_bytes((whole / TRANSCRIPTS).read_bytes()[:-10])
    assert len(list(read(whole))) == 59


def test_a_damaged_line_is_named(whole: Path) -> None:
    lines = (whole / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    lines[4] = b'{"game": 3}\n'
    (whole / TRANSCRIPTS).write_bytes(b"".join(lines))
    with pytest.raises(DataError, match=r"transcripts\.jsonl, record 5"):
        list(read(whole))


def test_a_clock_of_another_run_is_refused(whole: Path) -> None:
    lines = (whole / CLOCK).read_bytes().splitlines(keepends=True)
    (whole / CLOCK).write_bytes(b"".join(lines[1:]))
    with pytest.raises(DataError, match=r"clock\.jsonl, record 1: tells of game 1"):
        list(read(whole))


def test_a_run_without_its_clock_is_read_without_times(whole: Path) -> None:
    (whole / CLOCK).unlink()
    assert all(event.cost is None for t in read(whole) for event in t.events)


def test_a_game_stays_though_its_times_are_lost(
    whole: Path, games: list[GuessWhat], seats: Seats
) -> None:
    """What was played may have cost money: it is not played again for the sake of its clock."""
    ticks = (whole / CLOCK).read_bytes().splitlines(keepends=True)
    (whole / CLOCK).write_bytes(b"".join(ticks[:20]) + ticks[20][:-5])
    (whole / SUMMARY).unlink()
    before = (whole / TRANSCRIPTS).read_bytes()
    assert run(whole, games, seats) == before
    timed = [transcript.events[0].cost is not None for transcript in read(whole)]
    assert timed == [True] * 20 + [False] * 40


def test_a_finished_run_that_lost_games_is_played_to_its_end_again(
    whole: Path, games: list[GuessWhat], seats: Seats
) -> None:
    before = (whole / TRANSCRIPTS).read_bytes()
    (whole / TRANSCRIPTS).write_bytes(before[: len(before) // 2])
    assert run(whole, games, seats) == before
    assert summary(whole) is not None


def test_no_run_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"manifest\.json: there is no such file"):
        list(read(tmp_path))


def test_texts_of_numpys_kind_are_texts(
    tmp_path: Path, games: list[GuessWhat], seats: Seats
) -> None:
    class Arrays:
        def ask(self, views: Sequence[View]) -> Any:
            return np.array(["is it a dog?"] * len(views))

    run(tmp_path / "run", games, {**seats, "questioner": Arrays()})
    assert next(read(tmp_path / "run")).turns[0].question == "is it a dog?"


def test_what_no_file_can_hold_is_an_error_of_the_seat(
    tmp_path: Path, dialogues: list[VisDial]
) -> None:
    class Garbled:
        def answer(self, looks: Sequence[Look], _: int) -> list[list[Said]]:
            return [[Said("\udcff")] for _ in looks]

    plan = Plan(visdial.Rules())
    with pytest.raises(SeatError, match=r"what cannot be written: .*surrogates not allowed"):
        for _ in play_into(tmp_path / "run", dialogues, {"answerer": Garbled()}, plan, files={}):
            pass
    assert (tmp_path / "run" / TRANSCRIPTS).read_bytes() == b""
