"""Gradients of fractional pooling, from the sequences that tell where its windows begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cinta as tf

from ..ops.nn.pooling.fractional import largest_in_windows, means_of_windows
from .gradients import pulled

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..engine.tensor import Array, Tensor


def _cuts(op: str, name: str, sequence: Tensor, windows: int, length: int) -> Array:
    """Where the windows along an axis begin, and the last one ends."""
    if len(sequence.shape) != 1:
        raise _refused(op, f"{name} must be a vector, got shape {sequence.shape}")
    cuts: Array = sequence.numpy()
    if (cuts < 0).any():
        which = "Row" if name.startswith("row") else "Column"
        raise _refused(
            op, f"{which} sequence tensor values must not be negative: {name} is {cuts.tolist()}"
        )
    if len(cuts) != windows + 1 or (cuts[1:] <= cuts[:-1]).any() or cuts[-1] > length:
        raise _refused(
            op,
            f"{name} must have {windows + 1} increasing numbers up to {length}, got "
            f"{cuts.tolist()}",
        )
    return cuts


def _refused(op: str, why: str) -> tf.errors.InvalidArgumentError:
    return tf.errors.InvalidArgumentError(f"{why} [Op:{op}]")


def _sequences(
    op: str, shape: list[int], g: Tensor, rows: Tensor, columns: Tensor
) -> tuple[Array, Array]:
    if len(shape) != 4 or min(shape) < 0 or len(g.shape) != 4:
        raise _refused(
            op, f"the images and their gradient must be 4-dimensional, got {shape} and {g.shape}"
        )
    if (g.shape[0], g.shape[3]) != (shape[0], shape[3]):
        raise _refused(
            op,
            f"out_backprop must have the shape of pooled images of shape {shape}: as many images "
            f"and channels, got {g.shape}",
        )
    return (
        _cuts(op, "row_pooling_sequence", rows, g.shape[1], shape[1]),
        _cuts(op, "col_pooling_sequence", columns, g.shape[2], shape[2]),
    )


def _of_largest(
    x: Tensor, y: Tensor, g: Tensor, rows: Tensor, columns: Tensor, overlapping: bool
) -> Tensor:
    op = "FractionalMaxPoolGrad"
    cuts = _sequences(op, x.shape.as_list(), g, rows, columns)
    if y.shape != g.shape:
        raise _refused(
            op, f"orig_output must have the shape of out_backprop, {g.shape}, got {y.shape}"
        )
    return pulled(lambda a: largest_in_windows(a, *cuts, overlapping), x)(g)


def _of_means(shape: Tensor, g: Tensor, rows: Tensor, columns: Tensor, overlapping: bool) -> Tensor:
    lengths: list[int] = shape.numpy().tolist()
    cuts = _sequences("FractionalAvgPoolGrad", lengths, g, rows, columns)
    x = tf.zeros(lengths, g.dtype)
    return pulled(lambda a: means_of_windows(a, *cuts, overlapping), x)(g)


OPS: dict[str, Callable[..., Any]] = {
    "FractionalAvgPoolGrad": _of_means,
    "FractionalMaxPoolGrad": _of_largest,
}
