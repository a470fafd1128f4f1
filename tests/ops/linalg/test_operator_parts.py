"""Parts of batches of linear operators, and hints and arguments that make no sense."""

import numpy as np
import pytest

import cinta as tf

L = tf.linalg
FULL = L.LinearOperatorFullMatrix(tf.reshape(tf.range(24.0), [2, 3, 2, 2]))
DIAG = L.LinearOperatorDiag([[[1.0, 2.0]], [[3.0, 4.0]]])
SINGLE = L.LinearOperatorDiag([5.0, 6.0])
LINES = [tf.reshape(tf.range(12.0), [2, 3, 2]) + i for i in range(3)]

BATCHES = {
    "full": FULL,
    "diag": DIAG,
    "scaled identity": L.LinearOperatorScaledIdentity(2, tf.reshape(tf.range(6.0), [2, 3])),
    "identity": L.LinearOperatorIdentity(2, [2, 3]),
    "zeros": L.LinearOperatorZeros(2, batch_shape=[2, 3]),
    "triangular": L.LinearOperatorLowerTriangular(FULL.to_dense()),
    "tridiagonal": L.LinearOperatorTridiag(tf.stack(LINES, -2)),
    "tridiagonal, a sequence": L.LinearOperatorTridiag(LINES, "sequence"),
    "toeplitz": L.LinearOperatorToeplitz([1.0, 2.0], LINES[0] * 0 + [1.0, 3.0]),
    "permutation": L.LinearOperatorPermutation([[[0, 1]], [[1, 0]]]),
    "householder": L.LinearOperatorHouseholder(LINES[1]),
    "circulant": L.LinearOperatorCirculant(LINES[0]),
    "circulant, 2D": L.LinearOperatorCirculant2D(tf.reshape(tf.range(24.0), [2, 3, 2, 2])),
    "adjoint": L.LinearOperatorAdjoint(FULL),
    "inverse": L.LinearOperatorInversion(DIAG),
    "composition": L.LinearOperatorComposition([DIAG, FULL, SINGLE]),
    "kronecker": L.LinearOperatorKronecker([FULL, DIAG]),
    "blocks": L.LinearOperatorBlockDiag([FULL, SINGLE]),
    "triangle of blocks": L.LinearOperatorBlockLowerTriangular([[DIAG], [FULL, SINGLE]]),
    "low rank": L.LinearOperatorLowRankUpdate(DIAG, [[1.0], [2.0]], v=FULL.to_dense()[..., :1]),
}
SLICES = [
    (1,),
    (slice(None), 0),
    (Ellipsis, 0),
    (0, slice(None, None, -1)),
    (None, 1),
    (tf.constant(1),),
]


@pytest.mark.parametrize("operator", BATCHES.values(), ids=BATCHES)
@pytest.mark.parametrize("slices", SLICES, ids=repr)
def test_a_part_of_a_batch_is_the_same_operator(operator, slices):
    part = operator[slices]
    open_end = any(each is Ellipsis for each in slices)
    rest = (slice(None),) * 2 if open_end else (Ellipsis, slice(None), slice(None))
    expected = operator.to_dense()[(*slices, *rest)]
    assert type(part) is type(operator)
    assert part.shape == expected.shape
    np.testing.assert_array_equal(part.to_dense(), expected)
    hints = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square", "name")
    assert [getattr(part, hint) for hint in hints] == [getattr(operator, hint) for hint in hints]


def test_parts_that_are_not_there():
    with pytest.raises(tf.errors.InvalidArgumentError):
        FULL[5]
    with pytest.raises(tf.errors.InvalidArgumentError):
        FULL[0, 1, 0]
    with pytest.raises(TypeError, match="not iterable"):
        iter(FULL)


def test_gradients_flow_into_parts():
    matrix = tf.Variable(tf.ones([2, 2, 2]))
    with tf.GradientTape() as tape:
        y = L.LinearOperatorFullMatrix(matrix)[1].matvec([1.0, 2.0])
    assert tape.gradient(y, matrix).numpy().tolist() == [[[0, 0], [0, 0]], [[1, 2], [1, 2]]]


def square(**hints):
    return L.LinearOperatorFullMatrix([[2.0, 1.0], [1.0, 2.0]], **hints)


