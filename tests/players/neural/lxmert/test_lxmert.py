"""LXMERT's guesser: the published size, raw text as pieces, regions with corners, and that it learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec import structs

from referee.datasets.features import RegionBatch, write_regions
from referee.errors import DataError, SeatError, UsageError
from referee.games import Answer, Ask, Box, Event, GuessWhat, Scene, Thing, Transcript
from referee.players import neural
from referee.players.neural.batches import heard, objects, seen
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.guesser import parameters
from referee.players.neural.guesser_player import NeuralGuesser
from referee.players.neural.lxmert import LxmertConfig, LxmertGuesser
from referee.players.neural.lxmert_learning import LxmertTask
from referee.players.neural.lxmert_regions import CornerRegions, corner_regions
from referee.players.neural.pieces import WordPieces
from referee.players.neural.training import Plan, Run, train
from referee.players.seats import View
from referee.randomness import Stream, key

pytest.importorskip("transformers", reason="the extra 'neural' is not installed")

KINDS = {"dog": 18, "cat": 17, "bus": 6, "cup": 47}
SMALL = LxmertConfig(
    hidden=16, heads=2, inner=32, language=1, vision=1, cross=1, region=5, state=16, category=8,
    object=16, dropout=0.0,
)  # fmt: skip


def played(number: int) -> Played:
    """Three things of different kinds; people ask for the kind of the target."""
    stream = Stream(key("lxmert", number))
    kinds = stream.sample(sorted(KINDS), 3)
    things = tuple(
        Thing(f"{number}{place}", kind, KINDS[kind], Box(60.0 * place, 40, 50, 50))
        for place, kind in enumerate(kinds)
    )
    target = stream.below(3)
    events: list[Event] = [Ask(f"Is it a {kinds[target]}?"), Answer("Yes")]
    game = GuessWhat(f"g{number}", Scene(str(number), 200, 100, things), things[target].id)
    return Played(game, Transcript(game, tuple(events), "success"))


GAMES = tuple(map(played, range(160)))
DATA = Examples(GAMES[:120], GAMES[120:])
PIECES = WordPieces.counted(t.question for each in GAMES for t in each.transcript.turns)


@pytest.fixture(scope="module")
def regions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four regions an image, of five numbers that say nothing."""
    path = tmp_path_factory.mktemp("regions") / "r.npy"
    random = np.random.default_rng(3)
    corners = np.tile(np.array([[20, 10, 120, 60]], np.float32), (len(GAMES), 4, 1))
    batch = RegionBatch(
        random.random((len(GAMES), 4, 5), np.float32),
        corners,
        np.tile(np.array([[200, 100]]), (len(GAMES), 1)),
    )
    ids = [each.game.scene.id for each in GAMES]
    write_regions(path, path.with_name("r_boxes.npy"), path.with_suffix(".json"), ids, batch)
    return path


def test_the_published_size() -> None:
    """208.9 M parameters with BERT's 30,522 pieces and the decider (ours: 256 more, a category)."""
    pieces = WordPieces((*PIECES.words, *(f"w{n}" for n in range(30_522 - len(PIECES)))))
    with torch.device("meta"):
        model = LxmertGuesser(LxmertConfig(decider=True), pieces)
    assert round(parameters(model) / 1e6, 1) == 208.9


def test_texts_are_cut_as_bert_does() -> None:
    pieces = WordPieces(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "yes", "no", "n", "/", "a", "is",
                         "it", "red", "##dish", "?"))  # fmt: skip
    words = [pieces.words[number] for number in pieces.question("Is it Reddish?")]
    assert words == ["is", "it", "red", "##dish", "?"]
    assert [[pieces.words[n] for n in row] for row in pieces.marks.values()] == [
        ["yes"],
        ["no"],
        ["n", "/", "a"],
    ]
    assert pieces.question("ж") == [1]
    with pytest.raises(DataError, match="lacks"):
        WordPieces(("yes", "no"))


def batch(games: tuple[Played, ...], config: LxmertConfig) -> tuple[list[object], object]:
    told = [heard(each.transcript.turns, PIECES, each.game.id) for each in games]
    return told, objects([seen(each.game.scene, config.categories, "g") for each in games])  # type: ignore[return-value]


