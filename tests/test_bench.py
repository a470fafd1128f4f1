"""The benchmarks compare peers that compute the same thing, and report it readably."""

import subprocess
import sys

import numpy as np
import pytest

from bench import data, measure, peers, report
from bench.worker import Answers


@pytest.mark.parametrize("workload", measure.WORKLOADS)
def test_cinta_computes_what_numpy_computes_by_hand(workload):
    found, expected = (getattr(peers.workloads(name), workload)()() for name in ("cinta", "numpy"))
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("workload", measure.DRAWS)
def test_cinta_draws_as_numpy_does(workload):
    answers = Answers(["cinta", "numpy"])
    found, expected = (answers.moments(name, workload) for name in ("cinta", "numpy"))
    np.testing.assert_allclose(found, expected, rtol=2e-2)
    first, second = (peers.workloads("cinta").normals()()[0] for _ in range(2))
    assert not np.array_equal(first, second)


def test_the_jacobians_are_those_of_calculus():
    workloads = peers.workloads("cinta")
    x, w = data.layer()
    slopes = 1 - np.tanh(x @ w) ** 2
    expected = np.einsum("ij,ik,jl->ijkl", slopes, x, np.eye(20))
    np.testing.assert_allclose(workloads.jacobian()()[0], expected, rtol=1e-4, atol=1e-5)

    x, w1, w2 = data.layers()
    expected = np.einsum("bh,kh,ho->bok", 1 - np.tanh(x @ w1) ** 2, w1, w2)
    np.testing.assert_allclose(workloads.batch_jacobian()()[0], expected, rtol=1e-3, atol=1e-5)

    a, x = data.curved()
    wave, t = a @ x, np.tanh(x)
    mixed = a.T * (np.cos(wave) * (1 - t**2))
    own = 12 * x**2 - 2 * np.sin(wave) * t * (1 - t**2)
    expected = mixed + mixed.T + np.diag(own) - a.T @ np.diag(np.sin(wave) * t) @ a
    np.testing.assert_allclose(workloads.dense_hessian()()[0], expected, rtol=1e-3, atol=1e-4)
    for product in workloads.hessian_product, workloads.hessian_tangent:
        np.testing.assert_allclose(product()()[0], expected @ x, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(workloads.tangent()()[0], workloads.chain()()[1], rtol=1e-4)


def test_disagreement_stops_the_benchmark():
    class Liar:
        def __init__(self, answer):
            self.answer = answer

        def ask(self, question, name, workload):
            return [(self.answer, self.answer)]

    workers = {"a": Liar(1.0), "b": Liar(1.1)}
    with pytest.raises(ArithmeticError, match="b computes another square"):
        measure.agree(workers, [("square", "a"), ("square", "b")])


def test_table_compares_with_cinta():
    table = measure.Table("Speed", "µs", {"x²": {"cinta": 4.0, "torch": 16.0}})
    lines = report.markdown(table, ["cinta", "torch", "jax"]).splitlines()
    cells = [cell.strip() for cell in lines[-1].strip("|").split("|")]
    assert cells == ["x²", "4.00", "16.0 (0.25)", ""]
    assert len(set(map(len, lines))) == 1


def test_start_up_is_that_of_libraries(monkeypatch):
    ran = []
    monkeypatch.setattr(measure.subprocess, "run", lambda command, **_: ran.append(command[-1]))
    table = measure.imports(["cinta", "cinta-numpy"], 1)
    assert {*ran} == {"import sys", "import cinta"}
    assert [*table.rows["import"]] == ["cinta"]


def test_a_peer_computes_without_kernels():
    code = "from bench import peers; peers.workloads('cinta-numpy')"
    code += "; from cinta.engine import c_kernels; print(c_kernels.processor())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
