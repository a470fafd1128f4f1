"""Cross-entropy over classes: how far the softmax of scores is from labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.c_kernels import compiled, fits
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.halves import converted
from ...engine.op import op
from ...engine.primitives import OnesLike, Reshape
from ...engine.summing import accumulator
from ...engine.tensor import unwatched
from ...public import public
from ..arguments import axis_from_right, tensor_of
from ..elementwise.casting import cast
from ..reductions.reduction import SharesGrad, Sum, log_of_sum
from .compiled_rows import over_rows
from .labels import both_needed, check_classes, check_numbers, like_logits
from .softmax import SHARE, Exponentials, LogSoftmax, Softmax, below_maximum

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- cross-entropy over classes ----------------------------------------------------------------


@op("SoftmaxCrossEntropyWithLogits", rowwise=True)
def SoftmaxCrossEntropy(xp: ArrayModule, logits: Array, labels: Array, *, axis: int) -> Array:
    """Sum of the labels' products with minus the logarithm of the softmax."""
    below = below_maximum(xp, logits, axis)
    total = log_of_sum(xp, below, (axis,))
    result: Array = converted((labels * (total - below)).sum(axis=axis), logits.dtype)
    return result


def _unreduced(g: Tensor, axis: int) -> Tensor:
    """The gradient of a sum along an axis, with that axis as one of length 1."""
    shape = tuple(g.shape)
    place = len(shape) + 1 + axis
    return Reshape(g, shape=(*shape[:place], 1, *shape[place:]))


@op("SoftmaxLessLabels", rowwise=True)
def SoftmaxLessLabels(xp: ArrayModule, logits: Array, labels: Array, *, axis: int) -> Array:
    """The softmax times the sum of the labels, less the labels."""
    below = below_maximum(xp, logits, axis)
    powers = xp.exp(below)
    total = powers.sum(axis=axis, keepdims=True)
    all_labels = labels.sum(axis=axis, keepdims=True)
    result = powers / total * all_labels - labels
    if xp is np and total.size and total.min() < NEARLY_ONE:
        top = (below == 0) & (total < NEARLY_ONE)
        powers[top] = 0
        rest = powers.sum(axis=axis, keepdims=True) / total
        result = np.where(top, all_labels - labels - all_labels * rest, result)
    found: Array = converted(result, logits.dtype)
    return found


NEARLY_ONE = 1.25
"""Below this sum of exponentials the largest is so great a part of it that 1 less that part is
taken from the others, because digits would be lost.
"""

SoftmaxLessLabels.grads(
    logits=lambda g, logits, labels, axis: SharesGrad(
        g * Sum(labels, axis=(axis,), keepdims=True), Softmax(logits, axis=axis), axis=(axis,)
    ),
    labels=lambda g, logits, axis: (
        Sum(g * Softmax(logits, axis=axis), axis=(axis,), keepdims=True) - g
    ),
)
SoftmaxCrossEntropy.grads(
    logits=lambda g, logits, labels, axis: (
        _unreduced(g, axis) * SoftmaxLessLabels(logits, labels, axis=axis)
    ),
    labels=lambda g, logits, axis: _unreduced(-g, axis) * LogSoftmax(logits, axis=axis),
)


@op("SparseCrossEntropyParts", rowwise=True)
def SparseCrossEntropyParts(
    xp: ArrayModule, logits: Array, labels: Array
) -> tuple[Array, Array, Array]:
    """Minus the logarithm of the softmax at the label along the last axis, exponentials, sums."""
    wide = converted(logits, accumulator(logits.dtype))
    if xp is np and _compiled_loss is not None and fits(wide) and wide.flags.c_contiguous:
        loss, powers, total = _by_compiled(wide, labels)
        return converted(loss, logits.dtype), powers, total
    powers, total, top = Exponentials.kernel(xp, logits, axis=-1)
    if xp is not np:
        picked = xp.take_along_axis(logits, labels[..., None], axis=-1)
        result = (xp.log(total) - (picked - top))[..., 0].astype(logits.dtype)
        return result, powers, total
    check_classes(labels, logits.shape[-1])
    picked = logits.reshape(-1).take(_places_of(labels, logits.shape[-1])) - top.reshape(-1)
    sums = total.reshape(-1).astype(np.float64)  # there is no maximum in it that would cancel
    loss = _mended(np.log(sums) - picked, labels, powers)
    return loss.reshape(labels.shape).astype(logits.dtype, copy=False), powers, total


