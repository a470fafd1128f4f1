"""Tensors made of nothing but a shape or a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, is_tensor
from ...engine.dtype_kinds import REAL
from ...engine.free_memory import check_memory
from ...engine.op import op
from ...engine.primitives import BroadcastTo, OnesLike, ZerosLike
from ...engine.shapes import Shape, written
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError, out_of_memory
from ...public import public
from ..arguments import (
    axis_from_right,
    common_shape,
    integer,
    memory_for,
    not_negative,
    shape_argument,
    tensor_of,
    whole,
)
from ..elementwise.casting import cast
from ..elementwise.comparison import less
from .joining import concat
from .shaping import expand_dims
from .tiling import broadcast_to

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, IntLike, ShapeLike, TensorLike
    from ...engine.op import Op
    from ...engine.tensor import Array, Tensor


def _sizes(op: str, shape: ShapeLike) -> Shape:
    sizes = shape_argument(shape)
    if min(sizes, default=0) < 0:
        raise InvalidArgumentError(f"Dimension {min(sizes)} must be >= 0 [Op:{op}]")
    return sizes


def _filled(shape: Shape, value: int, dtype: np.dtype[Any]) -> Tensor:
    """A constant; zeros cost nothing until they are touched."""
    if dtype.kind != "O":
        try:
            return wrap(np.full(shape, value, dtype)[()] if value else np.zeros(shape, dtype)[()])
        except (MemoryError, ValueError) as error:
            raise out_of_memory("Fill", shape, error) from None
    if value:
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    check_memory("Fill", shape)
    return wrap(np.full(shape, b"", object))


def _dtype(name: str, shape: ShapeLike, dtype: object) -> np.dtype[Any]:
    """The dtype to fill a shape with; a number is more likely a length that lost its list."""
    if type(dtype) is int and not isinstance(shape, (list, tuple)):
        whole = f"{[*shape_argument(shape), dtype]}"
        raise TypeError(
            f"tf.{name} got {dtype} for `dtype`, its second argument. The shape is one list, "
            f"tf.{name}({whole}); a dtype is tf.float32, for example."
        )
    return dtypes.as_dtype(dtype).dtype


@public("zeros")
def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """A tensor of zeros.

    >>> import cinta as tf
    >>> tf.zeros([2, 2]).numpy()
    array([[0., 0.],
           [0., 0.]], dtype=float32)

    Args:
        shape: The shape.
        dtype: The dtype.
        layout: Accepted for DTensor; a tensor on one device has none.

    Raises:
        InvalidArgumentError: If a length is negative.
    """
    return _filled(_sizes("Fill", shape), 0, _dtype("zeros", shape, dtype))


@public("ones")
def ones(
    shape: ShapeLike,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """A tensor of ones.

    >>> import cinta as tf
    >>> tf.ones([3], tf.int32).numpy()
    array([1, 1, 1], dtype=int32)

    Args:
        shape: The shape.
        dtype: The dtype.
        layout: Accepted for DTensor; a tensor on one device has none.
    """
    return _filled(_sizes("Fill", shape), 1, _dtype("ones", shape, dtype))


@public("zeros_like")
def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Zeros of the shape and, if no other is given, the dtype of a tensor.

    >>> import cinta as tf
    >>> tf.zeros_like([1.0, 2.0]).numpy()
    array([0., 0.], dtype=float32)

    Args:
        input: A tensor.
        dtype: The dtype; None for that of ``input``.
        layout: Accepted for DTensor; a tensor on one device has none.
    """
    return _alike(ZerosLike, 0, as_tensor(input), dtype)


