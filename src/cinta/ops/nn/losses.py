"""Losses: how far a network's results are from what they should be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...engine.convert import kept, match
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.summing import accumulator
from ...public import public
from ..arguments import flag, tensor_of
from ..arrays.selecting import where
from ..choosing import positive
from ..elementwise.comparison import greater_equal, less_equal, logical_and
from ..elementwise.unary import SigmoidSlope, exp, log, softplus
from .labels import both_needed, check_same_shape

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- cross-entropy of independent events -------------------------------------------------------


@op("SigmoidCrossEntropyWithLogits", elementwise=True)
def SigmoidCrossEntropy(xp: ArrayModule, logits: Array, labels: Array) -> Array:
    """-labels * log(sigmoid(x)) - (1 - labels) * log(1 - sigmoid(x)), finite for every x."""
    result: Array = positive(xp, logits) - logits * labels + xp.log1p(xp.exp(-xp.abs(logits)))
    return result


@op("SigmoidLessLabels", elementwise=True)
def SigmoidLessLabels(xp: ArrayModule, logits: Array, labels: Array) -> Array:
    """sigmoid(x) - labels, exact where both are close to 1."""
    e = xp.exp(-xp.abs(logits))
    # the sigmoid is 0 or 1, by the sign of x, and off from there by this much
    off = xp.copysign(e / (1 + e), logits)
    return xp.logical_not(xp.signbit(logits)) - labels - off


SigmoidLessLabels.grads(
    logits=lambda g, logits: g * SigmoidSlope(logits),
    labels=lambda g: -g,
)
SigmoidCrossEntropy.grads(
    logits=lambda g, logits, labels: g * SigmoidLessLabels(logits, labels),
    labels=lambda g, logits: -g * logits,
)


@public("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(
    labels: NumericLike | None = None, logits: NumericLike | None = None, name: str | None = None
) -> Tensor:
    """Cross-entropy between probabilities and the sigmoid of logits, each by itself.

    >>> import cinta as tf
    >>> tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[-100.0]).numpy()
    array([100.], dtype=float32)

    Args:
        labels: Probabilities.
        logits: Numbers whose sigmoid predicts them, of the same shape.

    Raises:
        ValueError: If one of both is missing, or the shapes differ.
    """
    if labels is None or logits is None:
        raise both_needed("sigmoid_cross_entropy_with_logits", labels, logits)
    x, y = match("Mul", kept(logits), kept(labels))
    check_same_shape("logits", x, "labels", y)
    return SigmoidCrossEntropy(x, y)


@public("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: NumericLike, logits: NumericLike, pos_weight: NumericLike, name: str | None = None
) -> Tensor:
    """Sigmoid cross-entropy in which what should be positive counts ``pos_weight`` times.

    >>> import cinta as tf
    >>> tf.nn.weighted_cross_entropy_with_logits([1.0], [-100.0], pos_weight=2.0).numpy()
    array([200.], dtype=float32)

    Args:
        labels: Probabilities.
        logits: Numbers whose sigmoid predicts them, of the same shape.
        pos_weight: How often a positive answer counts.
    """
    x, y = match("Mul", kept(logits), kept(labels))
    check_same_shape("logits", x, "labels", y)
    _, weight = match("Mul", logits, pos_weight)
    return (1.0 - y) * x + (1.0 + (weight - 1.0) * y) * softplus(-x)


# -- other losses ------------------------------------------------------------------------------


@public("nn.log_poisson_loss")
def log_poisson_loss(
    targets: NumericLike,
    log_input: NumericLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Minus the log-likelihood of counts whose Poisson distribution has the mean exp(log_input).

    >>> import cinta as tf
    >>> tf.nn.log_poisson_loss([2.0], [0.0]).numpy()
    array([1.], dtype=float32)

    Terms without ``log_input`` are left out unless the full loss is asked for; there the
    logarithm of a factorial is approximated by Stirling's formula.

    Args:
        targets: The counts.
        log_input: The logarithm of the mean, of the same shape.
        compute_full_loss: Whether to add the terms without ``log_input``.
    """
    x, z = match("Mul", kept(log_input), kept(targets))
    check_same_shape("log_input", x, "targets", z)
    result = exp(x) - x * z
    if not flag(compute_full_loss, "compute_full_loss"):
        return result
    tiny = logical_and(greater_equal(z, 0), less_equal(z, 1))  # their factorial is 1
    stirling = z * log(z) - z + 0.5 * log(2.0 * math.pi * z)
    return result + where(tiny, 0, stirling)


@op("L2Loss")
def L2Loss(xp: ArrayModule, t: Array) -> Array:
    """Half the sum of the squares."""
    result: Array = (t * t).sum(dtype=accumulator(t.dtype)).astype(t.dtype) / 2
    return result


L2Loss.grads(t=lambda g, t: Reshape(g, shape=tuple(g.shape) + (1,) * len(t.shape)) * t)


@public("nn.l2_loss")
def l2_loss(t: NumericLike, name: str | None = None) -> Tensor:
    """Half the sum of the squares.

    >>> import cinta as tf
    >>> tf.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)

    Args:
        t: A tensor of floating-point numbers.
    """
    return on_one(L2Loss, tensor_of("L2Loss", t, REAL_FLOATING))
