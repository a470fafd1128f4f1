"""Recording: what a function did, as a list of steps on numbered values.

A value is known by its number. A value that does not depend on arguments, variables or random
numbers is a constant and stands in the steps themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, final

import numpy as np

from ..dtypes import of
from ..engine.arrays import same_array as same_array
from ..engine.arrays import shortened
from ..engine.device_values import Spread
from ..engine.shapes import written
from ..user_frames import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..engine.device_values import DevicePlacement, Held
    from ..engine.op import Op
    from ..engine.tensor import Array
    from ..engine.variable import Variable
    from ..user_frames import CodePlace


@final
class Constant:
    """A value that is the same in every call."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        value = self.value
        if not hasattr(value, "tolist"):  # no array: a number, or a formula of sizes in a file
            return repr(value)
        return repr(value.tolist()) if value.size <= 4 else str(Spec.of(value))


Ref: TypeAlias = int | Constant
"""A value by its number, or itself if it is constant."""


class Spec(NamedTuple):
    """The dtype and the shape of a value."""

    dtype: Any
    shape: tuple[int, ...]
    place: DevicePlacement | None = None
    """On a mesh of devices."""

    @classmethod
    def of(cls, array: Held) -> Spec:
        if isinstance(array, Spread):
            return cls(array.dtype, array.shape, array.place)
        return cls(array.dtype, array.shape)

    @property
    def nbytes(self) -> int:
        """How much memory such a value takes."""
        return int(self.dtype.itemsize * math.prod(self.shape))

    def __str__(self) -> str:
        place = "" if self.place is None else f" {self.place}"
        return f"{of(self.dtype).name}{written(self.shape)}{place}"


@final
class Step(NamedTuple):
    """A call of an op; ``outputs`` has several numbers if the op has several results."""

    op: Op
    inputs: tuple[Ref, ...]
    attrs: dict[str, Any]
    outputs: tuple[int, ...]
    several: bool
    place: CodePlace = NOWHERE
    """Where in the program it was recorded."""

    def taking(self, inputs: Iterable[Ref]) -> Step:
        """The same call on other inputs."""
        return Step(self.op, tuple(inputs), self.attrs, self.outputs, self.several, self.place)

    @property
    def bodies(self) -> list[Recording]:
        """The recordings within a loop or branch."""
        return [x for x in self.attrs.values() if type(x) is Recording]

    def with_bodies(self, bodies: Sequence[Recording]) -> Step:
        """The same call with these in place of them."""
        if not bodies:
            return self
        names = [name for name, x in self.attrs.items() if type(x) is Recording]
        return self._replace(attrs=self.attrs | dict(zip(names, bodies, strict=True)))

    def results(self, out: object) -> tuple[Any, ...]:
        """The results by themselves; a step from a file may say that there are others."""
        found = out if type(out) is tuple else (out,)
        if (type(out) is tuple) != self.several or len(found) != len(self.outputs):
            raise ValueError(f"{self.op.name} does not have {len(self.outputs)} results")
        return found


@final
class Guard(NamedTuple):
    """Python looked at a value and found this; what was recorded after it depends on that.

    In the body of a loop or a branch, ``exit`` is the number by which the loop or the branch tells
    that it was left here; ``PASSED_ON`` says that the value is that number.
    """

    value: int
    look: Callable[[Array], Any]
    found: Any
    exit: int = 0

    def nearly_holds(self, found: object) -> bool:
        """Whether another look found the same, up to the rounding of another engine."""
        if self.holds(found):
            return True
        was, now = np.asarray(self.found), np.asarray(found)
        if was.dtype.kind not in "fc" or was.dtype != now.dtype or was.shape != now.shape:
            return False
        return bool(
            np.allclose(now, was, rtol=64 * np.finfo(was.dtype).eps, atol=0, equal_nan=True)
        )

    def holds(self, found: Any) -> bool:
        """Whether another look found the same."""
        if isinstance(self.found, (np.ndarray, np.generic)):
            return same_array(found, self.found)
        return bool(found == self.found)