MADE_OF = {
    "adjoint": L.LinearOperatorAdjoint,
    "inverse": L.LinearOperatorInversion,
    "product": lambda x, **hints: L.LinearOperatorComposition([x], **hints),
    "kronecker": lambda x, **hints: L.LinearOperatorKronecker([x, x], **hints),
    "blocks": lambda x, **hints: L.LinearOperatorBlockDiag([x, x], **hints),
}
HINTS = ("is_self_adjoint", "is_positive_definite", "is_non_singular")


@pytest.mark.parametrize("make", MADE_OF.values(), ids=MADE_OF)
@pytest.mark.parametrize("hint", HINTS)
def test_hints_do_not_contradict_what_is_known(make, hint):
    with pytest.raises(ValueError, match=r"contradict|non-singular"):
        make(square(**{hint: True}), **{hint: False})
    assert getattr(make(square(**{hint: True})), hint) is True
    assert getattr(make(square(), **{hint: True}), hint) is True


@pytest.mark.parametrize(
    "make",
    [
        square,
        lambda **hints: L.LinearOperatorAdjoint(square(), **hints),
        lambda **hints: L.LinearOperatorInversion(square(), **hints),
        lambda **hints: L.LinearOperatorKronecker([square(), square()], **hints),
        lambda **hints: L.LinearOperatorBlockDiag([square(), square()], **hints),
        lambda **hints: L.LinearOperatorLowRankUpdate(square(), [[1.0], [2.0]], **hints),
    ],
)
def test_a_square_is_not_hinted_to_be_none(make):
    with pytest.raises(ValueError, match="is_square=False"):
        make(is_square=False)


@pytest.mark.parametrize(
    "make",
    [
        lambda **hints: L.LinearOperatorDiag([1.0, 2.0], **hints),
        lambda **hints: L.LinearOperatorScaledIdentity(2, 2.0, **hints),
        lambda **hints: L.LinearOperatorCirculant([1.0, 2.0], **hints),
    ],
)
def test_what_is_real_and_diagonal_is_self_adjoint(make):
    with pytest.raises(ValueError, match="is_self_adjoint"):
        make(is_self_adjoint=False)


@pytest.mark.parametrize("junk", [1, None, "ab", [1], [None]])
def test_operators_are_made_of_operators(junk):
    for make in (L.LinearOperatorAdjoint, L.LinearOperatorInversion, L.LinearOperatorComposition):
        with pytest.raises(TypeError):
            make(junk)
    for make in (L.LinearOperatorKronecker, L.LinearOperatorBlockDiag):
        with pytest.raises(TypeError):
            make(junk)
    with pytest.raises(TypeError):
        L.LinearOperatorBlockLowerTriangular(junk)
    with pytest.raises(TypeError):
        L.LinearOperatorLowRankUpdate(junk, [[1.0]])


def test_parameters_have_the_ranks_and_dtypes_that_they_need():
    with pytest.raises(TypeError, match="floats"):
        L.LinearOperatorFullMatrix([[1]])
    with pytest.raises(TypeError, match="multiplier"):
        L.LinearOperatorScaledIdentity(2, "a")
    with pytest.raises(ValueError, match="square"):
        L.LinearOperatorToeplitz([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="three diagonals"):
        L.LinearOperatorTridiag([1.0])
    with pytest.raises(ValueError, match="matrix"):
        L.LinearOperatorLowRankUpdate(SINGLE, [1.0])


class Wrapped(tf.linalg.LinearOperator):
    """An operator as TensorFlow's programs write it."""

    def __init__(self, matrix, **hints):
        self._matrix = tf.convert_to_tensor(matrix)
        super().__init__(dtype=self._matrix.dtype, parameters={"matrix": matrix}, **hints)

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return tf.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return tf.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return tf.linalg.solve(self._matrix, rhs, adjoint=adjoint)


def test_operators_of_tensorflows_programs_say_their_shape():
    matrix = np.array([[[4.0, 1.0], [0.0, 2.0]]])
    operator = Wrapped(matrix, is_non_singular=True)
    assert operator.shape == [1, 2, 2]
    assert operator.batch_shape == [1]
    assert operator.is_square
    np.testing.assert_array_equal(operator.to_dense(), matrix)
    np.testing.assert_allclose(operator.solve([[[1.0], [2.0]]]), [[[0.0], [1.0]]])
    x = np.array([[[1.0], [2.0]]])
    np.testing.assert_array_equal(operator.matmul(x, adjoint=True), [[[4.0], [5.0]]])
    with pytest.raises(NotImplementedError, match="must say its shape"):
        tf.linalg.LinearOperator(tf.float32).shape  # noqa: B018
