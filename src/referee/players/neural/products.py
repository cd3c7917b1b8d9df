"""A product with a layer's weights, by the fastest library that PyTorch has here, without gradients.

On a CPU PyTorch leaves plain products to its BLAS, which on some processors (MKL's on AMD's) takes twice
as long as oneDNN, the library that its LSTM goes through. The way to oneDNN is an operator that PyTorch
keeps for its own compiler, so it is tried out once before it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import linear


def product(
    rows: Float[Tensor, "row input"],
    weight: Float[Tensor, "output input"],
    bias: Float[Tensor, " output"] | None = None,
) -> Float[Tensor, "row output"]:
    """What `torch.nn.functional.linear` gives."""
    if rows.device.type == "cpu" and rows.dtype == torch.float32 and weight.numel():
        # Over a matrix whose rows do not follow one another oneDNN takes a thousand times as long.
        return _onednn()(rows.contiguous(), weight.contiguous(), bias)
    return linear(rows, weight, bias)


@cache
def _onednn() -> Callable[[Tensor, Tensor, Tensor | None], Tensor]:
    """OneDNN's product where it is there and right, else the usual one."""

    def swift(rows: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, "none", [], "")  # noqa: SLF001
        return found

    rows, weight, bias = torch.eye(3, 2), torch.ones(4, 2), torch.arange(4.0)
    try:
        right = torch.equal(swift(rows, weight, bias), linear(rows, weight, bias))
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return linear
    return swift if right else linear
