"""Values compared, and what tells how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import ml_dtypes
import numpy as np

from .. import nest
from ..engine.convert import is_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.sparse_tensor import SparseTensor, SparseTensorValue

Array: TypeAlias = "np.ndarray[Any, Any]"


@dataclass(frozen=True)
class Tolerance:
    """How far values may be from each other."""

    relative: float
    absolute: float

    def fitting(self, *arrays: Array) -> Tolerance:
        """At least as coarse as bfloat16 is, if one of the arrays has that dtype."""
        if not any(each.dtype == ml_dtypes.bfloat16 for each in arrays):
            return self
        return Tolerance(max(self.relative, 1e-2), max(self.absolute, 1e-2))


class IndexedSlicesValue(NamedTuple):
    """The parts of rows of a table as NumPy's arrays."""

    values: Array
    indices: Array
    dense_shape: Array | None


def evaluated(value: object) -> object:
    """A structure with NumPy's values in place of tensors."""
    if callable(value) and not is_tensor(value):
        return evaluated(value())
    if isinstance(value, SparseTensor):
        parts = value.indices, value.values, value.dense_shape
        return SparseTensorValue(*map(as_array, parts))
    if isinstance(value, IndexedSlices):
        shape = None if value.dense_shape is None else as_array(value.dense_shape)
        return IndexedSlicesValue(as_array(value.values), as_array(value.indices), shape)
    return nest.map_structure(_leaf, value)


def _leaf(value: Any) -> object:
    if value is None:
        return None
    if isinstance(value, (SparseTensor, IndexedSlices)) or callable(value):
        return evaluated(value)
    if not is_tensor(value):
        raise ValueError(f"Unsupported type {type(value)}.")
    return value.numpy()


def as_array(value: Any) -> Array:
    """NumPy's array of a tensor, a list, or of what has tensors in it."""
    if value is None:
        return np.asarray(None)
    if is_tensor(value):
        value = value.numpy()
    elif isinstance(value, (list, tuple)):
        value = [as_array(each) for each in value] if _holds_tensor(value) else value
    return np.asarray(value)


def _holds_tensor(value: Any) -> bool:
    return any(
        _holds_tensor(each) if isinstance(each, (list, tuple)) else is_tensor(each)
        for each in value
    )


def is_ragged(value: object) -> bool:
    """Whether a list has parts of several lengths, so that no array holds it."""
    try:
        return bool(as_array(value).dtype == object)
    except ValueError:
        return True


def check_close(a: Any, b: Any, tolerance: Tolerance, path: str = "") -> None:
    """Refuse structures that differ in their form, or somewhere by more than is allowed."""
    if hasattr(a, "_asdict"):
        a = a._asdict()
    if hasattr(b, "_asdict"):
        b = b._asdict()
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise AssertionError(f"Cannot compare {type(a)} with {type(b)}{_at(path)}.")
    if isinstance(a, Mapping):
        if a.keys() != b.keys():
            raise AssertionError(f"mismatched keys{_at(path)}: {[*a]} and {[*b]}.")
        for key in a:
            check_close(a[key], b[key], tolerance, f"{path}[{key}]")
    elif isinstance(a, (list, tuple)) and (is_ragged(a) or is_ragged(b) or _has_mapping(a)):
        if not isinstance(b, Sequence) or len(a) != len(b):
            raise AssertionError(f"Mismatched length{_at(path)}: {a!r} and {b!r}.")
        for place, (x, y) in enumerate(zip(a, b, strict=True)):
            check_close(x, y, tolerance, f"{path}[{place}]")
    else:
        check_arrays_close(as_array(a), as_array(b), tolerance, path)


def _has_mapping(value: Sequence[Any]) -> bool:
    return any(isinstance(each, Mapping) for each in value)


def check_arrays_close(a: Array, b: Array, tolerance: Tolerance, path: str = "") -> None:
    """Refuse arrays of several shapes, or that are somewhere too far from each other."""
    check_shapes(a, b, path)
    tolerance = tolerance.fitting(a, b)
    left, right = _computable(a), _computable(b)
    with np.errstate(invalid="ignore"):
        close = np.isclose(left, right, tolerance.relative, tolerance.absolute, equal_nan=True)
    if not np.all(close):
        limits = f"rtol={tolerance.relative}, atol={tolerance.absolute}"
        raise AssertionError(f"Not equal to tolerance {limits}{_at(path)}\n{_where(a, b, ~close)}")


def check_equal(a: object, b: object) -> None:
    """Refuse what is not equal everywhere; NaN is equal to NaN."""
    left, right = as_array(a), as_array(b)
    check_shapes(left, right, "")
    same = equal(left, right)
    if not np.all(same):
        raise AssertionError(f"Arrays are not equal\n{_where(left, right, ~same)}")


def equal(a: Array, b: Array) -> Array:
    """Where two arrays are equal; texts are so to the bytes that encode them."""
    a, b = _encoded(a), _encoded(b)
    same = np.asarray(a == b)
    if a.dtype.kind in "fcV" and b.dtype.kind in "fcV":
        same = same | ((a != a) & (b != b))
    return same


def check_shapes(a: Array, b: Array, path: str) -> None:
    if a.shape != b.shape:
        raise AssertionError(
            f"Shape mismatch{_at(path)}: expected {a.shape}, got {b.shape} with contents {b}."
        )


def _encoded(array: Array) -> Array:
    if array.dtype.kind == "U":
        return np.char.encode(array, "utf-8").astype(object)
    return array.astype(object) if array.dtype.kind == "S" else array


def _computable(array: Array) -> Array:
    """The array in a dtype whose differences NumPy knows."""
    if array.dtype == ml_dtypes.bfloat16:
        return array.astype(np.float32)
    return array.astype(np.int8) if array.dtype.kind == "b" else array


def _where(a: Array, b: Array, different: Array) -> str:
    """The places and values where two arrays differ."""
    different = np.asarray(different)
    lines = [
        f"{int(np.sum(different))} of {different.size} elements differ, "
        f"dtypes {a.dtype} and {b.dtype}, shape {a.shape}"
    ]
    for index in list(zip(*np.nonzero(np.atleast_1d(different)), strict=True))[:10]:
        at = tuple(int(each) for each in index)
        lines.append(f" {list(at)}: {np.atleast_1d(a)[at]!r} and {np.atleast_1d(b)[at]!r}")
    return "\n".join(lines)


def _at(path: str) -> str:
    return f" at {path}" if path else ""


def coarseness(
    dtype: np.dtype[Any], half: float, brain: float, single: float, full: float
) -> float:
    """The tolerance for a dtype."""
    by_dtype = {
        np.dtype(np.float16): half,
        np.dtype(ml_dtypes.bfloat16): brain,
        np.dtype(np.float32): single,
        np.dtype(np.complex64): single,
    }
    return by_dtype.get(dtype, full)
