"""Ragged tensors: each function is the dense one, row by row."""

import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import cinta as tf
from cinta.ops.ragged.handlers import _declared

ragged = tf.ragged.constant
Ragged = tf.RaggedTensor
InvalidArgument = tf.errors.InvalidArgumentError

ROWS = [[3, 1, 4, 1], [], [5, 9, 2], [6], []]
DEEP = [[[1, 2], [3]], [], [[], [4, 5, 6]]]


def listed(x):
    return x.to_list() if isinstance(x, Ragged) else x.numpy().tolist()


# -- making them -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        lambda values: Ragged.from_row_splits(values, [0, 4, 4, 7, 8, 8]),
        lambda values: Ragged.from_row_lengths(values, [4, 0, 3, 1, 0]),
        lambda values: Ragged.from_value_rowids(values, [0, 0, 0, 0, 2, 2, 2, 3], nrows=5),
        lambda values: Ragged.from_row_starts(values, [0, 4, 4, 7, 8]),
        lambda values: Ragged.from_row_limits(values, [4, 4, 7, 8, 8]),
    ],
)
def test_rows_are_described_in_five_ways(made):
    x = made([3, 1, 4, 1, 5, 9, 2, 6])
    assert x.to_list() == ROWS
    assert (x.shape.as_list(), x.dtype, x.ragged_rank) == ([5, None], tf.int32, 1)
    assert x.row_splits.numpy().tolist() == [0, 4, 4, 7, 8, 8]
    assert x.value_rowids().numpy().tolist() == [0, 0, 0, 0, 2, 2, 2, 3]
    assert x.row_lengths().numpy().tolist() == [4, 0, 3, 1, 0]
    assert int(x.nrows()) == 5
    assert x.bounding_shape().numpy().tolist() == [5, 4]


def test_rows_of_one_length_are_uniform():
    x = Ragged.from_uniform_row_length(ragged(ROWS[:4]), 2)
    assert x.shape.as_list() == [2, 2, None]
    assert x[:, 1].to_list() == [[], [6]]
    with pytest.raises(ValueError, match="Cannot index into an inner ragged dimension"):
        x[:, :, 0]


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Ragged.from_row_splits([1, 2], [0, 3]), InvalidArgument),
        (lambda: Ragged.from_row_splits([1, 2], [1, 2]), InvalidArgument),
        (lambda: Ragged.from_row_splits([1, 2], [0, 2, 1, 2]), InvalidArgument),
        (lambda: Ragged.from_row_lengths([1, 2], [3, -1]), InvalidArgument),
        (lambda: Ragged.from_value_rowids([1, 2], [1, 0]), InvalidArgument),
        (lambda: Ragged.from_value_rowids([1, 2], [0, 3], nrows=2), ValueError),
        (lambda: Ragged.from_row_splits([], []), ValueError),
        (lambda: Ragged(tf.constant([1]), None), ValueError),
        (lambda: ragged([[1], 2]), ValueError),
        (lambda: ragged([["a"], [2]]), (ValueError, TypeError)),
    ],
)
def test_rows_that_cannot_be_are_refused(make, error):
    with pytest.raises(error):
        make()


