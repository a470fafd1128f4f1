"""Images seen when the plane is mapped by a projective transform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cinta as tf

from ..engine.free_memory import check_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Array, Tensor


def project(
    images: Tensor,
    transforms: Tensor | Array,
    output_shape: Tensor | tuple[int, int],
    fill_value: NumericLike = 0.0,
    interpolation: str = "NEAREST",
    fill_mode: str = "CONSTANT",
) -> Tensor:
    """Images as they are seen when the plane is mapped.

    The pixel at (x, y) shows what is at (a x + b y + c, d x + e y + f) / (g x + h y + 1); a row of
    ``transforms`` has the numbers from a to h.
    """
    size = (len(images), *map(int, output_shape), *images.shape[3:])
    check_memory("ImageProjectiveTransformV3", size)
    height, width = images.shape[1:3]
    at = tf.stop_gradient(tf.cast(transforms, "float32"))[:, :, None, None]
    y, x = [
        tf.cast(axis, "float32")
        for axis in tf.meshgrid(*[tf.range(n) for n in output_shape], indexing="ij")
    ]
    depth = at[:, 6] * x + at[:, 7] * y + 1.0
    place = _PLACES[fill_mode]
    u = place((at[:, 0] * x + at[:, 1] * y + at[:, 2]) / depth, float(width))
    v = place((at[:, 3] * x + at[:, 4] * y + at[:, 5]) / depth, float(height))
    if interpolation == "NEAREST":
        return _pixels(images, _rounded(v), _rounded(u), fill_value)
    left, top = tf.floor(u), tf.floor(v)
    right = tf.cast(u - left, images.dtype)[..., None]  # the weight of the pixel on the right
    below = tf.cast(v - top, images.dtype)[..., None]
    above, under = [
        (1 - right) * _pixels(images, row, left, fill_value)
        + right * _pixels(images, row, left + 1.0, fill_value)
        for row in (top, top + 1.0)
    ]
    return (1 - below) * above + below * under


def _pixels(images: Tensor, y: Tensor, x: Tensor, fill_value: NumericLike) -> Tensor:
    """The pixels at whole places, or what fills the space beyond the image."""
    batch, height, width = images.shape[:3]
    inside = (y >= 0.0) & (y <= height - 1.0) & (x >= 0.0) & (x <= width - 1.0)
    places = [tf.where(inside, axis, 0.0) for axis in (y, x)]
    where = tf.cast(tf.stack(places, axis=-1), "int32")
    where = tf.broadcast_to(where, [batch, *where.shape[1:]])
    found = tf.gather_nd(images, where, batch_dims=1)
    return tf.where(inside[..., None], found, tf.cast(fill_value, images.dtype))


def _rounded(x: Tensor) -> Tensor:
    """The nearest whole number; halves go away from zero."""
    return tf.sign(x) * tf.floor(tf.abs(x) + 0.5)


def _whole(x: Tensor) -> Tensor:
    return tf.cast(tf.cast(x, "int32"), "float32")


def _reflected(x: Tensor, size: float) -> Tensor:
    period = 2.0 * size
    left = period * _whole(-x / period) + x
    left = tf.where(left < -size, left + period, -left - 1.0)
    right = x - period * _whole(x / period)
    right = tf.where(right >= size, period - right - 1.0, right)
    return _clamped(tf.where(x < 0.0, left, tf.where(x > size - 1.0, right, x)), size)


def _wrapped(x: Tensor, size: float) -> Tensor:
    if size <= 1.0:
        return 0.0 * x
    left = x + size * (_whole(-x / (size - 1.0)) + 1.0)
    right = x - size * _whole(x / (size - 1.0))
    return _clamped(tf.where(x < 0.0, left, tf.where(x > size - 1.0, right, x)), size)


def _clamped(x: Tensor, size: float) -> Tensor:
    return tf.clip_by_value(x, 0.0, size - 1.0)


_PLACES: dict[str, Callable[[Tensor, float], Tensor]] = {
    "CONSTANT": lambda x, size: x,
    "NEAREST": _clamped,
    "REFLECT": _reflected,
    "WRAP": _wrapped,
}
"""Where a place beyond the image is in it."""
