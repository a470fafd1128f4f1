"""tf.Variable: making, reading, copying."""

import copy
import pickle

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import values


@pytest.fixture
def v():
    return tf.Variable([1.0, 2.0])


# -- making ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("initial", "dtype", "expected"),
    [
        (1, None, tf.int32),
        (1.0, None, tf.float32),
        ([1.0, 2.0], None, tf.float32),
        (np.ones(2), None, tf.float64),
        (True, None, tf.bool),
        ("text", None, tf.string),
        (1, tf.float64, tf.float64),
        (np.ones(2, np.int64), tf.float32, tf.float32),
        (lambda: 1.0, None, tf.float32),
        ([1.0], "bfloat16", tf.bfloat16),
    ],
)
def test_dtypes_are_inferred_as_those_of_constants(initial, dtype, expected):
    assert tf.Variable(initial, dtype=dtype).dtype == expected


def test_tensors_and_variables_may_be_initial_values(v):
    assert values(tf.Variable(tf.constant(3.0))) == 3
    w = tf.Variable(v)
    v.assign([5.0, 6.0])
    assert values(w) == [1, 2]


@pytest.mark.parametrize("arguments", [(), (None,)])
def test_an_initial_value_is_needed(arguments):
    with pytest.raises(ValueError, match=r"The `initial_value` arg to `tf\.Variable` must be"):
        tf.Variable(*arguments)


def test_a_tensor_of_another_dtype_is_refused():
    with pytest.raises(ValueError, match=r"initial_value: .*Tensor conversion requested dtype"):
        tf.Variable(tf.constant(1), dtype=tf.float32)


def test_a_float_does_not_become_an_int():
    with pytest.raises(TypeError, match=r"Cannot convert 1\.5 to EagerTensor of dtype int32"):
        tf.Variable(1.5, dtype=tf.int32)


@pytest.mark.parametrize(("trainable", "kept"), [(None, True), (False, False), ("yes", "yes")])
def test_trainable_is_kept_as_given(trainable, kept):
    assert tf.Variable(1.0, trainable).trainable == kept


def test_unknown_arguments_are_ignored():
    assert values(tf.Variable(1.0, unheard_of=5)) == 1


def test_the_shape_may_be_left_open():
    v = tf.Variable([1.0, 2.0], shape=[None])
    assert v.shape.as_list() == [None]
    v.assign([1.0, 2.0, 3.0])
    assert values(v) == [1, 2, 3]
    with pytest.raises(ValueError, match="are incompatible"):
        v.assign(1.0)
    anything = tf.Variable(1.0, shape=tf.TensorShape(None))
    anything.assign([[1.0]])
    assert values(anything) == [[1]]


def test_the_initial_value_must_have_the_shape():
    with pytest.raises(ValueError, match="is not compatible with the explicitly supplied `shape`"):
        tf.Variable([1.0, 2.0], shape=[3])


def test_a_constraint_must_be_callable():
    with pytest.raises(ValueError, match="constraint"):
        tf.Variable(1.0, constraint=5)
    assert tf.Variable(1.0, constraint=abs).constraint is abs


# -- properties ------------------------------------------------------------------------------------


def test_names():
    assert tf.Variable(1.0).name == tf.Variable(1.0).name == "Variable:0"
    assert tf.Variable(1.0, name="w").name == "w:0"
    with tf.name_scope("a"), tf.name_scope("b"):
        assert tf.Variable(1.0, name="w").name == "a/b/w:0"
    with pytest.raises(ValueError, match="name for name_scope must be a string"):
        tf.Variable(1.0, name=5)


@pytest.mark.parametrize("attribute", ["name", "shape", "trainable", "dtype"])
def test_what_it_is_cannot_be_changed(v, attribute):
    with pytest.raises(AttributeError):
        setattr(v, attribute, None)


def test_other_attributes_may_be_set(v):
    v.note = "text"
    assert v.note == "text"


@pytest.mark.parametrize(
    ("initial", "shape", "text"),
    [
        ([1.0, 2.0], None, "shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)"),
        (1.0, None, "shape=() dtype=float32, numpy=1.0"),
        ([[1, 2]], None, "shape=(1, 2) dtype=int32, numpy=array([[1, 2]], dtype=int32)"),
        (
            [[1], [2]],
            None,
            "shape=(2, 1) dtype=int32, numpy=\narray([[1],\n       [2]], dtype=int32)",
        ),
        (1.0, tf.TensorShape(None), "shape=<unknown> dtype=float32, numpy=1.0"),
        ([1], [None], "shape=(None,) dtype=int32, numpy=array([1], dtype=int32)"),
    ],
)
def test_repr(initial, shape, text):
    v = tf.Variable(initial, shape=shape)
    assert repr(v) == str(v) == f"<tf.Variable 'Variable:0' {text}>"


def test_is_no_tensor_but_tensor_like(v):
    assert not isinstance(v, tf.Tensor)
    assert tf.is_tensor(v)


