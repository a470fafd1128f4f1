"""Products of matrices, convolutions and pooling, in ONNX, where channels come before pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .call import CannotBeWritten, OnnxStep, writes

if TYPE_CHECKING:
    from ...ops.nn.sliding_windows import Window


@writes("MatMul")
def _matmul(call: OnnxStep) -> str:
    factors = [
        _turned(call, place) if turned else call.input(place)
        for place, turned in enumerate((call.transpose_a, call.transpose_b))
    ]
    return call.graph.add("MatMul", *factors)


def _turned(call: OnnxStep, place: int) -> str:
    rank = call.rank(place)
    order = [*range(rank - 2), rank - 1, rank - 2]
    return call.graph.add("Transpose", call.input(place), perm=order)


def _attributes(window: Window) -> dict[str, Any]:
    """A window in ONNX's terms."""
    before, after = zip(*window.padding, strict=True)
    if any([type(n) is not int for n in (*before, *after)]):
        raise CannotBeWritten("its padding depends on an unknown dimension")
    if min(*before, *after) < 0:
        raise CannotBeWritten("its padding is negative")
    return {
        "kernel_shape": window.size,
        "strides": window.strides,
        "pads": [*before, *after],
        "dilations": window.dilations,
    }


def _channels_first(call: OnnxStep, name: str, rank: int) -> str:
    return call.graph.add("Transpose", name, perm=[0, rank - 1, *range(1, rank - 1)])


def _channels_last(call: OnnxStep, name: str, rank: int) -> str:
    return call.graph.add("Transpose", name, perm=[0, *range(2, rank), 1])


def _channels(call: OnnxStep, place: int, axis: int) -> int:
    count = call.shape(place)[axis]
    if count is None:
        raise CannotBeWritten("the number of channels is unknown")
    return count


@writes("Conv2D", "Conv3D")
def _convolution(call: OnnxStep) -> str:
    rank = call.rank(0)
    image = _channels_first(call, call.input(0), rank)
    order = [rank - 1, rank - 2, *range(rank - 2)]
    filters = call.graph.add("Transpose", call.input(1), perm=order)
    groups = _channels(call, 0, -1) // _channels(call, 1, -2)
    result = call.graph.add("Conv", image, filters, group=groups, **_attributes(call.window))
    return _channels_last(call, result, rank)


@writes("Conv2DBackpropInput", "Conv3DBackpropInputV2")
def _transposed_convolution(call: OnnxStep) -> str:
    """The image that gives such a result: of a length that the window need not divide."""
    rank, window = call.rank(0), call.window
    image = _channels_first(call, call.input(0), rank)
    order = [rank - 1, rank - 2, *range(rank - 2)]
    filters = call.graph.add("Transpose", call.input(1), perm=order)
    lengths, given = call.lengths, [n for n in call.shape(0)[1:-1] if n is not None]
    if len(given) < rank - 2 or not all(isinstance(n, int) for n in lengths):
        raise CannotBeWritten("the size of the image is unknown")
    spans = zip(window.spans(), window.strides, window.padding, given, lengths, strict=True)
    more = [n - ((k - 1) * s + span - b - a) for span, s, (b, a), k, n in spans]
    if min(more) < 0:
        raise CannotBeWritten("it cuts off more than is there")
    result = call.graph.add(
        "ConvTranspose", image, filters, output_padding=more, **_attributes(window)
    )
    return _channels_last(call, result, rank)


@writes("DepthwiseConv2dNative")
def _depthwise(call: OnnxStep) -> str:
    """Each channel on its own: as many groups as channels, whose filters stand side by side."""
    rank = call.rank(0)
    image = _channels_first(call, call.input(0), rank)
    channels, count = _channels(call, 1, -2), _channels(call, 1, -1)
    order = [rank - 2, rank - 1, *range(rank - 2)]
    filters = call.graph.add("Transpose", call.input(1), perm=order)
    shape = call.graph.ints([channels * count, 1, *call.window.size])
    filters = call.graph.add("Reshape", filters, shape)
    result = call.graph.add("Conv", image, filters, group=channels, **_attributes(call.window))
    apart = call.graph.ints([0] * (rank - 1) + [channels, count])
    return call.graph.add("Reshape", _channels_last(call, result, rank), apart)


@writes("MaxPool", "AvgPool")
def _pooling(call: OnnxStep) -> str:
    rank = call.rank(0)
    more: dict[str, Any] = {}
    name = "MaxPool"
    if call.step.op.name == "AvgPool":
        name, more = "AveragePool", {"count_include_pad": 0}
    image = _channels_first(call, call.input(0), rank)
    result = call.graph.add(name, image, **_attributes(call.window), **more)
    return _channels_last(call, result, rank)
