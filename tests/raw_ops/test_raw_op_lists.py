"""Raw ops on lists and maps of tensors."""

import numpy as np
import pytest

import cinta as tf

RAW = tf.raw_ops
FLOATS = {"element_shape": [2], "element_dtype": tf.float32}


def numbered(count):
    """A list of pairs."""
    pairs = tf.reshape(tf.range(2.0 * count), [count, 2])
    return RAW.TensorListFromTensor(tensor=pairs, element_shape=[2])


def stacked(items):
    return RAW.TensorListStack(input_handle=items, **FLOATS).numpy().tolist()


def test_lists_grow_and_shrink():
    empty = RAW.EmptyTensorList(max_num_elements=-1, **FLOATS)
    one = RAW.TensorListPushBack(input_handle=empty, tensor=[1.0, 2.0])
    two = RAW.TensorListPushBack(input_handle=one, tensor=[3.0, 4.0])
    assert [RAW.TensorListLength(input_handle=each).numpy() for each in (empty, one, two)] == [
        *range(3)
    ]
    rest, last = RAW.TensorListPopBack(input_handle=two, **FLOATS)
    assert last.numpy().tolist() == [3.0, 4.0]
    assert stacked(rest) == [[1.0, 2.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty list"):
        RAW.TensorListPopBack(input_handle=empty, **FLOATS)


def test_elements_are_set_in_a_new_list():
    held = RAW.TensorListReserve(num_elements=2, **FLOATS)
    new = RAW.TensorListSetItem(input_handle=held, index=1, item=[1.0, 2.0])
    assert stacked(held) == [[0.0, 0.0], [0.0, 0.0]]
    assert stacked(new) == [[0.0, 0.0], [1.0, 2.0]]
    got = RAW.TensorListGetItem(input_handle=new, index=1, **FLOATS)
    assert got.numpy().tolist() == [1.0, 2.0]
    for index, item in ((5, [1.0, 2.0]), (0, [1.0]), (0, [1, 2])):
        with pytest.raises(tf.errors.InvalidArgumentError):
            RAW.TensorListSetItem(input_handle=held, index=index, item=tf.constant(item))


def test_lists_of_parts():
    items = numbered(3)
    found = RAW.TensorListGather(input_handle=items, indices=[2, 0], **FLOATS)
    assert found.numpy().tolist() == [[4.0, 5.0], [0.0, 1.0]]
    pairs = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    spread = RAW.TensorListScatter(tensor=pairs, indices=[2, 0], element_shape=[2])
    assert stacked(spread) == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
    spread = RAW.TensorListScatterV2(
        tensor=pairs, indices=[1, 0], element_shape=[2], num_elements=3
    )
    assert stacked(spread) == [[3.0, 4.0], [1.0, 2.0], [0.0, 0.0]]
    onto = RAW.TensorListScatterIntoExistingList(input_handle=items, tensor=pairs, indices=[0, 2])
    assert stacked(onto) == [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]
    assert stacked(RAW.TensorListResize(input_handle=items, size=1)) == [[0.0, 1.0]]


def test_lists_are_split_and_joined():
    parts = RAW.TensorListSplit(tensor=tf.range(5.0), element_shape=[-1], lengths=[2, 3])
    tensor, lengths = RAW.TensorListConcat(input_handle=parts, element_dtype=tf.float32)
    np.testing.assert_array_equal(tensor, range(5))
    np.testing.assert_array_equal(lengths, [2, 3])
    shape = RAW.TensorListElementShape(input_handle=parts, shape_type=tf.int32)
    np.testing.assert_array_equal(shape, [-1])
    both = RAW.TensorListConcatLists(
        input_a=numbered(1), input_b=numbered(2), element_dtype=tf.float32
    )
    assert stacked(both) == [[0.0, 1.0], [0.0, 1.0], [2.0, 3.0]]


def test_gradients_flow_through_lists():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        items = RAW.TensorListSetItem(input_handle=numbered(2), index=1, item=x * x)
        y = RAW.TensorListStack(input_handle=items, **FLOATS)
    np.testing.assert_array_equal(tape.gradient(y, x), [2.0, 4.0])


def test_maps():
    held = RAW.EmptyTensorMap()
    held = RAW.TensorMapInsert(input_handle=held, key="a", value=[1.0])
    held = RAW.TensorMapInsert(input_handle=held, key="b", value=[2.0, 3.0])
    assert RAW.TensorMapSize(input_handle=held).numpy() == 2
    keys = RAW.TensorMapStackKeys(input_handle=held, key_dtype=tf.string)
    assert keys.numpy().tolist() == [b"a", b"b"]
    found = RAW.TensorMapLookup(input_handle=held, key="b", value_dtype=tf.float32)
    np.testing.assert_array_equal(found, [2.0, 3.0])
    less = RAW.TensorMapErase(input_handle=held, key="a", value_dtype=tf.float32)
    assert not RAW.TensorMapHasKey(input_handle=less, key="a")
    assert RAW.TensorMapHasKey(input_handle=held, key="a")
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-existent"):
        RAW.TensorMapLookup(input_handle=less, key="a", value_dtype=tf.float32)
