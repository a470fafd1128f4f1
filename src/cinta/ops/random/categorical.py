"""Indices drawn at random, with given probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from .kernels import StatelessRandomUniformV2

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


@op("StatelessMultinomial")
def StatelessMultinomial(
    xp: ArrayModule, state: Array, logits: Array, *, num_samples: int, dtype: np.dtype[Any]
) -> Array:
    """For each row of logits, indices drawn with probabilities softmax(row)."""
    weights = np.asarray(logits, np.float64)
    finite = np.isfinite(weights)
    top = np.max(weights, axis=1, keepdims=True, where=finite, initial=-np.inf)
    weights = np.where(finite, np.exp(np.where(finite, weights - top, 0)), 0)
    steps = np.cumsum(weights, axis=1)
    rows, classes = steps.shape
    wanted = StatelessRandomUniformV2.run(
        state, shape=(rows, num_samples), dtype=np.dtype(np.float64)
    )
    wanted = wanted * steps[:, -1:]
    if rows <= classes:
        pairs = zip(steps, wanted, strict=True)
        per_row = [np.searchsorted(step, row, side="right") for step, row in pairs]
        return np.array(per_row, dtype).reshape(rows, num_samples)
    found = np.zeros(wanted.shape, dtype)
    for k in range(classes):
        found += wanted >= steps[:, k, None]
    return found


# As in TensorFlow, the way from the logits to the indices has no gradient.
StatelessMultinomial.no_grad()
