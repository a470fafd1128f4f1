"""Keras's layer, group and RMS normalization as one op each.

Keras's own formulas stay for what is not floating, for weights that make the result larger than
the inputs, and for deprecated options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta

from ..engine.convert import as_tensor
from ..engine.summing import accumulator
from ..ops.arguments import axes_from_right
from ..ops.nn.layer_norm import layer_norm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import TensorLike
    from ..engine.shapes import Shape
    from ..engine.summing import Axes
    from ..engine.tensor import Tensor


def fused_functions(module: Any) -> None:
    """``layer_normalization`` and ``rms_normalization`` of Keras's functions for networks."""
    by_layer, by_square = module._layer_normalization, module._rms_normalization
    tensor_of, usual_epsilon = module.backend.convert_to_tensor, module.backend.epsilon

    def layer_normalization(
        x: TensorLike,
        gamma: TensorLike | None = None,
        beta: TensorLike | None = None,
        axis: int | Sequence[int] = -1,
        epsilon: float | None = None,
        rms_scaling: bool = False,
    ) -> Tensor:
        inputs = as_tensor(tensor_of(x))
        if not rms_scaling and _fits(inputs):
            axes = axes_from_right("Mean", axis, inputs.ndim)
            weights = [_along(axes, _weight(each, inputs), inputs) for each in (gamma, beta)]
            chosen = usual_epsilon() if epsilon is None else epsilon
            if _are_broadcast(weights, inputs):
                return _normalized(inputs, weights, axes, chosen, centered=True)
        plain: Tensor = by_layer(x, gamma, beta, axis, epsilon, rms_scaling)
        return plain

    def rms_normalization(
        x: TensorLike,
        scale: TensorLike | None = None,
        axis: int | Sequence[int] = -1,
        epsilon: float | None = None,
    ) -> Tensor:
        inputs = as_tensor(tensor_of(x))
        if _fits(inputs):
            axes = axes_from_right("Mean", axis, inputs.ndim)
            weights = [_weight(scale, inputs), None]
            chosen = usual_epsilon() if epsilon is None else epsilon
            if _are_broadcast(weights, inputs):
                return _normalized(inputs, weights, axes, chosen, centered=False)
        plain: Tensor = by_square(x, scale, axis, epsilon)
        return plain

    module._layer_normalization, module._rms_normalization = layer_normalization, rms_normalization


def fused_groups(layer: Any) -> None:
    """``GroupNormalization``, whose groups stand on an axis of their own."""

    def normalized(self: Any, inputs: Tensor, input_shape: Shape) -> Tensor:
        shape = self._create_broadcast_shape(input_shape)
        while shape[:1] == [1]:
            shape.pop(0)

        def placed(weight: TensorLike) -> Tensor:
            return cinta.reshape(cinta.cast(weight, _wide(inputs)), shape)

        weights = [
            placed(self.gamma) if self.scale else None,
            placed(self.beta) if self.center else None,
        ]
        axes = [*range(1 - inputs.ndim, 0)]
        axes.pop(-2 if self.axis == -1 else self.axis - 1)
        return _normalized(inputs, weights, tuple(axes), self.epsilon, centered=True)

    layer._apply_normalization = normalized


def _fits(x: Tensor) -> bool:
    return x.dtype.is_floating and x.ndim > 0


def _weight(value: TensorLike | None, x: Tensor) -> Tensor | None:
    """A weight in the dtype in which x is normalized."""
    if value is None:
        return None
    weight = as_tensor(value)
    return weight if weight._array.dtype == _wide(x) else cinta.cast(weight, _wide(x))


def _wide(x: Tensor) -> np.dtype[Any]:
    return accumulator(x._array.dtype)


def _shape(x: Tensor) -> Shape:
    shape: Shape = x._array.shape
    return shape


def _spread(weight: Tensor, shape: Shape) -> Tensor:
    return weight if _shape(weight) == shape else cinta.broadcast_to(weight, shape)


def _along(axes: Axes, weight: Tensor | None, x: Tensor) -> Tensor | None:
    """A weight for each place on the axes, as it broadcasts to x."""
    if weight is None or weight.ndim == x.ndim or axes == (-1,):
        return weight
    return cinta.reshape(weight, [x.shape[i] if i in axes else 1 for i in range(axes[0], 0)])


def _are_broadcast(weights: Sequence[Tensor | None], x: Tensor) -> bool:
    """Whether a product with these weights has the shape of x."""
    shapes = [_shape(each) for each in weights if each is not None]
    if all([_shape(x)[-len(shape) :] == shape for shape in shapes]):
        return True
    try:
        return np.broadcast_shapes(_shape(x), *shapes) == _shape(x)
    except ValueError:
        return False


def _normalized(
    x: Tensor, weights: Sequence[Tensor | None], axes: Axes, epsilon: float, *, centered: bool
) -> Tensor:
    """One op, with weights of one shape."""
    shapes = {_shape(each) for each in weights if each is not None} or {_shape(x)[-1:]}
    shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    scale, offset = (
        make(shape, _wide(x)) if each is None else _spread(each, shape)
        for each, make in zip(weights, (cinta.ones, cinta.zeros), strict=True)
    )
    return layer_norm(x, scale, offset, axis=axes, epsilon=float(epsilon), centered=centered)
