"""Attention by compiled functions: that of double precision, wherever its numbers stand."""

from __future__ import annotations

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
LEAST = -0.7 * float(np.finfo(np.float32).max)


def heads(queries, keys, size, depth, count=2):
    """Queries, keys, values and what is given for outputs; a mask that hides all from one query."""
    random = np.random.default_rng(0)
    shapes = (queries, size), (keys, size), (keys, depth), (queries, depth)
    arrays = [random.normal(size=(count, *shape)).astype(np.float32) for shape in shapes]
    mask = random.random((count, queries, keys)) < 0.6
    mask[0, queries // 2] = False
    return *arrays, mask


def exact(q, k, v, g, live):
    """Outputs and gradients in double precision, from the keys that queries see."""
    q, k, v, g = (x.astype(np.float64) for x in (q, k, v, g))
    scores = np.where(live, q @ k.swapaxes(-1, -2), LEAST)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    out = weights @ v
    by_weight = g @ v.swapaxes(-1, -2) - (g * out).sum(axis=-1, keepdims=True)
    by_score = np.where(live, weights * by_weight, 0)
    turned = by_score.swapaxes(-1, -2), weights.swapaxes(-1, -2)
    return out, by_score @ k, turned[0] @ q, turned[1] @ g


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("queries", [1, 13, 150])
@pytest.mark.parametrize(("keys", "size", "depth"), [(1, 1, 1), (37, 5, 33), (4000, 16, 8)])
def test_attention_and_its_gradients(queries, keys, size, depth, masked, causal):
    q, k, v, g, mask = heads(queries, keys, size, depth)
    if not masked:
        mask = np.broadcast_to(np.True_, mask.shape)
    made = cinta_kernels.attention(q, k, v, mask, np.bool_(causal))
    gradients = cinta_kernels.attention_gradient(q, k, v, mask, np.bool_(causal), g, *made)
    before = np.tri(queries, keys, dtype=bool) if causal else True
    for found, wanted in zip((made[0], *gradients), exact(q, k, v, g, mask & before), strict=True):
        assert np.abs(found - wanted).max() <= 4e-6 * max(1, np.abs(wanted).max())


def test_outputs_do_not_depend_on_other_queries_or_on_memory():
    q, k, v, g, mask = heads(50, 60, 20, 24)
    hiding = mask, np.False_
    out, top, total = cinta_kernels.attention(q, k, v, *hiding)
    some = slice(7, 20)
    part = cinta_kernels.attention(q[:, some], k, v, mask[:, some], np.False_)
    for found, whole in zip(part, (out, top, total), strict=True):
        assert np.array_equal(found, whole[:, some])
    turned = [np.asfortranarray(x) for x in (k, v, mask)]
    assert np.array_equal(cinta_kernels.attention(q, *turned, np.False_)[0], out)
    whole = cinta_kernels.attention_gradient(q, k, v, *hiding, g, out, top, total)
    again = cinta_kernels.attention_gradient(q, *turned, np.False_, g, out, top, total)
    assert all(map(np.array_equal, again, whole))


def test_what_was_subtracted_may_be_less_than_the_largest_score():
    q, k, v, g, mask = heads(10, 12, 4, 4)
    out, top, total = cinta_kernels.attention(q, k, v, mask | True, np.False_)
    one = mask | True, np.False_, g, out
    wanted = cinta_kernels.attention_gradient(q, k, v, *one, top, total)
    found = cinta_kernels.attention_gradient(q, k, v, *one, 0 * top, total * np.exp(top))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_nan_stays_with_its_query():
    q, k, v, _, mask = heads(9, 12, 4, 4)
    q[0, 3, 1] = np.nan
    out, _, _ = cinta_kernels.attention(q, k, v, mask | True, np.False_)
    assert np.isnan(out).any(axis=-1).nonzero() == ([0], [3])


def test_numbers_with_gaps_are_refused():
    q, k, v, _, mask = heads(9, 12, 4, 4)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.attention(q[..., ::2], k[..., ::2], v, mask, np.False_)
