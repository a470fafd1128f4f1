"""Rarer parts of networks: decoding, lookups of many rows, odd pooling, odd dropout."""

import itertools

import numpy as np
import pytest

import cinta as tf

nn = tf.nn
InvalidArgument = tf.errors.InvalidArgumentError
FailedPrecondition = tf.errors.FailedPreconditionError


# -- labels of sequences -----------------------------------------------------------------------

SCORES = np.random.default_rng(0).normal(size=(5, 2, 3)).astype(np.float32)


def collapsed(frames, blank):
    """The labels that frames show."""
    return tuple(label for label, _ in itertools.groupby(frames) if label != blank)


def decoded(sparse, count):
    """The rows of a sparse matrix of labels."""
    rows = [[] for _ in range(count)]
    for (row, _), label in zip(sparse.indices.numpy(), sparse.values.numpy(), strict=True):
        rows[row].append(int(label))
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("blank", [None, 0, 1, -1])
def test_the_greedy_decoder_takes_the_best_of_each_frame(blank):
    (labels,), totals = nn.ctc_greedy_decoder(SCORES, [5, 3], blank_index=blank)
    best = SCORES.argmax(2)
    shown = [best[:5, 0].tolist(), best[:3, 1].tolist()]
    of = 2 if blank is None else blank % 3
    assert decoded(labels, 2) == [collapsed(frames, of) for frames in shown]
    expected = [-SCORES[:5, 0].max(1).sum(), -SCORES[:3, 1].max(1).sum()]
    np.testing.assert_allclose(totals.numpy()[:, 0], expected, rtol=1e-6)


def test_the_greedy_decoder_keeps_repeats_if_told():
    frames = tf.one_hot([[1], [1], [2], [1]], 3)
    (labels,), _ = nn.ctc_greedy_decoder(frames, [4], merge_repeated=False)
    assert decoded(labels, 1) == [(1, 1, 1)]


def test_the_beam_search_finds_the_likeliest_labels_of_all():
    logs = np.log(tf.nn.softmax(SCORES[:, 0]).numpy())
    chances = {}
    for frames in itertools.product(range(3), repeat=5):
        path = logs[np.arange(5), frames].sum()
        labels = collapsed(frames, 2)
        chances[labels] = np.logaddexp(chances.get(labels, -np.inf), path)
    best = sorted(chances, key=chances.get, reverse=True)[:4]
    paths, found = nn.ctc_beam_search_decoder(SCORES[:, :1], [5], top_paths=4)
    assert [decoded(path, 1)[0] for path in paths] == best
    np.testing.assert_allclose(found.numpy()[0], [chances[k] for k in best], rtol=1e-5)


def test_a_narrow_beam_may_miss_and_never_gains():
    _, wide = nn.ctc_beam_search_decoder(SCORES, [5, 5])
    _, narrow = nn.ctc_beam_search_decoder(SCORES, [5, 5], beam_width=1)
    assert np.all(narrow.numpy() <= wide.numpy())


def test_decoding_is_not_differentiated():
    x = tf.constant(SCORES)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, totals = nn.ctc_greedy_decoder(x, [5, 3])
    assert tape.gradient(totals, x) is None


@pytest.mark.parametrize("decoder", [nn.ctc_greedy_decoder, nn.ctc_beam_search_decoder])
def test_decoders_refuse(decoder):
    for scores, lengths, error in (
        (SCORES, [6, 1], FailedPrecondition),
        (SCORES, [5], FailedPrecondition),
        (SCORES[0], [5, 5], InvalidArgument),
    ):
        with pytest.raises(error):
            decoder(scores, lengths)
    with pytest.raises(InvalidArgument, match="blank_index"):
        nn.ctc_greedy_decoder(SCORES, [5, 5], blank_index=3)
    with pytest.raises(InvalidArgument, match="beam width"):
        nn.ctc_beam_search_decoder(SCORES, [5, 5], beam_width=2, top_paths=3)


def test_labels_are_counted_and_merged():
    different, places = nn.ctc_unique_labels([[3, 1, 3, 0], [2, 2, 2, 1]])
    assert different.numpy().tolist() == [[3, 1, 0, 0], [2, 1, 0, 0]]
    assert places.numpy().tolist() == [[0, 1, 0, 2], [0, 0, 0, 1]]
    merged, lengths = nn.collapse_repeated([[1, 1, 2, 2, 1], [3, 3, 3, 0, 0]], [5, 3])
    assert merged.numpy().tolist() == [[1, 2, 1], [3, 0, 0]]
    assert lengths.numpy().tolist() == [3, 1]


