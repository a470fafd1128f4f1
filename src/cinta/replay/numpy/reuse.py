"""Which steps may write their result over an input that nobody else will look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..recording import Step
from .source import last_uses, taken_by, writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Recording, Ref
    from .source import Item

_MANY_BYTES = 1 << 14
"""Smaller results are as quickly written into memory of their own."""
_MOST_BYTES_EACH = 16
"""Of an element: a complex number of double precision."""
_READERS = frozenset({"MatMul", "Sum", "Mean"})
"""Ops whose results share no memory with their inputs, beside those that can write into arrays."""


def overwritten(
    made: Recording, items: Sequence[Item], returned: Sequence[Sequence[Ref]]
) -> dict[int, int]:
    """For results of steps the inputs over which they may be written.

    Such an input was made by a step, in memory of its own and in row-major order. So were all
    others of that shape which the step takes; so the result lies in memory as it does otherwise.
    """
    if made.largest * _MOST_BYTES_EACH < _MANY_BYTES:
        return {}
    last = last_uses(map(taken_by, items), returned)
    shared = {n for item in items if not _only_reads(item) for n in taken_by(item)}
    in_rows: set[int] = set()
    found: dict[int, int] = {}
    for position, item in enumerate(items):
        if not isinstance(item, Step) or item.several:
            continue
        (number,) = item.outputs
        whole = _of_its_shape(item, made)
        if item.op.name == "MatMul" or (item.op.into and whole and in_rows.issuperset(whole)):
            in_rows.add(number)
        if number not in in_rows or not item.op.in_place or writer(item, made.specs) is None:
            continue
        dying = [n for n in whole if isinstance(n, int) and last.get(n) == position]
        free = [n for n in dying if n not in shared and made.specs[n] == made.specs[number]]
        if free and made.specs[number].nbytes >= _MANY_BYTES:
            found[number] = free[0]
    return found


def _of_its_shape(step: Step, made: Recording) -> list[Ref]:
    """The inputs of a step that have the shape of its result."""
    shape = made.specs[step.outputs[0]].shape
    shapes = [
        made.specs[ref].shape if isinstance(ref, int) else getattr(ref.value, "shape", ())
        for ref in step.inputs
    ]
    return [ref for ref, given in zip(step.inputs, shapes, strict=True) if given == shape]


def _only_reads(item: Item) -> bool:
    return isinstance(item, Step) and (item.op.into is not None or item.op.name in _READERS)
