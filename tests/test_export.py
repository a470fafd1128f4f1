"""Exported functions, run by the runtimes that they are exported for."""

import jax
import numpy as np
import onnxruntime
import pytest

import cinta as tf
from cinta.export.onnx.call import WRITERS
from tests.op_table import rows
from tests.saved_model.test_saved_model_sizes import (
    assert_close,
    attention,
    filled,
    running,
    several,
)

KERNEL, WEIGHTS = filled(3, 3, 2, 4), filled(64, 5)


def by_onnx(tmp_path, function, *given, specs=None):
    """The results of ONNX's runtime, for a model that was written for these arguments."""
    tf.export.to_onnx(function, tmp_path / "model.onnx", *(given if specs is None else specs))
    return run(tmp_path, *given)


def run(tmp_path, *given):
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    names = [each.name for each in session.get_inputs()]
    return session.run(None, {n: np.asarray(x) for n, x in zip(names, given, strict=True)})


def network(x):
    x = tf.nn.relu(tf.nn.conv2d(x, KERNEL, 1, "SAME"))
    x = tf.reshape(tf.nn.max_pool2d(x, 2, 2, "SAME"), [-1, 64])
    return tf.nn.softmax(x @ WEIGHTS)


def with_inputs(row):
    """The inputs in single precision, where the row takes that, and the results."""
    double = [tf.constant(x) for x in row.inputs]
    single = [tf.cast(x, tf.float32) if x.dtype == tf.float64 else x for x in double]
    for inputs in (single, double):
        try:
            return inputs, tf.nest.flatten(row.function(*inputs))
        except tf.errors.InvalidArgumentError:
            continue
    raise AssertionError(row)


@pytest.mark.parametrize("row", rows(), ids=repr)
def test_what_can_be_written_computes_the_same(row, tmp_path):
    inputs, expected = with_inputs(row)
    try:
        tf.export.to_onnx(lambda *given: row.function(*given), tmp_path / "model.onnx", *inputs)
    except ValueError as error:
        if "cannot be written in ONNX" in str(error) or "cannot be exported" in str(error):
            return
        raise
    found = run(tmp_path, *inputs)
    for one, other in zip(found, expected, strict=True):
        assert np.asarray(one).dtype == other.dtype.dtype
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


def test_common_ops_can_be_written():
    assert {
        *("MatMul", "Conv2D", "Conv3D", "DepthwiseConv2dNative", "Conv2DBackpropInput"),
        *("MaxPool", "AvgPool", "Softmax", "LogSoftmax", "Relu", "Gelu", "Silu", "Selu", "Elu"),
        *("AddV2", "Sub", "Mul", "RealDiv", "Pow", "Sqrt", "Rsqrt", "Exp", "Log", "Tanh", "Erf"),
        *("Sum", "Mean", "Max", "Min", "Prod", "LogSumExp", "Variance", "ArgMax", "TopKV2"),
        *("Reshape", "Transpose", "ConcatV2", "Pack", "Unpack", "SplitV", "StridedSlice", "PadV2"),
        *(
            "GatherV2",
            "ResourceGather",
            "OneHot",
            "SelectV2",
            "Cast",
            "BroadcastTo",
            "Standardized",
        ),
        *("NormalizedRows", "LayerNormParts", "LayerNorm"),
        *("SigmoidCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits"),
    } <= WRITERS.keys()


@pytest.mark.parametrize(
    ("function", "shape", "sizes"),
    [
        (several, [None, 3], [(1,), (2,), (7,)]),
        (running, [None, 4, 2], [(1,), (5,)]),
        (attention, [None, None, 4], [(1, 1), (2, 5), (7, 3)]),
        (network, [None, 8, 8, 2], [(1,), (4,)]),
    ],
)
def test_unknown_dimensions_stay_unknown(tmp_path, function, shape, sizes):
    tf.export.to_onnx(function, tmp_path / "model.onnx", tf.TensorSpec(shape))
    for each in sizes:
        given = iter(each)
        x = filled(*[next(given) if n is None else n for n in shape])
        expected = tf.nest.flatten(function(x))
        if isinstance(function(x), dict):  # flatten takes its values in the order of the keys
            expected = [*function(x).values()]
        assert_close([tf.constant(y) for y in run(tmp_path, x)], expected)


@pytest.fixture(scope="module")
def layers():
    return tf.keras.layers


def keras_models(layers):
    embedded = layers.Embedding(10, 4)
    flat = layers.Flatten()
    return {
        "dense": ([layers.Dense(8, "gelu"), layers.LayerNormalization(), layers.Dense(3)], (5,)),
        "images": (
            [
                *(layers.Conv2D(4, 3, padding="same"), layers.BatchNormalization()),
                *(layers.ReLU(), layers.MaxPooling2D(), layers.DepthwiseConv2D(3)),
                *(layers.GlobalAveragePooling2D(), layers.Dense(2, "softmax")),
            ],
            (8, 8, 3),
        ),
        "upwards": (
            [
                layers.Conv2DTranspose(4, 3, strides=2, padding="same"),
                *(layers.AveragePooling2D(2), layers.SeparableConv2D(4, 3), flat),
            ],
            (8, 8, 3),
        ),
        "lstm": ([layers.LSTM(4), layers.Dense(2)], (6, 3)),
        "gru": ([layers.GRU(4, return_sequences=True)], (6, 3)),
        "words": ([embedded, layers.Conv1D(3, 2), layers.GlobalMaxPooling1D()], (5,)),
    }