def test_nested_lists():
    assert ragged(DEEP).to_list() == DEEP
    assert ragged(DEEP).ragged_rank == 2
    assert ragged([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1).shape.as_list() == [2, None, 2]
    assert ragged([[]]).dtype == tf.float32
    assert repr(ragged([[1.5], []])) == "<tf.RaggedTensor [[1.5], []]>"


# -- dense, sparse, NumPy ----------------------------------------------------------------------


def test_there_and_back():
    x = ragged(ROWS)
    dense = x.to_tensor(-1)
    assert dense.shape == [5, 4]
    assert Ragged.from_tensor(dense, padding=-1).to_list() == ROWS
    assert Ragged.from_tensor(dense, lengths=[4, 0, 3, 1, 0]).to_list() == ROWS
    assert Ragged.from_sparse(x.to_sparse()).to_list() == ROWS
    assert x.to_tensor(shape=[2, 2]).numpy().tolist() == [[3, 1], [0, 0]]
    assert [row.tolist() for row in x.numpy()] == ROWS
    assert ragged([[1, 2], [3, 4]]).numpy().shape == (2, 2)
    assert ragged(DEEP).to_tensor().shape == [3, 2, 3]


# -- parts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (lambda x: x[0], ROWS[0]),
        (lambda x: x[2, 1], 9),
        (lambda x: x[1:3], ROWS[1:3]),
        (lambda x: x[::-2], ROWS[::-2]),
        (lambda x: x[:, :2], [row[:2] for row in ROWS]),
        (lambda x: x[:, -2:], [row[-2:] for row in ROWS]),
        (lambda x: x[:, ::-1], [row[::-1] for row in ROWS]),
        (lambda x: x[:, -1:-9:-2], [row[-1:-9:-2] for row in ROWS]),
        (lambda x: x[..., 1:], [row[1:] for row in ROWS]),
        (lambda x: x[None], [ROWS]),
        (lambda x: x[:, None], [[row] for row in ROWS]),
    ],
)
def test_parts(part, expected):
    assert listed(part(ragged(ROWS))) == expected


# -- elements ----------------------------------------------------------------------------------


