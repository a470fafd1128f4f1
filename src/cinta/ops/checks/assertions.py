"""Assertions about the values of tensors: InvalidArgumentError says what did not hold, and where.

They return None. Those about the sign of one tensor are in ``sign_assertions``, those about shapes
and dtypes in ``shape_assertions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...dtypes import finfo
from ...engine.convert import as_tensor, kept, match
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import whole_number
from ..elementwise.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from ..elementwise.unary import abs as absolute
from ..reductions.reduction import reduce_all

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from ...engine.fast_calls import Binary
    from ...engine.tensor import Tensor

SHOWN = 3  # elements that an error shows if the caller does not say how many


@public("assert_equal", "debugging.assert_equal")
def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x == y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_equal([1, 2], [1, 3])
    Traceback (most recent call last):
        ...
    cinta.errors.InvalidArgumentError: Condition x == y did not hold.
    Indices of first 1 different values:
    [[1]]
    Corresponding x values:
    [2]
    Corresponding y values:
    [3]
    First 2 elements of x:
    [1 2]
    First 2 elements of y:
    [1 3]

    Args:
        x: A tensor.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If a pair of elements differs.
    """
    if x is not y:  # a value equals itself here, even if it is sparse or nan
        _compare(equal, "==", x, y, message, summarize)


@public("debugging.assert_none_equal")
def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x != y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_none_equal([2, 3], [3, 2])

    Args:
        x: A tensor.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element of ``x`` is equal.
    """
    _compare(not_equal, "!=", x, y, message, summarize)


@public("assert_less", "debugging.assert_less")
def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x < y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_less([2, 3], 4)

    Args:
        x: A tensor of numbers.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element of ``x`` is not less.
    """
    _compare(less, "<", x, y, message, summarize)


@public("debugging.assert_less_equal")
def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x <= y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_less_equal([2, 3], 3)

    Args:
        x: A tensor.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element of ``x`` is greater.
    """
    _compare(less_equal, "<=", x, y, message, summarize)


@public("assert_greater", "debugging.assert_greater")
def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x > y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_greater([2, 3], 1)

    Args:
        x: A tensor of numbers.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element of ``x`` is not greater.
    """
    _compare(greater, ">", x, y, message, summarize)


@public("debugging.assert_greater_equal")
def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless x >= y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_greater_equal([2, 3], 2)

    Args:
        x: A tensor.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element of ``x`` is less.
    """
    _compare(greater_equal, ">=", x, y, message, summarize)


@public("debugging.assert_near")
def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise unless ``abs(x - y) <= atol + rtol * abs(y)`` everywhere.

    Both tolerances are ten times the distance from 1 to the next number of the dtype if not given.

    >>> import cinta as tf
    >>> tf.debugging.assert_near(tf.constant(0.1) * 3, 0.3)

    Args:
        x: A tensor of numbers.
        y: Another; the shapes are broadcast.
        rtol: The tolerance relative to ``y``.
        atol: The absolute tolerance.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element is not near.
    """
    left, right = match("Sub", kept(x), y)
    if not left.dtype.is_floating and not left.dtype.is_complex:
        raise ValueError(f"assert_near compares floating-point numbers, got {left.dtype!r}.")
    real = np.dtype(left.dtype.real_dtype)
    slack = 10 * float(finfo(real).eps)
    relative = as_tensor(slack if rtol is None else rtol, real)
    absolute_slack = as_tensor(slack if atol is None else atol, real)
    if not bool(reduce_all(absolute(left - right) <= absolute_slack + relative * absolute(right))):
        fail(
            message,
            f"x and y not equal to tolerance rtol = {relative}, atol = {absolute_slack}",
            *first_elements("x", left, summarize),
            *first_elements("y", right, summarize),
        )


def _compare(
    condition: Binary,
    sign: str,
    x: TensorLike,
    y: TensorLike,
    message: str | None,
    summarize: int | None,
) -> None:
    x, y = kept(x), kept(y)
    held = condition(x, y)
    if bool(reduce_all(held)):
        return
    left, right = match("Equal", x, y)
    differences = _differences(held, left, right, summarize) if sign == "==" else ()
    fail(
        message,
        f"Condition x {sign} y did not hold.",
        *differences,
        *first_elements("x", left, summarize),
        *first_elements("y", right, summarize),
    )


def _differences(held: Tensor, x: Tensor, y: Tensor, summarize: int | None) -> tuple[str, ...]:
    """Where two tensors differ, and what is there."""
    most = SHOWN if summarize is None else whole_number(summarize, "summarize")
    places = np.argwhere(~np.asarray(seen(held)))[:most]
    found = tuple(places.T)
    left, right = np.broadcast_arrays(np.asarray(seen(x)), np.asarray(seen(y)))
    return (
        f"Indices of first {len(places)} different values:",
        str(places),
        "Corresponding x values:",
        str(left[found]),
        "Corresponding y values:",
        str(right[found]),
    )


def first_elements(name: str, tensor: Tensor, summarize: int | None) -> tuple[str, str]:
    """The lines of an error that show the first elements of a tensor."""
    count = SHOWN if summarize is None else whole_number(summarize, "summarize")
    shown = np.asarray(seen(tensor)).reshape(-1)
    shown = shown[:count] if count >= 0 else shown
    return f"First {len(shown)} elements of {name}:", str(shown)


def fail(message: str | None, *lines: str) -> None:
    """Raise the error of an assertion; the user's message comes first."""
    raise InvalidArgumentError("\n".join([message, *lines] if message else lines))


@public("Assert", "debugging.Assert")
def Assert(
    condition: TensorLike, data: TensorLike, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise, and show the list ``data`` of tensors, unless the condition is true.

    >>> import cinta as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> tf.debugging.Assert(tf.reduce_max(x) < 10, [x])

    Args:
        condition: A boolean, or a tensor that is a single one.
        data: A list of tensors to show in the error.
        summarize: How many elements of each tensor to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If the condition is not true.
    """
    if not isinstance(data, (list, tuple)):
        raise TypeError(f"data must be a list of values to show, got {data!r}.")
    held = as_tensor(condition)
    if not bool(held):
        shown = "\n".join(first_elements("", as_tensor(part), summarize)[1] for part in data)
        raise InvalidArgumentError(f"Expected '{held}' to be true. Summarized data: {shown}")
