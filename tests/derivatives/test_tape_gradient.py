"""GradientTape.gradient: what may be asked, and what the answer looks like."""

import collections
import copy
import dataclasses
import threading

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values

Pair = collections.namedtuple("Pair", ["first", "second"])


@pytest.fixture
def x():
    return tf.constant(3.0)


# -- the structure of sources ----------------------------------------------------------------------


def structures(a, b):
    return {
        "single": a,
        "list": [a, b],
        "tuple": (a, b),
        "named tuple": Pair(a, b),
        "dict": {"z": a, "a": b},
        "ordered dict": collections.OrderedDict([("z", a), ("a", b)]),
        "nested": {"outer": [a, (b, [])], "other": Pair(b, a)},
        "empty list": [],
        "empty dict": {},
        "duplicates": [a, b, a],
    }


@pytest.mark.parametrize("kind", structures(0, 0))
def test_gradients_have_the_structure_of_the_sources(kind):
    a, b = tf.constant(2.0), tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a * b
    gradients = values(tape.gradient(y, structures(a, b)[kind]))
    expected = structures(5.0, 2.0)[kind]
    assert type(gradients) is type(expected)
    assert gradients == expected
    if isinstance(expected, dict):
        assert list(gradients) == list(expected)


def test_views_of_a_dictionary_give_a_list(x):
    sources = {"a": x}
    with tf.GradientTape() as tape:
        tape.watch(sources.values())
        y = x * x
    assert values(tape.gradient(y, sources.values())) == [6]


def test_the_variables_of_a_module_give_a_tuple():
    module = tf.Module()
    module.a, module.b = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape() as tape:
        y = module.a * module.b
    gradients = tape.gradient(y, module.trainable_variables)
    assert type(gradients) is tuple
    assert values(gradients) == (5, 2)


def test_a_class_that_can_be_flattened_is_rebuilt(x):
    @dataclasses.dataclass
    class Masked:
        value: tf.Tensor
        mask: bool

        def __tf_flatten__(self):
            return (self.mask,), (self.value,)

        @classmethod
        def __tf_unflatten__(cls, metadata, components):
            return cls(components[0], metadata[0])

    source = Masked(x, True)
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = Masked(x * x, False)
    gradient = tape.gradient(y, source)
    assert type(gradient) is Masked
    assert gradient.mask is True
    assert gradient.value.numpy() == 6


# -- targets ---------------------------------------------------------------------------------------


