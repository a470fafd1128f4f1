"""Jacobians: backward sweeps over blocks of basis vectors.

Rules let gradients have more axes in front than the values that they belong to. So the gradients of
all elements of a target, stacked, go through the tape at once; or a block of them after the other,
where all at once would take too much memory.

Where the target has many elements and the sources few, columns are cheaper than rows. A gradient
is linear in what it starts from, and how it depends on that is the Jacobian transposed. So the
sweep is recorded for a start that is unknown, and the Jacobian of that recording has one row for
each element of a source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import is_differentiable
from ..engine import recorders, settings
from ..engine.free_memory import free_if_less, in_gb
from ..engine.indexed_slices import dense
from ..engine.primitives import BroadcastTo, ConcatV2, Reshape, Transpose
from ..engine.recorders import Recorder
from ..engine.rule_binding import bare_values
from ..engine.shapes import written
from ..engine.sweep import sweep
from ..engine.tensor import Tensor
from ..errors import ResourceExhaustedError
from .tape_arguments import is_known, zeros

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..engine.annotations import Swept
    from ..engine.tensor import Array
    from ..engine.variable import Variable

_COPIES = 2
"""How often a large result is in memory when its blocks are joined."""

_INSTEAD = {
    "Jacobian": (
        "If samples do not interact, use tape.batch_jacobian; for products with vectors, "
        "tape.gradient with output_gradients, tf.jvp or tape.hvp; where most of it is zeros, "
        "tf.autodiff.sparse_jacobian."
    ),
    "Hessian": (
        "For products with vectors use tape.hvp; for its diagonal, tape.hessian_diagonal; where "
        "most of it is zeros, tf.autodiff.sparse_hessian."
    ),
    "batch Jacobian": "Ask for the samples in parts.",
    "batch Hessian": "Ask for the samples in parts.",
}
"""Alternatives to a derivative that does not fit into memory."""


def check_memory(
    what: str,
    rows: Sequence[Tensor | Variable],
    columns: Sequence[Tensor | Variable],
    samples: int = 1,
) -> None:
    """Refuse derivatives of all elements of some by all elements of others that cannot fit.

    With several ``samples`` those of one are derived by those of the same one.
    """
    height = sum(row._array.size for row in rows)
    bytes_of_row = sum(column._array.nbytes for column in columns)
    size = height * bytes_of_row // max(samples, 1)
    free = free_if_less(_COPIES * size, settings.jacobian_memory)
    if free is not None:
        shapes = " and ".join([written(row._array.shape) for row in rows[:3]])
        sources = " and ".join([written(column._array.shape) for column in columns[:3]])
        raise ResourceExhaustedError(
            f"The {what} of shape {shapes} by {sources} takes {in_gb(size)} GB, and as much again "
            f"while it is put together, but {in_gb(free)} GB of memory are free. {_INSTEAD[what]} "
            "(To try all the same, allow as much with tf.config.set_jacobian_memory.)"
        )


LIVE_AT_ONCE = 4
"""How many gradients as large as the largest value a sweep may hold at a time, by experience."""

_OVERHEAD = 32
"""How many rows take as long as recording a sweep does, about."""


def stacks(
    recorder: Recorder,
    target: Tensor | Variable,
    sources: Sequence[Tensor | Variable],
    *,
    keep: bool,
    block: int | None = None,
    batch: bool = False,
) -> Iterator[tuple[int, list[Any]]]:
    """The gradients of a block of the target's elements, stacked: a stack for each source, or None.

    With each comes the number of the block's first element. ``block`` is how many elements go at
    once; None leaves it to the bound on memory. With ``batch`` an element is one of each sample,
    and starts the gradients of all samples.
    """
    from ..progress import followed  # which most programs do not need

    shape, dtype = target._array.shape, target._array.dtype
    inner = shape[1:] if batch else shape
    size = int(np.prod(inner, dtype=np.int64))
    most = block or max(1, settings.jacobian_memory // bytes_at_once(recorder, [target, *sources]))
    wanted = {s._number for s in sources if is_known(s)}
    for start in followed(range(0, max(size, 1), most), "Jacobian"):
        count = min(start + most, size) - start
        seeds = np.eye(count, size, start, dtype)
        if batch:
            seeds = np.broadcast_to(seeds.reshape(count, 1, *inner), (count, *shape))
        else:
            seeds = seeds.reshape(count, *shape)
        last = start + most >= size
        found = sweep(recorder, [(target._number, seeds)], wanted, keep=keep or not last)
        gradients = [found.get(s._number) if is_known(s) else None for s in sources]
        yield start, [with_lead(d, s, count) for d, s in zip(gradients, sources, strict=True)]


def bytes_at_once(recorder: Recorder, values: Sequence[Any]) -> int:
    """The bytes that a sweep needs for each gradient in a stack, by the largest known value."""
    largest: int = max([1, *[value._array.nbytes for value in values]])
    for _, _, _, saved in recorder.records:
        for value in saved if type(saved) is tuple else (saved,):
            largest = max(largest, getattr(bare_values(value), "nbytes", 0))
    return LIVE_AT_ONCE * largest


def jacobian(
    recorder: Recorder,
    target: Tensor | Variable,
    sources: Sequence[Tensor | Variable],
    *,
    keep: bool,
    block: int | None = None,
    mode: str = "auto",
) -> list[Any]:
    """The derivative of every element of the target by every element of each source, or None.

    Gradients as the sweep has them, of shape ``target.shape + source.shape``. ``mode`` is "reverse"
    (by rows), "forward" (by columns), or "auto": the cheaper of both.
    """
    if not is_known(target):
        return [_identity(target) if s is target else None for s in sources]
    if by_columns(mode, recorder, target, sources):
        other, (start,), gradients = recorded_from_unknown(recorder, [target], sources, keep=keep)
        columns = [
            None
            if g is None
            else jacobian(other, g, [start], keep=True, block=block, mode="reverse")
            for g in gradients
        ]
        return [
            None if c is None or c[0] is None else _turned(c[0], target._array.ndim, s._array.ndim)
            for c, s in zip(columns, sources, strict=True)
        ]
    shape = target._array.shape
    found = joined(stacks(recorder, target, sources, keep=keep, block=block))
    return [
        None if d is None else Reshape(d, shape=shape + tuple(source._array.shape))
        for d, source in zip(found, sources, strict=True)
    ]


def batch_jacobian(
    recorder: Recorder,
    target: Tensor | Variable,
    source: Tensor | Variable,
    *,
    keep: bool,
    block: int | None = None,
    mode: str = "auto",
) -> Array | Tensor | None:
    """The derivative of ``target[i]`` by ``source[i]`` for each sample, or None.

    The samples must not interact: what one sample does to another is added in.
    """
    if not is_known(target):
        return None
    if by_columns(mode, recorder, target, [source]):
        other, (start,), (g,) = recorded_from_unknown(recorder, [target], [source], keep=keep)
        if g is None:
            return None
        columns = batch_jacobian(other, g, start, keep=True, block=block, mode="reverse")
        if columns is None:
            return None
        return _turned(columns, target._array.ndim - 1, source._array.ndim - 1)
    (stacked,) = joined(stacks(recorder, target, [source], keep=keep, block=block, batch=True))
    if stacked is None:
        return None
    rank = stacked.ndim
    by_sample = Transpose(stacked, perm=(1 - rank, -rank, *range(2 - rank, 0)))
    return Reshape(by_sample, shape=target._array.shape + source._array.shape[1:])


def by_columns(
    mode: str, recorder: Recorder, target: Tensor | Variable, sources: Sequence[Tensor | Variable]
) -> bool:
    """Whether a Jacobian is better computed by columns.

    Not where numbers are complex: there a derivative is more than its value in one direction. Nor
    where people wrote gradient functions: these need not be linear.
    """
    known = [s for s in sources if is_known(s)]
    if any(x._array.dtype.kind == "c" for x in (target, *known)):
        return False
    count = sum(s._array.size for s in known)
    cheaper = mode == "auto" and 2 * count + _OVERHEAD <= target._array.size
    return (cheaper or mode == "forward") and not any(
        [r[0].has_user_rule for r in recorder.records]
    )


def recorded_from_unknown(
    recorder: Recorder,
    targets: Sequence[Any],
    sources: Sequence[Tensor | Variable],
    *,
    keep: bool,
) -> tuple[Recorder, list[Tensor], list[Any]]:
    """The gradients of the sources as functions of those that the sweep starts from.

    A recorder, the starts as tensors that it watches, and the gradients as it knows them: tensors,
    or None where there is none or it does not depend on the starts.
    """
    starts, other = [zeros(t.shape, t.dtype) for t in targets], Recorder(watch_accessed=False)
    for start in starts:
        recorders.watch(start, other)
    seeds = [(t._number, start) for t, start in zip(targets, starts, strict=True) if is_known(t)]
    recorders.start(other)
    try:
        wanted = {s._number for s in sources if is_known(s)}
        found = sweep(recorder, seeds, wanted, keep=keep)
        gradients = [dense(found.get(s._number)) if is_known(s) else None for s in sources]
    finally:
        recorders.stop(other)
    known = [g if isinstance(g, Tensor) and is_known(g) else None for g in gradients]
    return other, starts, known


def _turned(columns: Array | Tensor, last: int, before: int) -> Tensor | Array:
    """The ``last`` axes, which are the target's, in front of the ones before, the source's."""
    perm = (*range(-last, 0), *range(-last - before, -last))
    return Transpose(columns, perm=perm)


def check_samples(
    recorder: Recorder, target: Tensor | Variable, source: Tensor | Variable, found: Array | Tensor
) -> None:
    """Refuse a batch Jacobian if a sample of the target depends on another one of the source.

    The gradients for random numbers, others for each sample, are then not the numbers times the
    Jacobian.
    """
    shape, jacobians = target._array.shape, bare_values(found)
    if not jacobians.size:
        return
    count, inner = len(jacobians), jacobians[0].size // source._array[0].size
    draw = np.random.default_rng(0).standard_normal
    numbers: Array = np.asarray(draw(shape), target._array.dtype)
    given = _by_samples(recorder, target, source, numbers)
    factors, matrices = numbers.reshape(count, 1, inner), jacobians.reshape(count, inner, -1)
    expected = (factors @ matrices)[:, 0]
    scale = (abs(factors) @ abs(matrices))[:, 0].max(initial=0) + abs(given).max(initial=0)
    if (abs(given - expected) <= np.sqrt(np.finfo(given.dtype).eps) * scale).all():
        return
    sample = _changing_others(recorder, target, source, numbers)
    if sample is not None:
        raise ValueError(
            f"tape.batch_jacobian: the samples interact. Sample {sample} of the source changes "
            "other samples of the target, as with batch normalization, a softmax or a mean over "
            "the batch. Use tape.jacobian, or compute what joins the samples outside of the tape."
        )


def _by_samples(
    recorder: Recorder, target: Tensor | Variable, source: Tensor | Variable, seed: Array
) -> Array:
    """The gradient of the source for a gradient of the target, with a row for each sample."""
    found = sweep(recorder, [(target._number, seed)], {source._number}, keep=True)
    rows: Array = bare_values(dense(found[source._number])).reshape(len(seed), -1)
    return rows


def _changing_others(
    recorder: Recorder, target: Tensor | Variable, source: Tensor | Variable, numbers: Array
) -> int | None:
    """A sample of the source on which other samples of the target depend, or None.

    A gradient that starts from zeros stays zero, even where all derivatives are rounding errors,
    so that their products say nothing. Any two samples differ in one digit of their places.
    """
    places = np.arange(len(numbers)).reshape(-1, *[1] * (numbers.ndim - 1))
    for digit in range(len(numbers).bit_length()):
        for value in (1, 0):
            started = (places >> digit & 1) == value
            given = abs(_by_samples(recorder, target, source, np.where(started, numbers, 0)))
            limit = np.sqrt(np.finfo(given.dtype).eps) * given.max(initial=0)
            changing = ~started.ravel() & (given > limit).any(axis=1)
            if changing.any():
                return int(np.argmax(changing))
    return None


def joined(blocks: Iterable[tuple[int, list[Any]]]) -> list[Any]:
    """For each source the stacks of all blocks as one."""
    return [
        parts[0] if len(parts) == 1 or parts[0] is None else _concatenated(parts)
        for parts in zip(*[stacks for _, stacks in blocks], strict=True)
    ]


def _concatenated(parts: Sequence[Array | Tensor]) -> Tensor:
    return ConcatV2(*parts, axis=-parts[0].ndim)


def with_lead(
    gradient: Swept | None, source: Tensor | Variable, count: int
) -> Array | Tensor | None:
    """A gradient with its leading axis, which one that is the same for all may lack."""
    d = dense(gradient)
    shape = tuple(source._array.shape)
    if d is None or d.ndim > len(shape):
        return d
    return BroadcastTo(d, shape=(count, *shape), rank=len(shape))


def _identity(target: Tensor | Variable) -> Array | None:
    """The Jacobian of a tensor by itself, where no tape knows it."""
    shape, dtype = target._array.shape, target._array.dtype
    if not is_differentiable(dtype):
        return None
    return np.eye(int(np.prod(shape, dtype=np.int64)), dtype=dtype).reshape(shape + shape)
