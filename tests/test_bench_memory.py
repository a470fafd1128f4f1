"""The benchmark of memory: nothing is kept that no rule needs, and half of it in half precision."""

import tracemalloc

import numpy as np
import pytest

import cinta as tf
from bench import memory, peers

MILLIONS = 4


def measured(row):
    """The bytes of the gradients, the most at a time, and what is kept between both passes.

    The least of three times each: threads that other tests have left may take memory meanwhile.
    """
    call = getattr(peers.workloads("cinta-memory"), row)(MILLIONS)
    call()
    return [min(counts) for counts in zip(*[_counted(call) for _ in range(3)], strict=True)]


def _counted(call):
    tracemalloc.start()
    try:
        gradients = sum(each.nbytes for each in call())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.clear_traces()
        before, _ = tracemalloc.get_traced_memory()
        result = call.forward()
        kept = tracemalloc.get_traced_memory()[0] - before
        del result
    finally:
        tracemalloc.stop()
    return gradients, most, kept


@pytest.mark.parametrize("row", memory.TITLES)
def test_recorded_gradients_are_the_same(row):
    tf.config.experimental.enable_op_determinism()  # BLAS keeps its threads on a busy machine too
    eager, recorded = (
        getattr(peers.workloads(name), row)(1)()
        for name in ("cinta-memory", "cinta-recorded-memory")
    )
    error = 2**-7 if row.endswith("bfloat16") else 1e-5  # BLAS may share a sum in other ways
    for ours, theirs in zip(eager, recorded, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=error * np.abs(theirs).max())


def test_an_mlp_keeps_the_results_of_its_rectifiers_alone():
    gradients, most, kept = measured("mlp")
    width = 4 * 819 * 512
    assert kept < 1.02 * 6 * width
    assert most < gradients + 4 * width


def test_what_is_computed_again_is_not_kept():
    _, most, kept = measured("transformer")
    _, least, inputs = measured("transformer_recomputed")
    assert inputs < kept / 8
    assert least < most - kept / 3


def test_bfloat16_keeps_half_of_the_activations():
    gradients, _, kept = measured("transformer")
    _, _, half = measured("transformer_bfloat16")
    assert half < 0.52 * (kept + gradients)  # weights are kept in half precision, too
