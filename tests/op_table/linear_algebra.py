"""Rows of linear algebra: products, diagonals, systems of equations, decompositions."""

import numpy as np

import cinta as tf

from .domains import complex_numbers, definite, real, regular
from .row import Row

linalg = tf.linalg
SINGLE = ("float32",)  # LAPACK knows no half precision

Z = complex_numbers(3, 3) + regular(3, 3)
W = complex_numbers(3, 2)
TALL = real(4, 2)
WIDE = real(2, 4)
BANDS = real(3, 4) + np.array([[0.0], [5.0], [0.0]])


def row(function, *inputs, name=None, **options):
    return Row(function, *inputs, name=name or function.__name__, **{"dtypes": SINGLE} | options)


def on_complex(function, *inputs, **options):
    return row(function, *inputs, name=f"{function.__name__} complex", dtypes=(), **options)


def from_singular(x, **options):
    """A value that does not depend on the vectors' signs or phases."""
    s, u, v = linalg.svd(x, **options)
    rank = s.shape[-1]
    scaled = u[..., :rank] * tf.cast(s * s, u.dtype)[..., tf.newaxis, :]
    return s, tf.matmul(scaled, v[..., :rank], adjoint_b=True), tf.abs(u), tf.abs(v)


def from_eigen(x):
    values, vectors = linalg.eigh(x + linalg.adjoint(x))
    return tf.math.real(values), tf.abs(vectors)


def from_any_eigen(x):
    values, vectors = linalg.eig(x)
    return values, tf.abs(vectors)


def triangle(x):
    return linalg.cholesky(tf.matmul(x, x, adjoint_b=True))


