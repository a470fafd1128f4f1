"""Recordings on XLA: compiled functions, with what must happen on the host between them."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ...engine import settings
from ...engine.device_values import on_host
from ...engine.tensor import truth
from ...progress import timed
from ..loops.folding import folded
from ..loops.loop_ops import GatheredOnHost
from ..loops.sweeps import Sweeps
from ..numpy.engine import Changed, interpret
from ..recording import Guard, uses
from ..verbosity import told
from .host_stacks import with_host_stacks
from .lowering import Lowered, Unsuited
from .packing import packing
from .stages import stages
from .sweeps import swept
from .transfer import OnDevice, Sender, in_words, sent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.op import Op
    from ..recording import Recording, Spec, Step
    from .stages import HostThenDevice

    Values = dict[int, Any]
    Part = tuple[Step | None, Callable[[Values], None]]


_WORTH = 1000
"""So many steps are saved by a loop at least: a straight line runs faster, but takes about 3 ms a
step to compile, and more the longer it is."""


_NUMBERS = (bool, int, float)

_OF_HOST = (Sweeps, GatheredOnHost)


class XlaProgram:
    """A recording as functions that XLA compiles when they are first called.

    ``compile_seconds`` tells how long that took, ``bytes_kept`` what code and constants take on the
    device, ``host_ops`` which ops run on the host because XLA does not have them,
    ``wants_on_host`` which of its inputs it joins with others before it sends them.
    """

    knows_devices = True

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._made = recording  # with loops, when it is compiled
        self.compile_seconds = 0.0
        self.bytes_kept = 0
        self.host_ops: set[Op] = set()
        self.wants_on_host: frozenset[int] = frozenset()
        self._inputs = recording.takes
        self._parts: list[Part] | None = None
        self.run: Callable[..., tuple[list[Any], list[Any]]] = self._whole
        self._lock = threading.Lock()

    def __call__(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The results and the new values of variables, for the inputs and the variables' values.

        Raises ``Changed`` at the first guard that does not hold.
        """
        if self._parts is None:
            self._prepare()
        try:
            with suppress(NotAsCompiled):
                return self.run(*arrays)
            return self._by_parts(arrays)
        except jax.errors.JaxRuntimeError as error:
            raise in_words(error) from None

    def _whole(self, *arrays: object) -> tuple[list[Any], list[Any]]:
        return self._by_parts(arrays)

    def _by_parts(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """A call in which the host has something to do, too."""
        values = dict(zip(self._inputs, arrays, strict=True))
        ran: list[Step | None] = []
        try:
            for step, part in self._parts or ():
                ran.append(step)
                part(values)
        except NotAsCompiled:
            happened = [step for step in ran if step is not None and step.op.effects]
            values = self._again(values, happened)
        found = [values[r] if isinstance(r, int) else r.value for r in self._made.gives]
        middle = len(self.recording.results)
        ready: Callable[[list[Any]], list[Any]] = jax.block_until_ready
        return found[:middle], ready(found[middle:])

    def _again(self, values: Values, happened: Sequence[Step]) -> Values:
        """All values by the ops one by one, but for what has happened in the world."""
        return _on_numpy(self.recording, self._inputs, values, happened)

    def _prepare(self) -> None:
        """Compile, unless another thread has done so."""
        with self._lock:
            if self._parts is None:
                steps = len(self.recording.steps)
                what = f"compiling {self.recording.name}, {steps} steps"
                with told(what), timed(what, False if settings.verbosity > 1 else None):
                    self._parts = self._compiled()

    # -- compiling -------------------------------------------------------------------------------

    def _compiled(self) -> list[Part]:
        """The work of a call, part by part."""
        started = time.perf_counter()
        ordered, lowered = self._lowered()
        specs, positions, rounded = self._made.specs, count(), self._rounded()
        self.wants_on_host = frozenset([n for device in lowered if device for n in device.packed])
        parts: list[Part] = []
        for stage, device in zip(ordered, lowered, strict=True):
            for step in stage.host:
                if isinstance(step, Guard):
                    holds = step.nearly_holds if step.value in rounded else step.holds
                    parts.append((None, partial(_look, step, holds, next(positions))))
                else:
                    parts.append((step, partial(_run_on_host, step, specs)))
            if device is not None:
                device.compile()
                self.bytes_kept += device.bytes_kept
                parts.append((None, partial(_run_on_device, device, stage)))
        if len(parts) == 1 and device and {*stage.gives}.issuperset(self._made.gives):
            self.run = _straight(device, stage, self._inputs, self._made)
        self.compile_seconds = time.perf_counter() - started
        return parts

    def _lowered(self) -> tuple[list[HostThenDevice], list[Lowered | None]]:
        """The stages, and their steps on the device as XLA takes them."""
        while True:
            self._made = folded(self.recording, _WORTH, lambda step: not self._on_host(step))
            self._made = with_host_stacks(self._made, self._on_host)
            ordered = stages(self._made, self._on_host)
            try:
                return ordered, [self._lower(stage) for stage in ordered]
            except Unsuited as unsuited:
                self.host_ops.add(unsuited.op)

    def _lower(self, stage: HostThenDevice) -> Lowered | None:
        if not stage.device:
            return None
        together = packing(stage.takes, stage.gives, self._made)
        specs = self._made.specs
        return Lowered(stage.device, stage.takes, stage.gives, specs, packing=together)

    def _rounded(self) -> set[int]:
        """The values that XLA rounds in its own way, or that are made of such."""
        found: set[int] = set()
        for step in self._made.calls:
            exact = self._on_host(step) or step.op.moves
            if not exact or not found.isdisjoint(uses(step)):
                found.update(step.outputs)
        return found

    def _on_host(self, step: Step) -> bool:
        return self._is_for_host(step, self._made.specs)

    def _is_for_host(self, step: Step, specs: dict[int, Spec]) -> bool:
        on_host = step.op.effects or step.op in _OF_HOST or step.op in self.host_ops
        return on_host or _has_foreign(step, specs) or any(map(self._is_host_body, step.bodies))

    def _is_host_body(self, body: Recording) -> bool:
        """Whether the host must run a loop or a branch with this body."""
        looks = [guard.look for guard in body.guards if guard.look is not truth]
        return bool(looks) or any([self._is_for_host(each, body.specs) for each in body.calls])


def _has_foreign(step: Step, specs: dict[int, Spec]) -> bool:
    for ref in step.inputs:
        if isinstance(ref, int):
            dtype = specs[ref].dtype
        elif type(ref.value) in _NUMBERS:
            continue
        else:
            dtype = np.asarray(ref.value).dtype
        if _is_foreign(dtype):
            return True
    return any([_is_foreign(specs[n].dtype) for n in step.outputs])


def _is_foreign(dtype: np.dtype[Any]) -> bool:
    """Whether XLA has no such dtype: strings, and quantized numbers, which are fields for NumPy."""
    return dtype.hasobject or dtype.names is not None


class NotAsCompiled(Exception):
    """NumPy must do this call: an op would raise there, or a shape is not the one compiled for.

    It comes from a part that has run.
    """


def _look(guard: Guard, holds: Callable[[Any], bool], position: int, values: Values) -> None:
    found = guard.look(on_host(values[guard.value]))
    if not holds(found):
        raise Changed(position, found)


def _run_on_host(step: Step, specs: dict[int, Spec], values: Values) -> None:
    given = [values[ref] if isinstance(ref, int) else ref.value for ref in step.inputs]
    if step.op is Sweeps:
        out = swept(given, **step.attrs)
    else:
        out = _computed(step, [on_host(x) for x in given])
    values.update(zip(step.outputs, out if step.several else (out,), strict=True))
    if any([values[n].shape != specs[n].shape for n in step.outputs]):
        raise NotAsCompiled


def _computed(step: Step, given: Sequence[Any]) -> Any:
    try:
        return step.op.run(*given, **step.attrs)
    except Exception as error:
        return step.op._again(error, given, step.attrs)


def _run_on_device(device: Lowered, stage: HostThenDevice, values: Values) -> None:
    given = [values[n] if n in device.packed else sent(values[n]) for n in stage.takes]
    found = device.executed(*given)
    if device.may_fail and np.asarray(found.pop()):
        raise NotAsCompiled
    values.update(zip(stage.gives, found, strict=True))
    for n in stage.frees:
        del values[n]


def _straight(
    device: Lowered, stage: HostThenDevice, inputs: Sequence[int], recording: Recording
) -> Callable[..., tuple[list[Any], list[Any]]]:
    """The whole of a program that is one function on the device and can go no other way."""
    names = {n: f"v{i}" for i, n in enumerate(inputs)}
    found: dict[Any, str] = {n: f"found[{i}]" for i, n in enumerate(stage.gives)}
    sending = [
        names[n]
        if n in device.packed
        else f"{names[n]} if type({names[n]}) is OnDevice else send{i}({names[n]})"
        for i, n in enumerate(stage.takes)
    ]
    results = [found[n] for n in recording.results]
    values = [found[n] for _, n in recording.assigns]
    lines = [f"def run({', '.join(names.values())}):", f"    found = execute({', '.join(sending)})"]
    if device.may_fail:
        lines.append("    if asarray(found[-1]): raise NotAsCompiled")
    elif values and not device.waits:
        lines.append("    found[0].block_until_ready()")
    lines.append(f"    return [{', '.join(results)}], [{', '.join(values)}]")
    known: dict[str, Any] = {"OnDevice": OnDevice, "NotAsCompiled": NotAsCompiled}
    known |= {"asarray": np.asarray, "execute": device.executed}
    known |= {f"send{i}": Sender() for i, _ in enumerate(stage.takes)}
    exec("\n".join(lines), known)
    run: Callable[..., tuple[list[Any], list[Any]]] = known["run"]
    return run


def _on_numpy(
    recording: Recording, inputs: Sequence[int], values: Values, happened: Sequence[Step]
) -> Values:
    """All values by NumPy, in which what has happened in the world does not happen again."""
    return interpreted(recording, {n: on_host(values[n]) for n in inputs}, values, happened)


def interpreted(
    recording: Recording, known: Values, values: Values, happened: Sequence[Step]
) -> Values:
    """All values that follow of these; what has happened gave the values that it gave."""
    known |= {n: values[n] for step in happened for n in step.outputs}
    past = {id(step.attrs) for step in happened}  # which passes keep as they are
    left = [s for s in recording.steps if isinstance(s, Guard) or id(s.attrs) not in past]
    return interpret(replace(recording, steps=tuple(left)), known)