def test_is_not_hashable_but_its_reference_is(v):
    with pytest.raises(TypeError, match="Variable is unhashable"):
        hash(v)
    assert v.ref() == v.ref() != tf.Variable([1.0, 2.0]).ref()
    assert {v.ref(): 1}[v.ref()] == 1
    assert v.ref().deref() is v


def test_is_initialized(v):
    assert v.is_initialized().numpy()


@pytest.mark.parametrize("refused", [lambda v: v.eval(), lambda v: v.initial_value])
def test_what_belongs_to_graphs_is_refused(v, refused):
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        refused(v)


# -- reading ---------------------------------------------------------------------------------------


def test_numpy_gives_a_copy(v):
    for copied in (v.numpy(), np.array(v), np.asarray(v)):
        copied[:] = 100
    assert values(v) == [1, 2]


@pytest.mark.parametrize("read", [tf.convert_to_tensor, tf.identity, lambda v: v.value()])
def test_a_read_captures_the_value(v, read):
    with tf.GradientTape() as tape:
        captured = read(v)
        y = captured * captured
    v.assign([100.0, 100.0])
    v.assign_add([100.0, 100.0])
    assert values(captured) == [1, 2]
    assert values(tape.gradient(y, v)) == [2, 4]


def test_python_numbers():
    v = tf.Variable(2.5)
    assert (float(v), int(v), complex(v), bool(v)) == (2.5, 2, 2.5 + 0j, True)


def test_arithmetic_gives_tensors(v):
    for result in (v + 1.0, 1.0 - v, -v, abs(v), v[0], v > 1.0):
        assert isinstance(result, tf.Tensor)
    assert values(2.0 * v + v) == [3, 6]


def test_iteration_gives_tensors_through_which_gradients_flow(v):
    with tf.GradientTape() as tape:
        a, b = v
        y = a * b
    assert values(tape.gradient(y, v)) == [2, 1]


@pytest.mark.parametrize("refused", [range, lambda v: v.T, lambda v: v.size])
def test_is_no_array(v, refused):
    with pytest.raises((TypeError, AttributeError)):
        refused(v)


@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("T", r"NumPy arrays have: use tf\.transpose\(t\), or t\.numpy\(\)\.T"),
        ("mean", r"NumPy arrays have: use tf\.reduce_mean\(t, axis\), or t\.numpy\(\)\.mean"),
        ("tolist", r"NumPy arrays have: use t\.numpy\(\)\.tolist"),
        ("gradient", r"no attribute 'gradient'$"),
        ("__array_interface__", r"no attribute '__array_interface__'$"),
    ],
)
def test_attributes_of_arrays_are_translated(make, name, says):
    with pytest.raises(AttributeError, match=says):
        getattr(make([1.0, 2.0]), name)


@pytest.mark.parametrize("operator", ["+=", "-=", "*=", "/=", "**="])
def test_augmented_assignment_is_refused(v, operator):
    with pytest.raises(RuntimeError, match="is not supported"):
        exec(f"v {operator} 1.0", {"v": v})


def test_item_assignment_is_refused(v):
    with pytest.raises(TypeError, match=r"item assignment.*v\[\.\.\.\]\.assign"):
        v[0] = 3.0


def test_comparison_is_elementwise(v):
    assert values(v == [1.0, 3.0]) == [True, False]
    assert values(v != tf.constant([1.0, 3.0])) == [False, True]


def test_comparison_with_none_is_refused(v):
    for compare in (lambda: v == None, lambda: v != None):  # noqa: E711 - what people write
        with pytest.raises(ValueError, match=r"convert a value \(None\)"):
            compare()


def test_shapes_that_do_not_match_are_not_equal(v):
    assert values(v == [1.0, 2.0, 3.0]) is False
    assert values(v != [1.0, 2.0, 3.0]) is True


def test_membership_compares_values(v):
    assert tf.Variable(1.0) in [tf.Variable(1.0)]
    with pytest.raises(ValueError, match="truth value"):
        _ = v in [tf.Variable(v)]


# -- copying ---------------------------------------------------------------------------------------


def test_a_shallow_copy_is_the_variable_itself(v):
    assert copy.copy(v) is v


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_deep_copy_is_a_variable_of_its_own(duplicate):
    v = tf.Variable([1.0, 2.0], name="w", trainable=False)
    other = duplicate(v)
    assert (other.name, other.trainable, values(other)) == ("w:0", False, [1, 2])
    other.assign_add([10.0, 10.0])
    assert values(v) == [1, 2]
    with tf.GradientTape() as tape:
        tape.watch([v, other])
        y = v * other
    assert [values(g) for g in tape.gradient(y, [v, other])] == [[11, 12], [1, 2]]


def test_a_variable_has_the_length_of_its_first_axis():
    assert len(tf.Variable([[1.0], [2.0], [3.0]])) == 3
    with pytest.raises(TypeError, match="no `len"):
        len(tf.Variable(1.0))


def test_variables_of_which_each_replica_has_its_own_are_not_trained_by_default():
    own = tf.VariableSynchronization.ON_READ
    assert not tf.Variable(1.0, synchronization=own).trainable
    assert tf.Variable(1.0, synchronization=own, trainable=True).trainable
