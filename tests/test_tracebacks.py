"""Errors as they are shown: the user's lines, and little of cinta."""

import os
import subprocess
import sys
import textwrap
import traceback

import numpy as np
import pytest

import cinta as tf
from cinta import tracebacks

FOLDER = os.path.dirname(tf.__file__)


@pytest.fixture
def unfiltered():
    tf.debugging.disable_traceback_filtering()
    yield
    tf.debugging.enable_traceback_filtering()


def shown(call):
    """The entries of an error's traceback as they are shown, but for the call itself."""
    try:
        call()
    except Exception as error:
        tracebacks.put_in_order(error)
        return traceback.extract_tb(error.__traceback__)[1:]
    raise AssertionError("nothing was raised")


def ours(entries):
    return [each for each in entries if each.filename.startswith(FOLDER) or each.filename[0] == "<"]


def users(entries):
    return [each.name for each in entries if each.filename == __file__]


def inner(x):
    return tf.matmul(x * 2.0, tf.ones([3, 3]))


def loss(x):
    return tf.reduce_sum(tf.map_fn(inner, x))


X = tf.ones([2, 2, 2])
CALLS = {
    "operator": lambda: tf.ones([2, 3]) + tf.ones([4]),
    "function": lambda: tf.linalg.inv(tf.zeros([2, 2])),
    "composite": lambda: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([3, 4])),
    "nested": lambda: tf.function(tf.function(inner))(X),
    "mapped": lambda: tf.map_fn(inner, X),
    "functional": lambda: tf.grad(loss)(X),
    "hessian": lambda: tf.hessian(loss)(X),
    "dataset": lambda: list(tf.data.Dataset.range(3).map(lambda i: inner(X))),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_at_most_two_lines_are_of_cinta(call):
    entries = shown(call)
    assert 1 <= len(ours(entries)) <= 2
    assert ours(entries) == entries[-len(ours(entries)) :]


@pytest.mark.parametrize("name", ["nested", "mapped", "functional", "hessian", "dataset"])
def test_all_lines_of_the_user_are_shown(name):
    assert users(shown(CALLS[name]))[-1] == "inner"


def test_what_the_user_raises_is_shown_with_the_function_that_called():
    def refuse(x):
        raise ValueError("no")

    entries = shown(lambda: tf.map_fn(refuse, X))
    assert [each.name for each in entries] == ["<lambda>", "map_fn", "refuse"]


def test_causes_are_shortened_too():
    def again():
        try:
            tf.grad(loss)(X)
        except tf.errors.OpError as error:
            raise ValueError("no") from error

    with pytest.raises(ValueError, match="no") as caught:
        again()
    tracebacks.put_in_order(caught.value)
    assert len(ours(traceback.extract_tb(caught.value.__cause__.__traceback__))) == 2


def test_all_lines_are_shown_if_somebody_wants_them(unfiltered):
    assert not tf.debugging.is_traceback_filtering_enabled()
    assert len(ours(shown(CALLS["functional"]))) > 2
    tf.debugging.enable_traceback_filtering()
    assert tf.debugging.is_traceback_filtering_enabled()


def test_public_functions_given_what_is_no_tensor_show_two_lines_of_cinta():
    shown = {}
    for face in (tf.math, tf.linalg, tf.nn):
        for name in dir(face):
            function = getattr(face, name)
            if hasattr(function, "__code__"):
                count = function.__code__.co_argcount - len(function.__defaults__ or ())
                try:
                    function(*[np.array(None)] * max(count, 1))
                except Exception as error:
                    tracebacks.put_in_order(error)
                    shown[name] = len(ours(traceback.extract_tb(error.__traceback__)))
    assert len(shown) > 200
    assert {name for name, count in shown.items() if count > 2} == set()


# -- warnings --------------------------------------------------------------------------------------


def test_what_numpy_warns_of_is_not_shown():
    code = """
        import cinta as tf
        big = tf.constant([[1e300, float("inf"), 0.0]] * 3, tf.float64)
        for f in (tf.math.log, tf.linalg.cross, tf.linalg.expm, tf.linalg.det, tf.math.square):
            f(big, big) if f is tf.linalg.cross else f(big)
            replayed = tf.function(lambda x: x * 1e300)
            replayed(big), replayed(big)
    """
    assert printed(code) == ""


def test_those_who_want_to_see_it_are_shown_their_own_lines():
    code = """
        import warnings
        import cinta as tf
        warnings.simplefilter("always")
        zeros = tf.zeros([3])
        tf.math.log(zeros)
        function = tf.function(lambda x: tf.math.log(x) * 2.0)
        function(zeros)
        function(zeros)
        tf.map_fn(lambda x: 1.0 / x, zeros)
        zeros.numpy() / 0.0
    """
    lines = [line.split(":")[:2] for line in printed(code).splitlines() if "RuntimeWarning" in line]
    assert [int(number) for _, number in lines] == [6, 7, 9, 10, 10, 10, 11]
    assert {name for name, _ in lines} == {"<string>"}


# -- in functions ----------------------------------------------------------------------------------


def inverse(x):
    return tf.linalg.inv(x) + 1.0


def replaying(function):
    """A function that has been recorded, so that its next call is a replay."""
    made = tf.function(function)
    made(tf.eye(2))
    return made


