"""An interrupt at any instruction leaves all variables as they were, or has changed all of them."""

import gc
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

import cinta as tf
from cinta.engine import recorders
from cinta.engine.listeners import listeners
from cinta.ops.random import op_numbering
from cinta.ops.random.state import seeds
from cinta.replay import call_once
from cinta.replay.variant import Variant
from cinta.replay.without_gc import without_gc


class Interrupt(BaseException): ...


# Packages in which an interrupt between two instructions can leave a lock held for ever: functools
# has one for each cached property in Python 3.11, and JAX has such properties. Signals cannot do
# this: Python handles them inside of a `with` block, which releases the lock, or after the release.
LOCKING = {"functools", "jax"}


def in_locking(frame):
    """Whether a frame runs for a locking package, not for this package or its generated code."""
    while frame is not None:
        package = frame.f_globals.get("__name__", "cinta").partition(".")[0]
        if package in {"cinta", __name__}:
            return False
        if package in LOCKING:
            return True
        frame = frame.f_back
    return False


class Interrupting:
    """Raises an interrupt before one of the instructions that run, outside of locking packages."""

    def __init__(self, at):
        self.at, self.count, self.raised = at, 0, False

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.trace)
        return self

    def __exit__(self, *error):
        sys.settrace(self.before)

    def trace(self, frame, event, arg):
        if event == "call" and in_locking(frame):
            return None
        frame.f_trace = self.trace  # Python 3.13 shows instructions to a tracer that is there
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode" and frame.f_code is not Interrupting.__exit__.__code__:
            self.count += 1
            if self.count == self.at:
                self.raised = True
                raise Interrupt
        return self.trace


class InterruptingIn(Interrupting):
    """The same for the instructions of one function."""

    def __init__(self, code, at):
        super().__init__(at)
        self.code = code

    def trace(self, frame, event, arg):
        return super().trace(frame, event, arg) if frame.f_code is self.code else None


