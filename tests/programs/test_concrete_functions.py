"""Concrete functions, and signatures: which arguments they take, and how they are told."""

import functools

import numpy as np
import pytest

import cinta as tf

X = tf.constant([1.0, 2.0])
SPEC = tf.TensorSpec([2], tf.float32)
BINDING = "Binding inputs to tf.function failed"


def named(name, shape=(2,)):
    return tf.TensorSpec(shape, tf.float32, name=name)


def two(a, b):
    return a + b


def with_default(a, b=2.0):
    return a * b


def several(a, *args):
    return a + tf.add_n(list(args)) if args else a


def by_keyword(a, *, k):
    return a + k


def any_keyword(a, **more):
    return a + more["z"]


def made_of(python, *args, **kwargs):
    return tf.function(python).get_concrete_function(*args, **kwargs)


def test_examples_are_not_used_where_arguments_are_missing():
    concrete = made_of(two, X, X)
    for args, kwargs, missing in [((), {}, "'a'"), ((X,), {}, "'b'"), ((), {"b": X}, "'a'")]:
        with pytest.raises(TypeError, match=f"{BINDING}.*missing a required argument: {missing}"):
            concrete(*args, **kwargs)
    for result in concrete(X, X), concrete(a=X, b=X), concrete(X, b=X):
        assert result.numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("args", "kwargs", "why"),
    [
        ((X, X, X), {}, "too many positional arguments"),
        ((X, X), {"z": X}, "unexpected keyword argument 'z'"),
        ((X,), {"a": X}, "multiple values for argument 'a'"),
    ],
)
def test_arguments_that_are_not_taken(args, kwargs, why):
    with pytest.raises(TypeError, match=f"{BINDING}.*{why}"):
        made_of(two, X, X)(*args, **kwargs)


def test_examples_become_specs_that_are_named():
    for example in X, np.ones(2, np.float32), SPEC:
        assert made_of(two, example, b=example).structured_input_signature == (
            (named("a"), named("b")),
            {},
        )
    mine = made_of(two, X, named("mine"))
    assert mine.structured_input_signature == ((named("a"), named("mine")), {})
    nest = made_of(lambda d: d["a"], {"a": X, "b": [X]})
    assert nest.structured_input_signature == (({"a": named("d_a"), "b": [named("d_b_0")]},), {})
    assert made_of(by_keyword, X, k=X).structured_input_signature == (
        (named("a"),),
        {"k": named("k")},
    )
    assert made_of(any_keyword, X, z=X).structured_input_signature == (
        (named("a"),),
        {"z": named("z")},
    )
    assert made_of(with_default, X).structured_input_signature == ((named("a"), 2.0), {})


def test_values_become_tensors_of_the_examples_dtype():
    for given in [1.0, 2.0], np.ones(2):
        assert made_of(two, X, X)(given, given).dtype == tf.float32


def test_arguments_without_names_of_their_own():
    for example in X, SPEC:
        concrete = made_of(several, example, example, example)
        assert concrete.structured_input_signature == (
            (named("a"), named("args_0"), named("args_1")),
            {},
        )
        assert concrete(X, X, X).numpy().tolist() == [3.0, 6.0]
        with pytest.raises(TypeError, match="missing a required argument: 'args_1'"):
            concrete(X, X)
        with pytest.raises(TypeError, match="too many positional"):
            concrete(X, X, X, X)
    concrete = made_of(any_keyword, X, z=X)
    assert concrete(X, z=X).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(TypeError, match=r"missing a required (keyword-only )?argument: 'z'"):
        concrete(X)
    assert made_of(by_keyword, X, k=X)(X, X).numpy().tolist() == [2.0, 4.0]


def test_constants_may_be_left_out_or_repeated():
    for concrete in made_of(with_default, X, 3.0), made_of(with_default, X, b=3.0):
        assert concrete(X).numpy().tolist() == concrete(X, 3.0).numpy().tolist() == [3.0, 6.0]
        with pytest.raises(TypeError, match=r"Can not cast 4.0 to Literal\[3.0\]"):
            concrete(X, 4.0)
    first = made_of(with_default, 3.0, X)
    assert first(X).numpy().tolist() == first(3.0, X).numpy().tolist() == [3.0, 6.0]


def test_variables_are_arguments_too():
    v = tf.Variable([1.0, 2.0])
    concrete = made_of(two, X, v)
    assert repr(concrete.structured_input_signature[0][1]) == (
        "VariableSpec(shape=(2,), dtype=tf.float32, trainable=True, alias_id=None)"
    )
    assert concrete(X, tf.Variable([5.0, 5.0])).numpy().tolist() == [6.0, 7.0]
    with pytest.raises(TypeError, match="missing a required argument: 'b'"):
        concrete(X)
    with pytest.raises(TypeError, match="Can not cast"):
        concrete(X, X)


