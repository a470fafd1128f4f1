"""tf.data: what comes out of datasets."""

import collections

import numpy as np
import pytest

import cinta as tf
from tests.data.datasets import of, values

Dataset = tf.data.Dataset
Point = collections.namedtuple("Point", "x y")


# -- sources ---------------------------------------------------------------------------------------


def test_slices_of_structures():
    nested = {"a": [1, 2], "b": ([3, 4], Point([5, 6], ["x", "y"]))}
    assert list(Dataset.from_tensor_slices(nested).as_numpy_iterator()) == [
        {"a": 1, "b": (3, Point(5, b"x"))},
        {"a": 2, "b": (4, Point(6, b"y"))},
    ]


def test_lists_are_tensors_and_tuples_are_not():
    assert Dataset.from_tensors([[1, 2], [3, 4]]).element_spec == tf.TensorSpec([2, 2], tf.int32)
    first, second = Dataset.from_tensors(([1, 2], [3.0])).element_spec
    assert (first, second) == (tf.TensorSpec([2], tf.int32), tf.TensorSpec([1], tf.float32))


def test_elements_are_tensors():
    (element,) = Dataset.from_tensors(([1.0], "a"))
    assert [type(part) for part in element] == [tf.Tensor, tf.Tensor]
    assert element[1].numpy() == b"a"


@pytest.mark.parametrize("args", [(5,), (1, 5), (1, 9, 3), (5, 1, -2), (5, 1)])
def test_range(args):
    assert values(Dataset.range(*args)) == list(range(*args))
    assert len(Dataset.range(*args)) == len(range(*args))


def test_range_of_another_dtype():
    dataset = Dataset.range(3, output_type=tf.float32)
    assert dataset.element_spec == tf.TensorSpec([], tf.float32)
    assert [x.dtype for x in dataset.shuffle(2)] == [tf.float32] * 3


def test_generator_is_called_anew_for_each_pass():
    starts = []

    def numbers(count):
        starts.append(int(count))
        yield from range(int(count))

    dataset = Dataset.from_generator(
        numbers, args=(3,), output_signature=tf.TensorSpec([], tf.int64)
    )
    assert values(dataset) == values(dataset) == [0, 1, 2]
    assert starts == [3, 3]


def test_arguments_of_generators_are_numpy_values():
    def doubled(numbers, text, rate):
        numbers *= 2  # of this pass alone
        yield type(numbers), numbers.tolist(), text, type(rate)

    given = []

    def noted(*args):
        given.extend(doubled(*args))
        yield 0

    dataset = Dataset.from_generator(
        noted, args=(tf.constant([1, 2]), "x", 0.5), output_signature=tf.TensorSpec([], tf.int32)
    )
    assert values(dataset) == values(dataset) == [0]
    assert given == [(np.ndarray, [2, 4], b"x", np.float32)] * 2


def test_generator_of_structures():
    signature = {"a": tf.TensorSpec([2], tf.float32), "b": (tf.TensorSpec([], tf.string),)}
    dataset = Dataset.from_generator(
        lambda: iter([{"a": [1, 2], "b": ("x",)}]), output_signature=signature
    )
    assert dataset.element_spec == signature
    assert values(dataset) == [{"a": [1.0, 2.0], "b": (b"x",)}]


@pytest.mark.parametrize(
    ("yielded", "signature", "message"),
    [
        ([1, 2], tf.TensorSpec([3], tf.int32), r"shape \(2,\) where .* shape \(3,\)"),
        ([1, 2], (tf.TensorSpec([], tf.int32),), "not the structure"),
        ({"a": 1}, {"b": tf.TensorSpec([], tf.int32)}, "not the structure"),
    ],
)
def test_generator_that_yields_something_else(yielded, signature, message):
    dataset = Dataset.from_generator(lambda: iter([yielded]), output_signature=signature)
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        next(iter(dataset))


