"""LSTM and GRU over whole sequences, for the layers of Keras and the raw ops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.primitives import Reshape
from ....engine.tensor import wrap
from ...linalg.matmul import MatMul
from .gru import GRUSteps
from .lstm import LSTMSteps
from .steps import NONE

if TYPE_CHECKING:
    from ....engine.tensor import Tensor


def lstm(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    kernel: Tensor,
    recurrent: Tensor,
    bias: Tensor | None,
    keep: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The outputs, the cells and the gates i, f, new, o after each step of a sequence.

    ``x`` has axes for time, batch and numbers. ``keep`` has them too, with one truth value for each
    sample: whether its state stays as it was.
    """
    p = said(x, kernel, bias)
    outputs, cells, gates = LSTMSteps(p, recurrent, h, c, _kept(keep))
    return outputs, cells, gates


def gru(
    x: Tensor,
    h: Tensor,
    kernel: Tensor,
    recurrent: Tensor,
    bias: Tensor | None,
    recurrent_bias: Tensor,
    keep: Tensor | None = None,
) -> Tensor:
    """The outputs after each step of a sequence, with the reset gate after the product."""
    outputs, _ = GRUSteps(said(x, kernel, bias), recurrent, recurrent_bias, h, _kept(keep))
    return outputs


def said(x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    """The part of each step that comes from the sequence: one product for all."""
    time, batch, size = x.shape
    rows = Reshape(x, shape=(time * batch, size))
    product = MatMul(rows, kernel, transpose_a=False, transpose_b=False)
    if bias is not None:
        product = product + bias
    return Reshape(product, shape=(time, batch, product.shape[-1]))


def _kept(keep: Tensor | None) -> Tensor:
    return wrap(np.zeros(NONE, bool)) if keep is None else keep
