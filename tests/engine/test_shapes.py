"""TensorShape: known, partly known and unknown shapes."""

import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cinta as tf
from cinta.engine.shapes import TensorShape

UNKNOWN = TensorShape(None)
SIZES = st.one_of(st.none(), st.integers(0, 3))
SHAPES = st.one_of(st.none(), st.lists(SIZES, max_size=3)).map(TensorShape)


@pytest.mark.parametrize(
    ("dims", "represented", "printed"),
    [
        ([], "TensorShape([])", "()"),
        ([2], "TensorShape([2])", "(2,)"),
        ((2, None), "TensorShape([2, None])", "(2, None)"),
        (None, "TensorShape(None)", "<unknown>"),
    ],
)
def test_repr_and_str(dims, represented, printed):
    shape = TensorShape(dims)
    assert repr(shape) == represented
    assert str(shape) == f"{shape}" == "%s" % shape == printed  # noqa: UP031 - a tuple would fail


@pytest.mark.parametrize(
    "dims",
    [
        [2, 3],
        (np.int64(2), 3),
        np.array([2, 3]),
        range(2, 4),
        TensorShape([2, 3]),
        (n for n in (2, 3)),
        [np.array(2), 3],
    ],
)
def test_built_from(dims):
    shape = TensorShape(dims)
    assert shape == (2, 3)
    assert [type(size) for size in shape] == [int, int]


@pytest.mark.parametrize("size", [3, np.int32(3), np.array(3)])
def test_built_from_one_size(size):
    assert TensorShape(size) == [3]


@pytest.mark.parametrize("dims", [[2.0], "abc", 1.5, [[2]], [TensorShape([2])], object()])
def test_sizes_must_be_integers(dims):
    with pytest.raises(TypeError, match="Dimension value must be integer or None"):
        TensorShape(dims)


def test_sizes_must_not_be_negative():
    with pytest.raises(ValueError, match=r"Dimension -1 must be >= 0"):
        TensorShape([2, -1])


@pytest.mark.parametrize("same", [(2, 3), [2, 3], TensorShape([2, 3])])
def test_equality(same):
    assert TensorShape([2, 3]) == same
    assert same == TensorShape([2, 3])
    assert (TensorShape([2, 3]) != same) is False


@pytest.mark.parametrize("other", [(2,), None, "23", object(), (2, None), (2, -1), UNKNOWN])
def test_inequality(other):
    assert TensorShape([2, 3]) != other


def test_equality_with_the_less_usual():
    assert TensorShape(None) == UNKNOWN
    assert TensorShape([None]) == [None]
    assert TensorShape([2, 3]) == np.array([2, 3])


def test_hash_is_that_of_the_tuple():
    assert {TensorShape([2]): "found"}[(2,)] == "found"
    assert hash(UNKNOWN) == hash(TensorShape(None))


def test_indexing():
    shape = TensorShape([2, 3, 4])
    assert (shape[0], shape[-1]) == (2, 4)
    assert repr(shape[1:]) == "TensorShape([3, 4])"
    assert shape[::-1] == (4, 3, 2)
    with pytest.raises(IndexError):
        shape[3]
    with pytest.raises(TypeError):
        shape["a"]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (slice(1, 3), [None, None]),
        (slice(2), [None, None]),
        (slice(0, 0), []),
        (slice(1, None), None),
        (slice(-1), None),
        (slice(-2, 5), None),
    ],
)
def test_slices_of_unknown_rank(key, expected):
    assert UNKNOWN[key] == TensorShape(expected)
    assert UNKNOWN[0] is None


def test_concatenation():
    shape = TensorShape([2, 3])
    assert operator.add(shape, [4]) == (2, 3, 4)
    assert operator.add([4], shape) == (4, 2, 3)
    assert operator.add((4,), shape) == (4, 2, 3)
    assert shape.concatenate(5) == (2, 3, 5)
    assert shape + UNKNOWN == UNKNOWN + shape == UNKNOWN


@pytest.mark.parametrize(
    ("dims", "rank", "elements", "full"),
    [
        ([], 0, 1, True),
        ([2, 3], 2, 6, True),
        ([0, 3], 2, 0, True),
        ([2, None], 2, None, False),
        ([0, None], 2, None, False),
        (None, None, None, False),
    ],
)
def test_what_is_known(dims, rank, elements, full):
    shape = TensorShape(dims)
    assert shape.rank == shape.ndims == rank
    assert shape.num_elements() == elements
    assert shape.is_fully_defined() is full
    assert shape.dims is None if dims is None else [each.value for each in shape.dims] == dims


def test_sequence_of_sizes():
    shape = TensorShape([2, None])
    assert len(shape) == 2
    assert list(shape) == shape.as_list() == [2, None]
    assert 2 in shape
    assert bool(TensorShape([])) is True


