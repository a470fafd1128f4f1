"""Labels read off the scores of frames, and labels counted and put together."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import INTEGER, REAL_FLOATING
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import FailedPreconditionError, InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, integers, tensor_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor


@public("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: NumericLike,
    sequence_length: NumericLike,
    merge_repeated: bool = True,
    blank_index: int | None = None,
) -> tuple[list[SparseTensor], Tensor]:
    """The likeliest class of each frame, repeats merged and blanks dropped.

    ``inputs`` has the shape [frames, sequences, classes]. The second result is minus the sum of the
    scores that were chosen. ``blank_index`` is the last class by default.

    >>> import cinta as tf
    >>> scores = tf.one_hot([[1], [1], [2], [0]], 3)  # four frames, one sequence, 2 is blank
    >>> (decoded,), _ = tf.nn.ctc_greedy_decoder(scores, [4])
    >>> decoded.values.numpy()
    array([1, 0])

    Args:
        inputs: Logarithms of probabilities, or logits, ``[time, batch, classes]``.
        sequence_length: How many frames of each example count.
        merge_repeated: Whether to merge repeats.
        blank_index: The number of the blank; None for the last class.

    Raises:
        InvalidArgumentError: If the shapes or lengths do not fit, or there is no such blank.
    """
    scores, lengths = _checked("CTCGreedyDecoder", inputs, sequence_length)
    classes = scores.shape[2]
    blank = classes - 1 if blank_index is None else integer(blank_index, "blank_index")
    if not -classes <= blank < classes:
        raise InvalidArgumentError(
            f"blank_index expected to be between {-classes} and {classes - 1} but was {blank} "
            "[Op:CTCGreedyDecoder]"
        )
    best, highest = scores.argmax(axis=2), scores.max(axis=2)
    rows, totals = [], np.zeros((len(lengths), 1), scores.dtype)
    for number, length in enumerate(lengths):
        totals[number] = -highest[:length, number].sum()
        shown = best[:length, number]
        if flag(merge_repeated, "merge_repeated"):
            shown = shown[np.diff(shown, prepend=-1) != 0]
        rows.append(shown[shown != blank % classes])
    return [_side_by_side(rows)], wrap(totals)


@public("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: NumericLike, sequence_length: NumericLike, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """The likeliest labels over all ways to spread them over the frames, and their log-probability.

    Frame by frame the ``beam_width`` likeliest beginnings are kept. The blank is the last class.

    >>> import cinta as tf
    >>> frames = tf.math.log([[[0.4, 0.6]], [[0.4, 0.6]]])  # the blank is likelier in each
    >>> (decoded,), log_probability = tf.nn.ctc_beam_search_decoder(frames, [2])
    >>> decoded.values.numpy(), tf.exp(log_probability).numpy()
    (array([0]), array([[0.64]], dtype=float32))

    Args:
        inputs: Logarithms of probabilities, or logits, ``[time, batch, classes]``.
        sequence_length: How many frames of each example count.
        beam_width: How many beginnings to keep.
        top_paths: How many sequences to give for each example.

    Raises:
        InvalidArgumentError: If more sequences are asked for than are kept, or the shapes do not
            fit.
    """
    scores, lengths = _checked("CTCBeamSearchDecoder", inputs, sequence_length)
    beam_width, top_paths = integer(beam_width, "beam_width"), integer(top_paths, "top_paths")
    if top_paths > beam_width:
        raise InvalidArgumentError(
            f"requested more paths than the beam width: {top_paths} > {beam_width} "
            "[Op:CTCBeamSearchDecoder]"
        )
    wide = scores.astype(np.float64)
    logs = wide - np.logaddexp.reduce(wide, axis=2, keepdims=True)
    paths = [_search(logs[:length, k], beam_width) for k, length in enumerate(lengths)]
    if any(len(found) < top_paths for found in paths):
        raise InvalidArgumentError(
            f"Less leaves in the beam search than requested: top_paths={top_paths} "
            "[Op:CTCBeamSearchDecoder]"
        )
    decoded = [_side_by_side([found[k][0] for found in paths]) for k in range(top_paths)]
    chances = [[found[k][1] for k in range(top_paths)] for found in paths]
    return decoded, wrap(np.array(chances, scores.dtype).reshape(len(paths), top_paths))


def _search(logs: Array, width: int) -> list[tuple[tuple[int, ...], float]]:
    """The likeliest labels of one sequence with their log-probabilities, the best first.

    Beginnings of labels are kept by whether the last frame showed a blank or the last label.
    """
    blank = logs.shape[1] - 1
    beams: dict[tuple[int, ...], tuple[float, float]] = {(): (0.0, -np.inf)}
    for frame in logs.tolist():
        blanks: dict[tuple[int, ...], float] = defaultdict(lambda: -np.inf)
        labels: dict[tuple[int, ...], float] = defaultdict(lambda: -np.inf)
        for prefix, (by_blank, by_label) in beams.items():
            total = np.logaddexp(by_blank, by_label)
            blanks[prefix] = total + frame[blank]
            if prefix:
                again = by_label + frame[prefix[-1]]
                labels[prefix] = np.logaddexp(labels[prefix], again)
            for label in range(blank):
                before = by_blank if prefix[-1:] == (label,) else total
                longer = (*prefix, label)
                labels[longer] = np.logaddexp(labels[longer], before + frame[label])
        reached = {p: (blanks[p], labels[p]) for p in {**blanks, **labels}}
        best = sorted(reached, key=lambda p: -np.logaddexp(*reached[p]))
        beams = {prefix: reached[prefix] for prefix in best[:width]}
    return [(prefix, float(np.logaddexp(*beams[prefix]))) for prefix in beams]


def _checked(op: str, inputs: NumericLike, sequence_length: NumericLike) -> tuple[Array, Shape]:
    """The scores as an array, and how many frames each sequence has."""
    scores = seen(tensor_of(op, inputs, REAL_FLOATING))
    if scores.ndim != 3:
        raise InvalidArgumentError(f"inputs is not a 3-Tensor: got {scores.shape} [Op:{op}]")
    lengths = integers(sequence_length, "sequence_length")
    if len(lengths) != scores.shape[1]:
        raise FailedPreconditionError(
            f"len(sequence_length) != batch_size: {len(lengths)} and {scores.shape[1]} [Op:{op}]"
        )
    for number, length in enumerate(lengths):
        if length > scores.shape[0]:
            raise FailedPreconditionError(
                f"sequence_length({number}) <= {scores.shape[0]} is needed, got {length} [Op:{op}]"
            )
    return scores, lengths


def _side_by_side(rows: Sequence[Any]) -> SparseTensor:
    """Rows of different lengths as a sparse matrix."""
    counts = [len(row) for row in rows]
    indices = [(number, k) for number, count in enumerate(counts) for k in range(count)]
    return SparseTensor(
        wrap(np.array(indices, np.int64).reshape(-1, 2)),
        wrap(np.array([label for row in rows for label in row], np.int64)),
        [len(rows), max(counts, default=0)],
    )


# -- labels ------------------------------------------------------------------------------------


def _rows_of(op: str, labels: NumericLike) -> Array:
    given = seen(tensor_of(op, labels, INTEGER))
    if np.ndim(given) != 2:
        raise InvalidArgumentError(f"labels must have 2 axes, got {np.ndim(given)} [Op:{op}]")
    return given


@public("nn.ctc_unique_labels")
def ctc_unique_labels(labels: NumericLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The different labels of each row as they come, padded with zeros, and each label's place.

    >>> import cinta as tf
    >>> different, places = tf.nn.ctc_unique_labels([[3, 1, 3, 2]])
    >>> different.numpy(), places.numpy()
    (array([[3, 1, 2, 0]]), array([[0, 1, 0, 2]], dtype=int32))
    """
    given = _rows_of("Unique", labels)
    different, places = np.zeros(given.shape, np.int64), np.zeros(given.shape, np.int32)
    for number, row in enumerate(given):
        found = {label: place for place, label in enumerate(dict.fromkeys(row.tolist()))}
        different[number, : len(found)] = list(found)
        places[number] = [found[label] for label in row.tolist()]
    return wrap(different), wrap(places)