def test_a_belief_does_not_depend_on_the_company(regions: Path) -> None:
    """Padding of words and of candidates says nothing; a dialogue of no turns has a belief too."""
    model = fresh(1, lambda: LxmertGuesser(SMALL, PIECES)).eval()
    silent = Played(GAMES[2].game, structs.replace(GAMES[2].transcript, events=()))
    longer = GAMES[1].transcript
    twice = Played(GAMES[1].game, structs.replace(longer, events=longer.events * 2))
    games = (GAMES[0], twice, silent)
    images = CornerRegions(str(regions)).of([each.game.scene.id for each in games], ["g"] * 3)
    told, candidates = batch(games, SMALL)
    with torch.no_grad():
        together = model(told, candidates, images)
        for row, each in enumerate(games):
            one, its = batch((each,), SMALL)
            alone = model(one, its, images[row : row + 1])
            torch.testing.assert_close(together[row : row + 1, : alone.shape[1]], alone)
    assert float(together.exp().sum(1).min()) == pytest.approx(1, abs=1e-5)


def test_corners_are_shares_of_the_picture(regions: Path) -> None:
    found = CornerRegions(str(regions)).of(["3"], ["g3"])
    assert found.shape == (1, 4, 9)
    assert found[0, 0, -4:].tolist() == pytest.approx([0.1, 0.1, 0.6, 0.6])


def test_a_long_dialogue_loses_its_first_pieces() -> None:
    model = LxmertGuesser(replace(SMALL, longest=7), PIECES)
    told = heard(GAMES[0].transcript.turns * 3, PIECES, "g")
    row = model._row(told)
    assert len(row) == 7
    words = [PIECES.words[number] for number in row]
    assert (words[0], words[-1], words[-2]) == ("[CLS]", "[SEP]", "yes")


def test_it_learns_and_guesses_in_its_seat(regions: Path, tmp_path: Path) -> None:
    """Far above chance after some epochs; the checkpoint is the player, and the rate rises and falls."""
    model = fresh(1, lambda: LxmertGuesser(SMALL, PIECES))
    task = LxmertTask(model, PIECES, DATA, CornerRegions(str(regions)))
    plan = Plan(epochs=20, batch=16, rate=5e-3, clip=5.0)
    assert task.rate_at(plan, 0, 0.0) == 0
    assert task.rate_at(plan, 2, 0.0) == plan.rate
    assert task.rate_at(plan, 11, 0.0) == pytest.approx(plan.rate / 2)
    run = Run(tmp_path / "m", described("lxmert", SMALL, PIECES), device="cpu", devices=1)
    state = train(task, plan, run)
    error = state.history[state.best].figures["error"]
    assert error < 0.3
    player = neural.build(f"{tmp_path / 'm'}", {"features": str(regions)})
    assert isinstance(player, NeuralGuesser)
    views = [View(each.game.id, 0, each.transcript.turns, each.game.scene) for each in DATA.valid]
    wrong = [
        max(range(3), key=belief.probabilities.__getitem__) != each.game.target_index
        for belief, each in zip(player.believe(views), DATA.valid, strict=True)
    ]
    assert sum(wrong) / len(wrong) == pytest.approx(error)
    assert player.state(views[:2]).shape == (2, SMALL.state)
    elsewhere = View("g9", 0, (), structs.replace(GAMES[0].game.scene, id="999"))
    with pytest.raises(DataError, match="game g9 needs the regions of 999"):
        player.believe([elsewhere])


def test_weights_come_from_a_folder(tmp_path: Path) -> None:
    """The published ones are read so, from a folder or the hub."""
    other = fresh(9, lambda: LxmertGuesser(SMALL, PIECES))
    other.lxmert.save_pretrained(tmp_path / "w")
    model = fresh(1, lambda: LxmertGuesser(SMALL, PIECES))
    model.start_from(str(tmp_path / "w"))
    for name, tensor in other.lxmert.state_dict().items():
        torch.testing.assert_close(model.lxmert.state_dict()[name], tensor)
    larger = LxmertGuesser(replace(SMALL, region=6), PIECES)
    with pytest.raises(DataError, match="has"):
        larger.start_from(str(tmp_path / "w"))
    with pytest.raises(DataError, match="cannot be read"):
        model.start_from(str(tmp_path / "nothing"))


def test_what_it_cannot_see_is_said(regions: Path, tmp_path: Path) -> None:
    model = LxmertGuesser(SMALL, PIECES)
    told, candidates = batch(GAMES[:1], SMALL)
    with pytest.raises(SeatError, match="regions"):
        model(told, candidates)
    with pytest.raises(UsageError, match="features=F"):
        corner_regions("", 5, "neural:x")
    with pytest.raises(DataError, match="regions of 5 numbers"):
        corner_regions(str(regions), 6, "neural:x")
    np.save(tmp_path / "bare.npy", np.zeros((1, 2, 3), np.float32))
    with pytest.raises(DataError, match="no boxes beside it"):
        CornerRegions(str(tmp_path / "bare.npy"))