@pytest.mark.parametrize("watched", [False, True])
def test_a_replay_that_fails_names_the_line_of_the_function(watched):
    replayed = replaying(inverse)

    @replaying
    def outer(x):
        return replayed(x) * 2.0

    def call():
        with tf.GradientTape() as tape:
            x = tf.zeros([2, 2])
            if watched:
                tape.watch(x)
            outer(x)

    entries = shown(call)
    assert users(entries) == ["call", "outer", "inverse"]
    assert len(ours(entries)) == 2
    assert outer.experimental_get_tracing_count() == 1


def test_nothing_else_comes_of_a_replay_that_fails():
    counter, called = tf.Variable(0.0), []

    @replaying
    def function(x):
        counter.assign_add(1.0)
        noise = tf.random.normal([2, 2])
        tf.py_function(lambda x: called.append(1), [x], [])
        return inverse(x) + noise

    tf.random.set_seed(1)
    expected = [tf.random.normal([2, 2]).numpy() for _ in range(2)]
    tf.random.set_seed(1)
    assert users(shown(lambda: function(tf.zeros([2, 2]))))[-1] == "inverse"
    assert counter.numpy() == 1.0
    assert len(called) == 2
    after = tf.random.normal([2, 2]).numpy()
    assert any(np.array_equal(after, each) for each in expected)


def test_a_replay_that_prints_and_fails_prints_once(capfd):
    @replaying
    def function(x):
        tf.print("seen")
        return inverse(x)

    assert capfd.readouterr().err == "seen\n"
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        function(tf.zeros([2, 2]))
    assert capfd.readouterr().err == "seen\n"


def test_a_variable_that_has_no_value_yet_is_named_by_python():
    @tf.function
    def function(x):
        return later(x)

    with pytest.raises(NameError, match="'later'"):
        function(X)
    later = tf.exp
    assert function(X).shape == X.shape


# -- in programs -----------------------------------------------------------------------------------


def printed(code):
    """The standard error of a program that fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(command, env=environment, capture_output=True, text=True).stderr


def test_a_program_that_fails_is_told_what_a_name_is_called():
    code = """
        import sys
        import cinta as tf
        for line in ("tf.log(1.0)", "tf.math.sine(1.0)", "from cinta import placeholder",
                     "import cinta.contrib", "import math; math.sine",
                     "tf.reduce_sum([1.0], keep_dims=True)"):
            try:
                exec(line)
            except Exception:
                sys.excepthook(*sys.exc_info())
    """
    last = [line for line in printed(code).splitlines() if "Error: " in line]
    assert last[0].endswith("has no attribute 'log'. Use tf.math.log.")
    assert last[1].endswith("has no attribute 'sine'. Did you mean tf.math.sin?")
    assert "Write a function of tensors" in last[2]
    assert "tf.keras" in last[3]
    assert last[4].endswith("has no attribute 'sine'. Did you mean: 'sin'?")
    assert last[5].endswith(  # newer Pythons suggest it themselves
        ("argument 'keep_dims'. Did you mean keepdims?", "'keep_dims'. Did you mean 'keepdims'?")
    )


def test_programs_and_threads_show_two_lines():
    code = """
        import threading
        import cinta as tf
        thread = threading.Thread(target=lambda: tf.zeros([2]) + tf.zeros([3]))
        thread.start()
        thread.join()
        tf.zeros([2]) + tf.zeros([3])
    """
    assert printed(code).count(FOLDER) == 4


def test_notebooks_show_two_lines():
    code = """
        import sys, traceback, types
        shell = types.SimpleNamespace(showtraceback=lambda *args, **kwargs: traceback.print_exc())
        sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
        import cinta as tf
        for given in ({}, {"exc_tuple": None}):
            try:
                tf.grad(lambda x: x + tf.zeros([3]))(tf.zeros([2]))
            except Exception:
                shell.showtraceback(**given)
    """
    assert printed(code).count(FOLDER) == 4


def test_advice_is_given_once():
    code = """
        import cinta as tf
        tf.math.sine
    """
    last = printed(code).splitlines()[-1]
    assert last.endswith("has no attribute 'sine'. Did you mean tf.math.sin?")
    assert last.count("Did you mean") == 1


@pytest.mark.parametrize("asked", ["t.gradient(y, w)", "t.jacobian(y, w)"])
@pytest.mark.parametrize("failing", ["0.1 * g", "g.numpy()", "-g", "g[0]"])
def test_pythons_errors_about_a_gradient_that_is_none_say_how_to_find_out_why(asked, failing):
    code = f"""
        import cinta as tf
        w = tf.Variable([2.0])
        with tf.GradientTape() as t:
            y = tf.stop_gradient(w)
        g = {asked}
        {failing}
    """
    *_, error, note = printed(code).splitlines()
    assert "NoneType" in error
    assert note == "If it is a gradient: CINTA_EXPLAIN=1 says why it is None."


def test_pythons_errors_are_not_noted_where_no_gradient_was_none():
    code = """
        import cinta as tf
        w = tf.Variable(2.0)
        with tf.GradientTape() as t:
            y = w * 3.0
        t.gradient(y, w)
        None + 1
    """
    assert printed(code).splitlines()[-1].startswith("TypeError: unsupported operand")


def test_another_hook_is_called_too():
    code = """
        import sys
        sys.excepthook = lambda kind, error, trace: print("mine:", error, file=sys.stderr)
        import cinta as tf
        tf.log(1.0)
    """
    assert printed(code) == "mine: module 'cinta' has no attribute 'log'. Use tf.math.log.\n"
