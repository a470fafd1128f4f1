"""Gradient functions that users write: called with gradients of the sweep, which have another form.

In the sweep a gradient is an array, a tensor or ``GradientRows``, may have leading axes, and is not
conjugated. A user's function takes and returns tensors without leading axes, conjugated as
TensorFlow does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..engine import recorders
from ..engine.convert import as_tensor, is_tensor
from ..engine.indexed_slices import GradientRows, IndexedSlices, dense, rows_of
from ..engine.primitives import BroadcastTo, Conj, Pack
from ..engine.shapes import written
from ..engine.tensor import Tensor, as_wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import Gradient, Swept
    from ..engine.shapes import Shape
    from ..engine.tensor import Array


def call_rule(
    function: Callable[..., Sequence[Any]],
    g: Sequence[Any],
    out_shapes: Sequence[Shape],
    shapes: Sequence[Shape],
    dtypes: Sequence[Any],
) -> list[Any]:
    """The return value of a user's gradient function: a gradient or None for each input.

    Such a function does not know of leading axes. It runs once for all gradients of a batch, with
    each op called on all of them; or once for each, if it looks at values that differ.
    """

    def of_one(*upstream: Swept) -> list[Any]:
        answer = function(*[for_user(each) for each in upstream])
        return [for_sweep(d, s, t) for d, s, t in zip(answer, shapes, dtypes, strict=True)]

    extra = [_rank(each) > len(shape) for each, shape in zip(g, out_shapes, strict=True)]
    if not any(extra):
        return of_one(*g)
    batch: list[Any] = [dense(each) for each in g]
    count = len(batch[extra.index(True)])
    if count > 1:
        found = _at_once(of_one, batch, extra, count)
        if found is not None:
            return found
    rows = [
        [x[i] if more else x for x, more in zip(batch, extra, strict=True)] for i in range(count)
    ]
    answers = [of_one(*row) for row in rows]
    columns = zip(*answers, strict=True) if answers else [()] * len(shapes)
    return [_stacked(*each) for each in zip(columns, shapes, dtypes, strict=True)]


def _at_once(
    function: Callable[..., list[Any]], batch: Sequence[Any], extra: Sequence[bool], count: int
) -> list[Any] | None:
    """The answers for all rows of a batch by one call; None if they must be asked one by one."""
    from ..ops.control.vectorizing import GivenUp, vectorized  # which most programs do not need
    from ..ops.random.state import seeds

    stacks = [as_wrapped(x) for x, more in zip(batch, extra, strict=True) if more]

    def of_rows(rows: list[Tensor]) -> list[Any]:
        given = iter(rows)
        return [
            dense(d)
            for d in function(*[next(given) if m else x for x, m in zip(batch, extra, strict=True)])
        ]

    before = seeds.snapshot()
    try:
        found = vectorized(of_rows, list(stacks), stacks, count)
    except GivenUp:
        seeds.rewind(before)
        return None
    return [None if d is None else _bare(d) for d in found]


def _rank(g: Swept) -> int:
    return np.ndim(g.pieces[0][0] if isinstance(g, GradientRows) else g)


def _stacked(gradients: Sequence[Any], shape: Shape, dtype: np.dtype[Any]) -> Array | Tensor | None:
    """The gradients of one input, for each gradient of a batch, as one."""
    if not gradients:
        return np.zeros((0, *shape), dtype)
    if all(d is None for d in gradients):
        return None
    rows = [dense(d) for d in gradients]
    rows = [np.zeros(shape, dtype) if d is None else d for d in rows]
    return Pack(*rows, axis=0)


def for_user(g: Swept) -> Gradient:
    """A gradient of the sweep in the form that users get."""
    if isinstance(g, GradientRows):
        return conjugate(g).joined()
    return conjugate(as_wrapped(g))


def for_sweep(d: Gradient | None, shape: Shape, dtype: np.dtype[Any]) -> Swept | None:
    """A gradient from a user's function, in the form that the sweep carries."""
    if d is None:
        return None
    if isinstance(d, IndexedSlices):
        return conjugate(rows_of(d, shape))
    tensor = as_tensor(d, None if is_tensor(d) else dtype)
    given = tensor._array.shape
    if given != shape:
        if given != ():
            raise ValueError(
                f"a gradient function returned a gradient of shape {list(given)} for an input of "
                f"shape {written(shape)}; they must be the same."
            )
        tensor = BroadcastTo(tensor, shape=shape, rank=0)
    tensor = conjugate(tensor)
    return _bare(tensor)


def _bare(tensor: Tensor) -> Tensor | Array:
    """A tensor as the sweep carries it: bare if nobody records it."""
    return tensor if recorders.active(tensor._recorder) else tensor._array


@overload
def conjugate(value: Tensor) -> Tensor: ...
@overload
def conjugate(value: GradientRows) -> GradientRows: ...
@overload
def conjugate(value: Array) -> Array: ...
def conjugate(value: Swept) -> Swept:
    """Change between the sweep's complex convention and TensorFlow's; reals are the same in both.

    Rules are plain transposes, without a conjugate anywhere, which is right for the conjugate of
    TensorFlow's gradient.
    """
    if type(value) is GradientRows:
        return value.mapped(conjugate)
    array = value._array if type(value) is Tensor else value
    return Conj(value) if array.dtype.kind == "c" else value
