"""The lengths of axes as TensorFlow 1 had them: ``shape.dims``, and what counts with them."""

import copy
import pickle

import pytest

import cinta as tf
from cinta.engine.dimension import Dimension

THREE, UNKNOWN = Dimension(3), Dimension(None)


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (THREE + 4, 7),
        (4 + THREE, 7),
        (THREE - 1, 2),
        (9 - THREE, 6),
        (THREE * 2, 6),
        (2 * THREE, 6),
        (THREE // 2, 1),
        (7 // THREE, 2),
        (THREE % 2, 1),
        (7 % THREE, 1),
        (THREE + Dimension(1), 4),
        (THREE + UNKNOWN, None),
        (UNKNOWN * 0, None),
        (2 - UNKNOWN, None),
        (THREE + None, None),
    ],
)
def test_what_is_computed_with_a_length_is_a_length(found, value):
    assert isinstance(found, Dimension)
    assert found.value == value


def test_lengths_are_compared_as_numbers_unless_one_is_not_known():
    assert (THREE == 3, THREE != 3, THREE < 4, THREE <= 2, THREE > 2, THREE >= 4) == (
        *(True, False, True, False, True, False),
    )
    unknown = UNKNOWN == 3, UNKNOWN == UNKNOWN, UNKNOWN != 3, UNKNOWN < 3, THREE >= UNKNOWN
    assert unknown == (None,) * 5
    assert THREE != "3"
    assert {THREE: 1}[Dimension(3)] == 1
    assert bool(THREE)
    assert not bool(UNKNOWN)


def test_lengths_are_merged_where_they_agree():
    assert THREE.merge_with(None).value == UNKNOWN.merge_with(3).value == 3
    assert THREE.is_compatible_with(UNKNOWN)
    assert not THREE.is_compatible_with(2)
    for refuse in (THREE.merge_with, THREE.assert_is_compatible_with):
        with pytest.raises(ValueError, match="Dimensions 3 and 2 are not compatible"):
            refuse(2)


def test_lengths_stand_where_numbers_and_shapes_are_taken():
    two, three = tf.ones([2, 3]).shape.dims
    assert (two.value, int(three), [*range(three)], f"{three}") == (2, 3, [0, 1, 2], "3")
    assert tf.reshape(tf.ones([6]), [three, two]).shape == (3, 2)
    assert tf.TensorShape([two, UNKNOWN]).as_list() == [2, None]
    assert tf.TensorShape(UNKNOWN).as_list() == [None]
    assert tf.TensorShape(None).dims is None
    assert tf.compat.dimension_value(three) == 3
    assert tf.compat.dimension_value(UNKNOWN) is None


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: Dimension(-1), ValueError, ">= 0"),
        (lambda: THREE - 4, ValueError, ">= 0"),
        (lambda: Dimension("a"), TypeError, "must be integer or None"),
        (lambda: THREE + 1.5, TypeError, "must be integer or None"),
        (lambda: THREE < "a", TypeError, "must be integer or None"),
        (lambda: THREE // 0, ZeroDivisionError, "Dimension 3"),
        (lambda: THREE / 2, TypeError, "unsupported operand"),
        (lambda: int(UNKNOWN), TypeError, "not known"),
        (lambda: [0][UNKNOWN], TypeError, "not known"),
    ],
)
def test_what_is_no_length_is_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_a_list_is_repeated_as_often_as_a_length_says():
    assert Dimension(3) * [4] == [4] * Dimension(3) == [4, 4, 4]


def test_lengths_are_copied_and_pickled():
    for length in Dimension(5), Dimension(None):
        assert copy.deepcopy(length).value == pickle.loads(pickle.dumps(length)).value
        assert pickle.loads(pickle.dumps(length, protocol=0)).value == length.value


def test_what_lengths_refuse_of_others():
    with pytest.raises(ValueError, match="Dimension -1 must be >= 0"):
        Dimension(42).merge_with(-1)
    for divide in (lambda x: x / 2, lambda x: 2 / x, lambda x: x / x):
        with pytest.raises(TypeError, match=r"for /: .*, please use // instead"):
            divide(Dimension(6))
