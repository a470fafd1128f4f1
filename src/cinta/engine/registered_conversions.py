"""Conversions to tensors that programs register for classes of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import dtypes
from ..public import public
from .op import Op
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable


class Conversion(NamedTuple):
    """Which objects a function converts, and when it is asked: low priorities come first."""

    priority: int
    base_type: type | tuple[type, ...]
    function: Callable[..., Any]


registered: list[Conversion] = []
"""All that were registered, in the order in which they are asked."""

_PLAIN = (int, float, complex, np.generic, np.ndarray)


@public("register_tensor_conversion_function")
def register_tensor_conversion_function(
    base_type: type | tuple[type, ...],
    conversion_func: Callable[..., Any],
    priority: int = 100,
) -> None:
    """Convert objects of a class to tensors by a function, wherever ops take tensors.

    The function gets the object, and ``dtype``, ``name`` and ``as_ref`` by name. It gives a tensor
    of that dtype, or NotImplemented, and then the next function is asked.

    >>> import cinta as tf
    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> def convert(value, dtype=None, name=None, as_ref=False):
    ...     return tf.constant(value.degrees + 273.15, dtype)
    >>> tf.register_tensor_conversion_function(Celsius, convert)
    >>> tf.convert_to_tensor(Celsius(20.0)).numpy()
    np.float32(293.15)

    Args:
        base_type: The class, or a tuple of classes.
        conversion_func: The function.
        priority: Functions with a lower number are asked first.

    Raises:
        TypeError: If ``base_type`` is not a class, or the function cannot be called.
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not kinds or not all(isinstance(each, type) for each in kinds):
        raise TypeError(
            f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type!r}"
        )
    if any(issubclass(each, _PLAIN) for each in kinds):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    if not isinstance(priority, (int, np.integer)):
        raise TypeError(f"Argument `priority` must be an integer. Received {priority!r}.")
    registered.append(Conversion(priority, base_type, conversion_func))
    registered.sort(key=lambda each: each.priority)  # those of one priority stay in their order
    Op.begin_epoch()


def conversions_of(kind: type) -> list[Callable[..., Any]]:
    """The functions that may be asked to convert objects of a class."""
    return [each.function for each in registered if issubclass(kind, each.base_type)]


def convert(value: object, dtype: np.dtype[Any] | None) -> Tensor | None:
    """The object as a tensor by the first function that converts it; None if there is none."""
    wanted = None if dtype is None else dtypes.of(dtype)
    for _, base_type, function in registered:
        if not isinstance(value, base_type):
            continue
        found = function(value, dtype=wanted, name=None, as_ref=False)
        if found is not NotImplemented:
            return _checked(found, wanted, function, type(value))
    return None


def _checked(
    found: object, wanted: dtypes.DType | None, function: Callable[..., Any], kind: type
) -> Tensor:
    said = f"Conversion function {function!r} for type {kind} returned"
    if not isinstance(found, Tensor):
        raise RuntimeError(f"{said} non-Tensor: {found!r}")
    if wanted is not None and found.dtype != wanted:
        raise RuntimeError(
            f"{said} incompatible dtype: requested = {wanted.name}, actual = {found.dtype.name}"
        )
    return found