def test_generator_with_types_and_shapes():
    dataset = Dataset.from_generator(lambda: iter([]), (tf.int32, tf.float32), ([2], None))
    assert dataset.element_spec == (
        tf.TensorSpec([2], tf.int32),
        tf.TensorSpec(None, tf.float32),
    )


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Dataset.from_tensor_slices(1), ValueError, "rank >= 1"),
        (lambda: Dataset.from_tensor_slices(([1], [1, 2])), ValueError, "Dimensions 1 and 2"),
        (lambda: Dataset.from_tensor_slices(()), ValueError, "not one tensor"),
        (lambda: Dataset.range(), ValueError, "between 1 and 3"),
        (lambda: Dataset.range(1, 2, 0), tf.errors.InvalidArgumentError, "non-zero"),
        (lambda: Dataset.from_generator([1], tf.int32), TypeError, "callable"),
        (lambda: Dataset.from_generator(lambda: 1), TypeError, "output_signature"),
        (lambda: Dataset.zip(), TypeError, "at least one"),
        (lambda: Dataset.zip(1), TypeError, "encountered object of type"),
        (lambda: Dataset.zip([Dataset.range(1)]), TypeError, "use `tuple`"),
        (lambda: Dataset.list_files("/nowhere/*"), tf.errors.InvalidArgumentError, "No files"),
        (lambda: Dataset([1]), TypeError, "from_tensor_slices"),
    ],
)
def test_sources_refuse(make, error, message):
    with pytest.raises(error, match=message):
        make()


# -- shapes, errors and the rest -------------------------------------------------------------------


def ragged(*lengths):
    """Vectors 1 1 .., 2 2 .. of these lengths."""
    rows = [[i] * n for i, n in enumerate(lengths, 1)]
    return Dataset.from_generator(
        lambda: iter(rows), output_signature=tf.TensorSpec([None], tf.int32)
    )


def test_padding_to_the_largest_and_to_given_shapes():
    assert values(ragged(1, 3, 2).padded_batch(2)) == [[[1, 0, 0], [2, 2, 2]], [[3, 3]]]
    wide = ragged(1, 3).padded_batch(2, padded_shapes=[4], padding_values=-1)
    assert values(wide) == [[[1, -1, -1, -1], [2, 2, 2, -1]]]
    assert wide.element_spec == tf.TensorSpec([None, 4], tf.int32)
    texts = Dataset.from_tensor_slices([["a"], ["b"]]).padded_batch(2, [2])
    assert values(texts) == [[[b"a", b""], [b"b", b""]]]


def test_padding_structures():
    dataset = Dataset.zip({"a": ragged(1, 2), "b": Dataset.range(2)})
    padded = dataset.padded_batch(
        2, padded_shapes={"a": [None], "b": []}, padding_values={"a": 9, "b": None}
    )
    assert values(padded) == [{"a": [[1, 9], [2, 2]], "b": [0, 1]}]


def test_buckets():
    def bucketed(**options):
        return ragged(1, 5, 2, 7, 3).bucket_by_sequence_length(tf.size, [4], [2, 1], **options)

    assert [x.shape.as_list() for x in bucketed()] == [[1, 5], [2, 2], [1, 7], [1, 3]]
    assert [len(x) for x in bucketed(drop_remainder=True)] == [1, 2, 1]
    short = ragged(1, 2).bucket_by_sequence_length(
        tf.size, [4], [2, 1], pad_to_bucket_boundary=True
    )
    assert [x.shape.as_list() for x in short] == [[2, 3]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="max"):
        values(bucketed(pad_to_bucket_boundary=True))


def test_choices():
    sources = [Dataset.range(2), Dataset.range(10, 15)]
    choices = of([0, 1, 0, 0, 1, 1])
    assert values(Dataset.choose_from_datasets(sources, choices)) == [0, 10, 1]
    all_choices = Dataset.choose_from_datasets(sources, choices, stop_on_empty_dataset=False)
    assert values(all_choices) == [0, 10, 1, 11, 12]


def test_zip_of_nested_structures():
    dataset = Dataset.zip({"a": Dataset.range(2), "b": (Dataset.range(5, 8), of([7, 8, 9]))})
    assert values(dataset) == [{"a": 0, "b": (5, 7)}, {"a": 1, "b": (6, 8)}]
    assert len(dataset) == 2


def test_windows_of_structures_are_structures_of_datasets():
    windows = Dataset.zip(Dataset.range(4), Dataset.range(10, 14)).window(2)
    assert [tuple(map(values, window)) for window in windows] == [
        ([0, 1], [10, 11]),
        ([2, 3], [12, 13]),
    ]
    assert windows.element_spec[0] == tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))


