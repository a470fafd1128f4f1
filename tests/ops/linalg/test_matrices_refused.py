"""Matrices with NaN, and diagonals and factors that do not go together."""

import numpy as np
import pytest

import cinta as tf

NAN = float("nan")


def test_nan_stays_visible_in_eigenvalues_and_norms():
    matrix = [[NAN, 1.0], [1.0, 1.0]]
    assert np.isnan(tf.linalg.eigvalsh(matrix).numpy()).all()
    assert np.isnan(tf.linalg.eigh([matrix, [[2.0, NAN], [0.0, 1.0]]])[0].numpy()).tolist() == [
        [True, True],
        [False, False],
    ]
    assert np.isnan(tf.clip_by_norm([NAN, 4.0], 1.0).numpy()).all()


@pytest.mark.parametrize("beta", [[], [1.0, 1.0], 1.0])
def test_the_second_of_three_diagonals_is_one_shorter(beta):
    with pytest.raises(tf.errors.InvalidArgumentError, match="one shorter"):
        tf.linalg.eigh_tridiagonal([1.0, 1.0], beta)
    assert tf.linalg.eigh_tridiagonal([2.0], []).numpy().tolist() == [2.0]


@pytest.mark.parametrize(
    "arguments", [(1.0, 1), ([1.0], [1]), ([[1.0]], [[0]]), ([[1.0]], 0), ([[1.0]], "a")]
)
def test_factors_and_their_permutation_go_together(arguments):
    for call in (tf.linalg.lu_matrix_inverse, tf.linalg.lu_reconstruct):
        with pytest.raises(ValueError, match=r"rank|dimensions"):
            call(*arguments)
    with pytest.raises(ValueError, match="rhs"):
        tf.linalg.lu_solve([[1.0]], [0], [1.0])


@pytest.mark.parametrize("axes", [tf.constant([[0], [1]]), np.array([[0], [1]]), [[0], [1]]])
def test_axes_to_sum_over_may_be_a_tensor(axes):
    assert tf.tensordot(tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [4.0]]), axes).shape == (
        2,
        2,
    )


def test_three_diagonals_go_together():
    line, long = tf.ones([4]), tf.ones([6])
    for solve in (tf.linalg.tridiagonal_solve, tf.linalg.tridiagonal_matmul):
        with pytest.raises(ValueError, match="last two dimensions"):
            solve(tf.ones([3, 4]), tf.ones([3, 1]), "matrix")
        for diagonals in ((line, line, long), (long, line, line)):
            with pytest.raises(ValueError, match="diagonal to have length 4 or 3, got 6"):
                solve(diagonals, tf.ones([4, 1]), "sequence")
