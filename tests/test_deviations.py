"""Behavior that differs from TensorFlow's on purpose, where no other test is about it.

The pages in ``docs/en/deviations`` name the test of each difference.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from cinta.languages.choice import LANGUAGES
from tools.website import facts

TESTS = Path(__file__).parent
ROOT = TESTS.parent
INF, NAN = np.inf, np.nan


def test_every_test_that_the_pages_name_exists():
    named = [
        found
        for page in sorted((ROOT / "docs/en/deviations").glob("*.md"))
        for found in re.findall(r"`(test_\w+\.py)::(test_\w+)`", page.read_text())
    ]
    assert len(named) > 150
    missing = [
        f"{file}::{test}"
        for file, test in named
        if f"def {test}(" not in "".join(path.read_text() for path in TESTS.rglob(file))
    ]
    assert missing == []


def test_the_table_of_pages_counts_the_rows_of_each():
    for language in LANGUAGES:
        pages = ROOT / "docs" / language / "deviations"
        counted = re.findall(r"\((\w+\.md)\).*\| (\d+) \|", (pages / "index.md").read_text())
        rows = {page: len(facts.rows_of_differences(pages / page)) for page, _ in counted}
        assert len(rows) > 15
        assert {page: int(count) for page, count in counted} == rows


def test_every_row_names_a_test():
    for page in sorted((ROOT / "docs/en/deviations").glob("*.md")):
        rows = facts.rows_of_differences(page)
        assert [row for row in rows if not row[4].startswith("`test_")] == []


VALUES = {
    "an extreme of nan": (lambda: tf.math.segment_max([NAN, 1.0, 2.0], [0, 0, 1]), [NAN, 2]),
    "a mean of no complex numbers": (lambda: tf.reduce_mean(tf.zeros([0], tf.complex64)), NAN),
    "the first nan is the largest": (lambda: tf.argmax([1.0, NAN, 2.0]), 1),
    "the first nan is the smallest": (lambda: tf.argmin([1.0, NAN, NAN]), 1),
    "a softmax of infinity": (lambda: tf.nn.softmax([INF, 1.0]), [NAN, NAN]),
    "a softmax of nan": (lambda: tf.nn.softmax([NAN, 1.0]), [NAN, NAN]),
    **{
        f"{name} below 0": (lambda name=name: getattr(tf.math.special, name)([-1.0]), [NAN])
        for name in ("bessel_k0", "bessel_k1", "bessel_y0", "bessel_y1", "bessel_k0e", "bessel_k1e")
    },
    "frames of strings": (lambda: tf.signal.frame(["a", "b", "c"], 2, 1)[1], [b"b", b"c"]),
    "frames of bools": (lambda: tf.signal.frame([True, False], 1, 1), [[True], [False]]),
    "transforms to no length": (lambda: tf.signal.rfft(tf.zeros([3]), [0]), []),
    "transforms to a larger length": (lambda: tf.signal.rfft(tf.zeros([0]), [4]), [0, 0, 0]),
    "channels of no images": (
        lambda: tf.nn.conv2d(tf.ones([0, 4, 4, 2]), tf.ones([2, 2, 2, 5]), 1, "SAME").shape,
        [0, 4, 4, 5],
    ),
    "a norm of small integers": (
        lambda: tf.math.reduce_euclidean_norm(tf.constant([60, 80], tf.int8)),
        100,
    ),
    "the slope of a leaky relu": (
        lambda: tf.nn.leaky_relu(tf.constant(-1.0, tf.float64), 0.1),
        -0.1,
    ),
    "nothing is gathered": (lambda: tf.gather([1.0, 2.0], []), []),
    "an index without numbers": (lambda: tf.gather_nd([1.0, 2.0], []), [1, 2]),
    "one axis is reversed": (lambda: tf.reverse([1, 2, 3], 0), [3, 2, 1]),
    "a place is a number": (lambda: tf.scatter_nd([[1]], [2], 3), [0, 2, 0]),
    "a depth is a vector": (lambda: tf.one_hot(0, [3]), [1, 0, 0]),
    "a count is a vector": (lambda: tf.math.top_k([1.0, 2.0], [1]).indices, [1]),
    "bounds are numbers": (lambda: tf.strided_slice([1, 2, 3], 0, 2), [1, 2]),
    "an axis is a vector": (lambda: tf.cumsum([1, 2], [0]), [1, 3]),
    "half a norm": (lambda: tf.norm(tf.constant([300.0, 400.0], tf.float16)), 500),
    "integer logits": (lambda: tf.random.categorical(tf.constant([[0, 0]]), 3).shape, [1, 3]),
    "integer counts": (
        lambda: tf.random.stateless_binomial([2], [1, 2], tf.constant(10), tf.constant(1)),
        [10, 10],
    ),
    "unsigned bounds": (
        lambda: tf.random.Generator.from_seed(1).uniform([3], 4, 5, tf.uint32),
        [4, 4, 4],
    ),
    "halves are rounded": (lambda: tf.math.rint(tf.constant([1.6], tf.float16)), [2]),
    "a table is a list of numbers": (
        lambda: tf.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1]),
        [[3, 4]],
    ),
    "a tridiagonal operator": (
        lambda: tf.linalg.LinearOperatorTridiag(tf.ones([3, 3]), "matrix").to_dense(),
        [[1, 1, 0], [1, 1, 1], [0, 1, 1]],
    ),
    "a batch of tridiagonal matrices": (
        lambda: tf.linalg.eigh_tridiagonal([[0.0, 0.0], [0.0, 0.0]], [[1.0], [2.0]]),
        [[-1, 1], [-2, 2]],
    ),
    "lists take the dtype of a tensor": (
        lambda: tf.matmul(tf.ones([1, 2], tf.float64), [[1], [2]]),
        [[3]],
    ),
    "whole floats of numpy are a shape": (lambda: tf.zeros(np.array([1.0, 2.0])), [[0, 0]]),
    "a truth value is a tensor": (lambda: tf.experimental.numpy.isinf([1, 2]), [False, False]),
    "an angle is a tensor": (lambda: tf.experimental.numpy.rad2deg(0), 0),
    "rounding to tens": (lambda: tf.experimental.numpy.around(25.0, -1), 20),
    "complex conditions": (lambda: tf.experimental.numpy.where([1j, 0j], 1, 2), [1, 2]),
    "heaviside of nan": (lambda: tf.experimental.numpy.heaviside(NAN, 1.0), NAN),
    "the rank of a complex matrix": (
        lambda: tf.linalg.matrix_rank(tf.eye(2, dtype="complex64")),
        2,
    ),
    "pooling of a 3-D image": (
        lambda: tf.nn.max_pool3d(tf.ones([1, 2, 2, 2, 1], tf.float64), 2, 2, "VALID")[0, 0, 0, 0],
        [1],
    ),
    "strides of a 3-D convolution": (
        lambda: tf.nn.conv3d(tf.ones([1, 2, 2, 2, 1]), tf.ones([2, 2, 2, 1, 1]), 2, "VALID")[
            0, 0, 0
        ],
        [[8]],
    ),
    "windows with gaps": (
        lambda: tf.nn.pool(tf.ones([1, 4, 4, 1]), [2, 2], "MAX", padding="SAME", dilations=2).shape,
        [1, 4, 4, 1],
    ),
    "lists beside tensors": (lambda: tf.tensordot(tf.ones([2], tf.float64), [1, 2], 1), 3),
    "padding alone": (
        lambda: tf.nn.dilation2d(
            tf.ones([1, 1, 1, 1]), tf.zeros([1, 1, 1]), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]
        )[0, 0, 0],
        [1],
    ),
    "labels that cannot be aligned": (
        lambda: tf.nn.ctc_loss([[1, 1]], tf.zeros([2, 1, 3]), [2], [2], blank_index=0),
        [np.float32(1e30)],
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name):
    compute, expected = VALUES[name]
    found = compute()
    found = found.as_list() if isinstance(found, tf.TensorShape) else found.numpy()
    np.testing.assert_array_equal(found, expected)


ERRORS = {
    "a merge of repeated labels": (
        lambda: tf.raw_ops.CTCBeamSearchDecoder(
            inputs=tf.zeros([2, 1, 3]), sequence_length=[2], beam_width=2, top_paths=1
        ),
        tf.errors.UnimplementedError,
    ),
    "a part of a split": (
        lambda: tf.raw_ops.Split(axis=0, value=[1.0, 2.0], num_split=1.5),
        TypeError,
    ),
    "a fixed dtype": (
        lambda: tf.raw_ops.CropAndResize(
            image=tf.ones([1, 2, 2, 1]),
            boxes=tf.ones([1, 4], tf.float64),
            box_ind=[0],
            crop_size=[1, 1],
        ),
        tf.errors.InvalidArgumentError,
    ),
    "an op on references": (lambda: tf.raw_ops.RefEnter, AttributeError),
    "axes that are a truth value": (lambda: tf.reduce_sum([1.0], keepdims=5), TypeError),
    "steps of one and a half": (
        lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), 1.5, "SAME"),
        TypeError,
    ),
    "no alignment": (lambda: tf.linalg.diag([1.0], align=None), TypeError),
    "a seed of one and a half": (lambda: tf.random.normal([2], seed=1.5), TypeError),
    "a matrix of axes": (
        lambda: tf.reduce_sum([1.0], axis=[[0]]),
        tf.errors.InvalidArgumentError,
    ),
    "two and a half rows": (
        lambda: tf.zeros(np.array([2.5])),
        tf.errors.InvalidArgumentError,
    ),
    "a product of two dtypes": (
        lambda: tf.math.multiply_no_nan(tf.ones([1]), tf.ones([1], tf.float64)),
        tf.errors.InvalidArgumentError,
    ),
    "a spec of nothing": (lambda: tf.type_spec_from_value(None), TypeError),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    call, error = ERRORS[name]
    with pytest.raises(error):
        call()


def test_each_grid_keeps_its_dtype():
    a, b = tf.meshgrid(tf.constant([1]), tf.constant([2.0]))
    assert (a.dtype, b.dtype) == (tf.int32, tf.float32)


def test_the_inverse_of_a_circulant_operator_keeps_its_dtype():
    operator = tf.linalg.LinearOperatorCirculant([5.0, 2, 2], tf.float64)
    assert operator.inverse().dtype == operator.dtype == tf.float64


def test_updates_return_the_variable():
    v = tf.Variable(1.0)
    assert v.assign(2.0) is v
    assert v.assign_add(1.0) is v


def test_a_module_has_a_name_without_the_initializer_of_its_base():
    class Layer(tf.Module):
        def __init__(self):
            pass

    assert Layer().name == "layer"


def test_complex_numbers_are_printed(capsys):
    tf.print(tf.constant(1 + 2j))
    captured = capsys.readouterr()
    assert "(1,2)" in captured.err + captured.out


def test_scaled_slices_are_slices():
    g = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
    assert isinstance(0.1 * g, tf.IndexedSlices)


def test_an_op_without_a_gradient_may_produce_a_source():
    x = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
    with tf.GradientTape() as tape:
        factors, _ = tf.linalg.lu(x)
        tape.watch(factors)
        y = tf.reduce_sum(factors * factors)
    assert tape.gradient(y, factors).numpy().tolist() == [[4, 0], [0, 4]]


def test_a_gradient_of_another_shape_is_refused():
    @tf.custom_gradient
    def f(x):
        return tf.identity(x), lambda g: tf.ones([3])

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = f(x)
    with pytest.raises(ValueError, match=r"shape \[3\] for an input of shape \[2\]"):
        tape.gradient(y, x)


def test_a_jacobian_runs_a_gradient_function_that_needs_values_row_by_row():
    @tf.custom_gradient
    def f(x):
        return x * 2.0, lambda g: g * (3.0 if g.numpy().sum() > 0 else 0.0)

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = f(x)
    assert tape.jacobian(y, x).numpy().tolist() == [[3, 0], [0, 3]]


def test_the_limit_of_threads_takes_effect_after_an_op_ran():
    tf.ones([2])
    before = tf.config.threading.get_intra_op_parallelism_threads()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    try:
        assert tf.config.threading.get_intra_op_parallelism_threads() == 1
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(before)


def test_numpy_functions_keep_the_width_of_floats():
    assert tf.experimental.numpy.exp(tf.constant([1.0], tf.bfloat16)).dtype == tf.bfloat16
    assert tf.experimental.numpy.log2(tf.constant([1.0])).dtype == tf.float32


def test_exceptions_of_python_functions_are_the_cause():
    def fail(x):
        raise KeyError("here")

    with pytest.raises(tf.errors.UnknownError) as caught:
        tf.py_function(fail, [1.0], tf.float32)
    assert isinstance(caught.value.__cause__, KeyError)


def test_integer_results_of_a_custom_gradient_have_no_gradient():
    called = []

    @tf.custom_gradient
    def f(x):
        return tf.cast(x, tf.int32), lambda g: called.append(g) or tf.ones([])

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = f(x)
    with pytest.warns(UserWarning, match="must be floating"):
        assert tape.gradient(y, x) is None
    assert called == []


def test_lists_are_saved_as_they_are(tmp_path):
    root = tf.train.Checkpoint(layers=[tf.Variable(1.0), tf.Variable(2.0)])
    del root.layers[0]
    path = root.write(str(tmp_path / "it"))
    assert tf.train.load_checkpoint(path).get_tensor("layers/0/.ATTRIBUTES/VARIABLE_VALUE") == 2.0


def test_a_watch_holds_for_what_comes_after_it():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
    assert tape.gradient(y, x) is None


def test_unsorted_sparse_tensors_are_added_place_by_place():
    a = tf.SparseTensor([[1], [0]], [1.0, 2.0], [3])
    b = tf.SparseTensor([[0], [1]], [10.0, 20.0], [3])
    total = tf.sparse.add(a, b)
    assert tf.sparse.to_dense(tf.sparse.reorder(total)).numpy().tolist() == [12, 21, 0]
    assert len(total.values) == 2


def test_a_sparse_tensor_has_no_bessel_function_that_is_one_at_zero():
    with pytest.raises(ValueError, match="SparseTensor"):
        tf.math.bessel_i0e(tf.SparseTensor([[1]], [1.0], [3]))


def test_recordings_of_a_method_belong_to_its_object():
    class Layer(tf.Module):
        @tf.function
        def double(self, x):
            return x * 2.0

    layer = Layer()
    layer.double(tf.constant(1.0))
    assert layer.double.experimental_get_tracing_count() == 1
    assert Layer.double.experimental_get_tracing_count() == 0


def test_functions_of_datasets_run_for_every_element():
    seen = []
    dataset = tf.data.Dataset.range(3).map(lambda x: seen.append(int(x)) or x)
    assert [int(x) for x in dataset] == [0, 1, 2]
    assert seen[-3:] == [0, 1, 2]


def test_interleaving_keeps_its_order():
    repeat = tf.data.Dataset.range(3).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(2),
        cycle_length=3,
        num_parallel_calls=2,
        deterministic=False,
    )
    assert [int(x) for x in repeat] == [0, 1, 2, 0, 1, 2]


def test_variables_of_a_checkpoint_are_tensors_alone(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(tmp_path / "it"))
    assert tf.train.list_variables(path) == [("v/.ATTRIBUTES/VARIABLE_VALUE", [])]


def test_the_export_of_a_dense_table_has_its_keys_alone():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -2)
    table.insert([3, 4], [5, 6])
    keys, values = table.export()
    assert sorted(keys.numpy()) == [3, 4]
    assert sorted(values.numpy()) == [5, 6]


def test_the_gradient_of_resizing_is_added_up_in_single_precision():
    image = tf.Variable(np.zeros((1, 20, 20, 1)))
    with tf.GradientTape() as tape:
        y = tf.cast(tf.image.resize(image, [3, 3], antialias=True), tf.float64) * np.pi
    slope = tape.gradient(y, image).numpy()
    np.testing.assert_array_equal(slope, slope.astype(np.float32))
