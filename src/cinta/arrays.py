"""Arrays of whatever Python and NumPy values people pass, by TensorFlow's rules.

A Python float is float32, an int is int32 or, if it does not fit, int64. NumPy's arrays and
scalars keep their dtype. Nothing is truncated: a float never becomes an int.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes

if TYPE_CHECKING:
    from .tensor import Array

_INT32 = np.iinfo(np.int32)


def array_of(value: Any, dtype: Any = None) -> Array:
    """A Python or NumPy value as an array (or NumPy scalar) that nobody else writes to."""
    kind = type(value)
    if kind is float and dtype is None:
        return _float32(value)
    if isinstance(value, np.ndarray):
        return _of_ndarray(value, dtype)
    if isinstance(value, np.generic):
        return _of_ndarray(np.asarray(value), dtype)[()]
    if kind in (bool, int, float, complex, str, bytes):
        return _of_python(value, value, dtype)
    if isinstance(value, (list, tuple, range)):
        return _of_python(value, _first_leaf(value), dtype)
    if not hasattr(value, "__array__"):
        return _unsupported(value)
    return _of_ndarray(np.asarray(value), dtype)


def _unsupported(value: Any) -> Any:
    raise ValueError(
        f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a "
        "Tensor."
    )


def _float32(value: float) -> Any:
    array = np.float32(value)
    if np.isinf(array) and not np.isinf(value):
        raise ValueError(
            f"Can't convert Python sequence with a value out of range for a double-precision "
            f"float: {value!r} does not fit float32; pass dtype=tf.float64."
        )
    return array


def _of_ndarray(array: Any, dtype: Any) -> Array:
    if array.dtype.kind in "US":
        array = np.char.encode(array, "utf-8") if array.dtype.kind == "U" else array
        array = array.astype(object)
    elif array.dtype == object:
        return _of_python(array.tolist(), _first_leaf(array.tolist()), dtype)
    else:
        dtypes.of(array.dtype)  # refuses what no tensor can hold
    if dtype is not None and dtype != array.dtype and (dtype == object or array.dtype == object):
        raise TypeError(f"Cannot convert {array!r} to EagerTensor of dtype {_kernel(dtype)}")
    with np.errstate(all="ignore"):
        return np.array(array, dtype=dtype)  # a copy: the caller may write to his array


def _of_python(value: Any, leaf: Any, dtype: Any) -> Array:
    """A Python number, string or nested list; ``leaf`` is its first element."""
    try:
        array = np.array(value, dtype=object if isinstance(leaf, (str, bytes)) else None)
    except ValueError:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor: {_short(value)}"
        ) from None
    if isinstance(leaf, (str, bytes)):
        return _strings(array, dtype)
    _check_one_kind(value, leaf, array)
    natural = array.dtype if isinstance(leaf, np.generic | np.ndarray) else None
    if isinstance(leaf, np.generic | np.ndarray) and array.dtype.kind == leaf.dtype.kind:
        natural = leaf.dtype
    if dtype is None:
        dtype = natural or _natural_dtype(array)
    elif natural is None:
        _check_fits(value, leaf, array, dtype)
    with np.errstate(all="ignore"):
        result = array.astype(dtype)
    return result[()] if not array.ndim else result


def _natural_dtype(array: Any) -> Any:
    kind = array.dtype.kind
    if kind == "f":
        return np.dtype(np.float32)
    if kind in "iu":
        if array.size and (array.min() < _INT32.min or array.max() > _INT32.max):
            if array.dtype == np.uint64:
                raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
            return np.dtype(np.int64)
        return np.dtype(np.int32)
    return array.dtype


def _check_one_kind(value: Any, leaf: Any, array: Any) -> None:
    """Refuse what NumPy would accept: numbers beside strings, bools, None, sequences."""
    kind = array.dtype.kind
    if kind == "O" and all(isinstance(v, int) for v in array.ravel()):
        raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
    if kind == "O" and leaf is not None and not isinstance(leaf, (int, float, complex)):
        _unsupported(leaf)
    if kind == "O" and leaf is None:
        _unsupported(value)
    if kind in "OUS" or (isinstance(leaf, bool) and kind != "b"):
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {_short(value)}")


def _check_fits(value: Any, leaf: Any, array: Any, dtype: Any) -> None:
    """Refuse to make a float an int, or a number a bool: TensorFlow does not truncate."""
    rank = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3, "O": 9}
    target = "f" if dtypes.of(dtype).is_floating else dtype.kind
    if rank[array.dtype.kind] > rank[target] or target == "O":
        raise TypeError(
            f"Cannot convert {_short(value)} to EagerTensor of dtype {_kernel(dtype)}"
        )


def _strings(array: Any, dtype: Any) -> Array:
    if dtype is not None and dtype != object:
        raise TypeError(
            f"Cannot convert {_short(array.tolist())} to EagerTensor of dtype {_kernel(dtype)}"
        )
    flat = [v.encode() if isinstance(v, str) else v for v in array.ravel()]
    if not all(isinstance(v, bytes) for v in flat):
        raise ValueError(
            f"Can't convert Python sequence with mixed types to Tensor: {_short(array.tolist())}"
        )
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(array.shape)


def _first_leaf(value: Any) -> Any:
    while isinstance(value, (list, tuple, range)):
        if not len(value):
            return 0.0
        value = value[0]
    return value


def _kernel(dtype: Any) -> str:
    return dtypes.of(np.dtype(dtype)).kernel_name


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