def test_specs_after_functions():
    batches = Dataset.range(7).batch(2)
    assert batches.map(lambda x: x + 1).element_spec == tf.TensorSpec([None], tf.int64)
    assert batches.map(tf.reduce_sum).element_spec == tf.TensorSpec([], tf.int64)
    of_two = batches.map(lambda x: {"s": tf.cast(x[:1], tf.float32), "l": [x, x]}).element_spec
    assert of_two == {"s": tf.TensorSpec([1], tf.float32), "l": tf.TensorSpec([2, None], tf.int64)}
    empty = Dataset.range(0).map(lambda x: tf.cast(x, tf.float32))
    assert empty.element_spec == tf.TensorSpec([], tf.float32)


def test_specs_after_functions_of_windows_of_nothing():
    windows = Dataset.from_tensor_slices((np.zeros((0, 3)), np.zeros(0, np.int32))).window(2)
    batches = windows.flat_map(lambda x, y: Dataset.zip(x.batch(2), y.batch(2)))
    assert batches.element_spec == (
        tf.TensorSpec([None, 3], tf.float64),
        tf.TensorSpec([None], tf.int32),
    )
    of_windows = windows.map(lambda x, y: x).window(3).flat_map(lambda x: x)
    assert of_windows.element_spec == tf.data.DatasetSpec(tf.TensorSpec([3], tf.float64))


def test_asking_for_a_spec_changes_no_order():
    tf.random.set_seed(42)
    dataset = Dataset.range(10).shuffle(4, seed=7).map(tf.identity)
    assert dataset.element_spec == tf.TensorSpec([], tf.int64)
    assert values(dataset) == [1, 0, 2, 5, 4, 6, 3, 7, 8, 9]


CARDINALITIES = {
    "filter": (lambda: Dataset.range(3).filter(lambda x: x > 0), -2),
    "repeat": (lambda: Dataset.range(3).repeat(), -1),
    "repeat, none": (lambda: Dataset.range(3).repeat(0), 0),
    "repeat of nothing": (lambda: Dataset.range(0).repeat(), 0),
    "take of infinite": (lambda: Dataset.range(3).repeat().take(5), 5),
    "unbatch": (lambda: Dataset.range(6).batch(4).unbatch(), -2),
    "scan": (lambda: Dataset.range(3).scan(0, lambda s, x: (s, x)), 3),
    "zip": (lambda: Dataset.zip(Dataset.counter(), Dataset.range(3).map(tf.identity)), 3),
    "choose": (lambda: Dataset.choose_from_datasets([of([1])], of([0])), -2),
    "random": (lambda: Dataset.random(), -1),
    "prefetch": (lambda: Dataset.range(4).prefetch(1), 4),
    "prefetch of what is convenient": (lambda: Dataset.range(4).prefetch(None), 4),
    "cache": (lambda: Dataset.range(4).cache(), 4),
    "options": (lambda: Dataset.range(4).with_options(tf.data.Options()).batch(3), 2),
}


@pytest.mark.parametrize(("make", "count"), CARDINALITIES.values(), ids=CARDINALITIES)
def test_cardinality(make, count):
    dataset = make()
    assert dataset.cardinality().numpy() == count
    if count >= 0:
        assert len(dataset) == len(list(dataset)) == count
    else:
        with pytest.raises(TypeError, match="infinite" if count == -1 else "unknown"):
            len(dataset)


def test_repeating_nothing_ends():
    assert values(Dataset.range(3).filter(lambda x: x > 5).repeat()) == []


