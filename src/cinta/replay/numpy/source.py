"""Steps as the source of Python functions: a straight line, a call for each step."""

from __future__ import annotations

import operator
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..recording import Guard, Step, uses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..recording import Ref, Spec


class Changed(Exception):
    """A guard did not hold: Python would have gone another way here."""

    def __init__(self, position: int, found: Any) -> None:
        super().__init__(position, found)
        self.position, self.found = position, found


class Part(NamedTuple):
    """A function that does several steps at once, from values to a tuple of values."""

    run: Callable[..., Any]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


_INFIX = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
}


class Source:
    """The lines of a function, what the names in it stand for, and which line is which step."""

    def __init__(self, name: str, parameters: Iterable[str]) -> None:
        self.title = f"<{name}>"
        # the module's name is in it because NumPy warns by that
        self.names: dict[str, Any] = {"Changed": Changed, "__name__": __name__}
        self.lines = [f"def run({', '.join(parameters)}):"]
        self.steps: dict[int, Step] = {}
        self._taken: dict[tuple[str, int], str] = {}

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def add(self, line: str) -> None:
        """Append a line to the function."""
        self.lines.append(f"    {line}")

    def known(self, kind: str, value: Any) -> str:
        """A name for a kernel, constant or attribute."""
        key = kind, id(value)
        if key not in self._taken:
            self._taken[key] = f"{kind}{len(self._taken)}"
            self.names[self._taken[key]] = value
        return self._taken[key]

    def shown(self, ref: Ref) -> str:
        """How the function names a value."""
        return f"v{ref}" if isinstance(ref, int) else self.known("c", ref.value)

    def call(self, step: Step, given: Sequence[str]) -> str:
        """The call that computes a step from inputs of these names."""
        run = step.op.run
        if run in _INFIX and len(given) == 2:
            return f" {_INFIX[run]} ".join(given)
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


Item: TypeAlias = Step | Guard | Part


def straight_line(
    name: str,
    inputs: Iterable[int],
    items: Sequence[Item],
    returned: Sequence[Sequence[Ref]],
    over: Mapping[int, int] | None = None,
) -> Source:
    """The function that runs these steps one by one, and returns lists of values.

    ``over`` says which results are written over which inputs.
    """
    source = Source(name, [f"v{n}" for n in inputs])
    last = last_uses(items, returned)
    guards = count()
    for position, item in enumerate(items):
        if isinstance(item, Guard):
            _add_guard(source, item, next(guards))
        elif isinstance(item, Part):
            given = ", ".join([f"v{n}" for n in item.inputs])
            results = "".join([f"v{n}, " for n in item.outputs])
            source.add(f"{results}= {source.known('p', item.run)}({given})")
        else:
            _add_step(source, item, over or {})
        dead = [f"v{n}" for n in dict.fromkeys(taken_by(item)) if last.get(n) == position]
        if dead:
            source.add(f"del {', '.join(dead)}")
    lists = [f"[{', '.join(map(source.shown, refs))}]" for refs in returned]
    source.add(f"return {', '.join(lists)}")
    return source


def _add_guard(source: Source, guard: Guard, position: int) -> None:
    source.add(f"x = {source.known('l', guard.look)}(v{guard.value})")
    holds = f"{source.known('g', guard)}.holds(x)"
    source.add(f"if not {holds}: raise Changed({position}, x)")


def _add_step(source: Source, step: Step, over: Mapping[int, int]) -> None:
    given = [source.shown(ref) for ref in step.inputs]
    results = "".join(f"v{n}, " if step.several else f"v{n}" for n in step.outputs)
    target = over.get(step.outputs[0]) if step.outputs else None
    if target is None:
        source.add(f"{results or '_'} = {source.call(step, given)}")
    else:
        into = step.op.into
        assert into is not None
        source.add(f"{results} = v{target}; {source.call_into(into, step, given, results)}")
    source.steps[len(source.lines)] = step


def writer(step: Step, specs: Mapping[int, Spec]) -> Callable[..., Any] | None:
    """What writes the step's result into an array, if there is something for these dtypes."""
    into = step.op.into
    if into is None or isinstance(into, np.ufunc):
        return into
    dtypes = {specs[n].dtype for n in (*uses(step), *step.outputs)}
    return into if len(dtypes) == 1 and dtypes.pop().char in "fd" else None


def taken_by(item: Item) -> Sequence[int]:
    """The numbers of the values that an item takes."""
    return item.inputs if isinstance(item, Part) else uses(item)


def last_uses(items: Iterable[Item], returned: Iterable[Iterable[Ref]]) -> dict[int, int]:
    """The position of the last item that takes a value; values that are returned have none."""
    last = {n: i for i, item in enumerate(items) for n in taken_by(item)}
    for ref in [ref for refs in returned for ref in refs]:
        if isinstance(ref, int):
            last.pop(ref, None)
    return last
