"""Conversion of Python's and NumPy's values: TensorFlow's dtypes, and its refusals."""

import collections
import sys

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import label

BECOMES = [
    (1, "int32"),
    (1.5, "float32"),
    (True, "bool"),
    (1j, "complex128"),
    ("a", "string"),
    (b"a", "string"),
    (2**31 - 1, "int32"),
    (2**31, "int64"),
    (-(2**31) - 1, "int64"),
    (float("inf"), "float32"),
    (1e-50, "float32"),
    ([], "float32"),
    ([[], []], "float32"),
    ((1, 2), "int32"),
    (range(3), "int32"),
    (collections.deque([1, 2]), "int32"),
    ([1, 2.5], "float32"),
    ([2.5, 1], "float32"),
    ([1, True], "int32"),
    ([1.5, True], "float32"),
    ([1j, 1], "complex128"),
    ([1, 2**31], "int64"),
    (["a", b"b"], "string"),
    (np.float64(1.5), "float64"),
    (np.float16(1.5), "float16"),
    (np.int64(3), "int64"),
    (np.uint64(2**63), "uint64"),
    (np.str_("a"), "string"),
    ([np.float32(1), 2.0], "float32"),
    ([np.float64(1), 2.0], "float64"),
    ([1.0, np.float64(2)], "float32"),
    ([np.float16(1), 2.0], "float16"),
    ([np.int64(1), 2], "int32"),
    ([np.int64(1), 2.5], "float32"),
    (np.array([1.5]), "float64"),
    (np.array([1]), "int64"),
    (np.array([1.0], ">f4"), "float32"),
    (np.array(["a", "b"]), "string"),
    (np.array(["a", b"b"], object), "string"),
    ([np.array([1.0]), np.array([2.0])], "float64"),
    ([np.array([1.0]), [2.0]], "float64"),
    ([[2.0], np.array([1.0])], "float32"),
    ([np.array(1.0), 2.0], "float64"),
    (tf.TensorShape([1, 2]), "int32"),
]

REFUSED = [
    None,
    object(),
    {},
    {1},
    {"a": 1}.values(),
    iter([1]),
    float,
    [None],
    [True, 1],
    [True, 1.5],
    [1, 1j],
    [1, "a"],
    ["a", 1],
    [1, None],
    [[1, 2], [3]],
    [1, [2]],
    [[True], [1]],
    2**63,
    [2**63],
    -(2**63) - 1,
    1e40,
    [1.0, -1e40],
    np.array([1, 2], object),
    np.array(["2020-01-01"], "datetime64[D]"),
]


@pytest.mark.parametrize(("value", "dtype"), BECOMES, ids=label)
def test_the_first_element_decides_the_dtype(value, dtype):
    tensor = tf.constant(value)
    assert tensor.dtype == dtype
    if dtype != "string":
        np.testing.assert_array_equal(tensor.numpy(), np.array(value, tensor.dtype.dtype))


@pytest.mark.parametrize("value", REFUSED, ids=label)
def test_what_is_no_tensor_is_refused(value):
    with pytest.raises(ValueError, match=r"[Cc]onvert"):
        tf.constant(value)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (1, tf.float32, 1.0),
        (True, tf.float32, 1.0),
        (True, tf.int32, 1),
        ([True, 1], tf.int32, [1, 1]),
        (300, tf.uint8, 44),
        (-1, tf.uint8, 255),
        (2**31, tf.int32, -(2**31)),
        (2**64, tf.float64, 2.0**64),
        (1e40, tf.float32, np.inf),
        ([], tf.bool, []),
        (np.array([1.7, -1.7]), tf.int32, [1, -1]),
        (np.array([1 + 2j]), tf.float32, [1.0]),
        (np.float64(1.7), tf.int32, 1),
    ],
    ids=label,
)
def test_a_dtype_can_be_asked_for(value, dtype, expected):
    tensor = tf.constant(value, dtype)
    assert tensor.dtype == dtype
    np.testing.assert_array_equal(tensor.numpy(), np.array(expected, dtype.dtype))


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.0, tf.int32),
        (1.5, tf.int32),
        ([1, 2.5], tf.int32),
        (1, tf.bool),
        (1j, tf.float32),
        ("a", tf.int32),
        (1, tf.string),
        (np.array([1.0]), tf.string),
        ([np.float32(1)], tf.int32),
    ],
    ids=label,
)
def test_python_numbers_are_not_truncated(value, dtype):
    with pytest.raises(TypeError, match=r"Cannot convert .* to EagerTensor of dtype"):
        tf.constant(value, dtype)


