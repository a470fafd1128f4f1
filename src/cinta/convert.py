"""From whatever people pass to tensors, by TensorFlow's rules and not by NumPy's.

Python numbers are float32 or int32, or take the dtype of the tensor beside them; NumPy arrays keep
their dtype, or are cast to that of the tensor beside them; tensors are never converted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .arrays import array_of
from .errors import InvalidArgumentError
from .op import registry
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_tensor(x: Any) -> bool:
    """Whether the value is a tensor, or knows how to become one as variables and slices do."""
    return type(x) is Tensor or hasattr(x, "__tf_tensor__")


def as_tensor(value: Any, dtype: Any = None) -> Tensor:
    """The value as a tensor, for an op that takes it as an input.

    ``dtype`` is a NumPy dtype or None. A variable is read without a trace of the reading: what
    depends on the tensor depends on the variable.
    """
    if type(value) is Tensor:
        tensor = value
    elif hasattr(value, "__tf_tensor__"):
        tensor = value.__tf_tensor__()
    elif isinstance(value, (list, tuple)) and any(_has_tensor(value)):
        return _pack(value, dtype)
    else:
        return wrap(array_of(value, dtype))
    if dtype is not None and tensor._array.dtype != dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.of(dtype).name} for Tensor with dtype "
            f"{tensor.dtype.name}: {tensor!r}. Use tf.cast(x, tf.{dtypes.of(dtype).name}); "
            "tensors are never converted silently."
        )
    return tensor


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """Convert numbers, lists, arrays, variables and so on to a tensor; a tensor stays itself.

    >>> import cinta as tf
    >>> tf.convert_to_tensor([1, 2])
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    """
    wanted = None if dtype is None else np.dtype(dtypes.as_dtype(dtype))
    if hasattr(value, "read_value"):
        value = value.read_value()  # a variable, read in a way that people can see
    if wanted is None and dtype_hint is not None and not is_tensor(value):
        try:
            return as_tensor(value, np.dtype(dtypes.as_dtype(dtype_hint)))
        except (TypeError, ValueError):
            pass  # a hint is only a wish
    return as_tensor(value, wanted)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """Make a tensor of a number, a list, a NumPy array.

    >>> import cinta as tf
    >>> tf.constant([[1.0, 2.0], [3.0, 4.0]]).shape
    TensorShape([2, 2])
    >>> tf.constant(7, shape=(2,))
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([7, 7], dtype=int32)>
    """
    if isinstance(value, (list, tuple)) and any(is_tensor(v) and not v.shape.rank for v in value):
        raise ValueError(
            "TypeError: Scalar tensor has no `len()`: tf.constant takes values, not a list of "
            "scalar tensors. Use tf.stack([...]) or tf.convert_to_tensor([...])."
        )
    wanted = None if dtype is None else np.dtype(dtypes.as_dtype(dtype))
    if isinstance(value, Tensor) and wanted is not None and value._array.dtype != wanted:
        raise TypeError(
            f"Expected tensor {value} with dtype {dtypes.of(wanted)!r}, but got dtype "
            f"{value.dtype!r}. Use tf.cast(x, {dtypes.of(wanted)!r})."
        )
    tensor = convert_to_tensor(value, dtype)
    return tensor if shape is None else _fill(tensor, tuple([int(n) for n in np.atleast_1d(shape)]))


def _fill(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    array = np.asarray(tensor._array)
    if array.size == 1:
        return wrap(np.full(shape, array.reshape(())))
    if array.size != np.prod(shape, dtype=np.int64):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape: the value has {array.size} "
            f"elements, which do not fill the shape {shape}."
        )
    return wrap(array.reshape(shape))


def match(op: str, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """The two inputs of an op as tensors of one dtype.

    The first tensor decides what numbers, lists and arrays become; an array before it keeps its
    own dtype, as in TensorFlow.
    """
    if is_tensor(x) or not is_tensor(y) or isinstance(x, (np.generic, np.ndarray)):
        left = as_tensor(x)
        right = as_tensor(y, None if is_tensor(y) else left._array.dtype)
    else:
        right = as_tensor(y)
        left = as_tensor(x, right._array.dtype)
    check_same(op, left, right)
    return left, right


def check_same(op: str, *tensors: Tensor) -> None:
    """Refuse tensors of different dtypes, in TensorFlow's words."""
    first = tensors[0]._array.dtype
    for position, tensor in enumerate(tensors):
        if tensor._array.dtype != first:
            expected, given = dtypes.of(first), tensor.dtype
            raise InvalidArgumentError(
                f"cannot compute {op} as input #{position}(zero-based) was expected to be a "
                f"{expected.kernel_name} tensor but is a {given.kernel_name} tensor [Op:{op}]. "
                f"Use tf.cast(x, {expected!r}): dtypes are never mixed silently."
            )


# -- lists that hold tensors -------------------------------------------------------------------


def _has_tensor(value: Any) -> Iterator[bool]:
    for item in value:
        if isinstance(item, (list, tuple)):
            yield from _has_tensor(item)
        else:
            yield is_tensor(item)


def _first_dtype(value: Any) -> Any:
    for item in value:
        if isinstance(item, (list, tuple)):
            found = _first_dtype(item)
            if found is not None:
                return found
        elif is_tensor(item):
            return np.dtype(item.dtype)
    return None


def _pack(value: Any, dtype: Any) -> Tensor:
    """Stack a list with tensors in it, differentiably; its numbers take the tensors' dtype."""
    dtype = _first_dtype(value) if dtype is None else dtype
    items = [as_tensor(item, dtype) for item in value]
    shapes = {item._array.shape for item in items}
    if len(shapes) > 1:
        raise InvalidArgumentError(
            f"Shapes of all inputs must match to be packed, but they are "
            f"{', '.join(str(list(item.shape)) for item in items)} [Op:Pack]"
        )
    packed: Tensor = registry["Pack"](*items, axis=-1 - items[0].ndim)
    return packed
