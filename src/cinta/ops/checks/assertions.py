"""Assertions about the values of tensors: InvalidArgumentError says what did not hold, and where.

They return None. Those about shapes and dtypes are in ``shape_assertions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...dtypes import finfo
from ...engine.convert import as_tensor, kept, match
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import named, public
from ..arguments import whole_number
from ..elementwise.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from ..elementwise.unary import abs as absolute
from ..reductions.reduction import reduce_all

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from ...engine.fast_calls import Binary
    from ...engine.tensor import Tensor

SHOWN = 3  # elements that an error shows if the caller does not say how many


# -- of two tensors ----------------------------------------------------------------------------


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


class OfTwo(Protocol):
    """An assertion about two tensors that are broadcast against each other."""

    def __call__(
        self,
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None: ...


def _of_two(name: str, condition: Binary, sign: str, example: str) -> OfTwo:
    """The assertion that a condition holds for all pairs of elements."""
    doc = f"""Raise unless x {sign} y everywhere.

    >>> import cinta as tf
    >>> tf.debugging.{name}({example})

    Args:
        x: A tensor.
        y: Another; the shapes are broadcast.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If x {sign} y does not hold for a pair of elements.
    """

    def check(
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None:
        _compare(condition, sign, x, y, message, summarize)

    return named(name, doc, check)


assert_none_equal = public("debugging.assert_none_equal")(
    _of_two("assert_none_equal", not_equal, "!=", "[2, 3], [3, 2]")
)
assert_less = public("assert_less", "debugging.assert_less")(
    _of_two("assert_less", less, "<", "[2, 3], 4")
)
assert_less_equal = public("debugging.assert_less_equal")(
    _of_two("assert_less_equal", less_equal, "<=", "[2, 3], 3")
)
assert_greater = public("assert_greater", "debugging.assert_greater")(
    _of_two("assert_greater", greater, ">", "[2, 3], 1")
)
assert_greater_equal = public("debugging.assert_greater_equal")(
    _of_two("assert_greater_equal", greater_equal, ">=", "[2, 3], 2")
)


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
        _fail(
            message,
            f"x and y not equal to tolerance rtol = {relative}, atol = {absolute_slack}",
            *_first("x", left, summarize),
            *_first("y", right, summarize),
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
    _fail(
        message,
        f"Condition x {sign} y did not hold.",
        *differences,
        *_first("x", left, summarize),
        *_first("y", right, summarize),
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


def _first(name: str, tensor: Tensor, summarize: int | None) -> tuple[str, str]:
    count = SHOWN if summarize is None else whole_number(summarize, "summarize")
    shown = np.asarray(seen(tensor)).reshape(-1)
    shown = shown[:count] if count >= 0 else shown
    return f"First {len(shown)} elements of {name}:", str(shown)


def _fail(message: str | None, *lines: str) -> None:
    raise InvalidArgumentError("\n".join([message, *lines] if message else lines))


# -- of one tensor -----------------------------------------------------------------------------


class OfOne(Protocol):
    """An assertion about a tensor."""

    def __call__(
        self,
        x: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None: ...


def _of_one(name: str, condition: Binary, sign: str, example: str) -> OfOne:
    """The assertion that a condition holds between all elements and 0."""
    doc = f"""Raise unless x {sign} 0 everywhere.

    >>> import cinta as tf
    >>> tf.debugging.{name}({example})

    Args:
        x: A tensor of numbers.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If x {sign} 0 does not hold for an element.
    """

    def check(
        x: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None:
        tensor = as_tensor(x)
        if not bool(reduce_all(condition(tensor, 0))):
            text = f"Condition x {sign} 0 did not hold element-wise:"
            _fail(message, text, *_first("x", tensor, summarize))

    return named(name, doc, check)


assert_positive = public("debugging.assert_positive")(
    _of_one("assert_positive", greater, ">", "[2, 3]")
)
assert_negative = public("debugging.assert_negative")(
    _of_one("assert_negative", less, "<", "[-2, -3]")
)
assert_non_negative = public("debugging.assert_non_negative")(
    _of_one("assert_non_negative", greater_equal, ">=", "[0, 3]")
)
assert_non_positive = public("debugging.assert_non_positive")(
    _of_one("assert_non_positive", less_equal, "<=", "[0, -3]")
)


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
        shown = "\n".join(_first("", as_tensor(part), summarize)[1] for part in data)
        raise InvalidArgumentError(f"Expected '{held}' to be true. Summarized data: {shown}")
