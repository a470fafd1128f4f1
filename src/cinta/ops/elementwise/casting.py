"""From one dtype to another, and tensors that are the same but for what flows back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.primitives import Cast, Convert, Identity, StopGradient
from ...engine.sparse_tensor import PLACED
from ...engine.tensor import Tensor, unwatched
from ...engine.variable_storage import VariableStorage
from ...errors import InvalidArgumentError, UnimplementedError
from ...public import public
from ..arguments import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, DTypeLike, TensorLike
    from ...engine.sparse_tensor import WithValues
    from ...engine.tensor import Array


@op("Bitcast")
def Bitcast(xp: ArrayModule, input: Array, *, type: np.dtype[Any]) -> Array:
    """The same bytes read as another dtype."""
    size, wanted = input.dtype.itemsize, type.itemsize
    array = xp.asarray(input)
    if size == wanted:
        return array.view(type)[()]
    if size > wanted:
        return array.reshape(*array.shape, 1).view(type)
    return array.view(type)[..., 0]


@overload
def identity(  # type: ignore[overload-overlap]
    input: WithValues, name: str | None = None
) -> WithValues: ...
@overload
def identity(input: TensorLike, name: str | None = None) -> Tensor: ...
@public("identity")
def identity(input: TensorLike, name: str | None = None) -> object:
    """The same values as a tensor of its own, through which gradients flow.

    >>> import cinta as tf
    >>> tf.identity([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)

    Args:
        input: A tensor, a variable, or a composite such as a ragged tensor.
    """
    if isinstance(input, PLACED):
        return input.with_values(identity(input.values))
    return Identity(as_tensor(input))


@public("identity_n")
def identity_n(input: Sequence[TensorLike], name: str | None = None) -> list[Any]:
    """The same values as tensors of their own, for a list of tensors.

    >>> import cinta as tf
    >>> [x.numpy() for x in tf.identity_n([1.0, 2])]
    [np.float32(1.0), np.int32(2)]

    Args:
        input: A list of tensors.
    """
    return [identity(x) for x in listed(input, "input")]


@overload
def stop_gradient(  # type: ignore[overload-overlap]
    input: WithValues, name: str | None = None
) -> WithValues: ...
@overload
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor: ...
@public("stop_gradient")
def stop_gradient(input: TensorLike, name: str | None = None) -> object:
    """The same values as a constant: no gradient flows back through it.

    >>> import cinta as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.stop_gradient(x) * x
    >>> tape.gradient(y, x).numpy()
    np.float32(3.0)

    Args:
        input: A tensor, dense or sparse, or ``tf.IndexedSlices``.
    """
    if isinstance(input, PLACED):
        return input.with_values(stop_gradient(input.values))
    if isinstance(input, VariableStorage):  # no tape notices that its value is read
        return StopGradient(input._unwatched())
    return StopGradient(unwatched(as_tensor(input)))


@overload
def cast(  # type: ignore[overload-overlap]
    x: WithValues, dtype: DTypeLike, name: str | None = None
) -> WithValues: ...
@overload
def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor: ...
@public("cast")
def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> object:
    """Convert a tensor to another dtype.

    Floats lose what is behind the point when they become ints, integers that do not fit wrap
    around, and complex numbers lose their imaginary part. Gradients flow between floating and
    complex dtypes alone.

    >>> import cinta as tf
    >>> tf.cast([1.8, -2.2], tf.int32).numpy()
    array([ 1, -2], dtype=int32)

    Args:
        x: A tensor, a sparse or ragged one, or ``tf.IndexedSlices``.
        dtype: The dtype to convert to.

    Raises:
        tf.errors.UnimplementedError: If numbers are to become strings, or strings numbers: see
            ``tf.as_string`` and ``tf.strings.to_number``.
    """
    wanted = dtypes.as_dtype(dtype).dtype
    if isinstance(x, PLACED):
        return x.with_values(cast(x.values, dtype))
    tensor = as_tensor(x)
    given = tensor._array.dtype
    if given == wanted:
        return tensor
    if "O" in (given.kind, wanted.kind):
        names = dtypes.of(given).name, dtypes.of(wanted).name
        raise UnimplementedError(
            f"Cast {names[0]} to {names[1]} is not supported: use tf.strings.to_number or "
            "tf.strings.as_string [Op:Cast]"
        )
    flows = dtypes.is_differentiable(given) and dtypes.is_differentiable(wanted)
    return (Cast if flows else Convert)(tensor, dtype=wanted)


@public("bitcast")
def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """Read the bytes of a tensor as another dtype.

    A larger dtype takes the last axis together, a smaller one adds an axis.

    >>> import cinta as tf
    >>> tf.bitcast(1.0, tf.int32).numpy()
    np.int32(1065353216)

    Args:
        input: A tensor of numbers.
        type: The dtype to read its bytes as.

    Raises:
        InvalidArgumentError: If the last axis does not make up whole elements of that dtype.
    """
    x, wanted = as_tensor(input), dtypes.as_dtype(type)
    for each in (x.dtype, wanted):
        if not (each.is_numeric or each.is_quantized):
            raise InvalidArgumentError(
                f"Value for attr 'T' of {each.name} is not in the list of allowed values: "
                "tf.bitcast takes and gives numbers [Op:Bitcast]"
            )
    per = wanted.dtype.itemsize // x._array.dtype.itemsize
    if per > 1 and (not x.ndim or x._array.shape[-1] != per):
        raise InvalidArgumentError(
            f"Cannot bitcast from {x.dtype.name} to {wanted.name}: the last axis must have length "
            f"{per}, but the shape is {x.shape} [Op:Bitcast]"
        )
    return Bitcast(x, type=wanted.dtype)
