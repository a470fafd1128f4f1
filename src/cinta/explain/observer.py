"""The wrappers of methods that report to the ledger while explanations are on.

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
from ..engine import convert, tensor
from ..engine.op import registry
from ..engine.recorders import observers
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, tracked
from ..engine.variable import Variable, behind
from ..engine.variable_storage import VariableStorage
from ..lookup.mutable_tables import DenseHashTable, MutableHashTable
from ..user_frames import here
from .explain_gradients import with_explanations
from .forward_observer import ForwardObserver
from .function_observer import FunctionObserver
from .layer_calls import LayerCalls
from .ledger import Ledger, own
from .not_finite import of_data
from .patching import patched
from .python_values import PythonLook, PythonValue
from .tape_history import Moment, TapeHistory
from .wraps import wraps_told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.tensor import Array
    from .findings import Findings

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
    "item": "python-value",
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
_WITHOUT_OPS = tuple(
    os.path.join(_CINTA, *path)
    for path in (
        ("experimental", "exchange.py"),
        ("experimental", "numpy", "sorting_and_scans.py"),
        ("io", "tensor_protos.py"),
        ("ops", "sparse", "editing.py"),
        ("ops", "sparse", "set_operations.py"),
        ("ops", "strings", "converting.py"),
    )
)
"""Files whose functions compute from values that they look at, without ops."""


@contextmanager
def observing(findings: Findings) -> Iterator[Ledger]:
    """Enter the events of the block in a new ledger, and report what they explain to findings."""
    ledger = Ledger()
    observer = _Observer(ledger, findings)
    with patched(observer.patches()), ExitStack() as undo:
        undo.enter_context(wraps_told(observer.made))
        for op in registry.all():
            plain = op.run
            undo.callback(op.replace, plain)
            op.replace(ledger.noted(op, plain), in_rules=plain)
        yield ledger


def _is_asked_by_cinta() -> bool:
    """Whether an op of cinta looks at a tensor, for a shape or the like, and not the program."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in _ON_BEHALF and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(_CINTA)


