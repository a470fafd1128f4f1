"""Indexing: parts of a tensor by position, by slices and by masks."""

from __future__ import annotations

import builtins
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...engine.arrays import at
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.primitives.reshaping import boxed
from ...engine.recorders import is_observed
from ...engine.shapes import written
from ...engine.tensor import Tensor, seen
from ...engine.variable import Variable
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer, shape_argument, whole_number
from .gathering import Gather
from .selecting import SelectV2, Where

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, IntLike, NumericLike, TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array

Part: TypeAlias = Any
"""An int, a slice as a tuple (start, stop, step), ``...`` or None for a new axis."""

Index: TypeAlias = tuple[Part, ...]

_ALL = builtins.slice(None)

_NOT_AN_INDEX = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
    "tf.int32/tf.int64 tensors are valid indices, got {!r}. To pick several rows use "
    "tf.gather(x, indices); to pick elements use tf.gather_nd(x, indices), or "
    "tf.boolean_mask(x, mask) for a mask of True and False."
)

# -- primitives --------------------------------------------------------------------------------


def numpy_index(index: Index, lead: int = 0) -> tuple[Any, ...]:
    """The index as NumPy takes it, for an array with so many axes more in front."""
    parts = tuple([builtins.slice(*part) if type(part) is tuple else part for part in index])
    return (builtins.slice(None),) * lead + parts if lead else parts


def _indexed_rank(index: Index, rank: int) -> int:
    """How many axes are left when a tensor of this rank is indexed."""
    # everything but a slice is a whole number, which XLA may not know yet
    return rank + sum([1 if p is None else -(p is not ... and type(p) is not tuple) for p in index])


@op("StridedSlice", moves=True, rowwise=True)
def StridedSlice(xp: ArrayModule, x: Array, *, index: Index, rank: int) -> Array:
    """A part of the ``rank`` last axes."""
    return boxed(x[numpy_index(index, x.ndim - rank)])


@op("StridedSliceGrad", moves=True, rowwise=True)
def StridedSliceGrad(xp: ArrayModule, x: Array, *, index: Index, shape: Shape) -> Array:
    """Zeros of this shape with ``x`` at the index."""
    lead = x.ndim - _indexed_rank(index, len(shape))
    zeros = xp.zeros(x.shape[:lead] + shape, x.dtype)
    where = numpy_index(index, lead)
    if xp is not np:
        return at(zeros, where).set(x)
    zeros[where] = x
    return zeros


def _put_back(g: Tensor, x_shape: Shape, index: Index, rank: int) -> Tensor:
    """The axes before the ``rank`` last ones were not indexed: they are taken as they are."""
    whole = ((None, None, None),) * (len(x_shape) - rank)
    return StridedSliceGrad(g, index=whole + index, shape=x_shape)


StridedSlice.grads(x=_put_back)
StridedSliceGrad.grads(x=lambda g, index, shape: StridedSlice(g, index=index, rank=len(shape)))

# -- x[...] ------------------------------------------------------------------------------------


def getitem(x: Tensor, key: Any) -> Tensor:
    """The result of ``x[key]``."""
    kind = type(key)
    if kind is int:
        index: Index = (key,)
    elif kind is tuple or kind is builtins.slice or not _is_mask(key):
        if _is_followed(key):
            return _gathered(x, key if kind is tuple else (key,))
        index = parsed(key)
    else:
        return boolean_mask(x, key)
    try:
        return on_one(StridedSlice, x, index=index, rank=x._array.ndim)
    except (InvalidArgumentError, IndexError):
        raise InvalidArgumentError(_cannot_slice(index, x._array.shape)) from None


def _is_followed(key: TensorLike | None) -> bool:
    """Whether a position is a tensor that a function is recorded for: it may be another later."""
    parts = key if type(key) is tuple else (key,)
    return any([type(part) is Tensor and is_observed(part) for part in parts])


def _gathered(x: Tensor, parts: tuple[Any, ...]) -> Tensor:
    """The result of ``x[parts]``; positions that are tensors are looked up last."""
    places = [k for k, part in enumerate(parts) if type(part) is Tensor]
    if any(parts[k]._array.ndim or parts[k]._array.dtype.kind not in "iu" for k in places):
        return getitem(x, tuple([seen(p) if type(p) is Tensor else p for p in parts]))
    found = getitem(x, tuple([_ALL if k in places else part for k, part in enumerate(parts)]))
    for k in reversed(places):
        ahead, behind = parts[:k], parts[k + 1 :]
        if any(part is ... for part in ahead):
            axis = -1 - sum([_keeps_axis(part) for part in behind])
        else:
            still_there = sum([_keeps_axis(part) or type(part) is Tensor for part in ahead])
            axis = still_there - found._array.ndim
        position, length = parts[k], found._array.shape[axis]
        found = Gather(found, SelectV2(position < 0, position + length, position), axis=axis)
    return found


