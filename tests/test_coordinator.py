"""tf.train.Coordinator: threads that end together."""

import sys
import threading

import pytest

import cinta as tf

Coordinator = tf.train.Coordinator


def started(*functions):
    threads = [threading.Thread(target=each, daemon=True) for each in functions]
    for each in threads:
        each.start()
    return threads


def test_one_thread_stops_all():
    together = Coordinator()
    assert not together.should_stop()
    threads = started(together.wait_for_stop, together.wait_for_stop, together.request_stop)
    together.join(threads)
    assert together.should_stop()
    assert together.joined
    assert not any(each.is_alive() for each in threads)
    together.clear_stop()
    assert not together.should_stop()
    assert not together.joined
    assert not together.wait_for_stop(timeout=0)


def test_the_first_error_is_raised_where_threads_are_joined():
    together = Coordinator()

    def fail():
        with together.stop_on_exception():
            raise ValueError("broken")

    threads = started(fail, together.wait_for_stop)
    with pytest.raises(ValueError, match="broken"):
        together.join(threads)
    with pytest.raises(ValueError, match="broken"):
        together.raise_requested_exception()
    with pytest.raises(KeyError, match="after"):
        together.request_stop(KeyError("after"))


def test_errors_as_they_are_caught():
    together = Coordinator()
    try:
        raise ValueError("broken")
    except ValueError:
        together.request_stop(sys.exc_info())
    with pytest.raises(ValueError, match="broken"):
        together.join()


@pytest.mark.parametrize("clean", [None, (KeyError, tf.errors.OutOfRangeError), [KeyError]])
def test_some_errors_only_stop(clean):
    together = Coordinator(clean)
    together.request_stop(tf.errors.OutOfRangeError("the end") if clean is None else KeyError())
    together.join()
    assert together.should_stop()


def test_threads_end_by_themselves_or_are_missed():
    together = Coordinator()
    for each in started(lambda: None):
        together.register_thread(each)
    together.join()
    assert not together.should_stop()
    blocked = threading.Event()
    slow = started(blocked.wait)
    together.request_stop()
    with pytest.raises(RuntimeError, match="still running: Thread"):
        together.join(slow, stop_grace_period_secs=0)
    together.join(slow, stop_grace_period_secs=0, ignore_live_threads=True)
    blocked.set()


@pytest.mark.parametrize("wrong", [3, [3], [int], "error"])
def test_other_classes_are_refused(wrong):
    with pytest.raises(TypeError, match="clean_stop_exception_types"):
        Coordinator(wrong)
    with pytest.raises(TypeError, match="thread"):
        Coordinator().register_thread(wrong)
