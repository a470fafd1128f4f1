"""A loop on NumPy: one Python function, with the lines of the body in a ``for``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.tensor import truth
from ..passes import for_running
from ..recording import Spec
from .engine import in_words, interpret, runnable
from .regions import with_regions
from .reuse import overwritten
from .source import Changed, Source, straight_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording


_TRUTH = Spec(np.dtype(bool), ())


class NumpyLoop:
    """A loop as a function of what it carries, of stacks, and of what is the same in each turn."""

    def __init__(self, source: Source) -> None:
        self.source, self._lines = str(source), source.steps
        self._run: Callable[..., tuple[Any, ...]] = source.compiled()

    def __call__(self, *values: object) -> tuple[Any, ...]:
        try:
            return self._run(*values)
        except (Changed, RuntimeWarning, FloatingPointError):
            raise
        except Exception as error:
            raise in_words(error, self._run.__code__, self._lines) from None


def numpy_loop(body: Recording, turns: int, carried: int, sliced: int, last: int) -> NumpyLoop:
    """A function that runs the ``Loop`` of these attributes."""
    source, inputs = _turn(body, carried + sliced)
    results, single = source.returned[0], carried + last
    stacks = [f"s{i}" for i in range(len(results) - single)]
    rows = inputs[carried : carried + sliced]
    over = f"zip({', '.join(rows)})" if sliced else f"range({turns})"
    head = [
        *[f"{stack} = []" for stack in stacks],
        f"for {', '.join(rows) + ',' if sliced else '_'} in {over}:",
    ]
    tail = [f"{s}.append({r})" for s, r in zip(stacks, results[single:], strict=True)]
    names = [*inputs[:carried], *[f"r{i}" for i in range(last)]]
    if names:
        tail.append(f"{', '.join(names)}, = {', '.join(results[:single])},")
    return NumpyLoop(_around(source, head, tail, [*names, *stacks]))


def numpy_while(body: Recording, carried: int, watched: int, found: bool) -> NumpyLoop:
    """A function that runs the ``While`` of these attributes."""
    source, inputs = _turn(body, carried)
    names = inputs[:carried]
    number = source.known("k", np.int64)
    look = f"{source.known('l', truth)}({names[watched]}) is {found}"
    if body.specs[body.inputs[watched]] == _TRUTH:
        look = names[watched] if found else f"not {names[watched]}"
    loop = f"while {look}:"
    tail = ["n += 1", f"{', '.join(names)}, = {', '.join(source.returned[0])},"]
    results = [*names, f"{number}(n)"]
    if not body.guards:
        return NumpyLoop(_around(source, ["n = 0", loop], tail, results))
    head = ["n = left = 0", "try:", f"    {loop}"]
    end = ["except Changed as change:", "    left = change.position"]
    return NumpyLoop(_around(source, head, tail, [*results, f"{number}(left)"], end))


def numpy_body(body: Recording, may_be_left: bool) -> NumpyLoop:
    """A function that runs one side of a ``Branch``, and tells of exits if one side has some."""
    source, _ = _turn(body, 0)
    found = source.returned[0]
    if not may_be_left:
        source.lines[-1] = f"    return {''.join([f'{name}, ' for name in found])}"
        return NumpyLoop(source)
    number = source.known("k", np.int64)
    specs = [body.spec_of(ref) for ref in body.results]
    nothing = [source.known("c", np.zeros(each.shape, each.dtype)) for each in specs]
    tail = [f"return {', '.join([*found, f'{number}(0)'])},"]
    left = ", ".join([*nothing, f"{number}(change.position)"])
    end = ["except Changed as change:", f"    return {left},"]
    return NumpyLoop(_around(source, ["try:"], tail, [], end))


def step_by_step(body: Recording, may_be_left: bool) -> Callable[..., list[Any]]:
    """A function that runs a body of which the shapes are not known: it is for other values."""

    def run(*values: Any) -> list[Any]:
        try:
            found = interpret(body, dict(zip(body.inputs, values, strict=True)))
        except Changed as change:
            return [*[np.zeros(())] * len(body.results), np.int64(change.position)]
        results = [found[ref] if isinstance(ref, int) else ref.value for ref in body.results]
        return [*results, *([np.int64(0)] if may_be_left else [])]

    return run


def _turn(body: Recording, own: int) -> tuple[Source, list[str]]:
    """The lines of one turn, and the names of its inputs, of which each turn has these first."""
    made = for_running(body)
    items = [runnable(item) for item in with_regions(made)]
    # these outlive the turn, and those with which it began if it may be left
    returned = [made.results, made.inputs[0 if made.guards else own :]]
    over = overwritten(made, items, returned)
    title = f"loop of {made.name}"
    source = straight_line(title, made.inputs, items, returned, made.specs, over)
    return source, [f"v{i}" for i in range(len(made.inputs))]  # as the line calls its parameters


def _around(
    source: Source,
    head: Sequence[str],
    tail: Sequence[str],
    results: Sequence[str],
    end: Sequence[str] = (),
) -> Source:
    """The source with its lines between others, in the block that the last line of the head is."""
    first, *middle, _ = source.lines
    pad = " " * (len(head[-1]) - len(head[-1].lstrip()) + 4)
    source.lines[:] = [
        first,
        *[f"    {line}" for line in head],
        *[f"{pad}{line}" for line in middle],
        *[f"    {pad}{line}" for line in tail],
        *[f"    {line}" for line in end],
        *([f"    return {', '.join(results)},"] if results else []),
    ]
    source.steps = {number + len(head): step for number, step in source.steps.items()}
    return source
