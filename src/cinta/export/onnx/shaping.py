"""Ops that move elements about, in ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...saved_model.sizes import Ramp, Size
from .call import CannotBeWritten, OnnxStep, writes


@writes("Reshape")
def _reshape(call: OnnxStep) -> str:
    shape = call.graph.ints(call.attrs["shape"])
    return call.graph.add("Reshape", call.input(0), shape, allowzero=1)


@writes("Transpose")
def _transpose(call: OnnxStep) -> str:
    rank = call.rank(0)
    front = range(rank - len(call.perm))  # axes that the op does not know of
    order = [*front, *[axis % rank for axis in call.perm]]
    return call.graph.add("Transpose", call.input(0), perm=order)


@writes("BroadcastTo")
def _broadcast_to(call: OnnxStep) -> str:
    return call.graph.add("Expand", call.input(0), call.graph.ints(call.attrs["shape"]))


@writes("ConcatV2")
def _concat(call: OnnxStep) -> str:
    return call.graph.add("Concat", *call.inputs(call.out.dtype), axis=call.axis)


@writes("Pack")
def _pack(call: OnnxStep) -> str:
    axis = call.graph.ints([call.axis])
    parts = [call.graph.add("Unsqueeze", x, axis) for x in call.inputs(call.out.dtype)]
    return call.graph.add("Concat", *parts, axis=call.axis)


@writes("Unpack")
def _unpack(call: OnnxStep) -> list[str]:
    count = len(call.step.outputs)
    parts = call.graph.add_several("Split", count, call.input(0), axis=call.axis, num_outputs=count)
    axis = call.graph.ints([call.axis])
    return [call.graph.add("Squeeze", part, axis) for part in parts]


@writes("SplitV")
def _split(call: OnnxStep) -> list[str]:
    sizes = call.graph.ints(call.sizes)
    count = len(call.step.outputs)
    return call.graph.add_several("Split", count, call.input(0), sizes, axis=call.axis)


@writes("StridedSlice")
def _strided_slice(call: OnnxStep) -> str:
    """A slice, without the axes that an integer stands for, and with new ones."""
    axis = 0
    slices: list[tuple[int, Any, Any, int]] = []
    gone: list[int] = []
    new: list[int] = []
    index = _without_ellipsis(call.index, call.rank(0))
    for part in index:
        if part is None:
            new.append(axis - len(gone) + len(new))
            continue
        if isinstance(part, int):
            slices.append((axis, part, part + 1 or _END, 1))
        elif isinstance(part, Size):
            slices.append((axis, part, Size((*part.terms, (1, ()))), 1))
        else:
            slices.append((axis, *_slice(part)))
        if isinstance(part, (int, Size)):
            gone.append(axis)
        axis += 1
    x = call.input(0)
    slices = [each for each in slices if each[1:] != (0, _END, 1)]
    if slices:
        axes, starts, ends, steps = map(list, zip(*slices, strict=True))
        given = [call.graph.ints(each) for each in (starts, ends, axes, steps)]
        x = call.graph.add("Slice", x, *given)
    if gone:
        x = call.graph.add("Squeeze", x, call.graph.ints(gone))
    return call.graph.add("Unsqueeze", x, call.graph.ints(new)) if new else x


_END = np.iinfo(np.int64).max


def _slice(part: tuple[Any, ...]) -> tuple[Any, Any, int]:
    start, end, step = part
    step = 1 if step is None else step
    if not isinstance(step, int):
        raise CannotBeWritten("its step depends on an unknown dimension")
    if step < 0:
        return _END if start is None else start, -_END if end is None else end, step
    return start or 0, _END if end is None else end, step


def _without_ellipsis(index: tuple[Any, ...], rank: int) -> list[Any]:
    """The index with one part for each axis."""
    used = sum(part is not None and part is not ... for part in index)
    rest = [(None, None, None)] * (rank - used)
    if ... not in index:
        return [*index, *rest]
    place = index.index(...)
    return [*index[:place], *rest, *index[place + 1 :]]


@writes("PadV2")
def _pad(call: OnnxStep) -> str:
    begins, ends = zip(*call.paddings, strict=True)
    widths = call.graph.ints([*begins, *ends])
    return call.graph.add(
        "Pad", call.input(0), widths, call.graph.constant(call.value, call.out.dtype)
    )


@writes("ReverseV2")
def _reverse(call: OnnxStep) -> str:
    count = len(call.axis)
    if not count:
        return call.input(0)
    rows = [[-1] * count, [-_END] * count, list(call.axis), [-1] * count]
    return call.graph.add("Slice", call.input(0), *[call.graph.ints(row) for row in rows])


@writes("Roll")
def _roll(call: OnnxStep) -> str:
    x = call.input(0)
    for shift, axis in zip(call.shift, call.axis, strict=True):
        length = call.shape(0)[axis]
        if length is None:
            raise CannotBeWritten("it rolls along an unknown dimension")
        cut = -shift % length if length else 0
        if cut:
            sizes = call.graph.ints([cut, length - cut])
            front, back = call.graph.add_several("Split", 2, x, sizes, axis=axis)
            x = call.graph.add("Concat", back, front, axis=axis)
    return x


@writes("GatherV2")
def _gather(call: OnnxStep) -> str:
    return call.graph.add("Gather", call.input(0), call.input(1), axis=call.axis)


@writes("TakeRows")
def _take_rows(call: OnnxStep) -> str:
    graph, places = call.graph, call.input(1, np.int64)
    zero = graph.constant(np.int64(0))
    axis = call.rank(0) - call.attrs["rank"]
    taken = graph.add("Gather", call.input(0), graph.add("Max", places, zero), axis=axis)
    along = graph.ints([-1] + [1] * (call.attrs["rank"] - 1))
    there = graph.add("Reshape", graph.add("GreaterOrEqual", places, zero), along)
    return graph.where(there, taken, graph.constant(0, call.out.dtype), call.out.dtype)


@writes("ResourceGather")
def _table(call: OnnxStep) -> str:
    return call.graph.add("Gather", call.input(0), call.input(1), axis=0)


@writes("TakeAlong")
def _take_along(call: OnnxStep) -> str:
    return call.graph.add("GatherElements", call.input(0), call.input(1), axis=call.axis)


@writes("OneHot")
def _one_hot(call: OnnxStep) -> str:
    """Where the positions are the index; ONNX's own op counts negative ones from the end."""
    graph = call.graph
    along = graph.ints([-1] + [1] * (-call.axis - 1))
    line = Ramp((call.depth,), 0, (1,), np.dtype(np.int64))
    positions = graph.add("Reshape", graph.constant(line), along)
    places = graph.add("Unsqueeze", call.input(0, np.int64), graph.ints([call.axis]))
    on, off = [call.input(i, call.out.dtype) for i in (1, 2)]
    return graph.where(graph.add("Equal", places, positions), on, off, call.out.dtype)


@writes("MatrixBandPart")
def _band_part(call: OnnxStep) -> str:
    graph, x = call.graph, call.input(0)
    if call.num_lower >= 0:
        x = graph.add("Trilu", x, graph.constant(np.int64(-call.num_lower)), upper=1)
    if call.num_upper >= 0:
        x = graph.add("Trilu", x, graph.constant(np.int64(call.num_upper)), upper=0)
    return x
