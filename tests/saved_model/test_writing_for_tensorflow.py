"""Saved models that are written for TensorFlow, and read again here, and there if it is there."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine.op import registry
from cinta.graphs.node_table import ROWS
from cinta.raw_ops.signature import Signature
from tests.saved_model.saving import module
from tests.saved_model.tensorflow_writing import FUNCTIONS, X, model

OPTIONS = tf.saved_model.SaveOptions(format="tensorflow")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The directory of the model."""
    path, made = tmp_path_factory.mktemp("model"), model()
    signatures = {"layer": made.layer, "trained": made.trained}
    tf.saved_model.save(made, path, signatures, OPTIONS)
    return path


@pytest.fixture(scope="module")
def again(folder):
    """The model as it is read here."""
    return tf.saved_model.load(folder)


def assert_alike(found, expected):
    pairs = zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True)
    for one, other in pairs:
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_was_written_gives_the_same(again, name):
    python, example = FUNCTIONS[name]
    assert_alike(getattr(again, name)(example), python(tf.constant(example)))


def squares_and_gradient(library, function, example):
    """The results of a function, and the gradient of the sum of squares of its floats."""
    x = library.constant(example)
    with library.GradientTape() as tape:
        if x.dtype.is_floating:
            tape.watch(x)
        results = library.nest.flatten(function(x))
        floats = [each for each in results if each.dtype == library.float32]
        total = [library.reduce_sum(each * each) for each in floats]
    gradient = tape.gradient(total, x) if total and x.dtype.is_floating else None
    return [each.numpy() for each in (*results, gradient) if each is not None]


def test_real_tensorflow_gives_the_same(folder):
    theirs = pytest.importorskip("tensorflow")
    loaded = theirs.saved_model.load(str(folder))
    for name, (python, example) in FUNCTIONS.items():
        found = squares_and_gradient(theirs, getattr(loaded, name), example)
        assert_alike(found, squares_and_gradient(tf, python, example))


def test_variables_are_read_assigned_and_trained(folder):
    loaded, made = tf.saved_model.load(folder), model()
    assert [int(each) for each in loaded.counted(3)] == [0, 3]
    assert int(loaded.count) == 3
    assert loaded.words.numpy().tolist() == [b"a", b"bc"]
    assert loaded.parts[1]["deep"].numpy().tolist() == [3.0, 4.0]
    gradients = []
    for each in (loaded, made):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(each.trained(X, 2.0))
        gradients.append(tape.gradient(y, [each.w, each.parts[0]]))
    assert_alike(*gradients)
    assert (loaded.w.trainable, loaded.count.trainable) == (True, False)


def test_calls_and_signatures_are_those_that_were_saved(again):
    assert_alike(again.called(tf.constant(X)), X * 2.0)
    assert_alike(again.called(tf.constant(X), 3.0, flag=False), X)
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        again.called(tf.constant(X), 4.0)
    python, _ = FUNCTIONS["layer"]
    assert_alike(again.signatures["layer"](x=X)["output_0"], python(tf.constant(X)))
    assert {*again.signatures["trained"].structured_input_signature[1]} == {"x", "factor"}


def test_the_values_are_a_checkpoint(folder):
    reader = tf.train.load_checkpoint(folder / "variables" / "variables")
    assert reader.get_tensor("words/.ATTRIBUTES/VARIABLE_VALUE").tolist() == [b"a", b"bc"]


@pytest.mark.parametrize(
    ("python", "op"),
    [
        (lambda x: tf.sort(x), "Sort"),
        (lambda x: tf.random.normal([2]) + x, "NextRandomState"),
        (lambda x: tf.nn.softmax(x, axis=0)[:, None], "Softmax"),
    ],
)
def test_an_op_without_a_counterpart_is_named(tmp_path, python, op):
    made = module(f=tf.function(python, input_signature=[tf.TensorSpec([2, 2])]))
    with pytest.raises(ValueError, match=f"cannot be written for TensorFlow: the op {op}"):
        tf.saved_model.save(made, tmp_path, options=OPTIONS)
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_decisions_by_values_are_refused(tmp_path):
    def python(x):
        return x * 2.0 if float(x[0]) > 0 else x

    made = module(f=tf.function(python, input_signature=[tf.TensorSpec([2])]))
    with pytest.raises(ValueError, match="cannot be written for TensorFlow: its Python looks"):
        tf.saved_model.save(made, tmp_path, options=OPTIONS)


def test_a_directory_has_one_model(tmp_path):
    spec = tf.TensorSpec([2])
    for factor, options in ((2.0, OPTIONS), (3.0, None), (4.0, OPTIONS)):
        made = module(f=tf.function(lambda x, k=factor: x * k, input_signature=[spec]))
        tf.saved_model.save(made, tmp_path, options=options)
        assert tf.saved_model.load(tmp_path).f([1.0, 1.0]).numpy().tolist() == [factor] * 2


def test_formats_that_do_not_exist():
    with pytest.raises(ValueError, match=r'format must be "cinta" or "tensorflow", got \'h5\''):
        tf.saved_model.SaveOptions(format="h5")


@pytest.mark.parametrize("name", ROWS)
def test_a_line_of_the_table_names_ops_and_attributes_that_exist(name):
    row = ROWS[name]
    signature = Signature(row.op)
    assert registry.find(name) is not None
    assert len(row.inputs) == len(signature.inputs)
    required = {n for n, each in signature.attributes.items() if each.is_required}
    assert required <= {*row.attributes} <= {*signature.attributes}
