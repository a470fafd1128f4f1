"""tf.custom_gradient."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


def scaled(factor, calls=None):
    """The identity with a gradient that is this many times too large."""

    @tf.custom_gradient
    def f(x):
        def grad(upstream):
            if calls is not None:
                calls.append(upstream)
            return factor * upstream

        return x * 1.0, grad

    return f


@pytest.fixture
def x():
    return tf.constant(3.0)


# -- the decorator ---------------------------------------------------------------------------------


def test_the_gradient_is_what_the_function_says(x):
    assert values(tape_gradient(lambda x: scaled(10.0)(x) * x, x)) == 3 + 30


def test_works_with_and_without_parentheses(x):
    @tf.custom_gradient()
    def f(x):
        return x * 1.0, lambda upstream: 10.0 * upstream

    assert values(tape_gradient(f, x)) == 10


def test_keeps_name_and_documentation():
    def f(x):
        "documentation"
        return x, lambda upstream: upstream

    decorated = tf.custom_gradient(f)
    assert (decorated.__name__, decorated.__doc__) == ("f", "documentation")
    assert decorated.__wrapped__ is f


def test_works_as_a_method(x):
    class Scaling:
        factor = 10.0

        @tf.custom_gradient
        def method(self, x):
            return x * 1.0, lambda upstream: self.factor * upstream

        @staticmethod
        @tf.custom_gradient
        def function(x):
            return x * 1.0, lambda upstream: 5.0 * upstream

    assert values(tape_gradient(Scaling().method, x)) == 10
    assert values(tape_gradient(Scaling().function, x)) == 5


@pytest.mark.parametrize("returned", [1.0, (1.0,), (1.0, 2.0, 3.0), [1.0], None])
def test_what_is_no_pair_is_refused_at_once(x, returned):
    with pytest.raises((TypeError, ValueError)):
        tf.custom_gradient(lambda x: returned)(x)


def test_a_gradient_that_is_no_function_is_refused_at_once(x):
    with pytest.raises(TypeError, match="unsupported callable"):
        tf.custom_gradient(lambda x: (x, 5.0))(x)


# -- arguments -------------------------------------------------------------------------------------


def test_arguments_reach_the_function_as_they_are(x):
    seen = []

    @tf.custom_gradient
    def f(x, n, s, items):
        seen.extend([n, s, items])
        return x * n, lambda upstream: (upstream * n, None, None, None, None)

    assert values(tape_gradient(lambda x: f(x, 3, "text", [1, 2.5]), x)) == 3
    assert seen == [3, "text", [1, 2.5]]


@pytest.mark.parametrize("argument", [None, object(), len])
def test_arguments_that_are_no_tensors_are_refused(x, argument):
    f = tf.custom_gradient(lambda x, y: (x, lambda upstream: (upstream, None)))
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        f(x, argument)


def test_nests_of_arguments_have_a_gradient_for_each_leaf():
    a, b = tf.constant(2.0), tf.constant(5.0)

    @tf.custom_gradient
    def f(pair):
        return pair["a"] * pair["b"], lambda upstream: {"a": 10.0 * upstream, "b": 20.0 * upstream}

    assert values(tape_gradient(lambda a, b: f({"b": b, "a": a}), a, b)) == [10, 20]


@pytest.mark.parametrize(
    "nest", [lambda d: d, lambda d: (d,), lambda d: [d], lambda d: ((d,),), lambda d: {"z": d}]
)
def test_the_only_gradient_may_be_nested_anyhow(x, nest):
    f = tf.custom_gradient(lambda x: (x * 1.0, lambda upstream: nest(10.0 * upstream)))
    assert values(tape_gradient(f, x)) == 10


def test_none_means_no_gradient():
    a, b = tf.constant(2.0), tf.constant(5.0)
    f = tf.custom_gradient(lambda a, b: (a * b, lambda upstream: (None, upstream)))
    assert values(tape_gradient(f, a, b)) == [None, 1]


@pytest.mark.parametrize("count", [1, 3])
def test_the_wrong_number_of_gradients_is_refused_at_the_backward(count):
    a, b = tf.constant(2.0), tf.constant(5.0)
    f = tf.custom_gradient(lambda a, b: (a * b, lambda upstream: (upstream,) * count))
    with pytest.raises(ValueError, match=f"return 2 gradients, but returned {count} instead"):
        tape_gradient(f, a, b)


@pytest.mark.parametrize("gradient", [5.0, np.float32(5), lambda: tf.constant(5.0)])
def test_numbers_and_arrays_may_be_returned(x, gradient):
    f = tf.custom_gradient(
        lambda x: (x * 1.0, lambda upstream: gradient() if callable(gradient) else gradient)
    )
    assert values(tape_gradient(lambda x: f(x * 2.0) * 3.0, x)) == 10


def test_closed_over_tensors_have_no_gradient_if_an_argument_is_tracked(x):
    other = tf.constant(5.0)
    f = tf.custom_gradient(lambda x: (x * other, lambda upstream: upstream))
    assert values(tape_gradient(lambda x, other: f(x), x, other)) == [1, None]


def test_closed_over_tensors_have_their_natural_gradient_if_no_argument_is_tracked(x):
    f = tf.custom_gradient(lambda c: (x * c, lambda upstream: upstream))
    assert values(tape_gradient(lambda x: f(tf.constant(5.0)), x)) == 5


def test_without_a_tape_it_is_just_the_function(x):
    calls = []
    assert scaled(10.0, calls)(x).numpy() == 3
    assert calls == []


def test_an_integer_argument_has_no_gradient():
    i = tf.constant(3)
    f = tf.custom_gradient(lambda i: (tf.cast(i, tf.float32), lambda upstream: upstream))
    with tf.GradientTape() as tape:
        y = f(i)
    with pytest.warns(UserWarning, match="The dtype of the source tensor must be floating"):
        assert tape.gradient(y, i) is None


def keyword_function(gradients):
    """x * y + z, whose gradient function returns these multiples of the upstream gradient."""

    @tf.custom_gradient
    def f(x, y=None, z=0.0):
        return x * y + z, lambda upstream: tuple(g * upstream for g in gradients)

    return f


def test_tensors_passed_by_keyword_need_no_gradient(x):
    f, y = keyword_function([10.0]), tf.constant(5.0)
    assert values(tape_gradient(lambda x, y: f(x, y=y, z=1.0), x, y)) == [10, None]


def test_tensors_passed_by_keyword_may_have_gradients_in_the_order_of_the_signature(x):
    f, y, z = keyword_function([10.0, 20.0, 30.0]), tf.constant(5.0), tf.constant(7.0)
    assert values(tape_gradient(lambda x, y, z: f(x, z=z, y=y), x, y, z)) == [10, 20, 30]


# -- results ---------------------------------------------------------------------------------------


def test_a_result_is_always_a_new_tensor(x):
    f = tf.custom_gradient(lambda x: (x, lambda upstream: 10.0 * upstream))
    assert f(x) is not x
    assert values(tape_gradient(f, x)) == 10


def test_numbers_become_tensors(x):
    f = tf.custom_gradient(lambda x: ([x, 3], lambda *upstream: upstream[0]))
    assert tf.is_tensor(f(x)[1])


def test_results_keep_their_structure_and_upstream_comes_flat(x):
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(*upstream):
            seen.append([u.numpy() for u in upstream])
            return sum(upstream)

        return {"b": x * 1.0, "a": (x * 2.0, [x * 3.0])}, grad

    def total(x):
        results = f(x)
        return results["b"] * 10.0 + results["a"][1][0] * 100.0

    assert values(tape_gradient(total, x)) == 110
    assert seen == [[0, 100, 10]]  # in the order of the sorted keys; zeros where nothing came


def test_unused_integer_results_get_integer_zeros(x):
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(upstream, of_ints):
            seen.append(of_ints)
            return upstream

        return (x * 1.0, tf.constant([1, 2])), grad

    assert values(tape_gradient(lambda x: f(x)[0], x)) == 1
    assert seen[0].dtype == tf.int32
    assert seen[0].numpy().tolist() == [0, 0]


# -- the gradient function -------------------------------------------------------------------------


def test_is_called_once_for_each_gradient(x):
    calls = []
    f = scaled(1.0, calls)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        z = y * y + y
    tape.gradient(z, x)
    assert [u.numpy() for u in calls] == [7]
    tape.gradient(z, x)
    assert [u.numpy() for u in calls] == [7, 7]


def test_errors_pass_through_unchanged(x):
    class Mine(Exception):
        pass

    def grad(upstream):
        raise Mine("text")

    f = tf.custom_gradient(lambda x: (x * 1.0, grad))
    with pytest.raises(Mine, match="text"):
        tape_gradient(f, x)


def test_slices_may_be_returned():
    table = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    @tf.custom_gradient
    def row(table):
        def grad(upstream):
            return tf.IndexedSlices(upstream[None] * 10.0, tf.constant([1]), tf.constant([2, 2]))

        return table[1] * 1.0, grad

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(table)
        y = row(table)
        z = row(table * 1.0)
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert tf.convert_to_tensor(gradient).numpy().tolist() == [[0, 0], [10, 10]]
    assert tape.gradient(z, table).numpy().tolist() == [[0, 0], [10, 10]]


def test_slices_may_arrive():
    table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seen = []

    @tf.custom_gradient
    def f(table):
        def grad(upstream):
            seen.append(upstream)
            return upstream

        return table, grad

    with tf.GradientTape() as tape:
        tape.watch(table)
        y = tf.gather(f(table), [1, 1])
    gradient = tape.gradient(y, table)
    assert isinstance(seen[0], tf.IndexedSlices)
    assert isinstance(gradient, tf.IndexedSlices)


def test_a_custom_gradient_off_the_path_does_no_harm(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        scaled(10.0)(x)
    assert tape.gradient(y, x).numpy() == 6


def test_jacobians_ask_once_for_each_element():
    x, calls = tf.constant([1.0, 2.0, 3.0]), []
    f = scaled(10.0, calls)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x) * x
    assert np.diag(tape.jacobian(y, x, experimental_use_pfor=False)).tolist() == [11, 22, 33]
    assert [u.shape for u in calls] == [x.shape] * 3


@pytest.mark.parametrize("nested", [False, True])
def test_jacobians_call_ops_of_gradient_functions_on_all_rows(nested):
    calls = []

    def computed(x):
        return tf.math.log(1.0 + tf.exp(x))

    @tf.custom_gradient
    def f(x):
        def grad(upstream):
            calls.append(upstream.shape)
            if not nested:
                return upstream * tf.sigmoid(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = computed(x)
            return tape.gradient(y, x, output_gradients=upstream)

        return computed(x), grad

    x = tf.constant(np.linspace(-1.0, 1.0, 50))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) ** 2
        jacobian = tape.jacobian(y, x)
        squares = tf.reduce_sum(jacobian**2)
    assert calls == [x.shape]
    sigmoid = tf.sigmoid(x)
    np.testing.assert_allclose(jacobian, np.diag(2.0 * computed(x) * sigmoid))
    expected = 8.0 * computed(x) * sigmoid**3 + 8.0 * (computed(x) * sigmoid) ** 2 * (1 - sigmoid)
    np.testing.assert_allclose(outer.gradient(squares, x), expected)


def test_jacobians_of_gradient_functions_that_are_not_linear_or_look_at_values():
    def clipped(upstream):
        return tf.clip_by_value(upstream, 0.0, 2.0)

    def looking(upstream):
        return upstream * 3.0 if upstream.numpy().sum() > 2.0 else tf.zeros([3])

    def rows(upstream):
        return tf.IndexedSlices(upstream[:1], tf.constant([2]), tf.constant([3]))

    x = tf.constant([1.0, 2.0, 3.0])
    for grad, expected in [
        (clipped, [[1, 0, 0], [0, 2, 0], [0, 0, 2]]),
        (looking, [[0, 0, 0], [0, 0, 0], [0, 0, 9]]),
        (rows, [[0, 0, 1], [0, 0, 0], [0, 0, 0]]),
        (lambda upstream: tf.constant([1.0, 2.0, 3.0]), [[1, 2, 3]] * 3),
    ]:
        f = tf.custom_gradient(lambda x, grad=grad: (x * 1.0, grad))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * tf.constant([1.0, 2.0, 3.0])
        np.testing.assert_array_equal(tape.jacobian(y, x), expected)


def test_jacobians_of_several_results_and_sources():
    a, b = tf.constant([1.0, 2.0]), tf.constant(5.0)

    @tf.custom_gradient
    def f(a, b):
        def grad(of_product, of_sum):
            return 10.0 * of_product + of_sum, None

        return (a * b, tf.reduce_sum(a)), grad

    with tf.GradientTape() as tape:
        tape.watch([a, b])
        product, total = f(a, b)
        y = product * 2.0 + total
    da, db = tape.jacobian(y, [a, b])
    assert da.numpy().tolist() == [[21, 1], [1, 21]]
    assert db is None


def test_the_jacobian_of_no_elements_is_empty():
    x = tf.zeros([0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(10.0)(x)
    assert tape.jacobian(y, x).shape == (0, 0)


# -- higher orders ---------------------------------------------------------------------------------


def second(f, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        d = inner.gradient(y, x)
    dd = outer.gradient(d, x)
    return d.numpy(), dd if dd is None else dd.numpy()


def test_the_gradient_function_is_differentiated(x):
    f = tf.custom_gradient(lambda x: (x * 1.0, lambda upstream: upstream * x * x))
    assert second(f, x) == (9, 6)


def test_a_constant_gradient_has_no_gradient(x):
    f = tf.custom_gradient(lambda x: (x * x, lambda upstream: 7.0 * upstream))
    assert second(f, x) == (7, None)


def test_what_the_gradient_function_captured_is_differentiated(x):
    @tf.custom_gradient
    def f(x):
        square = x * x

        def grad(upstream):
            return upstream * square

        return x * 1.0, grad

    assert second(f, x) == (9, 6)


def test_custom_gradients_may_be_nested(x):
    @tf.custom_gradient
    def f(x):
        @tf.custom_gradient
        def grad(upstream):
            return upstream * x * x, lambda above: 100.0 * above

        return x * 1.0, grad

    def weighted(weight):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * weight
        return tape.gradient(y, x)

    assert values(tape_gradient(weighted, tf.constant(2.0))) == 100


def test_a_tape_may_be_used_in_the_function(x):
    @tf.custom_gradient
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        slope = tape.gradient(y, x)
        return y, lambda upstream: 2.0 * slope * upstream

    assert second(f, x) == (54, 36)


@pytest.mark.parametrize("recorded", [False, True])
def test_gradient_functions_take_ragged_tensors(recorded):
    @tf.custom_gradient
    def squared(x, scale):
        rows = x.row_lengths()

        def grad(g):
            return 3.0 * g.with_values(g.values) * x, tf.reduce_sum(tf.cast(rows, tf.float32))

        return x * x * scale, grad

    function = tf.function(squared, reduce_retracing=True) if recorded else squared
    for rows in ([[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0]], [[4.0], [5.0], [6.0, 7.0]]):
        x, scale = tf.ragged.constant(rows), tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch([x, scale])
            y = function(x, scale)
        of_rows, of_scale = tape.gradient(y, [x, scale])
        assert y.to_list() == [[2 * n * n for n in row] for row in rows]
        assert of_rows.to_list() == [[3 * n for n in row] for row in rows]
        assert of_scale.numpy() == sum(map(len, rows))