@SparseCrossEntropyParts.fails_if
def _(xp: ArrayModule, out: tuple[Array, ...], logits: Array, labels: Array) -> Array:
    return xp.any((labels < 0) | (labels >= logits.shape[-1]))


_compiled_loss = compiled("cross_entropy")
_compiled_gradient = compiled("cross_entropy_gradient")


def _by_compiled(logits: Array, labels: Array) -> tuple[Array, Array, Array]:
    assert _compiled_loss is not None
    loss, powers = np.empty(labels.shape, logits.dtype), np.empty_like(logits)
    total, width = np.empty((*labels.shape, 1), logits.dtype), logits.shape[-1]
    given = logits.reshape(labels.size, width), labels.reshape(-1)
    results = loss.reshape(-1), powers.reshape(given[0].shape), total.reshape(-1)
    try:
        over_rows(_compiled_loss, given, results, share=SHARE)
    except ValueError:
        check_classes(labels, width)
        raise
    return loss, powers, total


@op("SparseSoftmaxCrossEntropyWithLogits", rowwise=True)
def SparseSoftmaxCrossEntropy(
    xp: ArrayModule, logits: Array, labels: Array, loss: Array, powers: Array, total: Array
) -> Array:
    """The losses that `SparseCrossEntropyParts` found: for tapes the op between them and it.

    The parts are results of their own because the gradient needs the exponentials.
    """
    return loss


def _places_of(labels: Array, classes: int) -> Array:
    """Where the labels' classes are, when all rows are put one behind the other."""
    places: Array = np.arange(labels.size) * classes + labels.reshape(-1)
    return places


def _mended(loss: Array, labels: Array, powers: Array) -> Array:
    """The losses; small ones come from the other classes alone, because they would lose digits."""
    sure = np.flatnonzero(loss < 0.5)
    if sure.size:
        rows, label = powers.reshape(loss.size, -1)[sure], labels.reshape(-1)[sure]
        places = np.arange(sure.size), label
        own = rows[places]
        rows[places] = 0
        loss[sure] = np.log1p(rows.sum(axis=-1) / own)
    return loss


@op("SoftmaxLessOneHot", broadcasts=True, elementwise=False)
def SoftmaxLessOneHot(
    xp: ArrayModule, logits: Array, labels: Array, weights: Array, powers: Array, total: Array
) -> Array:
    """The softmax along the last axis, with 1 subtracted at the labels, by a weight for each."""
    if xp is not np:
        softmax = (powers / total).astype(logits.dtype, copy=False)
        found: Array = weights * (softmax - (labels[..., None] == xp.arange(softmax.shape[-1])))
        return found
    if weights.shape != total.shape:  # several weights for each
        weighted: Array = weights * SoftmaxLessOneHot.run(
            logits, labels, np.ones_like(total, logits.dtype), powers, total
        )
        return weighted
    wide = converted(weights, total.dtype)
    if _compiled_gradient is not None and fits(wide, powers, total):
        return converted(_weighted_by_compiled(labels, wide, powers, total), logits.dtype)
    result = converted(np.multiply(powers, weights / total, order="C"), logits.dtype)
    places = _places_of(labels, result.shape[-1])
    own = powers.reshape(-1).take(places) / total.reshape(-1)
    _subtract(weights.reshape(-1), result.reshape(total.size, result.shape[-1]), places, own)
    return result


