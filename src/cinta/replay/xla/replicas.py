"""The recording of one replica as one program for all: a map over the devices of a mesh.

Each value either differs from replica to replica, and then has one more axis in front outside of
the program, or it is the same for all. Arguments differ, and so do the copies of a variable and all
that is made of such values; other variables, and the results of collectives, are the same.

Replicas may be in several processes. Each gives and gets the values of its own, and before each
call all make sure that they run the same program.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ...engine.committing import commit
from ...engine.device_values import on_host
from ...engine.distributed_values import DistributedValues, copies_of
from ...engine.transactions import alone
from ...ops.collective import AXIS, AllGather, AllReduce, ReplicaId
from ..fingerprints import fingerprint
from ..loops.loop_ops import Branch, While
from ..recording import Spec, uses
from .joined_sums import ALL_TAKE_PART, TAKES_PART, LoweredForProcesses
from .lowering import Lowered
from .program import XlaProgram
from .shares import Common, Share
from .transfer import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.device_values import Held
    from ...engine.replicas import Processes
    from ...engine.shapes import Shape
    from ...engine.variable import Variable
    from ..recording import Recording, Ref, Step
    from .program import Part
    from .stages import HostThenDevice


_COLLECTIVE = (AllReduce, AllGather, ReplicaId)
"""Ops that devices do for each other."""


class NotForAll(BaseException):
    """Replicas must take turns in this call, or in all. No handler of errors shall see it."""

    def __init__(self, why: str, for_ever: bool = True, is_agreed: bool = False) -> None:
        super().__init__(why)
        self.for_ever = for_ever
        self.is_agreed = is_agreed  # by all processes


class ReplicaLayout:
    """The devices of a program, and the values that differ between them."""

    def __init__(self, devices: Sequence[jax.Device], varying: set[int]) -> None:
        self.count, self.varying = len(devices), varying
        here = [i for i, each in enumerate(devices) if each.process_index == jax.process_index()]
        self._first, self.count_here = here[0], len(here)
        self._part = PartitionSpec(AXIS)  # type: ignore[no-untyped-call]
        self._all = PartitionSpec()  # type: ignore[no-untyped-call]
        self._mesh = Mesh(np.array(devices), (AXIS,))
        self.parts = NamedSharding(self._mesh, self._part)
        self.whole = NamedSharding(self._mesh, self._all)

    def place(self, n: int) -> NamedSharding:
        """Where a value lies."""
        return self.parts if n in self.varying else self.whole

    def shape(self, n: int, spec: Spec) -> jax.ShapeDtypeStruct:
        """A value as the program takes it."""
        shape = (self.count, *spec.shape) if n in self.varying else spec.shape
        return jax.ShapeDtypeStruct(  # type: ignore[no-untyped-call]
            shape, spec.dtype, sharding=self.place(n)
        )

    def divided(self, parts: Sequence[Held]) -> jax.Array:
        """The values of the replicas of this process, each on its device."""
        rows = [np.asarray(on_host(part))[None] for part in parts]
        shape = self.count, *rows[0].shape[1:]
        return self._laid(
            shape, rows[0].dtype, self.parts, lambda index: rows[index[0].start - self._first]
        )

    def nothing(self, n: int, spec: Spec) -> jax.Array:
        """Zeros in the place of a value."""
        zeros = np.zeros(spec.shape, spec.dtype)
        return (
            self.divided([zeros] * self.count_here) if n in self.varying else self.repeated(zeros)
        )

    def repeated(self, value: Held) -> jax.Array:
        """A value on each of the devices."""
        return self._laid(value.shape, value.dtype, self.whole, lambda index: value)

    @staticmethod
    def _laid(
        shape: Shape, dtype: np.dtype[Any], place: NamedSharding, part: Callable[[Any], Any]
    ) -> jax.Array:
        wide = jax.enable_x64(True) if dtype.itemsize >= 8 else nullcontext()
        with wide, jax.transfer_guard_host_to_device("allow"):  # it is meant to be sent
            return jax.make_array_from_callback(shape, place, part)

    def for_all(
        self,
        run: Callable[..., list[Any]],
        takes: Sequence[int],
        constants: int,
        gives: Sequence[int],
        may_fail: bool,
    ) -> Callable[..., list[Any]]:
        """A function of one replica as a function of all."""
        given_apart = [*[n in self.varying for n in takes], *[False] * constants]
        found_apart = [*[n in self.varying for n in gives], *[False] * may_fail]

        def of_one(*given: jax.Array) -> list[jax.Array]:
            found = run(*[x[0] if each else x for each, x in zip(given_apart, given, strict=True)])
            if may_fail:
                found[-1] = (
                    jax.lax.pmax(  # type: ignore[no-untyped-call]
                        found[-1].astype("int32"), AXIS
                    )
                    > 0
                )
            return [x[None] if each else x for each, x in zip(found_apart, found, strict=True)]

        specs = {True: self._part, False: self._all}
        mapped: Callable[..., list[Any]] = jax.shard_map(
            of_one,
            mesh=self._mesh,
            in_specs=tuple(specs[each] for each in given_apart),
            out_specs=[specs[each] for each in found_apart],
            check_vma=False,
        )
        return mapped


_FLAG = Spec(np.dtype(np.float32), ())
"""For what tells whether a replica takes part."""


class Trial:
    """A program of several processes, which tells whether all have given it something to do."""

    def __init__(
        self, program: Lowered, layout: ReplicaLayout, takes: Sequence[tuple[int, Spec]]
    ) -> None:
        self._program, self._layout, self._takes = program, layout, takes
        ones, zeros = ([x] * layout.count_here for x in (np.float32(1), np.float32(0)))
        self._present, self._absent = layout.divided(ones), layout.divided(zeros)

    def begun(self, given: Sequence[jax.Array]) -> list[jax.Array]:
        """The results, which come when all processes have begun."""
        return self._program.executed(*given, self._present)

    def idle(self) -> list[jax.Array]:
        """The same without anything to do, for the sake of the others."""
        return self._program.executed(
            *[self._layout.nothing(n, spec) for n, spec in self._takes], self._absent
        )

    def all_take_part(self, found: list[jax.Array]) -> bool:
        """Whether all processes had something to do; takes that out of the results."""
        counted = found.pop(-2 if self._program.may_fail else -1)
        return int(np.asarray(counted.addressable_data(0))) == self._layout.count


class ReplicaProgram(XlaProgram):
    """A recording of the first replica that all replicas run, each on a device.

    It takes the first replica's values and gives the first replica's results, as other programs do;
    `others` are what it takes for the other replicas, and what it gives for them.
    """

    def __init__(
        self,
        recording: Recording,
        devices: Sequence[jax.Device],
        others: Others,
        processes: Processes | None,
    ) -> None:
        super().__init__(recording)
        self._others, self._processes = others, processes
        self._copies = {n: copies_of(v)[1:] for v, n in recording.reads if copies_of(v)}
        self._differ = {*recording.inputs, *self._copies, *self._of_processes()}
        self._layout = ReplicaLayout(devices, _varying(recording, self._differ))
        self._sent: dict[int, tuple[Sequence[Held], jax.Array]] = {}
        self._is_ready = False
        self.run = self._for_all
        self._why_not = self._unfit()

    def __call__(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        try:
            return self.run(*arrays)
        except jax.errors.JaxRuntimeError as error:
            raise in_words(error) from None

    def _compiled(self) -> list[Part]:
        parts = super()._compiled()
        self.run = self._for_all  # also where the whole is one function
        return parts

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self.recording)

    def _of_processes(self) -> set[int]:
        """The values of variables that each process has for itself."""
        if self._processes is None:
            return set()
        return {n for v, n in self.recording.reads if not isinstance(v, DistributedValues)}

    def _unfit(self) -> str | None:
        """Why replicas must take turns, if they must."""
        if self.recording.guards or any(
            step.op in (Branch, While) for step in self.recording.calls
        ):
            return "Python looks at values"
        if any(len({*s.attrs["lengths"]}) > 1 for s in self.recording.calls if s.op is AllGather):
            return "replicas gather parts of different lengths"
        if odd := [s.op.name for s in self.recording.calls if self._on_host(s)]:
            return f"{odd[0]} runs on the host"
        for variable, ref in self.recording.assigns:
            differs = not isinstance(variable, DistributedValues) or ref in self._layout.varying
            if differs and not copies_of(variable):
                return f"each replica assigns the variable {variable.name} for itself"
        return None

    def _on_host(self, step: Step) -> bool:
        return step.op not in _COLLECTIVE and super()._on_host(step)

    def _lower(self, stage: HostThenDevice) -> Lowered | None:
        made, layout = self._made, self._layout
        layout.varying = _varying(made, self._differ)
        if self._processes is None:
            lowered = Lowered(stage.device, stage.takes, stage.gives, made.specs, layout)
        else:
            lowered = self._lowered_for_processes(stage)
        self._whole_program = lowered, stage
        return lowered

    def _lowered_for_processes(self, stage: HostThenDevice) -> Lowered:
        """The same, with one more value that tells whether all processes take part."""
        specs = self._made.specs | dict.fromkeys((TAKES_PART, ALL_TAKE_PART), _FLAG)
        self._layout.varying.add(TAKES_PART)
        takes, gives = (*stage.takes, TAKES_PART), (*stage.gives, ALL_TAKE_PART)
        lowered = LoweredForProcesses(stage.device, takes, gives, specs, self._layout)
        self._trial = Trial(lowered, self._layout, [(n, specs[n]) for n in stage.takes])
        return lowered

    def _for_all(self, *arrays: Any) -> tuple[list[Any], list[Any]]:
        """A call for all replicas, with the first one's values."""
        if not self._is_ready:
            self._make_ready()
        if self._why_not is not None:
            raise NotForAll(self._why_not)
        device, stage = self._whole_program
        given = [self._given(n, arrays[place]) for n, place in self._takes]
        found = self._executed(device, given)
        if device.may_fail and np.asarray(found.pop().addressable_data(0)):
            raise NotForAll("an op might raise an error", for_ever=False, is_agreed=True)
        return self._taken(dict(zip(stage.gives, found, strict=True)))

    def _make_ready(self) -> None:
        """Compile, and find out where each value comes from."""
        if self._why_not is None:
            self._prepare()
            self._why_not = self._unfit() or (
                "the host has something to do" if len(self._parts or ()) != 1 else None
            )
        if self._why_not is None:
            places = {n: i for i, n in enumerate(self._inputs)}
            self._takes = [(n, places[n]) for n in self._whole_program[1].takes]
            self._arguments = {n: i for i, n in enumerate(self.recording.inputs)}
            self._reads = {id(variable): n for variable, n in self._made.reads}
        self._is_ready = True

    def _executed(self, device: Lowered, given: Sequence[jax.Array]) -> list[jax.Array]:
        """The results of the devices; those of several processes, if all run this program."""
        if self._processes is None:
            return device.executed(*given)
        place, trial = place_of(self.recording.name), self._trial
        found = self._processes.if_alike(
            place, self._fingerprint, lambda: trial.begun(given), trial
        )
        if found is None:
            raise NotForAll("other processes run another program", for_ever=False, is_agreed=True)
        return found

    def text(self) -> str:
        """The program, as XLA has made it."""
        return self._whole_program[0].text()

    def _given(self, n: int, first: Held) -> jax.Array:
        """A value on all devices; those of variables are there from the call before."""
        if n in self._arguments:
            i = self._arguments[n]
            return self._layout.divided([first, *[given[i] for given in self._others.given]])
        parts = [first, *[each._held() for each in self._copies.get(n, ())]]
        there = self._sent.get(n)
        if there is None or not all(map(_are_one, there[0], parts)):
            whole = self._there(n, parts)
            there = self._sent[n] = parts, self._put(n, parts) if whole is None else whole
        return there[1]

    def _there(self, n: int, parts: Sequence[Held]) -> jax.Array | None:
        """The value on all devices, if it lies there as another program has given it."""
        first: Any = parts[0]
        if n in self._copies:
            rows = enumerate(parts)
            is_whole = isinstance(first, Share) and all(
                isinstance(each, Share) and each.is_at(i, first) for i, each in rows
            )
        else:
            is_whole = type(first) is Common and n not in self._layout.varying
        place = self._layout.place(n)
        return first.all if is_whole and first.all.sharding == place else None

    def _put(self, n: int, parts: Sequence[Held]) -> jax.Array:
        """The value of a variable, or of its copies, on all devices."""
        for each in parts:
            if isinstance(each, np.ndarray):
                each.flags.writeable = False  # so that its variable gets another array
        if n in self._copies:
            return self._layout.divided(parts)
        if n in self._layout.varying:
            return self._layout.divided(list(parts) * self._layout.count_here)
        return self._layout.repeated(on_host(parts[0]))

    def _taken(self, found: dict[int, jax.Array]) -> tuple[list[Held], list[Held]]:
        """The results and new values of the first replica; the others' are kept for them."""
        made, count, varying = self._made, self._layout.count_here, self._layout.varying
        shown: dict[int, Any] = {
            n: _shown(array, n in varying, count) for n, array in found.items()
        }

        def of(refs: Sequence[Ref], i: int) -> list[Held]:
            return [shown[ref][i] if isinstance(ref, int) else ref.value for ref in refs]

        self._others.found = [of(made.results, i) for i in range(count)]
        self._others.copies = []
        for variable, ref in made.assigns:
            copies = copies_of(variable)[1:]
            parts = [shown[ref][i] if isinstance(ref, int) else ref.value for i in range(count)]
            self._others.copies += zip(copies, parts[1:], strict=bool(copies))
            if isinstance(ref, int) and id(variable) in self._reads:
                kept = parts if copies else parts[:1]
                self._sent[self._reads[id(variable)]] = kept, found[ref]
        return self._others.found[0], of([ref for _, ref in made.assigns], 0)


