"""The benchmark of training steps compares peers that train alike."""

import numpy as np
import pytest

from bench import peers, training


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