def test_the_gradient_of_several_targets_is_that_of_their_sum(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, x * 10.0
    assert tape.gradient([y, z], x).numpy() == 16
    assert tape.gradient({"b": y, "a": (z, z)}, x).numpy() == 26


def test_the_gradient_of_a_tensor_is_that_of_the_sum_of_its_elements():
    x = tf.constant([1.0, 2.0])
    assert values(tape_gradient(lambda x: [x * x, x], x)) == [3, 5]


def test_no_targets_give_no_gradients(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert tape.gradient([], [x]) == [None]


def test_a_target_may_lie_before_another(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert values(tape.gradient([y, z], [x, y])) == [6 + 108, 1 + 18]


def test_targets_may_be_variables():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = v * 3.0
    assert values(tape.gradient(v, v)) == [1, 1]
    assert values(tape.gradient([y, v], v)) == [4, 4]
    assert tape.gradient(v, y) is None


def test_an_unread_variable_is_its_own_target():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        pass
    assert values(tape.gradient(v, v)) == [1, 1]


# -- sources ---------------------------------------------------------------------------------------


def test_each_source_is_treated_for_itself(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * x
    assert values(tape.gradient([x, y, z], [x, y, z])) == [1 + 6 + 27, 1 + 3, 1]


@pytest.mark.parametrize(
    ("value", "expected"), [(3.0, 1.0), (3, 1), (True, True), (1 + 2j, 1 + 0j), ([1, 2], [1, 1])]
)
def test_the_gradient_of_an_unwatched_tensor_by_itself_is_one(value, expected):
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        pass
    gradient = tape.gradient(x, x)
    assert gradient.dtype == x.dtype
    assert gradient.numpy().tolist() == expected


def test_equal_targets_count_twice():
    i = tf.constant(2)
    with tf.GradientTape(persistent=True) as tape:
        pass
    assert tape.gradient([i, i], i).numpy() == 2


@pytest.mark.filterwarnings("ignore:The dtype of the")
def test_a_string_has_no_gradient_even_by_itself():
    s = tf.constant("text")
    with tf.GradientTape() as tape:
        pass
    assert tape.gradient(s, s) is None


def test_the_source_must_be_the_very_tensor(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        other = tf.identity(x)
        y = x * x
        z = other * other
    assert tape.gradient(y, other) is None
    assert values(tape.gradient(z, [x, other])) == [6, 6]
    assert tape.gradient(z, tf.constant(3.0)) is None


@pytest.mark.parametrize(
    "same",
    [tf.convert_to_tensor, tf.constant, lambda x: tf.cast(x, x.dtype), copy.copy, copy.deepcopy],
)
def test_what_needs_no_conversion_stays_the_same_tensor(same, x):
    assert same(x) is x


# -- None, or zeros --------------------------------------------------------------------------------


def test_there_is_no_gradient_without_a_connection(x):
    other = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch([x, other])
        y = x * x
    assert values(tape.gradient(y, [x, other])) == [6, None]


@pytest.mark.parametrize("zero", ["zero", tf.UnconnectedGradients.ZERO])
@pytest.mark.parametrize(
    "value", [[1.0, 2.0], 3.0, 1 + 2j, [1, 2], True, np.float16(1), np.ones([2, 0]), "text"]
)
def test_unconnected_gradients_can_be_zeros_like_the_source(x, value, zero):
    other = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    gradient = tape.gradient(y, other, unconnected_gradients=zero)
    assert (gradient.dtype, gradient.shape) == (other.dtype, other.shape)
    empty = b"" if other.dtype == tf.string else 0
    assert np.all(gradient.numpy() == np.full(other.shape, empty))


@pytest.mark.parametrize("none", ["none", tf.UnconnectedGradients.NONE])
def test_unconnected_gradients_can_be_none(x, none):
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert tape.gradient(x * x, x, unconnected_gradients=none) is None


@pytest.mark.parametrize("unknown", ["foo", None, True, "ZERO"])
def test_other_values_of_unconnected_gradients_are_refused(x, unknown):
    with tf.GradientTape() as tape:
        tape.watch(x)
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients"):
        tape.gradient(x, x, unconnected_gradients=unknown)


def test_unconnected_gradients_is_an_enumeration():
    assert tf.UnconnectedGradients("zero") is tf.UnconnectedGradients.ZERO
    assert tf.UnconnectedGradients.NONE != "none"


def test_zeros_for_a_variable():
    v = tf.Variable([1, 2])
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    gradient = tape.gradient(y, v, unconnected_gradients="zero")
    assert gradient.dtype == tf.int32
    assert gradient.numpy().tolist() == [0, 0]


CUTS = {
    "numpy": lambda x: tf.constant(x.numpy()) * x,
    "float": lambda x: float(x) * x,
    "numpy function": lambda x: tf.constant(np.abs(x)) * x,
    "stop_gradient": lambda x: tf.stop_gradient(x) * x,
    "round trip by int": lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32) * x,
    "another variable": lambda x: tf.Variable(x) * x,
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS.keys())
def test_the_chain_is_cut_by(cut, x):
    assert values(tape_gradient(cut, x)) == 3


FLOWS = {
    "reduce_sum of a list": lambda x: tf.reduce_sum([x, x]),
    "convert_to_tensor of a list": lambda x: tf.convert_to_tensor([x, 2 * x]) * [0.5, 0.75],
    "a list in arithmetic": lambda x: tf.constant([1.0, 1.0]) * [x, x],
    "identity": lambda x: tf.identity(x) + x,
    "indexing": lambda x: tf.stack([x, x])[0] * 2.0,
    "iteration": lambda x: sum(tf.stack([x, x])),
}


@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS.keys())
def test_gradients_flow_through(flow, x):
    assert values(tape_gradient(flow, x)) == 2


def test_only_the_branch_that_was_taken_counts(x):
    assert values(tape_gradient(lambda x: x * 2.0 if x > 0 else x * 3.0, x)) == 2


# -- dtypes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex128"])
def test_gradients_have_the_dtype_of_the_source(dtype):
    x = tf.cast(tf.constant([1.0, 2.0]), dtype)
    gradient = tape_gradient(lambda x: x * x, x)
    assert gradient.dtype == dtype
    assert gradient.numpy().tolist() == [2, 4]


def test_the_backward_of_a_cast_casts_back(x):
    assert tape_gradient(lambda x: tf.cast(x, tf.float64) ** 2, x).dtype == tf.float32


@pytest.mark.parametrize("value", [3, True])
def test_ints_and_bools_have_no_gradient(value):
    i = tf.constant(value)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.cast(i, tf.float32) * 2.0
        j = tf.identity(i)
    with pytest.warns(UserWarning, match="The dtype of the source tensor must be floating"):
        assert tape.gradient(y, i) is None
    with pytest.warns(UserWarning, match=r"Make it a float, as in tf\.constant\(3\.0\)") as caught:
        assert tape.gradient(j, i) is None
    assert caught[0].filename == __file__
    assert not tape.gradient(y, i, unconnected_gradients="zero").numpy()


def test_an_integer_target_has_no_gradient(x):
    with pytest.warns(UserWarning, match="The dtype of the target tensor must be floating"):
        assert tape_gradient(lambda x: tf.cast(x, tf.int32), x) is None


# -- refusals --------------------------------------------------------------------------------------


def test_no_target_is_refused(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
    with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure"):
        tape.gradient(None, x)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ([None], TypeError),
        (3.0, AttributeError),
        (np.ones(2), AttributeError),
        (np.float32(1), AttributeError),
        ({1.0}, TypeError),
        (iter([1.0]), TypeError),
        ("name", (TypeError, AttributeError)),
    ],
)
def test_what_is_no_tensor_is_refused_as_source_and_as_target(x, wrong, error):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(error):
        tape.gradient(y, wrong)
    with pytest.raises(error):
        tape.gradient(wrong, x)


def test_no_source_is_refused(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
    with pytest.raises(TypeError, match="type_value"):
        tape.gradient(x, None)


def test_slices_are_refused_as_target_and_source():
    table = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        slices = tf.IndexedSlices(table * 1.0, tf.constant([0, 1]), tf.constant([2]))
    with pytest.raises(AttributeError):
        tape.gradient(slices, table)


def test_a_gradient_can_be_taken_on_another_thread(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    found = []
    thread = threading.Thread(target=lambda: found.append(tape.gradient(y, x)))
    thread.start()
    thread.join()
    assert found[0].numpy() == 6


@pytest.mark.parametrize(
    "op", [tf.round, tf.floor, lambda x: x // 2.0, lambda x: tf.math.zeta(x, 2.0)]
)
@pytest.mark.parametrize("outer", [False, True], ids=["one tape", "nested"])
def test_what_an_op_without_gradient_gives_can_be_a_source_itself(x, op, outer):
    other = tf.GradientTape()
    if outer:
        other.__enter__()
        other.watch(x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        q = op(x)
        y = q * 5.0
    other.__exit__(None, None, None)
    assert tape.gradient(y, q).numpy() == 5
    assert tape.gradient(y, x) is None
    assert not outer or other.gradient(y, q).numpy() == 5


def test_a_stopped_value_is_a_constant(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        q = tf.stop_gradient(x)
        y = q * x
    assert values(tape.gradient(y, [q, x])) == [None, 3]
