"""Loops for NEON and AVX-512 give the numbers of the loops for AVX2, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
from tests.kernels import emulated  # noqa: E402

EDGES = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45, 3e38, -3e38, 0.625, 88.7]
EDGES += [-88.0, -104.0, -120.0, -140.0, 20.0, -20.0]
OF_ONE = ["exp", "tanh", "sigmoid", "sigmoid_slope", "silu", "silu_slope", "gelu", "tanh_gelu"]
OF_ONE += ["tanh_gelu_slope", "relu", "log", "log1p", "softplus"]
OF_TWO = ["gelu_slope", "sigmoid_grad", "tanh_grad", "relu_grad"]


def cases():
    """All loops, with rows of several lengths."""
    random = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return random.normal(scale=scale, size=shape).astype(np.float32)

    x = np.concatenate([np.float32(EDGES), *[normal(3000, scale=s) for s in (4, 40, 1e-3)]])
    yield from [(name, [x]) for name in OF_ONE]
    yield from [(name, [x, np.roll(x, 7)]) for name in OF_TWO]
    filters = np.arange(10, dtype=np.uint8) % 5
    for channels in (1, 2, 3, 4):
        seen = random.integers(0, 256, (10, 24), dtype=np.uint8)
        yield "unfiltered", [filters, seen, np.uint8(channels)]
    shorts = np.arange(1 << 16, dtype=np.uint16)
    yield "from_float16", [shorts.view(np.float16)]
    yield "from_bfloat16", [shorts]
    yield from [(name, [x]) for name in ("to_float16", "to_bfloat16")]
    epsilon, centered = np.float32(0.1), np.float32(1)
    for n in (1, 5, 33, 200):
        x, g, scale, offset = normal(5, n, scale=3), normal(5, n), normal(n), normal(n)
        places = np.arange(5) % n
        _, powers, total = cinta_kernels.cross_entropy(x, places)
        _, mean, factor = cinta_kernels.layer_norm(x, scale, offset, epsilon, centered)
        seen, given = normal(2, 4, 7, 3, 1, n), normal(2, 4, 7, 21)
        gates, units = normal(2, 3, 4 * n), normal(5, 3, n)
        yield "exponentials", [x]
        yield "softmax_gradient", [g, x]
        yield "cross_entropy", [x, places]
        yield "cross_entropy_gradient", [powers, places, total, normal(5)]
        yield "layer_norm", [x, scale, offset, epsilon, centered]
        yield "normalized", [x, mean, factor, scale, offset]
        yield "normalized_gradients", [g, x, mean, factor, scale, centered]
        yield "weighted", [normal(3, 3, n), normal(3, 3, n)]
        yield "gathered_weights", [normal(6, 3, 2, n), normal(6, n)]
        yield "correlated", [seen, normal(3, 1, n, 37)]
        yield "filter_gradient", [seen, given]
        weights = normal(7, 3), normal(4, 5)
        places = np.arange(21).reshape(7, 3) % 4, np.arange(20).reshape(4, 5) % 6
        table = places[0], weights[0], places[1], weights[1]
        yield "resampled", [normal(4, 6, n), *table]
        yield "resampled", [normal(4, 50, n), *table]
        yield "resampled_bytes", [random.integers(0, 256, (4, 50, n), dtype=np.uint8), *table]
        yield "lstm_step", [*gates, units[0]]
        yield "lstm_step_gradient", [*gates, *units]
        said, weights = normal(4, 3, 4 * n), normal(n, 4 * n, scale=n**-0.5)
        yield "lstm_steps", [said, weights, *units[:2]]
        outer = [normal(4, 3, n), normal(4, 3, n), normal(4, 3, 4 * n)]
        inner = [np.abs(normal(4, 3, 4 * n)) % 1, normal(4, 3, n)]
        yield "lstm_steps_gradient", [*outer, *inner, units[0], weights]
        heads = normal(2, 7, 5, scale=3), normal(2, n, 5), normal(2, n, 19)
        mask = np.arange(2 * 7 * n).reshape(2, 7, n) % 3 > 0
        hiding = mask | (n == 33), np.bool_(n > 100)
        made = cinta_kernels.attention(*heads, *hiding)
        yield "attention", [*heads, *hiding]
        yield "attention_gradient", [*heads, *hiding, normal(2, 7, 19), *made]
        if n >= 16:
            yield "depthwise", [normal(2, 4, 7, 3, 3, n), normal(3, 3, n)]
            yield "depthwise_gradient", [normal(2, 4, 7, 3, 3, n), normal(2, 4, 7, n)]
            yield "max_pool", [normal(2, 4, 7, 3, 3, n)]
            image = np.round(normal(2, 9, 7, n))
            top = np.maximum(image[:, ::2, :-1], image[:, ::2, 1:])
            sizes = np.array([1, 2, 2, 1, 1, 1])
            yield "max_pool_gradient", [image, top, normal(*top.shape), sizes]


def test_there_are_cases_for_all_loops():
    assert {name for name, _ in cases()} == {*emulated.LOOPS}


@pytest.mark.skipif(cinta_kernels.processor == "base", reason="rounds sums of products otherwise")
@pytest.mark.parametrize("name", emulated.PROCESSORS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_are_those_of_this_processor(name, tmp_path):
    processor = emulated.PROCESSORS[name]
    if not processor.is_here:
        pytest.skip(f"no {processor.compiler[0]}, or nothing to run {name}")
    for (loop, inputs), expected, found in emulated.results(processor, tmp_path, [*cases()]):
        shapes = [np.shape(each) for each in inputs]
        for k, (ours, theirs) in enumerate(zip(expected, found, strict=True)):
            assert np.array_equal(ours, theirs, equal_nan=True), (loop, shapes, k)
