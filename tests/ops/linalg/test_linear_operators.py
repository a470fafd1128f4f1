"""Linear operators: all that they do is what the matrix does for which they stand."""

import numpy as np
import pytest

import cinta as tf
from tests.checking import check_gradients

linalg = tf.linalg
draw = np.random.default_rng(0)
MATRICES = draw.normal(size=(2, 4, 4)) + 4 * np.eye(4)
VECTORS = draw.random((2, 4)) + 0.5
DEFINITE = MATRICES[0] @ MATRICES[0].T
COLUMNS = draw.normal(size=(16, 3))
U, V = draw.normal(size=(2, 4, 2))


def turned(x):
    return x * np.exp(0.3j)


def diag(x, **hints):
    return linalg.LinearOperatorDiag(x, **hints)


def full(x, **hints):
    return linalg.LinearOperatorFullMatrix(x, **hints)


def kronecker(a, d):
    return linalg.LinearOperatorKronecker([full(a), diag(d), linalg.LinearOperatorAdjoint(full(a))])


def updated(d, u, w, v):
    return linalg.LinearOperatorLowRankUpdate(diag(d), u, w, v)


# The operator, the tensors of which it is made, and the matrices for which it stands.
OPERATORS = {
    "diag": (diag, [VECTORS], lambda d: d[..., None] * np.eye(4)),
    "complex diag": (diag, [turned(VECTORS)], lambda d: d[..., None] * np.eye(4)),
    "full": (full, [MATRICES], lambda a: a),
    "complex full": (full, [turned(MATRICES)], lambda a: a),
    "definite": (
        lambda a: full(
            (a + linalg.matrix_transpose(a)) / 2, is_self_adjoint=True, is_positive_definite=True
        ),
        [DEFINITE],
        lambda a: a,
    ),
    "scaled identity": (
        lambda m: linalg.LinearOperatorScaledIdentity(4, m),
        [VECTORS[:, 0]],
        lambda m: m[:, None, None] * np.eye(4),
    ),
    "lower triangular": (linalg.LinearOperatorLowerTriangular, [MATRICES], np.tril),
    "tridiagonal": (
        linalg.LinearOperatorTridiag,
        [draw.normal(size=(3, 4)) + np.array([[0], [5], [0]])],
        lambda d: np.diag(d[0, :-1], 1) + np.diag(d[1]) + np.diag(d[2, 1:], -1),
    ),
    "three diagonals": (
        lambda u, d, w: linalg.LinearOperatorTridiag([u, d, w], "sequence"),
        [VECTORS[0], VECTORS[1] + 3, VECTORS[0] * 2],
        lambda u, d, w: np.diag(u[:-1], 1) + np.diag(d) + np.diag(w[1:], -1),
    ),
    "Toeplitz": (
        linalg.LinearOperatorToeplitz,
        [np.array([5.0, 1, 2, 3]), np.array([5.0, -1, 0.5, 2])],
        lambda c, r: np.array(
            [[c[i - j] if i >= j else r[j - i] for j in range(4)] for i in range(4)]
        ),
    ),
    "Householder": (
        linalg.LinearOperatorHouseholder,
        [VECTORS],
        lambda v: (
            np.eye(4)
            - 2 * v[:, :, None] * v[:, None] / (v**2).sum(1)[:, None, None]
        ),
    ),
    "composition": (
        lambda a, d: linalg.LinearOperatorComposition([full(a), diag(d)]),
        [MATRICES[0], VECTORS],
        lambda a, d: a * d[:, None],
    ),
    "adjoint": (
        lambda a: linalg.LinearOperatorAdjoint(full(a)),
        [turned(MATRICES)],
        lambda a: a.conj().swapaxes(1, 2),
    ),
    "inversion": (lambda a: linalg.LinearOperatorInversion(full(a)), [MATRICES], np.linalg.inv),
    "blocks": (
        lambda a, d: linalg.LinearOperatorBlockDiag([full(a), diag(d)]),
        [MATRICES[:, :2, :2], VECTORS[0, :2]],
        lambda a, d: np.array(
            [np.block([[m, np.zeros((2, 2))], [np.zeros((2, 2)), np.diag(d)]]) for m in a]
        ),
    ),
    "block triangle": (
        lambda a, b, d: linalg.LinearOperatorBlockLowerTriangular([[full(a)], [full(b), diag(d)]]),
        [MATRICES[:, :2, :2], MATRICES[1, :2, 2:], VECTORS[0, :2]],
        lambda a, b, d: np.array([np.block([[m, np.zeros((2, 2))], [b, np.diag(d)]]) for m in a]),
    ),
    "Kronecker": (
        kronecker,
        [MATRICES[0, :2, :2], VECTORS[0, :2]],
        lambda a, d: np.kron(np.kron(a, np.diag(d)), a.T),
    ),
    "low-rank update": (
        updated,
        [VECTORS[0], U, VECTORS[1, :2], V],
        lambda d, u, w, v: np.diag(d) + u * w @ v.T,
    ),
    "symmetric update": (
        lambda d, u: linalg.LinearOperatorLowRankUpdate(diag(d, is_positive_definite=True), u),
        [VECTORS[0], U],
        lambda d, u: np.diag(d) + u @ u.T,
    ),
    "circulant": (
        lambda s: linalg.LinearOperatorCirculant(s, tf.complex128),
        [turned(VECTORS[0])],
        lambda s: np.array([np.roll(np.fft.ifft(s), k) for k in range(4)]).T,
    ),
    "real circulant": (
        lambda s: linalg.LinearOperatorCirculant(s, tf.float64),
        [np.array([5.0, 2, 1, 2])],
        lambda s: np.array([np.roll(np.fft.ifft(s).real, k) for k in range(4)]).T,
    ),
    "circulant for images": (
        lambda s: linalg.LinearOperatorCirculant2D(s, tf.complex128),
        [turned(VECTORS)],
        lambda s: np.fft.ifft2(
            s * np.fft.fft2(np.eye(8).reshape(8, 2, 4))
        ).reshape(8, 8).T,
    ),
    "circulant for volumes": (
        lambda s: linalg.LinearOperatorCirculant3D(s, tf.complex128),
        [turned(VECTORS).reshape(2, 2, 2)],
        lambda s: np.fft.ifftn(
            s * np.fft.fftn(np.eye(8).reshape(8, 2, 2, 2), axes=(1, 2, 3)), axes=(1, 2, 3)
        ).reshape(8, 8).T,
    ),
}  # fmt: skip