def test_datasets_are_arguments_too():
    numbers = tf.data.Dataset.from_tensor_slices([1.0, 2.0])
    concrete = made_of(lambda d: d.reduce(0.0, lambda a, b: a + b), numbers)
    (spec,), _ = concrete.structured_input_signature
    assert spec == tf.data.DatasetSpec(tf.TensorSpec([], tf.float32))
    assert float(concrete(numbers.skip(1))) == 2.0
    with pytest.raises(TypeError, match="Can not cast"):
        concrete(tf.data.Dataset.range(3))


def test_methods():
    class Doubling:
        @tf.function
        def call(self, a):
            return a * 2.0

        @tf.function(input_signature=[SPEC])
        def declared(self, a):
            return a * 2.0

        @staticmethod
        @tf.function(input_signature=[SPEC])
        def static(a):
            return a * 2.0

    it = Doubling()
    concrete = it.call.get_concrete_function(X)
    assert concrete.structured_input_signature == ((named("a"),), {})
    with pytest.raises(TypeError, match="missing a required argument: 'a'"):
        concrete()
    calls = [concrete, it.declared, functools.partial(Doubling.declared, it), it.static]
    for call in calls:
        assert call([1, 2]).numpy().tolist() == [2.0, 4.0]


def test_a_saved_concrete_function_takes_what_it_took(tmp_path):
    module = tf.Module()
    module.f = made_of(several, X, X)
    module.g = made_of(two, X, tf.Variable([1.0, 2.0]))
    with pytest.raises(ValueError, match="its argument b is not a tensor, but of VariableSpec"):
        tf.saved_model.save(module, tmp_path)
    module.g = None
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.f(X, X).numpy().tolist() == loaded.f(X, args_0=X).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("python", "specs", "why"),
    [
        (two, [SPEC], "input_signature missing type constraint for b"),
        (two, [], "input_signature missing type constraint for a"),
        (several, [], "input_signature missing type constraint for a"),
        (lambda self, a, b: a, [SPEC], "input_signature missing type constraint for b"),
        (by_keyword, [SPEC], "keyword-only parameter `k` must have a default value"),
        (two, [SPEC, SPEC, SPEC], "input_signature contains 1 extra type constraints"),
        (two, [SPEC, 1.0], r"got invalid args \[1.0\]"),
        (two, [SPEC, X], "must be a possibly nested sequence of TensorSpec"),
        (two, [SPEC, tf.float32], "must be a possibly nested sequence of TensorSpec"),
    ],
)
def test_signatures_that_do_not_fit_are_noticed_at_once(python, specs, why):
    with pytest.raises(TypeError, match=why):
        tf.function(python, input_signature=specs)


def test_signatures_that_fit():
    assert tf.function(with_default, input_signature=[SPEC])(X).numpy().tolist() == [2.0, 4.0]
    assert tf.function(several, input_signature=[SPEC, SPEC])(X, X).numpy().tolist() == [2.0, 4.0]
    assert tf.function(lambda a, *, k=1.0: a * k, input_signature=[SPEC])(X).numpy().tolist()


def test_what_a_signature_does_not_say_cannot_be_given():
    with pytest.raises(TypeError, match=f"{BINDING}.*Can not cast 3.0 to Literal"):
        tf.function(with_default, input_signature=[SPEC])(X, 3.0)
    with pytest.raises(TypeError, match=f"{BINDING}.*too many positional"):
        tf.function(several, input_signature=[SPEC])(X, X)
    with pytest.raises(TypeError, match=f"{BINDING}.*unexpected keyword"):
        tf.function(lambda a, **more: a, input_signature=[SPEC])(X, z=X)


@pytest.mark.parametrize("default", [3.0, 3])
def test_a_declared_argument_that_has_a_default_may_be_left_out(default):
    add = tf.function(lambda a, b=default: a + b, input_signature=[tf.TensorSpec([])] * 2)
    assert [float(add(1.0)), float(add(1.0)), float(add(1.0, b=5.0))] == [4.0, 4.0, 6.0]


def test_a_declared_argument_of_a_method_may_be_left_out():
    class Adder(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([])] * 2)
        def add(self, a, b=3.0):
            return a + b

    assert float(Adder().add(1.0)) == 4.0


def test_a_default_that_its_spec_does_not_take_is_refused():
    first = tf.function(lambda a, b=None: a, input_signature=[SPEC, SPEC])
    with pytest.raises(TypeError, match="Binding inputs to"):
        first(1.0)


def test_the_graph_has_attributes_of_arguments_and_results_in_their_structure():
    function = tf.function(lambda x: {"double": x + x})
    concrete = function.get_concrete_function(tf.TensorSpec([2]))
    argument = concrete.inputs[0].op
    assert argument.get_attr("_user_specified_name") == b"x"
    assert (argument.get_attr("dtype"), argument.get_attr("shape")) == (tf.float32, [2])
    with pytest.raises(ValueError, match="'add' has no attr named 'T'; it has none"):
        concrete.graph.get_operation_by_name("add").get_attr("T")
    assert concrete.graph.structured_outputs["double"] is concrete.outputs[0]
