"""The values that Python knows where it looks at a tensor, as marks that can be compared."""

from __future__ import annotations

from abc import ABCMeta
from collections import OrderedDict
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...derivatives.tape import GradientTape
from ...dtypes import DType
from ...engine.module import Module
from ...engine.name_scopes import name_scope
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor
from ...engine.variable import Variable
from ...engine.with_blocks import FollowedBlock
from ...ops.random.op_numbering import NumberedGraph
from ..argument_structures import Same, attributes, exactly
from ..captures.instances import base_of
from ..captures.ownership import owner_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from ...engine.recorders import Recorder
    from ..recording import Ref

_SMALL = 256
"""Arrays of so many elements are compared, and so much that Python knows in a frame."""


class Opaque(Exception):
    """Python knows something of which it cannot be told whether it changes."""


class KnownValues:
    """Python's state, as marks that are equal if it is the same. They keep nothing alive."""

    def __init__(
        self,
        ref_of: Callable[[Tensor], Ref],
        is_compared: Callable[[object], bool],
        mark_of_tape: Callable[[Recorder | None], Hashable] | None,
    ) -> None:
        self.marks: list[Hashable] = []
        self.refs: list[Ref] = []
        self.constants: list[tuple[int, Tensor]] = []  # with the places of their marks
        self.counts: list[Hashable] = []
        self.has_tapes = False
        self._ref_of, self._is_compared, self._mark_of_tape = ref_of, is_compared, mark_of_tape
        self._met: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._most = _SMALL
        self._add = self.marks.append

    def counted(self, graph: NumberedGraph | None) -> None:
        """Add what has been counted in a graph."""
        self.counts.append(None if graph is None else graph.counts)

    def held(self, marks: Sequence[Hashable], refs: Sequence[Ref]) -> None:
        """Add what is known beside what frames know."""
        self.marks += marks
        for ref in refs:
            self._ref(ref)

    def begin(self, *marks: Hashable) -> None:
        """Add the marks of a frame; from here on it may know so much."""
        self._most = len(self.marks) + _SMALL
        self.marks += marks

    def look_at(self, value: Any) -> None:
        """Add what is known by a value; ``Opaque`` if it may change unseen."""
        if len(self.marks) > self._most:
            raise Opaque
        kind = type(value)
        self._add((kind,))
        if kind is Tensor:
            self._tensor(value)
        elif kind in _ROWS or _is_named_tuple(kind):
            self._items(value, [*value])
        elif kind is dict or kind is OrderedDict:
            self._pairs(value, value)
        elif kind is slice:
            self._items(value, (value.start, value.stop, value.step))
        elif kind is FunctionType:
            self._function(value)
        elif kind is partial:
            self._items(value, (value.func, value.args, value.keywords))
        elif kind is NumberedGraph:
            self.counted(value)
        elif isinstance(value, np.ndarray):
            if self._is_compared(value):
                self._add(Same(value))
            else:
                self._array(value)
        elif kind in _NUMBERS:
            self._add(exactly(value))
        elif isinstance(value, np.generic):
            self._add((value.dtype, value.tobytes()))
        elif kind in _ATOMS or isinstance(value, (np.dtype, DType)):
            self._add(value)
        elif kind is TensorShape:
            self._add(None if value.rank is None else (*value.as_list(),))
        elif isinstance(value, Variable) or _is_of_module(value) or self._is_compared(value):
            self._add(Same(value))  # somebody else looks at its content
        elif isinstance(value, Module):
            self._add(Same(value))
            self._pairs(value, vars(value))
        elif _is_of_program(kind):
            self._pairs(value, vars(value))
        elif kind is GradientTape:
            self._tape(value)
        elif kind is FollowedBlock or kind is name_scope:
            self._items(value, value._parts)
        else:
            raise Opaque

    def _tape(self, value: GradientTape) -> None:
        """Add what Python can know of a tape, but for what is on it."""
        if self._mark_of_tape is None:
            raise Opaque
        self.has_tapes = True
        self._add((value._persistent, value._watch_accessed, value._recording, value._broken))
        self._add(self._mark_of_tape(value._recorder))

    def _tensor(self, value: Tensor) -> None:
        if value.__dict__:
            given = attributes(value)
            self._add(given.pop("_device", None))
            if given:
                raise Opaque
        ref, array = self._ref_of(value), value._array
        self._add((array.dtype, array.shape))
        if type(ref) is int:
            self._recorded(ref)
            return
        self._ref(ref)
        if not isinstance(ref, int) and value._recorder is None and not self._is_compared(value):
            self.constants.append((len(self.marks) - 1, value))

    def _ref(self, ref: Ref) -> None:
        if isinstance(ref, int):
            self._recorded(ref)
        else:
            self._array(np.asarray(ref.value), changes=False)

    def _recorded(self, ref: int) -> None:
        """Add a recorded value, of which the state tells only where it was met before.

        Python may ask whether two names are one tensor, and a tape that watches it watches both.
        """
        self._add((self._places.setdefault(ref, len(self.refs)),))
        self.refs.append(ref)

    def _array(self, value: Any, changes: bool = True) -> None:
        if value.dtype.hasobject or (changes and value.size > _SMALL):
            raise Opaque
        if value.size > _SMALL:
            self._add(Same(value))
        else:
            from hashlib import blake2b

            digest = blake2b(value.tobytes()).digest()
            self._add((value.dtype, value.shape, value.strides, digest))

    def _items(self, whole: object, parts: Any) -> None:
        if not self._is_new(whole):
            return
        self._add(len(parts))
        for part in parts:
            self.look_at(part)

    def _pairs(self, whole: object, pairs: Mapping[Any, Any]) -> None:
        self._items(whole, [part for pair in pairs.items() for part in pair])

    def _function(self, value: FunctionType) -> None:
        if not self._is_new(value):
            return
        self._add(value.__code__)
        self._add(id(value.__globals__))
        try:
            inside = [cell.cell_contents for cell in value.__closure__ or ()]
        except ValueError:  # a cell that is not bound yet
            raise Opaque from None
        for part in (*inside, value.__defaults__, value.__kwdefaults__, value.__dict__):
            self.look_at(part)

    def _is_new(self, whole: object) -> bool:
        """Whether it was not met before; if it was, it is known by when that was."""
        before = self._met.get(id(whole), -1)
        self._add(before)
        self._met.setdefault(id(whole), len(self._met))
        return before < 0


def _is_of_module(value: object) -> bool:
    """Whether it is a module, or a class or function of one: these are compared by whoever looks
    at what a function refers to."""
    if isinstance(value, type):
        return "<locals>" not in value.__qualname__
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, (ModuleType, type(None)))
    return isinstance(value, ModuleType)


def _is_named_tuple(kind: type) -> bool:
    """Whether its objects are tuples of fields, and nothing else."""
    fields = getattr(kind, "_fields", None)
    return issubclass(kind, tuple) and isinstance(fields, tuple) and not kind.__dictoffset__


def _is_of_program(kind: type) -> bool:
    """Whether it is a class of the program whose objects are their attributes, and nothing else."""
    return (
        type(kind) in (type, ABCMeta)
        and owner_of(kind) is None
        and base_of(kind) is object
        and kind.__dictoffset__ != 0
        and not any([vars(each).get("__slots__") for each in kind.__mro__])
    )


_NUMBERS = frozenset((int, float, complex))
_ATOMS = frozenset((bool, str, bytes, type(None), type(...), range))
_ROWS = frozenset((tuple, list, set, frozenset))
