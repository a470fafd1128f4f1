"""How an op that was called on one row is called on all rows at once.

The rows are stacked along an axis in front of their own. Three kinds of ops work on stacks as they
are: elementwise ones; those whose inputs broadcast; and those declared with ``rowwise=True``, which
count axes from the right, so that axes in front of all their inputs stay what they are. Some need
their arguments changed first (`RULES`). Any other op is called row by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.op import originate
from ...engine.primitives import BroadcastTo, Pack, Reshape, Square, Transpose
from ...engine.record_calls import record_again
from ...engine.tensor import Tensor, as_wrapped
from ..arrays.gathering import Gather, gather
from ..arrays.joining import unstack
from ..reductions.reduction import Sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.op import Op
    from ...engine.shapes import Shape
    from ...engine.tensor import Array


class DiffersByRow(ValueError):
    """The results of an op have other shapes for other rows."""


class RowCall(NamedTuple):
    """A call of an op on one row, and of each input that depends on it the values for all rows."""

    op: Op
    inputs: Sequence[Any]
    stacks: Sequence[Tensor | None]
    attrs: dict[str, Any]
    results: Sequence[Array]
    several: bool
    length: int

    @property
    def stacked(self) -> list[Any]:
        """The inputs, stacked where they depend on the row."""
        pairs = zip(self.inputs, self.stacks, strict=True)
        return [x if stack is None else stack for x, stack in pairs]

    def shape_of(self, position: int) -> Shape:
        """The shape of an input in one row."""
        given = self.inputs[position]
        return np.shape(given._array if type(given) is Tensor else given)

    def depends(self, *positions: int) -> bool:
        """Whether one of these inputs depends on the row."""
        return any(self.stacks[i] is not None for i in positions)

    def run(self, inputs: Sequence[Any], **attrs: object) -> list[Tensor]:
        """The results of the op on stacked inputs, perhaps with other attributes."""
        out: Any = self.op(*inputs, **self.attrs | attrs)
        return list(out) if type(out) is tuple else [out]


def on_all_rows(call: RowCall) -> list[Tensor]:
    """The results for all rows, each with the rows along its first axis."""
    found = _rule(call)(call)
    for stack, row in zip(found, call.results, strict=True):
        if stack._array.shape != (call.length, *row.shape):
            raise DiffersByRow(f"it gives shape {stack.shape} for {call.length} of {row.shape}")
    return found


def _rule(call: RowCall) -> Callable[[RowCall], list[Tensor]]:
    op = call.op
    if op.effects:
        return one_by_one
    if op.name in RULES:
        return RULES[op.name]
    if op.broadcasts is not None:
        return broadcast if op.elementwise else mapped_with_equal_ranks
    return mapped if op.elementwise or op.rowwise else one_by_one


def broadcast(call: RowCall) -> list[Tensor]:
    """Call an op that broadcasts the axes in front of its inputs."""
    return call.run(_with_equal_ranks(call))


def mapped(call: RowCall) -> list[Tensor]:
    """Call an op that wants the axis of the rows in all its inputs."""
    return call.run(_all_stacked(call, call.stacked))


def mapped_with_equal_ranks(call: RowCall) -> list[Tensor]:
    """Call such an op whose inputs need as many axes each."""
    return call.run(_all_stacked(call, _with_equal_ranks(call)))


def _with_equal_ranks(call: RowCall) -> list[Any]:
    """The inputs, those that are stacked with axes of length 1 where rows of others have more."""
    shapes = [call.shape_of(i) for i in range(len(call.inputs))]
    rank = max(map(len, shapes))
    given = call.stacked
    for i, shape in enumerate(shapes):
        if call.depends(i) and len(shape) < rank:
            ones = (1,) * (rank - len(shape))
            given[i] = Reshape(given[i], shape=(call.length, *ones, *shape))
    return given


def _all_stacked(call: RowCall, given: Sequence[Any]) -> list[Any]:
    """These inputs, with rows that are all alike where there are none."""
    return [x if call.depends(i) else _repeated(x, call.length) for i, x in enumerate(given)]


def _repeated(value: object, count: int) -> Any:
    """A value that is the same for all rows, for each of them; a number of Python's as it is."""
    if not isinstance(value, (Tensor, np.ndarray, np.generic)):
        return value
    tensor = as_wrapped(value)
    shape = tensor._array.shape
    return BroadcastTo(tensor, shape=(count, *shape), rank=len(shape))


