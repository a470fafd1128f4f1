"""Names of tensorflow.python that libraries take."""

import functools
import importlib

import pytest

import cinta as tf
from cinta.as_tensorflow import identities, inspecting
from cinta.as_tensorflow import shallow_structures as shallow
from cinta.as_tensorflow.internals import _HOMES, _NAMES


@pytest.mark.parametrize("path", _NAMES)
def test_each_promised_name_is_there(path):
    names = importlib.import_module("cinta.as_tensorflow.internal_names")
    homes = [names, *(importlib.import_module(f"cinta{each}") for each in ("", ".initializers"))]
    for name in _NAMES[path].split():
        assert any(hasattr(home, name) for home in homes), f"{path}.{name}"


def test_modules_with_a_home_of_their_own_are_there():
    for home in _HOMES.values():
        importlib.import_module(f"cinta.as_tensorflow.{home}")


DEEP = {"b": 3, "a": [1, (2, 4)]}


def test_a_structure_is_flattened_as_far_as_another_goes():
    assert shallow.flatten_up_to({"a": [0, 0], "b": 0}, DEEP) == [1, (2, 4), 3]
    assert shallow.flatten_up_to(0, DEEP) == [DEEP]
    assert shallow.flatten_up_to([0, 0], (1, [2]), check_types=False) == [1, [2]]
    assert shallow.flatten_with_tuple_paths_up_to({"a": 0, "b": 0}, DEEP) == [
        (("a",), [1, (2, 4)]),
        (("b",), 3),
    ]
    slices = tf.sparse.from_dense([1, 0])
    assert shallow.flatten_up_to([0], [slices], expand_composites=True) == [slices]


@pytest.mark.parametrize(
    ("upper", "given", "error", "said"),
    [
        ([0, 0], [1, 2, 3], ValueError, "Input structure has length 3"),
        ([0, 0], (1, 2), TypeError, "'tuple'"),
        ([0, 0], 5, TypeError, "Input has type: <class 'int'>"),
        ([0, [0]], [1, 2], TypeError, "Input has type: <class 'int'>"),
        ({"a": 0}, {"b": 1}, ValueError, r"\['a'\]"),
        ({"a": 0}, {"a": 1, "b": 1}, ValueError, "Input structure has length 2"),
    ],
)
def test_a_structure_that_begins_differently_is_refused(upper, given, error, said):
    with pytest.raises(error, match=said):
        shallow.assert_shallow_structure(upper, given)
    shallow.assert_shallow_structure(given, given)


def test_functions_of_paths_and_of_upper_parts():
    pairs = shallow.map_structure_up_to([0, 0], lambda x, y: (x, y), [[1, 2], 3], [4, [5, 6]])
    assert pairs == [([1, 2], 4), (3, [5, 6])]
    by_path = shallow.map_structure_with_tuple_paths(lambda path, x: (*path, x), DEEP)
    assert by_path == {"b": ("b", 3), "a": [("a", 0, 1), (("a", 1, 0, 2), ("a", 1, 1, 4))]}
    named = shallow.map_structure_with_paths(lambda path, x, y: path, DEEP, DEEP)
    assert named == {"b": "b", "a": ["a/0", ("a/1/0", "a/1/1")]}
    assert shallow.flatten_with_joined_string_paths([1, {"a": 2}]) == [("0", 1), ("1/a", 2)]
    assert list(shallow.yield_flat_paths([1, {"a": 2}])) == [(0,), (1, "a")]
    with pytest.raises(ValueError, match="no sequences"):
        shallow.map_structure_up_to([0], lambda x: x)
    with pytest.raises(ValueError, match="at least one structure"):
        shallow.map_structure_with_tuple_paths(lambda path, x: x)


def test_a_function_says_how_deep_to_go():
    into = shallow.get_traverse_shallow_structure
    assert into(lambda part: not isinstance(part, tuple), DEEP) == {"b": True, "a": [True, False]}
    chosen = into(lambda part: {"a": False, "b": True} if isinstance(part, dict) else True, DEEP)
    assert chosen == {"b": True, "a": False}
    for answer in (1, "x", [1, 2], None):
        with pytest.raises(TypeError, match="traverse_fn returned"):
            into(lambda part, answer=answer: answer, [1, 2])
    with pytest.raises(ValueError, match="length 2"):
        into(lambda part: [True], [1, 2])


def plain(a, b=1):
    """Doubled."""
    return 2 * a


def test_inspection_looks_through_functions_and_decorators():
    marked = inspecting.make_decorator(plain, lambda *args: plain(*args) + 1)
    for wrapped in (tf.function(plain), marked, tf.function(marked)):
        assert inspecting.getfullargspec(wrapped).args == ["a", "b"]
        assert inspecting.unwrap(wrapped)[1] is plain
        assert inspecting.signature(wrapped) == inspecting.signature(plain)
    assert (marked.__name__, marked.__doc__) == ("plain", "Doubled.")
    assert marked(3) == 7
    assert inspecting.unwrap(plain) == ([], plain)
    assert inspecting.getfullargspec(functools.partial(plain, 1)).args == ["b"]
    with pytest.raises(TypeError, match="3"):
        inspecting.getfullargspec(3)


def test_tensors_are_members_and_keys_by_identity():
    one, same = tf.constant(1), tf.constant(1)
    members = identities.ObjectIdentitySet([one, one])
    members.add(same)
    assert len(members) == 2
    members.discard(one)
    assert one not in members
    assert same in members
    places = identities.ObjectIdentityDictionary([(one, "first")])
    places[same] = "second"
    assert [places[one], places[same], len(places)] == ["first", "second", 2]
    del places[one]
    with pytest.raises(KeyError):
        places[one]
    assert next(iter(places)) is same
    assert identities.Reference(one) == identities.Reference(one)
    assert identities.Reference(one) != identities.Reference(same)
    assert len({identities.Reference(one), identities.Reference(one)}) == 1
    assert identities.Reference(one).deref() is one


def test_mappings_are_told_from_other_structures():
    assert shallow.is_mapping({"a": 1})
    assert not shallow.is_mapping([("a", 1)])