def test_an_expected_cardinality():
    three = Dataset.range(5).filter(lambda x: x < 3)
    for expected in (2, 4, -1):
        asserted = three.apply(tf.data.experimental.assert_cardinality(expected))
        with pytest.raises(tf.errors.FailedPreconditionError, match="was expected to contain"):
            values(asserted)
    assert len(three.apply(tf.data.experimental.assert_cardinality(3))) == 3


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda d: d.batch(0), tf.errors.InvalidArgumentError, "Batch size"),
        (lambda d: d.take(1.5), TypeError, "count"),
        (lambda d: d.shard(2, 2), tf.errors.InvalidArgumentError, "between 0 and 1"),
        (lambda d: d.shard(0, 0), tf.errors.InvalidArgumentError, "greater than zero"),
        (lambda d: d.shuffle(0), tf.errors.InvalidArgumentError, "buffer_size"),
        (lambda d: d.prefetch(-5), tf.errors.InvalidArgumentError, "buffer_size"),
        (lambda d: d.window(0), tf.errors.InvalidArgumentError, "size"),
        (lambda d: d.window(1, shift=0), tf.errors.InvalidArgumentError, "shift"),
        (lambda d: d.map(3), TypeError, "map_func"),
        (lambda d: d.map(tf.identity, 0), tf.errors.InvalidArgumentError, "num_parallel_calls"),
        (lambda d: d.interleave(d.map, 0), tf.errors.InvalidArgumentError, "cycle_length"),
        (lambda d: d.interleave(d.map, 1, 0), tf.errors.InvalidArgumentError, "block_length"),
        (lambda d: d.apply(lambda d: 5), TypeError, "transformation_func"),
        (lambda d: d.concatenate(3), TypeError, "`dataset`"),
        (lambda d: d.with_options(3), TypeError, "options"),
        (lambda d: d.group_by_window(abs, abs), ValueError, "window_size"),
        (lambda d: Dataset.sample_from_datasets([d], [0.5, 0.5]), ValueError, "weights"),
        (lambda d: Dataset.sample_from_datasets([]), ValueError, "empty"),
    ],
)
def test_transformations_refuse(make, error, message):
    with pytest.raises(error, match=message):
        make(Dataset.range(3))


@pytest.mark.parametrize(
    ("dataset", "error", "message"),
    [
        (lambda: ragged(1, 2).batch(2), tf.errors.InvalidArgumentError, "different shapes"),
        (lambda: ragged(2).padded_batch(2, [1]), tf.errors.DataLossError, "smaller"),
        (lambda: ragged(2).padded_batch(2, []), ValueError, "needs as many axes"),
        (lambda: Dataset.range(2).unbatch(), ValueError, "scalar components"),
        (lambda: Dataset.from_tensors(([1], [1, 2])).unbatch(), ValueError, "both 1 and 2"),
        (lambda: Dataset.range(2).map(lambda x: None), TypeError, "returned None"),
        (lambda: Dataset.range(2).filter(lambda x: x), ValueError, "predicate"),
        (lambda: Dataset.range(2).flat_map(lambda x: x), TypeError, "`Dataset` object"),
        (lambda: Dataset.range(2).interleave(lambda x: x), TypeError, "`Dataset` object"),
        (lambda: Dataset.range(2).scan(0, lambda s, x: s), TypeError, "pair"),
        (lambda: Dataset.range(2).scan(0, lambda s, x: (x, x)), TypeError, "element types"),
        (lambda: of([1]).concatenate(Dataset.from_tensors(1.0)), TypeError, "Incompatible"),
        (
            lambda: Dataset.choose_from_datasets([of([1])], of([1])),
            tf.errors.InvalidArgumentError,
            "out of range",
        ),
        (
            lambda: Dataset.range(2).group_by_window(lambda x: 0.5, lambda k, w: w, 2),
            ValueError,
            "key_func",
        ),
    ],
)
def test_elements_are_refused(dataset, error, message):
    with pytest.raises(error, match=message):
        values(dataset())


