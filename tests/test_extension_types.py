"""Extension types: classes of users that are made of tensors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

import cinta as tf


class Masked(tf.experimental.BatchableExtensionType):
    values: tf.Tensor
    mask: tf.Tensor

    shape = property(lambda self: self.values.shape)

    class Spec:
        def __init__(self, shape, dtype=tf.float32):
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)


class Everything(tf.experimental.ExtensionType):
    x: tf.Tensor
    text: str = "a"
    number: int | None = None
    shape: tf.TensorShape = ()
    dtype: tf.DType = tf.float32
    parts: tuple[tf.Tensor, ...] = ()
    named: Mapping[str, tf.Tensor] = {}
    rows: tf.RaggedTensor | None = None
    inner: Masked | None = None


def whole():
    return Everything(
        [1.0, 2.0],
        text="b",
        shape=[None, 3],
        dtype="int32",
        parts=[1, [2]],
        named={"q": 3.0},
        rows=tf.ragged.constant([[1], [2, 3]]),
        inner=Masked([1.0], [True]),
    )


# -- made of fields --------------------------------------------------------------------------------


def test_fields_are_converted_to_what_they_are_declared_to_be():
    x = whole()
    assert x.x.dtype is tf.float32
    assert x.shape.as_list() == [None, 3]
    assert x.dtype is tf.int32
    assert [t.shape.rank for t in x.parts] == [0, 1]
    assert x.named["q"].numpy() == 3.0
    assert x.number is None
    assert x.rows.ragged_rank == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"x": None}, "x: expected a Tensor, got 'NoneType'"),
        ({"x": 1, "text": 3}, "text: expected 'str', got 'int'"),
        ({"x": 1, "shape": "q"}, "shape: expected 'TensorShape', got 'str'"),
        ({"x": 1, "parts": 3}, "parts: expected 'tuple', got 'int'"),
        ({"x": 1, "named": {1: 2}}, r"named\[<key>\]: expected 'str', got 'int'"),
        ({"x": 1, "rows": [[1]]}, "rows: expected .*RaggedTensor.* got 'list'"),
        ({}, "missing a required argument: 'x'"),
        ({"x": 1, "y": 2}, "unexpected keyword argument 'y'"),
    ],
)
def test_other_values_are_refused(fields, said):
    with pytest.raises(TypeError, match=said):
        Everything(**fields)


def test_unknown_annotations_are_refused_where_the_class_is_made():
    with pytest.raises(TypeError, match="In field 'a': Unsupported type annotation 'list'"):
        type("Wrong", (tf.experimental.ExtensionType,), {"__annotations__": {"a": list}})
    with pytest.raises(ValueError, match="Field 'Spec' is reserved"):
        type("Wrong", (tf.experimental.ExtensionType,), {"__annotations__": {"Spec": int}})
    with pytest.raises(AssertionError, match="abstract base class"):
        tf.experimental.ExtensionType()


def test_a_class_may_hold_others_of_its_kind():
    class Node(tf.experimental.ExtensionType):
        value: tf.Tensor
        children: tuple[Node, ...] = ()

    tree = Node(3, [Node(5), Node(2)])
    assert [int(each.value) for each in tree.children] == [5, 2]


def test_fields_without_default_behind_one_are_given_by_name():
    class Late(tf.experimental.ExtensionType):
        first: int = 1
        second: tf.Tensor

    with pytest.raises(TypeError):
        Late(1, 2)
    assert int(Late(second=2).second) == 2


def test_objects_do_not_change():
    x = Masked([1], [True])
    for change in (
        lambda: setattr(x, "mask", 1),
        lambda: setattr(x, "other", 1),
        lambda: delattr(x, "mask"),
    ):
        with pytest.raises(AttributeError, match="Cannot mutate attribute"):
            change()


def test_constructors_of_users_set_all_fields_and_no_other():
    class Toy(tf.experimental.ExtensionType):
        name: str
        price: tf.Tensor

        def __init__(self, name, price, discount=0.0, missing=False, extra=False):
            self.price = price * (1 - discount)
            if extra:
                self.extra = 1
            if not missing:
                self.name = name

        def __validate__(self):
            assert self.price.shape.rank == 0, "one price"

    class Big(Toy):
        size: int

        def __init__(self, name, price, size):
            super().__init__(name, price)
            self.size = size

    assert float(Toy("ball", 4.0, discount=0.5).price) == 2.0
    assert Big("tower", 3.0, 7).size == 7
    with pytest.raises(ValueError, match=r"Missing required fields: .'name'."):
        Toy("ball", 4.0, missing=True)
    with pytest.raises(AttributeError, match="`extra`"):
        Toy("ball", 4.0, extra=True)
    with pytest.raises(AssertionError, match="one price"):
        Toy("ball", tf.constant([4.0]))


def test_comparison_is_of_classes_shapes_and_values():
    x, y = Masked([1, 2], [True, False]), Masked([1, 3], [True, False])
    assert bool(x == x)
    assert not bool(x == y)
    assert bool(x != y)
    assert (x == Masked([1], [True])) is False
    assert (x == x.values) is False
    with pytest.raises(TypeError):
        hash(x)


def test_the_text_names_all_fields():
    assert repr(Everything(1.0)).startswith("Everything(x=<tf.Tensor: shape=(), dtype=float32")
    assert "named=ImmutableDict({}), rows=None" in repr(Everything(1.0))


# -- specs -----------------------------------------------------------------------------------------


def test_specs_have_the_fields_without_values():
    spec = tf.type_spec_from_value(whole())
    assert spec.value_type is Everything
    assert spec.x == tf.TensorSpec([2])
    assert spec.text == "b"
    assert spec.named["q"] == tf.TensorSpec([])
    assert spec.inner == Masked.Spec([1])
    assert spec == tf.type_spec_from_value(whole())
    assert hash(spec) == hash(tf.type_spec_from_value(whole()))
    with pytest.raises(TypeError, match="expected a TensorSpec, got 'list'"):
        Everything.Spec(**{**vars(spec), "x": [1]})


def test_specs_say_what_values_they_have():
    narrow, wide = Masked.Spec([2]), Masked.Spec([None])
    assert wide.is_compatible_with(narrow)
    assert narrow.is_subtype_of(wide)
    assert not wide.is_subtype_of(narrow)
    assert narrow.most_specific_compatible_type(Masked.Spec([3])) == wide
    assert wide.is_compatible_with(Masked([1.0], [True]))
    assert not wide.is_compatible_with(Masked([1], [True]))
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        wide.most_specific_compatible_type(tf.TensorSpec([2]))


# -- as values in other places ---------------------------------------------------------------------


def test_nests_open_them_if_asked():
    x = whole()
    assert tf.nest.flatten(x) == [x]
    assert len(tf.nest.flatten(x, expand_composites=True)) == 8
    same = tf.nest.map_structure(tf.identity, x, expand_composites=True)
    assert bool(same == x)
    assert same.inner.mask.numpy().tolist() == [True]


def test_gradients_flow_through_fields():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = Everything(v * v).x * 2.0
    assert tape.gradient(y, v).numpy() == 12.0


def test_functions_take_and_return_them():
    @tf.function
    def twice(x, factor):
        return Masked(x.values * factor, x.mask)

    for i in range(3):
        found = twice(Masked([1.0 + i, 2.0], [True, False]), tf.constant(2.0))
        assert found.values.numpy().tolist() == [2.0 + 2 * i, 4.0]
    assert twice.experimental_get_tracing_count() == 1
    assert twice(Masked([1.0], [True]), tf.constant(2.0)).values.numpy().tolist() == [2.0]
    assert twice.experimental_get_tracing_count() == 2


def test_functions_are_declared_by_their_specs():
    double = tf.function(lambda x: Masked(x.values * 2, x.mask), input_signature=[Masked.Spec([2])])
    assert double(Masked([1.0, 2.0], [True, True])).values.numpy().tolist() == [2.0, 4.0]
    with pytest.raises(TypeError):
        double(Masked([1.0], [True]))


def test_control_flow_takes_them():
    a, b = Masked([1.0], [True]), Masked([2.0, 3.0], [True, False])
    assert tf.cond(tf.constant(False), lambda: a, lambda: b) is b
    grown = tf.while_loop(
        lambda i, x: i < 3, lambda i, x: (i + 1, Masked(x.values * 2, x.mask)), (0, b)
    )[1]
    assert grown.values.numpy().tolist() == [16.0, 24.0]


def test_map_fn_goes_through_batches():
    class Pair(tf.experimental.BatchableExtensionType):
        shape: tf.TensorShape
        x: tf.Tensor
        m: Masked

        def __init__(self, x, m):
            self.x, self.m = tf.convert_to_tensor(x), m
            self.shape = self.x.shape[:-1]

    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        batch = Pair(v, Masked([[5, 6], [7, 8]], [[True, False]] * 2))
        found = tf.map_fn(lambda p: Pair(p.x * 2, p.m), batch)
        y = tf.reduce_sum(found.x)
    assert found.shape.as_list() == [2]
    assert found.m.values.numpy().tolist() == [[5, 6], [7, 8]]
    assert tape.gradient(y, v).numpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    sums = tf.map_fn(lambda p: tf.reduce_sum(p.x), batch, fn_output_signature=tf.float32)
    assert sums.numpy().tolist() == [3.0, 7.0]
    widened = tf.map_fn(
        lambda x: Masked([x, x], [True, True]),
        tf.constant([1.0, 2.0]),
        fn_output_signature=Masked.Spec([2]),
    )
    assert widened.values.numpy().tolist() == [[1.0, 1.0], [2.0, 2.0]]


def test_datasets_have_them_as_elements():
    ds = tf.data.Dataset.from_tensor_slices(
        {"m": Masked([[1, 2], [3, 4], [5, 6]], [[True, False]] * 3), "n": [1, 2, 3]}
    )
    assert ds.element_spec["m"] == Masked.Spec([2], tf.int32)
    ds = ds.map(lambda e: (Masked(e["m"].values * e["n"], e["m"].mask), e["n"]))
    assert [m.values.numpy().tolist() for m, _ in ds] == [[1, 2], [6, 8], [15, 18]]
    batches = ds.batch(2)
    assert batches.element_spec[0] == Masked.Spec([None, 2], tf.int32)
    assert [m.values.shape.as_list() for m, _ in batches] == [[2, 2], [1, 2]]
    rows = [m.values.numpy().tolist() for m, _ in batches.unbatch()]
    assert rows == [[1, 2], [6, 8], [15, 18]]


def test_datasets_are_made_of_generators_and_of_one_object():
    def numbers():
        for i in range(3):
            yield Masked([i, i], [True, False])

    ds = tf.data.Dataset.from_generator(numbers, output_signature=Masked.Spec([2], tf.int32))
    assert [int(x.values[0]) for x in ds] == [0, 1, 2]
    assert ds.element_spec == Masked.Spec([2], tf.int32)
    whole_one = next(iter(tf.data.Dataset.from_tensors(whole())))
    assert bool(whole_one == whole())


# -- dispatch --------------------------------------------------------------------------------------


@pytest.fixture
def registered():
    """Registers handlers, and takes them back after the test."""
    made = []

    def keep(decorator):
        def register(handler):
            made.append(handler)
            return decorator(handler)

        return register

    yield keep
    for handler in made:
        tf.experimental.unregister_dispatch_for(handler)


def test_one_function_is_answered_by_annotations(registered):
    @registered(tf.experimental.dispatch_for_api(tf.stack))
    def stack(values: list[Masked | tf.Tensor], axis=0):
        masks = [x.mask if isinstance(x, Masked) else tf.ones_like(x, tf.bool) for x in values]
        given = [x.values if isinstance(x, Masked) else x for x in values]
        return Masked(tf.stack(given, axis), tf.stack(masks, axis))

    x = Masked([1, 2], [True, False])
    found = tf.stack([x, tf.constant([3, 4])], axis=0)
    assert found.mask.numpy().tolist() == [[True, False], [True, True]]
    assert isinstance(tf.stack([tf.constant([1])]), tf.Tensor)
    with pytest.raises(ValueError, match="unsupported type"):
        tf.concat([x, x], 0)


def test_one_function_is_answered_by_signatures(registered):
    @registered(tf.experimental.dispatch_for_api(tf.tensordot, {"a": Masked}, {1: Masked}))
    def product(a, b, axes):
        return "answered"

    x = Masked([[1.0]], [[True]])
    assert tf.tensordot(x, [[1.0]], 1, name="named") == "answered"
    assert tf.tensordot(tf.ones([1, 1]), x, axes=1) == "answered"


def test_elements_are_answered_by_the_function_of_one_or_two(registered):
    @registered(tf.experimental.dispatch_for_unary_elementwise_apis(Masked))
    def one(function, x):
        return Masked(function(x.values), x.mask)

    @registered(
        tf.experimental.dispatch_for_binary_elementwise_apis(Masked | tf.Tensor, Masked | None)
    )
    def two(function, x, y):
        return Masked(function(getattr(x, "values", x), y.values), y.mask)

    @registered(tf.experimental.dispatch_for_binary_elementwise_assert_apis(Masked, Masked))
    def claim(function, x, y):
        return function(x.values, y.values)

    x = Masked([-1.5, 2.0], [True, False])
    for function in (tf.abs, tf.nn.relu, tf.sin, tf.math.log1p, tf.negative):
        assert function(x).values.numpy() == pytest.approx(function(x.values).numpy(), nan_ok=True)
    assert tf.cast(x, tf.int32).values.dtype is tf.int32
    assert tf.ones_like(x, dtype=tf.int32).values.numpy().tolist() == [1, 1]
    assert tf.add(x, x).values.numpy().tolist() == [-3.0, 4.0]
    assert tf.math.pow(tf.constant([2.0, 2.0]), x).values.numpy() == pytest.approx([2**-1.5, 4.0])
    tf.debugging.assert_equal(x, x)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.debugging.assert_less(x, x)
    with pytest.raises(ValueError, match="unsupported type"):
        tf.reduce_sum(x)
    with pytest.raises(ValueError, match="already been registered"):
        tf.experimental.dispatch_for_unary_elementwise_apis(Masked)(lambda f, x: x)


def test_handlers_that_cannot_be_called_are_refused():
    decorate = tf.experimental.dispatch_for_api
    with pytest.raises(ValueError, match="at least one signature"):
        decorate(tf.stack)(lambda values, axis=0: 1)
    with pytest.raises(ValueError, match="unknown parameter 'q'"):
        decorate(tf.stack, {"q": Masked})
    with pytest.raises(ValueError, match="does not support dispatch"):
        decorate(len)
    with pytest.raises(ValueError, match="does not match API's signature"):

        @decorate(tf.stack)
        def other(wrong: Masked, axis=0):
            return wrong

    with pytest.raises(ValueError, match="was not registered"):
        tf.experimental.unregister_dispatch_for(len)


def test_functions_ask_in_a_program_that_has_no_ragged_tensors():
    program = """
import cinta as tf
class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
@tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
def of_masked(function, x):
    return Masked(function(x.values))
assert tf.abs(Masked([-1.0])).values.numpy() == [1]
assert tf.ones_like(Masked([-1.0]), dtype=tf.int32).values.numpy() == [1]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


class Scaled(tf.experimental.ExtensionType):
    factor: tf.Variable
    x: tf.Tensor


def test_a_field_may_be_a_variable_which_functions_tell_from_others():
    three, ten = tf.Variable(3.0), tf.Variable(10.0)

    @tf.function
    def product(scaled):
        return scaled.factor * scaled.x

    with tf.GradientTape() as tape:
        y = product(Scaled(three, 2.0))
    assert (y, tape.gradient(y, three)) == (6.0, 2.0)
    assert product(Scaled(ten, 2.0)) == 20.0
    three.assign(4.0)
    assert (product(Scaled(three, 2.0)), product(Scaled(ten, 1.0))) == (8.0, 10.0)
    with pytest.raises(TypeError, match="expected 'Variable', got 'float'"):
        Scaled(3.0, 2.0)
