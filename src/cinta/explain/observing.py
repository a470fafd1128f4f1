"""Observing: the wrappers that report to the ledger while explanations are on.

While they are off there is no cost: kernels and methods are replaced when explanations begin and
put back when they end.
"""

from __future__ import annotations

import functools
import os
import sys
import weakref
from _thread import get_ident
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..checkpoints.checkpoint import Checkpoint
from ..checkpoints.collecting import walk
from ..data import Dataset
from ..data.queueing import QueueBase
from ..derivatives.tape import GradientTape
from ..engine import convert
from ..engine.op import registry
from ..engine.recorders import observers
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, tracked
from ..engine.variable import Variable, behind
from ..engine.variable_storage import VariableStorage
from ..lookup.tables import DenseHashTable, MutableHashTable
from .asking import answered
from .exchanging import exchanging
from .forward import ForwardObserver
from .functions import FunctionObserver
from .layer_calls import LayerCalls
from .ledger import Ledger, own
from .life import Life, Moment
from .lines import here
from .not_finite import of_data
from .python_values import Look, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .asking import Findings

_LOOKS = {
    "numpy": "left-to-numpy",
    "__array__": "left-to-numpy",
    "_struct": "left-to-numpy",
    "__buffer__": "left-to-numpy",
    "__dlpack__": "left-to-numpy",
    "__bool__": "python-value",
    "__int__": "python-value",
    "__float__": "python-value",
    "__complex__": "python-value",
    "__index__": "python-value",
    "__format__": "python-value",
}
"""The ways by which Python gets the value of a tensor, with the causes of lost gradients."""
_TELLING = frozenset(("__bool__", "__format__"))

_BOUNDARIES = (
    (Dataset, "from_tensors"),
    (Dataset, "from_tensor_slices"),
    (QueueBase, "enqueue"),
    (QueueBase, "enqueue_many"),
    (MutableHashTable, "insert"),
    (DenseHashTable, "insert_or_assign"),
    (Checkpoint, "write"),
)
"""Methods that store values, which come back as constants."""

_CINTA = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_ON_BEHALF = tuple(
    os.path.join(_CINTA, *path)
    for path in (
        ("engine", "tensor.py"),
        ("engine", "variable.py"),
        ("engine", "operators.py"),
        ("ops", "arrays", "indexing.py"),
    )
)
"""Files whose methods look at a tensor on behalf of their caller."""


@contextmanager
def observing(findings: Findings) -> Iterator[Ledger]:
    """Enter the events of the block in a new ledger, and report what they explain to findings."""
    book = Ledger()
    observer = _Observer(book, findings)
    with exchanging(observer.exchanges()), ExitStack() as undo:
        for op in registry.all():
            plain = op.run
            undo.callback(op.replace, plain)
            op.replace(book.noted(op, plain), in_rules=plain)
        yield book


