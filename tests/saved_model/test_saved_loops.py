"""Saved and exported functions with branches and loops on values: all ways of Python are there."""

import numpy as np
import pytest
from branching_programs import Program, gradients, numbers
from saving import loaded, module, of_specs, same

import cinta as tf
from cinta.errors import DataLossError, InvalidArgumentError, OpError
from cinta.files.container import Container, write_container
from cinta.replay import exploring
from cinta.saved_model.saving import FILE, KIND


@pytest.fixture(autouse=True)
def endless_loops_are_given_up_soon(monkeypatch):
    """The loop of `root` does not end for some of the made up values."""
    monkeypatch.setattr(exploring, "_MOST_LOOKS", 2000)


SCALE = tf.Variable(0.6)
FLOATS, ROWS = ([None],), ([None, 2],)


@of_specs(FLOATS)
def choosing(x):
    if tf.reduce_sum(x) > 10:
        return x * 100.0
    return tf.sin(x) * SCALE if tf.reduce_sum(x) > 0 else -x


@of_specs(ROWS)
def shrinking(x):
    turns = tf.cast(tf.reduce_sum(x) * 0.0, tf.int32)
    while tf.reduce_max(tf.abs(x)) > 1.0:
        x = tf.tanh(x) * SCALE if tf.reduce_sum(x) > 0 else x * 0.9 - 0.01
        turns += 1
    return {"shrunk": x, "turns": turns}


@of_specs(([],), ([],))
def root(x, y):
    return tf.while_loop(
        lambda i, z: tf.abs(z * z - y) > 1e-3,
        lambda i, z: (i + 1, (z + y / z) / 2.0),
        (tf.constant(0), x),
    )[1]


@of_specs(([], tf.int32))
def collatz(n):
    turns = 0 * n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        turns += 1
    return turns


@of_specs(FLOATS)
def nested(x):
    while tf.reduce_sum(x) > 4.0:
        while tf.reduce_max(x) > 2.0:
            x = x * 0.7
        x = x * SCALE + 0.1
    return x


class Model(tf.Module):
    """One whose methods look at values, and which assigns."""

    def __init__(self):
        self.rate, self.calls = tf.Variable(0.5), tf.Variable(0.0)

    @of_specs(FLOATS)
    def __call__(self, x):
        self.calls.assign_add(1.0)
        while tf.norm(x) > 1.0:
            x = x * self.rate
        return x


CASES = [
    (choosing, [([1.0, 2.0, 3.0],), ([-1.0, -2.0],), ([20.0],), ([5.0, 6.0, 7.0],)]),
    (shrinking, [([[0.1, 0.2]],), ([[10.0, -3.0], [2.0, 1.0]],), ([[-4.0, 1.0]],)]),
    (root, [(1.0, 2.0), (50.0, 3.0), (2.0, 4.0)]),
    (nested, [([1.0, 2.0],), ([9.0],), ([3.0, 4.0, 5.0],)]),
]


def values_and_gradients(function, given, variable):
    """The results, and the gradients of first and second order."""
    given = [tf.constant(x) for x in given]
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        outer.watch(given)
        tape.watch(given)
        results = tf.nest.flatten(function(*given))
        total = [tf.reduce_sum(tf.sin(x)) for x in results if x.dtype.is_floating]
        first = tape.gradient(total, [*given, variable])
    second = outer.gradient([g for g in first if g is not None], [*given, variable])
    return results, [*first, *second]


def assert_close(one, other, **within):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, **within)


@pytest.mark.parametrize("engine", ["numpy", "xla"])
@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda x: getattr(x, "name", None))
def test_all_ways_come_back_with_gradients(tmp_path, function, calls, engine):
    if engine == "xla":
        pytest.importorskip("jax")
    model = loaded(tmp_path, module(f=function, scale=SCALE))
    before = tf.config.get_engine()
    tf.config.set_engine(engine)
    try:
        for given in calls:
            expected, slopes = values_and_gradients(function.python_function, given, SCALE)
            found, found_slopes = values_and_gradients(model.f, given, model.scale)
            if engine == "numpy":
                same(found, expected)
            assert_close(found, expected, rtol=1e-5)
            for one, other in zip(found_slopes, slopes, strict=True):
                assert (one is None) == (other is None)
                if one is not None:
                    np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-5)
    finally:
        tf.config.set_engine(before)


def test_whole_numbers_and_methods(tmp_path):
    model = loaded(tmp_path, module(f=collatz))
    for n, turns in ((1, 0), (2, 1), (7, 16), (27, 111)):
        assert model.f(n).numpy() == turns
    original = Model()
    copy = loaded(tmp_path, original)
    for x in ([3.0, 4.0], [0.1], [100.0, 1.0, 1.0], [0.5, 0.5]):
        same(copy(x), original(tf.constant(x)))
    assert copy.calls.numpy() == original.calls.numpy()


