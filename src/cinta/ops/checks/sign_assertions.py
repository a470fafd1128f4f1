"""Assertions about the sign of a tensor's elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.convert import as_tensor
from ...public import public
from ..elementwise.comparison import greater, greater_equal, less, less_equal
from ..reductions.reduction import reduce_all
from .assertions import fail, first_elements

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from ...engine.fast_calls import Binary


@public("debugging.assert_positive")
def assert_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise unless x > 0 everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_positive([2, 3])

    Args:
        x: A tensor of numbers.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element is not positive.
    """
    _compare_with_zero(greater, ">", x, message, summarize)


@public("debugging.assert_negative")
def assert_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise unless x < 0 everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_negative([-2, -3])

    Args:
        x: A tensor of numbers.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element is not negative.
    """
    _compare_with_zero(less, "<", x, message, summarize)


@public("debugging.assert_non_negative")
def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise unless x >= 0 everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_non_negative([0, 3])

    Args:
        x: A tensor of numbers.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element is negative.
    """
    _compare_with_zero(greater_equal, ">=", x, message, summarize)


@public("debugging.assert_non_positive")
def assert_non_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise unless x <= 0 everywhere.

    >>> import cinta as tf
    >>> tf.debugging.assert_non_positive([0, -3])

    Args:
        x: A tensor of numbers.
        message: The beginning of the message of the error.
        summarize: How many elements to show; None for 3, -1 for all.

    Raises:
        InvalidArgumentError: If an element is positive.
    """
    _compare_with_zero(less_equal, "<=", x, message, summarize)


def _compare_with_zero(
    condition: Binary, sign: str, x: object, message: str | None, summarize: int | None
) -> None:
    tensor = as_tensor(x)
    if not bool(reduce_all(condition(tensor, 0))):
        text = f"Condition x {sign} 0 did not hold element-wise:"
        fail(message, text, *first_elements("x", tensor, summarize))
