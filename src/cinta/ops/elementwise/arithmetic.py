"""Arithmetic: sums, products, powers, extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, check_same, is_tensor, kept, match
from ...engine.dtype_kinds import NUMERIC, REAL, SIGNED, refused_dtype
from ...engine.fast_calls import binary, matched, unary
from ...engine.indexed_slices import IndexedSlices
from ...engine.op import elementwise, op
from ...engine.primitives import Add, Conj, Identity, Mul, Neg, Square, Sub
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import listed
from ..arrays.selecting import Masked
from .comparison import GreaterEqual, LessEqual, LogicalNot
from .guarded import MulNoNan

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, Gradient, NumericLike, PartialShape
    from ...engine.tensor import Array, Tensor

Maximum = elementwise("Maximum", "maximum")
Minimum = elementwise("Minimum", "minimum")


# Of two equal numbers the first counts as the greater, and as the lesser; NaN makes it the second.
Maximum.grads(
    x=lambda g, x, y: Masked(g, GreaterEqual(x, y)),
    y=lambda g, x, y: Masked(g, LogicalNot(GreaterEqual(x, y))),
)
Minimum.grads(
    x=lambda g, x, y: Masked(g, LessEqual(x, y)),
    y=lambda g, x, y: Masked(g, LogicalNot(LessEqual(x, y))),
)


@op("Add", broadcasts=True)
def JoinStrings(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The sum of strings, for which TensorFlow kept the older name."""
    return np.asarray(x + y, dtype=object)


JoinStrings.no_grad()


