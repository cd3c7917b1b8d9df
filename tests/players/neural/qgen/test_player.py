"""DeVries in its seats, and the guesser that its checkpoint names or holds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from referee.arena import Plan, play
from referee.datasets import features
from referee.errors import DataError, MissingPlayer, SeatError, UsageError
from referee.games import Turn
from referee.games.guesswhat import Rules
from referee.players import neural
from referee.players.neural import checkpoint, companions, qgen_player
from referee.players.neural.checkpoint import described
from referee.players.resolve import resolve, seat
from referee.players.seats import View


@pytest.fixture(scope="module")
def models(world: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A QGen that takes its guesser along, one that does not, an oracle and two guessers."""
    folder = tmp_path_factory.mktemp("models")
    ids = [game.scene.id for game in world.games]
    rows = world.pictures.of(ids, ids).numpy()
    features.write_devries(folder / "f.h5", list(map(int, ids)), rows)
    for seed, name in enumerate(("guesser", "other")):
        guesser = world.guesser(seed)
        save(folder / name, "guesser", guesser, world)
    save(folder / "oracle", "oracle", world.oracle(), world)
    save(folder / "alone", "qgen", world.qgen(), world)
    along = checkpoint.load(folder / "guesser")
    companions.keep(along, folder / "devries")
    save(folder / "devries", "qgen", world.qgen(), world, companions.companion(along))
    return folder


def save(out: Path, kind: str, model: Any, world: Any, along: Any = None) -> None:
    told = described(kind, model.config, world.vocabulary)
    checkpoint.save(out, model, replace(told, along))


def replace(told: Any, along: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(told, guesser=along)


def name(models: Path, which: str, **more: str) -> str:
    settings = {"features": f"{models}/f.h5", **more}
    return f"neural:{models}/{which}?" + "&".join(f"{key}={it}" for key, it in settings.items())


def views(world: Any) -> list[View]:
    said = (Turn("is it a dog on the left ?", "Yes"), Turn("a big bus ?", "No"))
    return [
        View(game.id, 7, said[: number % 3], game.scene)
        for number, game in enumerate(world.games[:9])
    ]


def test_one_name_asks_and_guesses(world: Any, models: Path) -> None:
    """Its games are those of the QGen and the guesser in seats of their own."""
    whole = seat({"questioner": name(models, "devries"), "guesser": name(models, "devries")})
    apart = seat({"questioner": name(models, "alone"), "guesser": f"neural:{models}/guesser"})
    oracle = {"oracle": f"neural:{models}/oracle"}
    told = [
        [
            (game.turns, game.guess)
            for game in play(world.games, {**seats, **oracle}, Plan(Rules(4)))
        ]
        for seats in (whole, apart)
    ]
    assert told[0] == told[1]


def test_a_questioner_by_itself_does_not_guess(models: Path) -> None:
    with pytest.raises(SeatError, match="cannot be the guesser: it has no believe"):
        seat({"guesser": name(models, "alone")})
    with pytest.raises(SeatError, match="cannot be the guesser"):
        seat({"guesser": name(models, "devries", guesser="none")})


def test_another_guesser_may_be_asked_for(world: Any, models: Path) -> None:
    """By its folder; the version says which."""
    own = resolve(name(models, "devries"))
    other = resolve(name(models, "devries", guesser=f"{models}/other"))
    assert own.who.version != other.who.version
    assert own.who.version.startswith("weights sha256:")
    assert " guesser weights sha256:" in own.who.version
    beliefs = [player.who.believe(views(world)) for player in (own, other)]
    assert beliefs[0] != beliefs[1]
    plain = resolve(f"neural:{models}/other").who.believe(views(world))
    assert beliefs[1] == plain


def test_the_state_is_the_lstm_s_after_the_last_answer(world: Any, models: Path) -> None:
    """Word after word from <start> on; in any batch."""
    model = world.qgen().eval()
    player = resolve(name(models, "devries")).who
    found = player.state(views(world))
    assert found.shape == (9, model.config.hidden)
    assert found.dtype == np.float32
    for row, view in zip(found, views(world), strict=True):
        assert view.scene is not None
        seen = world.pictures.of([view.scene.id], [view.game])
        visual, state = model.image(seen), None
        with torch.no_grad():
            for word in _heard(view, world):
                entering = torch.cat([model.words(torch.tensor([[word]])), visual[:, None]], dim=2)
                out, state = model.lstm(entering, state)
        np.testing.assert_allclose(row, out[0, 0].numpy(), atol=1e-6)
    small = resolve(name(models, "devries", batch="2")).who
    np.testing.assert_allclose(small.state(views(world)), found, atol=1e-6)
    assert player.state([]).shape == (0, model.config.hidden)


def _heard(view: View, world: Any) -> list[int]:
    from referee.players.neural.batches import heard

    return heard(view.turns, world.vocabulary, view.game).words(end=False)


def test_the_folder_can_be_moved(world: Any, models: Path, tmp_path: Path) -> None:
    """The guesser goes with it."""
    shutil.copytree(models / "devries", tmp_path / "moved")
    moved = resolve(f"neural:{tmp_path}/moved?features={models}/f.h5").who
    assert moved.believe(views(world)) == resolve(name(models, "devries")).who.believe(views(world))


def test_a_guesser_that_was_exchanged_is_refused(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models / "devries", tmp_path / "moved")
    shutil.rmtree(tmp_path / "moved/guesser")
    shutil.copytree(models / "other", tmp_path / "moved/guesser")
    with pytest.raises(DataError, match=r"has other weights .* than the guesser that .*moved was"):
        resolve(f"neural:{tmp_path}/moved?features={models}/f.h5")


def test_a_guesser_that_ships_is_named_and_not_stored_twice(
    world: Any, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `neural:devries-sl` and `neural:devries-rl` name `neural:guesser`."""
    shutil.copytree(models / "guesser", tmp_path / "weights/guesser")
    monkeypatch.setattr(neural, "WEIGHTS", tmp_path / "weights")
    shipped = companions.find("guesser")
    told = companions.companion(shipped)
    assert told.name == "guesser"
    out = tmp_path / "weights/devries-sl"
    companions.keep(shipped, out)
    save(out, "qgen", world.qgen(), world, told)
    assert {path.name for path in out.iterdir()} == {"model.json", "model.safetensors"}
    player = resolve(f"neural:devries-sl?features={models}/f.h5").who
    assert player.believe(views(world)) == resolve("neural:guesser").who.believe(views(world))


def test_what_is_no_guesser_is_refused(models: Path) -> None:
    with pytest.raises(DataError, match="is a oracle"):
        resolve(name(models, "devries", guesser=f"{models}/oracle"))
    with pytest.raises(MissingPlayer, match="neural:nobody: no such player"):
        resolve(name(models, "devries", guesser="nobody"))


def test_a_qgen_needs_its_features(models: Path) -> None:
    with pytest.raises(UsageError, match="reads image features of 4 numbers: give features=F"):
        resolve(f"neural:{models}/devries")


def test_another_kind_of_checkpoint_is_refused(models: Path) -> None:
    with pytest.raises(DataError, match=r"is a guesser .expected qgen"):
        qgen_player.load(checkpoint.load(models / "guesser"))
