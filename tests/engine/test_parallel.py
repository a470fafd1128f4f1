"""Blocks and threads change nothing but the time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.special

import cinta as tf
from cinta.engine import blas, parallel

LARGE = 3 * parallel._SHARE + 12_345  # more than two shares, and no whole number of blocks


@pytest.fixture(params=[1, 2, 5])
def threads(request, monkeypatch):
    """Run the test on so many threads, with a pool of its own."""
    monkeypatch.setenv("CINTA_THREADS", str(request.param))
    parallel.threads.cache_clear()
    parallel._pool.cache_clear()
    yield request.param
    parallel.threads.cache_clear()
    parallel._pool.cache_clear()


def sigmoid(x, out):
    np.negative(x, out)
    np.exp(out, out)
    np.add(out, 1, out)
    np.reciprocal(out, out)


@pytest.mark.parametrize("size", [0, 1, 1000, parallel._SHARE, LARGE])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("ufunc", [np.exp, np.sin, np.tanh, np.sqrt])
def test_results_are_the_same_bit_by_bit(threads, size, dtype, ufunc):
    x = np.random.default_rng(0).random(size).astype(dtype)
    out = parallel.blockwise(ufunc, x, out=np.empty_like(x))
    assert out.tobytes() == ufunc(x).tobytes()


def test_a_chain_over_several_inputs_keeps_shape_and_order(threads):
    x, y = np.random.default_rng(0).normal(size=(2, 1000, 1000))

    def chain(x, y, out):
        sigmoid(x, out)
        np.multiply(out, y, out)

    out = parallel.blockwise(chain, x, y, out=np.empty_like(x))
    np.testing.assert_array_equal(out, 1 / (1 + np.exp(-x)) * y)


def test_every_element_is_visited_once(threads):
    x = np.zeros(LARGE)
    parallel.blockwise(lambda out: np.add(out, 1, out), out=x)
    np.testing.assert_array_equal(x, 1)


def test_an_error_in_any_share_is_raised_after_all_have_ended(threads):
    x = np.arange(LARGE)

    def fail_at_the_end(x, out):
        if x[-1] == LARGE - 1:
            raise KeyError("last block")
        out[:] = x

    with pytest.raises(KeyError, match="last block"):
        parallel.blockwise(fail_at_the_end, x, out=np.empty_like(x))


def test_numpys_error_state_reaches_every_thread(threads):
    x = np.full(LARGE, -1.0)
    with np.errstate(invalid="ignore"):
        assert np.isnan(parallel.blockwise(np.log, x, out=np.empty_like(x))).all()
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
        parallel.blockwise(np.log, x, out=np.empty_like(x))


def test_work_is_shared_among_as_many_threads_as_asked(threads):
    workers, several = set(), min(threads, 3)  # there are three shares
    all_at_work = threading.Barrier(several)

    def meet(out):
        if threading.get_ident() not in workers:
            workers.add(threading.get_ident())
            all_at_work.wait(timeout=60)

    parallel.blockwise(meet, out=np.empty(LARGE))
    assert threading.get_ident() in workers
    assert len(workers) == several


def test_nobody_waits_for_a_thread_that_has_not_started(monkeypatch):
    monkeypatch.setenv("CINTA_THREADS", "2")
    parallel.threads.cache_clear()
    parallel._pool.cache_clear()
    release = threading.Event()
    parallel._pool().submit(release.wait)  # the only thread is busy
    x = np.zeros(LARGE)
    try:
        parallel.blockwise(lambda out: np.add(out, 1, out), out=x)
        np.testing.assert_array_equal(x, 1)
    finally:
        release.set()
        parallel.threads.cache_clear()
        parallel._pool.cache_clear()


@pytest.fixture
def products_on_two_threads(monkeypatch):
    """Let BLAS tell that it uses two threads, however many cores there are, and note its orders."""
    orders = []
    monkeypatch.setattr(blas, "_controls", lambda: [(lambda: 2, orders.append)])
    return orders


def test_blas_uses_one_thread_while_ours_multiply(threads, products_on_two_threads):
    seen = []
    parallel.spread_products(lambda low, high: seen.extend(range(low, high)), 20, 1, 1)
    assert sorted(seen) == list(range(20))
    assert products_on_two_threads == ([] if threads == 1 else [1, 2])


def test_products_are_for_one_caller_at_a_time(products_on_two_threads):
    with blas.on_one_thread() as first:
        with blas.on_one_thread() as second:
            assert (first, second) == (True, False)
        assert products_on_two_threads == [1]
    with blas.on_one_thread() as third:
        assert third


def test_the_threads_of_blas_are_as_many_afterwards_as_before():
    before = blas.threads()
    with blas.on_one_thread():
        assert blas.threads() == 1
    assert blas.threads() == before


def test_convolutions_are_the_same_on_any_number_of_threads(threads, products_on_two_threads):
    rng = np.random.default_rng(0)
    images, filters = rng.normal(size=(5, 90, 90, 4)), rng.normal(size=(3, 3, 4, 8))
    with tf.GradientTape() as tape:
        sources = tf.Variable(images), tf.Variable(filters)
        y = tf.nn.conv2d(*sources, 1, "SAME")
    by_images, by_filters = tape.gradient(y, sources, output_gradients=y)
    patches = np.lib.stride_tricks.sliding_window_view(
        np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0))), (3, 3), (1, 2)
    )
    expected = np.einsum("nhwcij,ijco->nhwo", patches, filters)
    np.testing.assert_allclose(y, expected, atol=1e-9)
    np.testing.assert_allclose(by_filters, np.einsum("nhwcij,nhwo->ijco", patches, expected))
    np.testing.assert_allclose(np.vdot(by_images, images), np.vdot(expected, expected))


def test_what_parts_add_up_to_does_not_depend_on_who_was_first():
    parts = np.random.default_rng(0).normal(size=(20, 50)).astype("float32")
    forwards = parallel.in_order(dict(enumerate(parts)))
    backwards = parallel.in_order({i: parts[i] for i in reversed(range(20))})
    np.testing.assert_array_equal(forwards, backwards)


@pytest.mark.parametrize("function", ["exp", "sqrt", "sin", "abs"])
def test_large_arrays_give_the_same_in_functions(threads, function):
    x = np.random.default_rng(0).random((3, parallel.MANY)).astype("float32")
    ufunc = getattr(np, function)
    for each in (x, x[:, ::2], x[:1].astype("float16")):
        result = getattr(tf, function)(tf.constant(each)).numpy()
        assert result.dtype == each.dtype
        np.testing.assert_array_equal(result, ufunc(each))
    given = (x[:1] + 1j * x[1:2]).astype("complex64")
    result = getattr(tf, function)(tf.constant(given)).numpy()
    np.testing.assert_array_equal(result, ufunc(given))
    assert result.dtype == ufunc(given).dtype


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_large_arrays_give_the_same_in_special_functions(threads, dtype):
    x, a, b = np.random.default_rng(0).random((3, parallel.MANY)).astype(dtype)
    wide = [each.astype("float32") if dtype == "float16" else each for each in (a, b, x)]
    np.testing.assert_array_equal(tf.math.erf(x), scipy.special.erf(wide[2]).astype(dtype))
    if dtype == "float64":
        np.testing.assert_array_equal(tf.math.betainc(a, b, x), scipy.special.betainc(*wide))


def test_several_callers_share_the_pool(threads):
    x = np.random.default_rng(0).normal(size=LARGE)
    outs = [np.empty_like(x) for _ in range(4)]
    callers = [
        threading.Thread(target=parallel.blockwise, args=(np.exp, x), kwargs={"out": out})
        for out in outs
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all((out == np.exp(x)).all() for out in outs)


def test_arrays_of_other_shape_or_layout_are_refused():
    x = np.ones((3, 4))
    for other in (np.ones((4, 3)), np.ones((4, 3)).T):
        with pytest.raises(ValueError, match="C-contiguous arrays of one shape"):
            parallel.blockwise(np.add, x, x, out=other)


@pytest.mark.parametrize("setting", ["0", "-1", "two", "1.5"])
def test_a_wrong_number_of_threads_is_named(monkeypatch, setting):
    monkeypatch.setenv("CINTA_THREADS", setting)
    parallel.threads.cache_clear()
    with pytest.raises(ValueError, match=f"CINTA_THREADS is '{setting}'"):
        parallel.threads()
    monkeypatch.undo()


def run(code):
    """Run `code` in a fresh interpreter on two threads and return what it prints."""
    environment = {**os.environ, "CINTA_THREADS": "2", "PYTHONPATH": os.pathsep.join(sys.path)}
    setup = f"import numpy as np; from cinta.engine import parallel; x = np.ones({LARGE})\n"
    result = subprocess.run(
        [sys.executable, "-c", setup + code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return result.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_child_makes_its_own_threads():
    assert (
        run(
            "import os, sys\n"
            "parallel.blockwise(np.exp, x, out=np.empty_like(x))\n"
            "if os.fork() == 0:\n"
            "    out = parallel.blockwise(np.exp, x, out=np.empty_like(x))\n"
            "    os._exit(0 if (out == np.exp(1)).all() else 1)\n"
            "print(os.wait()[1])\n"
        )
        == "0"
    )


@pytest.mark.parametrize("used_before", [True, False])
def test_it_works_while_the_interpreter_exits(used_before):
    assert (
        run(
            "import atexit\n"
            "atexit.register(lambda: print(parallel.blockwise(np.exp, x, out=x).min() > 2.7))\n"
            + "parallel.blockwise(np.abs, x, out=x)\n"
            * used_before
        )
        == "True"
    )


def test_the_pool_is_not_imported_before_it_is_needed():
    code = "import sys; print('concurrent.futures.thread' in sys.modules)"
    assert run(code) == "False"