def test_operators_and_broadcasting():
    x = ragged(ROWS)
    assert listed(x + 1) == [[n + 1 for n in row] for row in ROWS]
    assert listed(10 - x) == [[10 - n for n in row] for row in ROWS]
    assert listed(x * x) == [[n * n for n in row] for row in ROWS]
    column = np.arange(5, dtype=np.int32)[:, None]
    expected = [[n + i for n in row] for i, row in enumerate(ROWS)]
    assert listed(x + column) == listed(column + x) == listed(tf.constant(column) + x) == expected
    inner = ragged([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1) * tf.constant([1, 10])
    assert listed(inner) == [[[1, 20], [3, 40]], [[5, 60]]]
    three = ragged([[[1], [2]], [[3]]], ragged_rank=1) + tf.constant([10, 20, 30])
    assert listed(three) == [[[11, 21, 31], [12, 22, 32]], [[13, 23, 33]]]
    with pytest.raises(InvalidArgument):
        x + ragged([[1], [], [], [], []])
    with pytest.raises(InvalidArgument):
        x + tf.ones([5, 4], tf.int32)


def test_functions_of_elements():
    x = ragged([[-1.0, 4.0], [9.0]])
    assert listed(tf.abs(x)) == [[1.0, 4.0], [9.0]]
    assert listed(tf.clip_by_value(x, 0.0, 5.0)) == [[0.0, 4.0], [5.0]]
    assert tf.cast(x, tf.int64).dtype == tf.int64
    assert listed(tf.strings.upper(ragged([["a"], ["b", "c"]]))) == [[b"A"], [b"B", b"C"]]
    joined = tf.strings.join([ragged([["a"], ["b", "c"]]), "x"], separator="-")
    assert listed(joined) == [[b"a-x"], [b"b-x", b"c-x"]]


# -- reductions --------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2, [0, 1], [1, 2], None])
def test_sums_are_those_of_the_dense_tensor(axis):
    x = ragged(DEEP)
    found = tf.reduce_sum(x, axis)
    dense = found.to_tensor() if isinstance(found, Ragged) else found
    expected = tf.reduce_sum(x.to_tensor(), axis).numpy()
    places = tuple(slice(n) for n in dense.shape)
    assert (dense.numpy() == expected[places]).all()
    assert expected.sum() == dense.numpy().sum()


def test_logarithms_of_sums_of_exponentials():
    x = ragged([[1.0, 2.0], [], [3.0, 4.0, 1000.0], [-np.inf]])
    np.testing.assert_allclose(
        tf.reduce_logsumexp(x, 1), [np.logaddexp(1, 2), -np.inf, 1000.0, -np.inf]
    )
    np.testing.assert_allclose(tf.reduce_logsumexp(x), 1000.0)
    with tf.GradientTape() as tape:
        tape.watch(x.flat_values)
        y = tf.reduce_logsumexp(x, 1)[0]
    gradient = tape.gradient(y, x.flat_values)
    np.testing.assert_allclose(gradient[:2], tf.nn.softmax([1.0, 2.0]), rtol=1e-6)


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
def test_rows_of_tables_are_combined_as_sparse_numbers_are(combiner):
    table = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    ids, weights = ragged([[0, 2], [1], [2, 2, 0]]), ragged([[1.0, 2.0], [0.5], [1.0, 1.0, 3.0]])
    for lookup in (tf.nn.embedding_lookup_sparse, tf.nn.safe_embedding_lookup_sparse):
        with tf.GradientTape() as tape:
            tape.watch([table, weights.flat_values])
            y = lookup(table, ids, weights, combiner=combiner)
        expected = lookup(table, ids.to_sparse(), weights.to_sparse(), combiner=combiner)
        np.testing.assert_array_equal(y, expected)
        assert all(g is not None for g in tape.gradient(y, [table, weights.flat_values]))
        plain = lookup(table, ids, None, combiner=combiner)
        np.testing.assert_array_equal(
            plain, lookup(table, ids.to_sparse(), None, combiner=combiner)
        )


def test_every_handler_is_a_function_that_there_is():
    handlers = [each for each in _declared().values() if isinstance(each, tuple)]
    for module, name in handlers:
        assert callable(getattr(import_module(f"cinta.ops.ragged.{module}"), name))


def test_dtypes_are_asserted():
    tf.debugging.assert_type(ragged([[1.0], []]), tf.float32)
    with pytest.raises(TypeError, match=r"must be of type tf\.float32"):
        tf.debugging.assert_type(ragged([[1], []]), tf.float32)


def test_reductions_of_empty_rows():
    x = ragged([[3.0, 1.0], []])
    assert listed(tf.reduce_max(x, 1)) == [3.0, np.finfo(np.float32).min]
    assert np.isnan(tf.reduce_mean(x, 1).numpy()).tolist() == [False, True]
    assert listed(tf.reduce_any(x > 2.0, 1)) == [True, False]
    assert listed(tf.reduce_all(x > 2.0, 1)) == [False, True]
    assert listed(tf.reduce_sum(x, 1, keepdims=True)) == [[4.0], [0.0]]


# -- arrays ------------------------------------------------------------------------------------


def test_joining_and_picking():
    x = ragged([[1, 2], [], [3]])
    assert listed(tf.concat([x, [[7]]], 0)) == [[1, 2], [], [3], [7]]
    assert listed(tf.concat([x, [[7], [8], [9]]], 1)) == [[1, 2, 7], [8], [3, 9]]
    assert listed(tf.stack([x, x], 1)) == [[[1, 2]] * 2, [[]] * 2, [[3]] * 2]
    assert listed(tf.tile(x, [1, 2])) == [[1, 2, 1, 2], [], [3, 3]]
    assert listed(tf.gather(x, [2, 0])) == [[3], [1, 2]]
    assert listed(tf.gather(x, ragged([[0], [2, 1]]))) == [[[1, 2]], [[3], []]]
    assert listed(tf.gather(x, ragged([[1], [], [0]]), batch_dims=1)) == [
        [2],
        [],
        [3],
    ]
    assert listed(tf.gather_nd(x, [[0, 1], [2, 0]])) == [2, 3]
    assert listed(tf.where(x > 1, x, -x)) == [[-1, 2], [], [3]]
    assert listed(tf.where(x > 1)) == [[0, 1], [2, 0]]
    assert listed(tf.boolean_mask(x, x > 1)) == [[2], [], [3]]
    assert listed(tf.reverse(x, [0])) == [[3], [], [1, 2]]
    assert listed(tf.reverse(x, [1])) == [[2, 1], [], [3]]
    assert tf.expand_dims(x, 1).shape.as_list() == [3, 1, None]
    assert listed(tf.squeeze(tf.expand_dims(x, 1), 1)) == listed(x)
    assert listed(ragged(DEEP).merge_dims(1, 2)) == [[1, 2, 3], [], [4, 5, 6]]
    assert tf.one_hot(x, 4).shape.as_list() == [3, None, 4]
    assert (int(tf.size(x)), int(tf.rank(x))) == (3, 2)


def test_map_fn():
    x = ragged([[1, 2], [], [3]])
    assert listed(tf.map_fn(lambda row: row * 2, x)) == [[2, 4], [], [6]]
    sums = tf.map_fn(tf.reduce_sum, x, fn_output_signature=tf.int32)
    assert listed(sums) == [3, 0, 3]
    spec = tf.RaggedTensorSpec([None], tf.int32)
    assert listed(tf.map_fn(tf.range, tf.constant([2, 0]), fn_output_signature=spec)) == [
        [0, 1],
        [],
    ]


# -- gradients and functions -------------------------------------------------------------------


def test_gradients_flow_through_the_values():
    values = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        x = Ragged.from_row_lengths(values, [2, 0, 2])
        y = tf.reduce_sum(tf.reduce_prod(x, axis=1) ** 2) + tf.reduce_sum(x.to_tensor()[:, 0])
    assert tape.gradient(y, values).numpy().tolist() == [9.0, 4.0, 97.0, 72.0]
    x = ragged([[1.0], [2.0, 3.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.concat([x**3, x], axis=1)
        first = inner.gradient(y, x)
    assert listed(first) == [[4.0], [13.0, 28.0]]
    assert listed(outer.gradient(first, x)) == [[6.0], [12.0, 18.0]]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_recorded_function_serves_other_rows(compiled):
    @tf.function(jit_compile=compiled)
    def f(x):
        return tf.reduce_sum(x * 2.0, axis=1), x[:, :1]

    for rows in ([[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0]], [[5.0, 6.0], [7.0]], [[1.0]]):
        sums, first = f(ragged(rows))
        assert sums.numpy().tolist() == [2 * sum(row) for row in rows]
        assert listed(first) == [row[:1] for row in rows]


def test_specs():
    spec = tf.RaggedTensorSpec([None, None], tf.int32)

    @tf.function(input_signature=[spec])
    def longest(x):
        return tf.reduce_max(x.row_lengths())

    assert int(longest(ragged([[1, 2], [3]]))) == 2
    with pytest.raises(TypeError):
        longest(ragged([[1.0]]))
    assert spec == tf.RaggedTensorSpec([None, None], tf.int32)
    assert not spec.is_compatible_with(tf.constant([[1]]))
    assert tf.type_spec_from_value(ragged([[1], []])).shape.as_list() == [2, None]
    x = ragged(DEEP)
    parts = tf.nest.flatten(x, expand_composites=True)
    assert listed(tf.nest.pack_sequence_as(x, parts, expand_composites=True)) == DEEP


def test_dense_programs_load_nothing_of_it():
    code = (
        "import sys, cinta as tf\n"
        "dense = tf.concat\n"
        "dense([tf.constant([1.0])], 0), tf.add(tf.constant(1), 2), tf.reduce_sum([1.0])\n"
        "print(any('ops.ragged' in name for name in sys.modules))\n"
        "x = tf.ragged.constant([[1], [2, 3]])\n"
        "print(dense([x, x], 0).to_list(), dense is tf.concat, int(tf.reduce_sum([1, 2])))"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.split("\n")[:2] == ["False", "[[1], [2, 3], [1], [2, 3]] True 3"]


# -- shapes ------------------------------------------------------------------------------------


def test_ragged_shapes():
    x = ragged([[1], [2, 3]])
    shape = tf.shape(x)
    assert repr(shape) == "<DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>"
    assert shape[0].dtype is shape.dtype is tf.int32
    assert tf.shape(x, tf.int64)[0].dtype is tf.int64
    assert (int(shape[0]), shape.rank, shape.inner_rank) == (2, 2, 1)
    with pytest.raises(ValueError, match="not uniform"):
        shape[1]
    assert listed(tf.reshape([7, 8, 9], shape)) == [[7], [8, 9]]
    assert listed(tf.zeros(shape)) == [[0.0], [0.0, 0.0]]
    assert listed(tf.fill(shape, "x")) == [[b"x"], [b"x", b"x"]]
    assert listed(tf.broadcast_to([[5], [6]], shape)) == [[5], [6, 6]]
    made = tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 3])
    assert tf.ones(made).shape.as_list() == [2, None, 3]
    assert made[:2] == tf.shape(x, tf.int64)
    assert tf.experimental.DynamicRaggedShape.from_lengths([2, 3])[1:].static_lengths() == [3]
    with pytest.raises(ValueError, match="Shape not consistent"):
        tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2, 3)])


