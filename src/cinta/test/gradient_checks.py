"""Jacobians by tapes and by finite differences, for tests that compare the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..derivatives.tape import GradientTape
from ..engine.convert import as_tensor
from ..engine.tensor import Tensor, wrap
from ..ops.arguments import number
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import TensorLike

Array: TypeAlias = "np.ndarray[Any, Any]"

_STEP = 1 / 1024
"""A step that binary fractions hold exactly, so that x + step loses no digit of the step."""


@public("test.compute_gradient")
def compute_gradient(
    f: Callable[..., Any], x: Sequence[TensorLike], delta: float | None = None
) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """The Jacobians of ``f`` by each of its arguments: as tapes say, and by finite differences.

    Each has a row for each element of the result and a column for each of the argument. A complex
    element has two, for its real and its imaginary part.

    >>> import cinta as tf
    >>> by_tape, by_differences = tf.test.compute_gradient(tf.square, [tf.constant([1.0, 2.0])])
    >>> by_tape[0]
    array([[2., 0.],
           [0., 4.]], dtype=float32)

    Args:
        f: A function of tensors.
        x: A list of its arguments.
        delta: The step of the differences; None for 1/1024.

    Raises:
        ValueError: If the arguments are not in a list.
        AssertionError: If one of them is neither of floats nor complex.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x)}"
        )
    inputs = [as_tensor(each) for each in x]
    for position, each in enumerate(inputs):
        if not (each.dtype.is_floating or each.dtype.is_complex):
            raise AssertionError(
                f"Cannot compute gradient for unsupported type {each.dtype.name} of argument "
                f"{position}"
            )
    step = _STEP if delta is None else number(delta, "delta")
    places = range(len(inputs))
    return (
        tuple(_by_tape(f, inputs, place) for place in places),
        tuple(_by_differences(f, inputs, place, step) for place in places),
    )


def _by_tape(f: Callable[..., Any], inputs: list[Tensor], place: int) -> Array:
    """A row for each part of each element of the result: the gradient of that."""
    x = inputs[place]
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = as_tensor(f(*inputs))
    rows = []
    for part in _parts_one_by_one(y.numpy()):
        gradient = tape.gradient(y, x, output_gradients=part)
        row = np.zeros_like(x.numpy()) if gradient is None else as_tensor(gradient).numpy()
        rows.append(_parts(row))
    return np.array(rows).reshape(len(rows), _parts(x.numpy()).size)


def _by_differences(f: Callable[..., Any], inputs: list[Tensor], place: int, step: float) -> Array:
    """A column for each part of each element of the argument: how the result moves with it."""
    x = inputs[place].numpy()
    columns = []
    for part in _parts_one_by_one(x):
        ahead, behind = (
            f(*inputs[:place], wrap((x + sign * step * part).astype(x.dtype)), *inputs[place + 1 :])
            for sign in (1, -1)
        )
        columns.append(_parts((ahead - behind).numpy()) / (2 * step))
    rows = _parts(f(*inputs).numpy()).size
    return np.array(columns, dtype=_parts(x).dtype).reshape(len(columns), rows).T


def _parts(values: Any) -> Array:
    """All elements in a row, complex ones as two real numbers."""
    flat = np.ascontiguousarray(values).reshape(-1)
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _parts_one_by_one(values: object) -> list[Array]:
    """For each part of each element, an array where this part is 1 and all others are 0."""
    array = np.asarray(values)
    found = []
    for place in range(_parts(array).size):
        zeros = np.zeros_like(array)
        _parts(zeros)[place] = 1
        found.append(zeros)
    return found
