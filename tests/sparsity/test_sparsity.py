"""Sparse Jacobians and Hessians: right against dense ones, with few products, at any size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from cinta.autodiff import (
    sparse_hessian,
    sparse_hessian_plan,
    sparse_jacobian,
    sparse_jacobian_plan,
)
from tests.sparsity.sparse_cases import (
    dense_jacobian,
    fits,
    hessian_is_right,
    is_right,
    numbers,
    rosenbrock,
    tridiagonal,
)

# -- patterns ------------------------------------------------------------------------------------


def test_tridiagonal():
    plan = is_right(tridiagonal, numbers(50), products=3, nonzeros=148)
    assert plan.mode == "columns"


def test_chained_rosenbrock():
    hessian_is_right(rosenbrock, numbers(50), products=3, nonzeros=148)


def test_diagonal():
    is_right(tf.sin, numbers(20), products=1, nonzeros=20)
    hessian_is_right(lambda x: tf.reduce_sum(tf.exp(x)), numbers(20), products=1, nonzeros=20)


@pytest.mark.parametrize("size", [2, 5])
def test_block_diagonal(size):
    weights = numbers(8, size, size, seed=1)

    def blocks(x):
        return tf.tanh(tf.linalg.matvec(weights, tf.reshape(x, [8, size])))

    is_right(blocks, numbers(8 * size), products=size, nonzeros=8 * size * size)
    hessian_is_right(lambda x: tf.reduce_sum(blocks(x)), numbers(8 * size), products=size)


@pytest.mark.parametrize("width", [1, 3, 6])
def test_banded(width):
    def banded(x):
        parts = [tf.roll(x, k, 0) * (k + 1.0) for k in range(width + 1)]
        return tf.add_n(parts) ** 2

    is_right(banded, numbers(60), products=2 * width + 2, nonzeros=60 * (width + 1))


def test_arrow():
    def arrow(x):
        return tf.concat([[tf.reduce_sum(x * x)], x[1:] * x[0]], 0)

    plan = is_right(arrow, numbers(40), products=3, nonzeros=40 + 2 * 39)
    assert plan.mode == "both"
    transposed = is_right(lambda x: x * x[0] + x[-1], numbers(40), products=3)
    assert transposed.mode == "columns"


def test_arrow_with_a_band():
    def f(x):
        return tf.concat([[tf.reduce_sum(x * x)], x[1:] * x[0] + x[:-1]], 0)

    is_right(f, numbers(40), products=4)


def test_wide_blocks_beside_a_dense_column_go_both_ways():
    def f(x):
        return tf.reduce_sum(tf.reshape(x[1:] ** 2, [30, 20]), axis=1) * x[0]

    plan = is_right(f, numbers(601), products=2)
    assert plan.mode == "both"


def test_arrow_hessian():
    hessian_is_right(lambda x: tf.reduce_sum(x[0] * x**2), numbers(40), products=2)
    hessian_is_right(lambda x: x[3] * tf.reduce_sum(tf.sin(x)), numbers(40), products=2)


def by_slices(x):
    inner = x[1:-1, 1:-1]
    return 4.0 * inner - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]


def by_pad(x):
    return by_slices(tf.pad(x, [[1, 1], [1, 1]]))


def by_roll(x):
    return 4.0 * x - sum(tf.roll(x, step, axis) for step in (1, -1) for axis in (0, 1))


def by_convolution(x):
    stencil = tf.constant([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]], tf.float64)
    image = x[None, :, :, None]
    return tf.nn.conv2d(image, stencil[:, :, None, None], 1, "SAME")[0, :, :, 0]


@pytest.mark.parametrize("laplacian", [by_slices, by_pad, by_roll, by_convolution])
def test_grid_laplacian(laplacian):
    x = numbers(9, 11)
    is_right(lambda x: laplacian(x) + x[:7, :9] if laplacian is by_slices else laplacian(x), x, 25)
    hessian_is_right(lambda x: tf.reduce_sum(laplacian(x) ** 3), x)


def test_convolution_takes_a_product_for_each_place_in_the_window():
    is_right(by_convolution, numbers(30, 30), products=13)


def test_reductions_and_softmaxes_depend_on_their_axis_only():
    x = numbers(12, 4)
    is_right(lambda x: tf.reduce_sum(x * x, axis=1), x, products=1, nonzeros=48)
    is_right(lambda x: tf.reduce_max(x, axis=0, keepdims=True), x, products=1, nonzeros=48)
    is_right(lambda x: tf.nn.softmax(x), x, products=4, nonzeros=12 * 16)
    is_right(lambda x: tf.cumsum(x, axis=1), x, products=4)


def test_linear_algebra_depends_on_its_matrix_only():
    x = numbers(6, 3, 3)
    is_right(tf.linalg.inv, x, products=9, nonzeros=6 * 81)
    is_right(lambda b: tf.linalg.solve(x, b), numbers(6, 3, 2), products=3, nonzeros=6 * 18)


def test_a_product_with_a_constant_matrix_has_its_zeros():
    matrix = np.diag(np.arange(1.0, 31)) + np.diag(np.ones(28), 2)
    is_right(lambda x: tf.linalg.matvec(matrix, x) ** 2, numbers(30), products=3, nonzeros=58)
    is_right(lambda x: x[None] @ matrix, numbers(30), products=3, nonzeros=58)
    is_right(lambda x: tf.matmul(x[None], matrix, transpose_b=True), numbers(30), 3, 58)
    quadratic = lambda x: tf.reduce_sum(x * tf.linalg.matvec(matrix, x))  # noqa: E731
    hessian_is_right(quadratic, numbers(30), products=4, nonzeros=30 + 2 * 28)


def test_a_product_with_a_sparse_tensor_has_its_structure():
    matrix = tf.sparse.from_dense(np.diag(np.arange(1.0, 31)) + np.diag(np.ones(28), 2))
    product = lambda x: tf.sparse.sparse_dense_matmul(matrix, x[:, None] ** 2)  # noqa: E731
    is_right(product, numbers(30), products=3, nonzeros=58)


def test_signals():
    is_right(lambda x: tf.signal.frame(x, 4, 4) ** 2, numbers(40), products=1, nonzeros=40)
    is_right(lambda x: tf.signal.overlap_and_add(x**2, 2), numbers(9, 4), products=2)


@pytest.mark.parametrize("seed", range(5))
def test_random_gathers_and_scatters(seed):
    draw = np.random.default_rng(seed)
    places, targets = draw.integers(0, 40, (2, 60))

    def f(x):
        taken = tf.gather(x, places) * tf.gather(x, places[::-1])
        return tf.tensor_scatter_nd_add(tf.sin(x), targets[:, None], taken)

    is_right(f, numbers(40))
    is_right(lambda x: tf.math.unsorted_segment_sum(tf.gather(x, places), targets, 50), numbers(40))
    hessian_is_right(lambda x: tf.reduce_sum(f(x) ** 2), numbers(40))


def test_joining_taking_apart_and_turning():
    def f(x):
        first, second = tf.split(x, 2)
        stacked = tf.transpose(tf.stack([first, tf.reverse(second, [0])]))
        chosen = tf.where(stacked > 0.0, stacked**2, tf.reshape(x, stacked.shape))
        return tf.concat([tf.reshape(chosen, [-1]), x[::3]], 0)

    is_right(f, numbers(24), products=4)


# -- ends ----------------------------------------------------------------------------------------


def test_dense():
    weights = numbers(30, 30, seed=1)
    plan = is_right(lambda x: tf.tanh(tf.linalg.matvec(weights, x)), numbers(30), 30, 900)
    assert plan.mode == "columns"
    hessian_is_right(lambda x: tf.reduce_logsumexp(x), numbers(30), products=30, nonzeros=900)


def test_wide_and_high():
    gradient = is_right(lambda x: tf.reduce_sum(x * x), numbers(30), products=1, nonzeros=30)
    assert gradient.mode == "rows"
    column = is_right(lambda x: x * tf.ones([30], tf.float64), numbers(1), products=1)
    assert column.mode == "columns"


def test_empty():
    is_right(lambda x: tf.ones([3], tf.float64), numbers(4), products=0, nonzeros=0)
    is_right(lambda x: tf.round(x), numbers(4), products=0, nonzeros=0)
    is_right(lambda x: x[:0], numbers(4), products=0, nonzeros=0)
    is_right(lambda x: x * 2.0, tf.zeros([0], tf.float64), products=0, nonzeros=0)
    hessian_is_right(lambda x: tf.reduce_sum(3.0 * x), numbers(4), products=0, nonzeros=0)
    hessian_is_right(lambda x: tf.constant(1.0, tf.float64), numbers(4), products=0, nonzeros=0)


def test_scalar():
    is_right(lambda x: x**3, numbers(), products=1, nonzeros=1)
    hessian_is_right(lambda x: x**3, numbers(), products=1, nonzeros=1)
    assert sparse_jacobian(lambda x: x * x)(3.0).toarray() == [[6.0]]


def test_nests_are_read_in_flat_order():
    def f(p):
        return {"u": p["a"] * p["b"][:2], "v": [p["b"] ** 2]}

    x = {"b": numbers(3), "a": numbers(2, seed=1)}
    found = sparse_jacobian(f)(x)
    a, b = x["a"].numpy(), x["b"].numpy()
    expected = np.block(
        [[np.diag(b[:2]), np.diag(a), np.zeros((2, 1))], [np.zeros((3, 2)), 2 * np.diag(b)]]
    )
    np.testing.assert_allclose(found.toarray(), expected)


def test_dtypes():
    x = numbers(5)
    for dtype, expected in ((tf.float32, np.float32), (tf.float16, np.float32)):
        found = sparse_jacobian(tridiagonal)(tf.cast(x, dtype))
        assert found.dtype == expected
        np.testing.assert_allclose(found.toarray(), dense_jacobian(tridiagonal, x), atol=0.02)
    mixed = sparse_jacobian(lambda p: p[0] * tf.cast(p[1], tf.float32))
    assert mixed([tf.constant([1.0]), tf.constant([2.0], tf.float64)]).toarray().tolist() == [
        [2.0, 1.0]
    ]


def test_what_cannot_be_had_is_refused():
    with pytest.raises(TypeError, match="int32"):
        sparse_jacobian(lambda x: x)(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="complex64"):
        sparse_jacobian(lambda x: tf.cast(x, tf.complex64))(tf.constant([1.0]))
    with pytest.raises(ValueError, match="one number"):
        sparse_hessian(lambda x: x)(tf.constant([1.0, 2.0]))
    with pytest.raises(TypeError, match="function"):
        sparse_jacobian(3)
    with pytest.raises(ValueError, match="nothing to differentiate"):
        sparse_jacobian(lambda x: x)([])


# -- at random -----------------------------------------------------------------------------------

STEPS = [
    lambda x, k: tf.sin(x) * x,
    lambda x, k: tf.roll(x, k, 0),
    lambda x, k: x + tf.reverse(x, [0]) ** 2,
    lambda x, k: tf.gather(x, (np.arange(12) * (k + 2)) % 12),
    lambda x, k: tf.concat([x[k % 12 :] ** 2, x[: k % 12]], 0),
    lambda x, k: tf.reshape(tf.transpose(tf.reshape(x, [3, 4])), [12]),
    lambda x, k: tf.reshape(tf.cumsum(tf.reshape(x, [3, 4]), axis=1), [12]),
    lambda x, k: x * tf.reduce_max(x[: k % 4 + 1]),
    lambda x, k: tf.tensor_scatter_nd_update(x, [[k % 12]], [x[0] * x[1]]),
    lambda x, k: tf.where(x > 0.0, x, tf.roll(x, k, 0)),
    lambda x, k: tf.pad(x[1:-1], [[2, 0]]) * x,
    lambda x, k: tf.reshape(tf.nn.softmax(tf.reshape(x, [6, 2])), [12]),
]

programs = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), max_size=5)


@settings(max_examples=150)
@given(programs, st.integers(0, 100))
def test_random_programs(program, seed):
    def f(x):
        for step, k in program:
            x = step(x, k)
        return x

    x = numbers(12, seed=seed)
    is_right(f, x)
    hessian_is_right(lambda x: tf.reduce_sum(f(x) ** 2), x)


@settings(max_examples=100)
@given(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1), st.integers(0, 1000), st.booleans())
def test_random_structures(height, width, density, seed, arrow):
    draw = np.random.default_rng(seed)
    matrix = np.where(draw.random((height, width)) < density**2, draw.random((height, width)), 0)
    if arrow:
        matrix[0], matrix[:, 0] = 1.0, 2.0
    rows, columns = matrix.nonzero()

    def f(x):
        terms = tf.gather(x, columns) * matrix[rows, columns]
        return tf.math.unsorted_segment_sum(terms, rows, height)

    plan = is_right(f, numbers(width), nonzeros=len(rows))
    assert sum(plan._partition.counts()) <= min(height, width)


# -- at size -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [200_000])
def test_large_ones_take_few_products(size):
    x = numbers(size)
    jacobian = sparse_jacobian_plan(tridiagonal, x)
    fits(jacobian, 3, 3 * size - 2)
    a, b = x.numpy(), np.cos(x.numpy())
    np.testing.assert_allclose(jacobian(x).diagonal(), 2 * a)
    np.testing.assert_allclose(jacobian(x).diagonal(-1)[:-1], b[:-2] - a[2:])
    hessian = sparse_hessian_plan(rosenbrock, x)
    fits(hessian, 3, 3 * size - 2)
    np.testing.assert_allclose(hessian(x).diagonal(1), -400 * a[:-1], rtol=1e-9, atol=1e-9)


def test_a_large_random_structure_is_colored_well():
    draw = np.random.default_rng(0)
    places = draw.integers(0, 50_000, (50_000, 4))
    x = numbers(50_000)
    plan = sparse_jacobian_plan(lambda x: tf.reduce_sum(tf.gather(x, places) ** 2, axis=1), x)
    assert sum(plan._partition.counts()) < 25
    assert np.isfinite(plan.evaluate(x, check=True).data).all()
