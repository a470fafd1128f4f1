"""Small values that travel together, since each array on its way takes 1 to 2.5 µs of its own.

A program that assigns waits for what it computes in any case, and one of nothing but small values
is done sooner than a result could be asked for. These can give the host all small values in one
array, of which results and variables hold parts; NumPy joins them again for the next call.
"""

from __future__ import annotations

from collections import defaultdict
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ...engine.device_values import on_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..recording import Recording, Spec

    Run: TypeAlias = Callable[..., list[Any]]

_SMALL = 1 << 10
"""Bytes up to which a value is quicker copied than sent by itself."""

_FEWEST = 4
"""So many small values of a dtype are worth it, where each could stay on the device."""

_FEW_STEPS = 1000
"""A program of small values and so many steps is done within some 50 µs."""


class Parcel:
    """Values of one dtype, one behind the other in an array."""

    def __init__(self, numbers: Sequence[int], specs: dict[int, Spec]) -> None:
        self.numbers = numbers
        self._shapes = [specs[n].shape for n in numbers]
        self._stops = np.cumsum([prod(shape) for shape in self._shapes]).tolist()
        shape_of: Any = jax.ShapeDtypeStruct  # JAX leaves it untyped
        self.spec = shape_of((self._stops[-1],), specs[numbers[0]].dtype)

    def taken_apart(self, flat: Any) -> dict[int, Any]:
        """The values in an array of JAX."""
        flats = jnp.split(flat, self._stops[:-1])
        shaped = [x.reshape(shape) for x, shape in zip(flats, self._shapes, strict=True)]
        return dict(zip(self.numbers, shaped, strict=True))

    def joined(self, values: dict[int, Any]) -> Any:
        """The values as one array of JAX."""
        return jnp.concatenate([values[n].ravel() for n in self.numbers])

    def parts(self, name: str) -> Iterator[tuple[int, str]]:
        """The numbers of the values, and expressions for them as parts of an array of NumPy."""
        for n, shape, stop in zip(self.numbers, self._shapes, self._stops, strict=True):
            start = stop - prod(shape)
            part = f"{name}[{start}:{stop}]" if shape else f"{name}[{start}]"
            yield n, part if len(shape) < 2 else f"{part}.reshape({shape})"


class Packing:
    """How a program takes and gives small values of some dtypes together.

    ``taken`` are the numbers of those that it takes so, which had better be on the host.
    """

    def __init__(
        self,
        takes: Sequence[int],
        gives: Sequence[int],
        ins: Sequence[Parcel],
        outs: Sequence[Parcel],
    ) -> None:
        self._takes, self._gives, self._ins, self._outs = takes, gives, ins, outs
        self.taken = frozenset([n for parcel in self._ins for n in parcel.numbers])
        given = {n for parcel in self._outs for n in parcel.numbers}
        self._takes_alone = [n for n in takes if n not in self.taken]
        self._gives_alone = [n for n in gives if n not in given]

    def specs(self, alone: dict[int, Any]) -> list[Any]:
        """The specs of what is taken in the end, for those of the values."""
        return [*[alone[n] for n in self._takes_alone], *[parcel.spec for parcel in self._ins]]

    def inside(self, run: Run) -> Run:
        """The function to be compiled in place of ``run``, which may take and give more values."""

        def unpacking(*given: Any) -> list[Any]:
            middle, end = len(self._takes_alone), len(self._takes_alone) + len(self._ins)
            values = dict(zip(self._takes_alone, given[:middle], strict=True))
            for parcel, flat in zip(self._ins, given[middle:end], strict=True):
                values |= parcel.taken_apart(flat)
            found = run(*[values[n] for n in self._takes], *given[end:])
            values, more = dict(zip(self._gives, found, strict=False)), found[len(self._gives) :]
            flats = [parcel.joined(values) for parcel in self._outs]
            return [*[values[n] for n in self._gives_alone], *flats, *more]

        return unpacking

    def around(self, execute: Run) -> Run:
        """The function that is called in place of what was compiled."""
        names = {n: f"v{i}" for i, n in enumerate(self._takes)}
        passed = [names[n] for n in self._takes_alone]
        for parcel in self._ins:
            arrays = [
                f"{names[n]} if type({names[n]}) is ndarray else on_host({names[n]})"
                for n in parcel.numbers
            ]
            passed.append(f"concatenate(({', '.join(arrays)},), axis=None)")
        lines = [f"def executed({', '.join(names.values())}):"]
        lines.append(f"    found = execute({', '.join(passed)})")
        at = len(self._gives_alone)
        places = {n: f"found[{i}]" for i, n in enumerate(self._gives_alone)}
        for i, parcel in enumerate(self._outs):
            lines.append(f"    flat{i} = asarray(found[{at + i}])")
            places |= dict(parcel.parts(f"flat{i}"))
        given = [places[n] for n in self._gives]
        lines.append(f"    return [{', '.join(given)}, *found[{at + len(self._outs)}:]]")
        known: dict[str, Any] = {"execute": execute, "on_host": on_host, "ndarray": np.ndarray}
        known |= {"asarray": np.asarray, "concatenate": np.concatenate}
        exec("\n".join(lines), known)
        executed: Run = known["executed"]
        return executed


def packing(takes: Sequence[int], gives: Sequence[int], made: Recording) -> Packing | None:
    """How values are to be packed where a program takes and gives these; None if in no way."""
    if jax.default_backend() != "cpu":
        return None  # where values lie far from the host, they are to stay there
    out = _small(gives, made)
    if not _is_light(made):
        assigned = {ref for _, ref in made.assigns}
        out = {d: ns for d, ns in out.items() if len(assigned.intersection(ns)) >= _FEWEST}
    if not out:
        return None
    given = {n for numbers in out.values() for n in numbers}
    returning = {v._number for v, ref in made.assigns if ref in given}
    returned = {n for v, n in made.reads if v._number in returning}
    come = _small(takes, made)
    come = {d: ns for d, ns in come.items() if len(ns) >= _FEWEST or not returned.isdisjoint(ns)}
    return Packing(takes, gives, _parcels(come, made), _parcels(out, made))


def _small(numbers: Sequence[int], made: Recording) -> dict[np.dtype[Any], list[int]]:
    """The small ones of these values, by their dtypes."""
    found = defaultdict[np.dtype[Any], list[int]](list)
    for n in numbers:
        if _is_small(made.specs[n]):
            found[made.specs[n].dtype].append(n)
    return found


def _is_small(spec: Spec) -> bool:
    return spec.dtype.kind in "biufc" and spec.nbytes <= _SMALL


def _is_light(made: Recording) -> bool:
    """Whether it takes no longer than a call of XLA."""
    steps = [*made.calls]
    loops = any([step.bodies for step in steps])
    return not loops and len(steps) <= _FEW_STEPS and all(map(_is_small, {*made.specs.values()}))


def _parcels(groups: dict[np.dtype[Any], list[int]], made: Recording) -> list[Parcel]:
    return [Parcel(numbers, made.specs) for numbers in groups.values()]