SPARSE_LABELS = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 1, 2], [2, 2])


def test_sparse_labels_have_the_loss_of_dense_ones():
    for blank, time_major in ((0, True), (-3, True), (0, False)):
        logits = SCORES if time_major else SCORES.transpose(1, 0, 2)
        loss = nn.ctc_loss(SPARSE_LABELS, logits, None, [5, 3], time_major, blank_index=blank)
        expected = nn.ctc_loss([[1, 1], [2, 0]], SCORES, [2, 1], [5, 3])
        np.testing.assert_allclose(loss, expected)


def test_too_few_frames_for_sparse_labels_cost_infinity_and_have_no_gradient():
    x = tf.constant(SCORES)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = nn.ctc_loss(SPARSE_LABELS, x, None, [2, 3], blank_index=0)  # 1, blank, 1 needs 3
    assert np.isinf(loss.numpy()).tolist() == [True, False]
    gradient = tape.gradient(loss, x).numpy()
    assert not gradient[:, 0].any()
    assert np.isfinite(gradient).all()
    assert gradient[:, 1].any()


def test_the_blank_must_be_a_class():
    with pytest.raises(InvalidArgument, match="blank_index"):
        nn.ctc_loss([[1, 1], [2, 0]], SCORES, [2, 1], [5, 3], blank_index=SCORES.shape[-1])


def test_sparse_labels_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="blank_index"):
        nn.ctc_loss(SPARSE_LABELS, SCORES, None, [5, 3])
    with pytest.raises(InvalidArgument, match="nonnegative"):
        nn.ctc_loss(SPARSE_LABELS, SCORES, None, [5, 3], blank_index=1)
    with pytest.raises(InvalidArgument, match="row"):
        nn.ctc_loss(tf.sparse.eye(3, 3, tf.int32), SCORES, None, [5, 3], blank_index=0)


# -- isotonic regression -----------------------------------------------------------------------


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("decreasing", [True, False])
def test_isotonic_regression_is_the_nearest_monotone_sequence(axis, decreasing):
    x = np.random.default_rng(1).normal(size=(5, 6))
    nearest, steps = nn.isotonic_regression(x, decreasing, axis)
    lines = np.moveaxis(x, axis, -1)
    found = np.moveaxis(nearest.numpy(), axis, -1)
    numbers = np.moveaxis(steps.numpy(), axis, -1)
    sign = -1 if decreasing else 1
    assert np.all(sign * np.diff(found) >= 0)
    for line, near, number in zip(lines, found, numbers, strict=True):
        for step in range(number.max() + 1):
            members = line[number == step]
            np.testing.assert_allclose(near[number == step], members.mean())
            # no beginning of a step would rather be a step of its own
            beginnings = np.cumsum(members) / np.arange(1, len(members) + 1)
            assert np.all(sign * (beginnings - members.mean()) >= -1e-12)


def test_isotonic_regression_of_little():
    nearest, steps = nn.isotonic_regression([3, 1, 2])
    assert (nearest.dtype, nearest.numpy().tolist()) == (tf.float64, [3, 1.5, 1.5])
    assert steps.numpy().tolist() == [0, 1, 1]
    assert nn.isotonic_regression(3.0)[0].numpy() == 3
    assert nn.isotonic_regression(np.zeros((2, 0)))[0].shape == [2, 0]


# -- lookups -----------------------------------------------------------------------------------

TABLE = np.arange(12.0).reshape(6, 2) ** 2
IDS = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 0], [3, 1]], [1, 3, 0, 5, 5], [5, 3])
WEIGHTS = np.array([1.0, 2.0, 0.5, 3.0, -1.0])


