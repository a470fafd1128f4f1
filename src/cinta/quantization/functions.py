"""Numbers rounded to those that few bits can hold, which stay floats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import raw_ops
from ..engine.convert import as_tensor
from ..errors import InvalidArgumentError
from ..ops.arguments import axis_from_right, number
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor


@public("quantization.fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """The nearest of the evenly spaced numbers between two bounds that ``num_bits`` can tell apart.

    The bounds are moved a little, so that 0 is one of these numbers. The gradient within the
    bounds is that of the identity, and 0 outside.

    >>> import cinta as tf
    >>> quantize = tf.quantization.fake_quant_with_min_max_args
    >>> quantize([0.1, 0.4, 3.0], min=0, max=1, num_bits=2).numpy()
    array([0.        , 0.33333334, 1.        ], dtype=float32)

    Args:
        inputs: A tensor in float32.
        min: The lower bound.
        max: The upper bound.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether to leave out the lowest number, so that the others lie about a middle.

    Raises:
        InvalidArgumentError: If the bounds are not in order, or the bits too few or too many.
    """
    low, high = _bounds(min, max)
    found: Tensor = raw_ops.FakeQuantWithMinMaxArgs(
        inputs=inputs, min=low, max=high, num_bits=num_bits, narrow_range=narrow_range
    )
    return found


@public("quantization.fake_quant_with_min_max_args_gradient")
def fake_quant_with_min_max_args_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``fake_quant_with_min_max_args`` by its inputs.

    >>> import cinta as tf
    >>> tf.quantization.fake_quant_with_min_max_args_gradient([1.0, 1.0], [5.0, 7.0]).numpy()
    array([1., 0.], dtype=float32)

    Args:
        gradients: The gradient by its result.
        inputs: Its arguments, as this and the next ones.
        min: The lower bound.
        max: The upper bound.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether the lowest number is left out.
    """
    low, high = _bounds(min, max)
    found: Tensor = raw_ops.FakeQuantWithMinMaxArgsGradient(
        gradients=gradients,
        inputs=inputs,
        min=low,
        max=high,
        num_bits=num_bits,
        narrow_range=narrow_range,
    )
    return found


def _bounds(min: float, max: float) -> tuple[float, float]:
    low, high = number(min, "min"), number(max, "max")
    if low >= high:
        raise InvalidArgumentError(f"min has to be smaller than max, was: {low} >= {high}")
    return low, high


