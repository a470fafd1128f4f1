"""Plans of sparse derivatives: used again, given a structure, checked and shown."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from scipy import sparse

import cinta as tf
from cinta.autodiff import sparse_hessian, sparse_jacobian, sparse_jacobian_plan
from tests.sparsity.sparse_cases import (
    dense_hessian,
    dense_jacobian,
    numbers,
    rosenbrock,
    tridiagonal,
)


def test_a_plan_serves_other_arguments():
    plan = sparse_jacobian_plan(lambda x, scale: tridiagonal(x) * scale, numbers(9), 2.0)
    other = numbers(9, seed=5)
    np.testing.assert_allclose(
        plan(other, scale=3.0).toarray(), 3 * dense_jacobian(tridiagonal, other)
    )
    with pytest.raises(ValueError, match="9 columns"):
        plan(numbers(8), 2.0)


def test_results_of_a_plan_are_independent():
    plan = sparse_jacobian_plan(tridiagonal, numbers(9))
    one, other = plan(numbers(9)), plan(numbers(9))
    one.data[:], one.indices[:] = 0, 0
    np.testing.assert_allclose(other.toarray(), dense_jacobian(tridiagonal, numbers(9)))
    np.testing.assert_allclose(plan(numbers(9)).toarray(), other.toarray())


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_matrix])
def test_a_structure_can_be_given(form):
    structure = form(np.tri(12, k=1) * np.tri(12, k=1).T)
    x = numbers(12)
    jacobian = sparse_jacobian(tridiagonal, structure=structure, check=True)
    np.testing.assert_allclose(jacobian(x).toarray(), dense_jacobian(tridiagonal, x))
    hessian = sparse_hessian(rosenbrock, structure=np.triu(np.tri(12, k=1)))
    np.testing.assert_allclose(hessian(x).toarray(), dense_hessian(rosenbrock, x))


def test_a_structure_that_is_violated_is_told_of():
    for derivative in (sparse_jacobian(tridiagonal, np.eye(12), check=True),):
        with pytest.warns(UserWarning, match="structure is not that of this Jacobian"):
            derivative(numbers(12))
    with pytest.warns(UserWarning, match="Hessian"):
        sparse_hessian(rosenbrock, np.eye(12), check=True)(numbers(12))
    with pytest.raises(ValueError, match="11 rows, but the function returned 12"):
        sparse_jacobian(tridiagonal, np.eye(11, 12))(numbers(12))


def test_a_plan_that_no_longer_fits_is_told_of():
    def sorted_by_branch(x):
        return x * x[0] if x[0] > 0.0 else x * x[1]

    plan = sparse_jacobian_plan(sorted_by_branch, tf.constant([1.0, 2.0, 3.0]))
    with pytest.warns(UserWarning, match="make a new plan"):
        plan.evaluate(tf.constant([-1.0, 2.0, 3.0]), check=True)


def test_tapes_outside_record_nothing():
    x = numbers(5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        before = len(tape._recorder)
        sparse_jacobian(tridiagonal)(x)
        assert len(tape._recorder) == before


def test_a_plan_says_what_it_is():
    assert repr(sparse_jacobian_plan(tridiagonal, numbers(9))) == (
        "<SparsePlan of a Jacobian: 9x9, 25 nonzeros, products: 3 by columns, 0 by rows>"
    )


def test_a_picture_shows_every_nonzero_and_color(tmp_path):
    plan = sparse_jacobian_plan(
        lambda x: tf.concat([[tf.reduce_sum(x * x)], x[1:] * x[0]], 0), numbers(10)
    )
    with pytest.raises(tf.errors.FailedPreconditionError, match="directory"):
        plan.save(tmp_path)
    plan.save(tmp_path / "arrow.svg")
    root = ET.parse(tmp_path / "arrow.svg").getroot()
    drawn = [e for e in root.iter() if e.get("height", "0.9") == "0.9" and e.get("fill")]
    drawn = [e for e in drawn if e.tag.endswith(("rect", "circle"))]
    assert len(drawn) == plan.nnz + (plan.columns >= 0).sum() + (plan.rows >= 0).sum()
    assert len({e.get("fill") for e in drawn}) == 3
    assert plan._repr_svg_() == plan.picture()


def test_a_picture_of_a_large_plan_is_small():
    plan = sparse_jacobian_plan(tridiagonal, numbers(5000))
    assert len(plan.picture()) < 100_000