def _keeps_axis(part: NumericLike | None) -> bool:
    return part is None or isinstance(part, builtins.slice)


def parsed(key: TensorLike | None) -> Index:
    """The index that a key in brackets means; a list means what a tuple does."""
    parts = key if isinstance(key, (tuple, list)) else (key,)
    return tuple([part if type(part) is int else _part(part) for part in parts])


def _part(part: object) -> Part:
    if part is None or part is ...:
        return part
    if isinstance(part, builtins.slice):
        return _bound(part.start), _bound(part.stop), _bound(part.step)
    return _position(part)


def _bound(value: object) -> int | None:
    return value if value is None or type(value) is int else _position(value)


def _position(value: Any) -> int:
    """A whole number from whatever may stand for one in brackets."""
    array: Any = value.__tf_tensor__()._array if isinstance(value, Variable) else value
    array = array._array if type(array) is Tensor else array
    whole = isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "iu"
    if isinstance(array, int) and not isinstance(array, bool):
        return int(array)
    if not whole or array.ndim:
        raise TypeError(_NOT_AN_INDEX.format(value))
    return int(value)  # of a tensor, so that it is known that Python looked at it


def _is_mask(key: TensorLike | None) -> bool:
    if isinstance(key, bool):
        return True
    array = getattr(key, "_array", key)
    return isinstance(array, (np.ndarray, np.generic)) and array.dtype == bool


def _cannot_slice(index: Index, shape: Shape) -> str:
    """Why a tensor of this shape has no such part."""
    rank, used = len(shape), sum([part is not None and part is not ... for part in index])
    if not rank and used:
        return f"Attempting to slice scalar input. [Op:StridedSlice], index {index}"
    if index.count(...) > 1:
        return "Multiple ellipses in slice spec not allowed [Op:StridedSlice]"
    if used > rank:
        return (
            f"Index out of range using input dim {rank}; input has only {rank} dims "
            f"[Op:StridedSlice], index {index}. To pick several rows use tf.gather(x, indices)."
        )
    axis = 0
    for place, part in enumerate(index):
        if type(part) is int and not -shape[axis] <= part < shape[axis]:
            position = part + shape[axis] if part < 0 else part
            return f"slice index {position} of dimension {axis} out of bounds. [Op:StridedSlice]"
        if type(part) is tuple and part[2] == 0:
            return f"strides[{place}] must be non-zero [Op:StridedSlice]"
        axis += rank - used if part is ... else part is not None
    return f"index {index} does not fit shape {written(shape)} [Op:StridedSlice]"


def part_of_variable(variable: Variable, key: Any) -> Tensor:
    """The result of ``v[key]``: a tensor that can also assign to that part of the variable."""
    if not isinstance(variable, Variable):
        raise TypeError(f"`var` must be a tf.Variable, got {variable!r}.")
    part = getitem(variable._operand(), key)
    if not _is_mask(key):
        part.__dict__["assign"] = partial(_assign, variable, parsed(key))
    return part


def _assign(
    variable: Variable, index: Index, value: NumericLike, name: str | None = None
) -> Variable:
    """Give a part of a variable new values, which are broadcast to it."""
    array = variable._array
    new, place = as_tensor(value, array.dtype), numpy_index(index)
    part = np.broadcast_to(False, array.shape)[place].shape  # the array may lie on a mesh
    try:
        fits = np.broadcast_shapes(new._array.shape, part) == part
    except ValueError:
        fits = False
    if not fits:
        raise InvalidArgumentError(
            f"Cannot broadcast input shape {written(new.shape)} into final shape "
            f"{written(part)} [Op:ResourceStridedSliceAssign]"
        )
    return variable._assign_slice(place, new)


# -- functions ---------------------------------------------------------------------------------


@public("slice")
def slice(
    input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None
) -> Tensor:
    """The part that begins here and has this size; a size of -1 means all that is left.

    >>> import cinta as tf
    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)

    Args:
        input_: A tensor.
        begin: Where the part begins, along every axis.
        size: How long it is along every axis.

    Raises:
        InvalidArgumentError: If the part reaches beyond the tensor, or there are not as many
            numbers as axes.
    """
    x = as_tensor(input_)
    shape = x._array.shape
    starts, sizes = shape_argument(begin, "begin"), shape_argument(size, "size")
    if not len(starts) == len(sizes) == len(shape):
        raise InvalidArgumentError(
            "Expected begin and size arguments to be 1-D tensors of size "
            f"{len(shape)}, but got shapes [{len(starts)}] and [{len(sizes)}] instead. [Op:Slice]"
        )
    stops = [n if s == -1 else b + s for b, s, n in zip(starts, sizes, shape, strict=True)]
    for axis, (start, stop, length) in enumerate(zip(starts, stops, shape, strict=True)):
        if not 0 <= start <= length:
            raise InvalidArgumentError(
                f"Expected begin[{axis}] in [0, {length}], but got {start} [Op:Slice]"
            )
        if not start <= stop <= length:
            raise InvalidArgumentError(
                f"Expected size[{axis}] in [0, {length - start}], but got {sizes[axis]} [Op:Slice]"
            )
    index = tuple([(*ends, None) for ends in zip(starts, stops, strict=True)])
    return on_one(StridedSlice, x, index=index, rank=len(shape))