# -- strings, numbers --------------------------------------------------------------------------


def test_texts():
    words = tf.strings.split(["a b c", "", "d"])
    assert listed(words) == [[b"a", b"b", b"c"], [], [b"d"]]
    assert listed(tf.strings.ngrams(words, 2)) == [[b"a b", b"b c"], [], []]
    short = {"pad_values": "_", "padding_width": 1, "preserve_short_sequences": True}
    assert listed(tf.strings.ngrams(words, 6, **short))[1:] == [[], [b"_ d _"]]
    padded = tf.strings.ngrams(words, 2, pad_values=("<", ">"))
    assert listed(padded)[2] == [b"< d", b"d >"]
    assert listed(tf.strings.reduce_join(words, axis=1, separator="-")) == [b"a-b-c", b"", b"d"]
    crossed = tf.ragged.cross([words, tf.constant([["x"], ["y"], ["z"]])])
    assert listed(crossed) == [[b"a_X_x", b"b_X_x", b"c_X_x"], [], [b"d_X_z"]]
    assert tf.strings.format("{}", words).numpy() == b"[['a', 'b', 'c'], [], ['d']]"


def test_bincount():
    x = ragged([[1, 1, 3], [], [0]])
    assert listed(tf.math.bincount(x, axis=-1)) == [[0, 2, 0, 1], [0] * 4, [1, 0, 0, 0]]
    assert listed(tf.math.bincount(x)) == [1, 2, 0, 1]


