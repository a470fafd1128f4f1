"""Arrays of whatever Python and NumPy values people pass, by TensorFlow's rules.

A Python float is float32, an int is int32 or, if it does not fit, int64; of a list the first
element decides. NumPy's arrays and scalars keep their dtype. If a dtype is asked for, arrays are
cast to it whatever they lose, but a Python float never becomes an int, nor a number a bool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, nest
from .dtype_kinds import kind_of
from .shapes import TensorShape

if TYPE_CHECKING:
    from .annotations import Updates
    from .tensor import Array

_FLOAT32, _INT32, _INT64 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.int64)
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}
"""NumPy's codes of the kinds of dtype, in the order in which one can become the other."""

HOW_TO_EXPLAIN_NONE = "CINTA_EXPLAIN=1 says why it is None."
"""The end of errors about values that may be gradients which are None."""

_CASTABLE = "biufcO"
"""The kinds of arrays that may become those of another dtype, if what is in them can."""


def array_of(value: Any, dtype: np.dtype[Any] | None = None) -> Array:
    """A Python or NumPy value as an array (or NumPy scalar) that no other code writes to."""
    kind = type(value)
    if kind is float or kind is int:
        return _of_number(value, dtype)
    if isinstance(value, np.ndarray):
        return _of_ndarray(value, dtype)
    if isinstance(value, (str, bytes)):
        return _of_python(value, value, dtype)
    if isinstance(value, np.generic):
        return _of_ndarray(np.asarray(value), dtype)
    if isinstance(value, (list, tuple, bool, int, float, complex)):
        return _of_python(value, _first_leaf(value), dtype)
    if isinstance(value, TensorShape):
        return _of_ndarray(_sizes(value, dtype), dtype)
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _of_ndarray(np.asarray(value), dtype)
    if hasattr(value, "__getitem__") and not isinstance(value, (Mapping, type)):
        return array_of(list(value), dtype)
    raise _unsupported(value)


def at(array: Array, place: object) -> Updates:
    """A part of an array of JAX, which is updated by making a new array."""
    updates: Updates = array.at[place]  # type: ignore[attr-defined]  # NumPy's has none
    return updates


def truth(value: object, argument: str) -> bool:
    """Whether a value is true, if it is one value."""
    if value is True or value is False:
        return value
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise ValueError(f"`{argument}` must be True or False, got {_short(value)}.") from None


def _of_number(value: float, dtype: np.dtype[Any] | None) -> Array:
    """A float or an int, as fast as may be in the cases that are common."""
    if dtype is None:
        if type(value) is float:
            if -3e38 < value < 3e38:  # surely in the range of float32
                return np.float32(value)  # type: ignore[return-value]  # stands for an array
        elif -(2**31) <= value < 2**31:
            return np.int32(value)  # type: ignore[return-value]
    elif dtype.kind == "f" and -(2**31) <= value < 2**31:
        result: Array = dtype.type(value)
        return result
    return _of_python(value, value, dtype)


def _sizes(shape: TensorShape, dtype: np.dtype[Any] | None) -> Array:
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    sizes = np.array(shape.as_list(), np.int64)
    if dtype == _INT32 and sizes.max(initial=0) > np.iinfo(_INT32).max:
        raise ValueError(
            f"Cannot convert TensorShape {shape} to dtype int32: a dimension is too large. Use "
            "tf.int64."
        )
    return sizes if sizes.max(initial=0) > np.iinfo(_INT32).max else sizes.astype(_INT32)


def _of_ndarray(array: Array, dtype: np.dtype[Any] | None) -> Array:
    """A copy, since the owner may write to his array."""
    if type(array) is not np.ndarray:  # a matrix, or an array with a mask
        array = np.asarray(array)
    kind = array.dtype.kind
    if kind in "OSUT" and (dtype is None or dtype.kind == "O"):
        return _strings(array)
    if dtype is None:
        dtype = _native(array)
    elif dtype.kind == "O":
        raise _cannot_convert(array, dtype)
    elif kind not in _CASTABLE:
        _native(array)
    return _cast(array.real if kind == "c" != dtype.kind else array, dtype)


