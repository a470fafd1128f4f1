"""A function that asks the system for something runs as Python at each call, and says why."""

import datetime
import datetime as dates
import logging
import os
import pathlib
import random
import secrets
import time
import uuid
import warnings
from time import perf_counter

import numpy as np
import pytest
from numpy.random import normal

import cinta as tf

X = tf.constant(1.0)
GENERATOR = np.random.default_rng(1)
OWN = random.Random(1)
LEGACY = np.random.RandomState(1)


def from_a_local_import(x):
    import time as clock

    return x * (clock.time_ns() % 7)


def through_a_helper(x):
    return x * helper()


def helper():
    return perf_counter() % 7


class Holder:
    def __init__(self):
        self.clock = time.monotonic
        self.random = random.Random(1)


HOLDER = Holder()

ASKING = {
    "random.random": lambda x: x * random.random(),
    "random.randint": lambda x: x * random.randint(1, 9),
    "random.shuffle": lambda x: x * random.sample([1, 2, 3], 1)[0],
    "random.seed": lambda x: (random.seed(None), x)[1],
    "np.random.normal": lambda x: x * np.random.normal(),  # noqa: NPY002
    "np.random.rand": lambda x: x * np.random.rand(),  # noqa: NPY002
    "imported normal": lambda x: x * normal(),  # noqa: NPY002
    "a generator": lambda x: x * GENERATOR.normal(),
    "a random.Random": lambda x: x * OWN.random(),
    "a RandomState": lambda x: x * LEGACY.normal(),
    "a held generator": lambda x: x * HOLDER.random.random(),
    "unseeded": lambda x: x * np.random.default_rng().normal(),
    "time.time": lambda x: x * (time.time() % 7),
    "perf_counter": lambda x: x * (perf_counter() % 7),
    "perf_counter_ns": lambda x: x * (time.perf_counter_ns() % 7),
    "a held clock": lambda x: x * (HOLDER.clock() % 7),
    "datetime.now": lambda x: x * datetime.datetime.now().microsecond,
    "date.today": lambda x: x * dates.date.today().day,
    "time.strftime": lambda x: (time.strftime("%Y"), x)[1],
    "os.urandom": lambda x: x * os.urandom(1)[0],
    "uuid4": lambda x: x * (uuid.uuid4().int % 7),
    "uuid1": lambda x: x * (uuid.uuid1().int % 7),
    "secrets": lambda x: x * secrets.randbelow(7),
    "os.path.exists": lambda x: x * os.path.exists("/no/such/path"),
    "Path.exists": lambda x: x * pathlib.Path("/no/such/path").exists(),
    "open": lambda x: (open(os.devnull).close(), x)[1],
    "np.fromfile": lambda x: (np.fromfile(os.devnull), x)[1],
    "np.genfromtxt": lambda x: (np.genfromtxt(os.devnull), x)[1],
    "a local import": from_a_local_import,
    "a helper": through_a_helper,
}


@pytest.mark.parametrize("case", ASKING)
def test_what_asks_the_world_runs_as_python_and_says_so(case):
    function = tf.function(ASKING[case])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(4):
            function(X)
    report = function.report()
    assert (report.python_calls, report.replays) == (4, 0)
    (why,) = report.refused
    assert "it draws random numbers from" in why or "may answer otherwise at each call" in why
    assert len([w for w in told if why in str(w.message)]) == 1


def test_reasons_name_what_the_program_called():
    def why(python):
        function = tf.function(python)
        for _ in range(2):
            function(X)
        return function.report().refused[0]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "it calls time.time()" in why(ASKING["time.time"])
        assert "it calls now()" in why(ASKING["datetime.now"])
        assert "it calls uuid.uuid4()" in why(ASKING["uuid4"])
        assert "it calls os.urandom()" in why(ASKING["os.urandom"])
        assert "from random, which" in why(ASKING["random.random"])
        assert "from np.random, which" in why(ASKING["np.random.normal"])
        assert "from GENERATOR, which" in why(ASKING["a generator"])


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_each_call_gets_numbers_of_its_own():
    function = tf.function(lambda x: x * GENERATOR.normal())
    assert len({float(function(X)) for _ in range(5)}) == 5


def logs(x):
    logging.getLogger("of a test").warning("called at %s", x.shape)
    return x * 2.0


def imports(x):
    import wave

    return x * wave.WAVE_FORMAT_PCM


def in_a_py_function(x):
    return tf.py_function(lambda a: a * (time.time() % 7), [x], tf.float32)


def in_a_numpy_function(x):
    return tf.numpy_function(lambda a: np.float32(a * random.random()), [x], tf.float32)


REPLAYED = {
    "paths that are only written": lambda x: x * len(os.path.join("a", "b")),
    "constants of time": lambda x: x * datetime.timedelta(days=1).days,
    "seeded generators of its own": lambda x: x * np.random.default_rng(0).normal(),
    "tf.random": lambda x: x * tf.random.normal([]) + np.float32(1.0),
    "tf.timestamp": lambda x: x + tf.cast(tf.timestamp(), tf.float32) * time.altzone,
    "sleeping": lambda x: (time.sleep(0), x)[1],
    "generators that it does not use": lambda x: (x, GENERATOR)[0],
    "logs": logs,
    "imports": imports,
    "a py_function": in_a_py_function,
    "a numpy_function": in_a_numpy_function,
}


@pytest.mark.parametrize("case", REPLAYED)
def test_what_does_not_ask_is_replayed(case):
    function = tf.function(REPLAYED[case])
    for _ in range(4):
        function(X)
        GENERATOR.normal()
    assert function.report().refused == ()
    assert function.report().replays >= 2


def test_the_environment_is_compared(monkeypatch):
    monkeypatch.setenv("FACTOR_OF_A_TEST", "2.0")
    functions = [
        tf.function(lambda x: x * float(os.environ["FACTOR_OF_A_TEST"])),
        tf.function(lambda x: x * float(os.getenv("FACTOR_OF_A_TEST"))),
    ]
    for function in functions:
        assert [float(function(X)) for _ in range(3)] == [2.0] * 3
        assert function.report().replays == 2
    monkeypatch.setenv("FACTOR_OF_A_TEST", "3.0")
    for function in functions:
        assert [float(function(X)) for _ in range(3)] == [3.0] * 3


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_a_function_that_is_called_by_another_one():
    inner = tf.function(ASKING["time.time"])
    outer = tf.function(lambda x: inner(x) + 1.0)
    for _ in range(3):
        outer(X)
    assert "it calls time.time()" in outer.report().refused[0]