def one_by_one(call: RowCall) -> list[Tensor]:
    """Call an op for each row; what it does beside giving results is done for the first."""
    columns = [None if stack is None else unstack(stack) for stack in call.stacks]
    rows = [
        [x if column is None else column[i] for x, column in zip(call.inputs, columns, strict=True)]
        for i in range(call.length)
    ]
    if call.op.effects:
        results = [record_again(call.op, rows[0], call.attrs, call.results, call.several)]
        results += [originate(call.op, *row, **call.attrs) for row in rows[1:]]
    else:
        results = [call.op(*row, **call.attrs) for row in rows]
    each = [x if type(x) is tuple else (x,) for x in results]
    return [_stacked(parts) for parts in zip(*each, strict=True)]


def _stacked(parts: Sequence[Tensor]) -> Tensor:
    shapes = {part._array.shape for part in parts}
    if len(shapes) > 1:
        raise DiffersByRow(f"it gives shapes {sorted(shapes)}")
    stack: Tensor = Pack(*parts, axis=-1 - parts[0]._array.ndim)
    return stack


# -- ops whose arguments speak of whole shapes -----------------------------------------------------


def _reshape(call: RowCall) -> list[Tensor]:
    return call.run(call.stacked, shape=(call.length, *call.results[0].shape))


def _along_axis(call: RowCall) -> list[Tensor]:
    """Call an op that joins tensors along an axis."""
    axis = call.attrs["axis"]
    axis = axis - call.results[0].ndim if axis >= 0 else axis
    return call.run(_all_stacked(call, call.stacked), axis=axis)


def _half_sum_of_squares(call: RowCall) -> list[Tensor]:
    axes = tuple(range(-len(call.shape_of(0)), 0))
    return [Sum(Square(call.stacked[0]), axis=axes, keepdims=False) * 0.5]


def _gather(call: RowCall) -> list[Tensor]:
    """Call gather: with a table or indices for each row, or both."""
    table, indices = call.stacked
    axis = call.attrs["axis"]
    if not call.depends(1):
        return call.run(call.stacked)
    if call.depends(0):
        return [gather(table, indices, axis=axis, batch_dims=1)]
    found = Gather(table, indices, axis=axis)
    before, rank = len(call.shape_of(0)) + axis, found._array.ndim
    order = (before, *[i for i in range(rank) if i != before])
    return [Transpose(found, perm=tuple([i - rank for i in order]))]


def _look_up(call: RowCall) -> list[Tensor]:
    """Call a look-up in a table that is the same for all rows."""
    return one_by_one(call) if call.depends(0) else call.run(call.stacked)


def _in_front_of_first(call: RowCall) -> list[Tensor]:
    """Call an op that takes axes in front of its first input, if the others are the same."""
    return one_by_one(call) if call.depends(1) else call.run(call.stacked)


def _as_larger_batch(call: RowCall) -> list[Tensor]:
    """Call a convolution with a filter that is the same for all rows: on the images of them all."""
    if call.depends(1):
        return one_by_one(call)
    images, filter = call.stacked
    batch, *rest = call.shape_of(0)
    (found,) = call.run((Reshape(images, shape=(call.length * batch, *rest)), filter))
    return [Reshape(found, shape=(call.length, *call.results[0].shape))]


RULES: dict[str, Callable[[RowCall], list[Tensor]]] = {
    "ConcatV2": _along_axis,
    "Conv2D": _as_larger_batch,
    "Conv2DBackpropInput": _as_larger_batch,
    "Conv3D": _as_larger_batch,
    "Conv3DBackpropInputV2": _as_larger_batch,
    "GatherV2": _gather,
    "L2Loss": _half_sum_of_squares,
    "MatMul": broadcast,
    "MatrixSolve": mapped_with_equal_ranks,
    "MatrixTriangularSolve": mapped_with_equal_ranks,
    "Pack": _along_axis,
    "Reshape": _reshape,
    "ResourceGather": _look_up,
    "ReverseSequence": _in_front_of_first,
    "ScatterRows": _in_front_of_first,
    "TakeRows": _in_front_of_first,
}
