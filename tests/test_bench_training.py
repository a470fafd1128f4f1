"""The benchmark of training steps compares peers that train alike."""

import math

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


def test_a_step_that_is_faster_than_the_machine_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "seconds", lambda row, flops, bandwidth: 2e-6)
    row = {"cinta-steps": 3.0, "jax-steps": 5.0}
    limits.add(row, "mlp", 1.0, 1.0)
    assert row == {"cinta-steps": 3.0, "jax-steps": 5.0, "limit": 2.0}
    with pytest.raises(ValueError, match=r"mlp takes 1\.9 us with jax-steps, less than .* 2\.0 us"):
        limits.add({"cinta-steps": 3.0, "jax-steps": 1.9}, "mlp", 1.0, 1.0)


def test_the_limit_counts_work_of_both_kinds():
    for row in training.TITLES:
        products, memory = limits.seconds(row, 1.0, math.inf), limits.seconds(row, math.inf, 1.0)
        assert limits.seconds(row, 1.0, 1.0) == products + memory
        assert min(products, memory) > 0


def test_the_picture_has_a_bar_for_each_number():
    rows = {"a": {"cinta-steps": 3.0, "limit": 1.0}, "b": {"cinta-steps": 2.0, "limit": 2.0}}
    picture = bars.chart(rows, {"cinta-steps": "cinta eager"}, "title")
    assert picture.count("<rect") == 1 + 4
    assert "3.00  cinta eager" in picture
    assert "1.00  limit" in picture
