"""From the arguments of the public functions to calls of the ops, for any number of axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....engine.convert import match
from ....engine.dtype_kinds import REAL_FLOATING
from ....engine.shapes import Shape, written
from ....errors import InvalidArgumentError
from ....languages.counted import counted
from ...arguments import shape_argument, tensor_of
from ...arrays.joining import concat, split
from ...arrays.shaping import expand_dims, squeeze
from ..sliding_windows import (
    PlacedWindow,
    from_batches,
    is_channels_first,
    to_batches,
    to_channels_first,
    to_channels_last,
    window_over,
)
from .rules import Conv2D, Conv2DBackpropInput, Conv3D, Conv3DBackpropInput

if TYPE_CHECKING:
    from ....engine.annotations import NumericLike
    from ....engine.op import Op
    from ....engine.tensor import Tensor


CONVOLUTION = {1: Conv2D, 2: Conv2D, 3: Conv3D}
TRANSPOSED = {1: Conv2DBackpropInput, 2: Conv2DBackpropInput, 3: Conv3DBackpropInput}
"""The ops by the number of spatial axes."""


def convolve(
    input: Any,
    filters: Any,
    strides: object,
    padding: object,
    data_format: str | None,
    dilations: object,
    count: int,
) -> Tensor:
    """The convolution over so many axes; all in front of these and of the channels are batches."""
    op = CONVOLUTION[count]
    first = is_channels_first(op.name, data_format, count)
    x, weights = _operands(op, input, filters, count)
    x = to_channels_last(x, count, first)
    images = to_batches(x, count)
    _, *lengths, channels = images._array.shape
    *size, _, _ = weights._array.shape
    groups = _groups(op, x._array.shape, channels, weights._array.shape)
    window = window_over(op.name, lengths, size, strides, padding, dilations, first)
    result = _run(op, images, weights, groups, window)
    return to_channels_first(from_batches(result, x, count), count, first)


def convolve_back(
    input: object,
    filters: object,
    output_shape: object,
    strides: object,
    padding: object,
    data_format: str | None,
    dilations: object,
    count: int,
) -> Tensor:
    """The transpose of the convolution that makes something like ``input`` of an image of this
    shape.
    """
    op = TRANSPOSED[count]
    filters, input = match(op.name, filters, input)
    first = is_channels_first(op.name, data_format, count)
    x, weights = _operands(op, input, filters, count)
    x = to_channels_last(x, count, first)
    _check_results(op, x._array.shape, weights._array.shape)
    shape = shape_argument(output_shape, "output_shape")
    if len(shape) != count + 2:
        raise InvalidArgumentError(
            f"output_shape must have {count + 2} elements, one for each axis of the result, got "
            f"{written(shape)} [Op:{op.name}]"
        )
    batch, channels = shape[0], shape[1 if first else -1]
    lengths = shape[2:] if first else shape[1:-1]
    *size, _, results = weights._array.shape
    groups = _groups(op, shape, channels, weights._array.shape)
    window = window_over(op.name, lengths, size, strides, padding, dilations, first)
    made = (batch, *window.counts(lengths), results)
    if x._array.shape != made:
        raise InvalidArgumentError(
            f"Size of out_backprop doesn't match computed: an image of output_shape "
            f"{written(shape)} would be convolved to {written(made)}, channels last, but the input "
            f"is {written(x._array.shape)} [Op:{op.name}]"
        )
    return to_channels_first(_run(op, x, weights, groups, window, lengths), count, first)


def _operands(
    op: Op, input: NumericLike, filters: NumericLike, count: int
) -> tuple[Tensor, Tensor]:
    """The image and the filters, of one dtype and of ranks that go together."""
    x, weights = match(op.name, input, filters)
    tensor_of(op.name, x, REAL_FLOATING + "i")
    if x.ndim < count + 2:
        one = ". For a single sample write x[tf.newaxis]" if x.ndim == count + 1 else ""
        raise InvalidArgumentError(
            f"input must be at least {count + 2}-dimensional, batches and channels included: "
            f"{written(x._array.shape)}{one} [Op:{op.name}]"
        )
    if weights.ndim != count + 2:
        raise InvalidArgumentError(
            f"filter must be {count + 2}-dimensional: {written(weights._array.shape)} "
            f"[Op:{op.name}]"
        )
    if 0 in weights._array.shape[:-1]:  # one that gives no channels gives an empty image
        raise InvalidArgumentError(
            f"filter must not have zero elements: {written(weights._array.shape)} [Op:{op.name}]"
        )
    return x, weights


def _groups(op: Op, image: Shape, channels: int, filters: Shape) -> int:
    """Into how many groups the channels of an image fall if each filter sees so many."""
    *_, depth, results = filters
    if channels == depth:
        return 1
    if not depth or channels % depth:
        raise InvalidArgumentError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}: "
            f"{channels_differ(image, channels, filters, depth)} [Op:{op.name}]"
        )
    groups = channels // depth
    if not groups or results % groups:
        raise InvalidArgumentError(
            f"output depth must be evenly divisible by number of groups: {results} vs {groups}: "
            f"{channels_differ(image, channels, filters, depth)}; {groups} groups of channels "
            f"would need a number of results that {groups} divides [Op:{op.name}]"
        )
    return groups


def _check_results(op: Op, given: Shape, filters: Shape) -> None:
    """Refuse to go back from what these filters cannot have made."""
    if given[-1] != filters[-1]:
        raise InvalidArgumentError(
            f"input and filter must have the same depth: {given[-1]} vs {filters[-1]}: "
            f"{channels_differ(given, given[-1], filters, filters[-1], 'last axis')} "
            f"[Op:{op.name}]"
        )


def channels_differ(
    image: Shape, channels: int, filters: Shape, depth: int, where: str = "last axis but one"
) -> str:
    """The message about an image whose channels do not match the filters."""
    return (
        f"the input {written(image)} has {counted(channels, 'channel')}, but the filters "
        f"{written(filters)} expect {depth}, which is the length of their {where}"
    )


def _run(
    op: Op,
    x: Tensor,
    filters: Tensor,
    groups: int,
    window: PlacedWindow,
    lengths: Shape | None = None,
) -> Tensor:
    """Call the op, for every group of channels with its own filters."""
    if len(window.size) == 1:
        return _run_on_line(op, x, filters, groups, window, lengths)
    attrs = {"window": window} if lengths is None else {"window": window, "lengths": lengths}
    if groups == 1:
        return op(x, filters, **attrs)
    pairs = zip(split(x, groups, -1), split(filters, groups, -1), strict=True)
    return concat([op(part, own, **attrs) for part, own in pairs], -1)


def _run_on_line(
    op: Op, x: Tensor, filters: Tensor, groups: int, window: PlacedWindow, lengths: Shape | None
) -> Tensor:
    """Take a line for an image that is one place wide."""
    plane = window.over_plane()
    wide = None if lengths is None else (*lengths, 1)
    result = _run(op, expand_dims(x, 2), expand_dims(filters, 1), groups, plane, wide)
    return squeeze(result, 2)
