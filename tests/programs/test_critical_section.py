"""CriticalSection: functions that one thread at a time runs."""

import threading

import pytest

import cinta as tf


def test_what_a_section_runs_is_never_in_two_threads_at_once():
    section, inside, most = tf.CriticalSection(), [], []

    def work():
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.002)
        inside.pop()

    threads = [threading.Thread(target=section.execute, args=[work]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8


def test_results_are_tensors_in_their_structure():
    section = tf.CriticalSection(name="mine")
    assert section.name == "mine"
    found = section.execute(lambda: {"a": [1, None], "b": "x"})
    assert found["a"][1] is None
    assert found["a"][0].dtype == tf.int32
    assert found["b"].numpy() == b"x"


@pytest.mark.parametrize("shared_name", [None, "shared"])
def test_a_section_that_is_entered_again_is_refused(shared_name):
    section = tf.CriticalSection(shared_name=shared_name)
    same = tf.CriticalSection(shared_name=shared_name) if shared_name else section
    with pytest.raises(
        ValueError, match=r"Attempting to lock a CriticalSection .* in which we are"
    ):
        section.execute(lambda: same.execute(lambda: 1))
    assert section.execute(lambda: 2) == 2  # and is free afterwards


def test_other_sections_may_be_entered():
    outer, inner = tf.CriticalSection(), tf.CriticalSection()
    assert outer.execute(lambda: inner.execute(lambda: 1)) == 1


def test_functions_take_the_lock_at_each_call():
    section, calls = tf.CriticalSection(), []

    @tf.function
    def step(x):
        return section.execute(lambda: calls.append(1) or x + 1.0)

    with pytest.warns(UserWarning, match="it executes <tf.CriticalSection"):
        assert [float(step(tf.constant(float(i)))) for i in range(3)] == [1.0, 2.0, 3.0]
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.CriticalSection().execute(3), "'fn' must be callable, got 3"),
        (lambda: tf.CriticalSection(shared_name=3), "'shared_name' not 3"),
        (lambda: tf.CriticalSection().execute(lambda: 1, "a"), "exclusive_resource_access"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(TypeError, match=message):
        call()