@public("ones_like")
def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Ones of the shape and, if no other is given, the dtype of a tensor.

    >>> import cinta as tf
    >>> tf.ones_like([1, 2]).numpy()
    array([1, 1], dtype=int32)

    Args:
        input: A tensor.
        dtype: The dtype; None for that of ``input``.
        layout: Accepted for DTensor; a tensor on one device has none.
    """
    return _alike(OnesLike, 1, as_tensor(input), dtype)


def _alike(op: Op, value: int, tensor: Tensor, dtype: object) -> Tensor:
    """A tensor of this value in the tensor's shape, by the op if its dtype is to be the same."""
    wanted = tensor._array.dtype if dtype is None else dtypes.as_dtype(dtype).dtype
    if wanted != tensor._array.dtype or wanted.kind == "O":
        return _filled(tensor._array.shape, value, wanted)
    return op(tensor)


@public("fill")
def fill(
    dims: ShapeLike, value: TensorLike, name: str | None = None, layout: object = None
) -> Tensor:
    """A tensor that has this value everywhere.

    >>> import cinta as tf
    >>> tf.fill([2], 7).numpy()
    array([7, 7], dtype=int32)

    Args:
        dims: The shape.
        value: A number, boolean or string.
        layout: Accepted for DTensor; a tensor on one device has none.

    Raises:
        InvalidArgumentError: If a length is negative, or ``value`` is not a scalar.
    """
    scalar = as_tensor(value)
    if scalar._array.ndim:
        raise InvalidArgumentError(
            f"value must be a scalar. Got shape {written(scalar._array.shape)} [Op:Fill]; to "
            "repeat a tensor use tf.broadcast_to or tf.tile."
        )
    return BroadcastTo(scalar, shape=_sizes("Fill", dims), rank=0)


@public("eye", "linalg.eye")
def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    batch_shape: ShapeLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix, or a batch of them; not square if ``num_columns`` says so.

    >>> import cinta as tf
    >>> tf.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)

    Args:
        num_rows: The number of rows.
        num_columns: The number of columns; None for as many as rows.
        batch_shape: The shape of the batch of matrices; None for one matrix.
        dtype: The dtype.

    Raises:
        InvalidArgumentError: If a length is negative.
    """
    if num_rows is None:
        raise TypeError("`num_rows` must be a whole number that is not negative, got None.")
    kind = dtypes.as_dtype(dtype)
    if kind == dtypes.string:
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string.")
    rows = integer(num_rows, "num_rows")
    columns = rows if num_columns is None else integer(num_columns, "num_columns")
    batch = () if batch_shape is None else shape_argument(batch_shape, "batch_shape")
    shape = _sizes("Fill", (*batch, rows, columns))
    try:
        matrix = np.eye(*shape[-2:], dtype=kind.dtype)
        return wrap(np.array(np.broadcast_to(matrix, shape)))
    except (MemoryError, ValueError) as error:
        raise out_of_memory("MatrixDiagV3", shape, error) from None


@op("OneHot")
def OneHot(
    xp: ArrayModule, indices: Array, on: Array, off: Array, *, depth: int, axis: int
) -> Array:
    """``on`` where the position along a new axis is the index, ``off`` elsewhere."""
    if xp is np:
        places = indices.reshape(-1)
        rows = np.flatnonzero((places >= 0) & (places < depth))
        vectors = np.full((places.size, depth), off)
        vectors[rows, places[rows]] = on
        return np.moveaxis(vectors.reshape(*indices.shape, depth), -1, axis)
    along = (-1,) + (1,) * (-axis - 1)
    positions = xp.reshape(xp.arange(depth), along)
    return xp.where(xp.expand_dims(indices, axis) == positions, on, off)


OneHot.no_grad()


@public("one_hot")
def one_hot(
    indices: TensorLike,
    depth: IntLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: IntLike | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Vectors that are 1 at an index and 0 elsewhere, along a new axis: the last one.

    An index that is out of range gives a vector of zeros.

    >>> import cinta as tf
    >>> tf.one_hot([0, 2], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)

    Args:
        indices: Integers.
        depth: The length of the vectors.
        on_value: What stands at the index; None for 1.
        off_value: What stands elsewhere; None for 0.
        axis: Where the new axis stands; None for the last.
        dtype: The dtype; None for that of the values, or float32.

    Raises:
        InvalidArgumentError: If ``depth`` is negative, or the indices are not integers.
        TypeError: If the dtypes of the values do not agree.
    """
    where = whole(indices)
    count = integer(depth, "depth")
    if count < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {count} [Op:OneHot]")
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    given = [
        as_tensor(v, None if is_tensor(v) else wanted)
        for v in (on_value, off_value)
        if v is not None
    ]
    found = wanted or (given[0]._array.dtype if given else np.dtype(np.float32))
    for value in given:
        if value._array.dtype != found:
            raise TypeError(
                f"on_value, off_value and dtype of tf.one_hot must agree, got {value.dtype!r} "
                f"beside {dtypes.of(found)!r}."
            )
    on = _filled((), 1, found) if on_value is None else as_tensor(on_value, found)
    off = _filled((), 0, found) if off_value is None else as_tensor(off_value, found)
    last = -1 if axis is None else axis
    position = axis_from_right("OneHot", last, where._array.ndim + 1)
    return OneHot(where, on, off, depth=count, axis=position)