def _shown(array: jax.Array, varies: bool, count: int) -> list[Common]:
    """A value as each replica of this process has it."""
    return [Share(array, i) for i in range(count)] if varies else [Common(array)] * count


def _are_one(kept: Held, held: Held) -> bool:
    """Whether a value is the one that was kept, fetched or not."""
    return kept is held or (isinstance(kept, Common) and kept.is_seen_as(held))


class Others(threading.local):
    """The values of the other replicas in a call, which each thread makes for itself."""

    def __init__(self) -> None:
        self.begin([])

    def begin(self, given: Sequence[Sequence[Held]]) -> None:
        """Begin a call, with what it takes for the other replicas."""
        self.given = given
        self.found: list[list[Held]] | None = None  # of the first as well
        self.copies: list[tuple[Variable, Held]] = []

    def assign_copies(self) -> None:
        """Give variables of the other replicas their new values."""
        for variable, value in self.copies:
            alone(variable, commit, [variable], [value])


def place_of(name: str) -> str:
    """Where processes wait for each other that run the replicas of a function."""
    return f"the run of {name} by all replicas"


def _varying(recording: Recording, begin: set[int]) -> set[int]:
    """The values that differ from replica to replica, if these do."""
    found = set(begin)
    for step in recording.calls:
        is_made_of_such = step.op not in _COLLECTIVE and not found.isdisjoint(uses(step))
        if is_made_of_such or step.op is ReplicaId:
            found.update(step.outputs)
    return found
