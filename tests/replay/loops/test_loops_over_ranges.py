"""``for i in tf.range(n)``: one recording for any count."""

from unittest.mock import patch

import numpy as np
import pytest

import cinta as tf
from cinta.replay import differentiate
from cinta.replay.gradient_steps import gradient_steps
from tests.replay.loops.test_loops_with_branches import outcomes

COUNTS = [3, 0, 1, 5, 2, 7, 7, 4, 0, 9, 6, 1, 12]
WEIGHT = tf.Variable([0.9, 1.1, 0.7])
STATE = tf.Variable(tf.zeros([3]))


def a_sum(n, x, y):
    total = tf.zeros([3])
    for _ in tf.range(n):
        total += x
    return total


def its_numbers(n, x, y):
    for i in tf.range(n):
        x = x * 1.1 + tf.cast(i, tf.float32)
    return x


def a_local_of_each_turn(n, x, y):
    for i in tf.range(n):
        scale = 1.0 / tf.cast(i + 1, tf.float32)
        x = x * scale + y
    return x


def a_start_and_a_step(n, x, y):
    for i in tf.range(2 * n, -1, -2):
        x = x + y * tf.cast(i, tf.float32)
    return x


def an_end_that_is_computed(n, x, y):
    for i in tf.range(n // 2, n * 2, dtype=tf.int64):
        x = tf.sin(x) + tf.cast(i % 3, tf.float32)
    return x


def rows(n, x, y):
    total = tf.constant(0.0)
    for i in tf.range(n):
        total += x[i % 3] * y[0]
    return total


def a_loop_in_a_loop(n, x, y):
    for i in tf.range(n):
        for j in tf.range(i):
            x = x * 0.9 + y * tf.cast(i - j, tf.float32)
    return x


def a_branch_in_a_loop(n, x, y):
    for i in tf.range(n):
        x = x + y if i % 2 == 0 else x * 0.5
    return x


def one_that_goes_on(n, x, y):
    for i in tf.range(n):
        if i % 3 == 1:
            continue
        x = x * 0.5 + y
    return x


def its_last_number(n, x, y):
    i = tf.constant(-1)
    for i in tf.range(n):  # noqa: B007
        x = x * 1.5
    return x * tf.cast(i, tf.float32)


def values_of_before(n, x, y):
    a, b = x, y
    for _ in tf.range(n):
        a, b = b, a * 0.5 + b
    return a, b


def one_behind_another(n, x, y):
    for _ in tf.range(n):
        x = x * 0.9
    for _ in tf.range(n + 1):
        y = y + x
    return x, y


def a_variable_that_is_read(n, x, y):
    for _ in tf.range(n):
        x = x * WEIGHT + y
    return x


def a_range_of_floats(n, x, y):
    for t in tf.range(0.5, tf.cast(n, tf.float32) + 0.5, 0.7):
        x = x * 0.9 + t
    return x


def a_step_that_is_computed(n, x, y):
    for t in tf.range(1.0, delta=1.0 / tf.cast(n + 1, tf.float32)):
        x = x * 0.9 + y * t
    return x


def a_tape_in_each_turn(n, x, y):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(tf.sin(x) * y)
        x = x - 0.1 * tape.gradient(loss, x)
    return x


def a_while_loop_of_so_many_turns_at_most(n, x, y):
    return tf.while_loop(
        lambda x: tf.reduce_sum(x) < 20.0,
        lambda x: [x * 1.5 + tf.abs(y)],
        [x],
        maximum_iterations=n,
    )[0]


JOINED = [
    a_range_of_floats,
    a_step_that_is_computed,
    a_tape_in_each_turn,
    a_while_loop_of_so_many_turns_at_most,
    a_sum,
    its_numbers,
    a_local_of_each_turn,
    a_start_and_a_step,
    an_end_that_is_computed,
    rows,
    a_loop_in_a_loop,
    a_branch_in_a_loop,
    one_that_goes_on,
    its_last_number,
    values_of_before,
    one_behind_another,
    a_variable_that_is_read,
]


def compare(function, compiled, close=False):
    sources = np.random.default_rng(0)
    for n in COUNTS:
        x, y = [tf.constant(each) for each in sources.normal(size=(2, 3)).astype(np.float32)]
        expected = tf.nest.flatten(function(tf.constant(n), x, y))
        for one, other in zip(
            expected, tf.nest.flatten(compiled(tf.constant(n), x, y)), strict=True
        ):
            assert one.dtype == other.dtype
            if close:
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
            else:
                np.testing.assert_array_equal(one, other)


def compare_gradients(function, compiled, *others):
    sources = np.random.default_rng(0)
    for n in COUNTS:
        x, y = [tf.constant(each) for each in sources.normal(size=(2, 3)).astype(np.float32)]
        given = n, x, y, *others
        pairs = zip(with_others(function, *given), with_others(compiled, *given), strict=True)
        for one, other in pairs:
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-6)