@pytest.mark.parametrize("name", ["dense", "images", "upwards", "lstm", "gru", "words"])
def test_models_of_keras(tmp_path, layers, name):
    parts, shape = keras_models(layers)[name]
    model = tf.keras.Sequential(parts)
    dtype = tf.int32 if name == "words" else tf.float32
    model(tf.zeros([1, *shape], dtype))
    spec = tf.TensorSpec([None, *shape], dtype)
    tf.export.to_onnx(lambda x: model(x), tmp_path / "model.onnx", spec)
    for count in (1, 3):
        x = tf.cast(tf.abs(filled(count, *shape)) * 3, dtype)
        np.testing.assert_allclose(run(tmp_path, x)[0], model(x), rtol=1e-4, atol=1e-5)


def test_inputs_and_outputs_have_names(tmp_path):
    spec = tf.TensorSpec([2], name="left")
    f = tf.function(lambda a, b: {"sum": a + b["x"], "first": a}, input_signature=None)
    tf.export.to_onnx(f, tmp_path / "model.onnx", spec, {"x": tf.TensorSpec([2])})
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    assert [each.name for each in session.get_inputs()] == ["left", "b"]
    assert [each.name for each in session.get_outputs()] == ["sum", "first"]


def test_another_way_for_a_size_of_1_may_compute_the_same(tmp_path):
    def twice(x, y):
        return x * 2.0 + y if x.shape[0] == 1 else x + x + y

    path, spec = tmp_path / "model.onnx", tf.TensorSpec([None, 3])
    tf.export.to_onnx(twice, path, spec, spec)
    for size in (1, 2):
        given = np.full([size, 3], 2.5, "float32")
        assert run(tmp_path, given, given)[0].tolist() == [[7.5] * 3] * size
    with pytest.raises(ValueError, match="another way where a dimension is 1"):
        tf.export.to_onnx(lambda x: x if x.shape[0] == 1 else x + x, path, spec)


def test_a_function_with_a_signature_needs_no_arguments(tmp_path):
    w = tf.Variable([1.0, 2.0])
    f = tf.function(lambda x: x * w, input_signature=[tf.TensorSpec([None, 2])])
    module = tf.Module()
    module.f, module.w = f, w
    tf.saved_model.save(module, tmp_path)
    x = filled(3, 2)
    for function in (f, f.get_concrete_function(), tf.saved_model.load(tmp_path).f):
        np.testing.assert_allclose(by_onnx(tmp_path, function, x, specs=())[0], x * w)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (tf.linalg.cholesky, r"the op Cholesky, which gives float32\[2,2\], cannot be written"),
        (lambda x: tf.complex(x, x), r"the op Complex, which gives complex64"),
        (lambda x: x if float(x[0, 0]) > 0 else -x, "its Python looks at values"),
        (lambda x: x[: x.shape[0] // 2], "in a way that cannot be written down"),
        (lambda x: (x, [x]), "it returns"),
        (3, "is not callable"),
    ],
)
def test_what_cannot_be_exported_is_said(tmp_path, function, message):
    spec = tf.TensorSpec([2, 2] if function is tf.linalg.cholesky else [None, 2])
    with pytest.raises((ValueError, TypeError), match=message):
        tf.export.to_onnx(function, tmp_path / "model.onnx", spec)
    assert not (tmp_path / "model.onnx").exists()


def test_what_has_state_or_no_arguments_is_refused(tmp_path):
    state = tf.Variable(0.0)
    counting = tf.function(lambda x: state.assign_add(x), input_signature=[tf.TensorSpec([])])
    for function, message in (
        (counting, "assigns to variables"),
        (tf.function(tf.sin), "no input"),
    ):
        with pytest.raises(ValueError, match=message):
            tf.export.to_onnx(function, tmp_path / "model.onnx")


# -- StableHLO -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "shape"),
    [(network, [3, 8, 8, 2]), (attention, [2, 3, 4]), (several, [4, 3]), (running, [2, 4, 2])],
)
def test_stablehlo(tmp_path, function, shape):
    x = filled(*shape)
    tf.export.to_stablehlo(function, tmp_path / "model", tf.TensorSpec(shape))
    loaded = jax.export.deserialize(bytearray((tmp_path / "model").read_bytes()))
    expected = function(x)
    expected = expected if isinstance(expected, dict) else {"output_0": expected}
    found = loaded.call(x.numpy())
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)


def test_long_loops_stay_loops_in_stablehlo(tmp_path):
    def function(x):
        for i in range(200):
            x = tf.tanh(x + x[i % 3]) * 0.9
        for _ in range(200):
            x = tf.sin(x) + 0.1
        return x

    x = filled(3, 4)
    tf.export.to_stablehlo(function, tmp_path / "model", tf.TensorSpec([3, 4]))
    loaded = jax.export.deserialize(bytearray((tmp_path / "model").read_bytes()))
    np.testing.assert_allclose(loaded.call(x.numpy())["output_0"], function(x), rtol=1e-5)
    text = loaded.mlir_module()
    assert "stablehlo.while" in text
    assert text.count("stablehlo.sine") == 1


def test_what_stablehlo_cannot_take(tmp_path):
    with pytest.raises(ValueError, match="x has unknown dimensions"):
        tf.export.to_stablehlo(tf.sin, tmp_path / "model", tf.TensorSpec([None]))
    with pytest.raises(ValueError, match="the op BesselJ0 cannot be written in StableHLO"):
        tf.export.to_stablehlo(tf.math.special.bessel_j0, tmp_path / "model", tf.TensorSpec([3]))