@public("nn.collapse_repeated")
def collapse_repeated(
    labels: NumericLike, seq_length: NumericLike, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Rows of labels with repeats merged, and how many remain in each.

    >>> import cinta as tf
    >>> merged, lengths = tf.nn.collapse_repeated([[1, 1, 2], [3, 4, 0]], [3, 2])
    >>> merged.numpy(), lengths.numpy()
    (array([[1, 2],
           [3, 4]], dtype=int32), array([2, 2], dtype=int32))

    Args:
        labels: Integers ``[batch, time]``.
        seq_length: How many labels of each row count.

    Raises:
        InvalidArgumentError: If ``labels`` has not two axes.
    """
    given, lengths = _rows_of("CollapseRepeated", labels), integers(seq_length, "seq_length")
    if len(given) != len(lengths):
        raise InvalidArgumentError(
            f"seq_length must have a length for each of {len(given)} rows, got {len(lengths)}."
        )
    rows = []
    for row, length in zip(given, lengths, strict=True):
        some = row[:length]
        rows.append(some[np.append(True, some[1:] != some[:-1])[: len(some)]])
    counts = [len(row) for row in rows]
    merged = np.zeros((len(rows), max(counts, default=0)), given.dtype)
    for number, row in enumerate(rows):
        merged[number, : len(row)] = row
    return wrap(merged), wrap(np.array(counts, as_tensor(seq_length)._array.dtype))
