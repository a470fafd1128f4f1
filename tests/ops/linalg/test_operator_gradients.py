"""Linear operators on tapes: watched, as targets and as sources, and taken apart into tensors."""

import numpy as np

import cinta as tf

linalg = tf.linalg
ONES = [1.0, 1.0]


def test_the_gradient_of_an_operator_is_an_operator_of_gradients():
    matrix = linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(matrix)
        y = matrix.matvec(ONES)
        turned = matrix.adjoint()
    found = tape.gradient(y, matrix)
    assert type(found) is linalg.LinearOperatorFullMatrix
    np.testing.assert_array_equal(found.to_dense(), np.ones([2, 2]))
    np.testing.assert_array_equal(tape.gradient(turned, matrix).to_dense(), np.ones([2, 2]))
    assert tape.gradient(y, linalg.LinearOperatorIdentity(2)) is None


def test_parts_on_which_nothing_depends_have_zeros_unless_all_have_none():
    with tf.GradientTape() as tape:
        first, second = [linalg.LinearOperatorFullMatrix(k * np.eye(2)) for k in (1, 2)]
        tape.watch([first, second])
        both = linalg.LinearOperatorKronecker([first, second])
        y = first.matmul(np.ones([2, 1]))
    by_first, by_second, by_both = tape.gradient(y, [first, second, both])
    assert by_second is None
    np.testing.assert_array_equal(by_both.operators[0].to_dense(), by_first.to_dense())
    np.testing.assert_array_equal(by_both.operators[1].to_dense(), np.zeros([2, 2]))


def test_gradients_of_operators_reach_the_variables_that_they_are_made_of():
    d = tf.Variable([1.0, 2.0])
    operator = linalg.LinearOperatorDiag(d)
    with tf.GradientTape(persistent=True) as tape:
        inverse = operator.inverse()
    np.testing.assert_allclose(tape.gradient(inverse, d), [-1.0, -0.25])
    found = tape.gradient(inverse, {"operator": operator, "d": d})
    np.testing.assert_array_equal(found["operator"].diag, found["d"])


def test_operators_are_leaves_of_nests_unless_composites_are_expanded():
    d, upper = tf.Variable([1.0, 2.0]), tf.constant([[1.0]])
    rows = [
        [linalg.LinearOperatorDiag(d)],
        [linalg.LinearOperatorZeros(1, 2, is_square=False), linalg.LinearOperatorFullMatrix(upper)],
    ]
    operator = linalg.LinearOperatorBlockLowerTriangular(rows)
    assert tf.nest.flatten([operator]) == [operator]
    parts = tf.nest.flatten(operator, expand_composites=True)
    assert [part is each for part, each in zip(parts, (d, upper), strict=True)] == [True, True]
    doubled = tf.nest.map_structure(lambda x: x * 2.0, operator, expand_composites=True)
    np.testing.assert_array_equal(doubled.to_dense(), 2.0 * operator.to_dense())
    np.testing.assert_array_equal(doubled.diag_part(), [2.0, 4.0, 2.0])
