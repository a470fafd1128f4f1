"""Examples of tensors of which only specs are known, to record functions on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.tensor import Tensor, wrap

if TYPE_CHECKING:
    from .recording import Spec

KINDS = ("positive", "negative", "zero", "identity")
"""The values of the tensors with which functions are tried."""


def example(spec: Spec, kind: str = "positive") -> Tensor:
    """A tensor of the spec; whole numbers, which may be positions, are 0 or 1."""
    if spec.dtype == object:
        return wrap(np.full(spec.shape, b"", object))
    if spec.dtype.kind in "biu":
        value = np.full(spec.shape, kind != "positive")
    elif kind == "identity" and len(spec.shape) > 1:
        value = np.broadcast_to(np.eye(spec.shape[-2], spec.shape[-1]), spec.shape)
    elif kind in ("positive", "negative"):
        value = np.random.default_rng(1).uniform(0.5, 1.5, spec.shape)
        value = -value if kind == "negative" else value
    else:
        value = np.zeros(spec.shape)
    return wrap(value.astype(spec.dtype)[()])