@public("quantization.fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """``fake_quant_with_min_max_args`` with bounds that are tensors.

    The gradient of numbers outside of a bound goes to that bound.

    >>> import cinta as tf
    >>> tf.quantization.fake_quant_with_min_max_vars([-2.0, 0.1], -1.0, 2.0, num_bits=2).numpy()
    array([-1.,  0.], dtype=float32)

    Args:
        inputs: A tensor in float32.
        min: The lower bound, a scalar.
        max: The upper bound, a scalar.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether to leave out the lowest number.
    """
    found: Tensor = raw_ops.FakeQuantWithMinMaxVars(
        inputs=inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range
    )
    return found


@public("quantization.fake_quant_with_min_max_vars_gradient")
def fake_quant_with_min_max_vars_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of ``fake_quant_with_min_max_vars`` by its inputs and bounds.

    >>> import cinta as tf
    >>> gradient = tf.quantization.fake_quant_with_min_max_vars_gradient
    >>> gradient([1.0, 1.0], [-2.0, 0.1], -1.0, 1.0, num_bits=3)[1].numpy()
    np.float32(1.0)

    Args:
        gradients: The gradient by its result.
        inputs: Its arguments, as this and the next ones.
        min: The lower bound, a scalar.
        max: The upper bound, a scalar.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether the lowest number is left out.
    """
    return raw_ops.FakeQuantWithMinMaxVarsGradient(
        gradients=gradients,
        inputs=inputs,
        min=min,
        max=max,
        num_bits=num_bits,
        narrow_range=narrow_range,
    )


@public("quantization.fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """``fake_quant_with_min_max_vars`` with bounds for each place along the last axis.

    >>> import cinta as tf
    >>> tf.quantization.fake_quant_with_min_max_vars_per_channel(
    ...     [[-2.0, 0.4]], [-1.0, 0.0], [0.0, 1.5], num_bits=2
    ... ).numpy()
    array([[-1. ,  0.5]], dtype=float32)

    Args:
        inputs: A tensor in float32.
        min: The lower bounds, a vector.
        max: The upper bounds, a vector.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether to leave out the lowest number.
    """
    found: Tensor = raw_ops.FakeQuantWithMinMaxVarsPerChannel(
        inputs=inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range
    )
    return found


@public("quantization.fake_quant_with_min_max_vars_per_channel_gradient")
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of ``fake_quant_with_min_max_vars_per_channel`` by its inputs and bounds.

    >>> import cinta as tf
    >>> tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient([[1.0, 1.0]],
    ...     [[-2.0, 0.4]], [-1.0, 0.0], [0.0, 1.5], num_bits=2
    ... )[1].numpy()
    array([1., 0.], dtype=float32)

    Args:
        gradients: The gradient by its result.
        inputs: Its arguments, as this and the next ones.
        min: The lower bounds, a vector.
        max: The upper bounds, a vector.
        num_bits: The number of bits, from 2 to 16.
        narrow_range: Whether the lowest number is left out.
    """
    return raw_ops.FakeQuantWithMinMaxVarsPerChannelGradient(
        gradients=gradients,
        inputs=inputs,
        min=min,
        max=max,
        num_bits=num_bits,
        narrow_range=narrow_range,
    )


@public("quantization.quantize_and_dequantize")
def quantize_and_dequantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """The nearest multiples of a step that is chosen so that ``num_bits`` can count them.

    The gradient is that of the identity.

    >>> import cinta as tf
    >>> tf.quantization.quantize_and_dequantize([0.3, 1.0], 0.0, 0.0, num_bits=3).numpy()
    array([0.33333334, 1.        ], dtype=float32)

    Args:
        input: A tensor of floats.
        input_min: The least number, if a range is given.
        input_max: The greatest number.
        signed_input: Whether one of the bits is for the sign.
        num_bits: The number of bits.
        range_given: Whether the range is given; else it is that of the numbers.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        narrow_range: Whether to leave out the lowest number.
        axis: An axis with a range for each place along it; None for one range.
    """
    found: Tensor = raw_ops.QuantizeAndDequantizeV2(
        input=input,
        input_min=input_min,
        input_max=input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        axis=_axis(input, axis),
    )
    return found


def _axis(input: TensorLike, axis: int | None) -> int:
    """The axis as raw ops take it, to which -1 means that there is none."""
    if axis is None:
        return -1
    rank = as_tensor(input).ndim
    return axis_from_right("QuantizeAndDequantize", axis, rank) + rank


@public("quantization.quantize_and_dequantize_v2")
def quantize_and_dequantize_v2(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """``quantize_and_dequantize`` with a gradient of 0 outside of the bounds.

    >>> import cinta as tf
    >>> tf.quantization.quantize_and_dequantize_v2([0.3, 1.0], 0.0, 0.0, num_bits=3).numpy()
    array([0.33333334, 1.        ], dtype=float32)

    Args:
        input: A tensor of floats.
        input_min: The least number, if a range is given.
        input_max: The greatest number.
        signed_input: Whether one of the bits is for the sign.
        num_bits: The number of bits.
        range_given: Whether the range is given; else it is that of the numbers.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        narrow_range: Whether to leave out the lowest number.
        axis: An axis with a range for each place along it; None for one range.
    """
    found: Tensor = raw_ops.QuantizeAndDequantizeV4(
        input=input,
        input_min=input_min,
        input_max=input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        axis=_axis(input, axis),
    )
    return found
