"""Initializers with Keras's names and numbers."""

import numpy as np
import pytest

import cinta as tf

I = tf.initializers  # noqa: E741  # short, as it stands in every line

# Results of Keras 3 on TensorFlow for seed=1.
KERAS = {
    "GlorotUniform": [
        [0.82922614, -0.08767891, 0.21972716],
        [-0.23530674, -0.5407265, -0.12203431],
    ],
    "GlorotNormal": [[0.09106225, -0.35448155, 0.4538295], [-0.56718487, -0.65419155, -0.28700176]],
    "HeNormal": [[0.14398205, -0.5604845, 0.71756744], [-0.896798, -1.0343677, -0.45378962]],
    "HeUniform": [[1.3111216, -0.13863254, 0.34741914], [-0.37205255, -0.8549636, -0.19295311]],
    "LecunNormal": [[0.10181069, -0.39632243, 0.5073968], [-0.63413197, -0.7314084, -0.3208777]],
    "LecunUniform": [[0.9271029, -0.09802794, 0.24566245], [-0.2630809, -0.6045506, -0.13643849]],
    "TruncatedNormal": [0.00633252, -0.02465083, 0.03155954],
    "RandomNormal": [0.00633252, -0.02465083, 0.03155954],
    "RandomUniform": [0.03784882, -0.00400198, 0.01002913],
    "Orthogonal": [[0.14748561, -0.3620382], [0.7350282, 0.66280115], [0.6618017, -0.65545636]],
}


@pytest.mark.parametrize("name", KERAS)
def test_numbers_are_those_of_keras(name):
    initializer = getattr(I, name)(seed=1)
    expected = np.array(KERAS[name], np.float32)
    found = initializer(expected.shape)
    assert found.dtype == tf.float32
    np.testing.assert_allclose(found.numpy(), expected, rtol=2e-5, atol=1e-6)
    assert initializer(expected.shape).numpy().tolist() == found.numpy().tolist()
    made_again = type(initializer).from_config(initializer.get_config())
    assert made_again(expected.shape).numpy().tolist() == found.numpy().tolist()


def test_variance_scaling_counts_the_places_of_a_convolution():
    uniform = I.VarianceScaling(2.0, "fan_avg", "uniform", seed=1)([3, 3, 2, 4])
    np.testing.assert_allclose(uniform.numpy()[0, 0, 0, :2], [0.35684207, -0.03773099], rtol=1e-5)
    normal = I.VarianceScaling(2.0, "fan_out", "untruncated_normal", seed=1)([3])
    np.testing.assert_allclose(normal.numpy(), [0.10340954, -0.40254635, 0.51536506], rtol=1e-5)
    assert I.GlorotUniform(seed=1)([]).shape == []


def test_initializers_that_are_not_random():
    assert I.Identity(2.0)([2, 3]).numpy().tolist() == [[2, 0, 0], [0, 2, 0]]
    assert I.Zeros()([2]).numpy().tolist() == [0, 0]
    assert I.Ones()([2], dtype="int32").dtype == tf.int32
    assert I.Constant(3)([2]).dtype == tf.float32
    assert I.orthogonal is I.Orthogonal


def test_wide_matrices_have_orthogonal_rows():
    q = I.Orthogonal(gain=2.0, seed=3)([2, 2, 5], tf.float64)
    rows = tf.reshape(q, [4, 5])
    np.testing.assert_allclose(tf.matmul(rows, rows, transpose_b=True), 4 * np.eye(4), atol=1e-12)


def test_without_a_seed_the_numbers_differ():
    glorot = I.GlorotUniform()
    assert glorot([3]).numpy().tolist() != glorot([3]).numpy().tolist()


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: I.VarianceScaling(scale=-1), "`scale` must be positive"),
        (lambda: I.VarianceScaling(mode="x"), "Invalid `mode` argument: x"),
        (lambda: I.VarianceScaling(distribution="x"), "Invalid `distribution` argument: x"),
        (lambda: I.Orthogonal()([3]), "at least two-dimensional"),
        (lambda: I.Identity()([3]), "only be used for 2D matrices"),
    ],
)
def test_errors_are_those_of_keras(call, match):
    with pytest.raises(ValueError, match=match):
        call()


IN_PARTS = {
    "zeros": tf.zeros_initializer(),
    "ones": tf.ones_initializer(),
    "normal": tf.random_normal_initializer(seed=1),
    "uniform": tf.random_uniform_initializer(seed=1),
    "constant": tf.constant_initializer(3.0, support_partition=True),
}


@pytest.mark.parametrize("initializer", IN_PARTS.values(), ids=IN_PARTS)
def test_a_part_of_a_variable_has_its_own_shape(initializer):
    part = initializer([4, 2], partition_shape=[3, 2], partition_offset=[1, 0])
    assert part.numpy().tolist() == initializer([3, 2]).numpy().tolist()
    assert initializer([4, 2], partition_offset=[0, 0]).shape == (4, 2)
    with pytest.raises(TypeError, match="partition_offset"):
        initializer([4, 2], partitions=2)


@pytest.mark.parametrize("make", [I.Orthogonal, I.Identity, I.GlorotUniform, I.TruncatedNormal])
def test_initializers_of_keras_know_nothing_of_parts(make):
    with pytest.raises(TypeError, match="partition_shape"):
        make()([4, 2], partition_shape=[2, 2])


def test_a_constant_fills_parts_only_if_told():
    with pytest.raises(ValueError, match="support_partition"):
        tf.constant_initializer(3.0)([4, 2], partition_shape=[2, 2])


@pytest.mark.parametrize("value", [None, {}, tf.constant(1.0), object()])
def test_a_constant_is_made_of_a_plain_value(value):
    with pytest.raises(TypeError, match="Invalid type for initial value"):
        tf.constant_initializer(value)


def test_an_identity_has_the_dtype_that_was_asked_for():
    assert I.Identity(2.5)([2, 2], tf.bfloat16).dtype == tf.bfloat16
    with pytest.raises(TypeError, match="dtype"):
        I.Identity()([2, 2], tf.int32)


def test_seeds_beyond_32_bits_and_below_zero_are_those_of_keras():
    for seed, expected in [(-1, [-0.6523218, 0.1753043]), (2**40, [0.91394746, 0.2288568])]:
        drawn = I.GlorotUniform(seed=seed)
        np.testing.assert_allclose(drawn([2]), expected, rtol=1e-6)
        assert drawn.get_config() == {"seed": seed}
    drawn = I.TruncatedNormal(seed=2**31)([2])
    np.testing.assert_allclose(drawn, [-0.03197147, -0.00935029], rtol=1e-6)
