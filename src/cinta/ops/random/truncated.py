"""Normal numbers from which those far from the mean are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from . import philox
from .kernels import RESERVED, in_chunks, key_and_counter, normals, numbers_per_block, rounded

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.shapes import Shape
    from ...engine.tensor import Array


@op("StatelessTruncatedNormalV2")
def StatelessTruncatedNormalV2(
    xp: ArrayModule, state: Array, *, shape: Shape, dtype: np.dtype[Any]
) -> Array:
    """Normal numbers of mean 0 and standard deviation 1, without those of magnitude 2 or more.

    They come in groups, as many as a block gives, and each group has a stretch of the stream to
    itself: it takes the first good ones of it.
    """
    key, counter = key_and_counter(state)
    width = numbers_per_block(dtype)
    stride = width * RESERVED // 4

    def work(first: int, out: Array) -> None:
        _fill_groups(key, counter + first * stride, stride, out)

    return in_chunks(rounded(work), shape, dtype, width)


def _fill_groups(key: int, counter: int, stride: int, out: Array) -> None:
    """Fill each row with a group; most are done with one block."""
    width = out.shape[1]
    starts = np.arange(0, len(out) * stride, stride, dtype=np.uint64)
    normals(*philox.random_words(key, counter, starts), out)
    # Whether any number of a row is too large is seen at once, as one number.
    pending, blocks = np.flatnonzero((np.abs(out) >= 2).view(f"u{width}")), 2
    while pending.size:
        offsets = starts[pending, None] + np.arange(blocks, dtype=np.uint64)
        tried = np.empty((offsets.size, width), out.dtype)
        normals(*philox.random_words(key, counter, offsets.reshape(-1)), tried)
        tried = tried.reshape(len(pending), -1)
        good = np.abs(tried) < 2
        first_good = good & (np.cumsum(good, axis=1) <= width)
        done = np.count_nonzero(first_good, axis=1) == width
        out[pending[done]] = tried[done][first_good[done]].reshape(-1, width)
        pending, blocks = pending[~done], blocks + 1
