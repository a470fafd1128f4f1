"""Layers give the same with compiled functions and without, and eagerly and recorded."""

from __future__ import annotations

import numpy as np
import pytest

import cinta as tf
from cinta.engine import parallel
from cinta.ops.image import resampling
from cinta.ops.nn.attention import compiled as attention
from cinta.ops.nn.conv import compiled as convolution
from cinta.ops.nn.pooling import compiled as pooling
from cinta.ops.nn.recurrent import compiled as recurrent
from cinta.replay.numpy.blocks import Blocks
from cinta.replay.numpy.compiled_chains import ChainedSteps, are_compiled

pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)


def pooled(x, size, strides, padding):
    with tf.GradientTape() as tape:
        tape.watch(x)
        largest = tf.nn.max_pool2d(x, size, strides, padding)
        loss = tf.reduce_sum(largest * tf.range(1.0, largest.shape[-1] + 1))
    return largest, tape.gradient(loss, x)


@pytest.mark.parametrize("padding", ["VALID", "SAME", [[0, 0], [1, 0], [0, 1], [0, 0]]])
@pytest.mark.parametrize(("size", "strides"), [(2, 2), (3, 2), ((1, 3), 1)])
@pytest.mark.parametrize("strange", [0.0, np.nan, -np.inf])
def test_max_pooling(size, strides, padding, strange, monkeypatch):
    random = np.random.default_rng(0)
    images = random.integers(0, 4, (3, 7, 9, 20)).astype(np.float32)
    images[random.random(images.shape) < 0.1] = strange
    x = tf.constant(images)
    found = pooled(x, size, strides, padding)
    recorded = tf.function(lambda x: pooled(x, size, strides, padding))
    for _ in range(3):
        again = recorded(x)
    monkeypatch.setattr(pooling, "_largest", None)
    plain = pooled(x, size, strides, padding)
    for ours, replayed, wanted in zip(found, again, plain, strict=True):
        assert np.array_equal(ours, replayed, equal_nan=True)
        np.testing.assert_array_equal(ours.numpy(), wanted.numpy())