def test_a_function_that_was_called_goes_ways_that_no_call_took(tmp_path):
    scale = tf.Variable(2.0)
    f = tf.function(lambda x: x * scale if x > 0 else -x)
    f(tf.constant(1.0))
    model = loaded(tmp_path, module(f=f, scale=scale))
    assert model.f(3.0).numpy() == 6.0
    assert model.f(-3.0).numpy() == 3.0


def test_what_raises_on_one_way_asks_for_python_there(tmp_path):
    @of_specs(([],))
    def f(x):
        if x < 0:
            raise ValueError("negative")
        while x > 1:
            x = x / 2.0
        return x

    model = loaded(tmp_path, module(f=f))
    assert model.f(12.0).numpy() == 0.75
    with pytest.raises(InvalidArgumentError, match="go another way"):
        model.f(-1.0)


def test_what_was_loaded_is_saved_again_and_recorded(tmp_path):
    first = loaded(tmp_path / "first", module(f=shrinking, scale=SCALE))
    again = loaded(tmp_path / "second", first)
    recorded = tf.function(lambda x: again.f(x)["shrunk"] * 2.0)
    for given in CASES[1][1] * 2:
        x = tf.constant(given[0])
        same(again.f(x), shrinking(x))
        same(recorded(x), shrinking(x)["shrunk"] * 2.0)


NOT_JOINED = {5, 11, 12, 13, 17}
"""Programs in which two values are the same on all ways by chance: of these, calls are saved."""


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(tmp_path, seed):
    program = Program(seed)
    model = loaded(tmp_path, module(f=of_specs(([3],))(program.function)))
    answered = 0
    for x in numbers(30):
        try:
            same(model.f(x), program.function(x))
            answered += 1
        except InvalidArgumentError:
            assert seed in NOT_JOINED, program.source
    assert answered
    for x in numbers(2) if seed not in NOT_JOINED else ():
        pairs = zip(gradients(program.function, x), gradients(model.f, x), strict=True)
        for one, other in pairs:
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


# -- exports ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda x: getattr(x, "name", None))
def test_onnx_has_loops_and_branches(tmp_path, function, calls):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    path = str(tmp_path / "model.onnx")
    tf.export.to_onnx(function, path)
    session = runtime.InferenceSession(path)
    names = [each.name for each in session.get_inputs()]
    for given in calls:
        arrays = [np.asarray(x, np.float32) for x in given]
        found = session.run(None, dict(zip(names, arrays, strict=True)))
        expected = function(*map(tf.constant, arrays))
        expected = [*expected.values()] if isinstance(expected, dict) else [expected]
        assert_close(found, expected, rtol=1e-5)


@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda x: getattr(x, "name", None))
def test_stablehlo_has_loops_and_branches(tmp_path, function, calls):
    jax = pytest.importorskip("jax")
    for i, given in enumerate(calls):
        arrays = [np.asarray(x, np.float32) for x in given]
        path = tmp_path / str(i)
        tf.export.to_stablehlo(function, path, *[tf.TensorSpec(x.shape) for x in arrays])
        found = jax.export.deserialize(bytearray(path.read_bytes())).call(*arrays)
        expected = function(*map(tf.constant, arrays))
        expected = [*expected.values()] if isinstance(expected, dict) else [expected]
        assert_close([*found.values()], expected, rtol=1e-5)


# -- hostile files ---------------------------------------------------------------------------------


def written(tmp_path, change):
    """A model with a loop, of which something in the file is changed."""

    @of_specs(([2],))
    def f(x):
        x = tf.sin(x)
        x, y = tf.while_loop(
            lambda x, y: tf.reduce_sum(x) > 1.0, lambda x, y: (x * 0.5, y + x), (x, x)
        )
        return x if tf.reduce_sum(y) > 0 else y

    tf.saved_model.save(module(f=f), tmp_path)
    container = Container(tmp_path / FILE)
    document = container.document
    node = next(each for each in document["nodes"] if each["kind"] == "function")
    change(node["programs"][-1][2]["recording"]["steps"])
    arrays = {name: container.read(name) for name in container.names()}
    write_container(tmp_path / FILE, KIND, document, arrays)
    return tmp_path


def bodies(steps, name):
    """The bodies of the ops of this name, wherever they stand."""
    for step in steps:
        attrs = step[2] if isinstance(step[2], dict) else {}
        for value in attrs.values():
            if isinstance(value, dict) and "recording" in value:
                if step[0] == name:
                    yield step, value["recording"]
                yield from bodies(value["recording"]["steps"], name)


