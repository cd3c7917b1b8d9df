"""The networks of the papers have the published numbers of parameters, and the tiny ones are small."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn

from referee.players.neural import presets
from referee.players.neural.guesser import GUESSERS, make, parameters
from referee.players.neural.oracle import GDSE_ORACLE, Oracle, OracleConfig
from referee.players.neural.qgen import QGen, QGenConfig

GDSE_WORDS = 4901
"""The entries of GDSE's vocabulary."""
UNKNOWN = 256
"""The vector of what COCO does not name, which the published tables lack."""


@pytest.mark.parametrize(("encoder", "millions"), [("lstm", 5.03), ("vlstm", 10.95)])
def test_the_guessers_have_the_published_sizes(encoder: str, millions: float) -> None:
    """Greco et al. print 5.03 M for the LSTM guesser and 10.95 M for the V-LSTM with its decider."""
    with torch.device("meta"):
        model = make(GUESSERS[encoder], GDSE_WORDS)
    assert round((parameters(model) - UNKNOWN) / 1e6, 2) == millions


def test_the_lstm_guesser_by_hand() -> None:
    """Word vectors, four gates, category vectors, and two layers over a candidate."""
    gates = 4 * (512 * 512 + 512 * 512 + 2 * 512)
    candidate = 91 * 256 + (264 * 512 + 512) + (512 * 512 + 512)
    with torch.device("meta"):
        model = make(GUESSERS["lstm"], GDSE_WORDS)
    assert parameters(model) == GDSE_WORDS * 512 + gates + candidate + UNKNOWN


def widths(model: nn.Module) -> list[tuple[int, int]]:
    return [
        (it.in_features, it.out_features) for it in model.modules() if isinstance(it, nn.Linear)
    ]


def test_the_oracles_have_the_published_layers() -> None:
    """1032-512-3 in the code of de Vries et al., 1032-1024-128-3 in GDSE's; both read 300 into 512."""
    with torch.device("meta"):
        devries, gdse = (Oracle(config, GDSE_WORDS) for config in (OracleConfig(), GDSE_ORACLE))
    assert widths(devries) == [(1032, 512), (512, 3)]
    assert widths(gdse) == [(1032, 1024), (1024, 128), (128, 3)]
    for model in (devries, gdse):
        assert model.text.lstm.input_size == 300
        assert model.text.lstm.hidden_size == 512
        assert model.categories is not None
        assert model.categories.weight.shape == (92, 512)


def test_the_qgen_has_the_published_layers() -> None:
    """Word vectors of 512 and 512 of the image enter 1,024; the image is 1,000 numbers, without ReLU."""
    with torch.device("meta"):
        model = QGen(QGenConfig(), GDSE_WORDS)
    assert model.words.weight.shape == (GDSE_WORDS, 512)
    assert widths(model) == [(1000, 512), (1024, GDSE_WORDS)]
    assert (model.lstm.input_size, model.lstm.hidden_size) == (1024, 1024)


def test_the_published_schedules() -> None:
    """Adam at 1e-4; REINFORCE's plain descent at 1e-3, each variable's gradient at most 5 long."""
    oracle, gdse = presets.oracle("paper").plan, presets.oracle("paper", "gdse").plan
    assert (oracle.rate, oracle.batch, oracle.epochs) == (1e-4, 64, 20)
    assert (gdse.rate, gdse.batch, gdse.epochs) == (1e-4, 1024, 16)
    guesser, qgen = presets.guesser("paper").plan, presets.qgen("paper").plan
    assert (guesser.rate, guesser.batch, guesser.epochs) == (1e-4, 64, 20)
    assert (qgen.rate, qgen.batch, qgen.epochs) == (1e-4, 32, 30)
    learning = presets.rl("paper")
    assert (learning.plan.rate, learning.plan.batch, learning.plan.epochs) == (1e-3, 64, 80)
    assert (learning.plan.clip, learning.plan.clip_each) == (5.0, True)
    policy = learning.config
    assert (policy.questions, policy.words, policy.baseline) == (5, 12, 100)
    assert (policy.reward, policy.baseline_weight) == ("success", 1.0)


def test_the_tiny_models_fit_the_package_many_times() -> None:
    """With Iconworld's few hundred words each is below half a megabyte but the QGen, which is below one."""
    words = 400
    small = {
        "oracle": Oracle(presets.oracle("tiny").config, words),
        "lstm": make(presets.guesser("tiny").config, words),
        "tracking": make(presets.guesser("tiny", "tracking").config, words),
        "qgen": QGen(replace(presets.qgen("tiny").config, baseline=100), words),
    }
    sizes = {name: 4 * parameters(model) for name, model in small.items()}
    assert max(size for name, size in sizes.items() if name != "qgen") < 500_000
    assert sizes["qgen"] < 1_000_000
