"""Keras's models in saved models: `ExportArchive`, `model.export`, `TFSMLayer`, plain `save`."""

import numpy as np
import onnx
import onnxruntime
import pytest

import cinta as tf
from cinta.saved_model.saved_functions import called

keras = tf.keras


@pytest.fixture
def model():
    keras.utils.set_random_seed(1)
    layers = [keras.layers.Dense(3), keras.layers.BatchNormalization(), keras.layers.Dense(1)]
    return keras.Sequential([keras.Input([4]), *layers])


X = np.sin(np.arange(20, dtype="float32")).reshape(5, 4)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    "signature", [None, [tf.zeros([5, 4])], [keras.InputSpec("float32", (None, 4))]]
)
def test_export(model, signature, tmp_path):
    model.export(tmp_path, input_signature=signature, verbose=False)
    same(tf.saved_model.load(tmp_path).serve(X), model(X))


def test_export_tells_its_endpoint(model, tmp_path, capsys):
    model.export(tmp_path)
    assert "Endpoint 'serve'" in capsys.readouterr().out


def test_a_layer_made_of_a_saved_model_is_trained(model, tmp_path):
    model.export(tmp_path, verbose=False)
    layer = keras.layers.TFSMLayer(tmp_path)
    same(layer(X), model(X))
    assert len(layer.trainable_weights) == len(model.trainable_weights)
    assert len(layer.non_trainable_weights) == len(model.non_trainable_weights)
    again = keras.Sequential([keras.Input([4]), layer])
    again.compile("sgd", "mse")
    again.fit(X, X[:, :1], verbose=0)
    assert not np.array_equal(layer(X), model(X))


def test_a_layer_made_of_a_signature(model, tmp_path):
    tf.saved_model.save(model, tmp_path)
    layer = keras.layers.TFSMLayer(tmp_path, call_endpoint="serving_default")
    same(layer(X)["output_0"], model(X))
    assert len(layer.weights) == len(model.weights)


def test_archives_of_several_functions(model, tmp_path):
    archive = keras.export.ExportArchive()
    archive.track(model)
    double = tf.function(lambda x: 2.0 * model(x))
    with pytest.raises(ValueError, match="was never called"):
        archive.add_endpoint("double", double)
    double(tf.constant(X))
    archive.add_endpoint("double", double)
    spec = keras.InputSpec(shape=(None, 4), dtype="float32")
    archive.add_endpoint("trained", lambda x: model(x, training=True), [spec])
    with pytest.raises(ValueError, match="already taken"):
        archive.add_endpoint("double", double)
    with pytest.raises(ValueError, match=r"not a `tf\.function`"):
        archive.add_endpoint("plain", lambda x: x)
    archive.add_variable_collection("some", model.trainable_variables[:1])
    archive.write_out(tmp_path, verbose=False)
    loaded = tf.saved_model.load(tmp_path)
    same(loaded.double(X), 2.0 * model(X))
    same(loaded.trained(X), model(X, training=True))
    assert len(loaded.some) == 1
    assert set(loaded.signatures) == {"double", "trained", "serving_default"}


def test_archives_track_what_is_not_of_keras(tmp_path):
    words = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1.0, 2.0])
    table, module = tf.lookup.StaticHashTable(words, -1.0), tf.Module()
    module.w, v = tf.Variable(2.0), tf.Variable(3.0)
    looked_up = tf.function(lambda x: table.lookup(x) * v * module.w)
    given = tf.constant(["b", "c"])
    looked_up(given)
    archive = keras.export.ExportArchive()
    for each in (table, tf.lookup.StaticVocabularyTable(None, 2), module, v, looked_up):
        archive.track(each)
    for each in (3, [v], None):
        with pytest.raises(ValueError, match="Invalid resource type"):
            archive.track(each)
    archive.add_endpoint("looked_up", looked_up)
    archive.write_out(tmp_path, verbose=False)
    assert tf.saved_model.load(tmp_path).looked_up(given).numpy().tolist() == [12.0, -6.0]