def test_single_elements():
    assert Dataset.range(3).batch(3).get_single_element().numpy().tolist() == [0, 1, 2]
    for count, message in ((0, "empty"), (2, "more than one")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            Dataset.range(count).get_single_element()


def test_the_end_of_an_iterator():
    iterator = iter(Dataset.range(1))
    assert iterator.next().numpy() == 0
    assert not iterator.get_next_as_optional().has_value()
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not have a value"):
        iterator.get_next_as_optional().get_value()


def test_options_are_kept():
    options = tf.data.Options()
    options.threading.private_threadpool_size = 2
    options.deterministic = True
    dataset = Dataset.range(3).with_options(options).batch(2)
    assert dataset.options().deterministic
    assert dataset.options().threading.private_threadpool_size == 2
    with pytest.raises(AttributeError, match="there are"):
        options.determinism = True


def test_files_and_lines(tmp_path):
    for name, text in (("a", "one\r\ntwo\n"), ("b", "three")):
        tf.io.write_file(str(tmp_path / name), text)
    files = Dataset.list_files(f"{tmp_path}/*", shuffle=False)
    assert values(files) == [f"{tmp_path}/{name}".encode() for name in "ab"]
    assert sorted(values(Dataset.list_files(f"{tmp_path}/*"))) == values(files)
    lines = files.flat_map(tf.data.TextLineDataset)
    assert values(lines) == [b"one", b"two", b"three"]
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        values(tf.data.TextLineDataset("/nowhere"))


def test_rows_in_order_are_not_copied():
    table = tf.constant(np.arange(12).reshape(6, 2))
    (first, *_) = Dataset.from_tensor_slices(table).batch(3)
    assert np.shares_memory(first._array, table._array)


def test_experimental_functions():
    experimental = tf.data.experimental
    dataset = Dataset.range(4)
    assert values(dataset.apply(experimental.enumerate_dataset(2)).take(1)) == [(2, 0)]
    mapped = dataset.apply(experimental.map_and_batch(lambda x: x + 1, 3))
    assert values(mapped) == [[1, 2, 3], [4]]
    twice = dataset.apply(experimental.shuffle_and_repeat(4, 2))
    assert sorted(values(twice)) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert experimental.cardinality(dataset).numpy() == 4
    assert values(dataset.apply(experimental.prefetch_to_device("/cpu:0"))) == [0, 1, 2, 3]


def test_a_list_of_numbers_as_a_state_is_a_tensor():
    def step(state, _):
        return [state[1], state[0] + state[1]], state[1]

    numbers = Dataset.range(6).scan([0, 1], step)
    assert list(map(int, numbers)) == [1, 1, 2, 3, 5, 8]
    last = Dataset.range(6).reduce([0, 1], lambda state, x: step(state, x)[0])
    assert last.numpy().tolist() == [8, 13]


def doubled(factor=2, seed=1, rows=(1, 2)):
    source = tf.data.Dataset.from_tensor_slices({"a": np.array(rows)})
    return source.shuffle(10, seed=seed).map(lambda row: row["a"] * factor).batch(2)


def test_a_fingerprint_tells_how_a_dataset_is_made():
    dataset = doubled()
    first = dataset.fingerprint()
    assert first.dtype == tf.uint64
    list(dataset)
    assert dataset.fingerprint() == first == doubled().fingerprint()
    for other in (doubled(3), doubled(seed=2), doubled(rows=(1, 3)), doubled().repeat()):
        assert other.fingerprint() != first


def test_the_fingerprint_of_a_recorded_function_is_that_of_its_python():
    function = tf.function(lambda x: x + 1)
    dataset = tf.data.Dataset.range(3).map(function)
    first = dataset.fingerprint()
    list(dataset)
    assert dataset.fingerprint() == first
    assert tf.data.Dataset.range(3).map(tf.function(lambda x: x + 2)).fingerprint() != first


@pytest.mark.filterwarnings("ignore:.*returns an object of the class Dataset")
def test_functions_return_datasets():
    @tf.function
    def counted(n):
        return tf.data.Dataset.range(n).map(lambda x: 2 * x), n + 1

    for n in (2, 3, 4):
        dataset, more = counted(tf.constant(n, tf.int64))
        assert [int(x) for x in dataset] == [2 * i for i in range(n)]
        assert more == n + 1


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Dataset.range(2).concatenate(Dataset.from_tensors(1.0)), TypeError, "Incompat"),
        (lambda: Dataset.range(9).padded_batch(5, [1]), ValueError, "padded shape"),
        (lambda: Dataset.from_tensors([1, 2]).padded_batch(5, [1]), ValueError, "none of them"),
        (lambda: Dataset.from_tensors([1]).padded_batch(5, [[1, 1]]), ValueError, "its shape was"),
        (lambda: Dataset.from_tensors([1]).padded_batch(5, [1.5]), TypeError, "element type was"),
        (lambda: Dataset.from_tensors(([1], [1, 2])).unbatch(), ValueError, "both 1 and 2"),
        (
            lambda: Dataset.sample_from_datasets([Dataset.range(2), Dataset.from_tensors(1.0)]),
            TypeError,
            "must have compatible element specs",
        ),
        (
            lambda: Dataset.zip(Dataset.range(1), datasets=Dataset.range(1)),
            TypeError,
            "one of them",
        ),
    ],
)
def test_datasets_that_do_not_fit_are_refused_when_they_are_made(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_functions_are_not_called_to_compare_datasets():
    calls = []
    Dataset.range(2).map(lambda x: calls.append(x) or [x]).padded_batch(2, [1]).unbatch()
    assert calls == []


def test_ragged_elements_are_arrays_of_arrays_for_numpy():
    rows = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[[1, 2], [3]], [[4]]]))
    first, second = rows.as_numpy_iterator()
    assert [row.tolist() for row in first] == [[1, 2], [3]]
    assert [row.tolist() for row in second] == [[4]]


