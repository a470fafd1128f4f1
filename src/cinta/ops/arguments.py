"""Arguments that are not differentiated - axes, shapes, counts - checked and made plain."""

from __future__ import annotations

from contextlib import contextmanager
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..dtypes import DType, as_dtype, int32, int64, of
from ..engine.convert import as_tensor, is_tensor
from ..engine.dtype_kinds import FLOATING, kind_of, refused_dtype
from ..engine.free_memory import check_memory
from ..engine.shapes import TensorShape, written
from ..engine.tensor import seen
from ..errors import InvalidArgumentError, out_of_memory

_Kind = TypeVar("_Kind")
_WHOLE = (int32, int64)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import DTypeLike, IntLike, TensorLike
    from ..engine.shapes import Shape
    from ..engine.tensor import Array, Tensor


def integers(value: Any, argument: str) -> tuple[int, ...]:
    """A number, or a list, array or tensor of whole numbers, as a tuple of ints.

    Floats that NumPy computed are taken too, if they are whole, and so are Python's bools, which
    are numbers in Python.
    """
    if type(value) is int and _FEWEST <= value <= _MOST:
        return (value,)
    if type(value) in (tuple, list) and all([type(n) is int for n in value]):
        return tuple([in_range(n, argument) for n in value])
    array = np.asarray(seen(as_tensor(value)))
    if isinstance(value, np.ndarray) and is_whole(array):
        array = array.astype(np.int64)
    if array.dtype.kind == "b" and not is_tensor(value):
        array = array.astype(np.int64)
    if array.size and array.dtype.kind not in "iu":
        if isinstance(value, (float, complex, str, bytes)):
            raise TypeError(
                f"Cannot convert {value!r} to EagerTensor of dtype int32: `{argument}` must be "
                "whole numbers."
            )
        raise InvalidArgumentError(
            f"Value for attr 'T{argument}' of {of(array.dtype).kernel_name} is not in the list of "
            f"allowed values: int32, int64: `{argument}` must be whole numbers, got {value!r}."
        )
    if array.ndim > 1:
        raise InvalidArgumentError(
            f"`{argument}` must be a vector of whole numbers, not of shape {written(array.shape)}: "
            f"got {value!r}."
        )
    return tuple(array.tolist()) if array.ndim else (array.item(),)


def is_whole(array: Array) -> bool:
    """Whether these are floats that are whole, and small enough to be exact."""
    return array.dtype.kind == "f" and bool(
        np.all((np.rint(array) == array) & (np.abs(array) < 2**53))
    )


def integer(value: object, argument: str) -> int:
    """One whole number."""
    if type(value) is int and _FEWEST <= value <= _MOST:
        return value
    given = integers(value, argument)
    if len(given) != 1:
        raise InvalidArgumentError(
            f"'{argument}' must be a tensor with a single value: {argument} should be a scalar, "
            f"got {value!r}."
        )
    return given[0]


def not_negative(
    value: object,
    argument: str,
    op: str = "",
    error: type[Exception] = InvalidArgumentError,
) -> int:
    """One whole number that is not negative."""
    found = integer(value, argument)
    if found < 0:
        place = f" [Op:{op}]" if op else "."
        raise error(f"`{argument}` must not be negative, got {found}{place}")
    return found


_FEWEST, _MOST = -(2**63), 2**63 - 1


def in_range(value: int, argument: str) -> int:
    """The number, if 64 bits can hold it."""
    if not _FEWEST <= value <= _MOST:
        raise ValueError(f"'{argument}' is out of range: {_written(value)}.")
    return value


def _written(value: int) -> str:
    bits = value.bit_length()
    return repr(value) if bits < 100 else f"a number of {bits} bits"


@contextmanager
def memory_for(op: str, shape: Sequence[int], size_of_one: int = 8) -> Iterator[None]:
    """Make arrays of a shape that people chose, or say that they do not fit into memory."""
    check_memory(op, shape, size_of_one)
    try:
        yield
    except (MemoryError, OverflowError) as error:
        raise out_of_memory(op, tuple(shape), MemoryError(str(error))) from None


