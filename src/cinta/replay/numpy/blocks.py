"""Regions run block by block: what goes from step to step stays in the processor's cache.

A block function takes corresponding blocks of all large arrays, and writes into blocks of the
results. Blocks are shared by the threads. Where an array does not lie in memory as expected, the
steps run one by one, as they would without a region.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.parallel import SLOW, spread
from ...engine.recorders import next_number
from ..passes import in_row_major
from ..recording import Spec, uses
from .chain import chain
from .compiled_chains import filling
from .folded import Folded
from .source import straight_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.shapes import Shape
    from ...engine.tensor import Array
    from ..recording import Recording, Ref, Step
    from .chain import Chain

_BLOCK_BYTES = 1 << 19
"""Of one array: several of them stay close to a core, and a call on one takes far longer than the
passing of the interpreter's lock between two threads. Every step of a region is such a call, so
blocks are larger than in `engine.parallel`, where there are few calls on each."""
_WORK = 1 << 21
"""Elements of one short step that are work enough for a thread; a long step counts for six."""


class Blocks:
    """A region as a function of its inputs, which gives its results."""

    def __init__(self, region: Recording) -> None:
        results = [region.results]
        plain = straight_line("region", region.inputs, region.steps, results, region.specs)
        self._one_by_one: Callable[..., Sequence[Any]] = plain.compiled()
        self._shapes = [region.specs[n].shape for n in region.inputs]
        made, self._fixed = _with_arrays_numbered(in_row_major(region))
        values = (*region.inputs, *self._fixed)
        specs = made.specs
        used = {n for step in made.calls for n in uses(step)}
        written = [n for n in dict.fromkeys(made.ends) if n not in values]
        shape = specs[next(region.calls).outputs[0]].shape
        folded = Folded(shape, [specs[n].shape for n in values])
        large = [n for n in values if n in used and folded.is_large(specs[n].shape)]
        small = [n for n in values if n in used and n not in large]
        self._large = [(values.index(n), folded.rows(specs[n].shape)) for n in large]
        self._small = [(values.index(n), folded.alone(specs[n].shape)) for n in small]
        self._folded, self._shape = folded, shape
        self._written = [specs[n].dtype for n in written]
        self._results = [[*values, *written].index(n) for n in made.ends]
        size = max([specs[n].dtype.itemsize for n in (*large, *written)], default=1)
        width = prod(folded.rest)
        self._block = max(1, _BLOCK_BYTES // (size * width))
        fill = filling(made, [*large, *small], written, folded)
        self.is_compiled = fill is not None
        if fill is not None:
            self._work: Callable[..., None] = partial(_at_once, fill)
        else:
            blocks = chain(made, [*large, *small], written)
            self._work = partial(_in_blocks, blocks, self._block, folded.rest)
        self._share = max(1, _WORK // (width * sum(map(_weight, region.calls))))

    def __call__(self, *arrays: Array) -> Sequence[Array]:
        for array, shape in zip(arrays, self._shapes, strict=True):
            usual = not shape or (array.flags.c_contiguous and array.flags.aligned)
            if array.shape != shape or not usual:
                return self._one_by_one(*arrays)
        values = [*arrays, *self._fixed.values()]
        written = [np.empty(self._shape, dtype) for dtype in self._written]
        self._fill(values, written)
        values += written
        return [values[i] for i in self._results]

    def _fill(self, values: Sequence[Any], written: Sequence[Any]) -> None:
        """Let the threads go through the blocks, which write the results."""
        folded = (self._folded.length, *self._folded.rest)
        large = [values[i].reshape(shape) for i, shape in self._large]
        small = [values[i].reshape(shape) for i, shape in self._small]
        results = [array.reshape(folded) for array in written]
        work = partial(self._work, large, small, results)
        spread(work, self._folded.length, self._block, self._share)


def _at_once(
    fill: Callable[..., None],
    large: Sequence[Array],
    small: Sequence[Array],
    results: Sequence[Array],
    start: int,
    stop: int,
) -> None:
    """Fill these rows by a compiled function, which goes through blocks itself."""
    fill(*[array[start:stop] for array in large], *small, *[array[start:stop] for array in results])


def _in_blocks(
    made: Chain,
    block: int,
    rest: Shape,
    large: Sequence[Array],
    small: Sequence[Array],
    results: Sequence[Array],
    start: int,
    stop: int,
) -> None:
    """Fill these rows block by block, with memory for what is between the steps."""
    memory = [np.empty((block, *rest), dtype) for dtype in made.scratch]
    for low in range(start, stop, block):
        high = min(low + block, stop)
        made.run(
            *[array[low:high] for array in large],
            *small,
            *[array[low:high] for array in results],
            *[array[: high - low] for array in memory],
        )


def _with_arrays_numbered(made: Recording) -> tuple[Recording, dict[int, Any]]:
    """With constants that have axes as values too, which blocks are taken of; and these values."""
    fixed: dict[int, Any] = {}
    specs = dict(made.specs)

    def numbered(ref: Ref) -> Ref:
        if isinstance(ref, int) or not np.ndim(ref.value):
            return ref
        number = next_number()
        fixed[number] = np.ascontiguousarray(ref.value)
        specs[number] = Spec.of(ref.value)
        return number

    steps = [
        step._replace(inputs=tuple([numbered(ref) for ref in step.inputs])) for step in made.calls
    ]
    results = tuple([numbered(ref) for ref in made.results])
    return replace(made, steps=tuple(steps), results=results, specs=specs), fixed


def _weight(step: Step) -> int:
    return 1 if isinstance(step.op.into, np.ufunc) and step.op.into not in SLOW else 6
