"""Linear algebra where it matters: conventions, special matrices, dtypes, errors."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import gradient, random

linalg = tf.linalg
InvalidArgument = tf.errors.InvalidArgumentError
NAN = np.nan


# -- diagonals ---------------------------------------------------------------------------------

BAND = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.mark.parametrize(
    ("align", "expected"),
    [
        ("RIGHT_LEFT", [[9, 3], [2, 6], [1, 5], [4, 9]]),
        ("LEFT_RIGHT", [[3, 9], [2, 6], [1, 5], [9, 4]]),
        ("LEFT_LEFT", [[3, 9], [2, 6], [1, 5], [4, 9]]),
        ("RIGHT_RIGHT", [[9, 3], [2, 6], [1, 5], [9, 4]]),
    ],
)
def test_diagonals_are_aligned_as_told_and_put_back(align, expected):
    band = linalg.diag_part(BAND, k=(-1, 2), padding_value=9, align=align)
    np.testing.assert_array_equal(band, expected)
    back = linalg.diag(band, k=(-1, 2), num_rows=2, num_cols=3, align=align)
    np.testing.assert_array_equal(back, BAND)


def test_a_diagonal_makes_the_smallest_matrix_that_holds_it():
    assert linalg.diag([1.0, 2.0], k=1).shape == (3, 3)
    assert linalg.diag([1.0, 2.0], k=-1, num_cols=5).shape == (3, 5)
    np.testing.assert_array_equal(linalg.diag([1, 2], padding_value=7), [[1, 7], [7, 2]])


def test_set_diag_leaves_the_rest_and_stops_its_gradient_where_it_sets():
    by_matrix, by_diagonal = gradient(linalg.set_diag, np.ones((2, 3)), np.array([5.0, 6.0]))
    np.testing.assert_array_equal(by_matrix, [[0, 1, 1], [1, 0, 1]])
    np.testing.assert_array_equal(by_diagonal, [1, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: linalg.band_part(x, 3, 0), "number of rows"),
        (lambda x: linalg.band_part(x[0], 0, 0), "rank >= 2"),
        (lambda x: linalg.diag(x, num_rows=1), "number of rows is too small"),
        (lambda x: linalg.diag(x, k=(1, -1)), "must not be larger"),
        (lambda x: linalg.diag(x, k=(0, 2)), "number of diagonals"),
        (lambda x: linalg.diag(x, align="UP"), "LEFT_RIGHT"),
        (lambda x: linalg.diag_part(x, k=5), "out of bound: 5"),
        (lambda x: linalg.set_diag(x, x), "must have the shape"),
        (linalg.tensor_diag_part, "both halves"),
    ],
)
def test_diagonals_that_are_not_there_are_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call(tf.ones([2, 3]))


# -- inverses and systems ----------------------------------------------------------------------

SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


def test_a_singular_matrix_has_a_determinant_but_neither_inverse_nor_gradient():
    with pytest.raises(InvalidArgument, match=r"Input is not invertible\."):
        linalg.inv(np.zeros((2, 2)))
    with pytest.raises(InvalidArgument, match=r"Input matrix is not invertible\."):
        linalg.solve(np.zeros((2, 2)), np.ones((2, 1)))
    assert linalg.det(SINGULAR * 0).numpy() == 0
    with pytest.raises(InvalidArgument, match=r"Input is not invertible\."):
        gradient(linalg.det, SINGULAR * 0)
    assert linalg.slogdet(SINGULAR * 0)[1].numpy() == -np.inf


def test_a_singular_triangle_gives_inf_and_nan_as_substitution_does():
    result = linalg.triangular_solve(tf.zeros([2, 2]), tf.ones([2, 1]))
    np.testing.assert_array_equal(result, [[np.inf], [NAN]])


def test_only_one_triangle_is_read():
    a, b = random(3, 3) + 3 * np.eye(3), random(3, 2)
    np.testing.assert_allclose(linalg.triangular_solve(a, b), np.linalg.solve(np.tril(a), b))
    by_matrix, _ = gradient(linalg.triangular_solve, a, b)
    np.testing.assert_array_equal(np.triu(by_matrix, 1), 0)
    garbage = np.array([[4.0, NAN], [2.0, 2.0]])
    np.testing.assert_allclose(linalg.cholesky(garbage), [[2, 0], [1, 1]])
    np.testing.assert_array_equal(gradient(linalg.eigvalsh, random(3, 3))[0, 1:], 0)


def test_the_gradient_of_cholesky_is_symmetric():
    found = gradient(linalg.cholesky, np.array([[4.0, 1.0], [1.0, 3.0]]))
    np.testing.assert_allclose(found, found.T)


def test_of_several_matrices_only_those_not_positive_definite_have_nan_factors():
    factors = linalg.cholesky(np.stack([-np.eye(2), np.eye(2)])).numpy()
    np.testing.assert_array_equal(factors[0], [[NAN, 0], [NAN, NAN]])
    np.testing.assert_array_equal(factors[1], np.eye(2))
    assert np.isnan(linalg.logdet(-np.eye(2)).numpy())


@pytest.mark.parametrize("shape", [(0, 3, 3), (0, 0)])
@pytest.mark.parametrize(
    "function",
    [linalg.inv, linalg.det, linalg.cholesky, linalg.expm, linalg.eigvalsh, linalg.trace],
)
def test_empty_matrices_are_fine(function, shape):
    assert gradient(function, np.zeros(shape)).shape == shape


@pytest.mark.parametrize(
    ("function", "others"),
    [
        (linalg.inv, ()),
        (linalg.det, ()),
        (linalg.cholesky, ()),
        (linalg.eigh, ()),
        (linalg.eig, ()),
        (linalg.expm, ()),
        (linalg.sqrtm, ()),
        (linalg.lu, ()),
        (linalg.solve, (tf.ones([2, 1]),)),
        (linalg.triangular_solve, (tf.ones([2, 1]),)),
    ],
)
def test_matrices_that_are_not_square_are_refused(function, others):
    with pytest.raises(InvalidArgument, match="Input matrix must be square"):
        function(tf.ones([2, 3]), *others)
    with pytest.raises(InvalidArgument, match="rank >= 2"):
        function(tf.ones([3]), *others)


def test_right_hand_sides_that_do_not_fit_are_refused():
    with pytest.raises(InvalidArgument, match="incompatible"):
        linalg.solve(tf.eye(2), tf.ones([3, 1]))
    with pytest.raises(InvalidArgument, match="equal numbers"):
        linalg.solve(tf.eye(2), tf.ones([4, 2, 1]))
    with pytest.raises(InvalidArgument, match="Incompatible shapes"):
        linalg.triangular_solve(tf.eye(2, batch_shape=[4]), tf.ones([3, 2, 1]))


def test_least_squares_by_both_ways_agree():
    a, b = random(5, 3), random(5, 2)
    fast, slow = linalg.lstsq(a, b), linalg.lstsq(a, b, fast=False)
    np.testing.assert_allclose(fast, np.linalg.lstsq(a, b)[0])
    np.testing.assert_allclose(slow, fast)


@pytest.mark.parametrize("form", ["compact", "sequence", "short sequence", "matrix"])
def test_three_diagonals_may_come_in_several_forms(form):
    upper, main, lower = random(4), random(4) + 4, random(4)
    matrix = np.diag(main) + np.diag(upper[:-1], 1) + np.diag(lower[1:], -1)
    given = {
        "compact": np.stack([upper, main, lower]),
        "sequence": [upper, main, lower],
        "short sequence": [upper[:-1], main, lower[1:]],
        "matrix": matrix,
    }[form]
    form, b = form.removeprefix("short "), random(4)
    solution = linalg.tridiagonal_solve(given, b, diagonals_format=form)
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, b))
    product = linalg.tridiagonal_matmul(given, b[:, None], diagonals_format=form)
    np.testing.assert_allclose(product, matrix @ b[:, None])


# -- decompositions ----------------------------------------------------------------------------


def test_the_factors_of_every_decomposition_give_the_matrix_back():
    a = random(3, 4, 4, dtype=np.complex128)
    q, r = linalg.qr(a)
    s, u, v = linalg.svd(a)
    values, vectors = linalg.eig(a)
    np.testing.assert_allclose(q @ r, a)
    np.testing.assert_allclose(tf.matmul(u * tf.cast(s, u.dtype)[:, None], v, adjoint_b=True), a)
    np.testing.assert_allclose(vectors * values[:, None], a @ vectors)
    np.testing.assert_allclose(linalg.lu_reconstruct(*linalg.lu(a)), a)
    hermitian = a + linalg.adjoint(a)
    values, vectors = linalg.eigh(hermitian)
    np.testing.assert_allclose(vectors * values[:, None], hermitian @ vectors)
    assert values.dtype == tf.complex128


def test_equal_singular_and_eigenvalues_give_finite_gradients():
    for function in (linalg.svd, linalg.eigh):
        found = gradient(
            lambda x, f=function: sum(tf.reduce_sum(part**3) for part in f(x)), np.eye(3)
        )
        assert np.isfinite(found).all()


def test_vectors_that_are_arbitrary_have_no_gradient():
    with pytest.raises(NotImplementedError, match="full_matrices"):
        gradient(lambda x: linalg.qr(x, full_matrices=True)[0], random(4, 2))
    with pytest.raises(NotImplementedError, match="full_matrices"):
        gradient(lambda x: linalg.svd(x, full_matrices=True)[1], random(4, 2))


def test_nan_gives_nan_and_spoils_no_other_matrix():
    x = np.stack([np.full((2, 2), NAN), np.eye(2)])
    np.testing.assert_array_equal(linalg.svd(x, compute_uv=False), [[NAN, NAN], [1, 1]])
    assert np.isnan(linalg.svd(x)[1].numpy()[0]).all()
    assert np.isnan(linalg.pinv(x).numpy()).tolist() == [[[True] * 2] * 2, [[False] * 2] * 2]


def test_lu_and_logm_have_no_gradient_and_say_so():
    with pytest.raises(LookupError, match="Lu"):
        gradient(lambda x: linalg.lu(x)[0], np.eye(2))
    with pytest.raises(LookupError, match="MatrixLogarithm"):
        gradient(linalg.logm, np.eye(2, dtype=np.complex128))


def test_roots_and_logarithms_are_those_of_scipy():
    a = random(3, 3, dtype=np.complex128)
    np.testing.assert_allclose(linalg.expm(linalg.logm(a)), a)
    root = linalg.sqrtm(a)
    np.testing.assert_allclose(root @ root, a)
    assert np.isnan(linalg.sqrtm(-np.eye(2))).all()


def test_the_exponential_keeps_its_precision_under_a_huge_gradient():
    x = tf.constant(random(3, 3))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = linalg.expm(x)
    small = tape.gradient(y, x, tf.ones([3, 3], tf.float64))
    huge = tape.gradient(y, x, 1e9 * tf.ones([3, 3], tf.float64))
    np.testing.assert_allclose(huge, 1e9 * small, rtol=1e-8)


def test_a_pseudo_inverse_of_low_rank_has_the_true_gradient():
    left, right = random(4, 2), random(2, 3)
    a = left @ right
    np.testing.assert_allclose(linalg.pinv(a), np.linalg.pinv(a))
    assert linalg.matrix_rank(a).numpy() == 2
    with pytest.raises(TypeError, match="float"):
        linalg.pinv(tf.ones([2, 2], tf.int32))
