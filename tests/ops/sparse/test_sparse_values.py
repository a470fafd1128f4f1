"""Sparse tensors as values: in specs, nests, loops, functions, assertions."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import cinta as tf

Spec = tf.SparseTensorSpec
INVALID = tf.errors.InvalidArgumentError


def made(values=(1.5, -2.0)):
    return tf.SparseTensor([[0, 1], [2, 0]], tf.constant(values), [3, 4])


def rows(shape=(5,)):
    return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 3]), shape)


def dense(x):
    assert isinstance(x, tf.SparseTensor)
    return tf.sparse.to_dense(x).numpy().tolist()


# -- specs -------------------------------------------------------------------------------------


def test_what_a_spec_says():
    spec = Spec([2, None], tf.int32)
    assert repr(spec) == "SparseTensorSpec(TensorShape([2, None]), tf.int32)"
    assert (spec.shape.as_list(), spec.dtype, spec.rank) == ([2, None], tf.int32, 2)
    assert spec.value_type is tf.SparseTensor
    assert spec == Spec([2, None], "int32") != Spec([2, None])
    assert len({spec, Spec([2, None], tf.int32)}) == 1
    assert repr(Spec()) == "SparseTensorSpec(TensorShape(None), tf.float32)"
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_what_fits_a_spec():
    assert Spec([3, None]).is_compatible_with(made())
    assert Spec().is_compatible_with(Spec([1]))
    for other in (Spec([3, 5]), Spec([3, 4], tf.int32), tf.TensorSpec([3, 4])):
        assert not other.is_compatible_with(made())
    assert not Spec([3, 4]).is_compatible_with(tf.zeros([3, 4]))
    assert Spec([3, 4]).is_subtype_of(Spec([3, None]))
    assert not Spec([3, None]).is_subtype_of(Spec([3, 4]))
    assert Spec([3, 4]).most_specific_compatible_type(Spec([3, 5])) == Spec([3, None])
    assert Spec([3]).most_specific_common_supertype([Spec([3], tf.int32)]) is None
    with pytest.raises(ValueError, match="No TypeSpec"):
        Spec([3]).most_specific_compatible_type(Spec([3], tf.int32))


def test_specs_of_values():
    assert tf.type_spec_from_value(made()) == Spec.from_value(made()) == Spec([3, 4])
    with pytest.raises(TypeError, match="Expected SparseTensor"):
        Spec.from_value([1])
    assert tf.is_tensor(made())
    assert tf.get_static_value(made()) is None
    with pytest.raises(ValueError, match="to_dense"):
        tf.convert_to_tensor(made())


# -- nests -------------------------------------------------------------------------------------


def test_composites_are_taken_apart_only_if_asked_to():
    nested = {"a": made(), "b": [1]}
    assert len(tf.nest.flatten(nested)) == 2
    flat = tf.nest.flatten(nested, expand_composites=True)
    assert [np.asarray(x).tolist() for x in flat] == [[[0, 1], [2, 0]], [1.5, -2.0], [3, 4], 1]
    back = tf.nest.pack_sequence_as(nested, [flat[0], flat[1] * 2, *flat[2:]], True)
    assert_array_equal(back["a"].values, [3.0, -4.0])
    doubled = tf.nest.map_structure(
        lambda x: x * 2 if x.dtype.is_floating else x, [made()], expand_composites=True
    )
    assert_array_equal(doubled[0].values, [3.0, -4.0])
    assert tf.nest.map_structure(lambda x: x.dtype, [made()]) == [tf.float32]


def test_rows_and_specs_are_taken_apart():
    assert len(tf.nest.flatten(rows(), expand_composites=True)) == 3
    assert len(tf.nest.flatten(rows(None), expand_composites=True)) == 2
    again = tf.nest.map_structure(tf.identity, rows(), expand_composites=True)
    assert (type(again), again.shape.as_list()) == (tf.IndexedSlices, [5])
    parts = tf.nest.flatten(Spec([2, None]), expand_composites=True)
    assert parts == [
        tf.TensorSpec([None, 2], tf.int64),
        tf.TensorSpec([None], tf.float32),
        tf.TensorSpec([2], tf.int64),
    ]
    flat = tf.nest.flatten(made(), expand_composites=True)
    assert dense(tf.nest.pack_sequence_as(Spec([3, 4]), flat, True)) == dense(made())
    assert len(tf.nest.flatten(tf.type_spec_from_value(rows()), True)) == 3


def test_structures_of_composites():
    def same(one, other):
        tf.nest.assert_same_structure(one, other, expand_composites=True)

    same(made(), tf.SparseTensor([[0]], [1.0], [3]))
    same(made(), Spec([None, None]))
    tf.nest.assert_same_structure(made(), tf.constant(1.0))
    for other in (tf.constant(1.0), made([1, 2]), rows()):
        with pytest.raises(ValueError, match="same nested structure"):
            same(made(), other)


# -- control flow and functions -----------------------------------------------------------------


def doubled(x):
    return x.with_values(x.values * 2)


@pytest.mark.parametrize(
    "wrap", [lambda f: f, tf.function, lambda f: tf.function(f, jit_compile=True)]
)
def test_loop_variables(wrap):
    def loop(x, r):
        def step(i, x, r):
            return i + 1, doubled(x), tf.IndexedSlices(r.values * 2, r.indices, r.dense_shape)

        return tf.while_loop(lambda i, x, r: i < 3, step, (0, x, r))

    loop = wrap(loop)
    for _ in range(2):
        _, x, r = loop(made(), rows())
        assert_array_equal(x.values, [12.0, -16.0])
        assert (type(r), r.values.numpy().tolist()) == (tf.IndexedSlices, [8.0, 16.0])


@pytest.mark.parametrize("jit_compile", [None, True])
def test_in_and_out_of_functions(jit_compile):
    choose = tf.function(
        lambda which, x: tf.cond(which, lambda: x, lambda: doubled(x)), jit_compile=jit_compile
    )
    for which, values in ((True, [1.5, -2.0]), (False, [3.0, -4.0]), (True, [1.5, -2.0])):
        found = choose(tf.constant(which), made())
        assert_array_equal(found.values, values)
        assert_array_equal(found.indices, made().indices)
    longer = tf.SparseTensor([[0, 0]], [7.0], [1, 1])
    assert dense(choose(tf.constant(False), longer)) == [[14.0]]


def test_signatures():
    f = tf.function(lambda x: tf.sparse.to_dense(x) * 2, input_signature=[Spec([None, 4])])
    assert f(made()).shape == [3, 4]
    for wrong in (tf.zeros([3, 4]), made([1, 2]), tf.sparse.eye(3)):
        with pytest.raises(TypeError, match="Can not cast"):
            f(wrong)
    concrete = tf.function(doubled).get_concrete_function(Spec([3, 4]))
    assert_array_equal(concrete(made()).values, [3.0, -4.0])


def test_gradients_through_functions_of_sparse_tensors():
    f = tf.function(lambda x: tf.reduce_sum(tf.sparse.to_dense(doubled(x)) ** 2))
    values = tf.constant([1.5, -2.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = f(made().with_values(values))
        assert_array_equal(tape.gradient(y, values), [12.0, -16.0])


def test_map_fn():
    total = tf.map_fn(tf.sparse.reduce_sum, made(), fn_output_signature=tf.float32)
    assert_array_equal(total, [1.5, 0.0, -2.0])
    assert dense(tf.map_fn(doubled, made())) == dense(doubled(made()))
    both = tf.map_fn(
        lambda x: (x[0], tf.sparse.reduce_sum(x[1])),
        (tf.range(3), made()),
        fn_output_signature=(tf.int32, tf.float32),
    )
    assert_array_equal(both[1], total)
    grown = tf.map_fn(
        lambda n: tf.sparse.from_dense(tf.range(n)),
        tf.constant([1, 4, 2]),
        fn_output_signature=Spec([None], tf.int32),
    )
    assert dense(grown) == [[0, 0, 0, 0], [0, 1, 2, 3], [0, 1, 0, 0]]
    nothing = tf.SparseTensor(np.zeros((0, 2)), tf.zeros([0]), [0, 3])
    empty = tf.map_fn(doubled, nothing, fn_output_signature=Spec([3]))
    assert (empty.shape, empty.dtype) == ([0, 3], tf.float32)


def test_map_fn_refuses():
    vector = tf.SparseTensor([[1]], [1.0], [3])
    with pytest.raises(INVALID, match="should be > 1"):
        tf.map_fn(doubled, vector)
    with pytest.raises(ValueError, match="fn_output_signature"):
        tf.map_fn(tf.sparse.reduce_sum, made())
    with pytest.raises(ValueError, match="Incompatible shape"):
        tf.map_fn(doubled, made(), fn_output_signature=Spec([5]))
    with pytest.raises(INVALID, match="as many axes"):
        tf.map_fn(
            lambda n: tf.sparse.from_dense(tf.ones([1] * int(n))),
            tf.constant([1, 2]),
            fn_output_signature=Spec(None),
        )


# -- assertions and functions of each element ----------------------------------------------------


def test_assertions():
    check = tf.debugging
    check.assert_rank(made(), 2)
    check.assert_rank_in(made(), (1, 2))
    check.assert_rank_at_least(made(), 1)
    check.assert_shapes([(made(), (3, "N")), (tf.zeros([4]), ("N",))])
    check.assert_type(made(), tf.float32)
    check.assert_equal(x := made(), x)
    assert check.assert_same_float_dtype([made(), tf.ones(2)]) is tf.float32
    assert not check.is_numeric_tensor(made())
    for call, error in (
        (lambda: check.assert_rank(made(), 3), ValueError),
        (lambda: check.assert_rank_in(made(), (1, 3)), ValueError),
        (lambda: check.assert_shapes([(made(), (3, 5))]), ValueError),
        (lambda: check.assert_type(made(), tf.int32), TypeError),
    ):
        with pytest.raises(error):
            call()


def test_elementwise_functions_that_keep_zeros():
    assert_array_equal(tf.abs(made()).values, [1.5, 2.0])
    assert_array_equal(tf.stop_gradient(made()).values, [1.5, -2.0])
    assert_array_equal(tf.floor(made()).values, [1.0, -2.0])
    for function in (tf.exp, tf.sigmoid, tf.math.softplus, tf.math.reciprocal):
        with pytest.raises(ValueError, match="SparseTensor"):
            function(made())


def test_coordinates_from_arrays_of_floats():
    assert_array_equal(tf.SparseTensor(np.array([[1.0]]), [1.0], np.array([3.0])).indices, [[1]])
    with pytest.raises(TypeError, match="whole numbers"):
        tf.SparseTensor([[1.0]], [1.0], [3])
    with pytest.raises(TypeError, match="whole numbers"):
        tf.SparseTensor(tf.constant([[1.0]]), [1.0], [3])


def test_a_dense_factor_from_numpy_keeps_its_dtype():
    a, b = tf.sparse.eye(2), np.ones([2, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="to be a float tensor but is a doub"):
        tf.sparse.sparse_dense_matmul(a, b)
    assert tf.sparse.sparse_dense_matmul(a, b.astype(np.float32)).dtype == tf.float32
    assert tf.sparse.sparse_dense_matmul(a, [[1], [1]]).dtype == tf.float32
