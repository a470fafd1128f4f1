"""Saved models that TensorFlow wrote are read: see tools/tensorflow_saved_models.py."""

import json
import shutil
import zipfile
from functools import cache

import numpy as np
import pytest

import cinta as tf
from cinta.__main__ import main
from cinta.errors import DataLossError, NotFoundError
from cinta.protobuf.saved_model_messages import SavedModel
from tests.references import REFERENCES
from tests.saved_model.saved_model_calls import decoded, described, path_in

ARCHIVE = REFERENCES / "saved_models.zip"
CALLS = json.loads(zipfile.ZipFile(ARCHIVE).read("calls.json"))
UNKNOWN = {"untaken": "DebugGradientIdentity"}
"""The function of the models that has an op which is not here."""


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The directory with the models."""
    folder = tmp_path_factory.mktemp("models")
    zipfile.ZipFile(ARCHIVE).extractall(folder)
    return folder


ASSIGNING = ("counted", "sharded")
"""The functions that assign variables, for which a model is loaded anew."""


@pytest.fixture(scope="module")
def loaded(models):
    """A model by its name, loaded once for all tests that change nothing of it."""
    return cache(lambda name: tf.saved_model.load(models / name))


def assert_alike(found, expected):
    """The same values, up to the rounding of other kernels."""
    assert (found is None) == (expected is None)
    if found is None or expected is None:
        return
    found, expected = decoded(tf, found), decoded(tf, expected)
    pairs = zip(tf.nest.flatten(found, True), tf.nest.flatten(expected, True), strict=True)
    for one, other in pairs:
        if not hasattr(one, "dtype"):
            assert one == other
            continue
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if one.dtype.is_floating or one.dtype.is_complex:
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)
        else:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("call", CALLS, ids=lambda c: f"{c['model']}.{c['function']}")
def test_a_loaded_function_gives_what_it_gives_in_tensorflow(models, loaded, call):
    anew = call["function"] in ASSIGNING
    model = tf.saved_model.load(models / call["model"]) if anew else loaded(call["model"])
    function = path_in(model, call["function"])
    variables = [path_in(model, path) for path in call["variables"]]
    found = described(tf, function, decoded(tf, call["arguments"]), variables)
    assert_alike({"list": found["result"]["list"]}, {"list": call["result"]["list"]})
    assert len(found["gradients"]) == len(call["gradients"])
    for one, other in zip(found["gradients"], call["gradients"], strict=True):
        assert_alike(one, other)


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_op_that_is_not_here_is_named_when_its_function_is_called(loaded, name):
    function = getattr(loaded("functions"), name)
    with pytest.raises(NotFoundError, match=f"'{UNKNOWN[name]}' .*cinta has none of that name"):
        function(tf.ones([2]))


def test_a_model_has_the_attributes_that_it_had(models):
    model = tf.saved_model.load(models / "functions")
    assert model.parts[0] == 1.0
    assert model.parts[1]["deep"].shape == (2,)
    assert not model.count.trainable
    assert [*model.signatures] == ["layer", "reductions", "several"]
    serve = model.signatures["several"]
    assert {*serve.structured_input_signature[1]} == {"x", "labels"}
    assert serve.structured_outputs["output_0"].shape == ()
    assert tf.saved_model.contains_saved_model(models / "functions")
    options = tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)
    empty = tf.saved_model.load(models / "functions", options=options)
    assert model.w.numpy().any()
    assert not empty.w.numpy().any()


def test_a_loaded_function_is_trained_and_recorded(models):
    model = tf.saved_model.load(models / "functions")
    x, labels = tf.ones([4, 3]), tf.constant([0, 1, 2, 3])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = model.loss(x, labels)
        variables = [model.w, model.b]
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.1 * gradient)
        return loss

    losses = [float(step()) for _ in range(5)]
    assert losses == sorted(losses, reverse=True)
    assert step.experimental_get_tracing_count() == 1
    assert "MatMul" in [each.op.name for each in model.layer.recording(x).calls]


def test_what_was_loaded_is_saved_again_in_our_own_format(loaded, tmp_path):
    model = loaded("functions")
    again = tf.Module()
    again.layer, again.w = model.layer, model.w
    again.b = model.b
    tf.saved_model.save(again, tmp_path)
    x = tf.ones([2, 3])
    np.testing.assert_array_equal(tf.saved_model.load(tmp_path).layer(x), model.layer(x))


def test_calls_that_do_not_fit_say_which_would(loaded):
    model = loaded("functions")
    with pytest.raises(
        ValueError, match=r"(?s)Could not find matching concrete function.*2 option"
    ):
        model.structured(1.0, {"b": 2.0})
    with pytest.raises(TypeError, match=r"Binding inputs to tf\.function failed"):
        model.layer(tf.ones([2, 3]), 1)
    with pytest.raises(TypeError, match="Binding inputs"):
        model.signatures["layer"](y=tf.ones([2, 3]))


def test_a_model_is_shown_with_the_ops_that_are_not_here(models, capsys):
    main(["show", str(models / "functions")])
    shown = capsys.readouterr().out
    assert "a saved model of TensorFlow" in shown
    assert "signature layer(x=TensorSpec(" in shown
    assert "not in cinta: DebugGradientIdentity" in shown
    assert "embedding" in shown


def test_lists_are_taken_for_tuples(loaded):
    model = loaded("functions")
    found = model.structured([tf.constant(1.0), (tf.constant(2.0),)], {"a": tf.constant(3.0)})
    assert [float(each) for each in found["out"]] == [4.0, 2.0]
    assert found["none"] is None


def test_a_loop_without_turns(loaded):
    model, x = loaded("functions"), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = model.power(x, 0)
    assert float(y) == 1.0
    assert tape.gradient(y, x) is None


# -- files that are not what they should be ------------------------------------------------------


@pytest.fixture
def changed(models, tmp_path):
    """A function that writes the small model with a change, and its folder."""
    message = SavedModel.FromString((models / "plain" / "saved_model.pb").read_bytes())

    def write(change):
        change(message.meta_graphs[0])
        (tmp_path / "saved_model.pb").write_bytes(message.SerializeToString())
        return tmp_path

    return write


def body(graph):
    """The function of the library that has the loop in it."""
    library = graph.graph_def.library.function
    return next(
        each
        for each in library
        if any(node.op == "While" or node.op == "StatelessWhile" for node in each.node_def)
    )


def call(folder):
    return tf.saved_model.load(folder).repeated(tf.ones([3]), 1)


def test_a_file_that_is_cut_off_is_refused(models, tmp_path):
    whole = (models / "plain" / "saved_model.pb").read_bytes()
    for length in range(0, len(whole), 997):
        (tmp_path / "saved_model.pb").write_bytes(whole[:length])
        with pytest.raises(DataLossError, match="is damaged"):
            tf.saved_model.load(tmp_path)


def test_nodes_in_a_circle(changed):
    def change(graph):
        nodes = body(graph).node_def
        nodes[0].input.append(f"^{nodes[-1].name}")
        for node, other in zip(nodes[1:], nodes, strict=False):
            node.input.append(f"^{other.name}")

    with pytest.raises(ValueError, match="nodes in a circle"):
        call(changed(change))


def test_functions_that_call_themselves(changed):
    def change(graph):
        inner = body(graph)
        for function in graph.graph_def.library.function:
            for node in function.node_def:
                for name in ("then_branch", "else_branch", "body", "cond"):
                    if name in node.attr:
                        node.attr[name].func.name = inner.signature.name

    with pytest.raises(ValueError, match="calls itself"):
        call(changed(change))


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        (lambda node: setattr(node, "op", "PyFunc"), NotFoundError, "'PyFunc'"),
        (lambda node: setattr(node, "op", "EagerPyFunc"), NotFoundError, "'EagerPyFunc'"),
        (lambda node: node.input.append("nothing:output:0"), ValueError, "no node 'nothing'"),
        (lambda node: node.attr.clear(), (ValueError, TypeError), "lack"),
        (lambda node: node.input.clear(), ValueError, "takes"),
    ],
)
def test_nodes_that_are_not_calls(changed, change, error, match):
    def damage(graph):
        nodes = body(graph).node_def
        change(next(node for node in nodes if node.op in ("While", "StatelessWhile")))

    with pytest.raises(error, match=match):
        call(changed(damage))


def test_assets_do_not_lead_elsewhere(models, tmp_path):
    shutil.copytree(models / "functions", tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    message = SavedModel.FromString(path.read_bytes())
    message.meta_graphs[0].asset_file_def[0].filename = "../../etc/passwd"
    path.write_bytes(message.SerializeToString())
    with pytest.raises(DataLossError, match="is not in the directory of the model"):
        tf.saved_model.load(tmp_path / "model")


def test_variables_without_values_and_of_other_dtypes(models, tmp_path):
    shutil.copytree(models / "functions", tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    message = SavedModel.FromString(path.read_bytes())
    nodes = message.meta_graphs[0].object_graph_def.nodes
    variable = next(node.variable for node in nodes if node.WhichOneof("kind") == "variable")
    variable.dtype = tf.int8.as_datatype_enum
    path.write_bytes(message.SerializeToString())
    with pytest.raises(DataLossError, match=r"is int8.*, and its value in variables.*is float32"):
        tf.saved_model.load(tmp_path / "model")
    shutil.rmtree(tmp_path / "model" / "variables")
    with pytest.raises(DataLossError, match="there is no value of the variable"):
        tf.saved_model.load(tmp_path / "model")


def test_objects_of_kinds_that_are_not_known(models, tmp_path):
    shutil.copytree(models / "functions", tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    message = SavedModel.FromString(path.read_bytes())
    nodes = message.meta_graphs[0].object_graph_def.nodes
    nodes[1] = type(nodes[1])()
    path.write_bytes(message.SerializeToString())
    with pytest.raises(tf.errors.UnimplementedError, match=rf"{path}: the object 1 is of a kind"):
        tf.saved_model.load(tmp_path / "model")