def in_first(name, do):
    return lambda steps: do(*next(bodies(steps, name)))


CHANGES = [
    in_first("While", lambda step, body: step[2].update(carried=9)),
    in_first("While", lambda step, body: step[2].update(carried=-1)),
    in_first("While", lambda step, body: step[2].update(watched=7)),
    in_first("While", lambda step, body: step[2].update(found=1)),
    in_first("While", lambda step, body: step.__setitem__(3, 1)),
    in_first("While", lambda step, body: step.__setitem__(3, None)),
    in_first("While", lambda step, body: step[1].pop()),
    in_first("While", lambda step, body: body["results"].pop()),
    in_first("While", lambda step, body: body.update(inputs=1)),
    in_first("While", lambda step, body: body["rereads"].append([0, 0])),
    in_first("While", lambda step, body: body["steps"].append(["guard", 0, "truth", {}, True])),
    in_first("While", lambda step, body: body["steps"].append(["NextRandomState", [], {}, None])),
    in_first("While", lambda step, body: step[2].update(body=3)),
    in_first("Branch", lambda step, body: step[1].pop()),
    in_first("Branch", lambda step, body: body["results"].append(0)),
    in_first("Branch", lambda step, body: step.__setitem__(3, 5)),
    in_first("Branch", lambda step, body: step[2].pop("otherwise")),
]


def test_a_file_that_is_not_changed_is_read(tmp_path):
    model = tf.saved_model.load(written(tmp_path, lambda steps: None))
    assert model.f([1.0, 1.0]).shape == [2]


@pytest.mark.parametrize("change", CHANGES)
def test_bodies_that_python_would_not_make_are_refused(tmp_path, change):
    with pytest.raises(DataLossError):
        tf.saved_model.load(written(tmp_path, change))


def test_a_body_that_changes_a_shape_is_refused_when_it_is_called(tmp_path):
    def change(step, body):
        place = next(i for i, each in enumerate(body["steps"]) if each[0] == "Mul")
        body["steps"][place] = ["ConcatV2", [0, 0], {"axis": 0}, None]

    model = tf.saved_model.load(written(tmp_path, in_first("While", change)))
    with pytest.raises((OpError, ValueError)):
        model.f([1.0, 1.0])


def test_loops_that_do_not_end_for_made_up_values():
    """Asked for its outputs, a function runs for such values."""
    concrete = collatz.get_concrete_function()
    assert concrete.output_dtypes == tf.int32
    assert concrete(tf.constant(7)).numpy() == 16


def test_results_that_are_one_tensor_on_one_way_are_two_on_another(tmp_path):
    class Model(tf.Module):
        @of_specs(FLOATS)
        def __call__(self, x):
            y = x
            if tf.reduce_max(x) > 1e5:
                y = x * 2.0
            return y, x

    model = Model()
    tf.saved_model.save(model, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    for value in (0.5, 1e6):
        given = tf.constant([value, 0.25])
        for one, other in zip(model(given), loaded(given), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_tape_around_a_loop_is_saved_for_the_ways_that_python_went(tmp_path):
    """The gradient of any number of turns cannot be written down."""

    @tf.function(input_signature=[tf.TensorSpec([]), tf.TensorSpec([], tf.int32)])
    def slope(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = tf.sin(y) + x
        return tape.gradient(y, x)

    assert slope(0.5, 3).numpy() == slope(0.5, 3).numpy()
    model = loaded(tmp_path, module(f=slope))
    same(model.f(0.25, 3), slope(0.25, 3))
    with pytest.raises(InvalidArgumentError, match="go another way"):
        model.f(0.5, 9)


def test_a_loop_in_which_python_asks_for_a_number_can_be_loaded(tmp_path):
    @tf.function(input_signature=[tf.TensorSpec([], t) for t in (tf.float32, tf.int32, tf.int32)])
    def function(x, n, turns):
        for _ in tf.range(turns):
            x = x * float(int(n)) if x > 1.0 else x + 1.0
        return x

    whole = tf.Module()
    whole.function = function
    for x in (2.0, -2.0):
        function(x, 3, 2)
    tf.saved_model.save(whole, tmp_path)
    run = tf.saved_model.load(tmp_path).function
    for x, turns, expected in [(2.0, 1, 6.0), (-0.5, 4, 13.5), (-2.0, 2, 0.0), (7.0, 0, 7.0)]:
        assert run(x, 3, turns).numpy() == expected
    with pytest.raises(InvalidArgumentError, match="another way"):
        run(2.0, 4, 1)
