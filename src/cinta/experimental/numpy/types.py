"""Arrays and dtypes by NumPy's rules: what values become, and what their dtypes make together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine import settings
from ...engine.arrays import array_of
from ...engine.convert import as_tensor, holds_tensor, is_tensor
from ...engine.tensor import Tensor, wrap
from ...ops.arrays.joining import stack
from ...ops.elementwise.casting import cast
from ...public import public
from .weak_tensors import common_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, NumericLike, TensorLike

bool_ = public("tnp.bool_")(np.bool_)
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64 = np.float16, np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128
int_, float_, complex_ = np.int64, np.float64, np.complex128
inexact, object_, string_, unicode_ = np.inexact, np.object_, np.bytes_, np.str_
finfo, iinfo, issubdtype = np.finfo, np.iinfo, np.issubdtype
promote_types: Callable[[Any, Any], np.dtype[Any]] = public("tnp.promote_types")(np.promote_types)

e, pi, inf, newaxis = math.e, math.pi, math.inf, None
ndarray = Tensor

_NUMBERS = frozenset((bool, int, float, complex))
"""Python's numbers, which have a kind but take the width of the other operand."""

_SCALARS = _NUMBERS | {str, bytes, object}
"""Python's types that name a dtype; NumPy takes any other for that of objects."""

_HALF_AS_WIDE = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
"""The dtypes of Python's numbers if float32 is preferred, by those that NumPy gives to them."""
_AS_WEAK = {np.dtype(np.float64): np.float32, np.dtype(np.int64): np.int32}
"""The same if dtypes are promoted by the lattice."""


def default_float() -> np.dtype[Any]:
    """The dtype of Python's floats: float64, unless this program prefers another one."""
    return _preferred(np.dtype(np.float64))


def dtype_of(given: DTypeLike) -> np.dtype[Any]:
    """The NumPy dtype of this name; Python's types as this program prefers them."""
    found = _named(given)
    return _preferred(found) if given is float or given is int or given is complex else found


def _named(given: Any) -> np.dtype[Any]:
    if isinstance(given, dtypes.DType):
        return given.dtype
    if isinstance(given, str) and given in dtypes.OF_ML_DTYPES:
        return dtypes.OF_ML_DTYPES[given].dtype
    if given is None or isinstance(given, (str, np.dtype)) or _is_scalar_type(given):
        try:
            return dtypes.of(np.dtype(given)).dtype
        except (TypeError, ValueError, SyntaxError):  # which is what NumPy says of text
            pass
    raise TypeError(
        f"Cannot interpret {given!r} as a dtype: expected a tf.DType, a name such as 'float32', a "
        "NumPy dtype or scalar type, or a type of Python's numbers."
    )


def _is_scalar_type(given: type[Any]) -> bool:
    return isinstance(given, type) and (given in _SCALARS or issubclass(given, np.generic))


