"""Patterns of what slides windows over images: convolutions and pooling, and their transposes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, kron

from ..engine.rule_binding import shape_of
from ..ops.image.patches import ExtractImagePatches
from .axes import along, broadcast, by_letters, numbers
from .pattern import Matrix, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.recorders import Call
    from ..engine.shapes import Shape
    from ..ops.nn.sliding_windows import Window


def places_seen(shape: Shape, window: Window) -> Any:
    """For an image of this shape the flat places that the windows see, -1 outside of it.

    Along the last axis one place in the window after the other, with all channels of each.
    """
    image = numbers(shape).astype(np.float64)
    patches = ExtractImagePatches.run(image, window=window, outside=-1.0)
    return patches.astype(np.intp)


def seen(shape: Shape, window: Any) -> Matrix:
    """Which elements of an image each window sees, channel by channel, as a matrix."""
    channels = shape[-1]
    places = places_seen(shape, window).reshape(-1, math.prod(window.size), channels)
    places = places.swapaxes(1, 2).reshape(-1, math.prod(window.size))
    inside = places >= 0
    indptr = np.cumsum([0, *inside.sum(1)])
    size = (len(places), math.prod(shape))
    return csr_array((np.ones(indptr[-1], bool), places[inside], indptr), shape=size)


def of_images(kind: str, transposed: bool, filters: str = "") -> Callable[..., Pattern]:
    """The rule of an op that slides a window.

    ``kind`` says what becomes of channels: they stay apart ("pool"), are mixed ("mix"), or there
    are several results for each, along one more axis ("deep"). ``filters`` are the letters of the
    filters' axes, and of those of the result's.
    """

    def rule(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
        own, window = shape_of(call.inputs[position]), call.attrs["window"]
        if filters and position == 1:
            letters, result = filters.split("->")
            return by_letters(pattern, own, letters, shape, result)
        if kind == "mix" or (kind == "deep" and transposed):
            pattern = along(pattern, own, -1, (*own[:-1], 1))
            own = (*own[:-1], 1) if kind == "mix" else own[:-1]
        image = shape if transposed else own
        if kind == "mix":
            image = (*image[:-1], 1)
        links = seen(image, window)
        found = pattern.through(links.T if transposed else links)
        if kind == "pool" or (kind == "deep" and transposed):
            return found
        return found.take(broadcast(numbers((*shape[:-1], 1)), shape))

    return rule


def put_back(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """The values for each place in each window, added up at the elements they belong to."""
    places = places_seen(shape, call.attrs["window"])
    return pattern.grouped(places.reshape(-1), math.prod(shape))


def neighbors(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """The pattern of a result that depends on all elements within the radius, on the last axis."""
    radius, (*front, length) = call.attrs["radius"], shape
    offsets = range(-min(radius, length - 1), min(radius, length - 1) + 1)
    ones = [1.0] * len(offsets)
    band = diags_array(ones, offsets=[*offsets], shape=(length, length)).astype(bool)
    return pattern.through(kron(eye_array(math.prod(front), dtype=bool), band))


WINDOWS: dict[str, Callable[[Call, int, Pattern, Shape], Pattern]] = {
    "AvgPool": of_images("pool", False),
    "AvgPoolGrad": of_images("pool", True),
    "Conv2D": of_images("mix", False, "xyio->o"),
    "Conv2DBackpropInput": of_images("mix", True, "xyio->i"),
    "Conv3D": of_images("mix", False, "xyzio->o"),
    "Conv3DBackpropInputV2": of_images("mix", True, "xyzio->i"),
    "DepthwiseConv2dNative": of_images("deep", False, "xyim->im"),
    "DepthwiseConv2dNativeBackpropInput": of_images("deep", True, "xyim->i"),
    "ExtractImagePatchesGrad": put_back,
    "MaxPool": of_images("pool", False),
    "MaxPoolGrad": of_images("pool", True),
    "MaxPoolGradGrad": of_images("pool", False),
    "MaxPoolWithArgmax": of_images("pool", False),
    "WindowSum": neighbors,
}
