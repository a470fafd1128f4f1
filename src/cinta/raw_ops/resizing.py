"""Ops that resize images, with TensorFlow's three ways to lay new elements over old ones.

Each new row is a weighted sum of old ones, and so is each new column. Where an image of 4 becomes
one of 8, its new elements lie at 0, 0.5, 1, ...; with ``half_pixel_centers`` at -0.25, 0.25, ...;
and with ``align_corners`` the outermost new elements are the outermost old ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

from ..engine.tensor import wrap
from ..ops.image.resampling import KERNELS, cubic, normalized
from ..ops.image.resizing import weighted_sums
from .gradients import pulled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Array, Tensor


def _scale(old: int, new: int, align_corners: bool) -> np.float32:
    """How many old elements a new one stands for."""
    ends = align_corners and new > 1
    return np.float32(old - 1) / np.float32(new - 1) if ends else np.float32(old) / np.float32(new)


def _places(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Array:
    """Where the new elements lie among the old ones."""
    half = np.float32(0.5 if half_pixel_centers else 0)
    steps = np.arange(new, dtype=np.float32) + half
    result: Array = steps * _scale(old, new, align_corners) - half
    return result


def _bilinear(old: int, new: int, *how: bool) -> Array:
    """Linear between neighbors, and constant beyond the outermost ones."""
    places = np.clip(_places(old, new, *how), 0, old - 1)[:, None]
    result: Array = np.maximum(1 - np.abs(np.arange(old) - places), 0).astype(np.float32)
    return result


def _bicubic(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Array:
    """Cubic among four neighbors; those beyond the image count as the outermost, or not at all."""
    places = _places(old, new, align_corners, half_pixel_centers)
    first = np.floor(places)
    steps = np.rint((places - first) * 1024) / 1024
    weights = np.zeros((new, old), np.float32)
    for k in range(-1, 3):
        at, near = first.astype(int) + k, np.clip(first.astype(int) + k, 0, old - 1)
        found = cubic(np.abs(steps - k), -0.5 if half_pixel_centers else -0.75)
        counts = (at == near) | (not half_pixel_centers)
        np.add.at(weights, (np.arange(new), near), found * counts)
    return normalized(weights) if half_pixel_centers else weights


def _areas(old: int, new: int, align_corners: bool) -> Array:
    """How much of a new element each old one covers; beyond the image the outermost go on."""
    scale = _scale(old, new, align_corners)
    starts = np.arange(new, dtype=np.float32)[:, None] * scale
    edges = np.arange(int(np.ceil(starts[-1, 0] + scale)) + 1)
    covered = np.minimum(edges[1:], starts + scale) - np.maximum(edges[:-1], starts)
    weights = np.zeros((new, old), np.float32)
    np.add.at(weights.T, np.minimum(edges[:-1], old - 1), np.maximum(covered, 0).T / scale)
    return weights


def _sizes(op: str, images: Tensor, size: Tensor) -> tuple[tuple[int, int], tuple[int, int]]:
    if len(images.shape) != 4:
        raise tf.errors.InvalidArgumentError(
            f"input must be 4-dimensional, got shape {images.shape} [Op:{op}]"
        )
    new = size.numpy().tolist()
    old = tuple(images.shape[1:3])
    if np.shape(new) != (2,) or min(*new, *old) <= 0:
        raise tf.errors.InvalidArgumentError(
            f"output dimensions must be two positive numbers, and images not empty, got {new} for "
            f"{images.shape} [Op:{op}]"
        )
    return old, (new[0], new[1])


def _resized(op: str, weights: Callable[..., Array]) -> Callable[..., Tensor]:
    def resize(images: Tensor, size: Tensor, *how: bool) -> Tensor:
        old, new = _sizes(op, images, size)
        rows, columns = [wrap(weights(n, m, *how)) for n, m in zip(old, new, strict=True)]
        return weighted_sums(tf.cast(images, "float32"), rows, columns)

    return resize


def _back(op: str, resize: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The gradient by the image, of the image's dtype."""

    def gradient(grads: Tensor, image: Tensor, *how: bool) -> Tensor:
        size = tf.shape(grads)[1:3]
        zeros = tf.zeros(tf.shape(image))
        return tf.cast(pulled(lambda x: resize(x, size, *how), zeros)(grads), image.dtype)

    return gradient