class Halves(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(tf.concat(tf.nest.flatten(inputs), axis=1))


@pytest.mark.parametrize("given", [X, [X, X], {"a": X, "b": X}, (X, X)])
def test_models_of_classes_take_any_number_of_samples(given, tmp_path):
    model = Halves()
    model(tf.nest.map_structure(tf.constant, given))
    tf.saved_model.save(model, tmp_path)
    serving = tf.saved_model.load(tmp_path).signatures["serving_default"]
    few = tf.nest.map_structure(lambda x: tf.constant(x[:2]), given)
    inputs = dict(zip(("inputs", "inputs_1"), tf.nest.flatten(few), strict=False))
    same(serving(**inputs)["output_0"], model(few))


def test_sequences_without_an_input_take_any_number_of_samples(tmp_path):
    model = keras.Sequential([keras.layers.Dense(2)])
    model(X)
    tf.saved_model.save(model, tmp_path)
    serving = tf.saved_model.load(tmp_path).signatures["serving_default"]
    same(serving(tf.constant(X[:2]))["output_0"], model(X[:2]))


def test_names_of_several_tensors_of_one_argument(tmp_path):
    module, spec = tf.Module(), tf.TensorSpec([])
    module.f = tf.function(lambda x, x_1: x[0] + x[1] + x_1, input_signature=[[spec, spec], spec])
    tf.saved_model.save(module, tmp_path, signatures=module.f)
    known = tf.saved_model.load(tmp_path).signatures["serving_default"].structured_input_signature
    assert {key: spec.name for key, spec in known[1].items()} == {
        name: name for name in ("x", "x_1", "x_1_1")
    }


def test_functions_that_were_never_called(tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda x: x)
    assert called(module.f) == []
    tf.saved_model.save(module, tmp_path)
    with pytest.raises(ValueError, match="zero restored functions"):
        tf.saved_model.load(tmp_path).f(1.0)


def test_methods_that_are_functions_can_be_the_call_of_a_model():
    class Doubled(keras.Model):
        @tf.function(input_signature=[tf.TensorSpec([None, 1])])
        def call(self, inputs):
            return 2.0 * inputs

    same(Doubled()(np.array([[1.0]])), [[2.0]])


@pytest.mark.parametrize("opset", [None, 17, 21])
def test_models_in_a_version_of_onnx(model, opset, tmp_path):
    path = tmp_path / "model.onnx"
    model.export(path, "onnx", opset_version=opset, verbose=False)
    assert onnx.load(path).opset_import[0].version == (opset or 20)
    session = onnxruntime.InferenceSession(path)
    found = session.run(None, {session.get_inputs()[0].name: X})
    np.testing.assert_allclose(found[0], model(X), rtol=1e-5)


@pytest.mark.parametrize(
    ("opset", "error"), [(10, "No Adapter"), (99, "invalid version"), ("x", "int")]
)
def test_versions_of_onnx_in_which_a_model_cannot_be_written(model, opset, error, tmp_path):
    with pytest.raises(ValueError, match=f"version {opset!r} of ONNX's operators: .*{error}"):
        model.export(tmp_path / "model.onnx", "onnx", opset_version=opset, verbose=False)
    assert not (tmp_path / "model.onnx").exists()


def test_inputs_in_a_list_go_another_way_for_one_sample(tmp_path):
    class Sum(keras.Model):
        def call(self, inputs):
            return keras.ops.add(inputs[0], inputs[1])

    model = Sum()
    model([X, X])
    model.export(tmp_path / "model.onnx", "onnx", verbose=False)
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    given = dict(zip([each.name for each in session.get_inputs()], [X, 2 * X], strict=True))
    np.testing.assert_allclose(session.run(None, given)[0], 3 * X, rtol=1e-6)
