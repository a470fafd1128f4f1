"""Functions of values that Python looks at in places of its own, and of things that change."""

import numpy as np
import pytest

import cinta as tf

c = tf.constant
engines = pytest.mark.parametrize("xla", [False, True], ids=["numpy", "xla"])
runs_as_python = pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")


@engines
def test_places_and_lengths_of_sparse_tensors(xla):
    dense = tf.function(tf.sparse.to_dense, jit_compile=xla)
    made = tf.function(
        lambda i, v, n: tf.sparse.to_dense(tf.SparseTensor(i, v, n)), jit_compile=xla
    )
    for k, n in ((0, 2), (1, 2), (1, 3), (0, 2), (1, 2)):
        expected = np.zeros((n, n), np.float32)
        expected[k, k] = 5
        sparse = tf.SparseTensor([[k, k]], [5.0], [n, n])
        np.testing.assert_array_equal(dense(sparse), expected)
        found = made(c([[k, k]], tf.int64), c([5.0]), c([n, n], tf.int64))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda a: tf.sets.size(tf.sets.union(a[tf.newaxis], c([[1, 2]]))),
        lambda a: tf.io.parse_tensor(tf.io.serialize_tensor(a), tf.int32),
        lambda a: tf.io.decode_png(tf.io.encode_png(tf.cast(a, tf.uint8)[:, None, None])),
        lambda a: tf.experimental.numpy.argsort(a),
        lambda a: tf.experimental.numpy.nonzero(a),
        lambda a: tf.experimental.numpy.take(c([5.0, 6.0, 7.0, 8.0]), a),
        lambda a: tf.experimental.numpy.allclose(a, [1, 2]),
        lambda a: tf.experimental.numpy.where(a, 1, 2),
    ],
)
def test_what_is_computed_beside_the_ops(function):
    replayed = tf.function(function)
    for a in ([1, 2], [1, 2], [0, 3], [2, 0], [1, 2]):
        found, expected = replayed(c(a)), function(c(a))
        for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "text",
    [
        str,
        repr,
        lambda a: f"{a!r}",
        lambda a: f"{a}",
        lambda a: "%s" % (a,),  # noqa: UP031
        lambda a: str([a]),
        lambda a: str(tf.IndexedSlices(a, a, [3])),
        lambda a: str(tf.RaggedTensor.from_row_lengths(a, [2])),
        lambda a: str(tf.sparse.from_dense(a)),
    ],
)
def test_numbers_that_python_takes_out_of_a_text(text):
    def function(a):
        return a * len(text(a)) + sum(map(ord, text(a)))

    replayed = tf.function(function)
    for a in ([1, 2], [1, 2], [0, 33], [2, 0], [1, 2]):
        np.testing.assert_array_equal(replayed(c(a)), function(c(a)))


def test_numbers_that_python_takes_out_of_the_text_of_a_variable():
    v = tf.Variable(1.0)
    replayed = tf.function(lambda: v * len(repr(v)))
    for value in (1.0, 1.0, 22.25, 1.0):
        v.assign(value)
        assert replayed() == value * len(repr(v))


@runs_as_python
def test_queues_and_tables_change_in_every_call():
    queue = tf.queue.FIFOQueue(10, [tf.float32])
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)

    @tf.function
    def put(x):
        queue.enqueue([x])
        return queue.size()

    @tf.function
    def swap(key, value):
        table.insert(key, value)
        return table.lookup(key), table.size()

    take = tf.function(lambda: queue.dequeue())
    assert [int(put(c(float(k)))) for k in range(4)] == [1, 2, 3, 4]
    assert [float(take()) for _ in range(4)] == [0, 1, 2, 3]
    for k in range(4):
        found, size = swap(c([k], tf.int64), c([10 * k], tf.int64))
        assert found.numpy().tolist() == [10 * k]
        assert size.numpy() == k + 1


def test_tables_made_of_arguments():
    @tf.function
    def f(values):
        keys = tf.lookup.KeyValueTensorInitializer(c(["a"]), values)
        return tf.lookup.StaticHashTable(keys, -1.0).lookup(c(["a", "b"]))

    assert [f(c([k])).numpy().tolist() for k in (1.0, 2.0, 2.0, 3.0)] == [
        [1, -1],
        [2, -1],
        [2, -1],
        [3, -1],
    ]


@runs_as_python
def test_datasets_of_arguments():
    f = tf.function(lambda a: tf.data.Dataset.from_tensor_slices(a).reduce(0.0, lambda s, x: s + x))
    assert [f(c([k, 1.0])).numpy() for k in (1.0, 2.0, 5.0)] == [2, 3, 6]


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (lambda a: c(10.0) if a.numpy() > 0 else c(-10.0), (0.0, 0.0, 1e-9, -1e-9)),
        (lambda a: tf.ones([2]) * float(a), (1e-9, 1e-9, 5e-9, -3e-9)),
        (
            lambda a: c(10.0) if a.numpy() == 1 else c(-10.0),
            (1.0, 1.0, np.nextafter(np.float32(1), np.float32(2))),
        ),
    ],
)
def test_xla_holds_what_python_saw_of_inputs_exactly(function, given):
    compiled = tf.function(function, jit_compile=True)
    for each in given:
        np.testing.assert_array_equal(compiled(c(each)), function(c(each)))


def test_xla_makes_complex_numbers_of_infinite_parts():
    f = tf.function(tf.complex, jit_compile=True)
    assert [f(c(0.7), c(k)).numpy().real for k in (1.0, np.inf, 2.0)] == [np.float32(0.7)] * 3


def test_looks_of_other_kinds_at_the_same_place():
    def by_sum(x):
        if x[0] > 0:
            return x * float(x.numpy().sum())
        return x if x[1] > 0 else -x

    def by_checks(x):
        try:
            tf.debugging.assert_less(x, 0.7)
            tf.debugging.assert_less(x, 0.5)
            return x + 1
        except tf.errors.InvalidArgumentError:
            return x - 1

    f, g = tf.function(by_sum), tf.function(by_checks)
    for x in ([-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]):
        np.testing.assert_array_equal(f(c(x)), by_sum(c(x)))
    for x in (1.5, 0.6, 1.0, 0.2, 0.6):
        np.testing.assert_array_equal(g(c(x)), by_checks(c(x)))


def test_xla_holds_what_python_saw_of_moved_inputs_exactly():
    f = tf.function(lambda x: x[0] * float(tf.reshape(x, [1])[0]), jit_compile=True)
    one = np.float32(1)
    for x in (one, one, np.nextafter(one, np.float32(2))):
        assert f(c([x])).numpy() == x * x
