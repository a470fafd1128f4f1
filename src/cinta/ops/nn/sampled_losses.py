"""Losses that compare the true classes with a few drawn ones, where there are too many for all.

Gutmann and Hyvärinen, "Noise-contrastive estimation" (2010), and for the sampled softmax Jean, Cho,
Memisevic and Bengio, "On using very large target vocabulary" (2015).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import INTEGER
from ...engine.shapes import written
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, listed, tensor_of, whole_number
from ..arrays.creation import ones_like, zeros_like
from ..arrays.joining import concat
from ..arrays.shaping import reshape
from ..elementwise.casting import cast, stop_gradient
from ..elementwise.unary import log
from ..linalg.matmul import matmul
from ..random.candidates import log_uniform_candidate_sampler
from ..reductions.reduction import reduce_any, reduce_sum
from .embedding import embedding_lookup
from .losses import sigmoid_cross_entropy_with_logits
from .softmax_cross_entropy import softmax_cross_entropy_with_logits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array, Tensor

_LOWEST = float(np.finfo(np.float32).min)
"""Added to the score of a drawn class that is a true one, so that it does not count."""


@public("nn.nce_loss")
def nce_loss(
    weights: NumericLike | Sequence[NumericLike],
    biases: NumericLike,
    labels: NumericLike,
    inputs: NumericLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: tuple[Tensor, Tensor, Tensor] | None = None,
    remove_accidental_hits: bool = False,
    name: str = "nce_loss",
) -> Tensor:
    """Noise-contrastive estimation: the true classes told from drawn ones, one by one.

    ``weights`` has a row for each class, ``biases`` a number, ``inputs`` a row for each example and
    ``labels`` its ``num_true`` classes. ``sampled_values`` are the drawn classes as a candidate
    sampler gives them; by default smaller classes are drawn more often than larger ones.

    >>> import cinta as tf
    >>> weights, biases, inputs = tf.ones([9, 2]), tf.zeros([9]), tf.ones([4, 2])
    >>> tf.nn.nce_loss(weights, biases, [[0], [1], [2], [3]], inputs, 3, 9).shape
    TensorShape([4])

    Args:
        weights: A row for each class, or a list of parts of that table.
        biases: A number for each class.
        labels: The true classes ``[batch, num_true]``.
        inputs: A row for each example.
        num_sampled: How many classes to draw.
        num_classes: How many classes there are.
        num_true: How many true classes an example has.
        sampled_values: The drawn classes; None to draw them here.
        remove_accidental_hits: Whether drawn classes that are true ones do not count.
    """
    logits, targets = _logits_and_targets(
        weights,
        biases,
        labels,
        inputs,
        (num_sampled, num_classes, num_true, None),
        sampled_values,
        remove_accidental_hits,
    )
    return reduce_sum(sigmoid_cross_entropy_with_logits(targets, logits), 1)


@public("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: NumericLike | Sequence[NumericLike],
    biases: NumericLike,
    labels: NumericLike,
    inputs: NumericLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: tuple[Tensor, Tensor, Tensor] | None = None,
    remove_accidental_hits: bool = True,
    seed: int | None = None,
    name: str = "sampled_softmax_loss",
) -> Tensor:
    """The softmax cross-entropy as if there were the true and some drawn classes only.

    It is for training; the arguments are those of `nce_loss`.

    >>> import cinta as tf
    >>> weights, biases, inputs = tf.ones([9, 2]), tf.zeros([9]), tf.ones([4, 2])
    >>> tf.nn.sampled_softmax_loss(weights, biases, [[0], [1], [2], [3]], inputs, 3, 9).shape
    TensorShape([4])

    Args:
        weights: A row for each class, or a list of parts of that table.
        biases: A number for each class.
        labels: The true classes ``[batch, num_true]``.
        inputs: A row for each example.
        num_sampled: How many classes to draw.
        num_classes: How many classes there are.
        num_true: How many true classes an example has.
        sampled_values: The drawn classes; None to draw them here.
        remove_accidental_hits: Whether drawn classes that are true ones do not count.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    logits, targets = _logits_and_targets(
        weights,
        biases,
        labels,
        inputs,
        (num_sampled, num_classes, num_true, seed),
        sampled_values,
        remove_accidental_hits,
    )
    return softmax_cross_entropy_with_logits(targets, logits)


