"""Nested structures: what is one, in which order it is read, how it is rebuilt and compared."""

import gc
import os
import weakref
from collections import ChainMap, Counter, OrderedDict, UserList, defaultdict, deque, namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cinta as tf
from cinta import nest
from cinta.engine.shapes import TensorShape

Point = namedtuple("Point", "x y")
Other = namedtuple("Other", "x y")
Twin = namedtuple("Point", "x y")


class MyList(list):
    pass


class MyMapping(Mapping):
    def __init__(self, items=()):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


@dataclass
class Hooked:
    a: object
    b: object
    name: str = "kept"

    def __tf_flatten__(self):
        return (self.name,), (self.a, self.b)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(*components, name=metadata[0])


@dataclass
class HookedByObject(Hooked):
    """Its method that builds belongs to objects, not to the class."""

    def __tf_unflatten__(self, metadata, components):
        return HookedByObject(*components, name=metadata[0])


@dataclass
class Plain:
    a: object


class LikeAttrs:
    """A class of the attrs library with the fields `x` and `_y`."""

    __attrs_attrs__ = (SimpleNamespace(name="x", alias="x"), SimpleNamespace(name="_y", alias="y"))

    def __init__(self, *, x, y):
        self.x = x
        self._y = y


STRUCTURES = [
    ([], []),
    ([1, (2, [3])], [1, 2, 3]),
    ({"b": 1, "a": [2, (3,)]}, [2, 3, 1]),
    (OrderedDict(b=1, a=2), [2, 1]),
    (defaultdict(list, {"b": 1, "a": 2}), [2, 1]),
    (Counter("aab"), [2, 1]),
    (ChainMap({"b": 1, "a": 2}), [2, 1]),
    (MyMapping({"b": 1, "a": 2}), [2, 1]),
    (deque([1, 2], maxlen=3), [1, 2]),
    (Point(1, (2,)), [1, 2]),
    (MyList([1, 2]), [1, 2]),
    (UserList([1, 2]), [1, 2]),
    (range(3), [0, 1, 2]),
    ({"b": 1, "a": 2}.values(), [1, 2]),
    ({"b": 1, "a": 2}.keys(), ["b", "a"]),
    ({"b": 1, "a": 2}.items(), ["b", 1, "a", 2]),
    (Hooked(1, [2, 3]), [1, 2, 3]),
    (LikeAttrs(x=1, y=[2]), [1, 2]),
]
LEAVES = [None, 1, "ab", b"ab", {1, 2}, frozenset([1]), np.ones(2), TensorShape([2]), slice(1, 2)]
LEAVES += [Plain([1]), bytes, (n for n in (1, 2))]

NESTED = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=2)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3).map(deque),
        st.builds(Point, inner, inner),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
        st.dictionaries(st.integers(), inner, max_size=3).map(OrderedDict),
    ),
)


@pytest.mark.parametrize(("structure", "leaves"), STRUCTURES)
def test_structures(structure, leaves):
    assert nest.is_nested(structure)
    assert nest.flatten(structure) == nest.flatten(structure, expand_composites=True) == leaves


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: type(leaf).__name__)
def test_leaves(leaf):
    assert not nest.is_nested(leaf)
    assert nest.flatten(leaf)[0] is leaf
    assert nest.pack_sequence_as(leaf, ["new"]) == "new"
    assert nest.map_structure(lambda x: [x], leaf)[0] is leaf


def test_unsortable_keys():
    mixed = {1: 1, "a": 2}
    with pytest.raises(TypeError, match=r"sortable keys.*'<' not supported"):
        nest.flatten(mixed)
    with pytest.raises(TypeError, match="sortable keys"):
        nest.pack_sequence_as(mixed, [1, 2])


@given(NESTED)
def test_rebuilding_from_the_leaves_gives_the_same(structure):
    rebuilt = nest.pack_sequence_as(structure, nest.flatten(structure))
    assert repr(rebuilt) == repr(structure)  # types and the order of keys included
    assert repr(nest.map_structure(lambda x: x, structure)) == repr(structure)
    nest.assert_same_structure(structure, rebuilt)


