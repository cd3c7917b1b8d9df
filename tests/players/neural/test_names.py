"""A network's name leads to the folder of its weights, with the prefix or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import MissingPlayer, UsageError
from referee.players import neural
from referee.players.neural import companions, gameplay
from referee.players.neural.answering import Answers
from referee.players.resolve import resolve


def test_where_only_a_network_can_stand_the_prefix_may_be_written_or_not(tmp_path: Path) -> None:
    assert neural.folder("neural:oracle") == neural.folder("oracle") == neural.WEIGHTS / "oracle"
    assert neural.folder(f"neural:{tmp_path}") == neural.folder(str(tmp_path)) == tmp_path
    assert companions.find("neural:guesser").version == companions.find("guesser").version
    for name in ("neural:nobody", "nobody", "neural:", ""):
        with pytest.raises(
            MissingPlayer, match=rf"^neural:{name.removeprefix('neural:')}: no such"
        ):
            neural.folder(name)


def test_a_trained_oracle_answers_all_things_at_once_in_training_however_it_is_named() -> None:
    """As a player it would be asked about each thing by itself; the digest is the same."""
    for name in ("oracle", "neural:oracle"):
        answering, told = gameplay.oracle(name, None)
        assert isinstance(answering, Answers)
        assert told == {
            "oracle": name,
            "oracle_digest": neural.checkpoint.load(neural.folder(name)).version,
        }


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("temperature=1", "there is no setting 'temperature' .its settings are decode, max_words"),
        ("batch=0", "neural:gdse-sl: batch: Expected `int` >= 1"),
    ],
)
def test_a_wrong_setting_is_named(setting: str, reason: str) -> None:
    """As for scripted players, with what there is."""
    with pytest.raises(UsageError, match=reason):
        resolve(f"neural:gdse-sl?{setting}")