def _nearest(images: Tensor, size: Tensor, align_corners: bool, half_pixel: bool) -> Tensor:
    old, new = _sizes("ResizeNearestNeighbor", images, size)
    for axis, (n, m) in enumerate(zip(old, new, strict=True), start=1):
        half = np.float32(0.5 if half_pixel else 0)
        places = (np.arange(m, dtype=np.float32) + half) * _scale(n, m, align_corners)
        whole = np.floor(places + np.float32(0.5)) if align_corners else np.floor(places)
        images = tf.gather(images, np.minimum(whole, n - 1).astype(np.int32), axis=axis)
    return images


def _nearest_back(grads: Tensor, size: Tensor, align_corners: bool, half_pixel: bool) -> Tensor:
    new = tf.shape(grads)[1:3]
    zeros = tf.zeros([grads.shape[0], *size.numpy().tolist(), grads.shape[3]], grads.dtype)
    return pulled(lambda x: _nearest(x, new, align_corners, half_pixel), zeros)(grads)


# -- scaled and moved ----------------------------------------------------------------------------


def _spans(
    old: int, new: int, scale: Array, translation: Array, kernel: str, antialias: bool
) -> Array:
    """The weights of old elements in new ones that are scaled, moved and seen by a kernel."""
    function, radius = KERNELS[_KERNEL_NAMES[kernel]]
    step = np.float32(1) / np.float32(scale)
    wide = max(step, np.float32(1)) if antialias else np.float32(1)
    half, reach = np.float32(0.5), np.float32(radius) * wide
    centers = (np.arange(new, dtype=np.float32) + half) * step - step * np.float32(translation)
    places, at = np.arange(old, dtype=np.float32), centers[:, None]
    inside = (places >= np.ceil(at - reach - half)) & (places <= np.floor(at + reach - half))
    found = function(np.abs(places + half - at) / wide)
    seen = inside & (at >= 0) & (at <= old)
    return normalized(np.where(seen, found, 0))


_KERNEL_NAMES = {
    "lanczos1": "lanczos1",
    "lanczos3": "lanczos3",
    "lanczos5": "lanczos5",
    "gaussian": "gaussian",
    "box": "box",
    "triangle": "bilinear",
    "keyscubic": "bicubic",
    "mitchellcubic": "mitchellcubic",
}


def _scaled(
    images: Tensor, size: Tensor, scale: Tensor, translation: Tensor, kernel: str, antialias: bool
) -> Tensor:
    old, new = _sizes("ScaleAndTranslate", images, size)
    if kernel not in _KERNEL_NAMES:
        raise tf.errors.InvalidArgumentError(
            f"kernel_type must be one of {', '.join(_KERNEL_NAMES)}, got {kernel!r} "
            "[Op:ScaleAndTranslate]"
        )
    steps = zip(old, new, scale.numpy(), translation.numpy(), strict=True)
    rows, columns = [wrap(_spans(*each, kernel, antialias)) for each in steps]
    return weighted_sums(tf.cast(images, "float32"), rows, columns)


def _scaled_back(grads: Tensor, image: Tensor, *how: *tuple[Tensor, Tensor, str, bool]) -> Tensor:
    size = tf.shape(grads)[1:3]
    return pulled(lambda x: _scaled(x, size, *how), tf.zeros(tf.shape(image)))(grads)


_BILINEAR = _resized("ResizeBilinear", _bilinear)
_BICUBIC = _resized("ResizeBicubic", _bicubic)

RESIZES: dict[str, Callable[..., Any]] = {
    "ResizeArea": _resized("ResizeArea", _areas),
    "ResizeBicubic": _BICUBIC,
    "ResizeBicubicGrad": _back("ResizeBicubicGrad", _BICUBIC),
    "ResizeBilinear": _BILINEAR,
    "ResizeBilinearGrad": _back("ResizeBilinearGrad", _BILINEAR),
    "ResizeNearestNeighbor": _nearest,
    "ResizeNearestNeighborGrad": _nearest_back,
    "ScaleAndTranslate": _scaled,
    "ScaleAndTranslateGrad": _scaled_back,
}