PRODUCTS = [
    Row(tf.matmul, real(2, 3), real(3, 4)),
    Row(
        lambda a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True),
        real(3, 2),
        real(4, 3),
        name="matmul transposed",
    ),
    Row(tf.matmul, real(5, 2, 3), real(3, 4), name="matmul stack and matrix"),
    Row(tf.matmul, real(2, 1, 2, 3), real(3, 3, 2), name="matmul broadcast"),
    Row(
        lambda a, b: tf.matmul(a, b, transpose_a=True),
        real(2, 1, 3, 2),
        real(3, 2),
        name="matmul stack transposed",
    ),
    row(lambda a, b: tf.matmul(a, b, adjoint_a=True), Z, W, name="matmul adjoint", dtypes=()),
    Row(linalg.matvec, real(2, 3, 4), real(2, 4)),
    Row(
        lambda a, b: tf.tensordot(a, b, [[0, 2], [1, 0]]),
        real(2, 3, 4),
        real(4, 2),
        name="tensordot",
    ),
    Row(lambda a, b: tf.tensordot(a, b, 0), real(2), real(3), name="tensordot outer"),
    Row(linalg.cross, real(2, 3), 1.5 - real(2, 3)),
]
EINSUM = [
    Row(lambda *x, equation=equation: tf.einsum(equation, *x), *inputs, name=f"einsum {equation}")
    for equation, *inputs in (
        ("ij,jk->ik", real(2, 3), real(3, 4)),
        ("bqhd,bkhd->bhqk", real(2, 2, 2, 3), real(2, 3, 2, 3)),
        ("iji->j", real(2, 3, 2)),
        ("...i,...i->...", real(2, 1, 3), real(4, 3)),
        ("ij,k,kl->il", real(2, 3), real(4), real(4, 2)),
        ("i,j", real(2), real(3)),
    )
]
DIAGONALS = [
    Row(linalg.diag, real(2, 3)),
    Row(lambda x: linalg.diag(x, k=(-1, 1), num_rows=4), real(2, 3, 3), name="diag of three"),
    Row(lambda x: linalg.diag_part(x, k=(-1, 2)), real(2, 3, 4), name="diag_part"),
    Row(
        lambda x: linalg.diag_part(x, k=(-1, 2), padding_value=3.0),
        real(2, 3, 4),
        name="diag_part with padding",
    ),
    Row(
        lambda x: linalg.diag(x, num_rows=4, padding_value=3.0),
        real(2, 3),
        name="diag with padding",
    ),
    Row(linalg.set_diag, real(2, 3, 4), real(2, 3)),
    Row(lambda x: linalg.band_part(x, 1, 0), real(2, 3, 4), name="band_part"),
    Row(linalg.trace, real(2, 3, 4)),
    Row(linalg.tensor_diag, real(2, 3)),
    Row(linalg.tensor_diag_part, real(2, 3, 2, 3)),
    Row(linalg.adjoint, complex_numbers(2, 3), name="adjoint", dtypes=()),
]
EQUATIONS = [
    row(linalg.inv, regular(2, 3, 3)),
    on_complex(linalg.inv, Z),
    row(linalg.det, regular(2, 3, 3)),
    on_complex(linalg.det, Z),
    row(lambda x: linalg.slogdet(x)[1], regular(2, 3, 3), name="slogdet"),
    row(lambda x: linalg.logdet(tf.matmul(x, x, transpose_b=True)), regular(3, 3), name="logdet"),
    row(triangle, regular(2, 3, 3), name="cholesky"),
    on_complex(triangle, Z),
    row(linalg.cholesky_solve, regular(3, 3), real(3, 2)),
    row(linalg.solve, regular(2, 3, 3), real(2, 3, 2)),
    row(lambda a, b: linalg.solve(a, b, adjoint=True), Z, W, name="solve adjoint", dtypes=()),
    row(linalg.triangular_solve, regular(3, 3), real(2, 3, 2)),
    row(
        lambda a, b: linalg.triangular_solve(a, b, lower=False, adjoint=True),
        Z,
        W,
        name="triangular_solve upper adjoint",
        dtypes=(),
    ),
    row(lambda a, b: linalg.lstsq(a, b, l2_regularizer=0.3), TALL, real(4, 3), name="lstsq"),
    row(linalg.lstsq, WIDE, real(2, 3), name="lstsq wide"),
    row(lambda a, b: linalg.lstsq(a, b, fast=False), TALL, real(4, 3), name="lstsq not fast"),
    row(linalg.tridiagonal_solve, BANDS, real(4, 2)),
    row(linalg.tridiagonal_matmul, BANDS, real(4, 2)),
    row(linalg.eigh_tridiagonal, real(4), real(3)),
    row(linalg.banded_triangular_solve, 3.0 + BANDS[:2], real(4, 2)),
    row(lambda a, b: linalg.lu_solve(a, [2, 0, 1], b), regular(3, 3), real(3, 2), name="lu_solve"),
    row(lambda a: linalg.lu_reconstruct(a, [2, 0, 1]), regular(3, 3), name="lu_reconstruct"),
]
FUNCTIONS = [
    row(linalg.expm, real(2, 3, 3)),
    on_complex(linalg.expm, 0.3 * Z),
    row(linalg.sqrtm, definite(3, 3)),
    row(linalg.pinv, TALL),
    row(linalg.pinv, WIDE, name="pinv wide"),
    on_complex(linalg.pinv, W),
]
DECOMPOSITIONS = [
    row(linalg.qr, TALL),
    row(linalg.qr, real(2, 2, 4), name="qr wide"),
    on_complex(linalg.qr, W),
    row(from_singular, real(2, 3, 3), name="svd"),
    row(from_singular, TALL, name="svd tall"),
    row(from_singular, WIDE, name="svd wide"),
    on_complex(from_singular, W),
    row(lambda x: from_singular(x, full_matrices=True), real(3, 2), name="svd full_matrices"),
    row(lambda x: linalg.svd(x, compute_uv=False), WIDE, name="svd values"),
    row(from_eigen, real(2, 3, 3), name="eigh"),
    on_complex(from_eigen, Z),
    row(lambda x: linalg.eigvalsh(x + linalg.adjoint(x)), real(3, 3), name="eigvalsh"),
    row(from_any_eigen, regular(3, 3), name="eig", dtypes=()),
    row(linalg.eigvals, regular(3, 3), dtypes=()),
]
ROWS = PRODUCTS + EINSUM + DIAGONALS + EQUATIONS + FUNCTIONS + DECOMPOSITIONS
