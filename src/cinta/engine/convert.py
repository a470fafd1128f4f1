"""From whatever people pass to tensors, by TensorFlow's rules and not by NumPy's.

Python numbers are float32 or int32, or take the dtype of the tensor beside them; NumPy arrays keep
their dtype, or are cast to that of the tensor beside them; tensors are never converted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import dtypes
from ..errors import InvalidArgumentError, out_of_memory
from ..public import public
from .arrays import array_of
from .captured_arrays import is_any_captured, read_captured
from .primitives import BroadcastTo, Cast, Convert, Pack, Reshape, StopGradient
from .registered_conversions import convert, registered
from .shapes import TensorShape, written
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from .annotations import DTypeLike, ShapeLike, TensorLike

    T = TypeVar("T", bound=TensorLike)


_PLAIN = frozenset((bool, int, float, complex, str, bytes))
"""Types whose values hold no tensor, which is what most lists are made of."""


constants_heard: list[Callable[[Tensor], None]] = []
"""Functions that hear of each tensor that ``tf.constant`` makes, on any thread."""


class Readable:
    """A value that people see being read when they convert it, as variables are."""

    def _visibly_read(self, dtype: dtypes.DType | None) -> Tensor:
        """The value as a tensor of its own."""
        raise NotImplementedError


@public("is_tensor")
def is_tensor(x: object) -> bool:
    """Whether the value is a tensor, or knows how to become one as variables and slices do.

    An object of a library says so by an attribute ``is_tensor_like``, and is converted as
    ``tf.register_tensor_conversion_function`` was told.

    >>> import cinta as tf
    >>> tf.is_tensor(tf.constant(1.0)), tf.is_tensor(tf.Variable(1.0)), tf.is_tensor(1.0)
    (True, True, False)

    Args:
        x: Anything.
    """
    return type(x) is Tensor or hasattr(x, "__tf_tensor__") or hasattr(x, "is_tensor_like")


def as_tensor(value: object, dtype: np.dtype[Any] | None = None) -> Tensor:
    """The value as a tensor, for an op that takes it as an input.

    ``dtype`` is a NumPy dtype or None. A variable is read without a trace of the reading: what
    depends on the tensor depends on the variable.
    """
    if type(value) is Tensor:
        tensor = value
    elif hasattr(value, "__tf_tensor__"):
        tensor = value.__tf_tensor__(None if dtype is None else dtypes.of(dtype), None)
    elif registered and (found := convert(value, dtype)) is not None:
        return found
    elif isinstance(value, (list, tuple)) and holds_tensor(value):
        return _pack(value, dtype)
    else:
        return _converted(value, dtype)
    if dtype is not None and tensor._array.dtype != dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.of(dtype).name} for Tensor with dtype "
            f"{tensor.dtype.name}: {tensor!r}. Use tf.cast(x, tf.{dtypes.of(dtype).name}); "
            "tensors are never converted silently."
        )
    return tensor


def _converted(value: object, dtype: np.dtype[Any] | None) -> Tensor:
    """A value that holds no tensor as a tensor, which recordings know if it is an input of them."""
    read = read_captured(value, dtype) if is_any_captured() else None
    return wrap(array_of(value, dtype)) if read is None else read


@public("convert_to_tensor")
def convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convert numbers, lists, arrays, variables and so on to a tensor; a tensor stays itself.

    >>> import cinta as tf
    >>> tf.convert_to_tensor([1, 2])
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>

    Args:
        value: What is to become a tensor.
        dtype: The dtype that it must have; a tensor of another one is refused.
        dtype_hint: The dtype to have if that is possible.

    Raises:
        ValueError: If the value is a tensor of another dtype, or does not become one.
        TypeError: If a number does not fit the dtype.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    if isinstance(value, Readable):
        value = value._visibly_read(None if wanted is None else dtypes.of(wanted))
    hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint).dtype
    if wanted is None and hint is not None and not is_tensor(value):
        try:
            return as_tensor(value, hint)
        except (TypeError, ValueError):
            pass  # a hint is only a wish
    return as_tensor(value, wanted)


@public("constant")
def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str = "Const",
) -> Tensor:
    """Make a tensor of a number, a list, a NumPy array.

    >>> import cinta as tf
    >>> tf.constant([[1.0, 2.0], [3.0, 4.0]]).shape
    TensorShape([2, 2])
    >>> tf.constant(7, shape=(2,))
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([7, 7], dtype=int32)>

    Args:
        value: A number, a string, nested lists of these, an array, or a tensor.
        dtype: The dtype; None for float32, int32 and so on, as the value asks for.
        shape: A shape to give the elements; a single one is repeated.

    Raises:
        ValueError: If lists are of different lengths.
        TypeError: If a value does not fit the dtype, or the elements do not fill the shape.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    if not is_tensor(value):
        if isinstance(value, (list, tuple)) and holds_tensor(value):
            raise ValueError(
                "tf.constant takes values, not a list of tensors, whose gradients would stop there "
                "(Scalar tensor has no `len()`). Use tf.stack([...]) or "
                "tf.convert_to_tensor([...])."
            )
        tensor = _converted(value, wanted)
    elif wanted is None or (given := getattr(value, "dtype", None)) == wanted:
        tensor = convert_to_tensor(value)
        if type(value) is not Tensor and tensor._recorder is not None:
            tensor = _stopped(tensor)  # the value of a variable
    else:
        raise TypeError(
            f"Expected tensor {value!s} with dtype {dtypes.of(wanted)!r}, but got dtype "
            f"{given!r}. Use tf.cast(x, {dtypes.of(wanted)!r})."
        )
    made = tensor if shape is None else _fill(tensor, shape)
    for hear in constants_heard:
        hear(made)
    return made