def _logits_and_targets(
    weights: Any,
    biases: NumericLike,
    labels: NumericLike,
    inputs: NumericLike,
    how: tuple[int, int, int, int | None],
    sampled_values: Any,
    remove_accidental_hits: bool,
) -> tuple[Tensor, Tensor]:
    """The scores of the true classes, then of the drawn ones, and what they should be."""
    x, true = as_tensor(inputs), cast(labels, "int64")
    num_true = whole_number(how[2], "num_true")
    drawn, true_expected, drawn_expected = _candidates(true, how, sampled_values)
    classes = concat([reshape(true, [-1]), cast(drawn, "int64")], 0)
    rows = cast(embedding_lookup(weights, classes), x.dtype)
    offsets = cast(embedding_lookup(biases, classes), x.dtype)
    if rows.ndim != 2 or x.ndim != 2:
        raise InvalidArgumentError(
            f"weights and inputs must be matrices, got shapes {rows.shape} and {x.shape}."
        )
    count = true._array.size
    of_true = reshape(rows[:count], [-1, num_true, rows._array.shape[1]])
    true_logits = reduce_sum(x[:, None] * of_true, 2) + reshape(offsets[:count], [-1, num_true])
    drawn_logits = matmul(x, rows[count:], transpose_b=True) + offsets[count:]
    if flag(remove_accidental_hits, "remove_accidental_hits"):
        hit = reduce_any(true[:, :, None] == cast(drawn, true.dtype), 1)
        drawn_logits = drawn_logits + cast(hit, x.dtype) * max(_LOWEST, float(x.dtype.min))
    true_logits = true_logits - log(cast(true_expected, x.dtype))
    drawn_logits = drawn_logits - log(cast(drawn_expected, x.dtype))
    targets = concat([ones_like(true_logits) / float(num_true), zeros_like(drawn_logits)], 1)
    return concat([true_logits, drawn_logits], 1), targets


def _candidates(
    true: Tensor,
    how: tuple[int, int, int, int | None],
    sampled_values: tuple[Tensor, Tensor, Tensor],
) -> list[Tensor]:
    """The drawn classes, and how often the true ones and they are expected among those drawn."""
    num_sampled, num_classes, num_true, seed = how
    num_classes = whole_number(num_classes, "num_classes")
    if num_classes < 1:
        raise InvalidArgumentError(f"num_classes must be positive, got {num_classes}.")
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            true, num_true, num_sampled, True, num_classes, seed
        )
    parts = listed(sampled_values, "sampled_values")
    if len(parts) != 3:
        raise ValueError(f"`sampled_values` must be what a sampler gives, got {sampled_values!r}.")
    return [stop_gradient(part) for part in parts]


@public("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: NumericLike,
    sampled_candidates: NumericLike,
    num_true: int,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Which drawn classes are true ones: the example, the place among the drawn, and a weight.

    The weight, a very negative number, is to be added to the score; ``seed`` changes no result.

    >>> import cinta as tf
    >>> rows, places, _ = tf.nn.compute_accidental_hits([[1], [7]], [2, 5, 7], num_true=1)
    >>> rows.numpy(), places.numpy()
    (array([1], dtype=int32), array([2]))

    Args:
        true_classes: Integers ``[batch, num_true]``.
        sampled_candidates: The classes that were drawn.
        num_true: How many true classes an example has.
        seed: Accepted; changes no result.
    """
    true = seen(tensor_of("ComputeAccidentalHits", true_classes, INTEGER))
    drawn = seen(tensor_of("ComputeAccidentalHits", sampled_candidates, INTEGER))
    num_true = whole_number(num_true, "num_true")
    _check_true(true, num_true)
    rows, _, places = np.nonzero(true[:, :, None] == drawn)
    return (
        wrap(rows.astype(np.int32)),
        wrap(places.astype(np.int64)),
        wrap(np.full(len(rows), _LOWEST, np.float32)),
    )


def _check_true(true: Array, num_true: int) -> None:
    if true.ndim != 2 or true.shape[1] != num_true:
        raise InvalidArgumentError(
            f"true_classes must be a matrix with {num_true} columns, got shape "
            f"{written(true.shape)} [Op:ComputeAccidentalHits]"
        )
