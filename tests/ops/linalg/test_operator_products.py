"""Products of operators, and operators in the place of matrices."""

import numpy as np
import pytest

import cinta as tf

L = tf.linalg
DIAG = L.LinearOperatorDiag([1.0, 2.0])
TWICE = L.LinearOperatorScaledIdentity(2, 2.0)
IDENTITY = L.LinearOperatorIdentity(2)
THREE = L.LinearOperatorIdentity(2, [3])
ZEROS = L.LinearOperatorZeros(2)
TRIANGULAR = L.LinearOperatorLowerTriangular([[1.0, 9.0], [2.0, 3.0]])
FULL = L.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]], is_non_singular=True)
BLOCKS = L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix([[x]]) for x in (2.0, 5.0)])
CIRCULANT = L.LinearOperatorCirculant([1.0, 2.0], tf.float32)
ALL = [DIAG, TWICE, IDENTITY, THREE, ZEROS, TRIANGULAR, FULL, BLOCKS, CIRCULANT]


@pytest.mark.parametrize("left", ALL, ids=lambda x: x.name)
@pytest.mark.parametrize("right", ALL, ids=lambda x: x.name)
def test_products_are_those_of_matrices(left, right):
    product, expected = left @ right, left.to_dense() @ right.to_dense()
    assert product.shape == expected.shape
    np.testing.assert_allclose(product.to_dense(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (DIAG, TWICE, L.LinearOperatorDiag),
        (TWICE, TWICE, L.LinearOperatorScaledIdentity),
        (IDENTITY, FULL, L.LinearOperatorFullMatrix),
        (ZEROS, FULL, L.LinearOperatorZeros),
        (DIAG, TRIANGULAR, L.LinearOperatorLowerTriangular),
        (TRIANGULAR, DIAG, L.LinearOperatorLowerTriangular),
        (BLOCKS, BLOCKS, L.LinearOperatorBlockDiag),
        (CIRCULANT, CIRCULANT, L.LinearOperatorCirculant),
        (THREE, IDENTITY, L.LinearOperatorIdentity),
        (THREE, FULL, L.LinearOperatorComposition),
    ],
)
def test_products_keep_their_structure(left, right, kind):
    assert type(left @ right) is kind


def test_products_that_are_symmetric():
    around = FULL @ FULL.H
    assert around.is_self_adjoint
    assert around.is_positive_definite
    np.testing.assert_allclose(around.cholesky().to_dense()[0, 0], np.sqrt(5), rtol=1e-6)
    inside = L.LinearOperatorComposition([FULL, DIAG, FULL.H])
    assert inside.is_self_adjoint
    assert not inside.is_positive_definite
    assert not (FULL @ FULL).is_self_adjoint
    singular = L.LinearOperatorFullMatrix([[0.0, 0.0], [0.0, 0.0]], is_non_singular=False)
    assert (FULL @ singular).is_non_singular is False
    with pytest.raises(ValueError, match="always self-adjoint"):
        L.LinearOperatorComposition([FULL, FULL.H], is_self_adjoint=False)


def test_hints_of_products():
    known = {"is_non_singular": True, "is_self_adjoint": True, "is_positive_definite": True}
    product = L.LinearOperatorDiag([1.0], **known) @ L.LinearOperatorDiag([2.0], **known)
    assert {name: getattr(product, name) for name in known} == known
    assert (DIAG @ DIAG).is_positive_definite is None


