"""Specs of tensors and of rows."""

import copy
import pickle

import numpy as np
import pytest

import cinta as tf

Spec = tf.TensorSpec


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (Spec([1, None], tf.int32), "TensorSpec(shape=(1, None), dtype=tf.int32, name=None)"),
        (Spec([2], "float64", "n"), "TensorSpec(shape=(2,), dtype=tf.float64, name='n')"),
        (Spec(None), "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"),
        (
            tf.IndexedSlicesSpec([2], tf.float32),
            "IndexedSlicesSpec(TensorShape([2]), tf.float32, tf.int64, None, TensorShape([None]))",
        ),
    ],
)
def test_specs_are_shown_as_tensorflow_shows_them(spec, text):
    assert repr(spec) == text


def test_specs_are_equal_by_what_they_say():
    assert Spec([2]) == Spec((2,))
    assert hash(Spec([2])) == hash(Spec([2]))
    for other in (Spec([3]), Spec([2], tf.int32), Spec([2], name="a"), 2):
        assert Spec([2]) != other
    assert isinstance(Spec([2]), tf.TypeSpec)
    for copied in (copy.deepcopy(Spec([None], name="a")), pickle.loads(pickle.dumps(Spec([1])))):
        assert copied in (Spec([None], name="a"), Spec([1]))


def test_a_spec_knows_its_tensors():
    spec = Spec([None, 2])
    assert spec.is_compatible_with(tf.ones([3, 2]))
    assert spec.is_compatible_with(tf.Variable(tf.ones([1, 2])))
    assert spec.is_compatible_with(Spec([None, None]))
    assert not spec.is_compatible_with(tf.ones([3]))
    assert not spec.is_compatible_with(tf.ones([3, 2], tf.int32))
    assert not spec.is_compatible_with(np.ones([3, 2], np.float32))
    assert spec.value_type is tf.Tensor
    assert Spec.from_tensor(tf.ones([2]), "x") == Spec([2], name="x")
    assert Spec.from_spec(spec, "x").name == "x"


def test_specs_are_ordered_by_what_they_allow():
    assert Spec([2]).is_subtype_of(Spec([None]))
    assert not Spec([None]).is_subtype_of(Spec([2]))
    assert Spec([2]).most_specific_compatible_type(Spec([3])) == Spec([None])
    assert Spec([2]).most_specific_common_supertype([Spec([3, 1])]) == Spec(None)
    assert Spec([2]).most_specific_common_supertype([Spec([2], tf.int32)]) is None
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        Spec([2]).most_specific_compatible_type(Spec([2], tf.int32))


def test_the_spec_of_a_value():
    assert tf.type_spec_from_value(tf.ones([2])) == Spec([2])
    assert tf.type_spec_from_value(1) == Spec([], tf.int32)
    assert tf.type_spec_from_value(np.ones(2)) == Spec([2], tf.float64)
    rows = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]))
    spec = tf.type_spec_from_value(rows)
    assert spec.shape[1] == 3
    assert spec.is_compatible_with(rows)
    assert spec.value_type is tf.IndexedSlices
    for refused in (object(), {"a": tf.ones([2])}):
        with pytest.raises(TypeError, match="Could not build a TypeSpec"):
            tf.type_spec_from_value(refused)


def test_the_spec_of_a_variable():
    v = tf.Variable([1.0, 2.0])
    spec = tf.type_spec_from_value(v)
    assert repr(spec) == "VariableSpec(shape=(2,), dtype=tf.float32, trainable=True, alias_id=None)"
    assert spec == tf.type_spec_from_value(tf.Variable([3.0, 4.0]))
    assert hash(spec) == hash(tf.type_spec_from_value(v))
    assert spec.value_type is tf.Variable
    assert spec.is_compatible_with(v)
    others = [tf.Variable([1.0, 2.0], trainable=False), tf.Variable([1.0]), tf.constant([1.0, 2.0])]
    assert not any(spec.is_compatible_with(other) for other in others)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_the_spec_of_a_dataset():
    batches = tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).batch(2)
    spec = tf.type_spec_from_value(batches)
    assert spec == tf.data.DatasetSpec({"a": Spec([None], tf.int32)})
    assert spec == tf.data.DatasetSpec.from_value(batches)
    assert spec.is_compatible_with(batches)
    assert not spec.is_compatible_with(batches.unbatch())


def test_names_of_specs():
    """A spec without a name is of every name, and specs of two names have nothing in common."""
    one, other, nameless = Spec([2], name="a"), Spec([2], name="b"), Spec([2])
    assert nameless.is_subtype_of(one)
    assert not one.is_subtype_of(nameless)
    assert not one.is_subtype_of(other)
    for pair in ((one, other), (one, nameless), (nameless, other)):
        assert pair[0].most_specific_common_supertype([pair[1]]) is None
        with pytest.raises(ValueError, match="No TypeSpec is compatible"):
            pair[0].most_specific_compatible_type(pair[1])
    assert one.most_specific_common_supertype([Spec([3], name="a")]) == Spec([None], name="a")


