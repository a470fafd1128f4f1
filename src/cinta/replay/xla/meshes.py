"""Recordings of functions on a mesh of devices: one program, which XLA divides among the devices.

Each value that the program takes lies as it does outside, and so do the new values of variables.
Values that go from one stage to the next are on all devices, and how all others lie is for XLA to
decide.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ...engine.device_values import Spread, on_host
from ..agreement import agree_on_recording
from ..fingerprints import fingerprint
from .lowering import Lowered
from .program import XlaProgram, interpreted
from .stages import HostThenDevice, stages
from .transfer import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...engine.device_values import DevicePlacement, Held
    from ..recording import Recording, Ref, Spec, Step
    from .program import Part, Values


class Shardings:
    """How the values of a program lie that it takes and gives, where that is known."""

    def __init__(
        self, place: DevicePlacement, known: dict[int, NamedSharding], between: Iterable[int]
    ) -> None:
        self.whole = NamedSharding(
            place.sharding().mesh,
            PartitionSpec(),  # type: ignore[no-untyped-call]
        )
        self._known = dict.fromkeys(between, self.whole) | known

    def shape(self, n: int, spec: Spec) -> jax.ShapeDtypeStruct:
        """A value as the program takes it."""
        return jax.ShapeDtypeStruct(  # type: ignore[no-untyped-call]
            spec.shape, spec.dtype, sharding=self._known.get(n, self.whole)
        )

    def for_all(
        self,
        run: Callable[..., list[Any]],
        takes: Sequence[int],
        constants: int,
        gives: Sequence[int],
        may_fail: bool,
    ) -> Callable[..., list[Any]]:
        """The function, whose results lie as they must."""
        constrain: Callable[..., jax.Array] = jax.lax.with_sharding_constraint
        places = [*[self._known.get(n) for n in gives], *[self.whole] * may_fail]

        def laid(*given: jax.Array) -> list[jax.Array]:
            return [
                x if place is None else constrain(x, place)
                for x, place in zip(run(*given), places, strict=True)
            ]

        return laid


class MeshProgram(XlaProgram):
    """A recording that the devices of a mesh run together.

    Where other processes have some of them, all must run it, and no wait is without a limit.
    """

    knows_devices = False

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        assert recording.place is not None
        self._place, self._processes = recording.place, recording.place.processes
        self._inputs += tuple(recording.held)
        self._held = [each.value for each in recording.held.values()]
        self.run = self._on_mesh

    def __call__(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        try:
            return self.run(*arrays)
        except jax.errors.JaxRuntimeError as error:
            raise in_words(error) from None

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self.recording)

    def _on_mesh(self, *arrays: Held | Spread) -> tuple[list[Any], list[Any]]:
        if self._processes is not None:
            agree_on_recording(self._processes, self.recording.name, self._fingerprint)
        self._prepare()
        given = [x.value if isinstance(x, Spread) else x for x in arrays]
        results, assigned = self._by_parts([*given, *self._held])
        refs = [ref for _, ref in self._made.assigns]
        return self._shown(self._made.results, results), self._shown(refs, assigned)

    def _shown(self, refs: Sequence[Ref], values: Sequence[Any]) -> list[Any]:
        """Results as tensors and variables have them."""
        return [
            self._on_the_mesh(x) if ref in self.recording.spread else on_host(x)
            for ref, x in zip(refs, values, strict=True)
        ]

    def _on_the_mesh(self, value: Held) -> Held | Spread:
        return self._place.spread(value) if isinstance(value, jax.Array) else value

    def _compiled(self) -> list[Part]:
        parts = super()._compiled()
        self.run = self._on_mesh  # also where the whole is one function
        return parts

    def _lower(self, stage: HostThenDevice) -> Lowered | None:
        if not stage.device:
            return None
        between = {n for each in stages(self._made, self._on_host) for n in each.takes}
        places = Shardings(self._place, self._known(), between.difference(self._inputs))
        return LoweredOnMesh(self, stage, places)

    def _known(self) -> dict[int, NamedSharding]:
        """How values lie that the program takes or assigns."""
        made = self._made
        specs = {n: made.specs[n].place for n in self._inputs}
        known = {n: place.sharding() for n, place in specs.items() if place is not None}
        for variable, ref in made.assigns:
            if isinstance(ref, int) and isinstance(variable._array, Spread):
                known[ref] = variable._array.place.sharding()
        return known

    def _again(self, values: Values, happened: Sequence[Step]) -> Values:
        """All values by the ops one by one, each on the mesh."""
        known = {
            n: self._on_the_mesh(values[n]) if n in self.recording.spread else on_host(values[n])
            for n in self._inputs
        }
        return interpreted(self.recording, known, values, happened)


class LoweredOnMesh(Lowered):
    """Steps on a mesh; the processes that have its devices execute them together."""

    def __init__(self, program: MeshProgram, stage: HostThenDevice, places: Shardings) -> None:
        self._program = program
        super().__init__(stage.device, stage.takes, stage.gives, program._made.specs, places)

    def compile(self) -> None:
        super().compile()
        processes = self._program._processes
        if processes is None:
            return
        alone, name = self.executed, f"the function {self._program.recording.name}"
        ready: Callable[[list[Any]], list[Any]] = jax.block_until_ready

        def executed(*given: jax.Array | Held) -> list[Any]:
            return processes.together(name, lambda: ready(alone(*given)), agree=False)

        self.executed = executed