def _preferred(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of Python's numbers, by that which NumPy gives to them."""
    if settings.lattice:
        return np.dtype(_AS_WEAK.get(dtype, dtype))
    return np.dtype(_HALF_AS_WIDE.get(dtype, dtype)) if settings.prefer_float32 else dtype


@public("tnp.asarray")
def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """The value as a tensor, by NumPy's rules: Python's numbers are float64 or int64.

    >>> import cinta as tf
    >>> tf.experimental.numpy.asarray([1, 2.5])
    <tf.Tensor: shape=(2,), dtype=float64, numpy=array([1. , 2.5])>
    """
    tensor = _tensor(a)
    return tensor if dtype is None else _as(tensor, dtype_of(dtype))


def _tensor(a: TensorLike) -> Tensor:
    if is_tensor(a):
        return as_tensor(a)
    if isinstance(a, (list, tuple)) and holds_tensor(a):
        return stack(promoted(*a))
    try:
        array = np.asarray(a)
    except ValueError:  # rows of different lengths
        return wrap(array_of(a, None))  # which says so
    if array.dtype.kind in "OSUT":
        return wrap(array_of(a, None))
    if not isinstance(a, (np.ndarray, np.generic)):
        dtype = _preferred(array.dtype) if _is_of_numbers(a) else common_dtype(a)
        array = array.astype(dtype, copy=False)
    return wrap(array_of(array, None))


def _is_of_numbers(a: object) -> bool:
    """Whether there is nothing but Python's numbers in a value, however deep."""
    if not isinstance(a, (list, tuple)):
        return True  # objects that become arrays in ways of their own have no other dtype
    return _NUMBERS.issuperset(map(type, a)) or all(
        type(each) in _NUMBERS or (isinstance(each, (list, tuple)) and _is_of_numbers(each))
        for each in a
    )


def _as(tensor: Tensor, dtype: np.dtype[Any]) -> Tensor:
    if tensor._array.dtype == dtype:
        return tensor
    return cast(tensor, dtype)


@public("tnp.result_type")
def result_type(*arrays_and_dtypes: TensorLike) -> dtypes.DType:
    """The dtype that these make together.

    >>> import cinta as tf
    >>> tf.experimental.numpy.result_type(tf.constant(1.0), 2)
    tf.float32
    >>> tf.experimental.numpy.result_type(tf.float32, tf.int32)
    tf.float64

    Args:
        arrays_and_dtypes: Arrays, tensors, numbers, and dtypes or their names.

    Raises:
        ValueError: If there are none.
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type takes at least one array or dtype.")
    named = [
        _named(x) if isinstance(x, (dtypes.DType, type, str, np.dtype)) else x
        for x in arrays_and_dtypes
    ]
    return dtypes.of(common_dtype(*named))


def common_dtype(*values: TensorLike | np.dtype[Any]) -> np.dtype[Any]:
    """The dtype that values and dtypes make together, by the rules of this program's mode."""
    kind = common_kind(*values) if settings.lattice else None
    return kind.dtype.dtype if kind else _by_numpy([kind for x in values for kind in _kinds(x)])


def _by_numpy(kinds: list[Any]) -> np.dtype[Any]:
    """The dtype that dtypes and Python's numbers make together."""
    try:
        return np.result_type(*kinds)
    except TypeError:
        raise TypeError(
            f"There is no dtype that values of {', '.join(map(str, kinds))} have together."
        ) from None


def _kinds(x: TensorLike | np.dtype[Any]) -> list[Any]:
    """The operand of a promotion by NumPy: a dtype, or a Python number of each kind in it."""
    if isinstance(x, np.dtype):
        return [x]
    if type(x) in _NUMBERS:
        preferred = settings.prefer_float32 and isinstance(x, (float, complex))
        return [asarray(x)._array.dtype if preferred else x]
    if isinstance(x, (list, tuple)) and x:
        return [kind for item in x for kind in _kinds(item)]
    return [asarray(x)._array.dtype]


def promoted(*values: TensorLike) -> list[Tensor]:
    """The values as tensors of the one dtype that they make together."""
    if not values:
        return []
    dtype = common_dtype(*values)
    return [_as(asarray(x), dtype) for x in values]


def promoted_pair(x: TensorLike, y: TensorLike) -> list[Tensor]:
    """The same of the two operands of a function: by NumPy's rules, in TensorFlow's every mode.

    Lists alone are promoted by the lattice, where a program has chosen that.
    """
    if any(isinstance(each, (list, tuple)) for each in (x, y)):
        return promoted(x, y)
    dtype = _by_numpy([*_kinds(x), *_kinds(y)])
    return [_as(asarray(x), dtype), _as(asarray(y), dtype)]


def floating(x: Tensor) -> Tensor:
    """Integers and bools as floats; others as they are."""
    return _as(x, default_float()) if x._array.dtype.kind in "biu" else x


@public("tnp.isscalar")
def isscalar(num: NumericLike) -> bool:
    """Whether this is one number.

    >>> import cinta as tf
    >>> tf.experimental.numpy.isscalar(1.5), tf.experimental.numpy.isscalar([1.5])
    (True, False)

    Args:
        num: Anything.
    """
    return bool(np.isscalar(num) or (is_tensor(num) and not asarray(num).ndim))


@public("tnp.iscomplexobj")
def iscomplexobj(x: NumericLike) -> bool:
    """Whether the dtype is complex.

    >>> import cinta as tf
    >>> tf.experimental.numpy.iscomplexobj([1j])
    True

    Args:
        x: An array, a tensor, or what becomes one.
    """
    return asarray(x).dtype.is_complex


@public("tnp.isrealobj")
def isrealobj(x: NumericLike) -> bool:
    """Whether the dtype is not complex.

    >>> import cinta as tf
    >>> tf.experimental.numpy.isrealobj([1j])
    False

    Args:
        x: An array, a tensor, or what becomes one.
    """
    return not iscomplexobj(x)