class _PairSpec(tf.TypeSpec):
    def __init__(self, first, second, about):
        self.first, self.second, self.about = first, tf.TensorShape(second), about

    def _serialize(self):
        return self.first, self.second, self.about


class _OtherPairSpec(_PairSpec):
    pass


def _pair(rows=2, second=(3,), about="red", kind=_PairSpec, dtype=tf.float32):
    return kind({"a": Spec([rows, 2], dtype)}, second, about)


def test_specs_of_users_compare_by_what_they_are_made_of():
    table = {"table": np.arange(4).reshape(2, 2), "list": [1, (2, 3)]}
    same = {"table": np.arange(4).reshape(2, 2), "list": [1, (2, 3)]}
    assert _pair(about=table) == _pair(about=same)
    assert hash(_pair(about=table)) == hash(_pair(about=same))
    assert _pair(about={**table, "table": np.arange(4)}) != _pair(about=table)
    assert _pair() != _pair(kind=_OtherPairSpec)
    assert repr(_pair()).startswith("_PairSpec({'a': TensorSpec(shape=(2, 2)")


@pytest.mark.parametrize(
    ("one", "other", "compatible", "subtype", "covering"),
    [
        (_pair(), _pair(), True, True, _pair()),
        (_pair(), _pair(None, [None]), True, True, _pair(None, [None])),
        (_pair(None), _pair(), True, False, _pair(None)),
        (_pair(), _pair(4, [3, 1]), False, False, _pair(None, None)),
        (_pair(), _pair(about="blue"), False, False, None),
        (_pair(about=None), _pair(about=None), True, True, _pair(about=None)),
        (_pair(), _pair(dtype=tf.int32), False, False, None),
        (_pair(), _pair(kind=_OtherPairSpec), False, False, None),
        (_pair(), _PairSpec([Spec([2, 2])], [3], "red"), False, False, None),
        (_pair(about=[1]), _pair(about=(1,)), False, False, None),
    ],
)
def test_relations_of_specs_of_users(one, other, compatible, subtype, covering):
    assert one.is_compatible_with(other) == compatible
    assert one.is_subtype_of(other) == subtype
    assert one.most_specific_common_supertype([other]) == covering
    if covering is None:
        with pytest.raises(ValueError, match="No TypeSpec is compatible"):
            one.most_specific_compatible_type(other)
    else:
        assert one.most_specific_compatible_type(other) == covering


def test_a_spec_that_says_nothing_names_what_is_missing():
    class Silent(tf.TypeSpec):
        pass

    for ask in (hash, repr, lambda spec: spec.value_type):
        with pytest.raises(NotImplementedError, match=r"Silent\.(_serialize|value_type)"):
            ask(Silent())


def test_specs_say_what_they_are_made_of():
    shape = tf.TensorShape([2, None])
    assert Spec(shape, tf.int32, "n")._serialize() == (shape, tf.int32, "n")
    assert tf.SparseTensorSpec(shape)._serialize() == (shape, tf.float32)
    rows = tf.TensorShape([None])
    expected = (shape, tf.float32, tf.int64, None, rows)
    assert tf.IndexedSlicesSpec(shape)._serialize() == expected


def test_shapes_have_a_common_supertype_and_can_be_pickled():
    shape = tf.TensorShape([2, 3])
    assert shape.most_specific_common_supertype([tf.TensorShape([None, 3])]) == [None, 3]
    for protocol in (0, 2):
        for each in (shape, tf.TensorShape([None]), tf.TensorShape(None)):
            assert repr(pickle.loads(pickle.dumps(each, protocol))) == repr(each)


def test_values_are_cast_to_specs():
    made = Spec([None], tf.float32).cast([1, 2])
    assert made.dtype is tf.float32
    assert made.numpy().tolist() == [1.0, 2.0]
    tensor = tf.constant(1.0)
    assert Spec([]).cast(tensor) is tensor
    rows = tf.ragged.constant([[1], [2, 3]])
    assert tf.RaggedTensorSpec([2, None], tf.int32).cast(rows) is rows


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (Spec([]), tf.constant(1)),
        (Spec([]), [1, 2, 3]),
        (Spec([]), "a"),
        (tf.RaggedTensorSpec([2, None], tf.float32), tf.ragged.constant([[1], [2, 3]])),
    ],
)
def test_values_that_are_not_of_the_spec_are_not_cast(spec, value):
    with pytest.raises(TypeError, match="Can"):
        spec.cast(value)