def test_a_hint_is_only_a_wish():
    assert tf.convert_to_tensor(1, dtype_hint=tf.float64).dtype == tf.float64
    assert tf.convert_to_tensor(1.5, dtype_hint=tf.int32).dtype == tf.float32


def test_tensors_keep_their_dtype_and_their_identity():
    x = tf.constant([1.0, 2.0])
    assert tf.constant(x) is x
    assert tf.convert_to_tensor(x, tf.float32) is x
    with pytest.raises(ValueError, match="Tensor conversion requested dtype float64"):
        tf.convert_to_tensor(x, tf.float64)
    with pytest.raises(TypeError, match="Expected tensor"):
        tf.constant(x, tf.float64)


def test_an_array_that_changes_later_does_not_change_its_tensor():
    array = np.array([1.0, 2.0])
    tensor = tf.constant(array)
    array[0] = 5.0
    assert tensor.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [1e300, [1e300], np.float64(1e300)])
def test_what_does_not_fit_is_infinite_even_where_overflow_is_an_error(value):
    with np.errstate(all="raise"):
        assert np.isinf((tf.constant(1.0) + value).numpy()).all()


def test_a_shape_is_filled_by_one_element_or_by_as_many_as_it_has():
    assert tf.constant(7, shape=(2, 1)).numpy().tolist() == [[7], [7]]
    assert tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant("a", shape=[]).numpy() == b"a"
    with pytest.raises(TypeError, match="do not fill"):
        tf.constant([1, 2, 3], shape=[2, 2])


def test_lists_of_tensors_are_packed_and_gradients_flow_through():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum([[x, 2.0], [1.0, x * x]])
    assert tape.gradient(y, x).numpy() == 7.0
    assert tf.convert_to_tensor([x, 2], tf.float64).dtype == tf.float64
    with pytest.raises(ValueError, match=r"tf\.stack"):
        tf.constant([x, x])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shapes of all inputs"):
        tf.convert_to_tensor([x, tf.constant([1.0])])


def test_lists_of_tensors_are_cast_to_the_dtype_that_is_asked_for():
    one, half = tf.constant(1), tf.constant(2.5)
    for value, expected in [  # TensorFlow's
        (tf.convert_to_tensor([half, 2], tf.int32), [2, 2]),
        (tf.convert_to_tensor([tf.constant(300)], tf.uint8), [44]),
        (tf.convert_to_tensor([half], dtype_hint=tf.int32), [2]),
        (tf.concat([[one], [half]], 0), [1, 2]),
        (tf.concat([[half], tf.constant([1])], 0), [2, 1]),
        (tf.concat([[tf.constant(True)], [one]], 0), [True, True]),
        (tf.concat([[[one]], [[half]]], 0), [[1], [2]]),
        (tf.add(tf.constant([1]), [half]), [3]),
        (tf.ones([2]) * [tf.constant(2), half], [2.0, 2.5]),
        (tf.where(True, tf.constant([1]), [half]), [1]),
        (tf.Variable([1]).assign_add([half]), [3]),
    ]:
        assert value.numpy().tolist() == expected
    with pytest.raises(tf.errors.InvalidArgumentError, match="Pack"):
        tf.convert_to_tensor([[one], [half]])
    with pytest.raises(TypeError, match=r"2\.5"):
        tf.convert_to_tensor([half, 2.5], tf.int32)
    with pytest.raises(TypeError, match="string"):
        tf.concat([[one], [tf.constant("a")]], 0)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant([1.0], tf.float64) * [x]
    assert tape.gradient(y, x).numpy() == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.constant(10**400, tf.float32),
        lambda: tf.constant([1, 10**400], tf.complex64),
        lambda: tf.constant(1.0) + 10**400,
        lambda: 10**400 * tf.constant([1.0]),
        lambda: tf.Variable(1.0).assign(10**400),
        lambda: tf.pow(2.0, 10**400),
    ],
)
def test_integers_that_no_float_is_as_large_as(call):
    with pytest.raises(ValueError, match="Can't convert Python sequence with out-of-range integer"):
        call()
    assert tf.constant(10**40, tf.float32) == np.inf


