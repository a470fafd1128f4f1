"""tf.IndexedSlices: the gradients of lookups stay rows."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


@pytest.fixture
def table():
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@pytest.fixture
def slices():
    values = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    return tf.IndexedSlices(values, tf.constant([3, 0, 3]), tf.constant([4, 2]))


DENSE = [[3, 4], [0, 0], [0, 0], [6, 8]]


# -- where they come from --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
@pytest.mark.parametrize("is_variable", [True, False])
def test_the_gradient_of_a_lookup_is_slices(table, dtype, is_variable):
    source = table if is_variable else tf.constant(table.numpy())
    indices = tf.constant([[2, 0], [2, 1]], dtype)
    g = tape_gradient(lambda p: tf.gather(p, indices) * 10.0, source)
    assert isinstance(g, tf.IndexedSlices)
    assert (values(g.indices), g.indices.dtype) == ([2, 0, 2, 1], dtype)
    assert values(g.values) == [[10, 10]] * 4
    assert (values(g.dense_shape), g.dense_shape.dtype) == ([3, 2], tf.int32)
    assert values(tf.convert_to_tensor(g)) == [[10, 10], [10, 10], [20, 20]]


LOOKUPS = {
    "gather": lambda p: tf.gather(p, [1, 1]),
    "sparse_read": lambda p: p.sparse_read([1, 1]),
    "embedding_lookup": lambda p: tf.nn.embedding_lookup(p, [1, 1]),
    "embedding_lookup in a list": lambda p: tf.nn.embedding_lookup([p], [1, 1]),
    "embedding_lookup in parts": lambda p: tf.nn.embedding_lookup([p, tf.ones([1, 2])], [1, 3, 1]),
    "through identity": lambda p: tf.gather(tf.identity(p), [1, 1]),
    "through a read": lambda p: tf.gather(p.read_value(), [1, 1]),
}


@pytest.mark.parametrize("lookup", LOOKUPS.values(), ids=LOOKUPS.keys())
def test_gradients_stay_slices(table, lookup):
    g = tape_gradient(lookup, table)
    assert isinstance(g, tf.IndexedSlices)
    assert values(tf.convert_to_tensor(g)) == [[0, 0], [2, 2], [0, 0]]


DENSE_ONES = {
    "arithmetic before": (lambda p: tf.gather(p * 1.0, [1, 1]), [[0, 0], [2, 2], [0, 0]]),
    "the axis from the right": (
        lambda p: tf.gather(p, [1, 1], axis=-2),
        [[0, 0], [2, 2], [0, 0]],
    ),
    "another axis": (lambda p: tf.gather(p, [1, 1], axis=1), [[0, 2], [0, 2], [0, 2]]),
    "gather_nd": (lambda p: tf.gather_nd(p, [[1, 0], [1, 0]]), [[0, 0], [2, 0], [0, 0]]),
    "index": (lambda p: p[1], [[0, 0], [1, 1], [0, 0]]),
    "slice": (lambda p: p[1:], [[0, 0], [1, 1], [1, 1]]),
    "mask": (lambda p: tf.boolean_mask(p, [False, True, True]), [[0, 0], [1, 1], [1, 1]]),
    "mixed": (
        lambda p: tf.reduce_sum(tf.gather(p, [1])) + tf.reduce_sum(p),
        [[1, 1], [2, 2], [1, 1]],
    ),
    "mixed, the other way": (
        lambda p: tf.reduce_sum(p) + tf.reduce_sum(tf.gather(p, [1])),
        [[1, 1], [2, 2], [1, 1]],
    ),
}


@pytest.mark.parametrize(("f", "expected"), DENSE_ONES.values(), ids=DENSE_ONES.keys())
def test_gradients_are_dense(table, f, expected):
    g = tape_gradient(f, table)
    assert isinstance(g, tf.Tensor)
    assert values(g) == expected


def test_the_slices_of_several_lookups_are_joined(table):
    def f(p):
        return tf.reduce_sum(tf.gather(p, [0, 1])) * 10.0 + tf.reduce_sum(tf.gather(p, [1])) * 20.0

    g = tape_gradient(f, table)
    assert isinstance(g, tf.IndexedSlices)
    assert sorted(values(g.indices)) == [0, 1, 1]
    assert values(tf.convert_to_tensor(g)) == [[10, 10], [30, 30], [0, 0]]


def test_slices_of_a_source_and_of_what_is_made_of_it(table):
    def f(p):
        scaled = p * 2.0
        return tf.reduce_sum(tf.gather(scaled, [0])) + tf.reduce_sum(tf.gather(p, [0]))

    assert values(tape_gradient(f, table)) == [[3, 3], [0, 0], [0, 0]]


def test_no_rows_give_no_rows(table):
    g = tape_gradient(lambda p: tf.gather(p, tf.constant([], tf.int32)), table)
    assert g.values.shape == (0, 2)
    assert values(tf.convert_to_tensor(g)) == [[0, 0]] * 3


def test_two_sources(table):
    other = tf.Variable([1.0, 10.0])

    def f(p, q):
        return tf.gather(p, [0, 1]) * tf.gather(q, [1, 0])[:, None]

    a, b = tape_gradient(f, table, other)
    assert values(tf.convert_to_tensor(a)) == [[10, 10], [1, 1], [0, 0]]
    assert values(tf.convert_to_tensor(b)) == [7, 3]


# -- higher orders ---------------------------------------------------------------------------------


def test_the_values_can_be_differentiated(table):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.gather(table, [1, 1]) ** 3
        g = inner.gradient(y, table)
        z = tf.reduce_sum(g.values)
    again = outer.gradient(z, table)
    assert isinstance(again, tf.IndexedSlices)
    assert values(tf.convert_to_tensor(again)) == [[0, 0], [36, 48], [0, 0]]


def test_the_dense_gradient_can_be_differentiated(table):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.gather(table, [1, 1]) ** 3
        dense = tf.convert_to_tensor(inner.gradient(y, table))
        z = tf.reduce_sum(dense * dense)
    again = tf.convert_to_tensor(outer.gradient(z, table))
    assert values(again) == [[0, 0], [2 * 54 * 36, 2 * 96 * 48], [0, 0]]


# -- properties ------------------------------------------------------------------------------------


def test_attributes(slices):
    assert (slices.shape, slices.dtype) == ((4, 2), tf.float32)
    assert "CPU" in slices.device
    assert values(slices.dense_shape) == [4, 2]
    assert str(slices).startswith("IndexedSlices(indices=")
    with pytest.raises(AttributeError):
        slices.name  # noqa: B018 - a property


def test_the_number_of_rows_may_be_unknown():
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([1, 1]))
    assert slices.dense_shape is None
    assert slices.shape.as_list() == [None, 3]
    with pytest.raises(ValueError, match="IndexedSlices without dense_shape"):
        tf.convert_to_tensor(slices)


def test_becomes_dense_and_sums_rows_that_are_listed_twice(slices):
    assert values(tf.convert_to_tensor(slices)) == DENSE


def test_is_tensor_like_but_no_tensor(slices):
    assert tf.is_tensor(slices)
    assert not isinstance(slices, tf.Tensor)


FUNCTIONS = {
    "reduce_sum": (tf.reduce_sum, 21),
    "multiply": (lambda s: tf.multiply(s, 2.0)[3], [12, 16]),
    "negative": (lambda s: tf.convert_to_tensor(tf.negative(s))[0], [-3, -4]),
    "add_n": (lambda s: tf.convert_to_tensor(tf.math.add_n([s, s]))[0], [6, 8]),
    "minus": (lambda s: tf.convert_to_tensor(-s)[0], [-3, -4]),
}


@pytest.mark.parametrize(("f", "expected"), FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_functions_take_slices(slices, f, expected):
    assert values(f(slices)) == expected


def test_minus_gives_slices(slices):
    assert isinstance(-slices, tf.IndexedSlices)


@pytest.mark.parametrize("number", [2.0, 2, np.float64(2.0), np.float32(2.0)])
def test_products_with_numbers_are_slices(slices, number):
    expected = (2.0 * slices.values).numpy().tolist()
    for product in (slices * number, number * slices, slices / (1 / number)):
        assert product.values.numpy().tolist() == expected
        assert product.indices is slices.indices


@pytest.mark.parametrize("two", [tf.constant(2.0), tf.Variable(2.0)])
def test_products_with_tensors_are_dense(slices, two):
    expected = (2.0 * np.array(DENSE)).tolist()
    for product in (slices * two, two * slices, slices / (1 / two)):
        assert isinstance(product, tf.Tensor)
        assert values(product) == expected


def test_functions_of_sums_of_rows_take_the_dense_tensor():
    table = tf.IndexedSlices(tf.constant([[1.0], [-3.0]]), tf.constant([0, 0]), [2, 1])
    assert values(tf.abs(table)) == [[2], [0]]
    assert values(tf.sign(table)) == [[-1], [0]]
    assert values(tf.stop_gradient(table).values) == [[1], [-3]]


def test_norms_clip_rows_that_appear_twice_as_one_in_keras():
    table = tf.keras.Variable(np.zeros((2, 1), np.float32))
    optimizer = tf.keras.optimizers.RMSprop(1.0, rho=0.0, global_clipnorm=1.0)
    rows = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([0, 0]), [2, 1])
    optimizer.apply_gradients([(rows, table)])
    np.testing.assert_allclose(optimizer.variables[2].numpy(), [[1.4**2], [0]], rtol=1e-6)


def test_a_step_along_slices(slices):
    v = tf.Variable(tf.zeros(slices.shape))
    v.assign_sub(0.5 * slices)
    assert v.numpy().tolist() == (-0.5 * tf.convert_to_tensor(slices)).numpy().tolist()


@pytest.mark.parametrize(
    "refused",
    [
        lambda s: s + 1.0,
        lambda s: 1.0 - s,
        lambda s: s**2,
        lambda s: s * [1.0],
        lambda s: s * np.ones(2),
        lambda s: np.ones(2) * s,
        lambda s: s + s,
    ],
)
def test_has_no_other_arithmetic(slices, refused):
    with pytest.raises(TypeError, match=r"unsupported operand .*tf\.convert_to_tensor\(g\)"):
        refused(slices)


@pytest.mark.parametrize("refused", [lambda s: s[0], len])
def test_has_no_elements(slices, refused):
    with pytest.raises(TypeError):
        refused(slices)


def test_the_dense_shape_is_a_list():
    with pytest.raises(TypeError, match=r"dense_shape=\[rows, columns\]"):
        tf.IndexedSlices(1, 2, 3)


def test_has_no_numpy(slices):
    with pytest.raises(AttributeError):
        slices.numpy()


# -- updating --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("update", "sign"), [("assign_add", 1), ("assign_sub", -1)])
def test_variables_are_updated_by_slices(slices, update, sign):
    v = tf.Variable(tf.zeros([4, 2]))
    getattr(v, update)(slices)
    assert values(v) == (sign * np.array(DENSE)).tolist()


def test_embeddings_are_trained(table):
    target = tf.constant([[0.0, 0.0], [1.0, 1.0]])
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.gather(table, [0, 2]) - target) ** 2)
        g = tape.gradient(loss, table)
        table.assign_sub(tf.IndexedSlices(0.1 * g.values, g.indices, g.dense_shape))
    np.testing.assert_allclose(table.numpy(), [[0, 0], [3, 4], [1, 1]], atol=1e-5)


# -- through linear functions ----------------------------------------------------------------------


LINEAR = {
    "cast": lambda x: tf.cast(tf.cast(x, tf.float16), tf.float64),
    "negative": lambda x: -x,
    "add_n": lambda x: tf.add_n([x, tf.identity(x)]),
}


def through(f, table):
    with tf.GradientTape() as tape:
        rows = tf.gather(LINEAR[f](table), [0, 2, 0])
        loss = tf.reduce_sum(tf.cast(rows, tf.float32) ** 3)
    return tape.gradient(loss, table)


@pytest.mark.parametrize(
    "wrap", [lambda f: f, tf.function, lambda f: tf.function(f, jit_compile=True)]
)
@pytest.mark.parametrize("f", ["cast", "negative", "add_n"])
def test_rows_of_linear_functions_of_a_table_have_gradients_of_rows(table, f, wrap):
    g = wrap(lambda: through(f, table))()
    assert isinstance(g, tf.IndexedSlices)
    counts = np.array([[2.0], [0.0], [1.0]])
    expected = {"cast": 3, "negative": -3, "add_n": 24}[f] * counts * table.numpy() ** 2
    np.testing.assert_allclose(tf.convert_to_tensor(g), expected)


@pytest.mark.parametrize("f", ["cast", "negative", "add_n"])
def test_second_derivatives_through_rows_of_linear_functions(table, f):
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.convert_to_tensor(through(f, table)))
    factor = {"cast": 6, "negative": -6, "add_n": 48}[f]
    counts = np.array([[2.0], [0.0], [1.0]])
    found = tf.convert_to_tensor(tape.gradient(total, table))
    np.testing.assert_allclose(found, factor * counts * table.numpy())


def test_jacobians_through_rows_of_casts(table):
    with tf.GradientTape() as tape:
        rows = tf.gather(tf.cast(-table, tf.float64), [0, 2, 0])
    jacobian = tape.jacobian(rows, table)
    expected = -np.einsum("ri,ck->rcik", np.eye(3)[[0, 2, 0]], np.eye(2))
    np.testing.assert_allclose(jacobian, expected)


def test_embeddings_in_half_precision_are_trained_by_rows():
    layer = tf.keras.layers.Embedding(3, 1, dtype="mixed_float16")
    layer.build()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant([0, 0])) * tf.constant([[1.0], [2.0]], tf.float16))
    g = tape.gradient(loss, layer.trainable_variables[0].value)
    assert (values(g.indices), values(g.values)) == ([0, 0], [[1], [2]])