def combined(rows, weights, combiner):
    total = (rows * weights[:, None]).sum(0)
    scale = {"sum": 1, "mean": weights.sum(), "sqrtn": np.sqrt((weights**2).sum())}[combiner]
    return total / scale


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("weighed", [True, False])
def test_rows_of_a_table_are_combined(combiner, weighed):
    weights = WEIGHTS if weighed else np.ones(5)
    groups = IDS.indices.numpy()[:, 0]
    looked_up = TABLE[IDS.values.numpy()]
    given = IDS.with_values(weights) if weighed else None
    found = nn.embedding_lookup_sparse(TABLE, IDS, given, combiner)
    safe = nn.safe_embedding_lookup_sparse(TABLE, IDS, given, combiner)
    assert (found.shape, safe.shape) == ([4, 2], [5, 2])
    for group in (0, 1, 3):
        some = groups == group
        expected = combined(looked_up[some], weights[some], combiner)
        np.testing.assert_allclose(found[group], expected)
        if combiner != "sum":
            some &= weights > 0
        expected = combined(looked_up[some], weights[some], combiner)
        np.testing.assert_allclose(safe[group], expected)
    assert not found.numpy()[2].any()
    assert not safe.numpy()[[2, 4]].any()


def test_lookups_that_are_safe():
    ids = IDS.with_values([1, -3, -1, 5, 5])
    found = nn.safe_embedding_lookup_sparse(TABLE, ids).numpy()
    np.testing.assert_allclose(found, [TABLE[1], [0, 0], [0, 0], TABLE[5], [0, 0]])
    found = nn.safe_embedding_lookup_sparse(TABLE, ids, default_id=2).numpy()
    np.testing.assert_allclose(found, [TABLE[1], TABLE[2], TABLE[2], TABLE[5], TABLE[2]])
    cube = tf.SparseTensor([[0, 0, 0], [1, 1, 0]], [1, 2], [2, 2, 1])
    found = nn.safe_embedding_lookup_sparse(TABLE, cube)
    np.testing.assert_allclose(found, [[TABLE[1], [0, 0]], [[0, 0], TABLE[2]]])


def test_a_table_in_parts_and_rows_of_bounded_length():
    whole = nn.embedding_lookup_sparse(TABLE, IDS, None)
    parts = [tf.constant(TABLE[:4]), tf.constant(TABLE[4:])]
    np.testing.assert_allclose(nn.embedding_lookup_sparse(parts, IDS, None), whole)
    bounded = nn.embedding_lookup_sparse(TABLE, IDS, None, "sum", max_norm=1.0).numpy()
    np.testing.assert_allclose(bounded[3], 2 * TABLE[5] / np.linalg.norm(TABLE[5]))


def test_the_gradient_of_a_table_holds_the_rows_looked_up():
    table = tf.Variable(TABLE)
    with tf.GradientTape() as tape:
        y = nn.embedding_lookup_sparse(table, IDS, None, "sum")
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.indices.numpy().tolist() == [1, 3, 0, 5, 5]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((TABLE, [[1]], None), TypeError),
        ((TABLE, IDS, [1.0]), TypeError),
        ((TABLE, IDS, tf.sparse.eye(2)), ValueError),
        ((TABLE, IDS, None, "max"), ValueError),
        ((TABLE, IDS.with_values([9] * 5), None), InvalidArgument),
    ],
)
def test_lookups_refuse(arguments, error):
    with pytest.raises(error):
        nn.embedding_lookup_sparse(*arguments)


# -- pooling by a ratio ------------------------------------------------------------------------

PHOTO = np.random.default_rng(2).normal(size=(2, 9, 11, 3))


@pytest.mark.parametrize("pseudo_random", [True, False])
@pytest.mark.parametrize("overlapping", [True, False])
@pytest.mark.parametrize("seed", [0, 3, 4])
def test_fractional_pooling_is_pooling_between_its_boundaries(pseudo_random, overlapping, seed):
    ratios = [1.0, 1.44, 1.73, 1.0]
    for pool, reduce in ((nn.fractional_max_pool, np.max), (nn.fractional_avg_pool, np.mean)):
        found, rows, columns = pool(PHOTO, ratios, pseudo_random, overlapping, seed)
        assert found.shape == [2, 6, 6, 3]
        for cuts, length, longest in ((rows.numpy(), 9, 2), (columns.numpy(), 11, 2)):
            assert (cuts[0], cuts[-1]) == (0, length)
            assert set(np.diff(cuts)) <= {longest - 1, longest}
        for i, j in itertools.product(range(6), range(6)):
            low, high = rows.numpy()[i : i + 2]
            left, right = columns.numpy()[j : j + 2]
            window = PHOTO[:, low : high + overlapping, left : right + overlapping]
            np.testing.assert_allclose(found[:, i, j], reduce(window, axis=(1, 2)))