def with_others(function, n, x, y, *variables):
    """Outcomes, where the function does not take the last sources: they are variables."""
    return outcomes(lambda n, x, y, *_: function(n, x, y), n, x, y, *variables)


def check_any_count(function, jit_compile, most, close=False):
    """At most so many recordings serve any count, and give what the Python gives."""
    if jit_compile:
        pytest.importorskip("jax")
    compiled = tf.function(function, jit_compile=jit_compile)
    compare(function, compiled, close=jit_compile or close)
    assert compiled.report().recordings <= most
    assert compiled.report().refused == ()


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_a_few_recordings_serve_any_count(function, jit_compile):
    check_any_count(function, jit_compile, 4)


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_they_have_the_gradients_for_any_count(function):
    compiled = tf.function(function)
    compare_gradients(function, compiled, WEIGHT)
    assert compiled.report().recordings <= 4


def a_list(n, x, y):
    found = [x]
    for _ in tf.range(n):
        found.append(found[-1] * y)
    return tf.stack(found)


def a_tensor_array(n, x, y):
    found = tf.TensorArray(tf.float32, n)
    for i in tf.range(n):
        found = found.write(i, x * tf.cast(i, tf.float32))
    return found.stack()


def a_number_of_turns(n, x, y):
    turns = 0
    for _ in tf.range(n):
        turns += 1
    return x * turns


def an_index(n, x, y):
    scales = [0.5, 0.25, 2.0]
    for i in tf.range(n):
        x = x * scales[int(i) % 3]
    return x


def two_iterators(n, x, y):
    for i, scale in zip(tf.range(n), [0.5, 0.25, 2.0, 1.5], strict=False):
        x = x * scale + tf.cast(i, tf.float32)
    return x


def numbers_that_are_kept(n, x, y):
    numbers = tf.range(n)
    for i in numbers:
        x = x + tf.cast(i, tf.float32)
    return x + tf.cast(tf.reduce_sum(numbers), tf.float32)


def iterators_of_two_kinds(n, x, y):
    for i in [4, 5] if n > 5 else tf.range(n):
        x = x + tf.cast(i, tf.float32)
    return x


def a_comprehension(n, x, y):
    return tf.add_n([x, *[x * tf.cast(i, tf.float32) for i in tf.range(n)]])


def a_generator(n, x, y):
    def numbers():
        for i in tf.range(n):
            yield tf.cast(i, tf.float32)

    for number in numbers():
        x = x + number
    return x


def a_handler(n, x, y):
    last = y
    try:
        for _ in tf.range(n):
            last, y = y, y * 0.5
            x = x + 1.0
        if n > 4:
            raise ValueError
    except ValueError:
        x = x * last
    return x


def its_locals(n, x, y):
    scale = 2.0
    for _ in tf.range(n):
        x = x * 0.5
        scale = x
    return x * locals()["scale"]


def a_tape_inside(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            z = z * y
    return tape.gradient(z, x)


def a_variable_that_is_assigned(n, x, y):
    STATE.assign(x)
    for _ in tf.range(n):
        STATE.assign(STATE * y)
    return STATE + 0.0


def random_numbers(n, x, y):
    for i in tf.range(n):
        x = x + tf.random.stateless_uniform([3], seed=[1, i])
    return x


ANYHOW = [
    a_list,
    a_tensor_array,
    a_number_of_turns,
    an_index,
    two_iterators,
    numbers_that_are_kept,
    iterators_of_two_kinds,
    a_comprehension,
    a_generator,
    a_handler,
    its_locals,
    a_tape_inside,
    a_variable_that_is_assigned,
    random_numbers,
]


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
@pytest.mark.parametrize("function", ANYHOW, ids=lambda f: f.__name__)
def test_other_loops_give_what_python_gives(function):
    compiled = tf.function(function)
    compare(function, compiled)
    compare(function, compiled)


@pytest.mark.parametrize("numbers", [(-1,), (0, 3, 0), (0, 3, -1), (3, 0)], ids=lambda x: str(x))
def test_ranges_that_cannot_be_are_refused_as_by_python(numbers):
    def count(*ends):
        total = tf.constant(0)
        for i in tf.range(*ends):
            total += i
        return total

    compiled = tf.function(count)
    fine = {1: (4,), 2: (1, 9), 3: (0, 9, 2)}[len(numbers)]
    for _ in range(2):
        assert int(compiled(*map(tf.constant, fine))) == sum(range(*fine))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Requires .*\[Op:Range\]"):
            compiled(*map(tf.constant, numbers))


def test_a_range_of_floats_has_no_gradient():
    def last(x, y, limit):
        for t in tf.range(x, limit, y):
            limit = limit * t
        return limit

    given = [tf.constant(v) for v in (1.0, 0.25, 3.0)]
    for function in (last, tf.function(last)):
        with tf.GradientTape() as tape:
            tape.watch(given)
            value = function(*given)
        found = tape.gradient(value, given)
        assert found[:2] == [None, None]
        assert float(found[2]) == pytest.approx(float(value) / 3.0)


@pytest.mark.parametrize("bad", [(0.0, 1.0, 0.0), (0.0, 1.0, -1.0), (1.0, 0.0, 1.0)], ids=str)
def test_ranges_of_floats_are_refused_as_by_python(bad):
    def total(*ends):
        found = tf.constant(0.0)
        for t in tf.range(*ends):
            found += t
        return found

    for jit_compile in (False, True):
        compiled = tf.function(total, jit_compile=jit_compile)
        for _ in range(2):
            assert float(compiled(*map(tf.constant, (0.0, 2.0, 0.5)))) == 3.0
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"Requires .*\[Op:Range\]"):
                compiled(*map(tf.constant, bad))


