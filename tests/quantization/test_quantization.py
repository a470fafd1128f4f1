"""tf.quantization: values and gradients are those of TensorFlow 2.21."""

import numpy as np
import pytest

import cinta as tf

X = [-7.0, -6.0, -3.3, 0.0, 0.01, 1.23, 5.9, 6.0, 8.0]
fake = tf.quantization.fake_quant_with_min_max_args


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [-6.0235295, -5.9764705, -3.2941177, 0, 0, 1.2235295, 5.882353, 5.9764705, 5.9764705]),
        (
            {"min": -1, "max": 3, "num_bits": 4, "narrow_range": True},
            [-1.1428572, -1.1428572, -1.1428572, 0, 0, 1.1428572, 2.857143, 2.857143, 2.857143],
        ),
        ({"min": 1, "max": 3}, [0, 0, 0, 0, 0.00784314, 1.2313726, 2, 2, 2]),
        ({"min": -3, "max": -1}, [-2, -2, -2, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_numbers_are_rounded_between_bounds_that_are_moved(options, expected):
    np.testing.assert_allclose(fake(X, **options), expected, rtol=1e-6)


def test_gradients_go_to_the_bounds_outside_of_them():
    x, low, high = tf.Variable(X), tf.Variable(-1.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = fake(x)
        z = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    np.testing.assert_array_equal(tape.gradient(y, x), [0, 1, 1, 1, 1, 1, 1, 0, 0])
    by_x, by_low, by_high = tape.gradient(z, [x, low, high])
    np.testing.assert_array_equal(by_x, [0, 0, 0, 1, 1, 1, 0, 0, 0])
    assert (by_low, by_high) == (3.0, 3.0)
    of_args = tf.quantization.fake_quant_with_min_max_args_gradient(tf.ones(9), X)
    np.testing.assert_array_equal(of_args, [0, 1, 1, 1, 1, 1, 1, 0, 0])
    of_vars = tf.quantization.fake_quant_with_min_max_vars_gradient(tf.ones(9), X, -1.0, 3.0)
    np.testing.assert_array_equal(of_vars[0], by_x)
    assert of_vars[1:] == (3.0, 3.0)


def test_each_channel_has_bounds_of_its_own():
    x = tf.Variable([[-2.0, 0.5], [1.0, 5.0]])
    low, high = tf.Variable([-1.0, 0.0]), tf.Variable([1.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.quantization.fake_quant_with_min_max_vars_per_channel(x, low, high)
    np.testing.assert_allclose(y, [[-0.9960785, 0.5058824], [1.0039216, 3]], rtol=1e-6)
    by_x, by_low, by_high = tape.gradient(y, [x, low, high])
    np.testing.assert_array_equal(by_x, [[0, 1], [1, 0]])
    np.testing.assert_array_equal(by_low, [1, 0])
    np.testing.assert_array_equal(by_high, [0, 1])


def test_numbers_go_there_and_back():
    x = tf.Variable([[-2.0, 0.5], [1.0, 5.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.quantization.quantize_and_dequantize(x, 0.0, 0.0)
        z = tf.quantization.quantize_and_dequantize_v2(x, -1.0, 3.0)
    expected = [[-2.007874, 0.511811], [0.984252, 5]]
    np.testing.assert_allclose(y, expected, rtol=1e-6)
    np.testing.assert_allclose(z, expected, rtol=1e-6)
    np.testing.assert_array_equal(tape.gradient(y, x), np.ones((2, 2)))
    np.testing.assert_array_equal(tape.gradient(z, x), [[0, 1], [1, 0]])
    options = {"num_bits": 4, "narrow_range": True, "signed_input": False}
    unsigned = tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, **options)
    np.testing.assert_allclose(unsigned, [[-2, 2 / 3], [1, 5]], rtol=1e-6)


def test_steps_along_an_axis_are_exact():
    x = tf.constant([[-0.9, -0.6818182], [1.3636364, 2.090909]])
    rounded = tf.quantization.quantize_and_dequantize_v2(
        x, 0.0, 0.0, num_bits=4, narrow_range=True, axis=0
    )
    expected = [[-0.8999999761581421, -0.6428570747375488], [1.4935064315795898, 2.090909004211426]]
    np.testing.assert_array_equal(rounded, np.float32(expected))
    eight = tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, axis=0)
    expected = [[-0.8999999761581421, -0.6820312142372131], [1.3664995431900024, 2.090909004211426]]
    np.testing.assert_array_equal(eight, np.float32(expected))


def test_numbers_that_no_step_reaches():
    """Negative ones where positive ones are expected stay, or are 0 within given bounds."""
    x = [-3.0, -0.5]
    rounded = tf.quantization.quantize_and_dequantize_v2
    np.testing.assert_array_equal(rounded(x, 0.0, 0.0, signed_input=False), x)
    bounded = rounded(x, -2.0, -1.0, signed_input=False, range_given=True)
    np.testing.assert_array_equal(bounded, [0, 0])


def test_what_makes_no_sense_is_refused():
    invalid = tf.errors.InvalidArgumentError
    with pytest.raises(invalid, match="min has to be smaller than max, was: 3 >= 1"):
        fake(X, min=3, max=1)
    for bits in 1, 17:
        with pytest.raises(invalid, match="between 2 and 16"):
            fake(X, num_bits=bits)
    with pytest.raises(invalid, match="min must be at most max"):
        tf.quantization.fake_quant_with_min_max_vars(X, 3.0, 1.0)


@pytest.mark.parametrize(("signed", "most"), [(True, 61), (False, 62)])
def test_numbers_of_bits_are_bounded(signed, most):
    def rounded(bits):
        return tf.quantization.quantize_and_dequantize_v2(
            [0.3, 1.0], 0.0, 0.0, signed_input=signed, num_bits=bits
        )

    np.testing.assert_allclose(rounded(most), [0.3, 1.0], rtol=1e-6)
    for bits in (0, most + 1, 2**31):
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_bits is out of range"):
            rounded(bits)
    for bits in (1, 17):
        with pytest.raises(tf.errors.InvalidArgumentError, match="between 2 and 16"):
            tf.quantization.fake_quant_with_min_max_args_gradient([1.0], [1.0], num_bits=bits)


def test_bounds_are_numbers():
    with pytest.raises(TypeError, match="argument 'min'"):
        tf.quantization.fake_quant_with_min_max_args([1.0], min=[-1.0, 1.0])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_may_be_counted_from_the_end(axis):
    x = np.linspace(-1, 3, 24, dtype=np.float32).reshape(2, 3, 4)
    bounds = [0.0] * x.shape[axis]
    for quantize in (
        tf.quantization.quantize_and_dequantize,
        tf.quantization.quantize_and_dequantize_v2,
    ):
        expected = quantize(x, bounds, bounds, axis=axis)
        assert not np.array_equal(expected, quantize(x, 0.0, 0.0))
        np.testing.assert_array_equal(quantize(x, bounds, bounds, axis=axis - 3), expected)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid axis"):
            quantize(x, bounds, bounds, axis=axis + 3)