CONSTANT = {
    "identity": (
        linalg.LinearOperatorIdentity(4, [2], tf.float64),
        np.broadcast_to(np.eye(4), (2, 4, 4)),
    ),
    "permutation": (
        linalg.LinearOperatorPermutation([[2, 0, 3, 1], [0, 1, 3, 2]], tf.float64),
        np.eye(4)[[[2, 0, 3, 1], [0, 1, 3, 2]]],
    ),
}

CASES = {
    **{name: (make(*parts), matrix(*parts)) for name, (make, parts, matrix) in OPERATORS.items()},
    **CONSTANT,
}


def h(x):
    return np.conj(np.swapaxes(x, -1, -2))


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


each = pytest.mark.parametrize(("operator", "matrix"), CASES.values(), ids=CASES)


@each
def test_an_operator_stands_for_a_matrix(operator, matrix):
    close(operator.to_dense(), matrix)
    assert operator.shape == matrix.shape
    assert operator.to_dense().dtype == operator.dtype
    *batch, rows, columns = matrix.shape
    assert (operator.range_dimension, operator.domain_dimension) == (rows, columns)
    assert (operator.batch_shape, operator.tensor_rank) == (batch, matrix.ndim)
    assert operator.shape_tensor().numpy().tolist() == [*batch, rows, columns]
    assert operator.batch_shape_tensor().numpy().tolist() == batch
    assert operator.is_square
    numbers = (operator.tensor_rank_tensor(), operator.range_dimension_tensor())
    assert [*map(int, numbers), int(operator.domain_dimension_tensor())] == [
        matrix.ndim, rows, columns
    ]  # fmt: skip


