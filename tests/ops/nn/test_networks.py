"""Ops of networks: kinks, extremes, values kept in memory, errors."""

import numpy as np
import pytest
from scipy.special import erfc

import cinta as tf
from tests.shorthand import gradient

nn = tf.nn
InvalidArgument = tf.errors.InvalidArgumentError
INF = np.inf


# -- activations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "at", "slope"),
    [
        (nn.relu, 0.0, 0.0),
        (nn.relu6, 0.0, 0.0),
        (nn.relu6, 6.0, 0.0),
        (nn.leaky_relu, 0.0, 0.2),
        (nn.elu, 0.0, 1.0),
        (nn.selu, 0.0, 1.0507010),
        (nn.crelu, 0.0, 0.0),
        (nn.gelu, 0.0, 0.5),
        (nn.silu, 0.0, 0.5),
        (nn.softsign, 0.0, 1.0),
    ],
)
def test_slopes_at_kinks(function, at, slope):
    np.testing.assert_allclose(gradient(function, np.float32([at])), [slope], rtol=1e-6)


@pytest.mark.parametrize("function", [nn.relu, nn.relu6, nn.leaky_relu])
def test_second_derivatives_of_rectifiers_are_zero_and_not_none(function):
    x = tf.constant([-1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    np.testing.assert_array_equal(outer.gradient(slope, x), [0, 0])


@pytest.mark.parametrize("function", [nn.elu, nn.selu, nn.gelu, nn.silu, nn.softsign])
def test_tails_are_finite(function):
    values = function(tf.constant([-1e4, 1e4])).numpy()
    slopes = gradient(function, np.float32([-1e4, 1e4]))
    assert np.isfinite(values).all()
    assert np.isfinite(slopes).all()


def test_relu_keeps_nothing_but_its_result():
    x = tf.constant([-1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nn.relu(x)
    (record,) = tape._recorder
    assert record.saved is y._array


def test_what_takes_only_floats_refuses_ints():
    for function in (nn.elu, nn.selu, nn.silu, nn.softmax, nn.softsign, nn.l2_loss):
        with pytest.raises(InvalidArgument, match="Value for attr 'T' of int32"):
            function(tf.constant([1, 2]))
    with pytest.raises(ValueError, match="floating point tensor"):
        nn.gelu(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="alpha"):
        nn.leaky_relu([1.0], alpha=tf.constant(0.5))
    assert nn.leaky_relu([-1.0], alpha=np.float32(0.5)).numpy() == -0.5
    assert nn.relu(tf.constant([-1, 2])).dtype == tf.int32


def test_a_leaky_relu_has_its_usual_slope_where_none_is_given():
    assert nn.leaky_relu([-1.0], None).numpy().tolist() == nn.leaky_relu([-1.0]).numpy().tolist()


def test_a_swish_with_a_tensor_for_beta_is_differentiable_in_it():
    by_x, by_beta = gradient(nn.silu, np.float64([1.0, 2.0]), np.float64(0.0))
    np.testing.assert_allclose(by_x, [0.5, 0.5])
    np.testing.assert_allclose(by_beta, (1 + 4) / 4)


# -- softmax -----------------------------------------------------------------------------------


def test_softmax_of_huge_and_of_infinite_logits():
    np.testing.assert_array_equal(nn.softmax([1e4, -1e4, 1e4]), [0.5, 0, 0.5])
    np.testing.assert_array_equal(nn.log_softmax([0.0, -INF]), [0, -INF])
    for function in (nn.softmax, nn.log_softmax):
        assert np.isfinite(gradient(function, np.float32([0, -INF, 1]))).all()


def test_softmax_of_nothing_is_nothing():
    assert nn.softmax(tf.zeros([0, 3])).shape == (0, 3)
    assert gradient(nn.log_softmax, np.zeros((3, 0))).shape == (3, 0)


def test_softmax_needs_an_axis_that_is_there():
    for logits, axis in ((tf.constant(1.0), -1), (tf.ones([2]), 1)):
        with pytest.raises(InvalidArgument, match="axis"):
            nn.softmax(logits, axis)


# -- losses ------------------------------------------------------------------------------------


def test_sparse_and_dense_labels_give_the_same_loss_and_gradient():
    x = np.random.default_rng(0).standard_normal((5, 4))
    labels = np.array([0, 3, 1, 1, 2])
    dense = tf.constant(np.eye(4)[labels])
    by_number = gradient(lambda t: nn.sparse_softmax_cross_entropy_with_logits(labels, t), x)
    by_row = gradient(lambda t: nn.softmax_cross_entropy_with_logits(dense, t), x)
    np.testing.assert_allclose(by_number, by_row)


def test_cross_entropies_of_extreme_logits_are_finite():
    logits = np.float32([[1e4, -1e4, 0]])
    np.testing.assert_array_equal(
        nn.sparse_softmax_cross_entropy_with_logits([1], logits).numpy(), [2e4]
    )
    found = gradient(lambda x: nn.sigmoid_cross_entropy_with_logits(tf.ones_like(x), x), logits)
    np.testing.assert_allclose(found, [[0, -1, -0.5]])


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([0, 3], InvalidArgument, r"label value of 3 which is outside the valid range of \[0, 3\)"),
        ([-1, 0], InvalidArgument, "label value of -1"),
        ([0.0, 1.0], InvalidArgument, "Value for attr"),
        ([0], ValueError, "except for the last dimension"),
        ([[0], [1]], ValueError, "rank"),
        (None, ValueError, "must be provided"),
    ],
)
def test_labels_that_make_no_sense_are_refused(labels, error, message):
    with pytest.raises(error, match=message):
        nn.sparse_softmax_cross_entropy_with_logits(labels, tf.ones([2, 3]))


def test_losses_refuse_shapes_that_do_not_fit():
    with pytest.raises(InvalidArgument, match="must be broadcastable"):
        nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 4]))
    for loss in (nn.sigmoid_cross_entropy_with_logits, nn.log_poisson_loss):
        with pytest.raises(ValueError, match="must have the same shape"):
            loss(tf.ones([2]), tf.ones([3]))
    with pytest.raises(ValueError, match="at least rank 1"):
        nn.compute_average_loss(1.0)
    with pytest.raises(TypeError, match="global_batch_size"):
        nn.compute_average_loss([1.0], global_batch_size=1.5)