def _cast(array: Array, dtype: np.dtype[Any]) -> Array:
    """The array as a new one of this dtype, in silence whatever does not fit."""
    try:
        result: Array = array.astype(dtype, order="C")[()]
        return result
    except OverflowError:  # a whole number of Python's that no float can hold
        raise _out_of_range(array) from None
    except (TypeError, ValueError):  # an array of objects that are not numbers
        raise _unsupported(_first_leaf(array)) from None
    except (RuntimeWarning, FloatingPointError):  # where a program has turned warnings into errors
        with np.errstate(all="ignore"):
            quiet: Array = array.astype(dtype, order="C")[()]
            return quiet


def _native(array: Array) -> np.dtype[Any]:
    try:
        return dtypes.of(array.dtype).dtype
    except TypeError:
        raise ValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported numpy type: {array.dtype})."
        ) from None


def _of_python(value: object, leaf: object, dtype: np.dtype[Any] | None) -> Array:
    """A Python number, string or nested list; ``leaf`` is its first element."""
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor: {_short(value)}"
            f"{_unequal(value, '')}{_of_none(value)}"
        ) from None
    if isinstance(leaf, (str, bytes)):
        if dtype is None or dtype.kind == "O":
            return _strings(np.array(value, object))
        raise _cannot_convert(value, dtype)
    if not array.size:
        return array.astype(dtype or _FLOAT32)
    if array.dtype.kind not in _RANK:
        _check_integers(value, leaf, array, dtype)
    natural = _natural_dtype(value, leaf, array) if dtype is None else dtype
    if natural.names:  # quantized numbers, which are whole
        fits = array.dtype.kind in "iu"
    else:
        fits = natural.kind != "O" and _rank(array.dtype) <= _rank(natural)
    if not fits:
        raise _cannot_convert(value, natural)
    try:
        result = _cast(array, natural)
    except OverflowError:  # no float is as large
        raise _out_of_range(value) from None
    if dtype is None and natural.kind == "f" and not _all(np.isfinite(result)):
        _check_range(value, array, result)
    return result


def _rank(dtype: np.dtype[Any]) -> int:
    return _RANK.get(kind_of(dtype), 0)


def _unequal(value: object, place: str) -> str:
    """Where lists that should be of one length are not."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        return ""
    lengths = [len(v) if isinstance(v, (list, tuple)) or np.ndim(v) else None for v in value]
    for i, length in enumerate(lengths):
        if length != lengths[0]:
            first, other = (
                f"{n} long" if n is not None else "no list" for n in (lengths[0], length)
            )
            return f". Entry {place}[0] is {first}, but entry {place}[{i}] is {other}."
    return next(filter(None, (_unequal(v, f"{place}[{i}]") for i, v in enumerate(value))), "")


def _natural_dtype(value: object, leaf: object, array: Array) -> np.dtype[Any]:
    """The default dtype of numbers; ``array`` has NumPy's."""
    natural: np.dtype[Any] = array.dtype
    first: np.dtype[Any] = np.asarray(leaf).dtype
    kind = natural.kind
    if (first.kind in "bc") != (kind in "bc"):
        raise _mixed(value)
    if kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise _out_of_range(value)
    if kind in "iu":
        return _INT32 if _all(array == array.astype(_INT32)) else _INT64
    if kind == "f":
        return first if isinstance(leaf, np.generic) and first.kind == "f" else _FLOAT32
    return natural


def _check_integers(value: object, leaf: object, array: Array, dtype: np.dtype[Any] | None) -> None:
    """Refuse values that are not numbers; integers of any size may become floats."""
    if array.dtype == object and all(isinstance(item, int) for item in array.flat):
        if dtype is None or dtype.kind not in "fc":
            raise _out_of_range(value)
    elif np.asarray(leaf).dtype.kind not in _RANK:
        raise _unsupported(leaf)
    else:
        raise _mixed(value)


def _check_range(value: object, array: Array, result: Array) -> None:
    if not _all(np.isinf(array) == np.isinf(result)):
        raise ValueError(
            "Can't convert Python sequence with a value out of range for a double-precision "
            f"float: {_short(value)} does not fit {result.dtype}. Pass dtype=tf.float64."
        )


def _all(array: Array) -> bool:
    """Whether all are true; for short arrays several times as fast as their own method."""
    return bool(np.count_nonzero(array) == np.size(array))


