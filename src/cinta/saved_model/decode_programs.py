"""Values from JSON that may have been written by anybody: what is of no known kind is refused.

Whatever is wrong raises ``ValueError``, but an op that is not known ``NotFoundError``.
"""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..dtypes import as_dtype
from ..engine.op import registry
from ..engine.variable import Variable
from ..errors import NotFoundError
from ..replay.loops.loop_ops import Numbered
from ..replay.recording import PASSED_ON, Constant, Guard, Recording, Step
from . import domains
from .bodies import check_bodies
from .custom_gradients import RecordedGradient
from .encode_programs import RECORDS
from .looks import look_of
from .plain_structures import check_places
from .sizes import VARYING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..dtypes import DType
    from ..engine.tensor import Array
    from ..files.container import Container
    from ..replay.recording import Ref

_CALLS = frozenset(
    (
        *("CustomGradient", "EagerPyFunc", "EagerPyFuncGrad", "PrintV2", "PyFunc", "WatchStep"),
        *("Sweeps", "TapeGradient", "TapeStarts", "TapeStops", "TapeWatches"),
    )
)
"""Ops that call what they are given, and those of tapes and gradients: no file may hold one."""


class Decoder:
    """Reads values of a file: its arrays by name, and variables, known by their places."""

    def __init__(self, container: Container, variables: dict[int, Variable]) -> None:
        self._read, self._origin = container.read, container.path
        self._variables = variables
        self._arrays: dict[str, Array] = {}

    def __call__(self, value: object) -> Any:
        """The value that the JSON stands for."""
        if value is None or isinstance(value, (bool, int, str, float)):
            return value
        if isinstance(value, list):
            return tuple([self(item) for item in value])
        if isinstance(value, dict) and len(value) == 1:
            name, content = next(iter(value.items()))
            if name in RECORDS:
                return self._record(RECORDS[name], content)
            if name in _KINDS:
                return getattr(self, f"_{name}")(content)
        return _refuse(value, "a value")

    def _record(self, kind: type[Any], content: object) -> Any:
        fields = self(_list(content))
        if len(fields) != len(kind._fields):
            _refuse(content, f"a {kind.__name__}")
        record = kind(*fields)
        if not domains.fits(record, kind):
            _refuse(content, f"a {kind.__name__}")
        if isinstance(record, RecordedGradient):
            check_places(record.returned, len(record.recording.results))
        return record

    def _float(self, content: str) -> float:
        return float(_text(content))

    def _complex(self, content: list[float]) -> complex:
        real, imaginary = self(_list(content, 2))
        return complex(real, imaginary)

    def _bytes(self, content: object) -> bytes:
        return bytes.fromhex(_text(content))

    def _list(self, content: list[Any]) -> list[Any]:
        return [self(item) for item in _list(content)]

    def _dict(self, content: object) -> dict[Any, Any]:
        return {self(key): self(item) for key, item in _pairs(content)}

    def _ellipsis(self, content: Array | int) -> EllipsisType:
        return ...

    def _slice(self, content: object) -> slice:
        return slice(*self(_list(content, 3)))

    def _dtype(self, content: str) -> np.dtype[Any]:
        return self._DType(content).dtype

    def _DType(self, content: str) -> DType:
        try:
            return as_dtype(_text(content))
        except TypeError:
            return _refuse(content, "a dtype")

    def _scalar(self, content: object) -> np.generic:
        name, value = _list(content, 2)
        number: np.generic = self._dtype(name).type(self(value))
        return number

    def _array(self, content: str) -> Array:
        name = _text(content)
        if name not in self._arrays:
            self._arrays[name] = self._read(name)
        return self._arrays[name]

    def _recording(self, content: dict[str, Any]) -> Recording:
        if not isinstance(content, dict) or content.keys() != _RECORDING:
            _refuse(content, "a recording")
        known = _count(content["inputs"])
        inputs = tuple(range(known))
        places = _list(content["reads"])
        reads = tuple([(self.variable(place), known + i) for i, place in enumerate(places)])
        known += len(reads)
        steps: list[Step | Guard] = []
        for each in _list(content["steps"]):
            step = self._step(each, known)
            steps.append(step)
            known += 0 if isinstance(step, Guard) else len(step.outputs)
        results = tuple([self._ref(ref, known) for ref in _list(content["results"])])
        assigns = tuple(
            [(self.variable(v), self._ref(ref, known)) for v, ref in _pairs(content["assigns"])]
        )
        rereads = {_below(n, known): _below(v, known) for n, v in _pairs(content["rereads"])}
        return Recording("loaded", inputs, reads, tuple(steps), results, assigns, rereads, {})

    def variable(self, place: int) -> Variable:
        """The variable at a place among the objects."""
        if type(place) is not int or place not in self._variables:
            _refuse(place, "a variable")
        return self._variables[place]

    def _step(self, content: object, known: int) -> Step | Guard:
        if isinstance(content, list) and content[:1] == ["guard"]:
            _, value, name, keywords, found, *exits = _list(content, max(5, min(6, len(content))))
            exit = exits[0] if exits else 0
            if type(exit) is not int or exit < PASSED_ON:
                _refuse(exit, "the number of an exit")
            look = look_of(_text(name), self(keywords))
            return Guard(_below(value, known), look, self(found), exit)
        name, refs, attrs, count = _list(content, 4)
        op = registry.find(_text(name))
        if op is None:
            raise NotFoundError(
                f"Op type not registered '{name}' in {self._origin}: this cinta has no op of that "
                "name. A newer one may have."
            )
        inputs = tuple([self._ref(ref, known) for ref in _list(refs)])
        if op.name in _CALLS or not isinstance(attrs, dict):
            _refuse(content, f"a call of {op.name}")
        if not op.variadic and len(inputs) > len(op.inputs):
            _refuse(content, f"a call of {op.name}")
        outputs = tuple(range(known, known + (1 if count is None else _count(count))))
        values = {key: self(value) for key, value in attrs.items()}
        domains.check(op, values)
        if op is Numbered and values["name"] in _CALLS:
            _refuse(content, f"a call of {op.name}")
        step = Step(op, inputs, values, outputs, count is not None)
        check_bodies(step)
        return step

    def _ref(self, ref: object, known: int) -> Ref:
        if isinstance(ref, dict) and ref.keys() == {"constant"}:
            value = self(ref["constant"])
            return Constant(value) if isinstance(value, _VALUES) else _refuse(ref, "a constant")
        return _below(ref, known)


_VALUES = (int, float, complex, np.generic, np.ndarray, *VARYING)
"""The forms of a constant: an array, or a value that becomes one."""

_RECORDING = {"inputs", "reads", "steps", "results", "assigns", "rereads"}
_KINDS = frozenset(
    (
        *("float", "complex", "bytes", "list", "dict", "ellipsis", "slice", "dtype", "DType"),
        *("scalar", "array", "recording"),
    )
)


def _list(value: object, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        _refuse(value, "a list" if length is None else f"a list of {length}")
    return value


def _pairs(value: object) -> list[Any]:
    return [_list(pair, 2) for pair in _list(value)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else _refuse(value, "a text")


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < _MOST:
        _refuse(value, "a count")
    return value


_MOST = 1 << 20
"""More inputs or results than anything has."""


def _below(value: object, known: int) -> int:
    if type(value) is not int or not 0 <= value < known:
        _refuse(value, "the number of a value that is known by then")
    return value


def _refuse(value: object, what: str) -> NoReturn:
    raise ValueError(f"{repr(value)[:100]} is not {what}")
