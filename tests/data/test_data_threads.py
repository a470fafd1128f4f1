"""tf.data on threads: prefetch, parallel map and interleave."""

import gc
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cinta as tf

Dataset = tf.data.Dataset


def values(dataset):
    return [x.tolist() for x in dataset.as_numpy_iterator()]


def until(condition, seconds=5.0):
    """Whether the condition comes true in time."""
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.005)
    return condition()


@pytest.fixture(autouse=True)
def no_thread_stays():
    before = threading.active_count()
    yield
    gc.collect()
    assert until(lambda: threading.active_count() <= before)


def failing_at(*bad):
    def function(x):
        if x.numpy() in bad:
            raise ZeroDivisionError(f"at {x.numpy()}")
        return x

    return function


WAYS = {
    "prefetch": lambda dataset: dataset.prefetch(2),
    "prefetch twice": lambda dataset: dataset.prefetch(1).prefetch(3),
    "map": lambda dataset: dataset.map(tf.identity, num_parallel_calls=3),
    "map, then prefetch": lambda dataset: dataset.map(tf.identity, 3).prefetch(tf.data.AUTOTUNE),
    "interleave": lambda dataset: dataset.interleave(
        Dataset.from_tensors, cycle_length=1, num_parallel_calls=2
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_elements_are_the_same(way):
    for n in (0, 1, 7, 40):
        assert values(way(Dataset.range(n))) == list(range(n))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_iterator_that_is_dropped_ends_its_threads(way):
    iterator = iter(way(Dataset.range(100).repeat()))
    next(iterator)
    del iterator  # the fixture sees whether threads stay


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_error_comes_in_its_place_and_the_rest_after_it(way):
    dataset = way(Dataset.range(6).map(failing_at(2, 4)))
    iterator, found = iter(dataset), []
    while True:
        try:
            found.append(next(iterator).numpy().item())
        except StopIteration:
            break
        except ZeroDivisionError as error:
            found.append(str(error))
    assert found == [0, 1, "at 2", 3, "at 4", 5]


def test_elements_are_made_ahead_and_not_too_many():
    made = []
    iterator = iter(Dataset.range(100).map(lambda x: made.append(1) or x).prefetch(4))
    next(iterator)
    assert until(lambda: len(made) >= 5)
    time.sleep(0.02)
    assert len(made) == 5


def test_prefetching_runs_on_another_thread():
    seen = []
    dataset = Dataset.range(1).map(lambda x: seen.append(threading.get_ident()) or x).prefetch(1)
    values(dataset)
    assert seen != [threading.get_ident()]


def test_parallel_calls_run_at_once():
    together = threading.Barrier(4, timeout=5)

    def meet(x):
        together.wait()
        return x

    assert values(Dataset.range(8).map(meet, num_parallel_calls=4)) == list(range(8))


def test_order_is_kept_or_given_up():
    def late_first(x):
        time.sleep(0.2 if x.numpy() == 0 else 0)
        return x

    ordered = Dataset.range(8).map(late_first, 2)
    assert values(ordered) == list(range(8))
    found = values(Dataset.range(8).map(late_first, 2, deterministic=False))
    assert sorted(found) == list(range(8))
    assert found[0] != 0


def test_nested_parallel_maps():
    def inner(n):
        total = Dataset.range(5).map(lambda x: x + n, num_parallel_calls=2)
        return total.reduce(tf.constant(0, tf.int64), lambda s, x: s + x)

    dataset = Dataset.range(6).map(inner, num_parallel_calls=2).prefetch(2)
    assert values(dataset) == [10 + 5 * n for n in range(6)]


def test_an_error_names_the_element_and_keeps_its_type():
    for calls in (None, 3):
        dataset = Dataset.range(9).map(failing_at(5), num_parallel_calls=calls)
        with pytest.raises(ZeroDivisionError, match="at 5") as caught:
            values(dataset)
        assert caught.value.__notes__ == [
            "Raised by the function of Dataset.map on element 5, counted from 0."
        ]


def test_errors_are_ignored():
    for calls in (None, 3):
        dataset = Dataset.range(6).map(failing_at(0, 3), num_parallel_calls=calls)
        assert values(dataset.ignore_errors().batch(4)) == [[1, 2, 4, 5]]


def test_a_batch_with_an_error_is_lost_and_the_rest_follows():
    iterator = iter(Dataset.range(7).map(failing_at(1)).batch(3))
    with pytest.raises(ZeroDivisionError):
        next(iterator)
    assert [x.numpy().tolist() for x in iterator] == [[2, 3, 4], [5, 6]]


def test_stop_iteration_in_a_function_is_an_error():
    def stop(x):
        raise StopIteration

    for calls in (None, 2):
        with pytest.raises(RuntimeError, match="StopIteration"):
            values(Dataset.range(3).map(stop, num_parallel_calls=calls))


def test_what_numpy_is_silent_about_here_is_silent_there():
    dataset = Dataset.range(1).map(lambda x: np.float32(1) / np.float32(x.numpy()))
    with np.errstate(divide="ignore"):
        for threaded in (dataset.prefetch(1), dataset.map(tf.identity, 2).prefetch(1)):
            assert values(threaded) == [np.inf]


def test_threads_may_share_an_iterator():
    iterator, found = iter(Dataset.range(2000).prefetch(3)), []
    threads = [
        threading.Thread(target=lambda: found.extend(x.numpy().item() for x in iterator))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(2000))


def test_a_thread_waits_without_work(monkeypatch):
    waits, wait, here = [], threading.Condition.wait, threading.get_ident()

    def noted(condition, timeout=None):
        if threading.get_ident() != here:
            waits.append(timeout)
        return wait(condition, timeout)

    monkeypatch.setattr(threading.Condition, "wait", noted)
    iterator = iter(Dataset.range(10).repeat().prefetch(2))
    for _ in range(3):
        waits.clear()
        next(iterator)
        assert until(lambda: waits)
        assert {*waits} == {None}  # until it is woken: it does not look now and then


@pytest.fixture
def interruptible():
    """Signals interrupt Python, also where a shell has started the tests without them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("calls", [None, 2])
def test_waiting_can_be_interrupted(calls):
    interrupted = threading.Event()
    dataset = Dataset.range(3).map(lambda x: x if interrupted.wait(20) else -1, calls)
    iterator = iter(dataset.prefetch(1))
    signals = signal.pthread_kill, (threading.get_ident(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.05, *signals).start()
        next(iterator)
    interrupted.set()
    assert [x.numpy() for x in iterator] == [0, 1, 2]


@pytest.mark.usefixtures("interruptible")
def test_waiting_for_a_queue_can_be_interrupted():
    queue = tf.queue.FIFOQueue(1, tf.float32)
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.05, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()
        queue.dequeue()
    queue.enqueue(1.0)
    assert float(queue.dequeue()) == 1.0


def test_leaving_python_in_the_middle():
    code = (
        "import cinta as tf\n"
        "dataset = tf.data.Dataset.range(10).repeat().map(tf.identity, 2).prefetch(2)\n"
        "iterator = iter(dataset)\n"
        "print(next(iterator).numpy())"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
