"""Random numbers: those of TensorFlow from the same seeds, and as the distributions say."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from scipy.stats import gamma, truncnorm

import cinta as tf
from cinta.engine import parallel
from cinta.errors import InvalidArgumentError, UnimplementedError
from cinta.ops.random import philox
from cinta.ops.random.permutation import exchanged
from tests.ops.random.random_cases import draws
from tests.references import REFERENCES
from tests.shorthand import refuses

SOURCE = REFERENCES.parents[1] / "src"
REFERENCE = np.load(REFERENCES / "random_reference.npz")
# The bits are the same. Where a function of a C library turns them into a number, its last bit may
# not be ours, and adding a mean or dividing by a rate may carry that on.
ULPS = {"float32": 4, "float64": 16}


def test_the_numbers_are_those_of_tensorflow():
    seen = set()
    for name, value in draws(tf):
        seen.add(name)
        expected = REFERENCE[name]
        assert value.dtype == expected.dtype, name
        if value.dtype.name not in ULPS or "bfloat16" in name:
            np.testing.assert_array_equal(value, expected, err_msg=name)
        else:
            scale = np.maximum(np.abs(expected), 1.0)
            error = np.abs(value - expected) / scale / np.finfo(value.dtype).eps
            assert error.max(initial=0) <= ULPS[value.dtype.name], name
    assert seen == set(REFERENCE.files)


def test_philox_gives_the_published_vectors():
    """The known answers of the authors' own implementation for 4x32 words and ten rounds."""
    ones = 2**64 - 1
    for key, counter, expected in (
        (0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (ones, ones | ones << 64, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            0x299F31D0A4093822,
            0x0370734413198A2E85A308D3243F6A88,
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ):
        even, odd = philox.random_words(key, counter, np.zeros(1, np.uint64))
        got = [int(even[0, 0]), int(odd[0, 0]), int(even[1, 0]), int(odd[1, 0])]
        assert " ".join(f"{word:08x}" for word in got) == expected


def test_a_counter_carries_over_64_bits():
    counter = (7 << 64) + 2**64 - 2
    together = philox.random_words(1, counter, np.arange(4, dtype=np.uint64))
    for i in range(4):
        alone = philox.random_words(1, counter + i, np.zeros(1, np.uint64))
        for many, one in zip(together, alone, strict=True):
            np.testing.assert_array_equal(many[:, i], one[:, 0])


def test_large_draws_are_the_same_whether_shared_by_threads_or_not(monkeypatch):
    key = {"counter": np.array([3, 4], "uint64"), "key": np.array([5], "uint64"), "alg": 1}
    shared = tf.raw_ops.StatelessRandomNormalV2(shape=[2_000_003], **key).numpy()
    monkeypatch.setattr(parallel, "threads", lambda: 1)
    alone = tf.raw_ops.StatelessRandomNormalV2(shape=[2_000_003], **key).numpy()
    np.testing.assert_array_equal(shared, alone)


def test_without_seeds_every_run_differs():
    code = "import cinta as tf; print(tf.random.uniform([4], dtype=tf.float64).numpy().tolist())"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    runs = {subprocess.check_output(command, env=environment) for _ in range(2)}
    assert len(runs) == 2
    assert not np.array_equal(tf.random.normal([4]).numpy(), tf.random.normal([4]).numpy())


def test_threads_never_draw_the_same_numbers():
    tf.random.set_seed(1)
    found = []

    def work():
        found.extend(float(tf.random.uniform([], seed=3, dtype=tf.float64)) for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 200
    tf.random.set_seed(1)
    again = {float(tf.random.uniform([], seed=3, dtype=tf.float64)) for _ in range(200)}
    assert set(found) == again


# -- distributions -----------------------------------------------------------------------------


def test_moments():
    tf.random.set_seed(3)
    n = 200_000
    for sample, mean, variance in (
        (tf.random.normal([n], 2.0, 3.0), 2.0, 9.0),
        (tf.random.uniform([n], -1.0, 3.0), 1.0, 16 / 12),
        (tf.random.truncated_normal([n]), 0.0, 0.7737),
        (tf.random.gamma([n], 0.3, 2.0), 0.15, 0.075),
        (tf.random.gamma([n], 4.0), 4.0, 4.0),
        (tf.random.poisson([n], 3.0), 3.0, 3.0),
        (tf.random.poisson([n], 50.0), 50.0, 50.0),
        (tf.cast(tf.random.categorical([[0.0, 0.0]], n), tf.float32), 0.5, 0.25),
    ):
        values = sample.numpy().astype(np.float64)
        bound = 6 * np.sqrt(variance / n)
        assert abs(values.mean() - mean) < bound
        assert abs(values.var() - variance) < 0.05 * variance


def test_a_shuffle_moves_every_row_to_every_place():
    places = np.zeros((4, 4))
    for seed in range(400):
        places[np.arange(4), tf.random.shuffle(np.arange(4), seed=seed).numpy()] += 1
    assert places.min() > 60


@pytest.mark.parametrize("shape", [[], [0], [3, 0, 2], [2, 1]])
def test_shapes(shape):
    for draw in (tf.random.normal, tf.random.uniform, tf.random.truncated_normal):
        assert draw(shape).shape == shape
    assert tf.random.gamma(shape, [1.0, 2.0]).shape == [*shape, 2]
    assert tf.random.poisson(shape, [1.0, 2.0]).shape == [*shape, 2]


# -- gradients ---------------------------------------------------------------------------------


def test_gradients_flow_to_parameters_and_samples_are_constant():
    mean, deviation = tf.Variable(1.0), tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        x = tf.random.normal([4, 2], mean, deviation)
    by_mean, by_deviation = tape.gradient(x, [mean, deviation])
    assert by_mean.numpy() == 8.0
    np.testing.assert_allclose(
        by_deviation.numpy(), ((x - 1.0) / deviation).numpy().sum(0), rtol=1e-5
    )
    low, high = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        x = tf.random.uniform([100], low, high)
    by_low, by_high = tape.gradient(x, [low, high])
    np.testing.assert_allclose((by_low + by_high).numpy(), 100.0, rtol=1e-5)


def test_what_has_no_gradient_gives_none():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        targets = [
            tf.random.shuffle(x) * 1.0,
            tf.random.poisson([2], x),
            tf.cast(tf.random.categorical([x], 2), tf.float32),
        ]
    assert [tape.gradient(target, x) for target in targets] == [None] * 3


def test_gamma_moves_with_its_parameters_at_a_fixed_quantile():
    alpha = tf.constant([0.3, 1.0, 2.5, 30.0], tf.float64)
    beta = tf.constant(2.0, tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([alpha, beta])
        x = tf.random.stateless_gamma([5, 4], [1, 2], alpha, beta, tf.float64)
        one = x[2]
    step = 1e-6
    a, quantile = alpha.numpy(), gamma.cdf(one.numpy() * 2.0, alpha.numpy())
    slope = (gamma.ppf(quantile, a + step) - gamma.ppf(quantile, a - step)) / (2 * step) / 2.0
    np.testing.assert_allclose(tape.gradient(one, alpha).numpy(), slope, rtol=1e-4)
    np.testing.assert_allclose(tape.gradient(x, beta).numpy(), -x.numpy().sum() / 2.0)


# -- generators and errors ---------------------------------------------------------------------


def test_a_generator_goes_on_where_its_state_says():
    g = tf.random.Generator.from_seed(1)
    state = g.state.numpy()
    first = g.normal([3]).numpy()
    copy = tf.random.Generator(copy_from=g)
    np.testing.assert_array_equal(copy.normal([3]).numpy(), g.normal([3]).numpy())
    g.reset(state)
    np.testing.assert_array_equal(g.normal([3]).numpy(), first)
    assert not g.state.trainable
    assert tf.random.get_global_generator() is tf.random.get_global_generator()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.random.uniform([2], dtype=tf.int32), ValueError, "Must specify maxval"),
        (lambda: tf.random.uniform([2], 3, 3, tf.int32), InvalidArgumentError, "minval < maxval"),
        (lambda: tf.random.uniform([2], [1, 2], 3, tf.int32), InvalidArgumentError, "0-D"),
        (lambda: tf.random.uniform([2], 0, 3, tf.int8), ValueError, "Accepted dtypes"),
        (lambda: tf.random.normal(3), InvalidArgumentError, "must be a vector"),
        (lambda: tf.random.normal([-1]), InvalidArgumentError, "must be >= 0"),
        (lambda: tf.random.normal([2], mean=tf.constant(1)), ValueError, "requested dtype float32"),
        (lambda: tf.random.categorical([0.0], 1), InvalidArgumentError, "should be a matrix"),
        (lambda: tf.random.categorical([[0.0]], -1), InvalidArgumentError, "non-negative"),
        (lambda: tf.random.stateless_normal([2], [1, 2, 3]), InvalidArgumentError, "shape [2]"),
        (lambda: tf.random.stateless_normal([2], [1.0, 2.0]), InvalidArgumentError, "Tseed"),
        (lambda: tf.random.stateless_normal([2], [1, 2], alg="x"), ValueError, "philox"),
        (
            lambda: tf.random.stateless_normal([2], [1, 2], alg="threefry"),
            UnimplementedError,
            "alg='philox'",
        ),
        (lambda: tf.random.stateless_gamma([2], [1, 2], [1.0] * 3), InvalidArgumentError, "end"),
        (lambda: tf.random.Generator.from_state([1, 2], "philox"), ValueError, "incompatible"),
        (lambda: tf.random.set_seed("a"), TypeError, "Expected int"),
        (lambda: tf.random.normal(None), ValueError, "got None"),
        (lambda: tf.random.normal([2], dtype=tf.int32), TypeError, "Accepted dtypes"),
        (lambda: tf.random.normal([2], dtype=tf.complex64), InvalidArgumentError, "Accepted"),
        (lambda: tf.random.gamma(2, 1.0), InvalidArgumentError, "must be a vector"),
        (lambda: tf.random.gamma([2], [1.0] * 2, [1.0] * 3), InvalidArgumentError, "[2] vs. [3]"),
        (lambda: tf.random.poisson(2, 1.0), InvalidArgumentError, "must be a vector"),
        (lambda: tf.random.poisson([2], 1.0, tf.uint8), InvalidArgumentError, "`dtype`"),
        (lambda: tf.random.poisson([2], tf.constant(True)), InvalidArgumentError, "`lam`"),
        (lambda: tf.random.categorical([[True]], 1), InvalidArgumentError, "not in the list"),
        (
            lambda: tf.random.Generator.from_seed(1).uniform([2], None),
            ValueError,
            "minval must be a number",
        ),
        (
            lambda: tf.random.Generator.from_seed(1).uniform_full_int([2], tf.float32),
            InvalidArgumentError,
            "Accepted",
        ),
        (
            lambda: tf.random.Generator.from_seed(1).uniform([2], dtype=tf.bool),
            TypeError,
            "bool",
        ),
        (lambda: tf.random.Generator(), AssertionError, "from_seed"),
        (lambda: tf.random.split([1.0, 2.0]), ValueError, "two whole numbers"),
        (
            lambda: tf.random.stateless_gamma([2], [1, 2], 1.0, dtype=tf.bfloat16),
            InvalidArgumentError,
            "bfloat16",
        ),
        (lambda: tf.random.gamma([2], 1.0, dtype=tf.bfloat16), ValueError, "bfloat16"),
    ],
)
def test_errors(call, error, words):
    refuses(call, error, words)


def test_a_generator_that_is_reset_goes_on_as_a_new_one_starts():
    generator = tf.random.Generator.from_seed(1)
    generator.normal([3])
    generator.reset_from_seed(7)
    fresh = tf.random.Generator.from_seed(7)
    np.testing.assert_array_equal(generator.normal([3]), fresh.normal([3]))
    generator.reset_from_key_counter(5, [2, 0])
    fresh = tf.random.Generator.from_key_counter(5, [2, 0], "philox")
    np.testing.assert_array_equal(generator.normal([3]), fresh.normal([3]))


# -- bounds, candidates, places ------------------------------------------------------------------


def test_numbers_between_bounds_move_with_their_parameters_at_a_fixed_quantile():
    parameters = [np.array(p) for p in ([0.0, 1.0], [1.0, 2.0], [-np.inf, 0.5], [1.5, 4.0])]
    variables = [tf.Variable(p) for p in parameters]
    with tf.GradientTape() as tape:
        x = tf.random.stateless_parameterized_truncated_normal([30, 2], [1, 2], *variables)

    def at(quantile, mean, deviation, low, high):
        scaled = (low - mean) / deviation, (high - mean) / deviation
        return truncnorm.ppf(quantile, *scaled, mean, deviation)

    mean, deviation, low, high = parameters
    scaled = (low - mean) / deviation, (high - mean) / deviation
    quantile, step = truncnorm.cdf(x.numpy(), *scaled, mean, deviation), 1e-6
    for i, slope in enumerate(tape.gradient(x, variables)):
        above, below = ([p + s * (k == i) for k, p in enumerate(parameters)] for s in (step, -step))
        expected = (at(quantile, *above) - at(quantile, *below)) / (2 * step)
        np.testing.assert_allclose(slope.numpy(), expected.sum(0), rtol=1e-4, atol=1e-7)


def test_no_numbers_between_bounds():
    draw = tf.random.stateless_parameterized_truncated_normal
    assert draw([0, 2], [1, 2], [0.0, 1.0]).shape == [0, 2]
    for mean, deviation, low, high in (
        (0.0, -1.0, -2.0, 2.0),
        (0.0, 1.0, 2.0, 2.0),
        (0.0, 1.0, -np.inf, np.inf),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid parameters"):
            draw([3], [1, 2], mean, deviation, low, high)


@pytest.mark.parametrize("largest", [0, 1, 9, 300, 5000])
def test_an_index_shuffle_is_a_permutation(largest):
    index = np.arange(largest + 1)
    shuffled = tf.random.experimental.index_shuffle(index, [1, 2], np.int64(largest)).numpy()
    np.testing.assert_array_equal(np.sort(shuffled), index)


def test_index_shuffle_takes_a_seed_for_each_index():
    shuffle = tf.random.experimental.index_shuffle
    together = shuffle([3, 4], [[1, 2], [3, 4]], 9).numpy()
    np.testing.assert_array_equal(together, [shuffle(3, [1, 2], 9), shuffle(4, [3, 4], 9)])
    for index, seed, largest in ((10, [1, 2], 9), (0, [1, 2], -1), ([[1]], [1, 2], 9), (1, [1], 9)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            shuffle(index, seed, largest)


def test_a_sampler_learns_until_the_seed_is_set():
    def draw():
        return tf.random.learned_unigram_candidate_sampler([[2]], 1, 1, True, 4, seed=1)

    tf.random.set_seed(1)
    expected = [float(draw().true_expected_count.numpy().item()) for _ in range(3)]
    np.testing.assert_allclose(expected, [1 / 4, 2 / 5, 3 / 6], rtol=1e-6)
    tf.random.set_seed(1)
    assert float(draw().true_expected_count.numpy().item()) == expected[0]


def test_a_file_of_weights_must_be_there(tmp_path):
    draw = tf.random.fixed_unigram_candidate_sampler
    with pytest.raises(tf.errors.NotFoundError, match=r"none; .*FixedUnigramCandidateSampler"):
        draw([[0]], 1, 4, False, 2, vocab_file=str(tmp_path / "none"))


def test_weights_of_candidates_may_come_from_a_file(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("the,3\nof,1\n")
    draw = tf.random.fixed_unigram_candidate_sampler
    drawn = draw([[0]], 1, 4, False, 2, vocab_file=str(file), seed=1)
    np.testing.assert_array_equal(drawn.true_expected_count, [[3.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="one of"):
        draw([[0]], 1, 4, False, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="weights size 1"):
        draw([[0]], 1, 4, False, 2, unigrams=[1.0])


@pytest.mark.parametrize(
    ("true_classes", "count", "words"),
    [
        ([1], 2, "matrix"),
        ([[1, 2]], 2, "1 columns"),
        ([[9]], 2, "out of range"),
        ([[1]], 9, "small"),
    ],
)
def test_samplers_check_what_they_are_given(true_classes, count, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.random.uniform_candidate_sampler(true_classes, 1, count, True, 5)


def test_exchanges_give_what_they_give_one_after_the_other():
    rng = np.random.default_rng(0)
    for size in (2, 3, 10, 1000):
        left = np.arange(size, 1, -1)
        for distances in (rng.integers(0, left), 0 * left, left - 1):
            order = list(range(size))
            for i, distance in enumerate(distances.tolist()):
                order[i], order[i + distance] = order[i + distance], order[i]
            np.testing.assert_array_equal(exchanged(distances.astype(np.uint32)), order)
