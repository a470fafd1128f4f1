"""Floats as whole numbers of few bits, and back: the values are those of TensorFlow 2.21."""

import numpy as np
import pytest

import cinta as tf

quantize, dequantize = tf.quantization.quantize, tf.quantization.dequantize
IAE = tf.errors.InvalidArgumentError
X = [-2.0, -1.3, -0.5, 0.0, 0.25, 0.5, 1.7, 3.0]
SIGNED, UNSIGNED = [-128, -3, 0, 5, 127], [0, 1, 2, 128, 255]


def seen(found):
    return found.output.numpy().tolist(), float(found.output_min), float(found.output_max)


@pytest.mark.parametrize(
    ("dtype", "mode", "numbers", "low"),
    [
        (tf.qint8, "MIN_COMBINED", [-128, -113, -55, -19, -1, 18, 105, 127], -1.5),
        (tf.qint8, "MIN_FIRST", [-128, -114, -55, -19, -1, 17, 105, 127], -1.5),
        (tf.qint8, "SCALED", [-127, -83, -32, 0, 16, 32, 108, 127], -2.0157480239868164),
        (tf.quint8, "MIN_COMBINED", [0, 15, 73, 109, 127, 146, 233, 255], -1.5),
        (tf.quint8, "MIN_FIRST", [0, 14, 73, 109, 127, 145, 233, 255], -1.5),
        (tf.quint8, "SCALED", [0, 0, 0, 0, 32, 64, 217, 255], 0.0),
        (
            tf.qint16,
            "MIN_COMBINED",
            [-32768, -29023, -14044, -4682, -1, 4681, 27150, 32767],
            -1.5,
        ),
        (tf.quint16, "MIN_FIRST", [0, 3744, 18724, 28086, 32767, 37448, 59917, 65535], -1.5),
        (
            tf.qint16,
            "SCALED",
            [-32767, -21299, -8192, 0, 4096, 8192, 27852, 32767],
            -2.000061,
        ),
    ],
)
def test_floats_become_whole_numbers(dtype, mode, numbers, low):
    found = quantize(X, -1.5, 2.0, dtype, mode=mode)
    assert found.output.dtype == dtype
    assert found.output.numpy().tolist() == numbers
    np.testing.assert_allclose([found.output_min, found.output_max], [low, 2.0], rtol=1e-6)


def test_the_largest_number_of_32_bits():
    found = quantize([-1.5, 2.0], -1.5, 2.0, tf.qint32)
    assert found.output.numpy().tolist() == [-(2**31), 2**31 - 1]


@pytest.mark.parametrize(
    ("bounds", "options", "expected"),
    [
        (
            (-1.5, 2.0),
            {"mode": "SCALED", "narrow_range": True},
            ([-127, -83, -32, 0, 16, 32, 108, 127], -2, 2),
        ),
        ((1.0, 1.0), {}, ([-128, -128, -128, -128, -64, -1, 127, 127], 0, 1)),
        ((1.0, 5.0), {}, ([-128, -128, -128, -128, -115, -103, -41, 25], 0, 5)),
        ((-5.0, -1.0), {}, ([25, 61, 102, 127, 127, 127, 127, 127], -5, 0)),
        ((0.0, 0.0), {"ensure_minimum_range": 0.0}, ([-128] * 8, 0, 0)),
        ((0.0, 0.0), {}, ([-128] * 4 + [127] * 4, 0, 0.009999999776482582)),
    ],
)
def test_bounds_are_moved(bounds, options, expected):
    assert seen(quantize(X, *bounds, tf.qint8, **options)) == expected


def test_halves_go_to_even_numbers():
    x = [0.5, 1.5, 2.5, -0.5]
    away = quantize(x, -127.0, 127.0, tf.qint8, mode="SCALED").output
    even = quantize(x, -127.0, 127.0, tf.qint8, mode="SCALED", round_mode="HALF_TO_EVEN").output
    assert away.numpy().tolist() == [1, 2, 3, -1]
    assert even.numpy().tolist() == [0, 2, 2, 0]


def test_places_along_an_axis_have_bounds_of_their_own():
    x, low, high = [[1.0, 2, 3], [4, 5, 6]], [0.0] * 3, [1.0, 2.0, 8.0]
    for axis in (1, -1):
        found = quantize(x, low, high, tf.qint8, axis=axis)
        assert found.output.numpy().tolist() == [[127, 127, -32], [127, 127, 63]]
        assert found.output_max.numpy().tolist() == high
    q = tf.constant([[-128, -3, 0], [5, 127, 1]], tf.qint8)
    bounds = [-1.0] * 3, [1.0, 2.0, 3.0]
    np.testing.assert_allclose(
        dequantize(q, *bounds, axis=1),
        [[-1.0, 0.470588207, 1.00784326], [0.0431373119, 2.0, 1.02352953]],
        rtol=1e-6,
    )
    np.testing.assert_allclose(
        dequantize(q, *bounds, mode="SCALED", axis=1, narrow_range=True),
        [[-1.00787401, -0.0472440943, 0], [0.0393700786, 2.0, 0.0236220472]],
        rtol=1e-6,
    )


