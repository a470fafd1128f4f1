"""How raw ops take arguments, what they refuse, and the ops that the reference lacks."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from tests.raw_ops.raw_op_cases import cases
from tests.raw_ops.raw_op_cases.making import words

RAW = tf.raw_ops
ONES = tf.ones([1, 4, 4, 2])
WEIGHTS = tf.ones([2, 2, 2, 3])

ELSEWHERE = words(
    "AccumulateNV2 CTCLossV2 Const Conv2DBackpropFilterV2 Conv2DBackpropInputV2 FFTND IFFTND "
    "RFFTND IRFFTND MaxPoolGradGradWithArgmax PreventGradient Case For If PartitionedCall "
    "StatefulPartitionedCall StatelessCase StatelessIf StatelessWhile While Print PrintV2 "
    "Timestamp MatchingFiles ParseTensor ReadFile WriteFile DecodeAndCropJpeg DecodeBmp "
    "DecodeGif DecodeImage DecodeJpeg DecodePng DecodeWebP EncodeJpeg EncodeJpegVariableQuality "
    "EncodePng ExtractJpegShape AnonymousHashTable AnonymousMutableDenseHashTable "
    "AnonymousMutableHashTable AnonymousMutableHashTableOfTensors HashTableV2 "
    "InitializeTableFromTextFileV2 InitializeTableV2 LookupTableExportV2 LookupTableFindV2 "
    "LookupTableImportV2 LookupTableInsertV2 LookupTableRemoveV2 LookupTableSizeV2 "
    "MutableDenseHashTableV2 MutableHashTableOfTensorsV2 MutableHashTableV2 "
    "RaggedTensorToTensor StringToHashBucket StringToHashBucketFast StringToHashBucketStrong"
)
"""Ops that are tested below or in test_raw_op_lookups: with files, functions, tables or effects."""


def test_every_op_is_called():
    called = {name.partition(" ")[0] for name in cases()}
    lists = {name for name in RAW.names() if name.startswith(("TensorList", "TensorMap", "Empty"))}
    assert set(RAW.names()) == called | lists | set(ELSEWHERE)


@pytest.mark.parametrize("name", RAW.names())
def test_signatures_are_keywords_with_a_name_at_the_end(name):
    parameters = inspect.signature(getattr(RAW, name)).parameters.values()
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    assert [each.name for each in parameters][-1] == "name"


@pytest.mark.parametrize(
    "expected",
    [
        "Any(*, input, axis, keep_dims=False, name=None)",
        "ArgMax(*, input, dimension, output_type='int64', name=None)",
        "Conv2D(*, input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], "
        "data_format='NHWC', dilations=[1, 1, 1, 1], name=None)",
        "MaxPool(*, input, ksize, strides, padding, explicit_paddings=[], data_format='NHWC', "
        "name=None)",
        "Reshape(*, tensor, shape, name=None)",
        "SelectV2(*, condition, t, e, name=None)",
        "Split(*, axis, value, num_split, name=None)",
        "StridedSlice(*, input, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, "
        "new_axis_mask=0, shrink_axis_mask=0, name=None)",
        "Sum(*, input, axis, keep_dims=False, name=None)",
    ],
)
def test_signatures(expected):
    name = expected.partition("(")[0]
    assert f"{name}{inspect.signature(getattr(RAW, name))}" == expected


def test_a_name_is_taken():
    assert RAW.Sum(input=[1.0, 2.0], axis=0, name="total").numpy() == 3.0


def test_none_stands_for_a_default():
    assert RAW.Sum(input=[1.0, 2.0], axis=0, keep_dims=None).shape == []


def test_several_results_have_names():
    best = RAW.TopKV2(input=[1.0, 3.0, 2.0], k=2)
    assert type(best).__name__ == "TopKV2"
    np.testing.assert_array_equal(best.values, [3.0, 2.0])
    np.testing.assert_array_equal(best.indices, [1, 2])


def test_the_first_tensor_decides_the_dtype():
    assert RAW.Add(x=1, y=tf.constant(2.0)).dtype == tf.float32
    assert RAW.Pack(values=[1, tf.constant(2, "int64")]).dtype == tf.int64


def test_what_has_no_dtype_takes_the_default():
    np.testing.assert_array_equal(RAW.Sum(input=[1.0, 2.0], axis=[]), [1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RAW.Conv2D(ONES), "only takes keyword args"),
        (lambda: RAW.Conv2D(input=ONES, filter=WEIGHTS), "lacks 'strides', 'padding'"),
        (lambda: RAW.Sin(x=1.0, y=2.0), r"does not take 'y': it is Sin\(x, name=None\)"),
        (lambda: RAW.AddN(inputs=1.0), "Expected list for 'inputs'"),
        (lambda: conv2d(strides=1), "Expected list for 'strides'"),
        (lambda: conv2d(strides=["a"] * 4), "Expected int for argument 'strides'"),
        (lambda: conv2d(padding=3), "Expected string for argument 'padding'"),
        (lambda: RAW.Sum(input=[1.0], axis=0, keep_dims="a"), "Expected bool"),
        (lambda: RAW.Unique(x=[1], out_idx="foo"), "Expected DataType"),
        (lambda: RAW.LeakyRelu(features=1.0, alpha="a"), "Expected float"),
        (lambda: RAW.EnsureShape(input=[1.0], shape="a"), "to a shape"),
        (lambda: RAW.Add(x=tf.constant(1), y=2.0), "int32"),
        (lambda: RAW.ReadVariableOp(resource=1.0, dtype="float32"), "takes a handle"),
        (lambda: RAW.PartitionedCall(args=[], Tout=[], f=1), "callable"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def conv2d(**changed):
    arguments = {"input": ONES, "filter": WEIGHTS, "strides": [1] * 4, "padding": "SAME"}
    return RAW.Conv2D(**arguments | changed)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RAW.Sin(x="a"), "'T' of string is not in the list of allowed values"),
        (lambda: RAW.Reshape(tensor=[1.0], shape=[1.0]), "'Tshape' of float"),
        (lambda: RAW.AddN(inputs=[]), "at least minimum 1"),
        (lambda: RAW.IdentityN(input=[]), "at least minimum 1"),
        (lambda: RAW.Split(axis=0, value=[1.0], num_split=0), "at least minimum 1"),
        (lambda: conv2d(padding="FOO"), '"FOO" is not in the list of allowed values'),
        (lambda: RAW.Unique(x=[1], out_idx=tf.float32), "'out_idx' of float"),
        (lambda: RAW.Add(x=tf.constant(1), y=tf.constant(2.0)), "expected to be a int32"),
        (lambda: RAW.LogicalNot(x=tf.constant(1)), "expected to be a bool"),
        (lambda: RAW.AssignVariableOp(resource=tf.Variable(1.0), value=2), "another dtype"),
        (lambda: RAW.MatMul(a=tf.ones([1, 2, 2]), b=tf.ones([2, 2])), "must be matrices"),
    ],
)
def test_values_that_do_not_fit(call, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_ops_that_are_not_there():
    with pytest.raises(AttributeError, match="cinta does not have this op of TensorFlow"):
        RAW.AssignAdd  # noqa: B018
    with pytest.raises(AttributeError, match="no op has this name"):
        RAW.Foo  # noqa: B018


def test_what_is_shown():
    assert {"Any", "names", "gradient_of"} <= set(dir(RAW))
    assert RAW.Any is not __import__("typing").Any
    assert RAW.Sum.__doc__.startswith("TensorFlow's raw op Sum(input, axis, keep_dims=False")
    assert "Floor" in RAW.names("none")


def test_import_does_not_load_them():
    code = "import cinta, sys; print([m for m in sys.modules if m.startswith('cinta.raw_ops.')])"
    shown = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert shown.strip() == "[]"


# -- ops without a kernel in TensorFlow ----------------------------------------------------------


def test_ops_that_tensorflow_runs_elsewhere():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(RAW.AccumulateNV2(inputs=[x, x], shape=[2, 2]), 2 * x)
    np.testing.assert_array_equal(RAW.Const(value=[1, 2], dtype="float32"), [1.0, 2.0])
    laid = {"out_backprop": tf.ones([1, 3, 3, 3]), "strides": [1] * 4, "padding": "VALID"}
    inner = RAW.Conv2DBackpropInput(input_sizes=[1, 4, 4, 2], filter=WEIGHTS, **laid)
    found = RAW.Conv2DBackpropInputV2(input=ONES, filter=WEIGHTS, **laid)
    np.testing.assert_array_equal(found, inner)
    outer = RAW.Conv2DBackpropFilter(input=ONES, filter_sizes=[2, 2, 2, 3], **laid)
    found = RAW.Conv2DBackpropFilterV2(input=ONES, filter=WEIGHTS, **laid)
    np.testing.assert_array_equal(found, outer)


def test_transforms_along_any_axes():
    x = np.arange(12, dtype="float32").reshape(3, 4)
    how = {"fft_length": [3, 4], "axes": [0, 1]}
    there = RAW.RFFTND(input=x, **how)
    np.testing.assert_allclose(there, np.fft.rfftn(x), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(RAW.IRFFTND(input=there, **how), x, rtol=1e-5, atol=1e-5)
    there = RAW.FFTND(input=x.astype("complex64"), **how)
    np.testing.assert_allclose(there, np.fft.fftn(x), rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(RAW.IFFTND(input=there, **how), x, rtol=1e-5, atol=1e-5)


def test_ctc_with_the_blank_in_front():
    inputs = np.random.RandomState(0).normal(size=(5, 1, 3)).astype("float32")
    labels = {"labels_indices": [[0, 0]], "sequence_length": [5]}
    last = RAW.CTCLoss(inputs=inputs, labels_values=[0], **labels)
    first = RAW.CTCLossV2(inputs=inputs[:, :, [2, 0, 1]], labels_values=[1], **labels)
    np.testing.assert_allclose(last.loss, first.loss, rtol=1e-6)
    np.testing.assert_allclose(last.gradient.numpy()[:, :, [2, 0, 1]], first.gradient, atol=1e-6)


def test_gradients_at_the_largest():
    image = tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 2, 2, 1])
    laid = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    _, places = RAW.MaxPoolWithArgmax(input=image, **laid)
    grad = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
    found = RAW.MaxPoolGradGradWithArgmax(input=image, grad=grad, argmax=places, **laid)
    assert found.numpy().item() == 1.0


def test_a_gradient_that_is_prevented():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = RAW.PreventGradient(input=x, message="no")
    with pytest.raises(LookupError, match="Reason: no"):
        tape.gradient(y, x)


# -- functions, effects, files -------------------------------------------------------------------


def double(x):
    return 2 * x


def negative(x):
    return -x


@pytest.mark.parametrize("kind", ["", "Stateless"])
def test_branches(kind):
    choose = getattr(RAW, f"{kind}If")
    for condition, expected in ((True, 6.0), (0, -3.0), ("yes", 6.0)):
        (found,) = choose(
            cond=condition, input=[3.0], Tout=["float32"], then_branch=double, else_branch=negative
        )
        assert found.numpy() == expected
    choose = getattr(RAW, f"{kind}Case")
    for index, expected in ((0, 6.0), (1, -3.0), (9, -3.0)):
        (found,) = choose(
            branch_index=index, input=[3.0], Tout=["float32"], branches=[double, negative]
        )
        assert found.numpy() == expected


@pytest.mark.parametrize("kind", ["", "Stateless"])
def test_loops(kind):
    loop = getattr(RAW, f"{kind}While")
    total, left = loop(
        input=[0, 4], cond=lambda total, left: left > 0, body=lambda total, n: (total + n, n - 1)
    )
    assert (total.numpy(), left.numpy()) == (10, 0)
    for start, limit, delta in ((0, 3, 1), (6, 0, -2)):
        (total,) = RAW.For(
            start=start, limit=limit, delta=delta, input=[10], body=lambda i, total: total + i
        )
        assert total.numpy() == 10 + sum(range(start, limit, delta))


@pytest.mark.parametrize("kind", ["", "Stateful"])
def test_calls(kind):
    (found,) = getattr(RAW, f"{kind}PartitionedCall")(args=[3.0], Tout=["float32"], f=double)
    assert found.numpy() == 6.0


def test_printing(capsys):
    RAW.PrintV2(input="hello", end="!\n")
    assert RAW.Print(input=1.0, data=[[1, 2], 3], message="seen ").numpy() == 1.0
    assert capsys.readouterr().err == "hello!\nseen [1 2][3]\n"
    assert RAW.Timestamp().dtype == tf.float64


def test_files(tmp_path):
    path = str(tmp_path / "a.txt")
    assert RAW.WriteFile(filename=path, contents="text") is None
    assert RAW.ReadFile(filename=path).numpy() == b"text"
    assert RAW.MatchingFiles(pattern=str(tmp_path / "*")).numpy().tolist() == [path.encode()]
    written = RAW.SerializeTensor(tensor=[1, 2])
    np.testing.assert_array_equal(RAW.ParseTensor(serialized=written, out_type="int32"), [1, 2])


PIXELS = np.random.RandomState(0).randint(0, 256, [6, 8, 3]).astype("uint8")


def test_pictures_without_loss():
    written = RAW.EncodePng(image=PIXELS)
    for decode in (RAW.DecodePng, RAW.DecodeImage):
        np.testing.assert_array_equal(decode(contents=written), PIXELS)
    assert RAW.DecodePng(contents=written, dtype="uint16").dtype == tf.uint16


def test_pictures_with_loss():
    written = RAW.EncodeJpeg(image=PIXELS, quality=90)
    np.testing.assert_array_equal(RAW.ExtractJpegShape(contents=written), [6, 8, 3])
    decoded = RAW.DecodeJpeg(contents=written)
    cropped = RAW.DecodeAndCropJpeg(contents=written, crop_window=[1, 2, 3, 4])
    np.testing.assert_array_equal(cropped, decoded[1:4, 2:6])
    again = RAW.EncodeJpegVariableQuality(images=PIXELS, quality=90)
    np.testing.assert_array_equal(RAW.DecodeJpeg(contents=again), decoded)


PICTURES = [("BMP", "DecodeBmp"), ("GIF", "DecodeGif"), ("WEBP", "DecodeWebP")]


@pytest.mark.parametrize(("kind", "decode"), PICTURES)
def test_other_pictures(kind, decode, tmp_path):
    image = pytest.importorskip("PIL.Image").fromarray(PIXELS)
    image.save(tmp_path / "picture", kind)
    decoded = getattr(RAW, decode)(contents=(tmp_path / "picture").read_bytes())
    assert decoded.shape[-3:] == [6, 8, 3]


def test_they_are_recorded_and_differentiated():
    @tf.function
    def loss(x):
        product = RAW.MatMul(a=x, b=x, transpose_b=True)
        return RAW.Sum(input=RAW.Tanh(x=product), axis=[0, 1])

    x = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = loss(x)
        with tf.GradientTape() as eager:
            z = tf.reduce_sum(tf.tanh(tf.matmul(x, x, transpose_b=True)))
        np.testing.assert_allclose(tape.gradient(y, x), eager.gradient(z, x), rtol=1e-6)
