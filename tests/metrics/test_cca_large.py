"""CCA on as many pairs as Sigma makes of all of VisDial's training rounds."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PAIRS = 10_419_489
QUESTIONS, ANSWERS = 376_000, 337_000
GIGABYTE = 1 << 30

WORK = f"""
import json
import numpy as np
from referee.metrics.cca import fit, moments

rng = np.random.default_rng(0)
answers = rng.standard_normal(({ANSWERS}, 300), np.float32)
questions = rng.standard_normal(({QUESTIONS}, 300), np.float32)
which = rng.integers(0, {QUESTIONS}, {PAIRS}, dtype=np.int32)
# Answers to the same question stand near one another, and some answers are very frequent.
said = (which // 2 + rng.integers(0, 40, {PAIRS}, dtype=np.int32)) % {ANSWERS}
said[::10] = 7
found = fit(moments([answers, questions], [said, which]))
status = open("/proc/self/status").read()
peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
print(json.dumps([peak, len(found.eigenvalues), found.eigenvalues[0]]))
"""


@pytest.mark.slow
def test_ten_million_pairs_fit_in_two_gigabytes_embeddings_included() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], check=True, capture_output=True, text=True)
    peak, directions, largest = json.loads(done.stdout)
    assert directions == 300
    assert 1 < largest < 2
    assert peak < 2 * GIGABYTE
