"""Losses of examples, weights and sizes that do not go together."""

import pytest

import cinta as tf

nn = tf.nn
LOSSES = tf.constant([1.0, 3.0])


@pytest.mark.parametrize(
    "weights", [[1.0, 2.0], [[1.0], [2.0]], tf.constant([1.0, 2.0], tf.float64)]
)
def test_weights_stand_beside_their_losses(weights):
    assert nn.compute_average_loss(LOSSES, weights) == 3.5


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0], [[1.0, 2.0]], [[[1.0]]]])
def test_other_weights_are_refused(weights):
    with pytest.raises(tf.errors.InvalidArgumentError):
        nn.compute_average_loss(LOSSES, weights)
    with pytest.raises(tf.errors.InvalidArgumentError):
        nn.compute_average_loss([[1.0, 3.0]], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("size", "error"),
    [(-1, tf.errors.InvalidArgumentError), ([10], ValueError), (10.0, TypeError)],
)
def test_the_size_of_a_batch_is_a_count(size, error):
    with pytest.raises(error, match="global_batch_size"):
        nn.compute_average_loss(LOSSES, global_batch_size=size)
    assert nn.compute_average_loss(LOSSES, global_batch_size=tf.constant(8)) == 0.5


def test_the_cross_entropy_has_the_shape_of_the_logits():
    row = tf.constant([1.0, 2.0, 3.0])
    loss = nn.softmax_cross_entropy_with_logits
    one = loss([1.0, 0.0, 0.0], row)
    assert loss([[[1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]], [row, row]).numpy().tolist() == [one] * 2
    assert loss([1.0, 0.0, 0.0], [row, row]).numpy().tolist() == [one] * 2
    assert loss([[1.0, 0.0, 0.0]], row).shape == ()
    for labels in ([[1.0, 0.0, 0.0]] * 2, [[1.0, 0.0]], [1.0, 0.0]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="broadcastable"):
            loss(labels, row)


@pytest.mark.parametrize("rate", [tf.constant([0.5]), [0.5], tf.constant(0.5, tf.float64)])
def test_the_rate_of_dropout_is_one_number_of_the_same_dtype(rate):
    with pytest.raises(ValueError, match="rate"):
        nn.dropout(LOSSES, rate)


def test_a_number_of_examples_that_is_not_whole_is_refused():
    with pytest.raises(TypeError, match=r"global_batch_size must be an int, got 10\.0"):
        nn.compute_average_loss([1.0, 2.0], global_batch_size=10.0)
