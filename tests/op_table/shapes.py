"""Rows of what moves elements around: shapes, joining, tiling, padding, indexing, gathering."""

import numpy as np

import cinta as tf

from .domains import complex_numbers, distinct, real
from .row import Row

PLACES = np.array([[0, 2], [1, 1]], np.int32)
MASK = np.array([[True, False, True], [False, True, True]])


def each(x, functions, *more):
    """Rows of functions of the same inputs, by their names."""
    return [Row(function, x, *more, name=name) for name, function in functions.items()]


def squared(function):
    """The function of squares, for ops whose own second derivative is nothing."""
    return lambda x, *more: function(x * x, *more)


ROWS = [
    *each(
        real(2, 3),
        {
            "reshape": lambda x: tf.reshape(x * x, [3, 2]),
            "reshape to vector": lambda x: tf.reshape(x, [-1]),
            "transpose": squared(tf.transpose),
            "expand_dims": lambda x: tf.expand_dims(x * x, -1),
            "squeeze": lambda x: tf.squeeze(x[None] * x, 0),
            "ensure_shape": lambda x: tf.ensure_shape(x * x, [None, 3]),
            "identity_n": lambda x: tf.identity_n([x * x, x]),
            "concat": lambda x: tf.concat([x * x, x[:1], x], 0),
            "concat last axis": lambda x: tf.concat([x, x * x], -1),
            "stack": lambda x: tf.stack([x, x * x]),
            "stack axis 1": lambda x: tf.stack([x, x * x], axis=1),
            "stack scalars": lambda x: tf.stack([x[0, 0], x[1, 2] * x[0, 0]]),
            "unstack": squared(tf.unstack),
            "unstack one used": lambda x: tf.unstack(x * x, axis=1)[1] * 2.0,
            "split": lambda x: tf.split(x * x, [1, 2], axis=1),
            "broadcast_to": lambda x: tf.broadcast_to(x * x, [2, 2, 3]),
            "tile": lambda x: tf.tile(x * x, [2, 3]),
            "repeat": lambda x: tf.repeat(x * x, 2, axis=1),
            "repeat each": lambda x: tf.repeat(x * x, [2, 0, 1], axis=1),
            "pad": lambda x: tf.pad(x * x, [[1, 2], [0, 1]], constant_values=3.0),
            "pad reflect": lambda x: tf.pad(x * x, [[1, 0], [2, 1]], "REFLECT"),
            "pad symmetric": lambda x: tf.pad(x * x, [[1, 2], [2, 1]], "SYMMETRIC"),
            "reverse": lambda x: tf.reverse(x * x, [0, -1]),
            "reverse_sequence": lambda x: tf.reverse_sequence(x * x, [2, 3], seq_axis=1),
            "roll": lambda x: tf.roll(x * x, [1, -2], [0, 1]),
            "slicing": lambda x: x[1:, ::-1] * x[0, 1],
            "slicing new axis": lambda x: (x * x)[..., None, 1],
            "slicing overlap": lambda x: x[:, 1:] * x[:, :-1],
            "slicing nothing": lambda x: x[5:],
            "slice": lambda x: tf.slice(x * x, [0, 1], [-1, 2]),
            "boolean_mask": lambda x: tf.boolean_mask(x * x, MASK),
            "boolean_mask axis": lambda x: tf.boolean_mask(x * x, MASK[0], axis=1),
            "gather": lambda x: tf.gather(x, [1, 0, 1]) ** 2,
            "gather axis": lambda x: tf.gather(x * x, PLACES, axis=1),
            "gather batches": lambda x: tf.gather(x * x, PLACES, batch_dims=1),
            "gather_nd": lambda x: tf.gather_nd(x * x, PLACES[::-1]),
            "gather_nd batches": lambda x: tf.gather_nd(x * x, PLACES[..., None], batch_dims=1),
            "embedding_lookup": lambda x: tf.nn.embedding_lookup(x, [1, 1, 0], max_norm=1.0),
            "scatter_nd": lambda x: tf.scatter_nd([[3], [3]], x * x, [4, 3]),
            "fill": lambda x: tf.fill([2, 2], x[0, 0] * x[0, 1]),
            "dynamic_partition": lambda x: tf.dynamic_partition(x * x, MASK.astype(np.int32), 2),
            "dynamic_stitch": lambda x: tf.dynamic_stitch([[0, 2], [2]], [x, x[:1] * x[:1]]),
            "space_to_batch": lambda x: tf.space_to_batch(x * x, [2], [[1, 0]]),
        },
    ),
    *each(
        real(2, 3, 4),
        {
            "transpose perm": lambda x: tf.transpose(x * x, [1, 2, 0]),
            "matrix_transpose": squared(tf.linalg.matrix_transpose),
            "gather batches inner": lambda x: tf.gather(x * x, PLACES, axis=2, batch_dims=1),
            "gather batches middle": lambda x: tf.gather(x * x, PLACES, axis=1, batch_dims=1),
            "reverse_sequence batch axis": lambda x: tf.reverse_sequence(
                x * x, [0, 1, 2, 2], seq_axis=0, batch_axis=2
            ),
        },
    ),
    *each(
        real(4, 2, 2, 4),
        {
            "batch_to_space": lambda x: tf.batch_to_space(x * x, [2, 1], [[1, 0], [0, 1]]),
            "space_to_depth": lambda x: tf.nn.space_to_depth(x * x, 2),
            "depth_to_space": lambda x: tf.nn.depth_to_space(x * x, 2),
        },
    ),
    *each(
        real(3),
        {
            "meshgrid": lambda x, y: tf.meshgrid(x * x, y),
            "meshgrid ij": lambda x, y: tf.meshgrid(x, y * y, indexing="ij"),
            "linspace": lambda x, y: tf.linspace(x[:2] * x[:2], y, 4),
            "linspace axis": lambda x, y: tf.linspace(x[:2], y * y, 3, axis=-1),
        },
        real(2),
    ),
    *each(
        distinct(3, 2),
        {
            "where": lambda x, y: tf.where(x[:2] > 0.0, x[:2] * x[:2], y),
            "where broadcast": lambda x, y: tf.where(MASK.T, x * x, y[0]),
            "tensor_scatter_nd_add": lambda x, y: tf.tensor_scatter_nd_add(x, [[0], [0]], y * y),
            "tensor_scatter_nd_sub": lambda x, y: tf.tensor_scatter_nd_sub(x, [[2], [0]], y * y),
            "tensor_scatter_nd_update": lambda x, y: tf.tensor_scatter_nd_update(
                x * x, [[2], [0]], y * y
            ),
            "tensor_scatter_nd_max": lambda x, y: tf.tensor_scatter_nd_max(
                x * x, [[2], [0]], y[:2] * x[:2]
            ),
            "tensor_scatter_nd_min": lambda x, y: tf.tensor_scatter_nd_min(
                x * x, [[2], [0]], y[:2] * x[:2]
            ),
        },
        real(2, 2)[:, :1] + np.zeros((2, 2)),
    ),
    Row(lambda z: z[1:] * tf.gather(z, [0]), complex_numbers(3), name="slice complex", dtypes=()),
    Row(
        lambda z: tf.transpose(z * z, conjugate=True),
        complex_numbers(2, 3),
        name="transpose conjugate",
        dtypes=(),
    ),
]
