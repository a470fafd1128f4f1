"""An operation on the parts of an image that lie so many elements apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.convert import as_tensor
from ...public import public
from ..arguments import integers, text
from ..arrays.padding import batch_to_space, space_to_batch_nd

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import AxisLike, IntsLike, NumericLike, Padding, ShapeLike
    from ...engine.tensor import Tensor


@public("nn.with_space_to_batch")
def with_space_to_batch(
    input: NumericLike,
    dilation_rate: IntsLike,
    padding: Padding,
    op: Callable[..., Tensor],
    filter_shape: ShapeLike | None = None,
    spatial_dims: AxisLike | None = None,
    data_format: str | None = None,
) -> Tensor:
    """``op`` as if it had a dilation: it sees elements that are ``dilation_rate`` apart.

    ``op`` is called with a batch of such parts, ``num_spatial_dims`` and ``padding``. It must not
    have strides; ``padding="SAME"`` needs its ``filter_shape``.

    >>> import cinta as tf
    >>> def pool(x, num_spatial_dims, padding):
    ...     return tf.nn.max_pool1d(x, 2, 1, padding)
    >>> line = tf.reshape(tf.range(5.0), [1, 5, 1])
    >>> tf.nn.with_space_to_batch(line, [3], "VALID", pool, [2]).numpy().ravel()
    array([3., 4.], dtype=float32)

    Args:
        input: A batch of lines, images or volumes.
        dilation_rate: A number for each of the axes of space.
        padding: "SAME" or "VALID".
        op: The function.
        filter_shape: The lengths of the window that ``op`` sees.
        spatial_dims: Which axes are those of space; None for all between batch and channels.
        data_format: None if the channels are the last axis, or a format such as "NCHW".

    Raises:
        ValueError: If the padding is another, or "SAME" without ``filter_shape``.
    """
    x = as_tensor(input)
    if as_tensor(dilation_rate).ndim != 1:
        raise ValueError(f"`dilation_rate` must have rank 1. Received: {dilation_rate}")
    rates = integers(dilation_rate, "dilation_rate")
    if min(rates, default=1) < 1:
        raise ValueError(f"`dilation_rate` must be positive. Received: {dilation_rate}")
    axes = _spatial_axes(spatial_dims, len(rates), data_format)
    if max(axes, default=0) >= x.ndim:
        raise ValueError(f"`input` of shape {x.shape} has no spatial axis {max(axes)}.")
    if all(rate == 1 for rate in rates):
        plain: Tensor = op(x, num_spatial_dims=len(rates), padding=padding)
        return plain
    margins = _margins(padding, rates, filter_shape)
    block, before, after = ([1] * max(axes), [0] * max(axes), [0] * max(axes))
    fill = [0] * max(axes)
    for axis, rate, (first, last) in zip(axes, rates, margins, strict=True):
        block[axis - 1], before[axis - 1], after[axis - 1] = rate, first, last
        fill[axis - 1] = -(x._array.shape[axis] + first + last) % rate
    paddings = [[b, a + f] for b, a, f in zip(before, after, fill, strict=True)]
    parts = space_to_batch_nd(x, block, paddings)
    result = op(parts, num_spatial_dims=len(rates), padding="VALID")
    return batch_to_space(result, block, [[0, f] for f in fill])


def _spatial_axes(given: object, count: int, data_format: str | None) -> tuple[int, ...]:
    if given is None:
        channels_first = data_format is not None and text(data_format, "data_format")[:2] == "NC"
        first = 2 if channels_first else 1
        return tuple(range(first, first + count))
    axes = tuple(sorted(integers(given, "spatial_dims")))
    if min(axes, default=1) < 1 or len(axes) != count:
        raise ValueError(
            f"`spatial_dims` must name {count} axes, none of them the first. Received: {given}"
        )
    return axes


def _margins(padding: str, rates: tuple[int, ...], filter_shape: object) -> list[tuple[int, int]]:
    """How many zeros there are to be before and after each axis."""
    if text(padding, "padding") == "VALID":
        return [(0, 0)] * len(rates)
    if padding != "SAME":
        raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    if filter_shape is None:
        raise ValueError(
            "`filter_shape` must be specified for `padding='SAME'`. Received: filter_shape=None"
        )
    sizes = integers(filter_shape, "filter_shape")[: len(rates)]
    both = [(size - 1) * rate for size, rate in zip(sizes, rates, strict=True)]
    return [(n // 2, n - n // 2) for n in both]
