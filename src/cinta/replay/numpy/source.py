"""Steps as the source of Python functions: a straight line, a call for each step."""

from __future__ import annotations

import operator
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, final

import numpy as np

from ...engine.tensor import truth
from ..recording import PASSED_ON, Guard, Step, uses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..recording import Constant, Ref, Spec


class Changed(Exception):
    """A guard did not hold: Python would have gone another way here.

    In the body of a loop or a branch, the position is the number of the exit.
    """

    def __init__(self, position: int, found: object) -> None:
        super().__init__(position, found)
        self.position, self.found = position, found


@final
class SourcePart(NamedTuple):
    """A function that does several steps at once, from values to a tuple of values."""

    run: Callable[..., Any]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


_WORTH_A_LINE = 1 << 14
"""Bytes from which on a value that is needed no more is dropped at once, by a line of its own."""

_INFIX = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
}


class Called(NamedTuple):
    """A step, and by which names the function gives it its inputs."""

    step: Step
    names: Sequence[str]


class Source:
    """The lines of a function, what the names in it stand for, and which line is which step.

    ``returned`` are the names of what it returns, list by list.
    """

    def __init__(self, name: str, parameters: Iterable[str]) -> None:
        self.title = f"<{name}>"
        # the module's name is in it because NumPy warns by that
        self.names: dict[str, Any] = {"Changed": Changed, "__name__": __name__}
        self.lines = [f"def run({', '.join(parameters)}):"]
        self.steps: dict[int, Called] = {}
        self.returned: list[list[str]] = []
        self._taken: dict[tuple[str, int], str] = {}

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def add(self, line: str) -> None:
        """Append a line to the function."""
        self.lines.append(f"    {line}")

    def known(self, kind: str, value: object) -> str:
        """A name for a kernel, constant or attribute."""
        key = kind, id(value)
        name = self._taken.get(key)
        if name is None:
            name = self._taken[key] = f"{kind}{len(self._taken)}"
            self.names[name] = value
        return name

    def constant(self, constant: Constant) -> str:
        """How the function names a constant."""
        return self.known("c", constant.value)

    def call(self, step: Step, given: Sequence[str], special: tuple[Any, ...] | None = None) -> str:
        """The call that computes a step from inputs of these names."""
        run = step.op.run
        if len(given) == 2 and run in _INFIX:
            return f"{given[0]} {_INFIX[run]} {given[1]}"
        if special is not None:
            run, *by_position = special
            more = [self.known("a", value) for value in by_position]
            return f"{self.known('k', run)}({', '.join([*given, *more])})"
        if not step.attrs:
            return f"{self.known('k', run)}({', '.join(given)})"
        named = [f"{name}={self.known('a', value)}" for name, value in step.attrs.items()]
        return f"{self.known('k', run)}({', '.join([*given, *named])})"

    def call_into(
        self, into: Callable[..., Any], step: Step, given: Sequence[str], target: str
    ) -> str:
        """The call that writes what a step computes into the array of this name."""
        named = [f"{name}={self.known('a', value)}" for name, value in step.attrs.items()]
        return f"{self.known('k', into)}({', '.join([*given, *named, f'out={target}'])})"

    def compiled(self) -> Callable[..., Any]:
        """The function."""
        exec(compile(str(self), self.title, "exec"), self.names)
        function: Callable[..., Any] = self.names["run"]
        return function


Item: TypeAlias = Step | Guard | SourcePart


def straight_line(
    name: str,
    inputs: Sequence[int],
    items: Sequence[Item],
    returned: Sequence[Sequence[Ref]],
    specs: Mapping[int, Spec],
    over: Mapping[int, int] | None = None,
) -> Source:
    """The function that runs these steps one by one, and returns lists of values.

    ``over`` says which results are written over which inputs.
    """
    return _StraightLine(name, inputs, specs, over or {}).of(items, returned)


