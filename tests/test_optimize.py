"""tf.optimize: SciPy's solvers on nests of tensors, and solutions that are differentiable."""

import io

import numpy as np
import pytest

import cinta as tf
from cinta.progress import OptimizerProgress
from tests.checking import check_gradients

METHODS = [
    "Nelder-Mead", "Powell", "CG", "BFGS", "Newton-CG", "L-BFGS-B", "TNC", "COBYLA", "COBYQA",
    "SLSQP", "trust-constr", "dogleg", "trust-ncg", "trust-exact", "trust-krylov",
]  # fmt: skip
START = {"x": np.array([0.5, 2.0]), "y": 0.0}


def bowl(p):
    """Least at x = (1, 2), y = 3, and convex."""
    x, y = p["x"] - [1.0, 2.0], p["y"] - 3.0
    return tf.reduce_sum(x**2) + tf.reduce_sum(x**4) + y**2 + 0.5 * x[0] * y


def assert_at_the_bottom(x, accuracy=1e-4):
    np.testing.assert_allclose(x["x"].numpy(), [1.0, 2.0], atol=accuracy)
    np.testing.assert_allclose(x["y"].numpy(), 3.0, atol=accuracy)


# -- minimize ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_minimum_and_tells_of_its_steps(method):
    seen = []
    found = tf.optimize.minimize(bowl, START, method=method, callback=seen.append, tol=1e-10)
    assert_at_the_bottom(found.x)
    assert set(seen[-1]) == {"x", "y"}
    assert seen[-1]["x"].dtype == tf.float64


@pytest.mark.parametrize("method", ["BFGS", "trust-exact", "trust-constr"])
def test_the_gradient_at_the_minimum_is_a_nest(method):
    found = tf.optimize.minimize(bowl, START, method=method)
    assert found.jac["x"].shape == (2,)
    assert abs(found.jac["x"].numpy()).max() < 1e-3


@pytest.mark.parametrize("method", ["BFGS", "TNC", "trust-constr", "COBYLA", "trust-krylov"])
def test_a_callback_that_returns_true_ends_the_search(method):
    seen = []

    def stop_at_the_second(p):
        seen.append(p)
        return len(seen) == 2

    found = tf.optimize.minimize(bowl, START, method=method, callback=stop_at_the_second)
    assert len(seen) == 2
    assert not found.success
    assert set(found.x) == {"x", "y"}


def test_numbers_take_the_dtype_of_the_tensors_beside_them():
    seen = []
    start = {"x": tf.constant([0.5, 2.0]), "y": 0}
    tf.optimize.minimize(lambda p: (seen.append(p), bowl(p))[1], start, method="L-BFGS-B")
    assert {seen[0]["x"].dtype, seen[0]["y"].dtype} == {tf.float32}
    found = tf.optimize.minimize(bowl, start, dtype=tf.float64)
    assert found.x["x"].dtype == tf.float64


def test_variables_are_where_to_start_and_stay_as_they_are():
    v = tf.Variable([3.0, 4.0])
    found = tf.optimize.minimize(lambda x: tf.reduce_sum(x**2), v, method="CG")
    assert abs(found.x.numpy()).max() < 1e-5
    assert v.numpy().tolist() == [3.0, 4.0]


def test_bounds_are_nests_or_numbers_for_all():
    below = {"x": [1.5, -np.inf], "y": 0.0}
    found = tf.optimize.minimize(bowl, START, method="L-BFGS-B", bounds=(below, 2.5))
    assert found.x["x"].numpy()[0] == 1.5
    assert found.x["y"].numpy() == 2.5
    with pytest.raises(TypeError, match="pair of the least and the greatest"):
        tf.optimize.minimize(bowl, START, method="L-BFGS-B", bounds=3.0)


@pytest.mark.parametrize("method", ["SLSQP", "trust-constr"])
def test_constraints_are_functions_of_the_nest(method):
    at_sum_three = {"type": "eq", "fun": lambda p: tf.reduce_sum(p["x"]) - p["y"]}
    found = tf.optimize.minimize(bowl, START, method=method, constraints=at_sum_three, tol=1e-9)
    assert_at_the_bottom(found.x, 1e-3)
    at_least = [{"type": "ineq", "fun": lambda p: p["y"] - 5.0}]
    found = tf.optimize.minimize(bowl, START, method=method, constraints=at_least)
    assert float(found.x["y"]) == pytest.approx(5.0, abs=1e-3)


@pytest.mark.parametrize("hess", ["dense", "product", "sparse", "none"])
def test_the_hessian_is_given_as_asked(hess):
    found = tf.optimize.minimize(bowl, START, method="trust-constr", hess=hess, tol=1e-8)
    assert_at_the_bottom(found.x, 1e-3)


def test_what_cannot_be_minimized_is_refused():
    with pytest.raises(TypeError, match="must return a scalar"):
        tf.optimize.minimize(lambda x: x * 2.0, [1.0, 2.0])
    with pytest.raises(TypeError, match="must be real numbers"):
        tf.optimize.minimize(tf.abs, 1j)
    with pytest.raises(ValueError, match="hess is 'auto'"):
        tf.optimize.minimize(bowl, START, method="trust-exact", hess="exact")


def test_progress_is_shown_when_asked(capsys):
    tf.optimize.minimize(bowl, START, method="BFGS")
    assert capsys.readouterr().err == ""
    found = tf.optimize.minimize(bowl, START, method="BFGS", progress=True)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"minimize BFGS: step {found.nit}  value ")
    assert "|gradient|" in last


