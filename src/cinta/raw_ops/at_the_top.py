"""Ops that TensorFlow shows beside its functions, as ``tf.conv``, with arguments by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cinta as tf

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import NumericLike


@public("approx_top_k")
def approx_top_k(
    input: NumericLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    is_max_k: bool = True,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tuple[tf.Tensor, ...]:
    """The largest numbers along an axis, and their indices: here all of them, with none left out.

    >>> import cinta as tf
    >>> tf.approx_top_k([1.0, 5.0, 3.0, 2.0], 2).indices.numpy()
    array([1, 2], dtype=int32)

    Args:
        input: The numbers.
        k: How many to take.
        reduction_dimension: The axis.
        recall_target: The share of the largest numbers that must be found.
        is_max_k: Whether the largest ones are asked for, and not the smallest.
        reduction_input_size_override: Accepted.
        aggregate_to_topk: Accepted.
    """
    found: tuple[tf.Tensor, ...] = tf.raw_ops.ApproxTopK(
        input=input,
        k=k,
        reduction_dimension=reduction_dimension,
        recall_target=recall_target,
        is_max_k=is_max_k,
        reduction_input_size_override=reduction_input_size_override,
        aggregate_to_topk=aggregate_to_topk,
    )
    return found


@public("conv")
def conv(
    input: NumericLike,
    filter: NumericLike,
    strides: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int] = (),
    data_format: str = "CHANNELS_LAST",
    dilations: Sequence[int] = (),
    batch_dims: int = 1,
    groups: int = 1,
    name: str | None = None,
) -> tf.Tensor:
    """The convolution with two or three axes of space, by the shape of the input.

    >>> import cinta as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> w = tf.reshape(tf.range(4.0), [2, 2, 1, 1])
    >>> tf.reshape(tf.conv(x, w, [1, 2, 2, 1], "VALID"), [-1]).numpy()
    array([24., 36., 72., 84.], dtype=float32)

    Args:
        input: Images or volumes.
        filter: The filters: axes of space, channels, filters.
        strides: The steps of the window along all axes.
        padding: "SAME", "VALID" or "EXPLICIT".
        explicit_paddings: How many zeros go around, with "EXPLICIT".
        data_format: "CHANNELS_LAST" or "CHANNELS_FIRST".
        dilations: The distance of the window's elements along all axes.
        batch_dims: How many first axes number the images.
        groups: The number of groups of channels that do not mix.
    """
    found: tf.Tensor = tf.raw_ops.Conv(
        input=input,
        filter=filter,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit_paddings,
        data_format=data_format,
        dilations=dilations,
        batch_dims=batch_dims,
        groups=groups,
    )
    return found


@public("random_index_shuffle")
def random_index_shuffle(
    index: NumericLike,
    seed: NumericLike,
    max_index: NumericLike,
    rounds: int = 4,
    name: str | None = None,
) -> tf.Tensor:
    """Where an index comes to lie in an order of the numbers up to ``max_index``, by the seed.

    >>> import cinta as tf
    >>> tf.random_index_shuffle(tf.constant(2), tf.constant([1, 2, 3]), tf.constant(3)).numpy()
    np.int32(3)

    Args:
        index: The index, or a vector of them.
        seed: Three integers, or a row of them for each index.
        max_index: The largest index, or one for each.
        rounds: How often the order is mixed, from 4 to 64 times.
    """
    found: tf.Tensor = tf.raw_ops.RandomIndexShuffle(
        index=index, seed=seed, max_index=max_index, rounds=rounds
    )
    return found


@public("ragged_fill_empty_rows")
def ragged_fill_empty_rows(
    value_rowids: NumericLike,
    values: NumericLike,
    nrows: NumericLike,
    default_value: NumericLike,
    name: str | None = None,
) -> tuple[tf.Tensor, ...]:
    """The rows, with a value given to each row that has none.

    The result has the rows of all values, the values, which rows were empty, and where each of the
    given values has gone.

    >>> import cinta as tf
    >>> rows = tf.constant([0, 2, 2], tf.int64)
    >>> tf.ragged_fill_empty_rows(rows, [1.0, 2.0, 3.0], 4, 9.0).output_values.numpy()
    array([1., 9., 2., 3., 9.], dtype=float32)

    Args:
        value_rowids: The row of each value, in order.
        values: The values.
        nrows: The number of rows.
        default_value: The value for rows without one.
    """
    found: tuple[tf.Tensor, ...] = tf.raw_ops.RaggedFillEmptyRows(
        value_rowids=value_rowids, values=values, nrows=nrows, default_value=default_value
    )
    return found


@public("ragged_fill_empty_rows_grad")
def ragged_fill_empty_rows_grad(
    reverse_index_map: NumericLike, grad_values: NumericLike, name: str | None = None
) -> tuple[tf.Tensor, ...]:
    """The gradients of ``ragged_fill_empty_rows``: those of the values and of the default value.

    >>> import cinta as tf
    >>> went = tf.constant([0, 2, 3], tf.int64)
    >>> tf.ragged_fill_empty_rows_grad(went, [1.0, 2.0, 3.0, 4.0, 5.0]).d_default_value.numpy()
    np.float32(7.0)

    Args:
        reverse_index_map: Where each value has gone.
        grad_values: The gradient of all values.
    """
    found: tuple[tf.Tensor, ...] = tf.raw_ops.RaggedFillEmptyRowsGrad(
        reverse_index_map=reverse_index_map, grad_values=grad_values
    )
    return found
