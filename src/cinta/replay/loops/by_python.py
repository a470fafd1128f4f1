"""The gradients of a function on a tape that hears of each of its ops, as Python gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dtypes import is_differentiable
from ...engine import recorders
from ...engine.primitives import Identity
from ...engine.recorders import Recorder, active
from ...engine.sweep import sweep
from ...engine.tensor import Tensor, as_wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def as_if_by_python(
    run: Callable[[Sequence[Tensor]], Sequence[Any]],
    arrived: dict[int, Any],
    wanted: Sequence[bool],
    values: Sequence[Any],
) -> list[Any]:
    """The gradients of a function's inputs on a tape that hears of each of its ops."""
    tape = Recorder(watch_accessed=False)
    tensors = [Identity(as_wrapped(x)) for x in values]
    with recorders.following(tape):
        for tensor, want in zip(tensors, wanted, strict=True):
            if want and is_differentiable(tensor._array.dtype):
                recorders.watch(tensor, tape)
        finals = run(tensors)
        seeds = [
            (finals[k]._number, g)
            for k, g in arrived.items()
            if isinstance(finals[k], Tensor) and tape in active(finals[k]._recorder)
        ]
    found = sweep(tape, seeds, {*tape.leaves}, keep=False)
    return [found.get(getattr(tensor, "_number", 0)) for tensor in tensors]
