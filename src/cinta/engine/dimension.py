"""The length of one axis, known or not, as programs for TensorFlow 1 compute with it."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, TypeAlias

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable

LengthLike: TypeAlias = "SupportsIndex | Dimension | None"


@public("compat.v1.Dimension")
class Dimension:
    """The length of an axis, or that it is not known. ``shape.dims`` has one for each axis.

    It counts and indexes as its number does. A length that is not known makes what is computed with
    it unknown, and comparing it gives None.

    >>> import cinta as tf
    >>> length = tf.compat.v1.Dimension(3)
    >>> length.value, length == 3, [0, 1, 2, 3, 4][length]
    (3, True, 3)
    >>> length + 1, 7 // length, length * tf.compat.v1.Dimension(None)
    (Dimension(4), Dimension(2), Dimension(None))
    >>> length < 4, length < tf.compat.v1.Dimension(None)
    (True, None)
    >>> length.is_compatible_with(None), length.merge_with(None)
    (True, Dimension(3))
    >>> length.assert_is_compatible_with(3)

    Args:
        value: The length; None if it is not known.

    Raises:
        TypeError: If it is not an integer.
        ValueError: If it is negative.
    """

    __slots__ = ("value",)

    def __init__(self, value: LengthLike) -> None:
        self.value = _known(value)
        if self.value is not None and self.value < 0:
            raise ValueError(f"Dimension {self.value} must be >= 0")

    def is_compatible_with(self, other: LengthLike) -> bool:
        """Whether both are the same, or one is not known.

        Args:
            other: Another length.
        """
        return _compared(operator.eq, self, Dimension(other)) is not False

    def assert_is_compatible_with(self, other: LengthLike) -> None:
        """Refuse another length, unless one is not known.

        Args:
            other: The other length.

        Raises:
            ValueError: If both are known and differ.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: LengthLike) -> Dimension:
        """The one of both that is known.

        Args:
            other: Another length.

        Raises:
            ValueError: If both are known and differ.
        """
        self.assert_is_compatible_with(other)
        return Dimension(other if self.value is None else self.value)

    def __add__(self, other: LengthLike) -> Dimension:
        return _computed(operator.add, self, other)

    def __sub__(self, other: LengthLike) -> Dimension:
        return _computed(operator.sub, self, other)

    def __rsub__(self, other: LengthLike) -> Dimension:
        return _computed(operator.sub, other, self)

    def __mul__(self, other: LengthLike) -> Dimension:
        if isinstance(other, (list, tuple, str)):  # which are repeated so often
            return NotImplemented
        return _computed(operator.mul, self, other)

    def __floordiv__(self, other: LengthLike) -> Dimension:
        return _computed(operator.floordiv, self, other)

    def __rfloordiv__(self, other: LengthLike) -> Dimension:
        return _computed(operator.floordiv, other, self)

    def __truediv__(self, other: object) -> NoReturn:
        raise _undivided(self, other)

    def __rtruediv__(self, other: object) -> NoReturn:
        raise _undivided(other, self)

    def __mod__(self, other: LengthLike) -> Dimension:
        return _computed(operator.mod, self, other)

    def __rmod__(self, other: LengthLike) -> Dimension:
        return _computed(operator.mod, other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool | None:  # type: ignore[override]  # None as TensorFlow's
        if not isinstance(other, (Dimension, SupportsIndex)) and other is not None:
            return NotImplemented
        return _compared(operator.eq, self, other)

    def __ne__(self, other: object) -> bool | None:  # type: ignore[override]  # None as TensorFlow's
        equal = self == other
        return None if equal is None else not equal

    def __lt__(self, other: LengthLike) -> bool | None:
        return _compared(operator.lt, self, other)

    def __le__(self, other: LengthLike) -> bool | None:
        return _compared(operator.le, self, other)

    def __gt__(self, other: LengthLike) -> bool | None:
        return _compared(operator.gt, self, other)

    def __ge__(self, other: LengthLike) -> bool | None:
        return _compared(operator.ge, self, other)

    def __reduce__(self) -> tuple[type[Dimension], tuple[int | None]]:
        return Dimension, (self.value,)

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __index__(self) -> int:
        if self.value is None:
            raise TypeError("The length of this axis is not known.")
        return self.value

    __int__ = __index__

    def __repr__(self) -> str:
        return f"Dimension({self.value})"

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)


def _known(value: LengthLike) -> int | None:
    if isinstance(value, Dimension):
        return value.value
    try:
        return None if value is None else operator.index(value)
    except TypeError:
        raise TypeError(f"Dimension value must be integer or None, got {value!r}.") from None


def _undivided(left: object, right: object) -> TypeError:
    kinds = f"{type(left).__name__!r} and {type(right).__name__!r}"
    return TypeError(f"unsupported operand type(s) for /: {kinds}, please use // instead")


def _computed(
    function: Callable[[int, int], int], left: LengthLike, right: LengthLike
) -> Dimension:
    a, b = _known(left), _known(right)
    if a is None or b is None:
        return Dimension(None)
    try:
        return Dimension(function(a, b))
    except ZeroDivisionError:
        raise ZeroDivisionError(f"Dimension {a} cannot be divided by 0.") from None


def _compared(
    function: Callable[[int, int], bool], left: LengthLike, right: LengthLike
) -> bool | None:
    a, b = _known(left), _known(right)
    return None if a is None or b is None else function(a, b)
