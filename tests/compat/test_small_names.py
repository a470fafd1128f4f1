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
    assert f"v{tf.version.VERSION}" == tf.version.GIT_VERSION
    assert tf.version.COMPILER_VERSION


def test_fields_of_extension_types():
    class Pair(tf.experimental.ExtensionType):
        first: tf.Tensor
        color: str = "red"

    fields = tf.experimental.extension_type.as_dict(Pair([1.0]))
    assert list(fields) == ["first", "color"]
    assert (fields["first"].numpy().tolist(), fields["color"]) == ([1], "red")
    with pytest.raises(TypeError, match="extension type"):
        tf.experimental.extension_type.as_dict(3)


def test_programs_that_look_for_tpus_find_none():
    distribute, tpu = tf.distribute, tf.tpu.experimental
    resolver = distribute.cluster_resolver.TPUClusterResolver
    assert issubclass(resolver, distribute.cluster_resolver.ClusterResolver)
    for look in (
        resolver,
        lambda: resolver(tpu="", zone="a"),
        resolver.connect,
        lambda: resolver.connect("local"),
        tpu.initialize_tpu_system,
        lambda: tpu.shutdown_tpu_system(None),
        distribute.TPUStrategy,
        lambda: distribute.experimental.TPUStrategy(None),
    ):
        with pytest.raises(ValueError, match="Please provide a TPU Name to connect to"):
            look()


def test_settings_of_execution_are_kept():
    config = tf.config.experimental
    assert (config.get_device_policy(), config.get_synchronous_execution()) == ("silent", True)
    config.set_device_policy("warn")
    config.set_synchronous_execution(False)
    assert (config.get_device_policy(), config.get_synchronous_execution()) == ("warn", False)
    config.set_device_policy(None)
    config.set_synchronous_execution(None)
    assert (config.get_device_policy(), config.get_synchronous_execution()) == ("silent", True)
    with pytest.raises(ValueError, match="Invalid argument `device_policy`: 'x'"):
        config.set_device_policy("x")
    with tf.experimental.async_scope() as nothing:
        assert (nothing, (tf.constant(1) + 1).numpy()) == (None, 2)
    assert tf.experimental.async_clear_error() is None


class Position(tf.train.experimental.PythonState):
    line: object = 0

    def serialize(self):
        return self.line

    def deserialize(self, string_value):
        self.line = string_value


@pytest.mark.parametrize(("kept", "found"), [(b"\x00\xff", b"\x00\xff"), ("é", "é".encode())])
def test_checkpoints_keep_states_of_python(kept, found, tmp_path):
    position = Position()
    position.line = kept
    path = tf.train.Checkpoint(position=position).save(str(tmp_path / "c"))
    other = Position()
    tf.train.Checkpoint(position=other).restore(path).assert_consumed()
    assert other.line == found


def test_states_of_python_are_bytes(tmp_path):
    with pytest.raises(TypeError, match="abstract"):
        tf.train.experimental.PythonState()
    with pytest.raises(TypeError, match="must be a bytes"):
        tf.train.Checkpoint(position=Position()).save(str(tmp_path / "c"))
