"""Products of matrices and einsum: shapes, dtypes, gradients, errors."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import random

linalg = tf.linalg
InvalidArgument = tf.errors.InvalidArgumentError


# -- products ----------------------------------------------------------------------------------


@pytest.mark.parametrize("a_shape", [(2, 3), (4, 2, 3), (5, 1, 2, 3)])
@pytest.mark.parametrize("b_shape", [(3, 2), (4, 3, 2)])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_matmul_is_that_of_numpy(a_shape, b_shape, transpose_a, transpose_b):
    a, b = random(*a_shape), random(*b_shape)
    given_a = a.swapaxes(-1, -2) if transpose_a else a
    given_b = b.swapaxes(-1, -2) if transpose_b else b
    result = tf.matmul(given_a, given_b, transpose_a, transpose_b)
    np.testing.assert_allclose(result, a @ b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.complex64])
@pytest.mark.parametrize("lead", [((3,), (3,)), ((2, 1), (3,)), ((1,), (4,))], ids=str)
def test_large_outer_products_are_those_of_their_elements(lead, dtype):
    source = np.random.default_rng(0)
    a, b = [(10 * source.standard_normal((*axes, 1, 100))).astype(dtype) for axes in lead]
    a[..., :3] = 0
    b[..., :2] = -b[..., :2]
    found = tf.matmul(a, b, transpose_a=True).numpy()
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(found, a.swapaxes(-1, -2) * b)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_is_multiplied_in_single_precision(dtype):
    a = tf.cast(tf.fill([1, 4096], 0.5), dtype)
    product = tf.matmul(a, a, transpose_b=True)
    assert product.dtype == dtype
    assert tf.cast(product, tf.float32).numpy() == 1024.0


def test_an_output_type_is_taken_before_the_sum():
    a = tf.constant([[100, 100]], tf.int8)
    assert tf.matmul(a, a, transpose_b=True, output_type=tf.int32).numpy() == 20_000


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ((2, 3), (2, 3), r"Matrix size-incompatible: In\[0\]: \[2,3\], In\[1\]: \[2,3\]"),
        ((3,), (3, 2), r"In\[0\] ndims must be >= 2"),
        ((3, 2), (2,), r"In\[1\] ndims must be >= 2"),
        ((3, 2, 3), (4, 3, 3), "compatible batch dimensions"),
    ],
)
def test_shapes_that_cannot_be_multiplied_are_refused(a, b, message):
    with pytest.raises(InvalidArgument, match=message):
        tf.matmul(tf.ones(a), tf.ones(b))


def test_what_matmul_does_not_take_is_refused():
    a = tf.ones([2, 2])
    with pytest.raises(ValueError, match="Only one of `transpose_b` and `adjoint_b`"):
        tf.matmul(a, a, transpose_b=True, adjoint_b=True)
    with pytest.raises(InvalidArgument, match="was expected to be a float tensor but is a double"):
        tf.matmul(a, tf.cast(a, tf.float64))
    with pytest.raises(InvalidArgument, match="Value for attr 'T' of bool"):
        tf.matmul(a > 0, a > 0)


@pytest.mark.parametrize("axes", [0, 1, 2, [[2, 0], [1, 0]], [1, 1], [[-1], [-2]], [[], []]])
def test_tensordot_is_that_of_numpy(axes):
    a, b = random(3, 2, 2), random(3, 2, 2)
    b = b.transpose(1, 2, 0) if axes in (1, 2) else b
    b = b.reshape(2, 2, 3) if axes == 2 else b
    expected = np.tensordot(a, b, axes)
    np.testing.assert_allclose(tf.tensordot(a, b, axes), expected)


@pytest.mark.parametrize(
    ("axes", "error"),
    [
        (-1, ValueError),
        (3, ValueError),
        ([0], ValueError),
        ([[0, 1], [0]], ValueError),
        ([[0, 0], [0, 0]], ValueError),
        ([[5], [0]], IndexError),
        ([[0], [1]], InvalidArgument),
    ],
)
def test_axes_that_tensordot_cannot_pair_are_refused(axes, error):
    with pytest.raises(error):
        tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), axes)


def test_cross_takes_vectors_of_length_three():
    with pytest.raises(InvalidArgument, match="length 3"):
        linalg.cross(tf.ones([2]), tf.ones([2]))


# -- einsum ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ba", [(2, 3)]),
        ("iij->ij", [(2, 2, 3)]),
        ("iii->i", [(3, 3, 3)]),
        ("ij->", [(2, 3)]),
        ("i...j,j->i...", [(2, 4, 3), (3,)]),
        ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 2)]),
        ("ij,kl->k", [(2, 3), (4, 5)]),
        (",ij->ji", [(), (2, 3)]),
        ("ab,bc,cd,de->ae", [(2, 3), (3, 4), (4, 2), (2, 3)]),
        ("iji,jk->k", [(2, 3, 2), (3, 4)]),
        ("...,...", [(2, 3), (3,)]),
        (" i j , j k -> i k ", [(2, 0), (0, 3)]),
        ("Ij,jk", [(2, 3), (3, 4)]),
    ],
)
def test_einsum_is_that_of_numpy(equation, shapes):
    inputs = [random(*shape) for shape in shapes]
    np.testing.assert_allclose(tf.einsum(equation, *inputs), np.einsum(equation, *inputs))


@pytest.mark.parametrize(
    ("equation", "shapes", "error"),
    [
        ("ij->k", [(2, 3)], ValueError),
        ("i->ii", [(2,)], ValueError),
        ("i1->i", [(2, 3)], ValueError),
        ("..i->i", [(2, 3)], ValueError),
        ("ij,jk->ik", [(2, 3)], ValueError),
        ("ijk->k", [(2, 3)], InvalidArgument),
        ("ij,jk->ik", [(2, 3), (2, 3)], InvalidArgument),
        ("ij,jk->ik", [(2, 3), (1, 3)], InvalidArgument),
        ("...i,...i->...", [(2, 3), (4, 3)], InvalidArgument),
        ("...ij->ij", [(2, 2, 3)], InvalidArgument),
    ],
)
def test_equations_that_make_no_sense_are_refused(equation, shapes, error):
    with pytest.raises(error):
        tf.einsum(equation, *[tf.ones(shape) for shape in shapes])


def test_einsum_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="Valid arguments: name, optimize, greedy"):
        tf.einsum("i->i", tf.ones([2]), order="greedy")


def test_an_einsum_that_changes_nothing_is_a_tensor_of_its_own():
    x = tf.ones([2])
    assert tf.einsum("i->i", x) is not x


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "function", [linalg.qr, linalg.svd, linalg.eigh, linalg.pinv, linalg.cholesky, linalg.det]
)
def test_decompositions_refuse_half_precision_and_say_what_to_do(function, dtype):
    with pytest.raises(InvalidArgument, match=r"use tf\.cast\(x, tf\.float32\)"):
        function(tf.eye(2, dtype=dtype))


def test_einsum_shows_the_equation_that_it_refuses():
    with pytest.raises(ValueError, match="more than once: i,j->ii"):
        tf.einsum("i,j->ii", tf.ones(2), tf.ones(2))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("matrix", [[[0, 0], [0, 0]], [[1, 1], [1, 1]], [[np.nan, 1], [0, 1]]])
def test_matrices_without_a_logarithm(matrix, dtype):
    found = linalg.logm(np.array([matrix, np.eye(2)], dtype)).numpy()
    assert np.isnan([found[0].real, found[0].imag]).all()
    np.testing.assert_array_equal(found[1], 0)


def test_logarithms_of_tiny_and_of_empty_matrices():
    tiny = np.diag([1e-25, 2e-25]).astype(np.complex128)
    np.testing.assert_allclose(linalg.logm(tiny), np.diag(np.log([1e-25, 2e-25])), atol=1e-12)
    assert linalg.logm(np.zeros([2, 0, 0], np.complex64)).shape == (2, 0, 0)


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 2, 2)])
def test_matrices_without_elements_have_triangular_factors(shape):
    factors, order = linalg.lu(np.zeros(shape, np.float32))
    assert (factors.shape, order.shape) == (shape, shape[:-1])


@pytest.mark.parametrize(("order", "axis"), [("euclidean", None), (1, 0), (np.inf, 1), (0.5, -1)])
def test_complex_numbers_are_normalized_by_a_norm_of_their_dtype(order, axis):
    x = np.array([[3 + 4j, 1j], [2.0, 1 - 1j]], np.complex64)
    unit, length = linalg.normalize(x, order, axis)
    assert unit.dtype == length.dtype == tf.complex64
    np.testing.assert_allclose(unit * length, x, rtol=1e-6)
    sizes = linalg.norm(np.abs(x), order, axis, keepdims=True)
    np.testing.assert_allclose(length, tf.cast(sizes, tf.complex64), rtol=1e-6)


def test_the_inverse_of_half_precision_is_computed_in_single_precision():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]], tf.float16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        inverse = tf.linalg.inv(x)
    assert inverse.dtype == tape.gradient(inverse, x).dtype == tf.float16
    exact = np.linalg.inv(x.numpy().astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(inverse, exact)