@public("strided_slice")
def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: TensorLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Variable | None = None,
    name: str | None = None,
) -> Tensor:
    """The part ``input_[begin[0]:end[0]:strides[0], ...]``.

    Bit i of a mask says of place i: its begin or its end is left out, it is ``...``, it is
    ``tf.newaxis``, or it is the position ``begin[i]``.

    >>> import cinta as tf
    >>> tf.strided_slice([1, 2, 3, 4], [0], [4], [2]).numpy()
    array([1, 3], dtype=int32)

    Args:
        input_: A tensor.
        begin: The first place along each axis.
        end: The place behind the last one, along each axis.
        strides: How far to go each time, which may be negative; None for 1.
        begin_mask: Of which places the begin is left out.
        end_mask: Of which places the end is left out.
        ellipsis_mask: Which place stands for all axes that are not listed.
        new_axis_mask: Which places are new axes of length 1.
        shrink_axis_mask: Which places are single positions, whose axes go.
        var: A variable to which the part may be assigned: the result then has ``assign``.

    Raises:
        InvalidArgumentError: If a stride is 0, or a single position is out of range.
        TypeError: If ``var`` is not a variable.
    """
    starts, stops = shape_argument(begin, "begin"), shape_argument(end, "end")
    steps = (1,) * len(starts) if strides is None else shape_argument(strides, "strides")
    if not len(starts) == len(stops) == len(steps):
        raise InvalidArgumentError(
            "Expected begin, end, and strides to be 1D equal size tensors, but got "
            f"{list(starts)}, {list(stops)} and {list(steps)} [Op:StridedSlice]"
        )
    begin_mask = whole_number(begin_mask, "begin_mask")
    end_mask = whole_number(end_mask, "end_mask")
    ellipsis_mask = whole_number(ellipsis_mask, "ellipsis_mask")
    new_axis_mask = whole_number(new_axis_mask, "new_axis_mask")
    shrink_axis_mask = whole_number(shrink_axis_mask, "shrink_axis_mask")

    def place(i: int) -> Any:
        bit = 1 << i
        if ellipsis_mask & bit:
            return ...
        if new_axis_mask & bit:
            return None
        if shrink_axis_mask & bit:
            return starts[i]
        start = None if begin_mask & bit else starts[i]
        stop = None if end_mask & bit else stops[i]
        return builtins.slice(start, stop, steps[i])

    key = tuple([place(i) for i in range(len(starts))])
    return getitem(as_tensor(input_), key) if var is None else part_of_variable(var, key)


@public("boolean_mask")
def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: IntLike | None = None, name: str = "boolean_mask"
) -> Tensor:
    """The elements, or slices, where the mask is true.

    >>> import cinta as tf
    >>> tf.boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)

    Args:
        tensor: The tensor to choose from.
        mask: Booleans with the lengths of its axes from ``axis`` on; not a scalar.
        axis: The first axis that the mask is about; None for 0.

    Raises:
        ValueError: If the mask is a scalar, or its lengths are others.
    """
    x, chosen = as_tensor(tensor), as_tensor(mask)
    shape, of_mask = x._array.shape, chosen._array.shape
    if not of_mask:
        raise ValueError(
            f"mask cannot be scalar. Its shape is that of the tensor's axes from `axis` on; got "
            f"{mask!r}."
        )
    first = 0 if axis is None else integer(axis, "axis")
    first = first + len(shape) if first < 0 else first
    last = first + len(of_mask)
    if shape[first:last] != of_mask:
        raise ValueError(
            f"Shapes {shape[first:last]} and {of_mask} are incompatible: the mask must have the "
            f"lengths of the tensor's axes from axis {first} on."
        )
    flat = (*shape[:first], chosen._array.size, *shape[last:])
    places = Reshape(Where(Reshape(chosen, shape=(-1,))), shape=(-1,))
    rows = on_one(Reshape, x, shape=flat)
    return Gather(rows, places, axis=first - len(flat))