def test_fractional_pooling_repeats_itself_with_a_seed_and_not_without():
    def boundaries(seed):
        image = np.ones((1, 300, 300, 1))
        return nn.fractional_max_pool(image, 1.7, seed=seed).row_pooling_sequence.numpy().tolist()

    assert boundaries(5) == boundaries(5)
    assert boundaries(0) != boundaries(0)


def test_the_first_of_equal_elements_has_the_gradient_of_fractional_pooling():
    x = tf.ones([1, 2, 2, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nn.fractional_max_pool(x, 2).output
    assert tape.gradient(y, x).numpy().ravel().tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: nn.fractional_max_pool(PHOTO, [1.5]), ValueError),
        (lambda: nn.fractional_max_pool(PHOTO, [2.0, 1.0, 1.0, 1.0]), ValueError),
        (lambda: nn.fractional_max_pool(PHOTO, 0.5), ValueError),
        (lambda: nn.fractional_max_pool(PHOTO, [1.0, 3.0, 100.0, 1.0]), InvalidArgument),
        (lambda: nn.fractional_max_pool(PHOTO[0], 1.5), InvalidArgument),
        (lambda: nn.fractional_avg_pool(PHOTO, 1.5), TypeError),
        (lambda: nn.fractional_avg_pool(PHOTO, [1.5]), InvalidArgument),
        (lambda: nn.fractional_avg_pool(PHOTO, [1.0, 0.5, 1.5, 1.0]), InvalidArgument),
        (
            lambda: nn.fractional_avg_pool(PHOTO, [2.0, 1.0, 1.0, 1.0]),
            tf.errors.UnimplementedError,
        ),
    ],
)
def test_fractional_pooling_refuses(call, error):
    with pytest.raises(error):
        call()


# -- losses over drawn classes -----------------------------------------------------------------

CLASSES, OFFSETS, INPUTS = (np.random.default_rng(5).normal(size=s) for s in ((7, 3), 7, (2, 3)))
LABELS = [[1, 4], [6, 2]]
EXPECTED = (np.full((2, 2), 0.5), np.array([0.4, 0.3, 0.2]))


def scores(drawn):
    """The scores of the true and of the drawn classes, less what they are expected to be."""
    logits = INPUTS @ CLASSES.T + OFFSETS
    true = np.take_along_axis(logits, np.array(LABELS), 1) - np.log(EXPECTED[0])
    return true, logits[:, drawn] - np.log(EXPECTED[1])


@pytest.mark.parametrize("remove", [True, False])
def test_losses_over_drawn_classes(remove):
    drawn = [0, 6, 5]  # 6 is a true class of the second example
    true, others = scores(drawn)
    if remove:
        others[1, 1] = -np.inf
    options = {"sampled_values": (drawn, *EXPECTED), "remove_accidental_hits": remove}
    arguments = (CLASSES, OFFSETS, LABELS, INPUTS, 3, 7, 2)
    together = np.concatenate([true, others], 1)
    softmax = np.logaddexp.reduce(together, 1) - true.mean(1)
    np.testing.assert_allclose(nn.sampled_softmax_loss(*arguments, **options), softmax)
    # half of the probability is each true class's target, none a drawn one's
    noise = np.logaddexp(0, together).sum(1) - true.sum(1) / 2
    np.testing.assert_allclose(nn.nce_loss(*arguments, **options), noise)


def test_classes_are_drawn_if_none_are_given():
    for loss in (nn.nce_loss, nn.sampled_softmax_loss):
        tf.random.set_seed(3)
        weights = tf.Variable(CLASSES)
        with tf.GradientTape() as tape:
            y = loss(weights, OFFSETS, [[1], [4]], INPUTS, 3, 7)
        gradient = tape.gradient(y, weights)
        assert y.shape == [2]
        assert gradient.indices.numpy()[:2].tolist() == [1, 4]
        assert len(set(gradient.indices.numpy()[2:].tolist())) == 3


def test_drawn_classes_that_are_true_are_found():
    rows, places, weights = nn.compute_accidental_hits([[1, 3], [7, 2], [2, 2]], [2, 5, 7], 2)
    assert rows.numpy().tolist() == [1, 1, 2, 2]
    assert places.numpy().tolist() == [2, 0, 0, 0]
    assert np.all(weights.numpy() == np.finfo(np.float32).min)
    with pytest.raises(InvalidArgument, match="columns"):
        nn.compute_accidental_hits([[1, 3]], [2], 1)


