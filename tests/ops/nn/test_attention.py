"""Attention as one op: by its formula, by blocks, with masks, in Keras, in little memory."""

import tracemalloc

import numpy as np
import pytest

import cinta as tf
from cinta.ops.nn.attention import numpy as by_numpy
from cinta.ops.nn.attention.rules import DotProductAttention
from tests.checking import check_gradients

keras = tf.keras
BATCH, HEADS, QUERIES, KEYS, SIZE = 2, 3, 5, 6, 4
RANDOM = np.random.default_rng(0)
GIVEN = [
    RANDOM.normal(size=(BATCH, HEADS, QUERIES, SIZE)),
    RANDOM.normal(size=(BATCH, HEADS, KEYS, SIZE)),
    RANDOM.normal(size=(BATCH, HEADS, KEYS, 3)),
]
MASKS = {
    "all": None,
    "by sample": RANDOM.random((BATCH, 1, QUERIES, KEYS)) < 0.6,
    "by query": np.array([[1, 0, 1, 1, 0, 1]] * 4 + [[0] * 6], bool),
}
each_case = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
each_order = pytest.mark.parametrize("causal", [False, True])


def by_formula(q, k, v, mask, causal):
    """In double precision; queries that see nothing see the mean."""
    scores = q @ k.swapaxes(-1, -2)
    shown = np.ones(scores.shape, bool) if mask is None else mask & np.ones(scores.shape, bool)
    if causal:
        shown = shown & np.tri(*scores.shape[-2:], dtype=bool)
    scores = np.where(shown, scores, -1e300)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True) @ v


def attention(mask, causal):
    hides = tf.zeros([0], bool) if mask is None else tf.constant(mask)
    return lambda q, k, v: DotProductAttention(q, k, v, hides, causal=causal)[0]


@each_case
@each_order
@pytest.mark.parametrize("limit", [5, 12, 40, 1 << 17])
def test_values_and_gradients_do_not_depend_on_blocks(limit, mask, causal, monkeypatch):
    def results():
        given = [tf.constant(x) for x in GIVEN]
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = attention(mask, causal)(*given)
            total = tf.reduce_sum(tf.sin(y))
        return [y, *tape.gradient(total, given)]

    expected = results()
    monkeypatch.setattr(by_numpy, "_LIMIT", limit)
    found = results()
    np.testing.assert_allclose(found[0], by_formula(*GIVEN, mask, causal), atol=1e-14)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-13)


@each_case
@each_order
def test_derivatives_of_three_orders(mask, causal):
    check_gradients(attention(mask, causal), *GIVEN, order=3, rtol=1e-5, atol=1e-6)


@each_case
@each_order
def test_engines_and_jacobians_agree(mask, causal):
    pytest.importorskip("jax")
    given = [tf.constant(x[:, :1]) for x in GIVEN]

    def derivatives(*given):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(given)
            with tf.GradientTape() as tape:
                tape.watch(given)
                y = attention(mask, causal)(*given)
                total = tf.reduce_sum(y**2)
            first = tape.gradient(total, given)
            norm = sum(tf.reduce_sum(x**2) for x in first)
        return [*first, *outer.gradient(norm, given), *outer.jacobian(y, given)]

    expected = derivatives(*given)
    for jit_compile in (False, True):
        function = tf.function(derivatives, jit_compile=jit_compile)
        for ours, theirs in zip(function(*given), expected, strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize(("dtype", "off"), [("float32", 2e-6), ("float16", 4e-3)])
def test_dtypes(dtype, off):
    found = attention(None, True)(*[tf.constant(x, dtype) for x in GIVEN])
    assert found.dtype == dtype
    np.testing.assert_allclose(found, by_formula(*GIVEN, None, True), atol=off)


def test_scores_may_be_large():
    q, k, v = (tf.constant(x, "float32") for x in GIVEN)
    found = attention(None, False)(1e3 * q, k, v)
    np.testing.assert_allclose(
        found, by_formula(1e3 * GIVEN[0], *GIVEN[1:], None, False), atol=1e-3
    )
    assert np.isfinite(attention(None, False)(1e30 * q, k, v)).all()


def test_memory_grows_with_the_length():
    length = 2048
    random = np.random.default_rng(1)
    q, k, v = (tf.constant(random.normal(size=(1, 2, length, 8)), "float32") for _ in range(3))
    all_weights = 2 * length * length * 4
    attend = attention(None, False)
    tracemalloc.start()
    try:
        with tf.GradientTape() as tape:
            tape.watch([q, k, v])
            y = attend(q, k, v)
        tape.gradient(y, [q, k, v])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < all_weights / 4


# -- in Keras --------------------------------------------------------------------------------------


def test_heads_lie_side_by_side_for_the_layer_after_them():
    x = tf.ones([BATCH, QUERIES, HEADS, SIZE])
    with tf.GradientTape() as tape:
        tape.watch(x)
        seen = keras.ops.dot_product_attention(x, x, x)
    assert seen._array.flags.c_contiguous
    assert tape.gradient(seen, x)._array.flags.c_contiguous


def kept(function, *arguments):
    return [step.op.name for step in tf.function(function).recording(*arguments).calls]


@each_order
@each_case
def test_keras_gives_the_same_by_its_formula(mask, causal):
    q, k, v = (tf.constant(np.moveaxis(x, 1, 2)) for x in GIVEN)
    mask = mask if mask is None or mask.ndim == 4 else mask[None, None]

    def attend(q, k, v, bias=None):
        return keras.ops.dot_product_attention(q, k, v, bias, mask, 0.5, causal)

    assert "DotProductAttention" in kept(attend, q, k, v)
    plain = attend(q, k, v, bias=tf.zeros([1, 1, QUERIES, KEYS], "float64"))
    np.testing.assert_allclose(attend(q, k, v), plain, atol=1e-6)  # Keras's scores are float32


def test_layers_attend_by_the_op_unless_they_drop_weights():
    x = tf.ones([2, 4, 6])
    for dropout, fused in ((0.0, True), (0.5, False)):
        layer = keras.layers.MultiHeadAttention(2, 3, dropout=dropout)
        layer(x, x)
        names = kept(lambda x, layer=layer: layer(x, x, use_causal_mask=True), x)
        assert ("DotProductAttention" in names) is fused


def test_one_head_of_keys_for_all_queries_and_empty_sequences():
    q, k, v = (tf.ones([2, 3, heads, 4]) for heads in (4, 2, 2))
    assert keras.ops.dot_product_attention(q, k, v).shape == (2, 3, 4, 4)
    nothing = keras.ops.dot_product_attention(*[tf.ones([2, 0, 4, 4])] * 3)
    assert nothing.shape == (2, 0, 4, 4)