def _function_without_ops() -> str | None:
    """The public function that looks at a tensor to compute from it without ops, if one does."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename == tensor.__file__ and frame.f_back is not None:
        frame = frame.f_back
    if frame.f_code.co_filename not in _WITHOUT_OPS:
        return None
    while frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(_CINTA):
        frame = frame.f_back
    return frame.f_code.co_name


def is_known(value: object) -> bool:
    """Whether this is a tensor or variable."""
    return isinstance(value, (Tensor, Variable))


class _Observer:
    """Makes wrappers of methods that enter each call in the ledger."""

    def __init__(self, ledger: Ledger, findings: Findings) -> None:
        self.ledger, self.findings = ledger, findings
        self.histories: weakref.WeakKeyDictionary[GradientTape, TapeHistory] = (
            weakref.WeakKeyDictionary()
        )
        findings.histories = self.histories

    def patches(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """The methods to replace: owner, name, and a function from the plain one to its wrapper."""
        for name, cause in _LOOKS.items():
            yield Tensor, name, functools.partial(self._looking, cause, name in _TELLING)
        yield tensor, "look", self._computing
        for holder, name in _BOUNDARIES:
            yield holder, name, self._passing
        yield from FunctionObserver(self.findings).patches()
        yield from ForwardObserver(self.ledger, self.findings).patches()
        yield from self.findings.layers.patches()
        yield from LayerCalls(self.ledger).patches()
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

    def made(self, array: Array | np.generic) -> None:
        """An array became a tensor; it may be of no op: a range, a number from a text, data."""
        if get_ident() not in self.findings.busy:  # a gradient is entered when it is complete
            self.ledger.came(array)

    def _looking(
        self, cause: str, only_told: bool, plain: Callable[..., Any]
    ) -> Callable[..., object]:
        def looking(given: Tensor, *args: object, **kwargs: object) -> object:
            found = plain(given, *args, **kwargs)
            event = self.ledger.at.get(id(given._array))
            if event is not None and event.kind != "outside" and not _is_asked_by_cinta():
                is_number = type(found) in (int, float, complex)
                look = PythonLook(
                    cause, PythonValue.of(found if is_number else given._array), only_told
                )
                self.ledger.add("looked", None, (event,), None, look)
            return found

        return looking

    def _computing(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def computing(given: Tensor, how: Callable[..., object]) -> object:
            event = self.ledger.at.get(id(given._array))
            if event is not None and (name := _function_without_ops()) is not None:
                look = PythonLook("nondifferentiable-op", PythonValue.of(given._array), False, name)
                self.ledger.add("looked", None, (event,), None, look)
            return plain(given, how)

        return computing

    def _passing(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def passing(self_or_class: object, *args: object, **kwargs: object) -> object:
            given = nest.flatten((args, kwargs))
            if isinstance(self_or_class, Checkpoint):
                given += [part for _, part, _ in walk(self_or_class)]
            for x in filter(is_known, map(behind, given)):
                event = self.ledger.event_of(x)
                if event.kind not in ("outside", "made"):
                    look = PythonLook("state-boundary", PythonValue.of(x._array), False)
                    self.ledger.add("looked", None, (event,), None, look)
            return plain(self_or_class, *args, **kwargs)

        return passing

    def _making(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def making(value: object, dtype: object = None) -> object:
            array = plain(value, dtype)
            if not isinstance(array, (np.ndarray, np.generic)):
                return array
            if id(array) not in self.ledger.at:
                whole = self.ledger.of_whole(array)
                kind, inputs = ("made", ()) if whole is None else ("passed", (whole,))
                given = value if isinstance(value, np.generic) else array
                made = self.ledger.add(kind, array, inputs, None, PythonValue.of(given))
                made.fault = of_data(array)
            return array

        return making

    # -- variables -----------------------------------------------------------------------------

    def _beginning(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def beginning(variable: Variable, *args: object, **kwargs: object) -> None:
            plain(variable, *args, **kwargs)
            before = self.ledger.at.get(id(variable._array))
            computed = before is not None and before.kind not in ("made", "outside")
            inputs = (before,) if computed else ()
            self.ledger.changed(variable, "assigned" if computed else "variable", inputs, here())

        return beginning

    def _reading(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def reading(variable: Variable, dtype: object = None, name: object = None) -> Tensor:
            self.ledger.value_of(variable)
            read: Tensor = plain(variable, dtype, name)
            return read

        return reading

    def _becoming(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def becoming(variable: Variable, given: Tensor) -> None:
            before = self.ledger.of(given._array)
            value = tracked(own(given._array), given._recorder, getattr(given, "_number", 0))
            plain(variable, value)
            self.ledger.valued(variable, "assigned", (before,), here())

        return becoming

    def _assigning(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def assigning(variable: Variable, *args: object, **kwargs: object) -> object:
            if observers():  # then it is done by ops, and the variable becomes their result
                return plain(variable, *args, **kwargs)
            at = self.ledger.at
            given = [getattr(behind(x), "_array", None) for x in args]
            before = [at.get(id(variable._array)), *[at.get(id(x)) for x in given if x is not None]]
            result = plain(variable, *args, **kwargs)
            inputs = tuple(event for event in before if event is not None)
            self.ledger.changed(variable, "assigned", inputs, here())
            return result

        return assigning

    def _overwriting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def overwriting(variable: Variable, write: Callable[..., None]) -> None:
            plain(variable, write)
            variable._array = own(variable._array)
            read = self.ledger.outside(variable._array)
            self.ledger.changed(variable, "assigned", (read,), here())

        return overwriting

    # -- tapes ---------------------------------------------------------------------------------

    def _starting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def starting(tape: GradientTape) -> None:
            plain(tape)
            history = self.histories.get(tape)
            if history is None:
                history = self.histories[tape] = TapeHistory(tape._watch_accessed, get_ident())
                self.ledger.begins[history.number] = self.ledger.count
                weakref.finalize(tape, self.ledger.begins.pop, history.number, None).atexit = False
            history.spans.append([self.ledger.count, None])
            self._follow(tape, history)

        return starting

    def _follow(self, tape: GradientTape, history: TapeHistory) -> None:
        """Mark the events of the calls that the tape records."""
        recorder = tape._live()
        append, latest = recorder.records.append, self.ledger.latest
        number, records = history.number, history.records
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
            history = self.histories.get(tape)
            if history is not None and history.spans:
                history.spans[-1][1] = self.ledger.count

        return stopping

    def _watching(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def watching(tape: GradientTape, given: object) -> None:
            moment = Moment(self.ledger.count, here())
            plain(tape, given)
            history = self.histories.get(tape)
            for each in nest.flatten(given):
                value = each.values if isinstance(each, SparseTensor) else behind(each)
                if isinstance(value, (Tensor, Variable)) and history is not None:
                    if isinstance(value, Tensor):
                        self.ledger.of(value._array)
                    history.watched.setdefault(history.key(value), moment)

        return watching

    def _resetting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def resetting(tape: GradientTape) -> None:
            moment = Moment(self.ledger.count, here())
            plain(tape)
            if (history := self.histories.get(tape)) is not None:
                history.resets.append(moment)

        return resetting

    def _asking(self, plain: Callable[..., Any]) -> Callable[..., object]:
        return with_explanations(plain, self.ledger, self.findings)