@pytest.mark.parametrize(
    ("numbers", "dtype", "mode", "expected"),
    [
        (SIGNED, tf.qint8, "MIN_COMBINED", [-1.5, 0.21568632, 0.25686276, 0.32549024, 2.0]),
        (UNSIGNED, tf.quint8, "MIN_COMBINED", [-1.5, -1.4862745, -1.4725489, 0.25686276, 2]),
        (SIGNED, tf.qint8, "MIN_FIRST", [-1.4960785, 0.219608, 0.260784, 0.3294117, 2.003922]),
        (
            UNSIGNED,
            tf.quint8,
            "MIN_FIRST",
            [-1.496078, -1.482353, -1.468627, 0.260784, 2.003922],
        ),
        (SIGNED, tf.qint8, "SCALED", [-2.015748, -0.047244094, 0, 0.07874016, 2]),
        (UNSIGNED, tf.quint8, "SCALED", [0, 0.0078431377, 0.0156862754, 1.00392163, 2]),
    ],
)
def test_whole_numbers_become_floats(numbers, dtype, mode, expected):
    q = tf.constant(numbers, dtype)
    found = dequantize(q, -1.5, 2.0, mode=mode)
    assert found.dtype == tf.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    if mode == "MIN_COMBINED":
        half = dequantize(q, -1.5, 2.0, dtype=tf.bfloat16)
        assert half.dtype == tf.bfloat16
        np.testing.assert_allclose(tf.cast(half, tf.float32), expected, rtol=0.01)


def test_bounds_that_are_equal():
    q = tf.constant(SIGNED, tf.qint8)
    for mode in ("MIN_COMBINED", "MIN_FIRST"):
        assert dequantize(q, 1.0, 1.0, mode=mode).numpy().tolist() == [1] * 5


def test_none_and_one_and_strange_numbers():
    assert quantize([], 0.0, 1.0, tf.qint8).output.shape == [0]
    assert seen(quantize(1.0, [0.0], [1.0], tf.qint8)) == (127, 0, 1)
    strange = quantize([np.nan, np.inf, -np.inf], 0.0, 1.0, tf.qint8)
    assert strange.output.numpy().tolist() == [0, 127, -128]
    assert dequantize(tf.constant(5, tf.quint8), 0.0, 255.0).numpy() == 5


@pytest.mark.parametrize("compiled", [False, True])
def test_in_functions(compiled):
    if compiled:
        pytest.importorskip("jax")

    @tf.function(jit_compile=compiled)
    def there_and_back(x, high):
        found = quantize(x * 2.0, -high, high, tf.qint8, mode="SCALED")
        joined = tf.concat([found.output, found.output], 0)
        low, high = found.output_min, found.output_max
        return dequantize(joined, low, high, mode="SCALED") + 1.0, found.output

    for factor in (1.0, 2.0):
        x = tf.constant([0.5, -0.25, 3.0]) * factor
        back, kept = there_and_back(x, tf.constant(factor))
        expected = tf.constant([1.0, -64 / 127, 1.0] * 2) * factor + 1.0
        np.testing.assert_allclose(back, expected, rtol=1e-6)
        assert kept.dtype == tf.qint8
        assert kept.numpy().tolist() == [127, -64, 127]


def test_there_is_no_gradient():
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = dequantize(*quantize(x, -1.5, 2.0, tf.qint8))
    with pytest.raises(LookupError, match="Dequantize"):
        tape.gradient(y, x)


def test_they_are_saved(tmp_path):
    module = tf.Module()
    module.call = tf.function(
        lambda x: dequantize(*quantize(x, -1.0, 1.0, tf.qint8)),
        input_signature=[tf.TensorSpec([None])],
    )
    tf.saved_model.save(module, tmp_path)
    x = tf.constant([0.3, -0.7])
    again = tf.saved_model.load(tmp_path).call(x)
    assert again.numpy().tolist() == module.call(x).numpy().tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantize(X, 2.0, -1.5, tf.qint8), "must be larger"),
        (lambda: quantize(X, 0.0, 1.0, tf.int8), "'T' of int8"),
        (lambda: quantize(X, 0.0, 1.0, tf.qint8, mode="FOO"), "'mode' of 'FOO'"),
        (lambda: quantize(X, 0.0, 1.0, tf.qint8, round_mode="FOO"), "'round_mode' of 'FOO'"),
        (
            lambda: quantize(X, 0.0, 1.0, tf.qint8, round_mode="HALF_TO_EVEN"),
            "only supported for mode 'SCALED'",
        ),
        (lambda: quantize(tf.ones([2, 3]), [0.0] * 2, [1.0] * 2, tf.qint8, axis=1), "3 numbers"),
        (lambda: quantize(X, [0.0] * 2, [1.0] * 2, tf.qint8), "there are 2"),
        (lambda: quantize(X, 0.0, 1.0, tf.qint8, axis=5), "out of range"),
        (lambda: quantize(tf.ones(2, tf.float64), 0.0, 1.0, tf.qint8), "float32, got float64"),
        (lambda: dequantize(tf.constant([1], tf.int8), 0.0, 1.0), "'T' of int8"),
        (lambda: dequantize(tf.constant([1], tf.qint8), 0.0, 1.0, dtype=tf.float64), "bfloat16"),
        (
            lambda: dequantize(
                tf.constant([1], tf.qint8), 0.0, 1.0, mode="SCALED", dtype=tf.bfloat16
            ),
            "must be 'MIN_COMBINED'",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(IAE, match=message):
        call()
