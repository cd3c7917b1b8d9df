"""A product by whatever library is fastest is the product."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import linear

from referee.players.neural import products
from referee.players.neural.products import product


@pytest.mark.parametrize("rows", [0, 1, 7, 300])
@pytest.mark.parametrize("bias", [True, False])
def test_it_is_what_a_linear_layer_gives(rows: int, bias: bool) -> None:
    torch.manual_seed(rows)
    given, weight = torch.randn(rows, 12), torch.randn(9, 12)
    added = torch.randn(9) if bias else None
    with torch.inference_mode():
        torch.testing.assert_close(product(given, weight, added), linear(given, weight, added))


def test_a_part_of_a_matrix_is_a_matrix_like_any_other() -> None:
    given, weight = torch.randn(8, 40), torch.randn(9, 40)
    torch.testing.assert_close(
        product(given[:, 4:16], weight[:, 20:32]), linear(given[:, 4:16], weight[:, 20:32])
    )


def test_numbers_of_another_kind_go_the_usual_way() -> None:
    given, weight = torch.randn(3, 4, dtype=torch.float64), torch.randn(2, 4, dtype=torch.float64)
    assert torch.equal(product(given, weight), linear(given, weight))


def test_where_the_operator_is_gone_or_wrong_it_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Gone:
        """A PyTorch without the operator."""

    class Wrong:
        """One in which it means something else."""

        def _linear_pointwise(self, rows: torch.Tensor, *_: object) -> torch.Tensor:
            return rows

    for broken in (Gone(), Wrong()):
        monkeypatch.setattr(torch.ops, "mkldnn", broken)
        products._onednn.cache_clear()
        assert products._onednn() is linear
    monkeypatch.undo()
    products._onednn.cache_clear()