@public("linspace")
def linspace(
    start: TensorLike, stop: TensorLike, num: IntLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """Evenly spaced numbers from ``start`` to ``stop``, both included.

    >>> import cinta as tf
    >>> tf.linspace(0.0, 1.0, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)

    Args:
        start: The first number, or a tensor of first numbers.
        stop: The last number, of the same shape.
        num: How many numbers to give.
        axis: Where the axis of the numbers stands in the result.

    Raises:
        InvalidArgumentError: If there is no such axis, or ``num`` is negative.
    """
    first = as_tensor(start)
    last = as_tensor(stop, first._array.dtype)
    if first._array.dtype.kind in "iu":
        wide = dtypes.float32 if first._array.dtype.itemsize < 4 else dtypes.float64
        first, last = cast(first, wide), cast(last, wide)
    count = integer(num, "num")
    if count < 0:
        raise InvalidArgumentError(f"Requires num >= 0: {count} [Op:LinSpace]")
    shape = common_shape("LinSpace", first._array.shape, last._array.shape)
    first, last = broadcast_to(first, shape), broadcast_to(last, shape)
    position = axis_from_right("LinSpace", axis, len(shape) + 1)
    low, high = expand_dims(first, position), expand_dims(last, position)
    if count < 3:
        return concat([low, high], position)[(..., slice(count)) + (slice(None),) * (-position - 1)]
    try:
        steps = np.arange(1, count - 1, dtype=first._array.dtype)
    except (MemoryError, ValueError) as error:
        raise out_of_memory("LinSpace", (count,), error) from None
    between = wrap(steps.reshape((-1,) + (1,) * (-position - 1)))
    return concat([low, low + (high - low) / (count - 1) * between, high], position)


def _count_of_places(maxlen: object) -> int:
    if np.ndim(as_tensor(maxlen)._array):
        raise ValueError(f"Argument `maxlen` must be scalar for sequence_mask, received {maxlen}.")
    return not_negative(maxlen, "maxlen", "SequenceMask")


@public("sequence_mask")
def sequence_mask(
    lengths: TensorLike,
    maxlen: TensorLike | None = None,
    dtype: DTypeLike = dtypes.bool,
    name: str | None = None,
) -> Tensor:
    """For each length n a vector in which the first n elements are true.

    >>> import cinta as tf
    >>> tf.sequence_mask([1, 3]).numpy()
    array([[ True, False, False],
           [ True,  True,  True]])

    Args:
        lengths: Integers.
        maxlen: The length of the vectors; None for the largest of the lengths.
        dtype: The dtype; with another than bool there are ones and zeros.

    Raises:
        ValueError: If ``maxlen`` is not a scalar.
    """
    from .length_rules import end_of  # few programs need it

    ends = tensor_of("SequenceMask", lengths, REAL)
    count = end_of(ends, "longest") if maxlen is None else _count_of_places(maxlen)
    with memory_for("SequenceMask", (ends._array.size, count)):
        places = wrap(np.arange(count).astype(ends._array.dtype))
        return cast(less(places, expand_dims(ends, -1)), dtype)
