"""The dtype of two values together, by the rules that do not depend on the order of operations.

Dtypes stand in a lattice: the dtype of two is the first that both lead to. A dtype that nobody has
asked for, as that of Python's number 1, is *weak* and stands before those of the same kind. Mode
"safe" refuses a promotion that needs more bits than both have, or that can lose digits.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ... import dtypes


class Kind(NamedTuple):
    """A dtype, by its name, and whether it is weak."""

    name: str
    is_weak: bool = False

    def __str__(self) -> str:
        return f"{'weak ' if self.is_weak else ''}{self.name}"

    @property
    def dtype(self) -> dtypes.DType:
        return dtypes.as_dtype(self.name)


WEAK_INT, WEAK_FLOAT, WEAK_COMPLEX = (
    Kind("int32", True),
    Kind("float32", True),
    Kind("complex128", True),
)
_WEAK_DOUBLE = Kind("float64", True)  # an integer with a float: it has room for both


def _strong(names: str) -> list[Kind]:
    return [Kind(name) for name in names.split()]


_NEXT: dict[Kind, list[Kind]] = {
    Kind("bool"): [WEAK_INT],
    WEAK_INT: [*_strong("uint8 int8"), WEAK_FLOAT],
    **{Kind(f"uint{n}"): _strong(f"uint{2 * n} int{2 * n}") for n in (8, 16, 32)},
    **{Kind(f"int{n}"): _strong(f"int{2 * n}") for n in (8, 16, 32)},
    Kind("uint64"): [_WEAK_DOUBLE],
    Kind("int64"): [_WEAK_DOUBLE],
    WEAK_FLOAT: [_WEAK_DOUBLE],
    _WEAK_DOUBLE: [*_strong("bfloat16 float16"), WEAK_COMPLEX],
    Kind("bfloat16"): _strong("float32"),
    Kind("float16"): _strong("float32"),
    Kind("float32"): _strong("float64 complex64"),
    Kind("float64"): _strong("complex128"),
    WEAK_COMPLEX: _strong("complex64"),
    Kind("complex64"): _strong("complex128"),
    Kind("complex128"): [],
}
"""The dtypes to which each one leads in one step."""

_DIGITS = {
    "bool": 1,
    "bfloat16": 8,
    "float16": 11,
    "float32": 24,
    "float64": 53,
    "complex64": 24,
    "complex128": 53,
    **{f"int{n}": n - 1 for n in (8, 16, 32, 64)},
    **{f"uint{n}": n for n in (8, 16, 32, 64)},
}
"""The binary digits that each dtype holds."""


def is_promoted(kind: Kind) -> bool:
    """Whether the rules are about the dtype; strings, for example, are what they are."""
    return kind in _NEXT


@cache
def _reached(kind: Kind) -> frozenset[Kind]:
    """The dtypes to which one leads, itself among them."""
    return frozenset([kind]).union(*map(_reached, _NEXT[kind]))


@cache
def promoted(x: Kind, y: Kind, safe: bool) -> Kind:
    """The dtype of two values together; a TypeError where mode "safe" refuses it."""
    common = _reached(x) & _reached(y)
    (found,) = [each for each in common if common <= _reached(each)]
    if safe and not (_has_room(found, x, y) and _keeps(found, x) and _keeps(found, y)):
        raise TypeError(
            f"{x} and {y} become {found}, which dtype_conversion_mode='safe' refuses: it needs "
            "more bits, or can lose digits. Use tf.cast on one of them, or the mode 'all'."
        )
    return found


def _has_room(found: Kind, x: Kind, y: Kind) -> bool:
    return found.name in (x.name, y.name)


def _keeps(found: Kind, x: Kind) -> bool:
    """Whether values of a dtype that somebody asked for keep all their digits."""
    return x.is_weak or x.name == found.name or _DIGITS[x.name] <= _DIGITS[found.name]