# -- attributes: what TensorFlow takes as plain Python values alone ------------------------------


def flag(value: Any, argument: str) -> bool:
    """True or False, or a number that stands for one of them."""
    if value is True or value is False:
        return value
    if value is None:
        return False
    array = plain_array(value)
    if array is None or array.ndim or array.dtype.kind not in "biu" or array.item() not in (0, 1):
        raise TypeError(f"Expected bool for argument '{argument}' not {value!r}.")
    return bool(array)


def flags(**given: object) -> None:
    """Look at arguments that change no result here: each must be True or False, too."""
    for argument, value in given.items():
        flag(value, argument)


def text(value: str, argument: str) -> str:
    """A string."""
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"Expected string for argument '{argument}' not {value!r}.")
    return value if isinstance(value, str) else value.decode(errors="surrogateescape")


def listed(value: Any, argument: str) -> list[Any]:
    """The items of a list, a tuple or a tensor."""
    try:
        if not isinstance(value, (str, bytes)):
            return list(value)
    except TypeError:
        pass
    raise TypeError(f"Expected list for argument '{argument}' not {value!r}.")


def number(value: Any, argument: str) -> float:
    """One real number."""
    if type(value) is float or (type(value) is int and _FEWEST <= value <= _MOST):
        return value
    array = plain_array(value)
    if array is None or array.size != 1 or array.dtype.kind not in "fiub":
        raise TypeError(f"Expected float for argument '{argument}' not {value!r}.")
    return float(array.item())


def whole_number(value: Any, argument: str) -> int:
    """One whole number."""
    if type(value) is int and _FEWEST <= value <= _MOST:
        return value
    array = plain_array(value)
    if array is None or array.size != 1 or array.dtype.kind not in "iub":
        raise TypeError(f"Expected int for argument '{argument}' not {value!r}.")
    return int(array.item())


def unbounded(value: IntLike, argument: str) -> int:
    """One whole number of any length, as seeds are."""
    return value if type(value) is int else whole_number(value, argument)


def whole_numbers(value: Any, argument: str) -> tuple[int, ...]:
    """A whole number, or a list of them."""
    array = plain_array(value)
    if array is None or array.ndim > 1 or (array.size and array.dtype.kind not in "iub"):
        raise TypeError(f"Expected int for argument '{argument}' not {value!r}.")
    return tuple([int(n) for n in array.reshape(-1)])


def checked_callable(value: object, argument: str) -> Callable[..., Any]:
    """A function, or what else can be called."""
    if not callable(value):
        raise TypeError(f"'{argument}' must be callable, got {value!r}.")
    function: Callable[..., Any] = value
    return function


def instance(value: object, kind: type[_Kind], argument: str) -> _Kind:
    """The value, which must be of a class of this package."""
    if not isinstance(value, kind):
        raise TypeError(f"`{argument}` must be a {kind.__name__}, got {value!r}.")
    return value


def plain_array(value: TensorLike) -> Array | None:
    """The value as an array, or None if it cannot be one."""
    try:
        return np.asarray(seen(as_tensor(value)))
    except (TypeError, ValueError, InvalidArgumentError):
        return None


# -- axes ----------------------------------------------------------------------------------------


def axis_from_right(
    op: str,
    axis: object,
    rank: int,
    argument: str = "axis",
    error: type[Exception] = InvalidArgumentError,
) -> int:
    """An axis counted from the right, as rules need it: -1 is the last."""
    given = integer(axis, argument)
    if not -rank <= given < rank:
        reason = _OF_AXES.get(op, "Argument `{argument}` = {given} not in range [{low}, {high})")
        words = reason.format(
            argument=argument, given=given, low=-rank, high=rank, least=max(given + 1, -given)
        )
        raise error(
            f"Invalid {argument} {given}: it is out of range, for an input with {rank} "
            f"dimension(s). {words} [Op:{op}]"
        )
    return given - rank if given >= 0 else given


