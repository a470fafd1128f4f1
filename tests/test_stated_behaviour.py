"""Behaviour that the guides state, and that no test of one part alone looks at."""

import itertools
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import cinta as tf

ROOT = Path(__file__).parent.parent


def test_three_branches_in_a_row_need_four_recordings_at_most():
    @tf.function
    def f(x):
        for i in range(3):
            x = x + 1.0 if x[i] > 0.0 else x * 2.0
        return x

    for signs in itertools.product([-1.0, 1.0], repeat=3):
        x = tf.constant(np.multiply(signs, 8.0), tf.float32)
        np.testing.assert_array_equal(f(x), f.python_function(x))
    assert f.experimental_get_tracing_count() <= 4


def test_a_tensor_that_is_passed_is_another_object_inside_of_a_function():
    w = tf.constant(1.0)
    f = tf.function(lambda x: x is w)
    assert [f(w), f(w)] == [False, False]


@pytest.mark.parametrize("length", [10, 1000])
def test_a_chain_takes_two_products_however_long_it_is(length):
    plan = tf.autodiff.sparse_jacobian_plan(lambda x: x[1:] - x[:-1] ** 2, tf.zeros(length))
    assert "2 by columns, 0 by rows" in repr(plan)
    assert scipy.sparse.issparse(plan(tf.zeros(length)))


def test_linearize_runs_the_function_once():
    calls = []

    def f(x):
        calls.append(x)
        return tf.sin(x) * x

    _, forwards = tf.linearize(f, tf.constant([1.0, 2.0]))
    for direction in np.eye(2, dtype=np.float32):
        forwards(tf.constant(direction))
    assert len(calls) == 1


def _rosenbrock(x):
    return tf.reduce_sum((1.0 - x[:-1]) ** 2 + 100.0 * (x[1:] - x[:-1] ** 2) ** 2)


def _steps(f, size):
    """How many steps a function of vectors takes."""
    return len(tf.function(f).recording(tf.ones(size)).steps)


def test_gradients_and_products_with_the_hessian_take_few_steps_for_any_number_of_variables():
    ways = {
        "value": _rosenbrock,
        "gradient": tf.grad(_rosenbrock),
        "product": lambda x: tf.hvp(_rosenbrock)(x, tf.ones_like(x)),
    }
    steps = {way: [_steps(f, size) for size in (10, 10_000)] for way, f in ways.items()}
    assert all(few == many for few, many in steps.values())
    assert steps["gradient"][0] <= 5 * steps["value"][0]
    assert steps["product"][0] <= 5 * steps["gradient"][0]


def test_the_better_forms_of_the_guide_to_nan_are_better():
    logits = tf.constant([[0.0, 200.0]])
    assert np.isinf(tf.math.log(tf.nn.softmax(logits))).any()
    assert np.isfinite(tf.nn.log_softmax(logits)).all()
    assert tf.math.log(1.0 + tf.constant(1e-8)).numpy() == 0.0
    assert tf.math.log1p(1e-8).numpy() == np.float32(1e-8)
    assert np.isnan(tf.constant(0.0) / 0.0)
    assert tf.math.divide_no_nan(0.0, 0.0).numpy() == 0.0
    assert np.isfinite(tf.exp(88.7))
    assert np.isinf(tf.exp(88.8))
    assert np.isfinite(tf.reduce_logsumexp([100.0, 200.0]))


@pytest.mark.parametrize("option", ["-S", "-I"])
def test_options_of_python_switch_the_place_of_tensorflow_off(option, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.ours = True")
    code = "import sys; print(hasattr(sys, 'ours'), 'cinta' in sys.modules)"
    env = {**os.environ, "CINTA_AS_TENSORFLOW": "1", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, option, "-c", code]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_what_must_be_there_is_what_pages_say():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.match(r"[\w-]+", each)[0].lower() for each in project["dependencies"]}
    assert needed == {"numpy", "scipy", "ml_dtypes"}
    (version,) = re.findall(r"[\d.]+", project["requires-python"])
    pages = [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*/index.md")]
    assert len(pages) == 6
    assert all(f"Python {version}" in page.read_text("utf-8") for page in pages)