def test_the_average_loss_of_no_examples_is_zero():
    assert nn.compute_average_loss(tf.zeros([0])).numpy() == 0
    assert nn.compute_average_loss([1.0, 2.0], global_batch_size=0).numpy() == 0


def test_labels_are_broadcast_and_take_the_dtype_of_the_logits():
    loss = nn.softmax_cross_entropy_with_logits([1, 0], tf.zeros([3, 2], tf.float64))
    np.testing.assert_allclose(loss, np.full(3, np.log(2)))


def test_ctc_loss_sums_over_all_alignments():
    draw = np.random.default_rng(0).standard_normal((4, 1, 3))
    log_p = nn.log_softmax(draw).numpy()[:, 0]
    ways = np.stack(np.meshgrid(*[range(3)] * 4, indexing="ij"), -1).reshape(-1, 4)
    total = -INF
    for way in ways:
        collapsed = [c for c, before in zip(way, [-1, *way[:-1]], strict=True) if c != before]
        if [c for c in collapsed if c] == [1, 1]:
            total = np.logaddexp(total, log_p[range(4), way].sum())
    loss = nn.ctc_loss([[1, 1]], draw, label_length=[2], logit_length=[4])
    np.testing.assert_allclose(loss, [-total])


# -- normalization and dropout -----------------------------------------------------------------


def test_bias_add_refuses_biases_that_do_not_fit():
    x = tf.ones([2, 3])
    for bias, message in ((tf.ones([2]), "as many biases"), (tf.ones([3, 1]), "must be 1D")):
        with pytest.raises(InvalidArgument, match=message):
            nn.bias_add(x, bias)
    with pytest.raises(InvalidArgument, match="at least 2D"):
        nn.bias_add(x[0], tf.ones([3]))
    with pytest.raises(ValueError, match="data_format"):
        nn.bias_add(x, tf.ones([3]), data_format="XY")


def test_statistics_of_other_shapes_are_refused():
    shapes = [[3, 1], [], [0, 1], [1, 1], [0, 4, 4]]
    x, mean, variance, offset, scale = [tf.ones(shape) for shape in shapes]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0,1\] vs. \[0,4,4\]"):
        nn.batch_normalization(x, mean, variance, offset, scale, 0.1)


def test_batch_normalization_centers_and_scales():
    x = tf.constant(np.random.default_rng(0).standard_normal((50, 3)) * 4 + 7)
    mean, variance = nn.moments(x, [0])
    y = nn.batch_normalization(x, mean, variance, 1.0, 2.0, 0.0)
    np.testing.assert_allclose(tf.reduce_mean(y, 0), np.ones(3))
    np.testing.assert_allclose(tf.math.reduce_std(y, 0), np.full(3, 2.0))


def test_moments_of_complex_numbers_are_complex():
    mean, variance = nn.moments(tf.constant([1 + 2j, 3 - 1j], tf.complex64), [0])
    assert (mean.dtype, variance.dtype) == (tf.complex64, tf.complex64)
    assert (complex(mean.numpy()), complex(variance.numpy())) == (2 + 0.5j, 3.25)


def test_dropout_keeps_the_mean_and_passes_gradients_where_it_keeps():
    tf.random.set_seed(0)
    x = tf.ones([100_000])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nn.dropout(x, rate=0.25)
    assert set(np.unique(y)) == {np.float32(0), np.float32(1 / 0.75)}
    np.testing.assert_allclose(tf.reduce_mean(y), 1, atol=0.01)
    np.testing.assert_array_equal(tape.gradient(y, x), y)


