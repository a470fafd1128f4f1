"""The compiled functions of rows, against the same sums in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("width", [0, 1, 5, 64, 200])
def test_exponentials_of_rows(width, step):
    x = np.random.default_rng(0).normal(size=(4, width * step)).astype(np.float32)[:, ::step]
    powers, total, top = cinta_kernels.exponentials(x)
    assert np.array_equal(top, x.max(axis=1, initial=-np.inf))
    np.testing.assert_allclose(powers, np.exp(x - top[:, None]), rtol=3e-7)
    np.testing.assert_allclose(total, powers.sum(axis=1, dtype=np.float64), rtol=1e-6)


@pytest.mark.parametrize("width", [0, 1, 5, 64, 200])
def test_gradients_of_softmaxes(width):
    g, softmax = np.random.default_rng(0).normal(size=(2, 4, width)).astype(np.float32)
    found = cinta_kernels.softmax_gradient(g, softmax)
    common = (g * softmax).sum(axis=1, keepdims=True, dtype=np.float64)
    np.testing.assert_allclose(found, softmax * (g - common), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("width", [1, 7, 64, 150])
@pytest.mark.parametrize("centered", [0.0, 1.0])
def test_normalized_rows_and_their_gradients(width, centered):
    random = np.random.default_rng(0)
    x, g = random.normal(2, size=(2, 5, width)).astype(np.float32)
    scale, offset = random.normal(size=(2, width)).astype(np.float32)
    out, mean, factor = cinta_kernels.layer_norm(x, scale, offset, 0.5, centered)
    wide = x.astype(np.float64)
    middle = centered * wide.mean(axis=1)
    np.testing.assert_allclose(mean, middle, rtol=1e-6)
    variance = np.square(wide - middle[:, None]).mean(axis=1)
    np.testing.assert_allclose(factor, (variance + 0.5) ** -0.5, rtol=1e-6)
    h = (wide - middle[:, None]) * factor[:, None]
    np.testing.assert_allclose(out, h * scale + offset, atol=1e-5)
    assert np.array_equal(out, cinta_kernels.normalized(x, mean, factor, scale, offset))
    by_x, by_scale, by_offset = cinta_kernels.normalized_gradients(
        g, x, mean, factor, scale, centered
    )
    own = g * scale
    rest = own - h * (own * h).mean(axis=1, keepdims=True)
    rest -= centered * own.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(by_x, rest * factor[:, None], atol=1e-5)
    np.testing.assert_allclose(by_scale, (g * h).sum(axis=0), atol=1e-5)
    np.testing.assert_allclose(by_offset, g.sum(axis=0), atol=1e-5)


def test_rows_with_gaps_are_refused():
    x = np.ones((3, 8), np.float32)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.layer_norm(x[:, ::2], x[0, ::2], x[0, ::2], 0.0, 1.0)


def test_a_normalized_row_does_not_depend_on_those_beside_it():
    random = np.random.default_rng(0)
    x, g = random.normal(size=(2, 5, 77)).astype(np.float32)
    scale, offset = random.normal(size=(2, 77)).astype(np.float32)
    options = np.float32(0.01), np.float32(1)
    together = cinta_kernels.layer_norm(x, scale, offset, *options)
    alone = [cinta_kernels.layer_norm(row, scale, offset, *options) for row in x]
    for whole, rows in zip(together, zip(*alone, strict=True), strict=True):
        assert np.array_equal(whole, np.stack(rows))
    mean, factor = together[1:]
    by_x, *by_columns = cinta_kernels.normalized_gradients(g, x, mean, factor, scale, options[1])
    parts = [
        cinta_kernels.normalized_gradients(*[a[i : i + 1] for a in (g, x, mean, factor)], scale, 1)
        for i in range(5)
    ]
    assert np.array_equal(by_x, np.concatenate([part[0] for part in parts]))
    for k, column in enumerate(by_columns, 1):
        np.testing.assert_allclose(column, sum(part[k] for part in parts), atol=1e-5)


def test_nan_and_infinity_stay_in_their_row():
    x = np.ones((3, 40), np.float32)
    x[0, 3], x[1, 5] = np.nan, np.inf
    ones = np.ones(40, np.float32)
    with np.errstate(invalid="ignore"):
        out, mean, _ = cinta_kernels.layer_norm(x, ones, 0 * ones, 0.5, 1.0)
        deviation = x - x.mean(axis=1, keepdims=True)
    assert np.array_equal(np.isnan(out[:1]), np.isnan(deviation[:1]))
    assert np.isnan(out[1]).all()
    assert np.isposinf(mean[1])
    assert not out[2].any()


@pytest.mark.parametrize("width", [1, 10, 64, 150])
def test_loss_of_classes_and_its_gradient(width):
    random = np.random.default_rng(0)
    x = random.normal(scale=5, size=(6, width)).astype(np.float32)
    places, weight = random.integers(width, size=6), random.normal(size=6).astype(np.float32)
    x[0, places[0]] += 30  # nearly sure
    loss, powers, total = cinta_kernels.cross_entropy(x, places)
    wide = x.astype(np.float64)
    shares = np.exp(wide - wide.max(axis=1, keepdims=True))
    own = shares[range(6), places]
    shares[range(6), places] = 0
    rest = shares.sum(axis=1)
    np.testing.assert_allclose(loss, np.log1p(rest / own), rtol=2e-6)
    np.testing.assert_allclose(total, rest + own, rtol=1e-6)
    shares[range(6), places] = -rest
    expected = weight[:, None] * shares / (rest + own)[:, None]
    found = cinta_kernels.cross_entropy_gradient(powers, places, total, weight)
    np.testing.assert_allclose(found, expected, rtol=2e-6)


@pytest.mark.parametrize("place", [-1, 4])
def test_places_outside_of_rows_are_refused(place):
    x, ones = np.ones((2, 4), np.float32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="no such place"):
        cinta_kernels.cross_entropy(x, [0, place])
    with pytest.raises(ValueError, match="no such place"):
        cinta_kernels.cross_entropy_gradient(x, [0, place], ones, ones)


def test_rectifiers_keep_nan():
    x = np.array([np.nan, -0.0, 0.0, 1.0, -1.0, np.inf, -np.inf], np.float32)
    assert np.array_equal(cinta_kernels.relu(x), x.clip(0), equal_nan=True)
    g = np.array([1, np.nan, np.inf, np.nan, 3, 2, 3], np.float32)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(cinta_kernels.relu_grad(g, x), g * (x > 0), equal_nan=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step_of_lstm(said, given, before):
    """The gates, the cells and the outputs."""
    i, f, new, o = np.split(said + given, 4, axis=-1)
    i, f, new, o = sigmoid(i), sigmoid(f), np.tanh(new), sigmoid(o)
    cell = f * before + i * new
    return np.concatenate([i, f, new, o], axis=-1), cell, o * np.tanh(cell)


@pytest.mark.parametrize("units", [0, 1, 7, 40])
def test_a_step_of_an_lstm_and_its_gradient(units):
    random = np.random.default_rng(0)
    said, given, to_gates = random.normal(size=(3, 5, 4 * units))
    before, by_shown, by_cell, carried = random.normal(size=(4, 5, units))
    narrow = [each.astype(np.float32) for each in (said, given, before)]
    wanted = gates, cell, _ = step_of_lstm(said, given, before)
    for found, exact in zip(cinta_kernels.lstm_step(*narrow), wanted, strict=True):
        np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-6)
    arrays = gates, to_gates, before, cell, by_shown, by_cell, carried
    found = cinta_kernels.lstm_step_gradient(*[each.astype(np.float32) for each in arrays])

    def loss(said, before):
        gates, cell, shown = step_of_lstm(said, given, before)
        return (
            (gates * to_gates).sum() + (cell * (by_cell + carried)).sum() + (shown * by_shown).sum()
        )

    for gradient, at in ((found[0], 0), (found[2], 1)):
        direction = random.normal(size=gradient.shape)
        ends = []
        for sign in (1, -1):
            point = [said, before]
            point[at] = point[at] + sign * 1e-5 * direction
            ends.append(loss(*point))
        np.testing.assert_allclose(
            (gradient * direction).sum(), (ends[0] - ends[1]) / 2e-5, rtol=1e-4, atol=1e-4
        )


def test_gates_of_another_number_are_refused():
    x, c = np.ones((2, 9), np.float32), np.ones((2, 3), np.float32)
    with pytest.raises(ValueError, match="four gates"):
        cinta_kernels.lstm_step(x, x, c)


def sequence(random, times, rows, units):
    """Arrays of what inputs say, of the weights of the state, and of first states and cells."""
    shapes = (times, rows, 4 * units), (units, 4 * units), (rows, units), (rows, units)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize("rows", [0, 1, 13, 32])
@pytest.mark.parametrize("units", [0, 1, 7, 33])
def test_sequences_of_an_lstm_and_their_gradients_are_those_of_their_steps(units, rows):
    random = np.random.default_rng(0)
    given, weights, h, c = sequence(random, 4, rows, units)
    outputs, cells, gates = cinta_kernels.lstm_steps(given, weights, h, c)
    before = c
    for t in range(4):
        wanted = cinta_kernels.lstm_step(h @ weights, given[t], before)
        for found, exact in zip((gates[t], cells[t], outputs[t]), wanted, strict=True):
            np.testing.assert_allclose(found, exact, rtol=1e-4, atol=1e-5)
        h, before = outputs[t], cells[t]
    by_output, by_cell = random.normal(size=(2, *cells.shape)).astype(np.float32)
    by_gate = random.normal(size=gates.shape).astype(np.float32)
    arrays = by_output, by_cell, by_gate, gates, cells
    said, made, shown = cinta_kernels.lstm_steps_gradient(*arrays, c, weights)
    carried, more = np.zeros_like(c), np.zeros_like(c)
    for t in reversed(range(4)):
        own = by_output[t] + more
        inner = gates[t], by_gate[t], cells[t - 1] if t else c, cells[t]
        wanted = cinta_kernels.lstm_step_gradient(*inner, own, by_cell[t], carried)
        found = said[t], made[t], shown[t]
        for ours, exact in zip(found, (*wanted[:2], own), strict=True):
            np.testing.assert_allclose(ours, exact, rtol=1e-4, atol=1e-4)
        carried, more = wanted[2], said[t] @ weights.T


def test_rows_of_sequences_do_not_depend_on_others():
    random = np.random.default_rng(0)
    given, weights, h, c = sequence(random, 3, 40, 20)
    whole = cinta_kernels.lstm_steps(given, weights, h, c)
    some = slice(5, 18)
    part = cinta_kernels.lstm_steps(given[:, some], weights, h[some], c[some])
    for found, all_rows in zip(part, whole, strict=True):
        assert np.array_equal(found, all_rows[:, some])
    turned = np.asfortranarray(weights)
    assert np.array_equal(cinta_kernels.lstm_steps(given, turned, h, c)[0], whole[0])


def test_sequences_with_gaps_and_other_gates_are_refused():
    random = np.random.default_rng(0)
    given, weights, h, c = sequence(random, 3, 4, 6)
    gates, by_cell = np.ones((3, 4, 24), np.float32), np.ones((3, 4, 6), np.float32)
    gaps = np.ones((3, 4, 12), np.float32)[..., ::2]
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.lstm_steps(given, weights, np.ones((8, 6), np.float32)[::2], c)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.lstm_steps_gradient(gaps, by_cell, gates, gates, by_cell, c, weights)
    with pytest.raises(ValueError, match="four gates"):
        cinta_kernels.lstm_steps(given[..., 1:], weights[:, 1:], h, c)