@given(NESTED)
def test_paths_lead_to_the_leaves(structure):
    found = nest.flatten_with_path(structure)
    assert [leaf for _, leaf in found] == nest.flatten(structure)
    for path, leaf in found:
        reached = structure
        for key in path:
            is_field = isinstance(reached, Point)
            reached = getattr(reached, key) if is_field else reached[key]
        assert reached is leaf


@pytest.mark.parametrize(
    "structure",
    [
        {"b": 1, "a": [2]},
        OrderedDict(b=1, a=2),
        Counter("aab"),
        deque([1, 2], maxlen=3),
        Point(1, 2),
        MyList([1]),
        UserList([1]),
        Hooked(1, [2], "name"),
        defaultdict(list, {"b": 1, "a": 2}),
    ],
)
def test_rebuilding_keeps_the_type(structure):
    rebuilt = nest.map_structure(lambda x: x, structure)
    assert type(rebuilt) is type(structure)
    assert repr(rebuilt) == repr(structure)


def test_rebuilding_types_without_a_useful_repr():
    mapped = nest.map_structure(lambda x: x + 1, MyMapping({"b": 1, "a": 2}))
    assert list(mapped.items_.items()) == [("b", 2), ("a", 3)]
    like_attrs = nest.map_structure(lambda x: x + 1, LikeAttrs(x=1, y=[2]))
    assert (like_attrs.x, like_attrs._y) == (2, [3])
    assert type(nest.map_structure(lambda x: x, os.times())) is os.times_result


@pytest.mark.parametrize(
    "view", [range(1, 3), {"a": 1, "b": 2}.values(), {1: 0, 2: 0}.keys()], ids=repr
)
def test_views_and_ranges_become_lists(view):
    assert nest.map_structure(lambda x: x * 10, view) == [10, 20]


def test_map_over_several():
    add = lambda x, y: x + y  # noqa: E731
    assert nest.map_structure(add, {"b": 1, "a": 2}, {"a": 3, "b": 4}) == {"b": 5, "a": 5}
    assert nest.map_structure(add, {"a": 1}, OrderedDict(a=2)) == {"a": 3}
    assert nest.map_structure(add, Point(1, 2), Twin(3, 4)) == Point(4, 6)
    assert nest.map_structure(add, MyList([1]), [2]) == nest.map_structure(add, [1], MyList([2]))
    assert nest.map_structure(add, [1, 2], (3, 4), check_types=False) == [4, 6]
    assert nest.map_structure(add, {"a": 1}, {"b": 2}, check_types=False) == {"a": 3}
    assert nest.map_structure(add, 1, 2) == 3
    assert nest.map_structure(add, Hooked(1, 2), Hooked(3, 4, "lost")) == Hooked(4, 6)


def test_map_checks_its_arguments():
    with pytest.raises(TypeError, match="func must be callable, got: 1"):
        nest.map_structure(1, [2])
    with pytest.raises(ValueError, match="Must provide at least one structure"):
        nest.map_structure(print)
    with pytest.raises(ValueError, match="same number of elements"):
        nest.map_structure(max, [1, 2], [3, 4], [5])


@pytest.mark.parametrize(
    ("structure", "flat", "error", "message"),
    [
        ([1, 2], [1], ValueError, "Structure had 2 atoms, but flat_sequence had 1 items"),
        ([1, 2], [1, 2, 3], ValueError, "Structure had 2 atoms, but flat_sequence had 3 items"),
        (1, [], ValueError, "one leaf, of type int, but the input is a sequence of 0"),
        (1, [2, 3], ValueError, "cannot guarantee that it is safe to map one to the other"),
        ([], [1], ValueError, "Structure had 0 atoms"),
        ([1], 1, TypeError, "Attempted to pack value"),
        ([1], "a", TypeError, "Attempted to pack value"),
        ([1], np.ones(1), TypeError, "incompatible type `<class 'numpy.ndarray'>`"),
        ([1], {"a": 1}, TypeError, "incompatible type `<class 'dict'>`"),
    ],
)
def test_packing_what_does_not_fit(structure, flat, error, message):
    with pytest.raises(error, match=message):
        nest.pack_sequence_as(structure, flat)


