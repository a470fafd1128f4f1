"""Behavior that the guides state, and that no test of one part alone looks at."""

import doctest
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


def test_a_stopped_gradient_is_stopped_for_all_tapes():
    x = tf.constant(3.0)
    with tf.GradientTape() as first, tf.GradientTape() as second:
        first.watch(x)
        second.watch(x)
        y = tf.stop_gradient(x * x)
    assert first.gradient(y, x) is None
    assert second.gradient(y, x) is None


def test_a_branch_that_is_not_chosen_spoils_gradients_but_behind_two_roots():
    def slope(f):
        x = tf.constant([0.0, 4.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.where(x > 0.0, f(x), 0.0))
        return tape.gradient(y, x).numpy()[0]

    assert [slope(tf.sqrt), slope(tf.math.rsqrt)] == [0.0, 0.0]
    others = tf.math.log, lambda x: x**0.5, lambda x: 1.0 / x
    assert np.isnan([slope(f) for f in others]).all()


def test_a_chain_of_1000_steps_is_too_deep_for_the_tape_in_60_lines():
    page = (ROOT / "docs/en/guides/tape_in_60_lines.md").read_text("utf-8")
    names = {}
    for example in doctest.DocTestParser().get_examples(page)[:5]:
        exec(example.source, names)
    first = last = names["Node"](1.0)
    for _ in range(1000):
        last = names["sin"](last)
    with pytest.raises(RecursionError):
        names["gradient"](last, [first])


def test_a_page_of_pictures_needs_no_network(tmp_path):
    w = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sin(w) * w
    tf.debugging.show(tape.draw(y), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert not re.search(r"https?://(?!www\.w3\.org/)|\bfetch\(|\bimport\(|XMLHttpRequest", text)


def test_a_field_of_a_message_that_is_not_known_is_skipped_and_not_written_again():
    ages = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    known = tf.train.Example(features=tf.train.Features(feature={"ages": ages}))
    found = tf.train.Example()
    found.ParseFromString(known.SerializeToString() + bytes([15 << 3, 5]))
    assert found.SerializeToString() == known.SerializeToString()
