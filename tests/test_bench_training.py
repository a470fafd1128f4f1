"""The benchmark of training steps compares peers that train alike."""

import time

import numpy as np
import pytest

from bench import bars, limits, peers, training


@pytest.mark.parametrize("row", training.TITLES)
def test_cinta_trains_as_jax_does(row):
    names = "cinta-steps", "cinta-recorded-steps", "cinta-xla-steps", "jax-steps"
    losses = {}
    for name in names:
        step = getattr(peers.workloads(name), row)()
        losses[name] = [float(step()[0]) for _ in range(4)]
    for name in names:
        np.testing.assert_allclose(losses[name], losses["jax-steps"], rtol=1e-3, err_msg=name)
    first, *_, last = losses["jax-steps"]
    assert last < first


def test_no_step_is_faster_than_the_machine():
    flops, bandwidth = limits.rates()
    for row in training.TITLES:
        step = getattr(peers.workloads("cinta-steps"), row)()
        step()
        before = time.perf_counter()
        step()
        assert 0 < limits.seconds(row, flops, bandwidth) < time.perf_counter() - before


def test_the_picture_has_a_bar_for_each_number():
    rows = {"a": {"cinta-steps": 3.0, "limit": 1.0}, "b": {"cinta-steps": 2.0, "limit": 2.0}}
    picture = bars.chart(rows, {"cinta-steps": "cinta eager"}, "title")
    assert picture.count("<rect") == 1 + 4
    assert "3.00  cinta eager" in picture
    assert "1.00  limit" in picture