def test_operators_that_do_not_fit():
    wide = L.LinearOperatorFullMatrix([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match=r"Operators are incompatible.*\[1,3\]"):
        wide @ DIAG


def test_parameters_are_the_arguments():
    assert L.LinearOperatorDiag([1.0, 2.0], is_non_singular=True).parameters == {
        "diag": [1.0, 2.0],
        "is_non_singular": True,
        "is_self_adjoint": None,
        "is_positive_definite": None,
        "is_square": None,
        "name": "LinearOperatorDiag",
    }

    class Own(L.LinearOperator):
        def __init__(self, length):
            super().__init__(tf.float32, parameters={"rows": length})

        def _shape(self):
            return tf.TensorShape([2, 2])

    assert Own(2).parameters == {"rows": 2}


def test_parameters_of_parts_of_batches_are_those_of_the_parts():
    batch = L.LinearOperatorDiag([[1.0, 2.0], [3.0, 4.0]])
    assert batch[1].parameters["diag"].numpy().tolist() == [3.0, 4.0]


def test_operators_are_composite_tensors():
    from cinta.as_tensorflow.composite_tensors import is_composite_tensor

    variable = tf.Variable([1.0, 2.0])
    operator = L.LinearOperatorDiag(variable)
    assert is_composite_tensor(operator)
    assert operator.variables == (variable,)
    fixed = operator._convert_variables_to_tensors()
    assert type(fixed) is L.LinearOperatorDiag
    assert fixed.variables == ()
    assert fixed.parameters["diag"].numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("adjoint_a", [False, True])
@pytest.mark.parametrize("adjoint_b", [False, True])
def test_matmul_takes_operators(adjoint_a, adjoint_b):
    dense = FULL.to_dense()
    x = tf.constant([[1.0, 5.0], [2.0, 7.0]])
    hows = {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    for a, b in ((FULL, x), (x, FULL)):
        plain = [dense if each is FULL else each for each in (a, b)]
        np.testing.assert_allclose(tf.matmul(a, b, **hows), tf.matmul(*plain, **hows))


def test_functions_of_matrices_take_operators():
    known = L.LinearOperatorFullMatrix(
        [[2.0, 1.0], [1.0, 2.0]], is_self_adjoint=True, is_positive_definite=True
    )
    dense, rhs = known.to_dense(), tf.constant([[1.0], [2.0]])
    for name in ("adjoint", "cholesky", "inv"):
        found = getattr(tf.linalg, name)(known)
        assert isinstance(found, L.LinearOperator)
        np.testing.assert_allclose(found.to_dense(), getattr(tf.linalg, name)(dense), atol=1e-6)
    for name in ("det", "diag_part", "logdet", "trace"):
        found = getattr(tf.linalg, name)
        np.testing.assert_allclose(found(known), found(dense), atol=1e-6)
    np.testing.assert_allclose(tf.linalg.solve(known, rhs), tf.linalg.solve(dense, rhs), atol=1e-6)


def test_functions_of_matrices_refuse_what_operators_do_not_say():
    with pytest.raises(ValueError, match="no transposes"):
        tf.matmul(DIAG, DIAG, transpose_a=True)
    with pytest.raises(ValueError, match="as `matrix` only"):
        tf.linalg.solve([[1.0]], DIAG)
    with pytest.raises(ValueError, match="self-adjoint positive definite"):
        tf.linalg.logdet(FULL)


def test_variables_are_no_lengths():
    for rows, others in ((tf.Variable(2), {}), (2, {"batch_shape": tf.Variable([2])})):
        with pytest.raises(TypeError, match="cannot be reference"):
            L.LinearOperatorIdentity(rows, **others)


@pytest.mark.parametrize(
    ("u", "others", "message"),
    [
        ([5, 4, 2], {}, "not compatible"),
        ([3, 2], {"diag_update": [4]}, "not compatible"),
        ([3, 2], {"diag_update": []}, "not compatible"),
        ([3, 2], {"v": [3, 1]}, "not compatible"),
        ([5, 3, 2], {"v": [4, 3, 2]}, "Incompatible shapes"),
        ([5, 3, 2], {"diag_update": [4, 2]}, "Incompatible shapes"),
    ],
)
def test_updates_that_do_not_fit(u, others, message):
    given = {name: tf.ones(shape) for name, shape in others.items()}
    with pytest.raises(ValueError, match=message):
        L.LinearOperatorLowRankUpdate(L.LinearOperatorIdentity(3), tf.ones(u), **given)


SPECS = {
    "tensor": lambda: DIAG,
    "variable": lambda: L.LinearOperatorDiag(tf.Variable([1.0, 2.0])),
    "no tensor": lambda: THREE,
    "list of operators": lambda: L.LinearOperatorComposition([DIAG, FULL]),
    "rows of operators": lambda: L.LinearOperatorBlockLowerTriangular([[FULL]]),
    "operator and tensors": lambda: L.LinearOperatorLowRankUpdate(IDENTITY, [[1.0], [2.0]]),
}


@pytest.mark.parametrize("make", SPECS.values(), ids=SPECS)
def test_operators_are_built_again_by_their_specs(make):
    operator = make()
    spec = operator._type_spec
    leaves = tf.nest.flatten(operator, expand_composites=True)
    for again in (
        spec._from_components(spec._to_components(operator)),
        tf.nest.pack_sequence_as(spec, leaves, expand_composites=True),
    ):
        assert type(again) is spec.value_type is type(operator)
        np.testing.assert_array_equal(again.to_dense(), operator.to_dense())
        assert again._type_spec == spec
        assert hash(again._type_spec) == hash(spec)
    assert tf.type_spec_from_value(operator) == spec
    assert spec != L.LinearOperatorDiag([1.0])._type_spec
