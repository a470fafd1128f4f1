"""Python's values: those read from tensors, and those that tensors are made of."""

from __future__ import annotations

import dis
import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType

    from ..user_frames import CodePlace

_FEW = 64
"""Lists longer than this do not stand in the code of a program."""
_SAMPLES = 4096
"""The number of elements by which a large array is recognized."""
_LOADS = frozenset(("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST"))


def _any_line(line: int) -> bool:
    return True


class PythonValue(NamedTuple):
    """A value, known by its shape and elements; ``numbers`` are the elements if they are few."""

    print: tuple[tuple[int, ...], int]
    numbers: tuple[Any, ...] | None
    is_computed: bool = False
    """Whether it was given as a scalar of NumPy, which its functions return."""

    @classmethod
    def of(cls, value: object) -> PythonValue:
        """The value of an array or number, without keeping the array."""
        array = np.asarray(value)
        flat = array.reshape(-1)
        few = tuple(flat.tolist()) if flat.size <= _FEW else None
        if flat.size > _SAMPLES:
            flat = flat[:: flat.size // _SAMPLES]
        as_one_dtype = flat.astype(np.float64) if flat.dtype.kind in "iufb" else flat
        is_computed = isinstance(value, np.generic)
        return cls((array.shape, hash(as_one_dtype.tobytes())), few, is_computed)

    def stands_in(self, code: CodeType | None, lines: Callable[[int], bool] = _any_line) -> bool:
        """Whether all its numbers stand on such lines of the code: then no look found it."""
        if code is None or self.numbers is None:
            return False
        constants = {x for line, x in _constants(code, code.co_linetable) if lines(line)}
        return all(x in constants or _negative(x) in constants for x in self.numbers)


class PythonLook(NamedTuple):
    """The value that Python got from a tensor, and the cause by which gradients end there."""

    cause: str
    value: PythonValue
    only_told: bool
    """Whether it is a condition or a text, from which no number comes."""
    name: str = ""
    """The function of cinta that looked, if it computes without ops."""


def is_stored_in_an_array(place: CodePlace) -> bool:
    """Whether a value was looked at because an assignment puts it into an array: `a[i] = x`."""
    code, offset = place
    return code is not None and dis.opname[code.co_code[offset]] == "STORE_SUBSCR"


@functools.lru_cache(maxsize=512)
def _constants(code: CodeType, table: bytes) -> tuple[tuple[int, Any], ...]:
    """The constants that stand in a code, each with its line."""
    loads = (x for x in dis.get_instructions(code) if x.opname in _LOADS)
    placed = ((x.argval, x.positions.lineno) for x in loads if x.positions is not None)
    return tuple((line, x) for value, line in placed if line is not None for x in _flat([value]))


def _negative(x: object) -> object:
    return -x if isinstance(x, (int, float, complex)) else x


def _flat(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        elif isinstance(value, (int, float, complex, str, bytes)):
            yield value
