"""Long work that cannot tell how far it is shows its seconds, on terminals only."""

import io
import re
import time

import pytest

import cinta as tf
from cinta.progress import timed
from tests.replay.compiling import compiled


class Screen(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr("cinta.progress._SECONDS_UNTIL_SHOWN", 0.0)
    monkeypatch.setattr("cinta.progress._SECONDS_BETWEEN", 0.0)


def lines(screen):
    return screen.getvalue().replace("\r", "\n").splitlines()


def test_a_clock_runs_while_the_work_lasts(at_once):
    screen = Screen(True)
    with timed("waiting", stream=screen):
        while len(lines(screen)) < 2:
            time.sleep(0.001)
    assert {re.sub(r"[\d.]+", "N", line) for line in lines(screen)} == {"waiting: N s"}
    assert screen.getvalue().endswith(" s\n")


def test_an_error_stops_the_clock(at_once):
    screen = Screen(True)
    with pytest.raises(ZeroDivisionError), timed("waiting", stream=screen):
        while not screen.getvalue():
            time.sleep(0.001)
        _ = 1 / 0
    assert screen.getvalue().endswith(" s\n")


def test_short_work_shows_nothing():
    screen = Screen(True)
    with timed("waiting", stream=screen):
        pass
    assert screen.getvalue() == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_a_compilation_shows_its_seconds_on_terminals(at_once, monkeypatch, terminal):
    pytest.importorskip("jax")
    f = compiled(lambda x: tf.exp(x) * 2)
    f(tf.constant([1.0]))
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    f(tf.constant([1.0]))
    shown = [line.partition(":")[0] for line in lines(screen)]
    assert set(shown) == ({"compiling <lambda>, 2 steps"} if terminal else set())
