"""Things of categories that COCO has not: a row of their own, never the padding's, and never masked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch

from referee.annotate.zero_shot import Sources, make, write
from referee.cli import main
from referee.datasets import guesswhat
from referee.datasets.iconworld.making import make as make_world
from referee.datasets.iconworld.world import Plan
from referee.evaluations import sources
from referee.games import GuessWhat
from referee.players.neural.batches import Categories, Heard, objects, seen
from referee.players.neural.guesser import GUESSERS
from referee.players.neural.guesser import make as make_guesser
from referee.players.neural.vocabulary import PADDING

RELEASED = "compguesswhat/compguesswhat-zero_shot/0.2.0/compguesswhat.{}.jsonl.gz"
TINY = replace(GUESSERS["lstm"], word=8, hidden=8, state=8, category=4, object=8)
TELLING = Heard((([5, 6], 7),))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zero-shot") / "world"
    plan = Plan(games=40, zero_shot=4, dialogues=0, pools=0, seed=1)
    make_world(folder, plan, ["guesswhat", "zero-shot"])
    return folder


@pytest.fixture(scope="module")
def games(world: Path) -> dict[str, list[GuessWhat]]:
    """The zero-shot games that are made of Iconworld's boxes, by split."""
    nocaps, folder = world / "nocaps", world / "made"
    lists = (nocaps / f"nocaps_{split}_image_info.json" for split in ("val", "test"))
    made = make(Sources((nocaps / "boxes.csv",), nocaps / "class-descriptions-boxable.csv", *lists))
    return {
        split: list(guesswhat.games(folder / f"compguesswhat.{split}.jsonl.gz"))
        for split in write(folder, made)
    }


def test_an_unseen_category_has_a_row_that_is_not_the_padding(
    games: dict[str, list[GuessWhat]],
) -> None:
    """All of an out-of-domain scene's things share it, and no COCO category has it."""
    known = Categories()
    for game in games["od_valid"]:
        rows = seen(game.scene, known, game.id).categories.tolist()
        assert set(rows) == {known.unknown}
    assert PADDING < known.most < known.unknown < known.rows
    mixed = {
        row for game in games["nd_valid"] for row in seen(game.scene, known, game.id).categories
    }
    assert known.unknown in mixed
    assert len(mixed) > 1
    assert PADDING not in mixed


@pytest.mark.parametrize("encoder", ["lstm", "tracking"])
def test_the_belief_in_unseen_things_is_not_masked(
    games: dict[str, list[GuessWhat]], encoder: Literal["lstm", "tracking"]
) -> None:
    """Each has a share, the padding beside them has none, and their row of the table is heard and learns."""
    torch.manual_seed(1)
    config = replace(TINY, encoder=encoder)
    model = make_guesser(config, 20)
    chosen = [*games["od_test"], *games["nd_test"]]
    shown = objects([seen(game.scene, config.categories, game.id) for game in chosen])
    assert not shown.mask.all()
    believed = model([TELLING] * len(chosen), shown)
    for row, game in zip(believed.exp(), chosen, strict=True):
        share, padding = row[: len(game.scene.things)], row[len(game.scene.things) :]
        assert (share > 0).all()
        assert share.sum().item() == pytest.approx(1, abs=1e-5)
        assert (padding == 0).all()
    (table,) = (
        m for m in model.modules() if isinstance(m, torch.nn.Embedding) and m.num_embeddings == 92
    )
    targets = torch.tensor([game.target_index for game in chosen])
    model.cost([TELLING] * len(chosen), shown, targets).sum().backward()  # type: ignore[no-untyped-call]
    assert table.weight.grad is not None
    assert table.weight.grad[config.categories.unknown].abs().sum() > 0
    assert table.weight.grad[PADDING].abs().sum() == 0


def test_a_network_that_learned_of_coco_alone_plays_zero_shot_games(
    world: Path, games: dict[str, list[GuessWhat]], shared: Path, tmp_path: Path
) -> None:
    """Made ones and released ones, from the command line; every candidate is believed in."""
    learn = ["--games", str(world / "guesswhat.train.jsonl.gz"), "--device", "cpu", "--epochs", "1"]
    learn += ["--valid", str(world / "guesswhat.valid.jsonl.gz")]
    for kind in ("guesser", "oracle"):
        assert main(["train", kind, *learn, "--out", str(tmp_path / kind)]) == 0
    for split, count in (("nd_valid", len(games["nd_valid"])), ("od_test", len(games["od_test"]))):
        for name, path, held in (
            ("made", world / "made" / f"compguesswhat.{split}.jsonl.gz", count),
            ("released", shared / RELEASED.format(split), 6),
        ):
            out = tmp_path / name / split
            seats = ["--questioner", "scripted:people", "--oracle", f"neural:{tmp_path / 'oracle'}"]
            seats += ["--guesser", f"neural:{tmp_path / 'guesser'}", "--max-turns", "3"]
            assert main(["play", "guesswhat", "--games", str(path), *seats, "--out", str(out)]) == 0
            played = list(sources.transcripts(out, None, None))
            assert len(played) == held
            beliefs = [turn.belief for each in played for turn in each.turns if turn.belief]
            assert beliefs
            for belief in beliefs:
                assert min(belief.probabilities) > 0
                assert sum(belief.probabilities) == pytest.approx(1, abs=1e-4)
