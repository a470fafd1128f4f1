"""Activations: the functions between the layers of a network."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...engine.c_kernels import accelerate
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import ZerosLike
from ...public import public
from ..arguments import flag, number, tensor_of
from ..arrays.joining import concat
from ..choosing import between, chosen, negative, positive
from ..elementwise.casting import cast
from ..elementwise.guarded import MulNoNan
from ..elementwise.unary import Abs, Exp, Sigmoid, SigmoidSlope, Tanh, sigmoid
from .normal import Gelu

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor

SELU_SCALE = 1.0507009873554805  # Klambauer and others, "Self-normalizing networks" (2017)
SELU_LIMIT = 1.7580993408473766  # the scale times alpha: minus what selu tends to on the left


# -- rectifiers --------------------------------------------------------------------------------


@op("Relu", elementwise=True)
def Relu(xp: ArrayModule, features: Array) -> Array:
    """max(x, 0)."""
    return positive(xp, features)


@op("ReluGrad", broadcasts=True)
def ReluGrad(xp: ArrayModule, gradients: Array, features: Array) -> Array:
    """Gradients where the features are positive, and 0 for the rest."""
    return gradients * (features > 0)


Relu.writes(lambda features, out: positive(np, features, out), in_place=True)
ReluGrad.writes(
    lambda gradients, features, out: np.multiply(gradients, features > 0, out=out), in_place=True
)
accelerate(Relu, "relu")
accelerate(ReluGrad, "relu_grad")
Relu.grads(features=lambda g, out: ReluGrad(g, out))
# zero and not None, because TensorFlow's second derivative is zero as well
ReluGrad.grads(
    gradients=lambda g, features: ReluGrad(g, features),
    features=lambda g: ZerosLike(g),
)


@op("Relu6", elementwise=True)
def Relu6(xp: ArrayModule, features: Array) -> Array:
    """Clipped to the range from 0 to 6."""
    return between(xp, features, 0, 6)


@op("Relu6Grad", broadcasts=True)
def Relu6Grad(xp: ArrayModule, gradients: Array, features: Array) -> Array:
    """Gradients where the features are between 0 and 6, and 0 for the rest."""
    return gradients * ((features > 0) & (features < 6))


Relu6.grads(features=lambda g, out: Relu6Grad(g, out))
Relu6Grad.grads(
    gradients=lambda g, features: Relu6Grad(g, features),
    features=lambda g: ZerosLike(g),
)


@op("LeakyRelu", elementwise=True)
def LeakyRelu(xp: ArrayModule, features: Array, *, alpha: float) -> Array:
    """x where x > 0, and alpha * x elsewhere."""
    larger = xp.maximum if alpha <= 1 else xp.minimum
    return larger(features, (alpha * features).astype(features.dtype, copy=False))


@op("LeakyReluGrad", broadcasts=True)
def LeakyReluGrad(xp: ArrayModule, gradients: Array, features: Array, *, alpha: float) -> Array:
    """Gradients where the features are positive, and alpha times the rest."""
    positive = (features > 0).astype(gradients.dtype)
    return gradients * (positive + alpha * (1 - positive))


LeakyRelu.grads(features=lambda g, features, alpha: LeakyReluGrad(g, features, alpha=alpha))
LeakyReluGrad.grads(
    gradients=lambda g, features, alpha: LeakyReluGrad(g, features, alpha=alpha),
    features=lambda g: ZerosLike(g),
)


@public("nn.relu")
def relu(features: NumericLike, name: str | None = None) -> Tensor:
    """max(x, 0). Its gradient at 0 is 0.

    >>> import cinta as tf
    >>> tf.nn.relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)

    Args:
        features: A tensor of real numbers.

    Raises:
        InvalidArgumentError: If ``features`` holds others, or strings.
    """
    return on_one(Relu, tensor_of("Relu", features, REAL))


@public("nn.relu6")
def relu6(features: NumericLike, name: str | None = None) -> Tensor:
    """Clipped to the range from 0 to 6. Its gradient is 0 at both ends.

    >>> import cinta as tf
    >>> tf.nn.relu6([-1.0, 2.0, 7.0]).numpy()
    array([0., 2., 6.], dtype=float32)

    Args:
        features: A tensor of real numbers.
    """
    return on_one(Relu6, tensor_of("Relu6", features, REAL))


@public("nn.leaky_relu")
def leaky_relu(features: NumericLike, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """x where x > 0, and alpha * x elsewhere. Its gradient at 0 is alpha.

    >>> import cinta as tf
    >>> tf.nn.leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)

    Args:
        features: A tensor of numbers; integers become float32.
        alpha: The slope below 0.
    """
    x = tensor_of("LeakyRelu", features, REAL)
    if x.dtype.is_integer:
        x = cast(x, "float32")
    return on_one(LeakyRelu, x, alpha=_slope(0.2 if alpha is None else alpha))


def _slope(alpha: float) -> float:
    """The number; through a tensor a gradient would be lost."""
    if not isinstance(alpha, (int, float, np.number)):
        raise TypeError(f"Expected float for argument 'alpha' not {alpha!r}.")
    return number(alpha, "alpha")


@public("nn.crelu")
def crelu(features: NumericLike, axis: int = -1, name: str | None = None) -> Tensor:
    """The positive and the negative part side by side: relu(x) and relu(-x).

    >>> import cinta as tf
    >>> tf.nn.crelu([1.0, -2.0]).numpy()
    array([1., 0., 0., 2.], dtype=float32)

    Args:
        features: A tensor of numbers.
        axis: The axis along which both parts stand.
    """
    x = as_tensor(features)
    return relu(concat([x, -x], axis))


# -- exponential units -------------------------------------------------------------------------


@op("Elu", elementwise=True)
def Elu(xp: ArrayModule, features: Array) -> Array:
    """x where x > 0, and exp(x) - 1 elsewhere."""
    return positive(xp, features) + xp.expm1(negative(xp, features))


# the slope is out + 1 on the left, but there out may be as close to -1 as to have no digits left
Elu.grads(features=lambda g, features: g * Exp(-Relu(-features)))


@op("Selu", elementwise=True)
def Selu(xp: ArrayModule, features: Array) -> Array:
    """An elu scaled such that it keeps mean 0 and variance 1 from layer to layer."""
    left = SELU_LIMIT * xp.expm1(negative(xp, features))
    return (SELU_SCALE * positive(xp, features) + left).astype(features.dtype, copy=False)


@op("SeluSlope", elementwise=True)
def SeluSlope(xp: ArrayModule, features: Array) -> Array:
    """The derivative of selu: the scale, and that of the exponential on the left."""
    left = SELU_LIMIT * xp.exp(negative(xp, features))
    slope = chosen(xp, features >= 0, SELU_SCALE, left)  # NaN goes to the left, and stays NaN
    return slope.astype(features.dtype)[()]


Selu.grads(features=lambda g, features: g * SeluSlope(features))
SeluSlope.grads(features=lambda g, features, out: g * ReluGrad(out, -features))


@public("nn.elu")
def elu(features: NumericLike, name: str | None = None) -> Tensor:
    """x where x > 0, and exp(x) - 1 elsewhere.

    >>> import cinta as tf
    >>> tf.nn.elu([-100.0, 2.0]).numpy()
    array([-1.,  2.], dtype=float32)

    Args:
        features: A tensor of floating-point numbers.
    """
    return on_one(Elu, tensor_of("Elu", features, REAL_FLOATING))


@public("nn.selu")
def selu(features: NumericLike, name: str | None = None) -> Tensor:
    """An elu scaled such that it keeps mean 0 and variance 1 from layer to layer.

    >>> import cinta as tf
    >>> tf.nn.selu([0.0, 1.0]).numpy()
    array([0.      , 1.050701], dtype=float32)

    Args:
        features: A tensor of floating-point numbers.
    """
    return on_one(Selu, tensor_of("Selu", features, REAL_FLOATING))


# -- smooth units ------------------------------------------------------------------------------

# In single precision, which TensorFlow uses even where it computes in double precision.
TANH_GELU_CUBIC = float(np.float32(0.044715))  # Hendrycks and Gimpel, "GELUs" (2016)
TANH_GELU_SLOPE = math.sqrt(2.0 / math.pi)


@op("TanhGelu", elementwise=True)
def TanhGelu(xp: ArrayModule, features: Array) -> Array:
    """The gelu with the normal distribution written as the tanh of a cubic.

    (1 + tanh(c)) / 2 is the sigmoid of 2c, and this has all digits on the left.
    """
    cubic = TANH_GELU_SLOPE * features * (1 + TANH_GELU_CUBIC * features * features)
    return (features * Sigmoid.kernel(xp, 2 * cubic)).astype(features.dtype, copy=False)


@op("TanhGeluSlope", elementwise=True)
def TanhGeluSlope(xp: ArrayModule, x: Array) -> Array:
    """The derivative of that gelu: the sigmoid, and x times the slope of the sigmoid."""
    square = TANH_GELU_CUBIC * x * x
    cubic = 2.0 * TANH_GELU_SLOPE * x * (1.0 + square)
    inner = 2.0 * TANH_GELU_SLOPE * (1.0 + 3.0 * square)
    slope = MulNoNan.kernel(xp, inner, SigmoidSlope.kernel(xp, cubic))
    result: Array = (Sigmoid.kernel(xp, cubic) + x * slope).astype(x.dtype, copy=False)
    return result


def _tanh_gelu_curvature(x: Tensor) -> Tensor:
    """The second derivative: with u for the argument of the sigmoid s, 2 u' s' + x (u'' s' + u'^2
    s''), where s'' is -s' times the tanh of u / 2.
    """
    square = TANH_GELU_CUBIC * x * x
    cubic = 2.0 * TANH_GELU_SLOPE * x * (1.0 + square)
    inner = 2.0 * TANH_GELU_SLOPE * (1.0 + 3.0 * square)
    bend = 12.0 * TANH_GELU_SLOPE * square - x * inner * inner * Tanh(cubic / 2.0)
    return MulNoNan(2.0 * inner + bend, SigmoidSlope(cubic))


accelerate(TanhGelu, "tanh_gelu")
accelerate(TanhGeluSlope, "tanh_gelu_slope")
TanhGelu.grads(features=lambda g, features: g * TanhGeluSlope(features))
TanhGeluSlope.grads(x=lambda g, x: g * _tanh_gelu_curvature(x))


@op("Silu", elementwise=True)
def Silu(xp: ArrayModule, features: Array) -> Array:
    """x times its sigmoid."""
    return features * Sigmoid.kernel(xp, features)


@op("SiluSlope", elementwise=True)
def SiluSlope(xp: ArrayModule, x: Array) -> Array:
    """The derivative of silu."""
    sigmoid = Sigmoid.kernel(xp, x)
    result: Array = sigmoid * (1 + x * (1 - sigmoid))
    return result


accelerate(Silu, "silu")
accelerate(SiluSlope, "silu_slope")
Silu.grads(features=lambda g, features: g * SiluSlope(features))
# with 1 - 2 * sigmoid(x) written as a tanh nothing is lost where the sigmoid is close to 1
SiluSlope.grads(x=lambda g, x: g * (SigmoidSlope(x) * (2.0 - x * Tanh(x / 2))))


@public("nn.gelu")
def gelu(features: NumericLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """x times the probability that a normal variable is less than x.

    >>> import cinta as tf
    >>> tf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(4)
    array([-0.1587,  0.    ,  0.8413], dtype=float32)

    ``approximate`` takes a tanh for the probability.

    Args:
        features: A tensor of floating-point numbers.
        approximate: Whether to take a tanh for the probability.

    Raises:
        ValueError: If ``features`` holds no floats.
    """
    x = as_tensor(features)
    if not x.dtype.is_floating:
        raise ValueError(f"`features.dtype` must be a floating point tensor, got {x.dtype!r}.")
    return on_one(TanhGelu if flag(approximate, "approximate") else Gelu, x)


@public("nn.silu", "nn.swish")
def silu(features: NumericLike, beta: NumericLike = 1.0) -> Tensor:
    """x times the sigmoid of beta times x, also called swish.

    >>> import cinta as tf
    >>> tf.nn.silu([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7311], dtype=float32)

    Args:
        features: A tensor of floating-point numbers.
        beta: The factor inside of the sigmoid.
    """
    x = tensor_of("Sigmoid", features)
    if type(beta) in (int, float) and beta == 1:
        return on_one(Silu, x)
    slope: Tensor = cast(beta, x.dtype)
    return x * sigmoid(x * slope)


swish = silu


@public("math.softsign", "nn.softsign")
def softsign(features: NumericLike, name: str | None = None) -> Tensor:
    """x divided by 1 + abs(x).

    >>> import cinta as tf
    >>> tf.nn.softsign([-1.0, 3.0]).numpy()
    array([-0.5 ,  0.75], dtype=float32)

    Args:
        features: A tensor of floating-point numbers.
    """
    return on_one(Softsign, tensor_of("Softsign", features, REAL_FLOATING))


@op("Softsign", elementwise=True)
def Softsign(xp: ArrayModule, features: Array) -> Array:
    """x divided by 1 + abs(x)."""
    result: Array = features / (1 + xp.abs(features))
    return result


def _softsign_slope(x: Tensor) -> Tensor:
    below = 1.0 + Abs(x)
    return 1.0 / (below * below)


Softsign.grads(features=lambda g, features: g * _softsign_slope(features))