def _weighted_by_compiled(labels: Array, weights: Array, powers: Array, total: Array) -> Array:
    assert _compiled_gradient is not None
    powers = np.ascontiguousarray(powers)
    result = np.empty_like(powers)
    rows, results = (each.reshape(labels.size, powers.shape[-1]) for each in (powers, result))
    given = labels.reshape(-1), total.reshape(-1), weights.reshape(-1)
    over_rows(_compiled_gradient, [rows, *given], [results], share=2 * SHARE)
    return result


def _subtract(weights: Array, rows: Array, places: Array, own: Array) -> None:
    """Subtract weights of rows at these places, where each has its own share of the weight."""
    flat = rows.reshape(-1)
    flat[places] = weights * (own - 1)
    sure = np.flatnonzero(own > 0.5)  # 1 less own is what the others have, to all its digits
    if sure.size:
        flat[places[sure]] = 0
        flat[places[sure]] = -rows[sure].sum(axis=-1)


SparseCrossEntropyParts.no_grad()
SoftmaxLessOneHot.grads(
    logits=lambda g, logits, weights: SharesGrad(g * weights, Softmax(logits, axis=-1), axis=(-1,)),
    weights=lambda g, logits, labels, powers, total: Sum(
        g * SoftmaxLessOneHot(logits, labels, OnesLike(total), powers, total),
        axis=(-1,),
        keepdims=True,
    ),
)
SparseSoftmaxCrossEntropy.grads(
    logits=lambda g, logits, labels, powers, total: SoftmaxLessOneHot(
        logits, labels, _unreduced(g, -1), powers, total
    )
)


@public("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(
    labels: NumericLike, logits: NumericLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """Cross-entropy between probabilities and the softmax of logits, along an axis.

    >>> import cinta as tf
    >>> tf.nn.softmax_cross_entropy_with_logits([[0.0, 1.0]], [[0.0, 100.0]]).numpy()
    array([0.], dtype=float32)

    The gradient is right for labels that do not sum to one, too.

    Args:
        labels: Probabilities along the axis.
        logits: Numbers whose softmax predicts them; the shapes are broadcast.
        axis: The axis of the classes.

    Raises:
        ValueError: If one of both is missing.
        InvalidArgumentError: If there is no such axis.
    """
    if labels is None or logits is None:
        raise both_needed("softmax_cross_entropy_with_logits", labels, logits)
    name = SoftmaxCrossEntropy.name
    x = tensor_of(name, logits, REAL_FLOATING)
    y = as_tensor(labels)
    if y._array.dtype != x._array.dtype:
        y = cast(y, x.dtype)
    classes = axis_from_right(name, axis, x.ndim)
    if y._array.shape != x._array.shape:
        y = like_logits(name, y, x._array.shape, classes)
    return SoftmaxCrossEntropy(x, y, axis=classes)


@public("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(
    labels: NumericLike, logits: NumericLike, name: str | None = None
) -> Tensor:
    """Cross-entropy between classes, given by their numbers, and the softmax of logits.

    >>> import cinta as tf
    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 100.0]]).numpy()
    array([0.], dtype=float32)

    Args:
        labels: The number of a class for each example.
        logits: The scores of all classes, along the last axis.

    Raises:
        ValueError: If the shapes do not fit.
        InvalidArgumentError: If a class is out of range, or ``labels`` are not integers.
    """
    if labels is None or logits is None:
        raise both_needed("sparse_softmax_cross_entropy_with_logits", labels, logits)
    x = tensor_of(SparseSoftmaxCrossEntropy.name, logits, REAL_FLOATING)
    y = as_tensor(labels)
    check_numbers(y._array.shape, x._array.shape)
    tensor_of(SparseSoftmaxCrossEntropy.name, y, "i")
    return SparseSoftmaxCrossEntropy(x, y, *SparseCrossEntropyParts(unwatched(x), y))
