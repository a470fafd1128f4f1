"""Data and values of replicas, as TensorFlow divides and joins them."""

import numpy as np
import pytest

import cinta as tf

TWO = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
InputOptions = tf.distribute.InputOptions


def parts(dataset, of=lambda x: x.numpy().tolist()):
    """The elements that each replica gets, step by step."""
    return [[of(part) for part in TWO.experimental_local_results(x)] for x in dataset]


def test_sparse_batches_are_cut_by_rows():
    rows = tf.sparse.from_dense([[1, 0], [0, 2], [3, 0]])
    data = tf.data.Dataset.from_tensor_slices(rows).batch(3)
    found = parts(
        TWO.experimental_distribute_dataset(data), lambda x: tf.sparse.to_dense(x).numpy().tolist()
    )
    assert found == [[[[1, 0], [0, 2]], [[3, 0]]]]


def test_sparse_and_ragged_elements_are_dealt_with_empty_ones_at_the_end():
    sparse = tf.data.Dataset.from_tensor_slices(tf.sparse.eye(3)).batch(1)
    dealt = TWO.distribute_datasets_from_function(lambda context: sparse)
    assert parts(dealt, lambda x: x.shape[0]) == [[1, 1], [1, 0]]
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], []])).batch(1)
    dealt = TWO.distribute_datasets_from_function(lambda context: ragged)
    assert parts(dealt, lambda x: x.to_list()) == [[[[1]], [[2, 3]]], [[[]], []]]


@pytest.mark.parametrize(
    ("dataset", "expected", "length"),
    [
        (tf.data.Dataset.range(5), [[0, 1], [2, 3]], None),
        (tf.data.Dataset.range(5).batch(2, drop_remainder=True), [[[0, 1], [2, 3]]], 2),
        (tf.data.Dataset.range(5).batch(2), [[[0, 1], [2, 3]], [[4], []]], None),
    ],
    ids=["scalars", "fixed", "open"],
)
def test_elements_of_a_fixed_shape_that_are_not_enough_for_all_are_left(dataset, expected, length):
    dealt = TWO.distribute_datasets_from_function(lambda context: dataset)
    assert parts(dealt) == expected
    shape = dealt.element_spec._specs[0].shape
    assert (shape[0] if shape.rank else None) == length


def test_each_replica_may_have_a_dataset_of_its_own():
    seen = []

    def make(context):
        seen.append((context.input_pipeline_id, context.num_input_pipelines))
        return tf.data.Dataset.range(4 + 2 * context.input_pipeline_id).batch(2)

    mode = tf.distribute.InputReplicationMode.PER_REPLICA
    dealt = TWO.distribute_datasets_from_function(
        make, InputOptions(experimental_replication_mode=mode)
    )
    assert seen == [(0, 2), (1, 2)]
    assert parts(dealt) == [[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[], [4, 5]]]


def test_lengths_of_parts_are_known_where_all_get_equally_many_rows():
    for size, length in ((4, 2), (3, None)):
        data = tf.data.Dataset.range(12).batch(size, drop_remainder=True)
        found = TWO.experimental_distribute_dataset(data)
        assert found.element_spec._specs[0].shape[0] == length
        assert found.cardinality == 12 // size


def test_the_end_of_data_ends_loops_and_is_out_of_range():
    data = tf.data.Dataset.range(2).batch(2)
    for dataset in (data, TWO.experimental_distribute_dataset(data)):
        rest = iter(dataset)
        assert len(list(rest)) == 1
        for error in (StopIteration, tf.errors.OutOfRangeError):
            with pytest.raises(error):
                next(rest)


def test_structures_of_values_are_made_for_each_replica():
    x, n = TWO.experimental_distribute_values_from_function(
        lambda context: (np.arange(2) * context.replica_id_in_sync_group, 7)
    )
    assert [each.tolist() for each in x.values] == [[0, 0], [0, 1]]
    assert n.values == (7, 7)  # always wrapped, as in TensorFlow


def test_means_go_along_several_axes_and_what_cannot_be_added_is_refused():
    x = TWO.experimental_distribute_values_from_function(
        lambda context: tf.ones([2, 3]) * float(context.replica_id_in_sync_group)
    )
    assert TWO.reduce("MEAN", x, axis=(0, 1)).numpy() == 0.5
    assert TWO.reduce("MEAN", x, axis=(0,)).numpy().tolist() == [0.5] * 3
    for value in (True, "a"):
        one = TWO.run(tf.constant, args=(value,))
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be added"):
            TWO.reduce("SUM", one)


def test_average_losses_need_no_replica_where_the_size_is_given():
    with TWO.scope():
        assert tf.nn.compute_average_loss([1.0, 2.0], global_batch_size=4).numpy() == 0.75


def test_one_device_holds_variables_too():
    strategy = tf.distribute.OneDeviceStrategy("cpu:1")
    with strategy.scope():
        v = tf.Variable(1.0)
    assert v.device.endswith("CPU:1")
    assert tf.Variable(1.0).device.endswith("CPU:0")


def test_moving_means_of_keras_are_those_of_each_replica():
    keras = pytest.importorskip("keras") and tf.keras
    x = np.arange(8, dtype="f4").reshape(4, 2)
    with TWO.scope():
        layer = keras.layers.BatchNormalization(momentum=0.5)
        layer.build((None, 2))
    batch = TWO.experimental_distribute_values_from_function(
        lambda context: x[2 * context.replica_id_in_sync_group :][:2]
    )
    TWO.run(layer, args=(batch,), kwargs={"training": True})
    means = [each.numpy().tolist() for each in layer.moving_mean.value.values]
    assert means == [[0.5, 1.0], [2.5, 3.0]]
    np.testing.assert_array_equal(layer.moving_mean.numpy(), [0.5, 1.0])
