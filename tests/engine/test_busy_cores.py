"""Products that take far longer than their arithmetic, and BLAS on one thread until it is quiet."""

import numpy as np
import pytest

import cinta as tf
from cinta import doctor
from cinta.engine import blas, busy_cores, settings

SQUARE = np.ones((256, 256), np.float32)


class Machine:
    """A clock that products move, and a BLAS that counts its threads."""

    def __init__(self):
        self.now, self.seconds, self.threads = 0.0, 1e-4, 2
        self.result = np.empty_like(SQUARE)

    def clock(self):
        return self.now

    def matmul(self, a, b, out=None):
        self.now += self.seconds
        return self.result

    def choose(self, count):
        self.threads = count


@pytest.fixture
def machine(monkeypatch):
    found = Machine()
    monkeypatch.setattr(busy_cores, "perf_counter", found.clock)
    monkeypatch.setattr(busy_cores.np, "matmul", found.matmul)
    monkeypatch.setattr(blas, "_controls", lambda: [(lambda: found.threads, found.choose)])
    monkeypatch.setattr(busy_cores, "watch", busy_cores.ProductWatch())
    yield found
    blas.lift("busy cores")


def multiply(machine, *seconds):
    for each in seconds:
        machine.seconds = each
        busy_cores.product(SQUARE, SQUARE)


def test_one_slow_product_may_be_chance(machine):
    multiply(machine, 1e-4, 0.02, 1e-4)
    machine.now += 5
    multiply(machine, 0.02, 1e-4)
    assert machine.threads == 2
    assert busy_cores.watch.times == 0


def test_two_of_them_bring_one_thread_until_it_is_quiet(machine):
    multiply(machine, 1e-4, 0.02, 0.02)
    assert machine.threads == 1
    assert busy_cores.watch.limited
    multiply(machine, 2e-4, 0.02)  # on one thread nothing is concluded
    machine.now += 1
    multiply(machine, 1e-4)
    assert machine.threads == 2
    assert not busy_cores.watch.limited


def test_the_pause_grows_while_it_is_not_quiet_and_is_short_again_afterwards(machine):
    pauses = []
    for _ in range(8):
        multiply(machine, 0.02, 0.02)
        pauses.append(busy_cores.watch.pause)
        machine.now += busy_cores.watch.pause + 0.1
        multiply(machine, 1e-4)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    machine.now += 100
    multiply(machine, 0.02, 0.02)
    assert busy_cores.watch.pause == 1


def test_arithmetic_and_memory_count(machine):
    multiply(machine, 1e-4)
    wide, long = np.ones((20_000, 256), np.float32), np.ones((256, 20_000), np.float32)
    machine.result, machine.seconds = np.empty((20_000, 20_000), np.float32), 0.2
    for _ in range(3):
        busy_cores.product(wide, long)
    assert machine.threads == 2


def test_numpy_s_own_loops_are_slow_by_themselves(machine):
    machine.seconds = 0.5
    for a in (np.ones((256, 256), np.int32), np.ones((512, 512), np.float32)[::2, ::2]):
        for _ in range(3):
            busy_cores.product(a, a)
    assert machine.threads == 2


def test_determinism_keeps_the_number_of_threads(machine, monkeypatch):
    monkeypatch.setattr(settings, "deterministic", False)
    tf.config.experimental.enable_op_determinism()
    multiply(machine, 0.02, 0.02, 0.02)
    assert settings.deterministic
    assert machine.threads == 2


def test_both_reasons_for_one_thread_may_overlap(machine):
    multiply(machine, 0.02, 0.02)
    assert blas.threads() == 2  # for ours, which take parts as they are free
    with blas.on_one_thread() as possible:
        assert possible
        assert machine.threads == 1
        assert blas.threads() == 1
    assert machine.threads == 1
    busy_cores.watch.lift(machine.now)
    assert machine.threads == 2
    with blas.on_one_thread():
        multiply(machine, 0.02, 0.02)  # BLAS has one thread already
        assert not busy_cores.watch.limited


def test_the_doctor_tells(monkeypatch):
    assert "384×384 takes" in doctor.report() or "one thread of BLAS" in doctor.report()
    monkeypatch.setattr(blas, "_controls", lambda: [(lambda: 2, lambda count: None)])
    times = iter([0.02, 0.001] * 15)
    monkeypatch.setattr(busy_cores, "_seconds", lambda a: next(times))
    assert "20.00 ms on 2 threads of BLAS, 1.00 on one; other processes" in busy_cores.report()