def _fill(tensor: Tensor, shape: ShapeLike) -> Tensor:
    """The tensor in this shape, which a single element fills."""
    wanted = TensorShape(shape)
    wanted.assert_is_fully_defined()
    lengths = tuple(wanted)
    if max(lengths, default=0) >= 2**63:
        raise ValueError(f"`shape` is out of range: no tensor is as long as {lengths}.")
    array = np.asarray(tensor._array)
    if array.size == 1 and tensor._recorder is not None:
        one = Reshape(tensor, shape=())
        return _stopped(BroadcastTo(one, shape=lengths, rank=0))
    if array.size == 1:
        try:
            return wrap(np.full(lengths, array.reshape(())))
        except (MemoryError, ValueError) as error:
            raise out_of_memory("Const", lengths, error) from None
    if array.size != np.prod(lengths, dtype=np.int64):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape: the value has {array.size} "
            f"elements, which do not fill the shape {lengths}."
        )
    if tensor._recorder is not None:
        return _stopped(Reshape(tensor, shape=lengths))
    return wrap(array.reshape(lengths))


def _stopped(tensor: Tensor) -> Tensor:
    """The value of a tensor or variable, untracked: recorders take it for a constant."""
    stopped: Tensor = StopGradient(tensor)
    return stopped


def match(op: str, x: object, y: object) -> tuple[Tensor, Tensor]:
    """The two inputs of an op as tensors of one dtype.

    The first tensor decides what numbers, lists and arrays become, wherever they stand.
    """
    if is_tensor(y) and not is_tensor(x):
        right = as_tensor(y)
        left = as_tensor(x, right._array.dtype)
    else:
        left = as_tensor(x)
        right = as_tensor(y, None if is_tensor(y) else left._array.dtype)
    check_same(op, left, right)
    return left, right


def kept(value: T) -> T | Tensor:
    """An array as a tensor, so that it keeps its dtype beside tensors of others; all else as it is.

    For ops whose inputs TensorFlow converts one by one.
    """
    if type(value) is Tensor or not hasattr(value, "dtype"):
        return value
    return as_tensor(value)