@dataclass(frozen=True, eq=False)
class Recording:
    """A function as the steps that one call of it took.

    ``rereads`` are the values of variables that were read after they had been assigned, and the
    numbers under which these variables are read first: for a tape, they are the variables too.
    """

    name: str
    inputs: tuple[int, ...]
    reads: tuple[tuple[Variable, int], ...]
    steps: tuple[Step | Guard, ...]
    results: tuple[Ref, ...]
    assigns: tuple[tuple[Variable, Ref], ...]
    rereads: dict[int, int]
    specs: dict[int, Spec] = field(repr=False)
    held: dict[int, Spread] = field(default_factory=dict)
    """Constants on a mesh of devices."""
    spread: frozenset[int] = frozenset()
    """The values on a mesh."""
    place: DevicePlacement | None = None
    """A place on that mesh; None where there is none."""

    @property
    def calls(self) -> Iterator[Step]:
        """The steps that are calls of ops."""
        return (step for step in self.steps if type(step) is Step)

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The values that Python looked at, each with what it found."""
        return tuple([step for step in self.steps if type(step) is Guard])

    @property
    def largest(self) -> int:
        """How many elements the largest value has."""
        return max([math.prod(shape) for shape in {spec[1] for spec in self.specs.values()}] or [0])

    def spec_of(self, ref: Ref) -> Spec:
        """The spec of a value."""
        return self.specs[ref] if isinstance(ref, int) else Spec.of(np.asarray(ref.value))

    @property
    def takes(self) -> tuple[int, ...]:
        """The numbers of the values that a call takes: the inputs, then those of the variables."""
        return (*self.inputs, *[number for _, number in self.reads])

    @property
    def gives(self) -> tuple[Ref, ...]:
        """The values that a call gives: the results, then the new values of variables."""
        return (*self.results, *[ref for _, ref in self.assigns])

    @property
    def ends(self) -> Iterator[int]:
        """The numbers among what a call gives, without the constants."""
        return (ref for ref in self.gives if isinstance(ref, int))

    def __str__(self) -> str:
        """The recording as people read it, a line for each step."""
        names = {n: f"%{i}" for i, n in enumerate(self.specs)}

        def shown(ref: Ref) -> str:
            return names[ref] if isinstance(ref, int) else repr(ref)

        def defined(number: int) -> str:
            return f"{names[number]}: {self.specs[number]}"

        lines = [f"{self.name}({', '.join(map(defined, self.inputs))})"]
        lines += [f"  {defined(number)} = read {variable.name}" for variable, number in self.reads]
        for step in self.steps:
            if isinstance(step, Guard):
                seen = Constant(step.found)
                lines.append(f"  guard {names[step.value]} is {seen!r}")
                continue
            given = [*map(shown, step.inputs), *_attributes(step.attrs)]
            results = ", ".join(map(defined, step.outputs))
            lines.append(f"  {results} = {step.op.name}({', '.join(given)})")
            lines += [f"    {line}" for body in step.bodies for line in str(body).splitlines()]
        lines += [f"  {variable.name} := {shown(ref)}" for variable, ref in self.assigns]
        lines.append(f"  return {', '.join(map(shown, self.results))}".rstrip())
        return "\n".join(lines)


PASSED_ON = -1


def uses(step: Step | Guard) -> Sequence[int]:
    """The numbers of the values that a step takes."""
    if type(step) is Guard:
        return (step.value,)
    return [ref for ref in step.inputs if type(ref) is int]


def may_fail(steps: Iterable[Step]) -> bool:
    """Whether an op would raise on NumPy for some values."""
    return any(
        step.op.may_fail is not None or any([may_fail(body.calls) for body in step.bodies])
        for step in steps
    )


def _attributes(attrs: dict[str, Any]) -> list[str]:
    texts = {
        name: x.name if isinstance(x, Recording) else getattr(x, "__name__", None) or repr(x)
        for name, x in attrs.items()
    }
    return [f"{name}={shortened(text, 40)}" for name, text in texts.items()]