def _strings(array: Array) -> Array:
    """An array of str or bytes as one of bytes."""
    result = np.empty(array.shape, object)
    for index, item in np.ndenumerate(array):
        if not isinstance(item, (str, bytes)):
            raise ValueError(
                f"Can't convert Python sequence with mixed types to Tensor: it has strings and "
                f"{item!r} (Unsupported object type {type(item).__name__})."
            )
        result[index] = _encoded(item) if isinstance(item, str) else bytes(item)
    return result


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"Cannot convert {_short(text)} to a tensor of strings: it has no UTF-8 code "
            f"({error.reason}). Give bytes, or encode it in a way that replaces such characters."
        ) from None


def _first_leaf(value: object) -> object:
    while isinstance(value, (list, tuple)) and len(value):
        value = value[0]
    return value.flat[0] if isinstance(value, np.ndarray) and value.size else value


def _out_of_range(value: object) -> ValueError:
    return ValueError(
        f"Can't convert Python sequence with out-of-range integer to Tensor: {_short(value)}"
    )


def _mixed(value: object) -> ValueError:
    return ValueError(
        f"Can't convert Python sequence with mixed types to Tensor: {_short(value)}"
        f"{_of_none(value)}"
    )


def _of_none(value: object) -> str:
    """The end of an error about a list that holds None."""
    has_none = any(leaf is None for leaf in nest.flatten(value))
    return f" For a gradient that is None: {HOW_TO_EXPLAIN_NONE}" if has_none else ""


def _cannot_convert(value: object, dtype: np.dtype[Any]) -> TypeError:
    return TypeError(
        f"Cannot convert {_short(value)} to EagerTensor of dtype {dtypes.of(dtype).kernel_name}: "
        f"{_instead(value, dtypes.of(dtype))}"
    )


def _instead(value: Any, dtype: dtypes.DType) -> str:
    """The advice for a value that does not fit the dtype of the other operand."""
    why = f"the tensor beside it, or the dtype that was asked for, is {dtype.name}."
    kind = np.asarray(_first_leaf(value)).dtype.kind
    if dtype == dtypes.string:
        return f"{why} Write it as a string, or use tf.as_string."
    if kind not in _RANK:
        return f"{why} Strings become numbers by tf.strings.to_number."
    if dtype.is_bool:
        return f"{why} Write True or False, or compare: x != 0."
    if kind == "c" or np.iscomplexobj(value):
        return f"{why} Use tf.cast(x, tf.complex64) for the other, or tf.math.real of this one."
    return (
        f"{why} Write a whole number here, or make the other a float: 3.0 for 3, "
        "tf.cast(x, tf.float32) or dtype=tf.float32."
    )


def _unsupported(value: object) -> ValueError:
    return ValueError(
        f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a "
        f"Tensor.{_instead_of(value)}"
    )


def _instead_of(value: object) -> str:
    """The advice for a value that is neither a number nor a list of numbers."""
    if value is None:
        return (
            " A gradient that is None, or a function without `return`, often ends up here. A "
            "gradient is None where the target does not depend on the source: was it watched, and "
            f"was everything computed by tf's functions, inside `with tape:`? {HOW_TO_EXPLAIN_NONE}"
        )
    if isinstance(value, Mapping):
        return " Take the entries one by one, or list(x.values())."
    if isinstance(value, Iterable):
        return " Make a list of it: list(x)."
    return ""


def _short(value: object) -> str:
    return shortened(repr(value))


def shortened(text: str, limit: int = 60) -> str:
    """The text for a line that people read: cut where it gets long."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def same_array(one: Array | np.generic, other: Array | np.generic) -> bool:
    """Whether two arrays are the same, bit by bit."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype == object:
        return bool(np.array_equal(one, other))
    return bool(np.array_equal(_bits(one), _bits(other)))


def stored_bytes(array: Array) -> bytes:
    """The numbers of an array as files have them: row by row, the lowest byte of each first."""
    little = array.dtype.newbyteorder("<")
    return np.ascontiguousarray(array).astype(little, copy=False).tobytes()


def _bits(array: Array | np.generic) -> Array:
    return np.ascontiguousarray(array).view(np.uint8)
