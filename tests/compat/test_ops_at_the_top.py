"""Ops that TensorFlow shows beside its functions, and other small names; the values are its own."""

import numpy as np
import pytest

import cinta as tf

X = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
W = np.arange(4, dtype=np.float32).reshape(2, 2, 1, 1)


def test_the_largest_and_the_smallest_numbers():
    values, indices = tf.approx_top_k([1.0, 5.0, 3.0, 2.0], 2)
    assert (values.numpy().tolist(), indices.numpy().tolist()) == ([5.0, 3.0], [1, 2])
    values, indices = tf.approx_top_k([1.0, 5.0, 3.0, 2.0], 2, is_max_k=False)
    assert (values.numpy().tolist(), indices.numpy().tolist()) == ([1.0, 2.0], [0, 3])


def test_convolutions_by_the_shape_of_the_input():
    found = tf.conv(X, W, [1, 2, 2, 1], "VALID")
    assert tf.reshape(found, [-1]).numpy().tolist() == [24.0, 36.0, 72.0, 84.0]
    with tf.GradientTape() as tape:
        w = tf.Variable(W)
        y = tf.conv(X, w, [1, 2, 2, 1], "VALID")
    assert tf.reshape(tape.gradient(y, w), [-1]).numpy().tolist() == [20.0, 24.0, 36.0, 40.0]


def test_indices_in_a_random_order():
    index, seed = tf.constant([0, 1, 2, 3]), tf.constant([[1, 2, 3]] * 4)
    found = tf.random_index_shuffle(index, seed, tf.constant([3] * 4))
    assert found.numpy().tolist() == [2, 0, 3, 1]


def test_rows_without_a_value():
    found = tf.ragged_fill_empty_rows(tf.constant([0, 2, 2], tf.int64), [1.0, 2.0, 3.0], 4, 9.0)
    rows, values, empty, went = (each.numpy().tolist() for each in found)
    assert (rows, values) == ([0, 1, 2, 2, 3], [1.0, 9.0, 2.0, 3.0, 9.0])
    assert (empty, went) == ([False, True, False, True], [0, 2, 3])
    grads = tf.ragged_fill_empty_rows_grad(tf.constant(went, tf.int64), [1.0, 2.0, 3.0, 4.0, 5.0])
    assert [each.numpy().tolist() for each in grads] == [[1.0, 3.0, 4.0], 7.0]


def test_versions_of_graphs():
    names = (
        "GRAPH_DEF_VERSION",
        "GRAPH_DEF_VERSION_MIN_CONSUMER",
        "GRAPH_DEF_VERSION_MIN_PRODUCER",
    )
    assert [getattr(tf.version, name) for name in names] == [2474, 0, 0]


def test_functions_of_tensors_have_one_class():
    kind = tf.types.experimental.Callable
    f = tf.function(lambda x: x)
    assert isinstance(f, kind)
    assert isinstance(f.get_concrete_function(1), kind)
    assert not isinstance(len, kind)


def test_benchmarks_report(capsys):
    class Mine(tf.test.Benchmark):
        def benchmark_a(self):
            metrics = [{"name": "m", "value": 2.0, "min_value": 1.0}]
            extras = {"k": 1, "t": 'a "b"'}
            self.report_benchmark(iters=3, wall_time=0.1, extras=extras, metrics=metrics)

    assert (tf.test.Benchmark.is_abstract(), Mine.is_abstract()) == (True, False)
    Mine().benchmark_a()
    assert capsys.readouterr().out.split("\n") == [
        "entry {",
        '  name: "Mine.benchmark_a"',
        "  iters: 3",
        "  wall_time: 0.1",
        "  extras {",
        '    key: "k"',
        "    value {",
        "      double_value: 1",
        "    }",
        "  }",
        "  extras {",
        '    key: "t"',
        "    value {",
        '      string_value: "a \\"b\\""',
        "    }",
        "  }",
        "  metrics {",
        '    name: "m"',
        "    value: 2",
        "    min_value {",
        "      value: 1",
        "    }",
        "  }",
        "}",
        "",
    ]
    with pytest.raises(ValueError, match="Unable to determine"):
        Mine().report_benchmark(iters=1)
