"""The benchmark of sparse derivatives compares what is the same, and draws it."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from bench import loglog, sparse


@pytest.mark.parametrize("kind", sparse.TITLES)
@pytest.mark.parametrize("peer", ["found", "planned"])
def test_cinta_computes_what_differences_do(kind, peer):
    x = np.random.default_rng(0).uniform(0.5, 1.5, 20)
    expected = sparse.prepared("differences", kind, x)()
    found = sparse.prepared(peer, kind, x)().toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)


def test_colorings_are_timed_of_structures_with_a_period_and_without():
    found = sparse.coloring(2000)
    assert found["tridiagonal"][1] == 3
    assert all(colors >= 3 for _, colors in found.values())


def test_disagreement_stops_the_benchmark():
    with pytest.raises(ArithmeticError, match="at size 10"):
        sparse.agree({"found": [(10, 0.1, 1.0)], "jax": [(10, 0.1, 2.0)]})


def test_the_chart_has_a_curve_for_each_peer():
    picture = loglog.chart({"a": [(10, 0.1), (1000, 0.2)], "b": [(10, 3.0)]}, "t", "size", "s")
    root = ET.fromstring(picture)
    assert sum(e.tag.endswith("polyline") for e in root.iter()) == 2
    assert {"10¹", "10³", "10⁻¹", "a", "b", "t"} <= {e.text for e in root.iter()}