def test_packed_items_stay_whole():
    assert nest.pack_sequence_as([1, [2, 3]], [1, [2], 3]) == [1, [[2], 3]]
    assert nest.pack_sequence_as([1, 2], range(2)) == [0, 1]


@pytest.mark.parametrize(
    ("one", "other", "error", "message"),
    [
        ([1, 2], [1, [2]], ValueError, r'"type=list str=\[2\]" is a sequence, while .*int str=2"'),
        (1, [1], ValueError, "is a sequence"),
        ([1], None, ValueError, "is a sequence"),
        ([1, 2], [1, 2, 3], ValueError, "same number of elements"),
        ({"a": 1}, {"b": 1}, ValueError, r"same set of keys: the first has \['a'\]"),
        ({"a": 1}, {"a": 1, "b": 2}, ValueError, "same set of keys"),
        ([1], (1,), TypeError, "same sequence type"),
        ([1, 2], (1, 2, 3), TypeError, "same sequence type"),
        ([1], deque([1]), TypeError, "same sequence type"),
        ([1], {"a": 1}, TypeError, "same sequence type"),
        (range(2), [0, 1], TypeError, "same sequence type"),
        (Point(1, 2), Other(1, 2), TypeError, "same sequence type"),
        ((1, 2), Point(1, 2), TypeError, "same sequence type"),
        ({"a": (1,)}, {"a": [1]}, TypeError, "type=tuple str=.* type=list"),
    ],
)
def test_different_structures(one, other, error, message):
    with pytest.raises(error, match=f"(?s)don't have the same nested structure.*{message}"):
        nest.assert_same_structure(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [([1], (1,)), ({"a": 1}, [1]), ({"a": 1}, {"b": 1}), ([Point(1, 2)], [(1, 2)])],
)
def test_types_may_be_left_unchecked(one, other):
    nest.assert_same_structure(one, other, check_types=False)
    with pytest.raises((TypeError, ValueError)):
        nest.assert_same_structure(one, other)


def test_unchecked_types_still_need_the_same_leaves():
    with pytest.raises(ValueError, match="same number of elements"):
        nest.assert_same_structure([1], (1, 2), check_types=False)


def test_a_mismatch_shows_the_structure_and_no_values():
    message = r"first structure:\n\[\.\]\nEntire second structure:\n\[\., \{'a': \(\., \.\)\}\]"
    with pytest.raises(ValueError, match=message):
        nest.assert_same_structure([1], [1, {"a": (2, 3)}])


@pytest.mark.parametrize(
    ("structure", "paths"),
    [
        (1, [()]),
        ({"b": 1, "a": [2, Point(3, 4)]}, [("a", 0), ("a", 1, "x"), ("a", 1, "y"), ("b",)]),
        (Hooked(1, [2]), [(0,), (1, 0)]),
        (LikeAttrs(x=1, y=[2]), [("x",), ("_y", 0)]),
        ({"b": 1, "a": 2}.values(), [(0,), (1,)]),
    ],
)
def test_paths(structure, paths):
    assert [path for path, _ in nest.flatten_with_path(structure)] == paths


def test_map_with_path():
    mapped = nest.map_structure_with_path(lambda path, x: (path, x), {"b": 1, "a": [2]})
    assert mapped == {"b": (("b",), 1), "a": [(("a", 0), 2)]}


def test_references_are_keys():
    x, y, v = tf.constant(1.0), tf.constant(2.0), tf.Variable(3.0)
    keyed = {x.ref(): 1, y.ref(): 2, v.ref(): 3}
    assert sorted(tf.nest.flatten(keyed)) == [1, 2, 3]
    assert tf.nest.map_structure(lambda n: n + 1, keyed)[y.ref()] == 3
    with pytest.raises(TypeError, match="Cannot compare wrapped object"):
        sorted([3, x.ref()])
    weak = weakref.WeakKeyDictionary()
    key = x.ref()
    weak[key] = "kept"
    assert weak[x.ref()] == "kept"
    del key
    gc.collect()
    assert len(weak) == 0


def test_the_method_that_builds_may_belong_to_objects():
    doubled = tf.nest.map_structure(lambda x: 2 * x, HookedByObject(1, [2, 3], name="mine"))
    assert doubled == HookedByObject(2, [4, 6], name="mine")
