"""Saved functions that decide by sizes, and results whose lengths values decide."""

import pytest

import cinta as tf
from tests.saved_model.test_saved_model_sizes import assert_close, assert_gradients_close, reloaded


def by_python(x):
    if tf.shape(x)[0] > 10:
        return x * 2.0
    return x * 3.0


@pytest.mark.parametrize(
    "function",
    [
        by_python,
        lambda x: tf.cond(tf.shape(x)[0] > 10, lambda: x * 2.0, lambda: x * 3.0),
        lambda x: tf.where(tf.shape(x)[0] > 10, x * 2.0, x * 3.0),
        lambda x: x * tf.cast(tf.minimum(tf.size(x), 10), tf.float32),
        lambda x: x * tf.cast(tf.size(x) // 2, tf.float32),
        lambda x: x * tf.cast(tf.shape(x)[0] % 4 == 0, tf.float32),
        lambda x: x[: tf.shape(x)[0] - 1],
        lambda x: (
            tf.sqrt(tf.cast(tf.shape(x), tf.float32)) * tf.cast(tf.size(x) * 2 + 1, tf.float32)
        ),
    ],
)
def test_sizes_are_measured_in_each_call(tmp_path, function):
    f = reloaded(tmp_path, function, [None])
    for n in (1, 2, 9, 10, 11, 64, 100, 1000):
        x = tf.random.stateless_normal([n], [n, 0])
        assert_close(f(x), function(x))


def to_a_multiple(x):
    n = tf.shape(x)[0]
    more = (-n) % 8
    rows = tf.reshape(tf.pad(x, [[0, more]]), [-1, 8])
    return rows, tf.reshape(rows, [n + more])[:n]


def in_frames(x):
    count = tf.shape(x)[0] // 4
    return tf.reduce_sum(tf.reshape(x[: count * 4], [count, 4]), 1)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[: tf.shape(x)[0] // 2] * 2.0,
        lambda x: x[: tf.minimum(tf.shape(x)[0], 100)],
        lambda x: tf.pad(x, [[0, tf.maximum(0, 10 - tf.shape(x)[0])]])[:10],
        lambda x: tf.math.top_k(x, (tf.shape(x)[0] + 1) // 2).values,
        lambda x: tf.split(x, [tf.shape(x)[0] // 3, tf.shape(x)[0] - tf.shape(x)[0] // 3]),
        lambda x: tf.roll(x, tf.cast(tf.sqrt(tf.cast(tf.size(x), tf.float32)), tf.int32), 0),
        to_a_multiple,
        in_frames,
    ],
)
def test_numbers_made_of_sizes_are_arguments(tmp_path, function):
    f = reloaded(tmp_path, function, [None])
    for n in (0, 1, 2, 3, 8, 9, 10, 11, 64, 100, 101, 1000):
        x = tf.random.stateless_normal([n], [n, 0])
        assert_close(f(x), function(x))


def in_the_middle(x):
    height, width = tf.shape(x)[0], tf.shape(x)[1]
    side = tf.minimum(height, width)
    return tf.image.crop_to_bounding_box(x, (height - side) // 2, (width - side) // 2, side, side)


def to_a_shorter_side(x):
    lengths = tf.cast(tf.shape(x)[:2], tf.float32)
    factor = 6.0 / tf.reduce_min(lengths)
    return tf.image.resize(x, tf.cast(tf.round(lengths * factor), tf.int32))


@pytest.mark.parametrize("function", [in_the_middle, to_a_shorter_side])
def test_images_are_cut_and_scaled_by_their_sizes(tmp_path, function):
    f = reloaded(tmp_path, function, [None, None, 2])
    for shape in ((1, 1, 2), (3, 5, 2), (5, 3, 2), (8, 8, 2), (30, 7, 2)):
        x = tf.random.stateless_normal(shape, [1, 0])
        assert_close(f(x), function(x))


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: tf.abs(tf.signal.stft(x, 8, 3)), [None]),
        (lambda x: tf.abs(tf.signal.stft(x, 8, 3, pad_end=True)), [None, None]),
        (lambda x: tf.image.central_crop(x, 0.6), [None, None, 3]),
        (lambda x: tf.image.resize_with_crop_or_pad(x, 6, 5), [None, None, 3]),
    ],
)
def test_numbers_that_ops_make_of_lengths(tmp_path, function, shape):
    f = reloaded(tmp_path, function, shape)
    for n in (*range(1, 15), 33, 100):
        x = tf.random.stateless_normal([n if size is None else size for size in shape], [n, 0])
        assert_close(f(x), function(x))


@pytest.mark.parametrize(
    "function",
    [
        tf.math.bincount,
        lambda x: tf.math.bincount(x, minlength=4, maxlength=4),
        lambda x: tf.cast(tf.sequence_mask(x), tf.int32),
    ],
)
def test_values_decide_how_many_are_counted(tmp_path, function):
    module = tf.Module()
    module.f = tf.function(function, input_signature=[tf.TensorSpec([None], tf.int32)])
    tf.saved_model.save(module, tmp_path)
    f = tf.saved_model.load(tmp_path).f
    for x in ([0], [3, 1], [1, 1, 7, 2, 5], [*range(40)]):
        assert_close(f(tf.constant(x)), function(tf.constant(x)))


def test_what_is_exported_to_onnx_does_not_look_at_numbers(tmp_path):
    pytest.importorskip("onnx")
    half = tf.function(lambda x: x[: tf.shape(x)[0] // 2], input_signature=[tf.TensorSpec([None])])
    with pytest.raises(ValueError, match="a number made of sizes"):
        tf.export.to_onnx(half, str(tmp_path / "model.onnx"))


def by_counting(x):
    found, i = tf.zeros([]), tf.constant(0)
    while i < tf.shape(x)[0]:
        found = found * 0.5 + x[i]
        i += 1
    return found


def by_a_range(x):
    found = tf.zeros([])
    for i in tf.range(tf.shape(x)[0]):
        found = found * 0.5 + tf.gather(x, i)
    return found


def by_a_while_loop(x):
    def turn(i, found):
        return i + 1, found * 0.5 + tf.gather(x, i)

    return tf.while_loop(lambda i, _: i < tf.size(x), turn, (tf.constant(0), tf.zeros([])))[1]


@pytest.mark.parametrize("function", [by_counting, by_a_range, by_a_while_loop])
@pytest.mark.parametrize("first", [1, 5])
def test_loops_go_over_as_many_elements_as_there_are(tmp_path, function, first):
    f = reloaded(tmp_path, function, [None])
    for n in (first, 1, 2, 3, 8, 100):
        x = tf.random.stateless_normal([n], [n, 2])
        assert_close(f(x), function(x))


def by_a_static_shape(x):
    return x * 2.0 if x.shape[0] > 10 else x * 3.0


def by_a_bound_that_is_out_of_reach(x):
    return tf.sin(x)[: tf.minimum(tf.shape(x)[0], 1 << 20)]


@pytest.mark.parametrize("function", [by_a_static_shape, by_a_bound_that_is_out_of_reach])
def test_what_goes_another_way_for_large_sizes_is_never_wrong(tmp_path, function):
    with pytest.raises(ValueError, match="unknown dimensions"):
        reloaded(tmp_path, function, [None])


def masked(x):
    kept = tf.boolean_mask(x, x > 0)
    large = tf.boolean_mask(kept, kept > 1)
    share = tf.cast(tf.size(large), tf.float32) / tf.cast(tf.size(kept), tf.float32)
    return kept * 2.0, tf.concat([kept, large], 0), share, tf.ones([tf.size(kept), 2])


@pytest.mark.parametrize(
    "function",
    [
        masked,
        lambda x: tf.where(x > 0),
        lambda x: tf.unique(tf.round(x)),
        lambda x: tf.unique_with_counts(tf.round(x)).count,
        lambda x: tf.reshape(tf.boolean_mask(x, x > 0), [-1, 1]),
        lambda x: x[: tf.size(tf.boolean_mask(x, x > 0))],
        lambda x: tf.gather_nd(x * 2.0, tf.where(x > 0)),
    ],
)
def test_values_decide_lengths_in_each_call(tmp_path, function):
    f = reloaded(tmp_path, function, [None])
    for n in (1, 2, 7, 30):
        for x in (tf.random.stateless_normal([n], [n, 0]), tf.ones([n]) * 2.0):
            assert_close(f(x), function(x))


def test_gradients_go_through_them(tmp_path):
    def function(x):
        kept = tf.boolean_mask(x, x > 0)
        return tf.reduce_sum(kept**3) / tf.cast(tf.size(kept), tf.float32)

    f = reloaded(tmp_path, function, [None])
    for n in (3, 8):
        assert_gradients_close(f, function, tf.random.stateless_normal([n], [n, 1]))


def test_they_are_saved_again(tmp_path):
    f = reloaded(tmp_path / "one", lambda x: tf.boolean_mask(x, x > 0) + 1.0, [None])
    module = tf.Module()
    module.f = f
    tf.saved_model.save(module, tmp_path / "two")
    again = tf.saved_model.load(tmp_path / "two").f
    assert again(tf.constant([1.0, -1.0, 3.0])).numpy().tolist() == [2.0, 4.0]


def test_variables_are_assigned_once_in_a_call(tmp_path):
    class Counting(tf.Module):
        def __init__(self):
            self.total = tf.Variable(0.0)

        @tf.function(input_signature=[tf.TensorSpec([None])])
        def add(self, x):
            self.total.assign_add(1.0)
            kept = tf.boolean_mask(x, x > 0)
            self.total.assign_add(tf.cast(tf.size(kept), tf.float32))
            return self.total + 0.0

    tf.saved_model.save(Counting(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert [float(loaded.add(tf.constant(x))) for x in ([1.0], [-1.0, 1.0, 1.0])] == [2.0, 5.0]


def test_a_way_that_no_example_took_is_refused_in_a_call(tmp_path):
    def function(x):
        kept = tf.boolean_mask(x, x > 0)
        if tf.size(kept) == 0:
            return tf.constant(-1.0)
        return tf.reduce_mean(kept)

    f = reloaded(tmp_path, function, [None])
    assert float(f(tf.constant([3.0, -1.0]))) == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="another way"):
        f(tf.constant([-1.0]))


def test_lengths_that_do_not_go_together_are_refused_in_a_call(tmp_path):
    """Two masks may keep as many elements as each other, or not."""

    def function(x):
        return tf.boolean_mask(x, x > 0) + tf.boolean_mask(x, x < 0)

    f = reloaded(tmp_path, function, [None])
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant([1.0, -1.0, 2.0]))
