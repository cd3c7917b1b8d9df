"""Features that are missing are told with the game, and with the command that makes them."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from referee.errors import DataError, UsageError
from referee.players.neural.images import features

OF_OBJECTS = "--boxes GAMES --out F.h5"


@pytest.mark.parametrize("option", ["features", "crops"])
def test_what_is_missing_is_told_with_the_game_and_how_it_is_made(
    tmp_path: Path, option: str
) -> None:
    """Objects are cut out by boxes; whole images need none."""
    path = tmp_path / "f.h5"
    with h5py.File(path, "w") as file:
        file["features"] = np.zeros((2, 3), np.float32)
        file["idx2img"] = np.arange(2, dtype=np.int32)
    found = features(str(path), 3, "neural:mine", option)
    assert found is not None
    assert found.of(["1", "0"], ["g1", "g2"]).shape == (2, 3)
    with pytest.raises(DataError, match="the game g2 needs features of 7, and there are") as error:
        found.of(["1", "7"], ["g1", "g2"])
    assert (OF_OBJECTS in str(error.value)) is (option == "crops")
    with pytest.raises(UsageError, match=f"give {option}=F") as lacking:
        features("", 3, "neural:mine", option)
    assert (OF_OBJECTS in str(lacking.value)) is (option == "crops")
