"""The values that a file may have for an attribute of an op, or for a field of a record.

That is what the types in the signature of the op's kernel say, or of the fields: a number is a
whole one of 64 bits where the type is ``int``, and within bounds where it is ``Count``, say. So an
op says all this where it is declared, and none can be left out.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from .. import dtypes
from ..engine import shapes
from ..engine.annotations import BasicIndex
from ..engine.summing import Axes
from ..ops.arrays.indexing import Index
from ..ops.arrays.padding import Paddings
from ..ops.image.resampling import Scaling
from ..ops.linalg.diagonal_ops import Range
from ..ops.nn.sliding_windows import Window
from ..replay.recording import Recording

if TYPE_CHECKING:
    from ..engine.op import Op

_NAMES = {
    **{name: getattr(shapes, name) for name in ("Count", "Positive", "Shape")},
    "Any": Any,
    "Callable": Callable,
    "Sequence": Sequence,
    "dtypes": dtypes,
    "np": np,
    "Array": np.ndarray,
    "Axes": Axes,
    "BasicIndex": BasicIndex,
    "Index": Index,
    "Paddings": Paddings,
    "Range": Range,
    "Recording": Recording,
    "Scaling": Scaling,
    "Window": Window,
}
"""Names in annotations that modules import for type checkers only."""

_LARGEST = 1 << 63


def check(op: Op, attrs: dict[str, Any]) -> None:
    """``ValueError`` if these are not attributes that the op can have."""
    expected = attributes(op)
    if attrs.keys() != expected.keys():
        raise ValueError(f"{op.name} has the attributes {[*expected]}, not {[*attrs]}")
    for name, value in attrs.items():
        if not fits(value, expected[name]):
            raise ValueError(f"{op.name} cannot have {name}={repr(value)[:100]}")


@cache
def attributes(op: Op) -> dict[str, Any]:
    """The types of the attributes of an op."""
    written = op.kernel.__annotations__
    names = {**_NAMES, **op.kernel.__globals__}
    return {name: eval(written[name], names) for name in op.attrs}  # they are our own source


@cache
def fields(record: type) -> dict[str, Any]:
    """The types of the fields of a named tuple."""
    return get_type_hints(record, localns=_NAMES, include_extras=True)


def fits(value: object, kind: Any) -> bool:
    """Whether the value is of this type.

    >>> fits((1, 2), tuple[int, ...]), fits((1, True), tuple[int, ...])
    (True, False)
    """
    if kind is Any:
        return True
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bare, holds = inside
        return fits(value, bare) and (type(value) is not (get_origin(bare) or bare) or holds(value))
    if origin in (Union, types.UnionType):
        return any([fits(value, each) for each in inside])
    if origin is tuple:
        return _fits_tuple(value, inside)
    if kind in (int, float):
        return _fits_number(value, kind)
    if hasattr(kind, "_fields"):
        return isinstance(value, kind) and all(map(fits, value, fields(kind).values()))
    return isinstance(value, origin or kind)


def _fits_tuple(value: object, inside: tuple[Any, ...]) -> bool:
    if type(value) is not tuple:
        return False
    if inside[1:] == (...,):
        return all([fits(each, inside[0]) for each in value])
    return len(value) == len(inside) and all(map(fits, value, inside))


def _fits_number(value: object, kind: type) -> bool:
    if hasattr(value, "stands_for"):  # until the sizes are known
        return bool(value.stands_for(kind))
    if type(value) is int:
        return -_LARGEST <= value < _LARGEST
    return kind is float and isinstance(value, (float, np.floating, np.integer))
