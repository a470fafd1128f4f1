"""The spec of TensorArrays, and TensorArrays as elements of datasets."""

import pytest

import cinta as tf

Spec = tf.TensorArraySpec


def array_of(values, dtype=tf.int64, **options):
    return tf.TensorArray(dtype, size=len(values), **options).unstack(tf.stack(values))


def lists(dataset):
    return [each.stack().numpy().tolist() for each in dataset]


def test_the_spec_of_an_array():
    array = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    spec = Spec.from_value(array)
    assert spec == tf.type_spec_from_value(array) == Spec([2], tf.float32, False, True)
    assert hash(spec) == hash(Spec([2]))
    assert repr(spec) == "TensorArraySpec(TensorShape([2]), tf.float32, False, True)"
    assert repr(Spec()) == "TensorArraySpec(TensorShape(None), tf.float32, False, True)"
    assert spec.value_type is tf.TensorArray
    with pytest.raises(TypeError, match="Expected value to be a TensorArray"):
        Spec.from_value(3)


def test_specs_go_together():
    array = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    assert Spec([None]).is_compatible_with(Spec([2]))
    assert Spec([2]).is_compatible_with(array)
    for other in (Spec([3]), Spec([2], tf.int32), Spec([2], dynamic_size=True)):
        assert not other.is_compatible_with(array)
    assert not Spec([2]).is_compatible_with(tf.constant([1.0, 2.0]))
    assert Spec([2]).most_specific_compatible_type(Spec([3])) == Spec([None])
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        Spec([2]).most_specific_compatible_type(Spec([2], tf.int32))


def test_arrays_are_elements_of_datasets():
    array = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    array = array.write(0, [1.0, 2.0]).write(1, [3.0, 4.0])
    dataset = tf.data.Dataset.from_tensors(array)
    assert dataset.element_spec == Spec([2])
    assert lists(dataset) == lists(dataset) == [[[1, 2], [3, 4]]]
    (first,) = dataset
    first.read(0)
    assert lists(dataset) == [[[1, 2], [3, 4]]]
    array.write(0, [9.0, 9.0])
    assert lists(dataset) == [[[1, 2], [3, 4]]]


def test_arrays_go_from_function_to_function():
    arrays = tf.data.Dataset.range(3).map(lambda i: array_of([i, i + 1]))
    expected = [[0, 1], [1, 2], [2, 3]]
    assert lists(arrays) == lists(arrays.cache()) == lists(arrays.prefetch(1)) == expected
    assert [x.numpy().tolist() for x in arrays.map(lambda each: each.stack())] == expected
    assert lists(arrays.filter(lambda each: each.read(0) > 0)) == expected[1:]
    assert lists(arrays.concatenate(arrays).shuffle(1)) == expected * 2
    zero = tf.constant(0, tf.int64)
    assert arrays.reduce(zero, lambda total, each: total + each.read(1)).numpy() == 6
    pairs = tf.data.Dataset.zip(arrays, tf.data.Dataset.range(3))
    assert [(a.read(0).numpy(), int(n)) for a, n in pairs] == [(0, 0), (1, 1), (2, 2)]


def test_elements_of_several_shapes_and_none():
    def parts(n):
        array = tf.TensorArray(tf.int64, size=0, dynamic_size=True, infer_shape=False)
        return array.write(0, [n]).write(1, [n, n])

    (array,) = tf.data.Dataset.range(1, 2).map(parts)
    assert array.concat().numpy().tolist() == [1, 1, 1]
    assert array.write(2, [5]).size().numpy() == 3
    empty = tf.data.Dataset.from_tensors(tf.TensorArray(tf.float32, size=0))
    assert [int(each.size()) for each in empty] == [0]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda d: d.batch(2), "cannot be batched.*map"),
        (lambda d: d.as_numpy_iterator(), "not supported for datasets of TensorArrays"),
        (lambda d: d.padded_batch(2), "only supported for datasets that produce tensor"),
    ],
)
def test_arrays_are_not_put_together(use, message):
    with pytest.raises(TypeError, match=message):
        list(use(tf.data.Dataset.range(3).map(lambda i: array_of([i]))))


def test_arrays_are_not_kept_in_files(tmp_path):
    dataset = tf.data.Dataset.range(3).map(lambda i: array_of([i]))
    with pytest.raises(TypeError, match="TensorArray"):
        dataset.save(tmp_path / "saved")
    with pytest.raises(TypeError, match="TensorArrays cannot be kept"):
        list(dataset.cache(str(tmp_path / "cache")))
    with pytest.raises(ValueError, match="a TensorArray of 2 elements has none"):
        tf.data.Dataset.from_tensor_slices(array_of([1, 2]))