def check_same(op: str, *tensors: Tensor) -> None:
    """Refuse tensors of different dtypes, in TensorFlow's words."""
    first = tensors[0]._array.dtype
    for position, tensor in enumerate(tensors):
        if tensor._array.dtype != first:
            expected, given = dtypes.of(first), tensor.dtype
            raise InvalidArgumentError(
                f"cannot compute {op} as input #{position}(zero-based) was expected to be a "
                f"{expected.kernel_name} tensor but is a {given.kernel_name} tensor [Op:{op}]. "
                f"{_how_to_agree(expected, given)}"
            )


def _how_to_agree(first: dtypes.DType, second: dtypes.DType) -> str:
    """Which of two tensors to cast: an integer to the float, a wide float to the narrow one."""
    narrow, wide = sorted((first, second), key=lambda d: (_ORDER[d.kind], d.size))
    if "other" in (first.kind, second.kind):
        return "Strings become numbers by tf.strings.to_number, numbers strings by tf.as_string."
    if first.kind == second.kind == "floating":
        narrow, wide = wide, narrow
    written = ", or write 1.0 for 1" if (narrow.kind, wide.kind) == ("integer", "floating") else ""
    return (
        f"Cast the {narrow.name} one, tf.cast(x, {wide!r}){written}: dtypes are never mixed "
        "silently."
    )


_ORDER = {"other": 0, "quantized": 0, "bool": 1, "integer": 2, "floating": 3, "complex": 4}


# -- lists that hold tensors -------------------------------------------------------------------


def holds_tensor(value: Iterable[object]) -> bool:
    """Whether a list has a tensor in it, however deep."""
    if _PLAIN.issuperset(map(type, value)):
        return False
    return any(
        holds_tensor(item) if isinstance(item, (list, tuple)) else is_tensor(item) for item in value
    )


def _first_tensor(value: Iterable[object]) -> Tensor | None:
    for item in value:
        found = _first_tensor(item) if isinstance(item, (list, tuple)) else item
        if is_tensor(found):
            return as_tensor(found)
    return None


def _pack(value: Collection[object], dtype: np.dtype[Any] | None) -> Tensor:
    """Stack a list with tensors in it, differentiably; its numbers take the tensors' dtype.

    A dtype that is not the first tensor's is that to which all of them are cast.
    """
    first = _first_tensor(value)
    own = dtype if first is None else first._array.dtype
    if dtype is not None and dtype != own:
        value, own = _cast_all(value, dtype), dtype
    return _stacked(value, own)


def _stacked(value: Collection[object], own: np.dtype[Any] | None) -> Tensor:
    """Stack a list with tensors of one dtype in it."""
    items = [_item(item, own) for item in value]
    check_same("Pack", *items)
    shapes = {item._array.shape for item in items}
    if len(shapes) > 1:
        raise InvalidArgumentError(
            f"Shapes of all inputs must match to be packed, but they are "
            f"{', '.join(written(item._array.shape) for item in items)} [Op:Pack]"
        )
    packed: Tensor = Pack(*items, axis=0)
    return packed


def _item(item: object, own: np.dtype[Any] | None) -> Tensor:
    """One of the tensors to stack; what is none becomes one of the dtype of those beside it."""
    if isinstance(item, (list, tuple)) and holds_tensor(item):
        return _stacked(item, own)
    return as_tensor(item, None if is_tensor(item) else own)


def _cast_all(value: Iterable[object], dtype: np.dtype[Any]) -> list[object]:
    """A list, however deep, with its tensors cast."""
    return [
        _cast_all(item, dtype)
        if isinstance(item, (list, tuple))
        else _cast(as_tensor(item), dtype)
        if is_tensor(item)
        else item
        for item in value
    ]


def _cast(tensor: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """The tensor in another dtype; between numbers and strings there is no cast."""
    given = tensor._array.dtype
    if "O" in (given.kind, dtype.kind) and given != dtype:
        raise TypeError(
            f"Cannot convert a list of {tensor.dtype!r} tensors to {dtypes.of(dtype)!r}."
        )
    flows = dtypes.is_differentiable(given) and dtypes.is_differentiable(dtype)
    cast: Tensor = (Cast if flows else Convert)(tensor, dtype=dtype)
    return cast
