"""Broadcasting, its inverse, and the plans that undo broadcasts backwards by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .gradient_plan import WrappedPlan
from .halves import converted
from .operation import Op
from .rule_binding import shape_of
from .summing import summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .annotations import ArrayModule, Numbers
    from .recorders import Recorder
    from .rule_binding import Getter, Pull
    from .shapes import Shape
    from .tensor import Array, Tensor


def lead(g: Tensor | Array, rank: int) -> Shape:
    """The lengths of the axes in front of the ``rank`` last ones."""
    shape = tuple(g.shape)
    return shape[: len(shape) - rank]


def _sum_to(xp: ArrayModule, x: Array, *, shape: Shape, rank: int) -> Array:
    """Sum over the axes along which an operand of this shape was broadcast to the given rank.

    Axes in front of the ``rank`` last ones are kept, by the law of leading axes.
    """
    if x.shape == shape:
        return x
    front = lead(x, rank)
    padded = (1,) * (rank - len(shape)) + shape
    axes = tuple([i - rank for i, n in enumerate(padded) if n == 1 != x.shape[len(front) + i]])
    if axes:
        x = converted(summed(xp, x, axes, True), x.dtype)
    return xp.reshape(x, front + shape)


def _broadcast_to(xp: ArrayModule, x: Array, *, shape: Shape, rank: int) -> Array:
    """Broadcast the last ``rank`` axes to a shape; the axes in front of them are kept."""
    front = lead(x, rank)
    ones = (1,) * (len(shape) - rank)
    return xp.broadcast_to(xp.reshape(x, front + ones + x.shape[len(front) :]), front + shape)


SumTo = Op("SumTo", _sum_to, linear=True, rowwise=True)
BroadcastTo = Op("BroadcastTo", _broadcast_to, moves=True, rowwise=True)

SumTo.grads(
    x=lambda g, x_shape, shape, rank: BroadcastTo(
        g, shape=x_shape[len(x_shape) - rank :], rank=len(shape)
    )
)
BroadcastTo.grads(
    x=lambda g, x_shape, shape, rank: SumTo(
        g, shape=x_shape[len(x_shape) - rank :], rank=len(shape)
    )
)


class Broadcasting(WrappedPlan):
    """For inputs that were broadcast: sums their gradients down to their own shapes."""

    __slots__ = ()

    def keeping(self, keep: Getter) -> Getter:
        def kept(
            inputs: Sequence[Any], out: Tensor, attrs: dict[str, Any]
        ) -> tuple[object, tuple[Shape, ...], int]:
            shapes = tuple([shape_of(inputs[i]) for i in self.tracked])
            return keep(inputs, out, attrs), shapes, len(shape_of(out))

        return kept

    def restore_tensors(
        self,
        saved: tuple[Any, tuple[Shape, ...], int],
        inputs: Numbers,
        output: int,
        recorder: Recorder,
    ) -> tuple[object, ...]:
        return (self.base.restore_tensors(saved[0], inputs, output, recorder), *saved[1:])

    def around(self, pull: Pull) -> Pull:
        if len(self.tracked) == 1:
            return lambda g, saved: SumTo(pull(g, saved[0]), shape=saved[1][0], rank=saved[2])

        def pull_all(
            g: Array, saved: tuple[Any, tuple[Shape, ...], int], wanted: Sequence[bool] | None
        ) -> list[Any]:
            kept, shapes, rank = saved
            return [
                d if d is None else SumTo(d, shape=shape, rank=rank)
                for d, shape in zip(pull(g, kept, wanted), shapes, strict=True)
            ]

        return pull_all