def test_progress_writes_over_its_line_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    progress = OptimizerProgress(True, "work", terminal)
    progress.step(1.0)
    progress.done(0.5)
    assert terminal.getvalue().count("\r") == terminal.getvalue().count("\n") == 1


# -- root and least_squares ----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["hybr", "lm", "krylov", "df-sane", "broyden1"])
def test_roots_of_nests(method):
    def f(p):
        return {"a": p[0] ** 3 + p[1] - 1.0, "b": p[1] ** 3 - p[0] + 1.0}

    found = tf.optimize.root(f, (0.5, 0.25), method=method)
    assert found.success
    np.testing.assert_allclose([float(v) for v in found.x], [1.0, 0.0], atol=1e-4)


def test_a_root_needs_as_many_equations_as_unknowns():
    with pytest.raises(ValueError, match="2 numbers for 1 unknowns"):
        tf.optimize.root(lambda x: tf.stack([x, x]), 1.0)


@pytest.mark.parametrize("jac", ["dense", "sparse", "operator"])
def test_least_squares_finds_what_the_data_were_made_of(jac):
    t = np.linspace(0.0, 2.0, 20)
    data = 3.0 * np.exp(-0.7 * t)

    def residuals(p):
        return p["a"] * tf.exp(-p["k"] * t) - data

    found = tf.optimize.least_squares(residuals, {"a": 1.0, "k": 0.1}, jac=jac)
    assert float(found.x["a"]) == pytest.approx(3.0)
    assert float(found.x["k"]) == pytest.approx(0.7)
    bounded = tf.optimize.least_squares(
        residuals, {"a": 1.0, "k": 0.1}, jac=jac, bounds=(None, {"a": 2.0, "k": np.inf})
    )
    assert float(bounded.x["a"]) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="jac is one of"):
        tf.optimize.least_squares(residuals, {"a": 1.0, "k": 0.1}, jac="exact")


# -- solutions of equations ----------------------------------------------------------------------


def test_implicit_roots_have_derivatives_to_second_order():
    def solution(a, b):
        x = tf.optimize.implicit_root(
            lambda x, a, b: x**3 + tf.linalg.matvec(a, x) - b, np.ones(2), a, b
        )
        return tf.sin(x)

    matrix = np.array([[2.0, 0.5], [0.3, 1.5]])
    check_gradients(solution, matrix, np.array([1.0, 2.0]), rtol=1e-5, atol=1e-5)


def test_implicit_roots_of_nests_depend_on_nests_and_on_variables():
    v = tf.Variable(np.array([1.0, 2.0]))

    def f(p, c):
        return {"e": p["x"] ** 3 + v * p["x"] - c["b"], "q": p["y"] - tf.reduce_sum(p["x"])}

    def value(b, w):
        v.assign(w)
        with tf.GradientTape() as tape:
            tape.watch(b)
            p = tf.optimize.implicit_root(f, {"x": np.ones(2), "y": 0.0}, {"b": b})
            y = p["y"] * tf.reduce_sum(p["x"] ** 2)
        return y, tape.gradient(y, [b, v])

    b, w = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    _, (by_b, by_v) = value(tf.constant(b), w)
    for k, step in enumerate(1e-6 * np.eye(2)):
        above, below = value(tf.constant(b + step), w)[0], value(tf.constant(b - step), w)[0]
        assert by_b.numpy()[k] == pytest.approx(float(above - below) / 2e-6, rel=1e-6)
        above, below = value(tf.constant(b), w + step)[0], value(tf.constant(b), w - step)[0]
        assert by_v.numpy()[k] == pytest.approx(float(above - below) / 2e-6, rel=1e-6)


def test_a_tape_keeps_nothing_of_the_search():
    a = tf.constant(0.5, tf.float64)

    def records(tol):
        with tf.GradientTape() as tape:
            tape.watch(a)
            tf.optimize.fixed_point(lambda x, a: tf.cos(x) * a, 1.0, a, tol=tol)
        return len(tape._recorder)

    assert records(1e-2) == records(1e-14)


def test_fixed_points_have_derivatives_to_second_order():
    def point(a):
        return tf.optimize.fixed_point(lambda x, a: a * tf.cos(x), np.zeros(3), a)

    check_gradients(point, np.array([0.2, 0.5, 0.7]), rtol=1e-5, atol=1e-5)


def test_the_dtype_of_the_parameters_is_that_of_the_root():
    x = tf.optimize.implicit_root(lambda x, a: x * x - a, 1.0, tf.constant(2.0))
    assert x.dtype == tf.float32


def test_a_search_that_ends_nowhere_says_so():
    with pytest.raises(RuntimeError, match="found no root"):
        tf.optimize.implicit_root(lambda x, a: x * x + a, 1.0, tf.constant(1.0))
    with pytest.raises(RuntimeError, match="50 steps were not enough"):
        tf.optimize.fixed_point(lambda x: 2.0 * x, 1.0, max_steps=50)


def test_steps_to_infinity_are_no_fixed_point():
    with pytest.raises(RuntimeError, match="lead to infinity or nan"):
        tf.optimize.fixed_point(lambda x: 2.0 * x + 1.0, 1.0)


def test_forward_mode_goes_through_a_root():
    a = tf.constant(2.0, tf.float64)
    with tf.autodiff.ForwardAccumulator(a, tf.constant(1.0, tf.float64)) as acc:
        x = tf.optimize.implicit_root(lambda x, a: x**2 - a, 1.0, a)
    assert float(acc.jvp(x)) == pytest.approx(0.5 / np.sqrt(2.0))