def _is_asked_by_cinta() -> bool:
    """Whether an op of cinta looks at a tensor, for a shape or the like, and not the program."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in _ON_BEHALF and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(_CINTA)


def is_known(value: object) -> bool:
    """Whether this is a tensor or variable."""
    return isinstance(value, (Tensor, Variable))


class _Observer:
    """Makes wrappers of methods that enter each call in the ledger."""

    def __init__(self, book: Ledger, findings: Findings) -> None:
        self.book, self.findings = book, findings
        self.lives: weakref.WeakKeyDictionary[GradientTape, Life] = weakref.WeakKeyDictionary()
        findings.lives = self.lives

    def exchanges(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """The methods to replace: owner, name, and a function from the plain one to its wrapper."""
        for name, cause in _LOOKS.items():
            yield Tensor, name, functools.partial(self._looking, cause, name in _TELLING)
        for holder, name in _BOUNDARIES:
            yield holder, name, self._passing
        yield from FunctionObserver(self.findings).exchanges()
        yield from ForwardObserver(self.book, self.findings).exchanges()
        yield from self.findings.layers.exchanges()
        yield from LayerCalls(self.book).exchanges()
        yield convert, "array_of", self._making
        yield Variable, "__init__", self._beginning
        yield Variable, "__tf_tensor__", self._reading
        yield VariableStorage, "_become", self._becoming
        yield VariableStorage, "_overwrite", self._overwriting
        for name in ("_update", "_update_rows", "_assign_slice"):
            yield VariableStorage, name, self._assigning
        yield GradientTape, "_start", self._starting
        yield GradientTape, "_stop", self._stopping
        yield GradientTape, "watch", self._watching
        yield GradientTape, "reset", self._resetting
        for name in ("gradient", "jacobian", "batch_jacobian"):
            yield GradientTape, name, self._asking

    # -- values --------------------------------------------------------------------------------

    def _looking(
        self, cause: str, only_told: bool, plain: Callable[..., Any]
    ) -> Callable[..., object]:
        def looking(tensor: Tensor, *args: object, **kwargs: object) -> object:
            found = plain(tensor, *args, **kwargs)
            event = self.book.at.get(id(tensor._array))
            if event is not None and event.kind != "outside" and not _is_asked_by_cinta():
                is_number = type(found) in (int, float, complex)
                look = Look(cause, Value.of(found if is_number else tensor._array), only_told)
                self.book.add("looked", None, (event,), None, look)
            return found

        return looking

    def _passing(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def passing(self_or_class: object, *args: object, **kwargs: object) -> object:
            given = nest.flatten((args, kwargs))
            if isinstance(self_or_class, Checkpoint):
                given += [part for _, part, _ in walk(self_or_class)]
            for x in filter(is_known, map(behind, given)):
                event = self.book.event_of(x)
                if event.kind not in ("outside", "made"):
                    look = Look("state-boundary", Value.of(x._array), False)
                    self.book.add("looked", None, (event,), None, look)
            return plain(self_or_class, *args, **kwargs)

        return passing

    def _making(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def making(value: object, dtype: object = None) -> object:
            array = plain(value, dtype)
            if not isinstance(array, (np.ndarray, np.generic)):
                return array
            if id(array) not in self.book.at:
                whole = self.book.of_whole(array)
                kind, inputs = ("made", ()) if whole is None else ("passed", (whole,))
                made = self.book.add(kind, array, inputs, None, Value.of(array))
                made.fault = of_data(array)
            return array

        return making

    # -- variables -----------------------------------------------------------------------------

    def _beginning(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def beginning(variable: Variable, *args: object, **kwargs: object) -> None:
            plain(variable, *args, **kwargs)
            before = self.book.at.get(id(variable._array))
            computed = before is not None and before.kind not in ("made", "outside")
            inputs = (before,) if computed else ()
            self.book.changed(variable, "assigned" if computed else "variable", inputs, here())

        return beginning

    def _reading(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def reading(variable: Variable, dtype: object = None, name: object = None) -> Tensor:
            self.book.value_of(variable)
            read: Tensor = plain(variable, dtype, name)
            return read

        return reading

    def _becoming(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def becoming(variable: Variable, tensor: Tensor) -> None:
            before = self.book.of(tensor._array)
            value = tracked(own(tensor._array), tensor._recorder, getattr(tensor, "_number", 0))
            plain(variable, value)
            self.book.valued(variable, "assigned", (before,), here())

        return becoming

    def _assigning(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def assigning(variable: Variable, *args: object, **kwargs: object) -> object:
            if observers():  # then it is done by ops, and the variable becomes their result
                return plain(variable, *args, **kwargs)
            at = self.book.at
            given = [getattr(behind(x), "_array", None) for x in args]
            before = [at.get(id(variable._array)), *[at.get(id(x)) for x in given if x is not None]]
            result = plain(variable, *args, **kwargs)
            inputs = tuple(event for event in before if event is not None)
            self.book.changed(variable, "assigned", inputs, here())
            return result

        return assigning

    def _overwriting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def overwriting(variable: Variable, write: Callable[..., None]) -> None:
            plain(variable, write)
            variable._array = own(variable._array)
            read = self.book.outside(variable._array)
            self.book.changed(variable, "assigned", (read,), here())

        return overwriting

    # -- tapes ---------------------------------------------------------------------------------

    def _starting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def starting(tape: GradientTape) -> None:
            plain(tape)
            life = self.lives.get(tape)
            if life is None:
                life = self.lives[tape] = Life(tape._watch_accessed, get_ident())
                self.book.begins[life.number] = self.book.count
                weakref.finalize(tape, self.book.begins.pop, life.number, None).atexit = False
            life.spans.append([self.book.count, None])
            self._follow(tape, life)

        return starting

    def _follow(self, tape: GradientTape, life: Life) -> None:
        """Mark the events of the calls that the tape records."""
        recorder = tape._live()
        append, latest = recorder.records.append, self.book.latest
        number, records = life.number, life.records
        alone = (number,)

        def marking(record: tuple[Any, ...]) -> None:
            event = latest.get(recorder.owner)
            if event is not None:
                if not event.tapes:
                    event.tapes = alone
                elif number not in event.tapes:
                    event.tapes += alone
                records[record[2]] = event
            append(record)

        recorder.append = marking

    def _stopping(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def stopping(tape: GradientTape) -> None:
            plain(tape)
            life = self.lives.get(tape)
            if life is not None and life.spans:
                life.spans[-1][1] = self.book.count

        return stopping

    def _watching(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def watching(tape: GradientTape, tensor: object) -> None:
            moment = Moment(self.book.count, here())
            plain(tape, tensor)
            life = self.lives.get(tape)
            for each in nest.flatten(tensor):
                value = each.values if isinstance(each, SparseTensor) else behind(each)
                if isinstance(value, (Tensor, Variable)) and life is not None:
                    if isinstance(value, Tensor):
                        self.book.of(value._array)
                    life.watched.setdefault(life.key(value), moment)

        return watching

    def _resetting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def resetting(tape: GradientTape) -> None:
            moment = Moment(self.book.count, here())
            plain(tape)
            if (life := self.lives.get(tape)) is not None:
                life.resets.append(moment)

        return resetting

    def _asking(self, plain: Callable[..., Any]) -> Callable[..., object]:
        return answered(plain, self.book, self.findings)