def test_pooling_of_examples_one_by_one():
    x = tf.random.normal([3, 4, 6, 16], seed=1)
    weights = tf.random.normal([2, 3, 3, 2, 3, 16], seed=2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        largest = tf.nn.max_pool2d(x, 2, 2, "VALID")
    jacobian = tape.jacobian(largest, x)
    found = tf.tensordot(weights, jacobian, [[2, 3, 4, 5], [0, 1, 2, 3]])
    windows = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    for i in range(2):
        for j in range(3):
            wanted = tf.raw_ops.MaxPoolGrad(
                orig_input=x, orig_output=largest, grad=weights[i, j], **windows
            )
            np.testing.assert_allclose(found[i, j], wanted, atol=1e-5)


def trained(x, kernel, weights, bias):
    """The outputs of an LSTM, and the gradients of their squares."""
    units = weights.shape[0]
    none, start = tf.zeros([units]), tf.zeros([x.shape[1], units])
    with tf.GradientTape() as tape:
        tape.watch([x, kernel, weights, bias])
        *_, outputs = tf.raw_ops.BlockLSTMV2(
            seq_len_max=tf.constant(x.shape[0], tf.int64),
            x=x,
            cs_prev=start,
            h_prev=start,
            w=tf.concat([kernel, weights], 0),
            **dict.fromkeys(("wci", "wcf", "wco"), none),
            b=bias,
        )
        loss = tf.reduce_sum(outputs**2)
    return outputs, *tape.gradient(loss, [x, kernel, weights, bias])


def test_sequences_of_an_lstm(monkeypatch):
    shapes = (5, 6, 3), (3, 28), (7, 28), (28,)
    given = [tf.random.normal(shape, seed=i) for i, shape in enumerate(shapes)]
    found = trained(*given)
    recorded = tf.function(trained)
    for _ in range(3):
        again = recorded(*given)
    assert all(np.array_equal(a, b) for a, b in zip(found, again, strict=True))
    monkeypatch.setattr(recurrent, "_MANY_WEIGHTS", 0)  # products of matrices
    by_products = trained(*given)
    monkeypatch.setattr(recurrent, "_step", None)  # no compiled functions
    for ours, second, third in zip(found, by_products, trained(*given), strict=True):
        np.testing.assert_allclose(second, ours, atol=1e-5)
        np.testing.assert_allclose(third, ours, atol=1e-5)


def attended(q, k, v, **options):
    with tf.GradientTape() as tape:
        tape.watch([q, k, v])
        seen = tf.keras.ops.dot_product_attention(q, k, v, **options)
        loss = tf.reduce_sum(seen**2)
    return seen, *tape.gradient(loss, [q, k, v])


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shape", [(3, 2), (1, 5)])
def test_attention(shape, masked, is_causal, monkeypatch):
    batch, heads = shape
    q, k, v = (tf.random.normal([batch, 40, heads, 12], seed=i) for i in range(3))
    mask = tf.range(batch * 40 * 40) % 3 > 0
    options = {"is_causal": is_causal}
    if masked:
        options["mask"] = tf.reshape(mask, [batch, 1, 40, 40])
    found = attended(q, k, v, **options)
    recorded = tf.function(lambda q, k, v: attended(q, k, v, **options))
    for _ in range(3):
        again = recorded(q, k, v)
    monkeypatch.setattr(attention, "_SHARE", 1)
    on_threads = attended(q, k, v, **options)
    monkeypatch.setattr(attention, "_attention", None)  # products of matrices
    plain = attended(q, k, v, **options)
    for ours, replayed, shared, wanted in zip(found, again, on_threads, plain, strict=True):
        assert np.array_equal(ours, replayed)
        assert np.array_equal(ours, shared)
        np.testing.assert_allclose(ours, wanted, atol=2e-5)


def test_steps_on_few_numbers_are_chained(monkeypatch):
    chains, real = [], ChainedSteps.__call__
    counted = lambda chain, *arrays: chains.append(chain) or real(chain, *arrays)  # noqa: E731
    monkeypatch.setattr(ChainedSteps, "__call__", counted)
    weights = [tf.Variable(tf.random.normal(shape, seed=i)) for i, shape in enumerate(CHAINED)]
    moments = [tf.Variable(tf.ones_like(each)) for each in weights]

    def step(x, rate):
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(x @ weights[0] + weights[1]) * weights[2] + rate
            loss = tf.add_n([tf.reduce_sum(hidden**2), tf.reduce_sum(weights[3] * weights[3])])
        for each, moment, g in zip(weights, moments, tape.gradient(loss, weights), strict=True):
            moment.assign_add((g * g - moment) * 0.1)
            each.assign_sub(rate * g / (tf.sqrt(moment) + 1e-7))
        return loss

    given = tf.random.normal([6, 5], seed=9), tf.constant(0.01)
    before = [each.numpy() for each in weights]
    wanted = [step(*given).numpy() for _ in range(4)], [each.numpy() for each in weights]
    for each, was in zip(weights, before, strict=True):
        each.assign(was)
    for moment in moments:
        moment.assign(tf.ones_like(moment))
    recorded = tf.function(step)
    found = [recorded(*given).numpy() for _ in range(4)], [each.numpy() for each in weights]
    assert wanted[0] == found[0]
    assert all(map(np.array_equal, wanted[1], found[1]))
    assert len(set(chains)) >= 4 or not are_compiled()
    assert not any("_one_by_one" in vars(chain) for chain in chains)


CHAINED = (5, 7), (7,), (6, 1), (4,)


@pytest.mark.parametrize("shape", [(300, 500), (500,), (300, 1), (1, 1), (), (16,)], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_steps_on_many_numbers_are_chained(shape, threads, monkeypatch):
    """All but those on short rows with a number for each column."""
    monkeypatch.setattr(parallel, "threads", lambda: threads)
    compiled, real = [], Blocks.__init__

    def counted(blocks, region):
        real(blocks, region)
        compiled.append(blocks.is_compiled)

    monkeypatch.setattr(Blocks, "__init__", counted)
    x = tf.random.normal([9375, 16] if shape == (16,) else [300, 500], seed=1)
    y = tf.random.normal(shape, seed=2)

    def function(x, y):
        with tf.GradientTape() as tape:
            tape.watch(x)
            made = tf.nn.gelu(x + y) * tf.exp(x) + y
        return made, tape.gradient(made, x)

    wanted, recorded = function(x, y), tf.function(function)
    for _ in range(3):
        found = recorded(x, y)
    assert all(map(np.array_equal, wanted, found))
    assert set(compiled) == {are_compiled() and shape != (16,)}


def resized(x, size, method, antialias):
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = tf.image.resize(x, size, method, antialias=antialias)
        loss = tf.reduce_sum(made**2)
    return made, tape.gradient(loss, x)


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", ["bilinear", "bicubic", "lanczos3"])
@pytest.mark.parametrize("shape", [(9, 7, 3), (2, 8, 8, 5), (3, 1, 4, 1), (0, 4, 4, 3)])
@pytest.mark.parametrize("size", [(3, 4), (12, 9), (1, 1)])
def test_images_of_another_size(size, shape, method, antialias, monkeypatch):
    x = tf.random.normal(shape, seed=1)
    found = resized(x, size, method, antialias)
    again = tf.function(lambda x: resized(x, size, method, antialias))(x)
    monkeypatch.setattr(resampling, "_resampled", None)
    plain = resized(x, size, method, antialias)
    for ours, replayed, wanted in zip(found, again, plain, strict=True):
        assert np.array_equal(ours, replayed)
        np.testing.assert_allclose(ours, wanted, atol=1e-4)


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", ["bilinear", "bicubic", "lanczos3", "area"])
@pytest.mark.parametrize("size", [(4, 5), (40, 90)])
def test_bytes_of_another_size(size, method, antialias, monkeypatch):
    x = tf.cast(tf.random.uniform([2, 30, 70, 3], 0, 256, tf.int32, seed=1), tf.uint8)

    def resized(x):
        return tf.image.resize(x, size, method, antialias=antialias)

    found, again = resized(x), tf.function(resized)(x)
    assert found.dtype == tf.float32
    assert np.array_equal(found, again)
    assert np.array_equal(found, resized(tf.cast(x, tf.float32)))
    monkeypatch.setattr(resampling, "_of_bytes", None)
    monkeypatch.setattr(resampling, "_resampled", None)
    np.testing.assert_allclose(found, resized(x), rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("padding", ["VALID", "SAME", [[0, 0], [2, 0], [0, 1], [0, 0]]])
@pytest.mark.parametrize("name", ["conv2d", "depthwise_conv2d"])
def test_convolution_of_some_images_at_a_time(name, padding, monkeypatch):
    random = np.random.default_rng(0)
    images = tf.constant(random.normal(size=(7, 6, 9, 16)), tf.float32)
    filters = tf.constant(random.normal(size=(3, 2, 16, 2)), tf.float32)

    def found():
        with tf.GradientTape() as tape:
            tape.watch([images, filters])
            result = getattr(tf.nn, name)(images, filters, [1] * 4, padding)
            loss = tf.reduce_sum(tf.sin(result))
        return result, *tape.gradient(loss, [images, filters])

    together = found()
    monkeypatch.setattr(convolution, "_WINDOWS", 1)
    monkeypatch.setattr(convolution, "_PADDED", 3 * 6 * 9 * 16)  # 3, 3 and 1 of the images
    apart = found()
    for one, other in zip(together[:2], apart[:2], strict=True):
        assert np.array_equal(one, other)
    np.testing.assert_allclose(together[2], apart[2], rtol=1e-5, atol=1e-5)