_SCANNED = "Expected scan axis in the range [{low}, {high})"
_REDUCED = "Invalid reduction dimension {given} for input with {high} dimension(s)"
_OF_AXES = {
    **dict.fromkeys(("Cumprod", "Cumsum", "CumulativeLogsumexp"), _SCANNED),
    **dict.fromkeys(("All", "Any", "Max", "Mean", "Min", "Prod", "Sum"), _REDUCED),
    **dict.fromkeys(("SparseReduceMax", "SparseReduceSum"), _REDUCED),
    "QuantizeAndDequantize": "Shape must be at least rank {least} but is rank {high}",
    "SparseSplit": "axis should be in range [{low}, {high})",
    "TopKV2": "slice index {given} of dimension 0 out of bounds",
}
"""TensorFlow's words for an axis that is out of range, by ops."""


def axes_from_right(op: str, axis: object, rank: int) -> tuple[int, ...]:
    """The axes to reduce, counted from the right and in order; None means all."""
    if axis is None:
        return tuple(range(-rank, 0))
    if type(axis) is int and -rank <= axis < rank:
        return (axis - rank if axis >= 0 else axis,)
    return tuple(sorted(different_axes(op, axis, rank)))


def different_axes(op: str, axis: object, rank: int, argument: str = "axis") -> tuple[int, ...]:
    """Axes counted from the right, each named once."""
    axes = [axis_from_right(op, each, rank, argument) for each in integers(axis, argument)]
    if len(set(axes)) < len(axes):
        twice = next(each for each in axes if axes.count(each) > 1)
        raise InvalidArgumentError(
            f"Invalid {argument} {axis}: axis {twice + rank} specified more than once. Axes "
            f"contains duplicate dimension: {twice + rank} [Op:{op}]"
        )
    return tuple(axes)


def index_type(
    op: str,
    given: DTypeLike | None,
    argument: str,
    default: DType = int32,
    allowed: Sequence[DType] = _WHOLE,
) -> np.dtype[Any]:
    """The dtype in which an op is to give indices or counts; the default for None."""
    wanted = default if given is None else as_dtype(given)
    if wanted not in allowed:
        raise InvalidArgumentError(
            f"Value for attr '{argument}' of {wanted.kernel_name} is not in the list of allowed "
            f"values: {', '.join(each.name for each in allowed)} [Op:{op}]"
        )
    return wanted.dtype


def common_shape(op: str, *shapes: Shape) -> Shape:
    """The shape that tensors of these shapes are broadcast to."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        written_out = " vs. ".join(map(written, shapes))
        raise InvalidArgumentError(f"Incompatible shapes: {written_out} [Op:{op}]") from None


def shape_argument(shape: object, argument: str = "shape") -> Shape:
    """A shape given as numbers, a list, a TensorShape or a tensor."""
    if isinstance(shape, (list, tuple, TensorShape)):
        try:
            return tuple([in_range(index(n), argument) for n in shape])
        except TypeError:  # a variable among them, a float in a tensor, or no number
            return integers([int(n) if is_scalar(n) else n for n in shape], argument)
    return integers(shape, argument)


def is_scalar(value: object) -> bool:
    """Whether this is a tensor or variable of one number."""
    return is_tensor(value) and as_tensor(value)._array.ndim == 0


def tensor_of(op: str, value: object, kinds: str = FLOATING) -> Tensor:
    """The value as a tensor whose dtype is of a kind that the op takes."""
    tensor = as_tensor(value)
    if kind_of(tensor._array.dtype) not in kinds:
        raise refused_dtype(op, tensor, kinds)
    return tensor


def whole(indices: TensorLike) -> Tensor:
    """Indices as a tensor of whole numbers."""
    tensor = as_tensor(indices)
    if tensor._array.dtype.kind in "iu":
        return tensor
    if not tensor._array.size and not hasattr(indices, "dtype"):
        return as_tensor(np.zeros(tensor._array.shape, np.int32))
    raise InvalidArgumentError(
        f"Value for attr 'Tindices' of {tensor.dtype.kernel_name} is not in the list of allowed "
        f"values: int16, int32, int64. Indices must be whole numbers: tf.cast(indices, tf.int32)."
    )