def test_only_some_recordings_of_gradients_are_kept():
    def function(n, x, y):
        best = x + 9.0
        for _ in tf.range(n):
            x = tf.sin(x * 3.0) + y
            if tf.reduce_sum(x) < tf.reduce_sum(best):
                best = x
        return best

    compiled = tf.function(function)
    kept = []
    insert = differentiate.CalledRecording._new

    def noted(self, *given):
        made = insert(self, *given)
        kept.append(len(self._backwards))
        return made

    with patch.object(differentiate.CalledRecording, "_new", noted):
        for n in range(1, 3 * differentiate.MOST_BACKWARDS):
            given = n, tf.ones([3]) * 0.1, tf.ones([3]) * 0.2
            for one, other in zip(
                outcomes(function, *given), outcomes(compiled, *given), strict=True
            ):
                assert (one is None) == (other is None)
                if one is not None:
                    np.testing.assert_allclose(other, one, rtol=1e-5)
    assert max(kept) == differentiate.MOST_BACKWARDS


def test_gradients_are_recorded_a_few_times_for_any_count():
    compiled = tf.function(its_numbers)
    with patch.object(differentiate, "gradient_steps", wraps=gradient_steps) as recorded:
        for n in range(1, 30):
            outcomes(compiled, n, tf.ones([3]), tf.ones([3]))
            if n == 4:
                before = recorded.call_count
        assert recorded.call_count == before


class Model(tf.Module):
    @tf.function(
        input_signature=[
            *[tf.TensorSpec([], tf.int32)],
            *[tf.TensorSpec([3], tf.float32)] * 2,
        ]
    )
    def __call__(self, n, x, y):
        return its_numbers(n, x, y)


def test_such_loops_are_saved_for_any_count(tmp_path):
    tf.saved_model.save(Model(), str(tmp_path))
    compare(its_numbers, tf.saved_model.load(str(tmp_path)))


def test_such_loops_are_written_in_onnx(tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    specs = tf.TensorSpec([], tf.int32), *[tf.TensorSpec([3], tf.float32)] * 2
    tf.export.to_onnx(Model().__call__, str(tmp_path / "model.onnx"), *specs)
    session = runtime.InferenceSession(str(tmp_path / "model.onnx"))
    names = [each.name for each in session.get_inputs()]

    def run(*given):
        return session.run(None, {k: np.asarray(x) for k, x in zip(names, given, strict=True)})

    for n in (0, 1, 3, 7):
        given = tf.constant(n), tf.ones([3]), tf.constant([1.0, 2.0, 3.0])
        np.testing.assert_allclose(run(*given)[0], its_numbers(*given), rtol=1e-6)


def check_names(function):
    compiled = tf.function(function)
    for n in COUNTS:
        given = tf.constant(n), tf.constant(2.0)
        np.testing.assert_allclose(compiled(*given), function(*given), rtol=1e-5)


def test_a_tape_that_watches_what_a_loop_may_give_back():
    def function(n, x):
        z = x
        for _ in tf.range(n):
            z = tf.sin(z)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = z * z
        return tape.gradient(loss, x, unconnected_gradients="zero")

    check_names(function)


def test_python_that_asks_whether_two_names_are_one_tensor():
    def function(n, x):
        z = x
        for _ in tf.range(n):
            z = tf.sin(z)
        return z + 100.0 if z is x else z

    check_names(function)