# -- datasets ----------------------------------------------------------------------------------


def test_datasets_of_rows():
    dataset = tf.data.Dataset.from_tensor_slices((ragged(ROWS), range(5)))
    rows, numbers = dataset.element_spec
    assert (rows.shape.as_list(), rows.ragged_rank, numbers.shape.as_list()) == ([None], 0, [])
    assert [listed(row) for row, _ in dataset] == ROWS
    batches = dataset.batch(2)
    assert [listed(row) for row, _ in batches] == [ROWS[:2], ROWS[2:4], ROWS[4:]]
    assert [listed(row) for row, _ in batches.unbatch()] == ROWS
    sums = batches.map(lambda row, _: tf.reduce_sum(row, axis=1))
    assert [listed(each) for each in sums] == [[9, 0], [16, 6], [0]]
    whole = tf.data.Dataset.from_tensors(ragged(DEEP))
    assert listed(next(iter(whole.repeat(2).batch(2)))) == [DEEP, DEEP]
    assert [listed(row) for row in whole.unbatch()] == DEEP
    assert [listed(row) for row in whole.unbatch().unbatch()] == [[1, 2], [3], [], [4, 5, 6]]


def test_ragged_batches():
    rows = tf.data.Dataset.range(1, 4).map(tf.range)
    batch = rows.ragged_batch(3)
    assert listed(next(iter(batch))) == [[0], [0, 1], [0, 1, 2]]
    assert batch.element_spec == tf.RaggedTensorSpec([None, None], tf.int64)
    dropped = rows.apply(tf.data.experimental.dense_to_ragged_batch(2, drop_remainder=True))
    assert [listed(each) for each in dropped] == [[[0], [0, 1]]]
    numbers = tf.data.Dataset.range(4).ragged_batch(2)
    assert listed(next(iter(numbers))) == [0, 1]


