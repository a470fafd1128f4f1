"""Rows of sparse tensors: gradients flow through their values."""

import numpy as np

import cinta as tf

from .domains import distinct, positive, real
from .row import Row

INDICES = [[0, 1], [0, 3], [2, 0], [2, 2], [2, 3]]
OTHERS = [[0, 1], [1, 0], [2, 2]]
VALUES = distinct(5)
MANY = np.argwhere(np.ones((60, 40)))[::3]


def matrix(values, indices=INDICES):
    return tf.SparseTensor(indices, values, [3, 4])


def of_values(name, function, *inputs, **options):
    """A row of a function of the sparse matrix with the squares of these values."""

    def row(values, *others):
        found = function(matrix(values * values), *others)
        return found.values if isinstance(found, tf.SparseTensor) else found

    return Row(row, *(inputs or [VALUES]), name=f"sparse.{name}", **options)


sparse = tf.sparse

ROWS = [
    of_values("to_dense", lambda x, nothing: sparse.to_dense(x, nothing) ** 2, VALUES, real()),
    of_values("sparse_dense_matmul", sparse.sparse_dense_matmul, VALUES, real(4, 2), loose=3.0),
    of_values(
        "sparse_dense_matmul adjoint",
        lambda x, b: sparse.sparse_dense_matmul(x, b, adjoint_a=True, adjoint_b=True),
        VALUES,
        real(2, 3),
        loose=3.0,
    ),
    of_values(
        "sparse_dense_matmul of a dense and a sparse one",
        lambda x, b: sparse.sparse_dense_matmul(b, x),
        VALUES,
        real(2, 3),
        loose=3.0,
    ),
    of_values("reduce_sum", lambda x: sparse.reduce_sum(x, 1)),
    of_values("reduce_max", lambda x: sparse.reduce_max(x, 1, output_is_sparse=True)),
    of_values("add", lambda x, v: sparse.add(x, matrix(v, OTHERS)), VALUES, real(3)),
    of_values("add dense", lambda x, y: sparse.add(y, x), VALUES, real(3, 4)),
    of_values(
        "maximum", lambda x, v: sparse.maximum(x, matrix(v, OTHERS)), VALUES, 9 * positive(3)
    ),
    of_values("minimum", lambda x, v: sparse.minimum(x, matrix(v, OTHERS)), VALUES, -positive(3)),
    of_values("softmax", sparse.softmax),
    of_values("map_values", lambda x: sparse.map_values(tf.sin, x)),
    of_values("product with a dense one", lambda x, y: x * y, VALUES, real(4)),
    of_values("quotient by a dense one", lambda x, y: x / y, VALUES, positive(3, 1)),
    of_values("slice", lambda x: sparse.slice(x, [0, 1], [3, 3])),
    of_values("concat", lambda x: sparse.concat(1, [x, x])),
    of_values("split", lambda x: sparse.split(x, 2, 1)[1]),
    of_values("transpose", sparse.transpose),
    of_values(
        "fill_empty_rows", lambda x, y: sparse.fill_empty_rows(x, y)[0], VALUES, real(), loose=1.0
    ),
    Row(lambda x: sparse.from_dense(x * x).values, distinct(3, 2), name="sparse.from_dense"),
    Row(
        lambda v, a, b: sparse.sampled_addmm(INDICES, v, [3, 4], a, b, 0.5, 2.0, v.dtype)[1],
        VALUES,
        real(3, 2),
        real(2, 4),
        name="sparse.sampled_addmm",
        loose=3.0,
    ),
    Row(
        lambda w: (
            sparse.bincount(
                tf.SparseTensor(INDICES, [1, 1, 0, 2, 0], [3, 4]), matrix(w * w), axis=-1
            ).values
        ),
        VALUES,
        name="sparse.bincount",
        dtypes=("float32",),
    ),
]