@each
def test_an_operator_multiplies_and_solves_as_its_matrix(operator, matrix):
    x = COLUMNS[: matrix.shape[-1]].astype(matrix.dtype)
    close(operator.matmul(x), matrix @ x)
    close(operator @ x, matrix @ x)
    close(operator.matmul(x, adjoint=True), h(matrix) @ x)
    close(operator.matmul(h(x), adjoint_arg=True), matrix @ x)
    close(operator.matvec(x[:, 0]), matrix @ x[:, 0])
    close(operator.solve(x), np.linalg.solve(matrix, x))
    close(operator.solve(x, adjoint=True), np.linalg.solve(h(matrix), x))
    close(operator.solve(h(x), adjoint_arg=True), np.linalg.solve(matrix, x))
    close(operator.solvevec(x[:, 0]), np.linalg.solve(matrix, x)[..., 0])
    many = np.stack([x, 2 * x])
    close(operator.matmul(many), matrix @ many)
    close(operator.solve(many), np.linalg.solve(matrix, many))


@each
def test_an_operator_has_the_numbers_of_its_matrix(operator, matrix):
    close(operator.determinant(), np.linalg.det(matrix))
    close(operator.log_abs_determinant(), np.linalg.slogdet(matrix)[1])
    close(operator.diag_part(), np.diagonal(matrix, axis1=-2, axis2=-1))
    close(operator.trace(), np.trace(matrix, axis1=-2, axis2=-1))
    close(operator.cond(), np.linalg.cond(matrix))
    close(operator.add_to_tensor(np.ones_like(matrix)), matrix + 1)
    if operator.is_self_adjoint:
        close(np.sort(operator.eigvals()), np.linalg.eigvalsh(matrix))


@each
def test_operators_made_of_an_operator(operator, matrix):
    close(operator.inverse().to_dense(), np.linalg.inv(matrix))
    close(operator.inverse().log_abs_determinant(), -np.linalg.slogdet(matrix)[1])
    close(operator.inverse().determinant(), 1 / np.linalg.det(matrix))
    close(operator.inverse().inverse().to_dense(), matrix)
    close(operator.inverse().solve(matrix), matrix @ matrix)
    close(operator.adjoint().to_dense(), h(matrix))
    close(operator.H.H.to_dense(), matrix)
    close(operator.adjoint().determinant(), np.conj(np.linalg.det(matrix)))
    close(operator.adjoint().diag_part(), np.conj(np.diagonal(matrix, axis1=-2, axis2=-1)))
    close((operator @ operator).to_dense(), matrix @ matrix)
    close(operator.matmul(operator, True, True).to_dense(), h(matrix) @ h(matrix))
    close(
        operator.solve(operator).to_dense(), np.broadcast_to(np.eye(matrix.shape[-1]), matrix.shape)
    )


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_flow_to_what_an_operator_is_made_of(name):
    make, parts, _ = OPERATORS[name]

    def function(*tensors):
        operator = make(*tensors)
        x = COLUMNS[: operator.domain_dimension, :1].astype(operator.dtype.as_numpy_dtype)
        logs = tf.math.real(operator.log_abs_determinant())
        return [operator.matmul(x), operator.solve(x, adjoint=True), logs]

    check_gradients(function, *parts, order=1, rtol=1e-5, atol=1e-6)


