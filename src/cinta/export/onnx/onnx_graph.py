"""A graph of ONNX while it is built."""

from __future__ import annotations

from copy import copy
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import helper, numpy_helper

from ...replay.recording import same_array
from ...saved_model.sizes import (
    VARYING,
    AnySize,
    Band,
    Elements,
    Full,
    Number,
    Quotient,
    Ramp,
    Size,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import DTypeLike


class OnnxGraph:
    """Nodes and constants. Values are known by their names.

    ``sizes`` says of each unknown dimension of which input it is, and on which axis.
    """

    def __init__(self, sizes: dict[int, tuple[str, int]]) -> None:
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self._sizes = sizes
        self._known: dict[Any, str] = {}
        self._constants: dict[Any, list[tuple[Any, str]]] = {}
        self._counted = count(1)

    def inside(self) -> OnnxGraph:
        """A graph within this one: it sees the values that are here by now, and its constants
        stand here."""
        inner = copy(self)
        inner.nodes, inner._known = [], {**self._known}
        return inner

    def name(self, what: str) -> str:
        """A name that nothing else has, neither in this graph nor in those inside or around."""
        return f"{what}_{next(self._counted)}"

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        """A node with one result."""
        return self.add_several(kind, 1, *inputs, **attributes)[0]

    def add_several(self, kind: str, count: int, *inputs: str, **attributes: Any) -> list[str]:
        """A node with so many results."""
        outputs = [self.name(kind) for _ in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs

    def constant(self, value: Any, dtype: Any = None) -> str:
        """A constant; what depends on sizes is computed."""
        if isinstance(value, VARYING):
            return self._varying(value, dtype)
        array = np.asarray(value, dtype)
        key = array.dtype, array.shape
        for known, name in self._constants.setdefault(key, []):
            if known is array or same_array(known, array):
                return name
        name = self.name("constant")
        self._constants[key].append((array, name))
        self.initializers.append(
            numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
        )
        return name

    def cast(self, name: str, dtype: DTypeLike) -> str:
        """The value in another dtype."""
        return self.add("Cast", name, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def sum(self, parts: Sequence[str]) -> str:
        """The sum of several values of one dtype; ONNX's own takes floats only."""
        return reduce(lambda total, part: self.add("Add", total, part), parts)

    def where(self, condition: str, x: str, y: str, dtype: np.dtype[Any]) -> str:
        """One value where the condition holds, another elsewhere; not all runtimes choose bools."""
        if dtype != np.bool_:
            return self.add("Where", condition, x, y)
        chosen = self.add("Where", condition, self.cast(x, np.uint8), self.cast(y, np.uint8))
        return self.cast(chosen, np.bool_)

    def ints(self, values: Sequence[int | AnySize]) -> str:
        """A vector of whole numbers, some of which may depend on sizes."""
        if not any(isinstance(value, (Size, Quotient)) for value in values):
            return self.constant(np.array(values, np.int64))
        return self.add("Concat", *[self._vector(value) for value in values], axis=0)

    # -- sizes ---------------------------------------------------------------------------------

    def _vector(self, value: int | AnySize) -> str:
        """A vector of one whole number."""
        if isinstance(value, Quotient):
            return self.add("Div", self._vector(value.size), self._vector(value.over))
        if not isinstance(value, Size):
            return self.constant(np.array([value], np.int64))
        if value not in self._known:
            terms = [self._term(*term) for term in value.terms] or [self._vector(0)]
            self._known[value] = self.sum(terms)
        return self._known[value]

    def _term(self, factor: int, which: tuple[int, ...]) -> str:
        result = self._vector(factor)
        for number in which:
            result = self.add("Mul", result, self._size(number))
        return result

    def _size(self, number: int) -> str:
        if number not in self._known:
            name, axis = self._sizes[number]
            self._known[number] = self.add("Shape", name, start=axis, end=axis + 1)
        return self._known[number]

    def scalar(self, value: object, dtype: DTypeLike) -> str:
        """A number that may depend on sizes."""
        if not isinstance(value, (Size, Quotient, Number)):
            return self.constant(value, dtype)
        size = value if isinstance(value, (Size, Quotient)) else value.size
        result = self.cast(self._vector(size), np.float64)
        function = value.function if isinstance(value, Number) else "itself"
        if "root" in function:
            result = self.add("Sqrt", result)
        if "reciprocal" in function:
            result = self.add("Reciprocal", result)
        return self.add("Squeeze", self.cast(result, dtype), self.ints([0]))

    def _varying(self, value: Any, dtype: Any) -> str:
        if isinstance(value, (Size, Quotient)):
            return self.scalar(value, dtype or np.int64)
        if isinstance(value, Number):
            return self.scalar(value, dtype or value.dtype or np.float32)
        found: dict[Any, Any] = {
            Full: self._full,
            Ramp: self._ramp,
            Band: self._band,
            Elements: self._elements,
        }
        result: str = found[type(value)](value)
        return self.cast(result, dtype) if dtype not in (None, value.dtype) else result

    def _full(self, value: Full) -> str:
        return self.add("Expand", self.scalar(value.value, value.dtype), self.ints(value.shape))

    def _elements(self, value: Elements) -> str:
        parts = [
            self.add("Reshape", self.scalar(each, value.dtype), self.ints([1]))
            for each in value.values
        ]
        return self.add("Reshape", self.add("Concat", *parts, axis=0), self.ints(value.shape))

    def _ramp(self, value: Ramp) -> str:
        total = self.scalar(value.start, np.int64)
        for axis, step in enumerate(value.steps):
            total = self.add("Add", total, self._positions(value.shape, axis, step))
        result = self.add("Expand", total, self.ints(value.shape))
        return self.cast(result, value.dtype)

    def _band(self, value: Band) -> str:
        rank = len(value.shape)
        rows = self._positions(value.shape, rank - 2, 1)
        columns = self._positions(value.shape, rank - 1, 1)
        offset = self.scalar(value.offset, np.int64)
        place = self.add("Sub", self.add("Sub", columns, rows), offset)
        zero = self.constant(np.int64(0))
        below, on, above = [
            self.scalar(each, value.dtype) for each in (value.below, value.on, value.above)
        ]
        result = self.where(self.add("Less", place, zero), below, above, value.dtype)
        result = self.where(self.add("Equal", place, zero), on, result, value.dtype)
        return self.add("Expand", result, self.ints(value.shape))

    def _positions(self, shape: Sequence[int | AnySize], axis: int, step: object) -> str:
        """The positions along an axis times a step, ready to be broadcast."""
        zero, one = self.constant(np.int64(0)), self.constant(np.int64(1))
        count = self.scalar(shape[axis], np.int64)
        line = self.add("Range", zero, count, one)
        along = [1] * len(shape)
        along[axis] = -1
        placed = self.add("Reshape", line, self.ints(along))
        return self.add("Mul", placed, self.scalar(step, np.int64))