def test_dropout_by_rows_and_without_a_rate():
    y = nn.dropout(tf.ones([200, 3]), rate=0.5, noise_shape=[None, 1]).numpy()
    assert (y == y[:, :1]).all()
    x = tf.ones([3])
    assert nn.dropout(x, rate=0) is x


@pytest.mark.parametrize("rate", [1.0, -0.1])
def test_dropout_refuses_a_rate_that_is_no_probability_to_drop(rate):
    with pytest.raises(ValueError, match="rate"):
        nn.dropout([1.0], rate)


def test_dropout_refuses_ints():
    with pytest.raises(ValueError, match="floating point"):
        nn.dropout(tf.constant([1, 2]), 0.5)


def test_local_response_normalization_takes_images():
    with pytest.raises(InvalidArgument, match="4-dimensional"):
        nn.local_response_normalization(tf.ones([3, 3]))


@pytest.mark.parametrize(("data_format", "axis"), [("NHWC", 3), ("NCHW", 1)])
def test_fused_batch_norm_normalizes_each_channel(data_format, axis):
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 3)).astype(np.float32)
    others = tuple(i for i in range(4) if i != axis)
    old, scale, offset = tf.zeros([3]), tf.fill([3], 2.0), tf.ones([3])
    normalize = tf.compat.v1.nn.fused_batch_norm
    count = x.size / 3
    y, mean, variance = normalize(
        x, scale, offset, old, old, data_format=data_format, exponential_avg_factor=0.25
    )
    np.testing.assert_allclose(np.mean(y, others), np.ones(3), atol=1e-5)
    np.testing.assert_allclose(np.std(y, others), np.full(3, 2), rtol=1e-2)
    np.testing.assert_allclose(mean, 0.25 * x.mean(others), rtol=1e-4)
    np.testing.assert_allclose(variance, 0.25 * x.var(others) * count / (count - 1), rtol=1e-4)
    given, *_ = normalize(
        x, scale, offset, old, old + 1.0, 0.0, data_format=data_format, is_training=False
    )
    np.testing.assert_allclose(given, 2 * x + 1, rtol=1e-5)
    with pytest.raises(InvalidArgument, match="dimensional"):
        normalize(x[0, 0], scale, offset)


def test_gelu_at_its_edges():
    x = np.array([np.inf, -0.0, 50.0, -50.0, 0.0, 1.0], np.float32)
    found = nn.gelu(np.tile(x, 50_000)).numpy()[:6]
    np.testing.assert_allclose(found, [np.inf, 0, 50, 0, 0, 0.8413447], rtol=1e-6)
    wide = np.linspace(-9, 9, 300_001, dtype=np.float32)
    expected = wide * 0.5 * erfc(-wide.astype(float) * np.sqrt(0.5))
    np.testing.assert_allclose(nn.gelu(wide).numpy(), expected, rtol=1e-5)
    slope = gradient(nn.gelu, np.zeros(300_000, np.float32))
    np.testing.assert_array_equal(slope, np.full(300_000, 0.5, np.float32))


@pytest.mark.parametrize("shift", [0.0, -50.0, 200.0, -1e4])
def test_softmax_and_cross_entropy_do_not_mind_where_logits_lie(shift):
    logits = np.random.default_rng(0).normal(size=(64, 100))
    labels = np.arange(64)
    for function in (nn.softmax, lambda x: nn.sparse_softmax_cross_entropy_with_logits(labels, x)):
        expected, slope = function(logits).numpy(), gradient(function, logits)
        np.testing.assert_allclose(function(logits + shift).numpy(), expected, rtol=1e-10)
        np.testing.assert_allclose(gradient(function, logits + shift), slope, atol=1e-10)
    masked = np.where(np.arange(100) % 2, logits, -1e9)
    assert nn.softmax(masked).numpy()[:, ::2].max() == 0


def test_layers_are_normalized_with_statistics_of_each_example():
    rows = np.random.default_rng(0).normal(size=(5, 3))
    x = tf.Variable(rows)
    scale, shift = tf.Variable([2.0, 3.0, 4.0], dtype="float64"), tf.Variable(np.zeros(3))
    with tf.GradientTape() as tape:
        mean, variance = nn.moments(x, [-1], keepdims=True)
        y = nn.batch_normalization(x, mean, variance, shift, scale, 1e-3)
    off = rows - rows.mean(1, keepdims=True)
    normed = off / np.sqrt((off**2).mean(1, keepdims=True) + 1e-3)
    np.testing.assert_allclose(y.numpy(), normed * [2, 3, 4], rtol=1e-12)
    _, of_scale, of_shift = tape.gradient(y, [x, scale, shift])
    np.testing.assert_allclose(of_scale.numpy(), normed.sum(0), atol=1e-12)
    np.testing.assert_allclose(of_shift.numpy(), [5, 5, 5])


def test_cross_entropy_of_nothing():
    for classes in (3, 0):
        labels, logits = tf.zeros([0], tf.int32), tf.zeros([0, classes])
        loss = nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        assert loss.shape == (0,)