class _StraightLine:
    """The writer of such a function; a name serves other values when its own is needed no more."""

    def __init__(
        self, name: str, inputs: Sequence[int], specs: Mapping[int, Spec], over: Mapping[int, int]
    ) -> None:
        self.over, self.specs = over, specs
        each = {id(spec): spec for spec in specs.values()}  # many values share theirs
        large = {i for i, spec in each.items() if spec.nbytes >= _WORTH_A_LINE}
        self.large = {n for n, spec in specs.items() if id(spec) in large} if large else set()
        self.names = {n: f"v{i}" for i, n in enumerate(inputs)}
        self.free: list[str] = []
        self.count = len(inputs)
        self.source = Source(name, self.names.values())

    def of(self, items: Sequence[Item], returned: Sequence[Sequence[Ref]]) -> Source:
        ending: defaultdict[int, list[int]] = defaultdict(list)
        for n, position in last_uses(map(taken_by, items), returned).items():
            ending[position].append(n)
        guards = count()
        for position, item in enumerate(items):
            dying = ending.get(position, ())
            if dying:
                self.free += [self.names[n] for n in dying]
            if type(item) is Step:
                self._add_step(item)
            elif type(item) is Guard:
                self._add_guard(item, next(guards))
            else:
                self._add_part(item)
            if dying and not self.large.isdisjoint(dying):
                self._drop_large(dying)
        self.source.returned = [[self._shown(ref) for ref in refs] for refs in returned]
        lists = [f"[{', '.join(names)}]" for names in self.source.returned]
        self.source.add(f"return {', '.join(lists)}")
        return self.source

    def _add_guard(self, guard: Guard, position: int) -> None:
        source, spec = self.source, self.specs[guard.value]
        if guard.exit > 0 and guard.look is truth and (spec.dtype, spec.shape) == (np.bool_, ()):
            fails = "not " if guard.found else ""
            value = self.names[guard.value]
            source.add(f"if {fails}{value}: raise Changed({guard.exit}, {not guard.found})")
            return
        source.add(f"x = {source.known('l', guard.look)}({self.names[guard.value]})")
        if guard.exit == PASSED_ON:
            number = self.names[guard.value]
            source.add(f"if x: raise Changed(int({number}), x)")
            return
        holds = f"{source.known('g', guard)}.holds(x)"
        source.add(f"if not {holds}: raise Changed({guard.exit or position}, x)")

    def _add_part(self, part: SourcePart) -> None:
        given = ", ".join([self.names[n] for n in part.inputs])
        results = "".join([f"{self._new_name(n)}, " for n in part.outputs])
        self.source.add(f"{results}= {self.source.known('p', part.run)}({given})")

    def _add_step(self, step: Step) -> None:
        source, outputs = self.source, step.outputs
        given = [self._shown(ref) for ref in step.inputs]
        target = self.over.get(outputs[0]) if self.over and outputs else None
        if target is None:
            if step.several or not outputs:
                results = "".join([f"{self._new_name(n)}, " for n in outputs]) or "_ "
            else:
                results = f"{self._new_name(outputs[0])} "
            source.add(f"{results}= {source.call(step, given, self._special(step))}")
        else:
            into, name = step.op.into, self.names[target]
            assert into is not None
            self.names[outputs[0]] = name
            self.free.remove(name)
            source.add(source.call_into(into, step, given, name))
        source.steps[len(source.lines)] = Called(step, given)

    def _special(self, step: Step) -> tuple[Any, ...] | None:
        """The function that computes the step in place of its op, given facts about its input."""
        if len(step.inputs) != 1 or type(ref := step.inputs[0]) is not int:
            return None
        spec = self.specs[ref]
        return step.op.special(spec.dtype, spec.shape, step.attrs)

    def _drop_large(self, dying: Sequence[int]) -> None:
        """Do not wait until the names of large values are used again."""
        names = [self.names[n] for n in dying if n in self.large]
        dropped = [name for name in names if name in self.free]
        if dropped:
            self.source.add(f"del {', '.join(dropped)}")

    def _shown(self, ref: Ref) -> str:
        """How the function names a value."""
        return self.names[ref] if isinstance(ref, int) else self.source.constant(ref)

    def _new_name(self, number: int) -> str:
        """A name for a value that is made."""
        if self.free:
            name = self.free.pop()
        else:
            name = f"v{self.count}"
            self.count += 1
        self.names[number] = name
        return name


def writer(step: Step, specs: Mapping[int, Spec]) -> Callable[..., Any] | None:
    """The function that writes the step's result into an array, if one exists for these dtypes."""
    into = step.op.into
    if into is None or isinstance(into, np.ufunc):
        return into
    dtypes = {specs[n].dtype for n in (*uses(step), *step.outputs)}
    return into if len(dtypes) == 1 and dtypes.pop().char in "fd" else None


def taken_by(item: Item) -> Sequence[int]:
    """The numbers of the values that an item takes."""
    return item.inputs if isinstance(item, SourcePart) else uses(item)


def last_uses(taken: Iterable[Iterable[int]], returned: Iterable[Iterable[Ref]]) -> dict[int, int]:
    """The position of the last item that takes a value; values that are returned have none."""
    last = {n: i for i, numbers in enumerate(taken) for n in numbers}
    for ref in [ref for refs in returned for ref in refs]:
        if isinstance(ref, int):
            last.pop(ref, None)
    return last
