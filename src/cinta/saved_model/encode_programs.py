"""Values as JSON: a closed set of kinds, none of which can run code.

Numbers, strings, bools and None stand for themselves, lists for tuples. Everything else is an
object with one key, which says of what kind it is.
"""

from __future__ import annotations

import math
from hashlib import blake2b
from types import EllipsisType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import DType, of
from ..ops.image.resampling import Scaling
from ..ops.nn.sliding_windows import PlacedWindow, Window
from ..replay.loops.numbers import AffineNumber
from ..replay.recording import Guard, Recording
from .custom_gradients import RecordedGradient, SavedGradient, UnsavedGradient
from .looks import key_of
from .object_structures import Object, Ragged, Shape
from .plain_structures import Argument, CannotBeSaved, Named, Omitted, Result, Rows, Sparse, Unknown
from .renumbering import renumbered
from .sizes import (
    Band,
    Elements,
    Floor,
    Full,
    Number,
    Quotient,
    Ramp,
    SamePadding,
    Size,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from ..engine.tensor import Array
    from ..engine.variable import Variable
    from ..replay.recording import Ref, Step

RECORDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Ragged, Object, Shape),
        *(Argument, Named, Omitted, Result, Rows, Sparse, Unknown),
        *(Band, Elements, Floor, Full, Number, Quotient, Ramp, SamePadding, Size),
        *(AffineNumber, Scaling, Window),
        *(SavedGradient, UnsavedGradient, RecordedGradient),
    )
}
"""Named tuples of cinta that may stand in a file."""


class Arrays:
    """The arrays of a file by their names; those that are the same are stored once."""

    def __init__(self) -> None:
        self.by_name: dict[str, Array] = {}
        self._names: dict[tuple[Hashable, ...], str] = {}

    def add(self, array: Array) -> str:
        """The name under which the array will be found."""
        key = _contents(array)
        if key not in self._names:
            self._names[key] = f"constants/{len(self._names)}"
            self.by_name[self._names[key]] = array
        return self._names[key]


def _contents(array: Array) -> tuple[Hashable, ...]:
    if array.dtype == object:
        return "object", array.shape, tuple(array.reshape(-1).tolist())
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return array.dtype, array.shape, blake2b(data.data).digest()


class Encoder:
    """Writes values. Arrays are stored apart; variables go by their places among the objects."""

    def __init__(self, arrays: Arrays, place_of: Callable[[Variable], int]) -> None:
        self.arrays, self._place_of = arrays, place_of

    def __call__(self, value: Any) -> Any:
        """The value as JSON; ``CannotBeSaved`` if it is of no known kind."""
        kind = type(value)
        if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
            return value
        if kind is tuple:
            return [self(item) for item in value]
        if kind is PlacedWindow:  # the lengths that it has seen are those of every call
            return self(Window(*value))
        if RECORDS.get(kind.__name__) is kind:
            return {kind.__name__: [self(field) for field in value]}
        name = next((name for name, kinds in _KINDS.items() if isinstance(value, kinds)), None)
        if name is None:
            raise CannotBeSaved(f"{value!r} cannot be written down")
        return {name: getattr(self, f"_{name}")(value)}

    def _float(self, value: float) -> str:
        return repr(value)

    def _complex(self, value: complex) -> list[Any]:
        return [self(value.real), self(value.imag)]

    def _bytes(self, value: bytes) -> str:
        return value.hex()

    def _list(self, value: list[Any]) -> list[Any]:
        return [self(item) for item in value]

    def _dict(self, value: dict[Any, Any]) -> list[Any]:
        return [[self(key), self(item)] for key, item in value.items()]

    def _ellipsis(self, value: EllipsisType) -> bool:
        return True

    def _slice(self, value: slice) -> list[Any]:
        return [self(value.start), self(value.stop), self(value.step)]

    def _dtype(self, value: np.dtype[Any]) -> str:
        return of(value).name

    def _DType(self, value: DType) -> str:
        return value.name

    def _scalar(self, value: np.generic) -> list[Any]:
        plain: object = value.astype(object)  # as a number of Python's
        return [of(value.dtype).name, self(plain)]

    def _array(self, value: np.ndarray[Any, Any]) -> str:
        return self.arrays.add(value)

    def _recording(self, value: Recording) -> dict[str, Any]:
        made = renumbered(value)
        return {
            "inputs": len(made.inputs),
            "reads": [self._place_of(variable) for variable, _ in made.reads],
            "steps": [self._step(step) for step in made.steps],
            "results": [self._ref(ref) for ref in made.results],
            "rereads": [list(pair) for pair in made.rereads.items()],
            "assigns": [[self._place_of(v), self._ref(ref)] for v, ref in made.assigns],
        }

    def _step(self, step: Step | Guard) -> list[Any]:
        if isinstance(step, Guard):
            name, keywords = key_of(step.look)
            exit = [step.exit] if step.exit else []
            return ["guard", step.value, name, self(keywords), self(step.found), *exit]
        try:
            attrs = {name: self(value) for name, value in step.attrs.items()}
        except CannotBeSaved as error:
            raise CannotBeSaved(f"{step.op.name}: {error}") from None
        count = len(step.outputs) if step.several else None
        return [step.op.name, [self._ref(ref) for ref in step.inputs], attrs, count]

    def _ref(self, ref: Ref) -> int | dict[str, Any]:
        return ref if isinstance(ref, int) else {"constant": self(ref.value)}


_KINDS: dict[str, Any] = {
    "scalar": np.generic,  # before those of Python's numbers, which some of these are
    "float": float,
    "complex": complex,
    "bytes": bytes,
    "list": list,
    "dict": dict,
    "ellipsis": type(Ellipsis),
    "slice": slice,
    "dtype": np.dtype,
    "DType": DType,
    "array": np.ndarray,
    "recording": Recording,
}
"""Other values that may be written, by their names in files."""
