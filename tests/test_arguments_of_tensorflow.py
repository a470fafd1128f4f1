"""Arguments that functions take because TensorFlow's do, by TensorFlow's names."""

import inspect

import numpy as np
import pytest

import cinta as tf


def test_the_older_name_of_an_axis():
    assert tf.nn.l2_normalize([3.0, 4.0], dim=0).numpy().tolist() == pytest.approx([0.6, 0.8])
    with pytest.raises(ValueError, match="Cannot specify both"):
        tf.math.l2_normalize([3.0, 4.0], axis=0, dim=0)


def test_the_older_name_of_a_place_in_a_file(tmp_path):
    path = str(tmp_path / "text")
    with tf.io.gfile.GFile(path, "w") as file:
        file.write("abcdef")
    with tf.io.gfile.GFile(path) as file:
        file.seek(position=2)
        assert file.read() == "cdef"
        file.seek(offset=1)
        assert file.read() == "bcdef"
        with pytest.raises(TypeError, match="offset"):
            file.seek()


def test_names_of_arguments():
    assert not tf.is_symbolic_tensor(tensor=tf.constant(1.0))
    assert tf.nest.is_nested(seq=[1])
    one, other = tf.data.Options(), tf.data.Options()
    other.deterministic = True
    assert one.merge(options=other).deterministic is True
    v = tf.Module()
    assert tf.train.TrackableView.children(v, save_type="savedmodel", cache=None) == {}
    assert tf.DeviceSpec().parse_from_string("/CPU:1").device_index == 1
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec({"worker": ["a:1"]})
    )
    assert resolver.num_accelerators(task_type="worker", task_id=0, config_proto=None) == {}


def test_tests_are_classes_as_they_are():
    @tf.test.with_eager_op_as_function(only_as_function=True)
    class Tests(tf.test.TestCase):
        pass

    assert isinstance(Tests, type)
    assert tf.test.with_eager_op_as_function(Tests) is Tests


def test_initializers_have_twins():
    one = tf.initializers.HeNormal(seed=3)
    other = one.clone()
    assert type(other) is type(one)
    assert other is not one
    assert other.get_config() == one.get_config()
    np.testing.assert_array_equal(one([2, 2]), other([2, 2]))


def test_datasets_of_strings_are_written(tmp_path):
    path = str(tmp_path / "words")
    for kind in (None, "GZIP"):
        writer = tf.data.experimental.TFRecordWriter(path, compression_type=kind)
        writer.write(tf.data.Dataset.from_tensor_slices(["one", "two"]))
        again = tf.data.TFRecordDataset(path, kind)
        assert list(again.as_numpy_iterator()) == [b"one", b"two"]
    writer.write(tf.data.Dataset.from_tensor_slices(np.array([], object)))
    assert list(tf.data.TFRecordDataset(path, "GZIP")) == []
    for wrong in (tf.data.Dataset.range(3), tf.data.Dataset.from_tensors(["a"]), 3):
        with pytest.raises(TypeError, match="dataset"):
            writer.write(wrong)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("bucket_by_sequence_length", 8),
        ("dense_to_sparse_batch", 2),
        ("enumerate_dataset", 1),
        ("group_by_window", 4),
        ("ignore_errors", 1),
        ("rejection_resample", 4),
        ("scan", 2),
        ("snapshot", 4),
        ("take_while", 1),
        ("unbatch", 0),
        ("unique", 0),
    ],
)
def test_functions_for_apply_say_what_they_take(function, arguments):
    signature = inspect.signature(getattr(tf.data.experimental, function))
    assert len(signature.parameters) == arguments
    assert not any("args" in each for each in signature.parameters)


def test_bools_of_python_are_whole_numbers():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert tf.reduce_sum(x, axis=[True]).numpy().tolist() == [3, 7]
    assert tf.reduce_sum(x, axis=np.array([False])).numpy().tolist() == [4, 6]
    assert tf.reverse(x, [True]).numpy().tolist() == [[2, 1], [4, 3]]
    assert tf.transpose(x, (True, False)).numpy().tolist() == [[1, 3], [2, 4]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="bool"):
        tf.reduce_sum(x, axis=tf.constant([True]))
