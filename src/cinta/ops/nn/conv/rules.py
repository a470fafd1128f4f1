"""Convolution and its two transposes as ops, each of which is a transpose of the others."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ....engine.broadcasting import lead
from ....engine.op import Op
from ....engine.primitives import Reshape, Transpose
from ....engine.shapes import Shape
from .numpy import correlate, to_filter, to_input

if TYPE_CHECKING:
    from ....engine.tensor import Tensor
    from ..sliding_windows import Window


def merged(x: Tensor, rank: int, axis: int) -> Tensor:
    """The tensor with the axes in front of its ``rank`` own ones made part of one of these."""
    front = lead(x, rank)
    if not front:
        return x
    own, more = tuple(x.shape)[len(front) :], len(front)
    order = (*range(-rank, axis), *range(-rank - more, -rank), *range(axis, 0))
    sizes = (*own[: rank + axis], prod(front) * own[axis], *own[rank + axis + 1 :])
    return Reshape(Transpose(x, perm=order), shape=sizes)


def parted(x: Tensor, front: Shape, shape: Shape, axis: int) -> Tensor:
    """Undo `merged`, for a tensor that had this shape and those axes in front of it."""
    rank, more = len(shape), len(front)
    if not front:
        return x
    apart = Reshape(x, shape=(*shape[: rank + axis], *front, *shape[rank + axis :]))
    order = (*range(axis - more, axis), *range(-rank - more, axis - more), *range(axis, 0))
    return Transpose(apart, perm=order)


def family(name: str, input_name: str, filter_name: str) -> tuple[Op, Op, Op]:
    """A convolution, what belongs to its image, and what belongs to its filter.

    Axes in front of a gradient become part of an axis that all three carry along: of the batches,
    of the channels of the image or of those of the result.
    """
    forward = Op(name, correlate, linear=True)
    for_input = Op(input_name, to_input, linear=True)
    for_filter = Op(filter_name, to_filter, linear=True)

    def of_image(g: Tensor, filter: Tensor, input_shape: Shape, window: Window) -> Tensor:
        rank = len(input_shape)
        many = merged(g, rank, -rank)
        d = for_input(many, filter, lengths=input_shape[1:-1], window=window)
        return parted(d, lead(g, rank), input_shape, -rank)

    def of_filter(g: Tensor, input: Tensor, filter_shape: Shape, window: Window) -> Tensor:
        rank = len(filter_shape)
        d = for_filter(input, merged(g, rank, -1), window=window)
        return parted(d, lead(g, rank), filter_shape, -1)

    forward.grads(input=of_image, filter=of_filter)  # of Conv2D, or Conv3D

    def of_result(g: Tensor, filter: Tensor, out_backprop_shape: Shape, window: Window) -> Tensor:
        rank = len(out_backprop_shape)
        d = forward(merged(g, rank, -rank), filter, window=window)
        return parted(d, lead(g, rank), out_backprop_shape, -rank)

    def of_turned_filter(
        g: Tensor, out_backprop: Tensor, filter_shape: Shape, window: Window
    ) -> Tensor:
        rank = len(filter_shape)
        d = for_filter(merged(g, rank, -1), out_backprop, window=window)
        return parted(d, lead(g, rank), filter_shape, -2)

    for_input.grads(out_backprop=of_result, filter=of_turned_filter)

    def of_seen(g: Tensor, out_backprop: Tensor, input_shape: Shape, window: Window) -> Tensor:
        rank = len(input_shape)
        many = merged(g, rank, -2)
        d = for_input(out_backprop, many, lengths=input_shape[1:-1], window=window)
        return parted(d, lead(g, rank), input_shape, -1)

    def of_weights(g: Tensor, input: Tensor, out_backprop_shape: Shape, window: Window) -> Tensor:
        rank = len(out_backprop_shape)
        d = forward(input, merged(g, rank, -1), window=window)
        return parted(d, lead(g, rank), out_backprop_shape, -1)

    for_filter.grads(input=of_seen, out_backprop=of_weights)
    return forward, for_input, for_filter


Conv2D, Conv2DBackpropInput, Conv2DBackpropFilter = family(
    "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"
)
Conv3D, Conv3DBackpropInput, Conv3DBackpropFilter = family(
    "Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"
)