@pytest.mark.parametrize(
    ("function", "of_tensor", "of_variable"),
    [
        (tf.constant, 1.0, None),
        (lambda x: tf.constant(x, tf.float32), 1.0, None),
        (lambda x: tf.constant(x, shape=[2, 1]), None, None),
        (tf.convert_to_tensor, 1.0, 1.0),
        (tf.identity, 1.0, 1.0),
        (tf.stack, 1.0, 1.0),
    ],
)
def test_through_which_conversions_gradients_flow(function, of_tensor, of_variable):
    recorded = tf.function(function)
    for call in (function, recorded, recorded):
        for source, expected in ((X, of_tensor), (tf.Variable([1.0, 2.0]), of_variable)):
            with tf.GradientTape() as tape:
                tape.watch(source)
                y = call(source)
            found = tape.gradient(y, source)
            assert (found if found is None else found.numpy().tolist()) == (
                expected if expected is None else [expected] * 2
            )


X = tf.constant([1.0, 2.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.constant(x),
        lambda x: tf.constant(x, shape=[2, 1]),
        lambda x: tf.constant(x[0], shape=[3]),
    ],
)
def test_constants_of_arguments_and_variables_are_new_in_each_call(function):
    v = tf.Variable([1.0, 1.0])
    recorded, reading = tf.function(function), tf.function(lambda: function(v))
    for k in (1.0, 2.0, 3.0):
        v.assign([k, k])
        for found in (recorded(tf.constant([k, k])), reading()):
            assert {*found.numpy().ravel().tolist()} == {k}


def test_the_buffer_of_a_tensor():
    x = tf.constant([1.0, 2.0])
    view = memoryview(x) if sys.version_info >= (3, 12) else x.__buffer__(0)
    assert (view.tolist(), view.format, view.readonly) == ([1.0, 2.0], "f", True)


def test_an_object_with_an_array_interface():
    class Lent:
        def __init__(self, array):
            self.kept, self.__array_interface__ = array, array.__array_interface__

    assert tf.constant(Lent(np.arange(3.0))).numpy().tolist() == [0.0, 1.0, 2.0]
    assert tf.constant(Lent(np.arange(3)), tf.float32).dtype == tf.float32


@pytest.mark.parametrize("value", [0.5, [0.5, 1.0], True])
def test_only_whole_numbers_become_quantized(value):
    with pytest.raises(TypeError, match="to EagerTensor of dtype qint8"):
        tf.constant(value, tf.qint8)


@pytest.mark.parametrize("value", [1, [1, -2], np.array([[3], [4]], np.int8)])
def test_whole_numbers_become_quantized(value):
    made = tf.constant(value, tf.qint8)
    assert made.dtype == tf.qint8
    assert made.numpy().dtype == np.asarray(made).dtype == np.int8
    assert made.numpy().tolist() == np.asarray(value).tolist()
    assert "dtype=qint8, numpy=" in repr(made)
    assert tf.bitcast(made, tf.int8).numpy().tolist() == np.asarray(value).tolist()
    assert tf.bitcast(tf.bitcast(made, tf.int8), tf.qint8).dtype == tf.qint8


def test_objects_that_say_that_they_are_like_tensors():
    class Deferred:
        is_tensor_like, dtype = True, tf.float32

    def tensor_of(value, dtype=None, name=None, as_ref=False):
        return tf.constant([1.0, 2.0], dtype)

    tf.register_tensor_conversion_function(Deferred, tensor_of)
    assert tf.is_tensor(Deferred())
    assert tf.cast(Deferred(), tf.float64).dtype == tf.float64
    np.testing.assert_array_equal(tf.constant(1.0) + Deferred(), [2.0, 3.0])
    np.testing.assert_array_equal(tf.stack([Deferred(), Deferred()]), [[1, 2], [1, 2]])