def test_the_state_of_an_iterator_over_rows_is_kept(tmp_path):
    dataset = tf.data.Dataset.from_tensors(ragged(ROWS)).unbatch()
    iterator = iter(dataset)
    next(iterator)
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    path = checkpoint.save(str(tmp_path / "state"))
    again = iter(dataset)
    tf.train.Checkpoint(iterator=again).restore(path)
    assert [listed(row) for row in again] == ROWS[1:]


def test_a_function_that_needs_a_dense_argument_says_so():
    tf.linalg.LinearOperatorDiag([1.0])  # the function answers operators from now on
    with pytest.raises(ValueError, match="unsupported type"):
        tf.linalg.inv(ragged([[1.0], []]))


def test_functions_for_ragged_tensors_may_be_the_first_to_be_used():
    code = "import cinta as tf; print(tf.strings.ngrams(['a', 'b'], 2).numpy())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[b'a b']\n"


def test_tensors_that_do_not_fit_together_are_not_equal():
    two, other = tf.ragged.constant([[1.0, 2.0], []]), tf.ragged.constant([[], []], tf.float32)
    for wrong in (other, tf.ragged.constant([[1.0]] * 3), tf.ones([5, 5]), tf.constant(["a"]), "a"):
        assert (two == wrong) is False
        assert (two != wrong) is True
    assert (tf.ones([5, 5]) == two) is False
    assert (tf.ones([5, 5]) != two) is True
    assert (tf.constant([[1.0], [2.0]]) == two).to_list() == [[True, False], []]
    assert (tf.constant([[1.0], [2.0]]) != two).to_list() == [[False, True], []]
    with pytest.raises(tf.errors.InvalidArgumentError, match="broadcast"):
        tf.equal(two, other)


def test_splits_made_of_vectors_have_thirty_two_bits():
    vectors = tf.constant([1.0]), tf.constant([2.0, 3.0])
    assert tf.ragged.stack(vectors).row_splits.dtype == tf.int32
    assert tf.ragged.stack(tf.ragged.constant([[[1]], [[2]]])[0:1]).row_splits.dtype == tf.int64
    for dtype in (tf.int32, tf.int64):
        ids = tf.constant([0, 0, 1], dtype)
        found = tf.ragged.stack_dynamic_partitions([1.0, 2.0, 3.0], ids, 4)
        assert found.row_splits.dtype == dtype
        assert found.to_list() == [[1.0, 2.0], [3.0], [], []]


@pytest.mark.parametrize(
    "make", [tf.zeros, tf.ones, lambda x: tf.fill([2], x), lambda x: tf.fill(x, 1)]
)
def test_rows_are_neither_a_shape_nor_one_value(make):
    with pytest.raises(ValueError, match="RaggedTensor"):
        make(tf.ragged.constant([[1], [2, 3]]))


@pytest.mark.parametrize("indices", [[0.5], [True], 0.0, ["a"]])
def test_indices_of_rows_are_whole_numbers(indices):
    rows = tf.ragged.constant([[1, 2], [3]])
    for gather in (tf.gather, tf.gather_nd):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Tindices"):
            gather(rows, indices)