def test_a_variable_is_read_when_it_is_used():
    variable = tf.Variable([1.0, 2.0])
    operator = linalg.LinearOperatorDiag(variable)
    assert operator.trainable_variables == (variable,)
    variable.assign([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = operator.log_abs_determinant()
    close(tape.gradient(y, variable), np.float32([1 / 3, 1 / 4]))


CHOLESKY = {
    "full": CASES["definite"],
    "diag": (diag(VECTORS, is_positive_definite=True), CASES["diag"][1]),
    "scaled": (
        linalg.LinearOperatorScaledIdentity(3, np.float64(2), is_positive_definite=True),
        2 * np.eye(3),
    ),
    "identity": CONSTANT["identity"],
    "update": CASES["symmetric update"],
}
definite_pair = [
    full(DEFINITE, is_self_adjoint=True, is_positive_definite=True),
    diag(VECTORS[0], is_positive_definite=True),
]
CHOLESKY["blocks"] = (linalg.LinearOperatorBlockDiag(definite_pair), None)
CHOLESKY["Kronecker"] = (linalg.LinearOperatorKronecker(definite_pair), None)


@pytest.mark.parametrize(("operator", "matrix"), CHOLESKY.values(), ids=CHOLESKY)
def test_cholesky(operator, matrix):
    matrix = operator.to_dense().numpy() if matrix is None else matrix
    factor = operator.cholesky()
    close(factor.to_dense(), np.linalg.cholesky(matrix))
    close((factor @ factor.H).to_dense(), matrix)


def test_matrices_that_are_not_square():
    wide = full(np.ones((2, 3)))
    assert not wide.is_square
    close(wide.matmul(np.ones((2, 1)), adjoint=True), 2 * np.ones((3, 1)))
    square = linalg.LinearOperatorComposition([wide, wide.H])
    close(square.determinant(), 0)
    assert np.isneginf(square.log_abs_determinant())
    nothing = linalg.LinearOperatorZeros(2, 3, [5], tf.float64)
    close(nothing.matmul(np.ones((3, 4))), np.zeros((5, 2, 4)))
    close(nothing.matmul(np.ones((2, 4)), adjoint=True), np.zeros((5, 3, 4)))
    close(nothing.H.to_dense(), np.zeros((5, 3, 2)))


def test_blocks_take_and_give_blocks():
    operator = linalg.LinearOperatorBlockDiag([full(MATRICES[0]), diag(VECTORS[0])])
    x, y = COLUMNS[:4], COLUMNS[4:8]
    found = operator.matmul([x, y])
    close(found[0], MATRICES[0] @ x)
    close(found[1], VECTORS[0][:, None] * y)
    close(operator.solve(found)[0], x)
    close(operator.solve(found)[1], y)


def test_triangles_of_blocks_take_and_give_blocks():
    blocks = [[full(MATRICES[0])], [full(MATRICES[1, :2]), full(DEFINITE[:2, :2])]]
    operator = linalg.LinearOperatorBlockLowerTriangular(blocks)
    x, y = COLUMNS[:4], COLUMNS[4:6]
    found = operator.matmul([x, y])
    close(found[0], MATRICES[0] @ x)
    close(found[1], MATRICES[1, :2] @ x + DEFINITE[:2, :2] @ y)
    back = operator.solve(found)
    close(back[0], x)
    close(back[1], y)
    turned_back = operator.solve(operator.matmul([x.T, y.T], adjoint_arg=True), adjoint_arg=False)
    close(turned_back[1], y)


def test_a_circulant_operator_convolves():
    kernel = linalg.LinearOperatorCirculant([5.0, 2, 1, 2], tf.float32).convolution_kernel()
    close(kernel, np.fft.ifft([5, 2, 1, 2]).real.astype(np.float32))
    assert linalg.LinearOperatorCirculant2D(np.ones((3, 4, 5))).block_shape == [4, 5]


ONES = np.ones((2, 2))
triangle = linalg.LinearOperatorBlockLowerTriangular


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: diag(1.0), ValueError),
        (lambda: full([1.0]), ValueError),
        (lambda: full(np.ones((2, 3)), is_square=False, is_non_singular=True), ValueError),
        (lambda: full(ONES, is_non_singular=False, is_positive_definite=True), ValueError),
        (lambda: full(np.ones((2, 3))).determinant(), NotImplementedError),
        (lambda: full(np.ones((2, 3))).solve(np.ones((2, 1))), NotImplementedError),
        (lambda: full(ONES, is_non_singular=False).solve(ONES), NotImplementedError),
        (lambda: full(ONES, is_non_singular=False).inverse(), ValueError),
        (lambda: full(np.ones((2, 3))).matmul(ONES), ValueError),
        (lambda: full(ONES).matmul(tf.ones([2, 1])), TypeError),
        (lambda: full(ONES).cholesky(), ValueError),
        (lambda: full(ONES).eigvals(), NotImplementedError),
        (lambda: linalg.LinearOperatorComposition([]), ValueError),
        (lambda: linalg.LinearOperatorComposition([full(ONES), diag([1.0, 1.0])]), TypeError),
        (lambda: full(ONES) @ full(np.ones((3, 3))), ValueError),
        (lambda: triangle([]), ValueError),
        (lambda: triangle([[full(ONES)], [full(ONES)]]), ValueError),
        (lambda: triangle([[full(np.ones((2, 3)))]]), ValueError),
        (lambda: triangle([[full(ONES)], [full(np.ones((2, 3))), full(ONES)]]), ValueError),
        (lambda: triangle([[full(ONES)], [diag([1.0, 1.0]), full(ONES)]]), TypeError),
        (lambda: linalg.LinearOperatorInversion(full(np.ones((2, 3)))), ValueError),
        (lambda: linalg.LinearOperatorPermutation([0, 0, 1]), ValueError),
        (lambda: linalg.LinearOperatorPermutation([0.0, 1.0]), TypeError),
        (lambda: linalg.LinearOperatorZeros(2, is_non_singular=True), ValueError),
        (lambda: linalg.LinearOperatorIdentity(2, is_self_adjoint=False), ValueError),
        (lambda: linalg.LinearOperatorIdentity(2, is_square=False), ValueError),
        (lambda: linalg.LinearOperatorTridiag(np.ones((3, 3)), "rows"), ValueError),
        (lambda: linalg.LinearOperatorTridiag(np.ones((3, 3)), is_square=False), ValueError),
        (lambda: linalg.LinearOperatorLowerTriangular(ONES, is_square=False), ValueError),
        (lambda: linalg.LinearOperatorToeplitz([1.0], [1.0], is_square=False), ValueError),
        (lambda: linalg.LinearOperatorHouseholder([1.0], is_positive_definite=True), ValueError),
        (lambda: linalg.LinearOperatorHouseholder([1.0], is_square=False), ValueError),
        (lambda: linalg.LinearOperatorCirculant2D([1.0]), ValueError),
        (lambda: linalg.LinearOperatorCirculant([1.0], is_square=False), ValueError),
        (lambda: updated(VECTORS[0], U[:3], VECTORS[1, :2], V), ValueError),
        (lambda: linalg.LinearOperator(tf.float32).to_dense(), NotImplementedError),
    ],
)
def test_what_cannot_be_is_refused(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("preconditioned", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_conjugate_gradients_solve_systems(preconditioned, dtype):
    draw = np.random.default_rng(0).normal
    factor = draw(size=(3, 6, 6)).astype(dtype)
    if dtype is np.complex128:
        factor = factor + 1j * draw(size=(3, 6, 6))
    matrix = factor @ factor.conj().swapaxes(-1, -2) + np.eye(6)
    rhs = draw(size=(3, 6)).astype(dtype)
    sure = {"is_self_adjoint": True, "is_positive_definite": True}
    operator = tf.linalg.LinearOperatorFullMatrix(matrix, **sure)
    diagonal = 1 / np.diagonal(matrix, axis1=1, axis2=2)
    preconditioner = tf.linalg.LinearOperatorDiag(diagonal, **sure) if preconditioned else None
    solve = tf.linalg.experimental.conjugate_gradient
    found = solve(operator, rhs, preconditioner, tol=1e-12, max_iter=40)
    np.testing.assert_allclose(found.x, np.linalg.solve(matrix, rhs[..., None])[..., 0], rtol=1e-8)
    assert found.i <= 9
    assert solve(operator, rhs, x=found.x, tol=1e-3).i <= 20
    assert solve(operator, rhs, max_iter=2).i == 2
    with pytest.raises(ValueError, match="self-adjoint, positive definite"):
        solve(tf.linalg.LinearOperatorFullMatrix(matrix), rhs)


@pytest.mark.parametrize(
    ("matrix", "singular", "adjoint", "definite"),
    [
        ([[2.0, 0.0], [0.0, 3.0]], False, True, True),
        ([[2.0, 1.0], [0.0, 3.0]], False, False, True),
        ([[1.0, 1.0], [1.0, 1.0]], True, True, False),
        ([[0.0, 1.0], [-1.0, 0.0]], False, False, False),
        ([[2.0, 1j], [-1j, 2.0]], False, True, True),
        ([[2.0, 1j], [1j, 2.0]], False, False, True),
        ([[0.0, 0.0], [0.0, 0.0]], True, True, False),
    ],
)
def test_hints_can_be_checked(matrix, singular, adjoint, definite):
    operator = tf.linalg.LinearOperatorFullMatrix(np.array(matrix)[None])
    for check, pattern, fails in (
        (operator.assert_non_singular, "Singular operator", singular),
        (operator.assert_self_adjoint, "not self-adjoint", not adjoint),
        (operator.assert_positive_definite, "not positive definite", not definite),
    ):
        if fails:
            with pytest.raises(tf.errors.InvalidArgumentError, match=pattern):
                check()
        else:
            check()
