"""Small names of TensorFlow: constants, facts, and views of what is elsewhere."""

import pytest

import cinta as tf


def test_dtypes_of_few_bits():
    names = tf.dtypes.experimental
    assert names.int4 is tf.as_dtype("int4")
    assert names.float8_e5m2 is tf.experimental.float8_e5m2
    assert {"experimental", "QUANTIZED_DTYPES"} <= set(dir(tf.dtypes))
    assert len(names.__all__) == 10
    assert {tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32} == tf.dtypes.QUANTIZED_DTYPES


def test_facts():
    assert tf.sysconfig.get_build_info()["is_cuda_build"] is False
    assert "" in tf.io.gfile.get_registered_schemes()


def test_fields_of_extension_types():
    class Pair(tf.experimental.ExtensionType):
        first: tf.Tensor
        color: str = "red"

    fields = tf.experimental.extension_type.as_dict(Pair([1.0]))
    assert list(fields) == ["first", "color"]
    assert (fields["first"].numpy().tolist(), fields["color"]) == ([1], "red")
    with pytest.raises(TypeError, match="extension type"):
        tf.experimental.extension_type.as_dict(3)