def interrupted_everywhere(call, check, step=1):
    """Call a function again and again, and interrupt it one instruction later each time.

    It runs on a thread of its own. Between the end of a block and the call of its ``__exit__``,
    where no signal is handled, an interrupt leaves the block entered: JAX's with 64 bits, the
    error that Python handles. Such states belong to the thread, and end with it.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_interrupted_everywhere, call, check, step).result()


def _interrupted_everywhere(call, check, step):
    at, raised = 1, True
    while raised:
        with suppress(Interrupt), Interrupting(at) as interrupting:
            call()
        raised = interrupting.raised
        let_go(seeds.lock)
        assert op_numbering.current() is None
        assert call_once._here.attempts is None
        check()
        at += step
    return at


def let_go(lock):
    """Release a lock that was held where no signal is handled: others would wait for ever."""
    with suppress(RuntimeError):
        while True:
            lock.release()


@pytest.fixture
def variables():
    return [tf.Variable(0.0) for _ in range(3)]


def consistent(variables):
    """A check that the variables are equal, and that other threads can change them."""

    def check():
        values = {float(v.numpy()) for v in variables}
        assert len(values) == 1

    return check


def ends(call):
    """Whether a call ends on another thread."""
    done = threading.Event()

    def run():
        call()
        done.set()

    threading.Thread(target=run, daemon=True).start()
    return done.wait(20)


def free(variables):
    """Whether another thread can change the variables."""
    return ends(lambda: [v.assign(v) for v in variables])


def increments(variables):
    for v in variables:
        v.assign(v + 1.0)


@pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "xla"])
def test_in_a_replay(variables, compiled):
    if compiled:
        pytest.importorskip("jax")
    f = tf.function(lambda: increments(variables), jit_compile=compiled)
    for _ in range(3):
        f()
    steps = interrupted_everywhere(f, consistent(variables))
    assert steps > 100
    assert float(variables[0].numpy()) > 3
    assert free(variables)
    other = tf.Variable([0.0, 0.0])
    g = tf.function(lambda: other.assign_add([1.0, 1.0]), jit_compile=compiled)
    assert ends(lambda: [g() for _ in range(3)])


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_in_python(variables):
    log = []

    def python():
        log.append(0)
        increments(variables)

    f = tf.function(python)
    for _ in range(3):
        f()
    interrupted_everywhere(f, consistent(variables))
    assert free(variables)


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_in_python_that_raises(variables):
    """Changes are taken back, all at once, whatever interrupts."""
    log, errors = [], []

    def python():
        log.append(0)
        increments(variables)
        for error in errors:
            raise error

    f = tf.function(python)

    def call():
        with suppress(ValueError):
            f()

    for _ in range(3):
        call()
    errors.append(ValueError)

    def check():
        assert [float(v.numpy()) for v in variables] == [3, 3, 3]

    interrupted_everywhere(call, check)
    assert free(variables)


# An interrupt in a callback of an object that dies is shown, not raised.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_in_a_first_call(variables):
    interrupted_everywhere(
        lambda: tf.function(lambda: increments(variables))(), consistent(variables), step=2003
    )
    assert free(variables)


def test_in_random_numbers():
    """Ops are counted in the graph of the function, which ends whatever interrupts."""
    v = tf.Variable(0.0)
    add = tf.function(lambda: v.assign_add(tf.py_function(lambda: 0.0, [], tf.float32)))
    draw = tf.function(lambda: tf.random.uniform([]) + add())
    for _ in range(3):
        draw()
    steps = interrupted_everywhere(draw, lambda: None, step=31)
    assert steps > 100


@pytest.mark.parametrize("size", [2, 4096])
def test_in_updates(size):
    v = tf.Variable(tf.zeros([size]))
    one, rows = tf.ones([size]), tf.IndexedSlices(tf.ones([1]), tf.constant([0]))

    def check():
        values = v.numpy()
        assert (values[1:] == values[1]).all()

    def call():
        v.assign_add(one)
        v.scatter_add(rows)
        v[0].assign(v[1])

    call()
    interrupted_everywhere(call, check, step=7)
    assert free([v])


def test_by_signals(variables):
    f = tf.function(lambda: increments(variables))
    f(), f()
    count = 0

    def stop(*_):
        raise Interrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for k in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + k * 3e-6)
                for _ in range(200):
                    f()
                time.sleep(0.01)
            except Interrupt:
                count += 1
            consistent(variables)()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert count == 200
    assert free(variables)


@pytest.mark.parametrize("part", [Variant.way, Variant.recording])
def test_while_a_recording_is_put_in_order(part):
    def recorded():
        f = tf.function(lambda x: x * 3.0)
        f(tf.constant(2.0))
        return f

    def interrupted():
        at, raised = 1, True
        while raised:
            f = recorded()
            with suppress(Interrupt), InterruptingIn(part.func.__code__, at) as interrupting:
                f(tf.constant(2.0))
            raised = interrupting.raised
            assert gc.isenabled()
            assert [f(tf.constant(x)).numpy() for x in (1.0, 2.0)] == [3, 6]
            assert f.report().recordings == 1
            at += 1
        return at

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(interrupted).result() > 10


def test_nobody_listens_any_more_if_the_end_of_a_block_is_interrupted(monkeypatch):
    def interrupted(recorder):
        raise Interrupt

    def cubes():
        return tf.vectorized_map(lambda row: row**3, tf.constant([1.0, 2.0]))

    with monkeypatch.context() as patch, pytest.raises(Interrupt):
        patch.setattr(recorders, "stop", interrupted)
        cubes()
    assert listeners() == ()
    assert cubes().numpy().tolist() == [1, 8]


def test_the_garbage_collector_is_on_again_if_an_interrupt_comes_as_it_is_switched_off(monkeypatch):
    def interrupted(disable=gc.disable):
        disable()
        raise Interrupt

    with monkeypatch.context() as patch, pytest.raises(Interrupt):
        patch.setattr(gc, "disable", interrupted)
        with without_gc():
            pass
    assert gc.isenabled()
