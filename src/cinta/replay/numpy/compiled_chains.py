"""Elementwise steps as one compiled function, which takes a block of numbers through all of them.

It calls the loops of the ufuncs that compute the steps one by one, so the results are the same bit
by bit, and saves both their passes over memory and the calls: a step on a few numbers takes less
time than a call from Python. It takes float32 alone.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.c_kernels import FLOAT32, compiled, ufunc_of
from ..recording import Constant, Guard, uses
from .folded import Folded
from .source import straight_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...engine.shapes import Shape
    from ...engine.tensor import Array
    from ..recording import Recording, Ref, Spec, Step

_Chain = compiled("Chain")
MOST_STEPS = 128
"""Of a chain, with which it has fewer values than the compiled function has places for."""
_MOST_SCRATCH = 8  # places for values that are not returned
_FEWEST_COLUMNS = 256
"""Of rows that each link goes through by themselves; NumPy takes shorter ones together faster."""
_FULL, _OF_ROWS, _OF_COLUMNS, _SINGLE = range(4)
"""Whether a value has a number for each element, each row, each column, or one."""


def are_compiled() -> bool:
    """Whether there is a function for chains."""
    return _Chain is not None


def takes(step: Step | Guard, specs: Mapping[int, Spec]) -> bool:
    """Whether a chain may have this step, whatever the size of its result."""
    if _Chain is None or isinstance(step, Guard) or step.several or step.attrs:
        return False
    if not step.op.elementwise or ufunc_of(step.op.into) is None:
        return False
    numbers = (*uses(step), *step.outputs)
    constants = [ref.value for ref in step.inputs if isinstance(ref, Constant)]
    return all([specs[n].dtype is FLOAT32 for n in numbers]) and all(
        [type(value) is np.float32 for value in constants]
    )


class ChainedSteps:
    """A region on few numbers as a function of its inputs, which gives its results."""

    def __init__(self, region: Recording) -> None:
        self._region = region
        self._compiled = _compiled(region)

    def __call__(self, *arrays: Array) -> Sequence[Array]:
        found = None if self._compiled is None else self._compiled(*arrays)
        return self._one_by_one(*arrays) if found is None else found

    @cached_property
    def _one_by_one(self) -> Callable[..., Sequence[Array]]:
        """The steps where an array does not lie in memory as expected."""
        region = self._region
        results = [region.results]
        made = straight_line("region", region.inputs, region.steps, results, region.specs)
        return made.compiled()


def _compiled(region: Recording) -> Callable[..., Sequence[Array] | None] | None:
    """The function of the inputs of a region that gives its results, or None for unusual arrays.

    There is none where shapes are broadcast in unusual ways.
    """
    specs, values = region.specs, region.inputs
    shape = specs[next(region.calls).outputs[0]].shape
    folded = Folded(shape, [specs[n].shape for n in values])
    return _chain(region, values, list(region.ends), folded)


def filling(
    made: Recording, values: Sequence[int], written: Sequence[int], folded: Folded
) -> Callable[..., None] | None:
    """The function that fills rows of results from rows of values, if it is faster than NumPy.

    It takes the same rows of all values and then of all results; columns and single numbers whole.
    """
    steps, columns = list(made.calls), prod(folded.rest)
    if not steps or not all([takes(step, made.specs) for step in steps]):
        return None
    if columns < _FEWEST_COLUMNS and folded.rest:
        return None
    return getattr(_chain(made, values, written, folded), "fill", None)


def _chain(
    made: Recording, values: Sequence[int], written: Sequence[int], folded: Folded
) -> Callable[..., Any] | None:
    """The compiled function of these values, if the steps can be compiled for their shapes."""
    shapes = [made.specs[n].shape for n in values]
    kinds = [_kind(folded, shape) for shape in shapes]
    known = [kind for kind in kinds if kind is not None]
    if _Chain is None or len(known) < len(kinds) or folded.shape not in shapes:
        return None
    links = _Links(values, written, list(made.calls))
    if links.scratch > _MOST_SCRATCH:
        return None
    columns = 0 if {_OF_ROWS, _OF_COLUMNS}.isdisjoint(known) else prod(folded.rest)
    numbers = tuple(links.constants.values())
    sizes = shapes.index(folded.shape), len(written), links.scratch, folded.shape, columns
    return _Chain(links.numbered(), bytes(known), numbers, *sizes)  # type: ignore[return-value]


def _kind(folded: Folded, shape: Shape) -> int | None:
    """How a chain takes an array of this shape; None if it does not."""
    if folded.is_large(shape):
        rest = folded.rows(shape)[1:]
        return _FULL if rest == folded.rest else _OF_ROWS if prod(rest) == 1 else None
    alone = folded.alone(shape)
    return _SINGLE if prod(alone) == 1 else _OF_COLUMNS if alone == folded.rest else None


class _Link(NamedTuple):
    ufunc: Callable[..., Array]
    values: tuple[tuple[str, int], ...]
    """Of inputs, constants, results or scratch memory, each with its number among these."""
    is_last: bool


class _Links:
    """The steps with places for all values; those that depend on one another follow each other."""

    def __init__(self, inputs: Sequence[int], ends: Sequence[int], steps: Sequence[Step]) -> None:
        self.inputs, self.ends = inputs, ends
        self.constants: dict[bytes, np.float32] = {}
        self.scratch = 0
        self._free: list[int] = []
        self._places = {n: ("input", i) for i, n in enumerate(inputs)}
        self._places |= {n: ("result", i) for i, n in enumerate(ends)}
        groups = _connected(steps)
        order = [step for group in groups for step in group]
        self._last = {n: i for i, step in enumerate(order) for n in uses(step)}
        last = {id(group[-1]) for group in groups}
        self.links = [self._link(step, i, id(step) in last) for i, step in enumerate(order)]

    def numbered(self) -> tuple[tuple[Callable[..., Array], tuple[int, ...], bool], ...]:
        """The links as the compiled function takes them."""
        counts = {"input": len(self.inputs), "constant": len(self.constants)}
        counts |= {"result": len(self.ends), "scratch": self.scratch}
        kinds = list(counts)
        first = {kind: sum([counts[k] for k in kinds[:i]]) for i, kind in enumerate(kinds)}
        return tuple(
            [
                (link.ufunc, tuple([first[kind] + i for kind, i in link.values]), link.is_last)
                for link in self.links
            ]
        )

    def _link(self, step: Step, position: int, is_last: bool) -> _Link:
        (number,) = step.outputs
        given = [self._place(ref) for ref in step.inputs]
        dying = [n for n in dict.fromkeys(uses(step)) if self._last[n] == position]
        freed = [i for kind, i in map(self._places.__getitem__, dying) if kind == "scratch"]
        if step.op.in_place:
            self._free += freed
        if number not in self._places:
            self._places[number] = "scratch", self._new()
        if not step.op.in_place:
            self._free += freed
        ufunc = ufunc_of(step.op.into)
        assert ufunc is not None
        return _Link(ufunc, (*given, self._places[number]), is_last)

    def _place(self, ref: Ref) -> tuple[str, int]:
        if isinstance(ref, int):
            return self._places[ref]
        key = ref.value.tobytes()
        self.constants.setdefault(key, ref.value)
        return "constant", list(self.constants).index(key)

    def _new(self) -> int:
        if not self._free:
            self.scratch += 1
            return self.scratch - 1
        return self._free.pop()


def _connected(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps in groups that take nothing of each other, each in order."""
    above, makers = list(range(len(steps))), dict[int, int]()

    def root(i: int) -> int:
        while above[i] != i:
            i = above[i]
        return i

    for i, step in enumerate(steps):
        for maker in [makers[n] for n in uses(step) if n in makers]:
            above[root(maker)] = root(i)
        makers.update(dict.fromkeys(step.outputs, i))
    groups: dict[int, list[Step]] = {}
    for i, step in enumerate(steps):
        groups.setdefault(root(i), []).append(step)
    return list(groups.values())