def test_elements_that_cannot_be_arrays_or_choices_are_refused_at_once():
    with pytest.raises(TypeError, match="not supported for datasets that produce datasets"):
        tf.data.Dataset.range(3).window(2).as_numpy_iterator()
    two = [tf.data.Dataset.range(2), tf.data.Dataset.range(2)]
    for wrong in (1.0, [1]):
        choices = tf.data.Dataset.from_tensors(wrong)
        with pytest.raises(TypeError, match=r"scalar elements of tf\.int64"):
            tf.data.Dataset.choose_from_datasets(two, choices)


@pytest.mark.parametrize(
    ("names", "told"),
    [(0, "a dataset of `tf.int32`"), (["a", "b"], r"of shape \[\]"), (("a", "b"), "TensorSpec")],
)
def test_datasets_of_what_is_no_name_of_a_file_are_refused(names, told):
    with pytest.raises(TypeError, match=told):
        tf.data.TextLineDataset(tf.data.Dataset.from_tensors(names))


def test_specs_of_datasets_of_several_shapes_leave_their_lengths_open():
    made = tf.data.Dataset.range(4).map(lambda n: tf.fill([n], n))
    of_one = tf.data.Dataset.from_tensors
    for joined in (made.interleave(of_one, cycle_length=2), made.flat_map(of_one)):
        assert joined.element_spec == tf.TensorSpec([None], tf.int64)
        assert [x.numpy().tolist() for x in joined] == [[], [1], [2, 2], [3, 3, 3]]
    datasets = made.map(of_one)
    assert datasets.element_spec == tf.data.DatasetSpec(tf.TensorSpec([None], tf.int64))
    mixed = tf.data.Dataset.range(2).map(
        lambda n: of_one(tf.cast(n, tf.int32)) if n > 0 else of_one(n)
    )
    with pytest.raises(TypeError, match="Incompatible dataset elements"):
        mixed.element_spec  # noqa: B018


def test_specs_do_not_fail_with_the_first_element():
    numbers = tf.data.Dataset.from_tensor_slices([3, 1, 4, 0, 2])
    found = numbers.batch(2).map(lambda a: tf.gather([1.0, 2.0, 3.0], a)).ignore_errors()
    assert found.element_spec == tf.TensorSpec([None], tf.float32)
    assert [x.numpy().tolist() for x in found] == [[3.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
        numbers.map(lambda a: tf.gather([1.0], a + 1)).element_spec  # noqa: B018


def test_a_list_of_datasets_is_taken_apart_into_them():
    parts = [tf.data.Dataset.range(n) for n in (2, 3)]
    both = tf.data.Dataset.from_tensor_slices(parts)
    assert both.element_spec == tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
    assert len(both) == 2
    flat = both.flat_map(lambda part: part.map(lambda x: {"x": x}))
    assert [each["x"].numpy().item() for each in flat] == [0, 1, 0, 1, 2]
    turns = both.interleave(lambda part: part, cycle_length=2)
    assert [*turns.as_numpy_iterator()] == [0, 0, 1, 1, 2]
    with pytest.raises(TypeError, match="Incompatible dataset elements"):
        tf.data.Dataset.from_tensor_slices([parts[0], tf.data.Dataset.from_tensors("a")])
