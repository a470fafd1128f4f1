"""Saved models: signatures, and the command that shows them."""

import pytest

import cinta as tf
from cinta.__main__ import main
from tests.saved_model.saving import FLOATS, Network, loaded, module, of_specs, same

# -- signatures ------------------------------------------------------------------------------------


def test_signatures_take_tensors_by_name(tmp_path):
    network = Network()
    concrete = tf.function(lambda a, b: {"sum": a + b, "product": a * b}).get_concrete_function(
        tf.TensorSpec([None], name="left"), tf.TensorSpec([None], name="right")
    )
    network.other = concrete
    model = loaded(tmp_path, network, {"default": network.__call__, "both": concrete})
    found = model.signatures["default"](x=tf.ones([2, 3]))
    same(found["output_0"], network(tf.ones([2, 3])))
    both = model.signatures["both"](left=[1.0, 2.0], right=tf.constant([3.0, 4.0]))
    same([both["sum"], both["product"]], [[4.0, 6.0], [3.0, 8.0]])
    assert model.signatures["both"].structured_input_signature == (
        (),
        {
            "left": tf.TensorSpec([None], name="left"),
            "right": tf.TensorSpec([None], name="right"),
        },
    )
    assert model.signatures["default"].structured_outputs == {
        "output_0": tf.TensorSpec([None, 2], name="output_0")
    }
    for given, message in (({}, "missing a required argument"), ({"y": 1.0}, "unexpected|missing")):
        with pytest.raises(TypeError, match=message):
            model.signatures["default"](**given)


def test_the_only_function_with_specs_is_the_default_signature(tmp_path):
    assert list(loaded(tmp_path, Network()).signatures) == ["serving_default"]
    f, g = of_specs(([],))(tf.sin), of_specs(([],))(tf.cos)
    assert not loaded(tmp_path, module(f=f, g=g)).signatures


def test_what_can_be_a_signature(tmp_path):
    nested = tf.function(lambda x: {"a": (x,)}, input_signature=[FLOATS])
    nothing = tf.function(lambda x: None, input_signature=[FLOATS])
    for function, message in (
        (tf.function(tf.sin), "Only `tf.functions` with an input signature or concrete"),
        (tf.sin, "Only `tf.functions` with an input signature or concrete"),
        (nested, "Got a non-Tensor value"),
        (nothing, "must be a single Tensor"),
    ):
        with pytest.raises(ValueError, match=message):
            loaded(tmp_path, module(), {"s": function})


# -- the command -----------------------------------------------------------------------------------


def test_the_command_shows_what_is_in_a_model(tmp_path, capsys):
    loaded(tmp_path, Network())
    assert main(["show", str(tmp_path / "model")]) == 0
    text = capsys.readouterr().out
    assert "a saved model" in text
    assert "signature serving_default(x=TensorSpec(shape=(None, 3)" in text
    assert "function __call__" in text
    assert "MatMul×2" in text
    assert "variables/layers/0/w  float32  [3, 4]  48 B" in text


def test_names_in_models_of_tensorflow():
    """TensorFlow's values, by the names that it gives them."""
    names = tf.saved_model
    assert (names.SERVING, names.TRAINING, names.GPU, names.TPU) == ("serve", "train", "gpu", "tpu")
    assert names.DEFAULT_SERVING_SIGNATURE_DEF_KEY == "serving_default"
    assert names.PREDICT_METHOD_NAME == "tensorflow/serving/predict"
    assert (names.PREDICT_INPUTS, names.PREDICT_OUTPUTS) == ("inputs", "outputs")
    assert names.CLASSIFY_METHOD_NAME == "tensorflow/serving/classify"
    assert names.CLASSIFY_INPUTS == names.REGRESS_INPUTS == "inputs"
    assert (names.CLASSIFY_OUTPUT_CLASSES, names.CLASSIFY_OUTPUT_SCORES) == ("classes", "scores")
    assert names.REGRESS_METHOD_NAME == "tensorflow/serving/regress"
    assert names.REGRESS_OUTPUTS == "outputs"
    assert (names.ASSETS_DIRECTORY, names.ASSETS_KEY) == ("assets", "saved_model_assets")
    assert (names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME) == ("variables", "variables")
    assert names.SAVED_MODEL_FILENAME_PB == "saved_model.pb"
    assert names.SAVED_MODEL_FILENAME_PBTXT == "saved_model.pbtxt"
    assert names.SAVED_MODEL_SCHEMA_VERSION == 1
    assert names.DEBUG_DIRECTORY == "debug"
    assert names.DEBUG_INFO_FILENAME_PB == "saved_model_debug_info.pb"
