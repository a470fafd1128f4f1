"""Sizes for which no machine has room are refused before anything is made, whoever names them."""

import pytest

import cinta as tf
from cinta.engine import free_memory

HUGE = 2**50
BOXES, SCORES = tf.zeros([1, 2, 1, 4]), tf.zeros([1, 2, 1])
ROW = tf.SparseTensor([[0, 0]], [1], [HUGE, 2])


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.sequence_mask([HUGE]),
        lambda: tf.zeros([HUGE], tf.string),
        lambda: tf.linalg.diag([1.0], num_rows=2**40),
        lambda: tf.image.non_max_suppression_padded(
            BOXES[0, :, 0], SCORES[0, :, 0], HUGE, pad_to_max_output_size=True
        ),
        lambda: tf.image.combined_non_max_suppression(BOXES, SCORES, 10, 2**31),
        lambda: tf.image.combined_non_max_suppression(
            tf.zeros([2**15, 1, 1, 4]), tf.zeros([2**15, 1, 1]), 10, 2**31 - 1
        ),
        lambda: tf.math.sobol_sample(2560, 16384000000),
        lambda: tf.math.sobol_sample(2, HUGE),
        lambda: tf.math.sobol_sample(2, 2, HUGE),
        lambda: tf.math.sobol_sample(22222, 2),
        lambda: tf.image.crop_and_resize(
            tf.ones([1, 2, 2, 1]), [[0.0, 0.0, 1.0, 1.0]], [0], [2**30, 2**30]
        ),
        lambda: tf.image.resize(tf.ones([1, 2, 2, 1]), [2**30, 2**30], "nearest"),
        lambda: tf.signal.linear_to_mel_weight_matrix(20, HUGE),
        lambda: tf.signal.linear_to_mel_weight_matrix(HUGE, 20),
        lambda: tf.sparse.to_indicator(tf.SparseTensor([[0, 0]], [1], [1, 2]), HUGE),
        lambda: tf.sparse.eye(HUGE),
        lambda: tf.sparse.fill_empty_rows(ROW, 1),
        lambda: tf.random.learned_unigram_candidate_sampler([[1]], 1, 3, False, HUGE),
        lambda: tf.random.uniform_candidate_sampler([[1]], 1, HUGE, False, HUGE),
        lambda: tf.TensorArray(tf.float32, HUGE),
        lambda: tf.TensorArray(tf.float32, 1, dynamic_size=True).write(HUGE, 1.0),
        lambda: tf.initializers.Identity()([2**25, 2**25]),
        lambda: tf.io.decode_raw(b"ab", tf.uint8, fixed_length=HUGE),
        lambda: next(iter(tf.data.Dataset.range(2**60).batch(HUGE))),
        lambda: next(
            iter(tf.data.Dataset.from_tensors([1.0]).padded_batch(1, padded_shapes=[HUGE]))
        ),
    ],
)
def test_what_no_machine_has_room_for(call):
    with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
        call()


def test_what_does_not_fit_into_free_memory(monkeypatch):
    monkeypatch.setattr(free_memory, "free_memory", lambda: 10**9)
    free_memory.check_memory("Fill", (10**8,), 8)
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"1\.6 GB, and 1\.0 GB are"):
        free_memory.check_memory("Fill", (2, 10**8), 8)
    monkeypatch.setattr(free_memory, "free_memory", lambda: None)
    free_memory.check_memory("Fill", (2, 10**8), 8)


def test_skipping_takes_little_memory():
    elements = tf.data.Dataset.range(300_000).skip(200_000)
    assert next(iter(elements)).numpy() == 200_000