# -- the rest ----------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("rates", [[2, 2], [1, 3], [1, 1]])
@pytest.mark.parametrize("channels_first", [True, False])
def test_an_operation_on_elements_apart_is_the_dilated_one(padding, rates, channels_first):
    weights = np.random.default_rng(3).normal(size=(2, 3, 3, 4))

    def convolve(x, num_spatial_dims, padding):
        assert num_spatial_dims == 2
        if channels_first:
            x = tf.transpose(x, [0, 2, 3, 1])
        y = nn.conv2d(x, weights, 1, padding)
        return tf.transpose(y, [0, 3, 1, 2]) if channels_first else y

    x = PHOTO.transpose(0, 3, 1, 2) if channels_first else PHOTO
    data_format = "NCHW" if channels_first else None
    found = nn.with_space_to_batch(x, rates, padding, convolve, [2, 3], data_format=data_format)
    expected = nn.conv2d(PHOTO, weights, 1, padding, dilations=rates)
    expected = tf.transpose(expected, [0, 3, 1, 2]) if channels_first else expected
    np.testing.assert_allclose(found, expected)


def test_space_to_batch_refuses():
    for options in (
        {"dilation_rate": 2, "padding": "VALID"},
        {"dilation_rate": [2], "padding": "FULL"},
        {"dilation_rate": [2], "padding": "SAME"},
        {"dilation_rate": [2], "padding": "VALID", "spatial_dims": [0]},
    ):
        with pytest.raises(
            ValueError, match=r"`(dilation_rate|padding|filter_shape|spatial_dims)`"
        ):
            nn.with_space_to_batch(PHOTO, op=lambda x, **_: x, **options)


def test_batch_normalization_with_or_without_its_scale():
    normalize = nn.batch_norm_with_global_normalization
    arguments = (PHOTO, 0.5, 2.0, 3.0, 4.0, 1e-3)
    plain = nn.batch_normalization(PHOTO, 0.5, 2.0, 3.0, None, 1e-3)
    scaled = nn.batch_normalization(PHOTO, 0.5, 2.0, 3.0, 4.0, 1e-3)
    np.testing.assert_allclose(normalize(*arguments, scale_after_normalization=False), plain)
    np.testing.assert_allclose(normalize(*arguments, scale_after_normalization=True), scaled)


def test_dropout_by_a_seed_is_the_same_each_time():
    x = tf.ones([100])
    once, again = [nn.experimental.stateless_dropout(x, 0.3, [1, 2]).numpy() for _ in range(2)]
    np.testing.assert_array_equal(once, again)
    noise = tf.random.stateless_uniform([100], [1, 2]).numpy()
    np.testing.assert_allclose(once, (noise >= 0.3) / 0.7, rtol=1e-6)
    rows = nn.experimental.stateless_dropout(tf.ones([9, 4]), 0.5, [3, 4], noise_shape=[9, 1])
    assert all(len(set(row)) == 1 for row in rows.numpy())


def test_the_few_largest_and_smallest_along_an_axis():
    x = np.random.default_rng(4).normal(size=(5, 3))
    largest, where = tf.math.approx_max_k(x, 2, reduction_dimension=0)
    np.testing.assert_array_equal(largest, -np.sort(-x, axis=0)[:2])
    np.testing.assert_array_equal(np.take_along_axis(x, where.numpy(), 0), largest)
    np.testing.assert_array_equal(tf.nn.approx_min_k(x, 2)[0], np.sort(x)[:, :2])
    with pytest.raises(InvalidArgument, match="at least k"):
        tf.math.approx_max_k(x, 4)


def test_points_of_a_sobol_sequence_fill_each_box_alike():
    points = tf.math.sobol_sample(3, 63, dtype=tf.float64).numpy()
    boxes = {tuple(point) for point in np.floor(4 * points)}
    assert len(boxes) == 63  # of 64: the one at the origin is left out
    np.testing.assert_array_equal(tf.math.sobol_sample(3, 60, 3, tf.float64), points[3:])
    for arguments in ((0, 5), (2, 0), (2, 5, -1), (2, 5, 0, tf.int32)):
        with pytest.raises(InvalidArgument):
            tf.math.sobol_sample(*arguments)