@op("SquaredDifference", broadcasts=True)
def SquaredDifference(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The square of the difference."""
    difference = x - y
    result: Array = difference * difference
    return result


SquaredDifference.grads(x=lambda g, x, y: g * (2 * (x - y)), y=lambda g, x, y: g * (2 * (y - x)))


@op("AddN", elementwise=True, linear=True)
def AddN(xp: ArrayModule, *inputs: Array) -> Array:
    """The sum of tensors of one shape."""
    total = inputs[0]
    for term in inputs[1:]:
        total = total + term
    return total


AddN.pullback(lambda g, wanted: tuple([g if want else None for want in wanted]))
AddN.takes_rows = True


def natural_match(op: str, x: object, y: NumericLike) -> tuple[Tensor, Tensor]:
    """The operands of a sum: in TensorFlow each non-tensor tries its own dtype as well."""
    left = as_tensor(x)
    try:
        right = as_tensor(y, None if is_tensor(y) else left._array.dtype)
    except TypeError:
        right = as_tensor(y)
    check_same(op, left, right)
    return left, right


multiply = public("math.multiply", "multiply")(
    binary(
        Mul,
        "multiply",
        """Product of two tensors, elementwise; the same as ``x * y``.

    >>> import cinta as tf
    >>> tf.multiply([1.0, 2.0], 3.0).numpy()
    array([3., 6.], dtype=float32)
    """,
    )
)
add = public("add", "math.add")(
    binary(
        Add,
        "add",
        """Sum of two tensors, elementwise; the same as ``x + y``. Strings are joined.

    >>> import cinta as tf
    >>> tf.add([1.0, 2.0], 3.0).numpy()
    array([4., 5.], dtype=float32)
    """,
        match=natural_match,
        strings=JoinStrings,
    )
)
subtract = public("math.subtract", "subtract")(
    binary(
        Sub,
        "subtract",
        """Difference of two tensors, elementwise; the same as ``x - y``.

    >>> import cinta as tf
    >>> tf.subtract([1.0, 2.0], 3.0).numpy()
    array([-2., -1.], dtype=float32)
    """,
    )
)
negative = public("math.negative", "negative")(
    unary(
        Neg,
        "negative",
        """The tensor with its sign changed; the same as ``-x``.

    >>> import cinta as tf
    >>> tf.negative([1.0, -2.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """,
        SIGNED,
    )
)
square = public("math.square", "square")(
    unary(
        Square,
        "square",
        """The square of every element; the same as ``x * x``.

    >>> import cinta as tf
    >>> tf.square([2.0, -3.0]).numpy()
    array([4., 9.], dtype=float32)
    """,
        NUMERIC,
    )
)
maximum = public("math.maximum", "maximum")(
    binary(
        Maximum,
        "maximum",
        """The greater of two elements; where they are equal, the gradient goes to the first.

    >>> import cinta as tf
    >>> tf.maximum([-1.0, 2.0], 0.0).numpy()
    array([0., 2.], dtype=float32)
    """,
        REAL,
    )
)
minimum = public("math.minimum", "minimum")(
    binary(
        Minimum,
        "minimum",
        """The lesser of two elements; where they are equal, the gradient goes to the first.

    >>> import cinta as tf
    >>> tf.minimum([-1.0, 2.0], 0.0).numpy()
    array([-1.,  0.], dtype=float32)
    """,
        REAL,
    )
)
_squared_difference = binary(SquaredDifference, "squared_difference", "")


@public("math.squared_difference")
def squared_difference(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """The square of the difference; of complex numbers, of its absolute value.

    >>> import cinta as tf
    >>> tf.math.squared_difference([1.0, 5.0], 3.0).numpy()
    array([4., 4.], dtype=float32)

    Args:
        x: A tensor of numbers.
        y: Another, of the same dtype; the shapes are broadcast.
    """
    x, y = match("SquaredDifference", x, y)
    if x.dtype.is_complex:
        difference = subtract(x, y)
        return multiply(Conj(difference), difference)
    return _squared_difference(x, y)


@public("math.multiply_no_nan")
def multiply_no_nan(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """The product of two tensors, and 0 where y is 0 even if x is infinite or NaN there.

    >>> import cinta as tf
    >>> tf.math.multiply_no_nan([2.0, float("inf")], [3.0, 0.0]).numpy()
    array([6., 0.], dtype=float32)
    """
    return matched(MulNoNan, kept(x), y)


@overload
def scalar_mul(  # type: ignore[overload-overlap]
    scalar: NumericLike, x: IndexedSlices, name: str | None = None
) -> IndexedSlices: ...
@overload
def scalar_mul(scalar: NumericLike, x: NumericLike, name: str | None = None) -> Tensor: ...
@public("math.scalar_mul", "scalar_mul")
def scalar_mul(scalar: NumericLike, x: NumericLike, name: str | None = None) -> Gradient:
    """A tensor times a number.

    >>> import cinta as tf
    >>> tf.math.scalar_mul(3.0, [1.0, 2.0]).numpy()
    array([3., 6.], dtype=float32)

    Args:
        scalar: A number, or a tensor that is a single one.
        x: A tensor, or ``tf.IndexedSlices``.

    Raises:
        ValueError: If ``scalar`` has axes.
    """
    if isinstance(x, IndexedSlices):
        return x.with_values(scalar_mul(scalar, x.values))
    tensor = as_tensor(x)
    factor = as_tensor(scalar, tensor._array.dtype)
    if factor.ndim:
        raise ValueError(
            f"The input scalar must be a 0-D value. Received shape {factor.shape}: use "
            "tf.multiply for tensors of other shapes."
        )
    return multiply(factor, tensor)


@public("add_n", "math.add_n")
def add_n(inputs: NumericLike, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype.

    >>> import cinta as tf
    >>> tf.add_n([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).numpy()
    array([ 9., 12.], dtype=float32)

    Args:
        inputs: A list of tensors, or of ``tf.IndexedSlices``.

    Raises:
        ValueError: If there are none.
        InvalidArgumentError: If the dtypes or the shapes differ.
    """
    terms = [as_tensor(term) for term in listed(inputs, "inputs")]
    if not terms:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype "
            f"and shape. Received: {inputs}"
        )
    check_same("AddN", *terms)
    if terms[0]._array.dtype.kind not in NUMERIC:
        raise refused_dtype("AddN", terms[0], NUMERIC)
    for position, term in enumerate(terms):
        if term._array.shape != terms[0]._array.shape:
            raise InvalidArgumentError(
                f"Inputs to operation AddN must have the same size and shape. Input 0: "
                f"{terms[0].shape} != input {position}: {term.shape} [Op:AddN]"
            )
    return AddN(*terms) if len(terms) > 1 else Identity(terms[0])


@public("math.accumulate_n")
def accumulate_n(
    inputs: NumericLike,
    shape: PartialShape = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The sum of a list of tensors of one shape and dtype; the same as ``tf.add_n``.

    >>> import cinta as tf
    >>> tf.math.accumulate_n([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([4., 6.], dtype=float32)

    Args:
        inputs: A list of tensors.
        shape: The shape of all of them, which is checked if it is given.
        tensor_dtype: The dtype of all of them; None for that of the first.

    Raises:
        ValueError: If the list is empty, or a dtype is another.
        InvalidArgumentError: If the shapes differ.
    """
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(
            "inputs must be a list of at least one Tensor with the same dtype and shape"
        )
    terms = [as_tensor(term) for term in inputs]
    wanted = terms[0].dtype if tensor_dtype is None else dtypes.as_dtype(tensor_dtype)
    if {term.dtype for term in terms} != {wanted}:
        raise ValueError(
            "inputs must be a list of at least one Tensor with the same dtype and shape"
        )
    for term in terms:
        term.set_shape(shape)
    return add_n(terms)


@public("math.polyval")
def polyval(coeffs: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """A polynomial at x; its coefficients are listed from the highest power to the constant.

    >>> import cinta as tf
    >>> tf.math.polyval([1.0, 0.0, -2.0], [3.0, 4.0]).numpy()
    array([ 7., 14.], dtype=float32)

    Args:
        coeffs: A list of numbers or tensors, the highest power first; an empty one gives 0.
        x: Where to evaluate it.

    Raises:
        ValueError: If ``coeffs`` is not a list.
    """
    if not isinstance(coeffs, list):
        raise ValueError(
            f"Argument coeffs must be list type. Received type {type(coeffs).__name__}."
        )
    at = as_tensor(x)
    if not coeffs:
        return subtract(at, at)
    total = as_tensor(coeffs[0], None if is_tensor(coeffs[0]) else at._array.dtype)
    for coefficient in coeffs[1:]:
        total = total * at + coefficient
    return total
