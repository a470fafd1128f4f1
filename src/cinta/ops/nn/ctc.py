"""Connectionist temporal classification: labels for a sequence, without saying where each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, tensor_of
from ..arrays.creation import fill
from ..arrays.gathering import gather
from ..arrays.joining import concat, stack
from ..arrays.selecting import where
from ..arrays.shaping import reshape, transpose
from ..elementwise.casting import cast
from ..elementwise.comparison import greater, less, not_equal
from ..reductions.reduction import reduce_logsumexp
from ..sparse.dense import to_dense
from ..sparse.rearranging import reorder
from .softmax import log_softmax

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array, Tensor

IMPOSSIBLE = -1e30
"""The logarithm of no probability at all: finite, so that no gradient is inf - inf."""


@public("nn.ctc_loss")
def ctc_loss(
    labels: NumericLike,
    logits: NumericLike,
    label_length: NumericLike | None,
    logit_length: NumericLike,
    logits_time_major: bool = True,
    unique: NumericLike | None = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Minus the log-probability of the labels, summed over all ways to spread them over the frames.

    A frame shows a label, the one before once more, or a blank; between two equal labels there is
    a blank. ``labels`` has a row for each sequence, ``logits`` the shape [frames, sequences,
    classes], or [sequences, frames, classes] without ``logits_time_major``; both are as long as
    ``label_length`` and ``logit_length`` say. ``unique`` changes no result.

    Sparse labels say themselves how long they are, and need a ``blank_index``; labels for which
    there are too few frames have an infinite loss then, and no gradient.

    >>> import cinta as tf
    >>> logits = tf.zeros([2, 1, 3])  # two frames, one sequence
    >>> tf.exp(-tf.nn.ctc_loss([[1]], logits, label_length=[1], logit_length=[2])).numpy()
    array([0.33333334], dtype=float32)

    Raises:
        ValueError: If an argument that the kind of ``labels`` needs is missing.
    """
    scores = tensor_of("CTCLoss", logits, REAL_FLOATING)
    if isinstance(labels, SparseTensor):
        return _loss_of_sparse(labels, scores, logit_length, logits_time_major, blank_index)
    if scores._array.ndim != 3:
        raise InvalidArgumentError(
            f"logits must have 3 axes, got shape {written(scores._array.shape)} [Op:CTCLoss]"
        )
    if flag(logits_time_major, "logits_time_major"):
        scores = transpose(scores, [1, 0, 2])
    wide = cast(scores, "float32") if scores.dtype.size == 2 else scores
    blank = _blank(blank_index, scores._array.shape[2])
    classes = cast(as_tensor(labels), "int32")
    if classes.ndim != 2:
        raise InvalidArgumentError(
            f"labels must have 2 axes, got shape {classes.shape} [Op:CTCLoss]"
        )
    states = _states(classes, blank)
    emitted = gather(log_softmax(wide), states, axis=2, batch_dims=1)
    reached = _reached(emitted, _may_skip(states, blank), cast(logit_length, "int32"))
    return cast(-_finished(reached, cast(as_tensor(label_length), "int32")), scores.dtype)


def _blank(blank_index: int | None, classes: int) -> int:
    """The class that stands for no label; a negative one counts from the end."""
    index = 0 if blank_index is None else integer(blank_index, "blank_index")
    if not -classes <= index < classes:
        raise InvalidArgumentError(
            f"blank_index must be one of {classes} classes, got {blank_index} [Op:CTCLoss]"
        )
    return index % classes


def _loss_of_sparse(
    labels: SparseTensor,
    scores: Tensor,
    logit_length: NumericLike,
    time_major: bool,
    blank_index: int | None,
) -> Tensor:
    if blank_index is None:
        raise ValueError(
            "Argument `blank_index` must be provided when `labels` is a `SparseTensor`."
        )
    count = scores._array.shape[1 if time_major else 0]
    classes = scores._array.shape[-1]
    given = seen(labels.values)
    if labels.lengths[:1] != (count,):
        raise InvalidArgumentError(
            f"labels must have a row for each of {count} sequences, got {labels.shape} [Op:CTCLoss]"
        )
    if ((given < 0) | (given >= classes) | (given == blank_index % classes)).any():
        raise InvalidArgumentError(
            f"All labels must be nonnegative integers below {classes} other than the blank, got "
            f"{given} [Op:CTCLoss]"
        )
    rows = seen(labels.indices)[:, 0]
    loss = ctc_loss(
        to_dense(reorder(labels)),
        scores,
        np.bincount(rows, minlength=count),
        logit_length,
        time_major,
        blank_index=blank_index,
    )
    return where(greater(loss, -IMPOSSIBLE / 2), float("inf"), loss)


def _states(labels: Tensor, blank: int) -> Tensor:
    """The classes of the states to go through: the labels, with blanks between and around them."""
    count, length = labels._array.shape
    pairs = stack([fill([count, length], blank), labels], axis=2)
    return concat([reshape(pairs, [count, 2 * length]), fill([count, 1], blank)], 1)


def _may_skip(states: Tensor, blank: int) -> Tensor:
    """Whether a state can follow the one before the last: a label after a different one."""
    return not_equal(states, _delayed(states, 2, blank))


def _delayed(x: Tensor, by: int, padding: Array | float) -> Tensor:
    """Each row moved to the right."""
    count, length = x._array.shape
    return concat([cast(fill([count, by], padding), x.dtype), x], 1)[:, :length]


def _reached(emitted: Tensor, may_skip: Tensor, lengths: Tensor) -> Tensor:
    """The log-probability of being in each state after the last frame of each sequence.

    The forward variables of Graves, Fernández, Gomez and Schmidhuber, "Connectionist temporal
    classification" (2006), section 4.1. The gradient comes from their record.
    """
    frames = emitted._array.shape[1]
    start = less(as_tensor(range(emitted._array.shape[2])), 2)
    reached = where(start, emitted[:, 0], IMPOSSIBLE)
    for frame in range(1, frames):
        skipped = where(may_skip, _delayed(reached, 2, IMPOSSIBLE), IMPOSSIBLE)
        ways = stack([reached, _delayed(reached, 1, IMPOSSIBLE), skipped])
        after = reduce_logsumexp(ways, 0) + emitted[:, frame]
        reached = where(greater(lengths, frame)[:, None], after, reached)
    return reached


def _finished(reached: Tensor, lengths: Tensor) -> Tensor:
    """The log-probability of being in the last label or in the blank after it."""
    last_blank = gather(reached, 2 * lengths[:, None], batch_dims=1)
    has_label = greater(lengths, 0)[:, None]
    before = where(has_label, 2 * lengths[:, None] - 1, 0)
    last_label = where(has_label, gather(reached, before, batch_dims=1), IMPOSSIBLE)
    return reduce_logsumexp(concat([last_blank, last_label], 1), 1)