def test_unknown_rank_has_no_sizes():
    assert bool(UNKNOWN) is False
    with pytest.raises(ValueError, match="Cannot take the length of shape with unknown rank"):
        len(UNKNOWN)
    with pytest.raises(ValueError, match="Cannot iterate over a shape with unknown rank"):
        iter(UNKNOWN)
    with pytest.raises(ValueError, match="not defined on an unknown TensorShape"):
        UNKNOWN.as_list()


def test_numpy_takes_a_shape():
    shape = TensorShape([2, 3])
    assert np.zeros(shape).shape == (2, 3)
    assert np.arange(6).reshape(shape).shape == shape
    assert np.broadcast_to(1, shape).shape == shape


@given(SHAPES, SHAPES)
def test_compatibility_is_having_a_merge(one, other):
    compatible = one.is_compatible_with(other)
    assert compatible == other.is_compatible_with(one)
    if compatible:
        merged = one.merge_with(other)
        assert merged == other.merge_with(one)
        assert merged.is_compatible_with(one)
        assert merged.is_compatible_with(other)
    else:
        with pytest.raises(ValueError, match="are not compatible"):
            one.merge_with(other)
        with pytest.raises(ValueError, match="are incompatible"):
            one.assert_is_compatible_with(other)


@given(SHAPES, SHAPES)
def test_common_shape_forgets_what_differs(one, other):
    common = one.most_specific_compatible_shape(other)
    assert common == other.most_specific_compatible_shape(one)
    assert common.is_compatible_with(one)
    assert common.is_compatible_with(other)
    assert one.most_specific_compatible_shape(one) == one


@given(SHAPES, SHAPES)
def test_concatenation_adds_ranks(one, other):
    both = one + other
    if one and other:
        assert both.rank == one.rank + other.rank
        assert both[: one.rank] == one
        assert both[one.rank :] == other
    else:
        assert both == UNKNOWN


@given(SHAPES)
def test_pickle_and_copy(shape):
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert copy.deepcopy(shape) == shape


def test_merge_and_common_by_example():
    assert TensorShape([2, None]).merge_with([None, 3]) == (2, 3)
    assert UNKNOWN.merge_with([3, 4]) == (3, 4)
    assert TensorShape([2, 3]).most_specific_compatible_shape([2, 4]) == (2, None)
    assert TensorShape([2, 3]).most_specific_compatible_shape([2]) == UNKNOWN


def test_ranks_are_asserted():
    shape = TensorShape([2])
    assert shape.with_rank(1) is shape
    assert shape.with_rank_at_least(1) is shape
    assert shape.with_rank_at_most(1) is shape
    assert UNKNOWN.with_rank(2) == (None, None)
    assert UNKNOWN.with_rank(300) == TensorShape([None] * 300)
    shape.assert_same_rank([3])
    shape.assert_same_rank(None)
    UNKNOWN.assert_has_rank(7)


@pytest.mark.parametrize(
    ("method", "argument", "message"),
    [
        ("with_rank", 2, r"Shape \(2,\) must have rank 2"),
        ("assert_has_rank", 2, r"Shape \(2,\) must have rank 2"),
        ("with_rank_at_least", 2, r"Shape \(2,\) must have rank at least 2"),
        ("with_rank_at_most", 0, r"Shape \(2,\) must have rank at most 0"),
        ("assert_same_rank", [2, 3], r"Shapes \(2,\) and \(2, 3\) must have the same rank"),
        ("assert_is_compatible_with", [3], r"Shapes \(2,\) and \[3\] are incompatible"),
        ("merge_with", [3], r"Shapes \(2,\) and \(3,\) are not compatible"),
    ],
)
def test_failed_assertions(method, argument, message):
    with pytest.raises(ValueError, match=message):
        getattr(TensorShape([2]), method)(argument)


@pytest.mark.parametrize("dims", [None, [2, None]])
def test_must_be_fully_defined(dims):
    TensorShape([2]).assert_is_fully_defined()
    with pytest.raises(ValueError, match="is not fully defined"):
        TensorShape(dims).assert_is_fully_defined()


def test_shapes_become_tensors_of_whole_numbers():
    for shape, dtype in (([], tf.int32), ([2, 3], tf.int32), ([2**40], tf.int64)):
        tensor = tf.convert_to_tensor(TensorShape(shape))
        assert (tensor.dtype, tensor.numpy().tolist()) == (dtype, shape)
    assert tf.constant(TensorShape([2]), tf.int64).dtype == tf.int64
    with pytest.raises(ValueError, match="partially known TensorShape"):
        tf.convert_to_tensor(TensorShape([None, 2]))
