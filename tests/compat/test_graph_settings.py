"""Settings and names of TensorFlow that eager programs touch."""

import numpy as np
import pytest

import cinta as tf


@pytest.fixture
def settings():
    yield
    tf.config.optimizer.set_jit(False)
    tf.debugging.set_log_device_placement(False)


def test_jit_chooses_the_engine(settings):
    for given, told, engine in (True, "autoclustering", "auto"), (False, "", "numpy"):
        tf.config.optimizer.set_jit(given)
        assert (tf.config.optimizer.get_jit(), tf.config.get_engine()) == (told, engine)
    with pytest.raises(ValueError, match="autoclustering"):
        tf.config.optimizer.set_jit("sometimes")


def test_what_is_asked_about_devices_is_kept(settings):
    tf.debugging.set_log_device_placement(True)
    assert tf.debugging.get_log_device_placement()


def test_no_gradient_goes_through_what_is_guaranteed_to_be_constant():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.guarantee_const(v) * v
    assert y == 9.0
    assert tape.gradient(y, v) == 3.0


def test_a_variable_counts_up_to_a_limit():
    v = tf.Variable(0)
    assert [int(v.count_up_to(2)) for _ in range(2)] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
        v.count_up_to(2)
    assert v == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32"):
        tf.Variable(0.0).count_up_to(2)


def test_a_function_that_counts_stops_at_the_limit():
    v = tf.Variable(0)

    @tf.function
    def count():
        return v.count_up_to(4)

    assert [int(count()) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(tf.errors.OutOfRangeError):
        count()


@pytest.mark.parametrize(
    ("shape", "other", "is_subtype"),
    [
        ([1, 2], [1, 2], True),
        ([1, 2], [None, 2], True),
        ([None], [1], False),
        ([1], None, True),
        (None, [1], False),
        (None, None, True),
        ([1], [1, 2], False),
    ],
)
def test_a_shape_that_knows_more_is_a_subtype(shape, other, is_subtype):
    assert tf.TensorShape(shape).is_subtype_of(tf.TensorShape(other)) == is_subtype


def test_graphs_are_known_by_their_classes():
    concrete = tf.function(lambda x: x * 2.0).get_concrete_function(tf.constant(1.0))
    assert isinstance(concrete.graph, tf.Graph)
    assert all(isinstance(each, tf.Operation) for each in concrete.graph.get_operations())
    assert not isinstance(tf.constant(1.0), tf.Operation)
    with pytest.raises(TypeError, match=r"tf\.function"):
        tf.Graph()


def test_functions_are_compiled_by_their_older_names():
    pytest.importorskip("jax")
    (y,) = tf.xla.experimental.compile(lambda a, b: a * b, [tf.constant(2.0), tf.constant(3.0)])
    assert y == 6.0
    with pytest.raises(RuntimeError, match="jit_compile"):
        tf.xla.experimental.jit_scope().__enter__()


def test_a_block_that_xla_may_compile_changes_no_result():
    @tf.function
    def f(x):
        with tf.xla.experimental.jit_scope(compile_ops=True, separate_compiled_gradients=True):
            return x * x

    x = tf.constant(3.0)
    for _ in range(2):  # while it is recorded, and after that
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert (y, tape.gradient(y, x)) == (9.0, 6.0)


SOUND = np.array([[0.0, 0.5], [-1.0, 1.0], [2.0, -2.0]], np.float32)
HELD = np.array([[0.0, 0.5], [-1.0, 0.9999695], [0.9999695, -1.0]], np.float32)
BYTES = (  # of TensorFlow 2.21
    b"RIFF0\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00D\xac\x00\x00\x10\xb1\x02\x00\x04"
    b"\x00\x10\x00data\x0c\x00\x00\x00\x00\x00\x00@\x00\x80\xff\x7f\xff\x7f\x00\x80"
)


def test_sound_goes_into_bytes_and_back():
    assert tf.audio.encode_wav(SOUND, 44100).numpy() == BYTES
    found = tf.audio.decode_wav(BYTES)
    np.testing.assert_array_equal(found.audio, HELD)
    assert (found.sample_rate, found.sample_rate.dtype) == (44100, tf.int32)


def test_sound_is_cut_and_filled():
    def decoded(**options):
        return tf.audio.decode_wav(BYTES, **options).audio.numpy()

    np.testing.assert_array_equal(decoded(desired_channels=1), HELD[:, :1])
    np.testing.assert_array_equal(decoded(desired_samples=2), HELD[:2])
    np.testing.assert_array_equal(decoded(desired_samples=5)[3:], np.zeros((2, 2)))
    one = tf.audio.encode_wav([[0.0], [0.5]], 8000)
    both = tf.audio.decode_wav(one, desired_channels=2).audio
    np.testing.assert_array_equal(both, [[0, 0], [0.5, 0.5]])


@pytest.mark.parametrize("contents", [b"", b"abc", BYTES[:20], BYTES[:46], b"RIFX" + BYTES[4:]])
def test_what_is_no_sound_is_refused(contents):
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a WAV file"):
        tf.audio.decode_wav(contents)


@pytest.mark.parametrize("option", ["desired_channels", "desired_samples"])
def test_numbers_of_what_is_desired_are_checked(option):
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{option} must be >= -1, got -3"):
        tf.audio.decode_wav(BYTES, **{option: -3})
    with pytest.raises(TypeError, match=option):
        tf.audio.decode_wav(BYTES, **{option: [1, 2]})


@pytest.mark.parametrize(("shape", "rate"), [([1, 1], 0), ([1, 1], 2**31), ([1, 2**15], 1)])
def test_sound_that_a_header_cannot_describe_is_refused(shape, rate):
    with pytest.raises(tf.errors.InvalidArgumentError, match="sample_rate"):
        tf.audio.encode_wav(tf.zeros(shape), rate)


def test_sound_has_two_axes():
    with pytest.raises(tf.errors.InvalidArgumentError, match="2-dimensional"):
        tf.audio.encode_wav([0.0, 1.0], 8000)
