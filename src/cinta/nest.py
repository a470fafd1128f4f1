"""Nested structures: flatten them, map over them, build them again.

Lists, tuples, named tuples, deques, ranges, dictionaries of any kind and their views, attrs classes
and classes that define `__tf_flatten__` and `__tf_unflatten__` are structures. All else is a leaf:
tensors, arrays, numbers, strings, sets, None. Dictionaries are read in the order of their sorted
keys and rebuilt in their own.

>>> flatten({"b": 1, "a": [2, (3, None)]})
[2, 3, None, 1]
>>> map_structure(lambda x, y: x + y, {"b": 1, "a": (2, 3)}, {"a": (20, 30), "b": 10})
{'b': 11, 'a': (22, 33)}

IndexedSlices and SparseTensor are leaves, and so are their specs; with `expand_composites=True`
they are structures of the tensors that they are made of.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, MappingView, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


__all__ = [
    "assert_same_structure",
    "flatten",
    "flatten_with_path",
    "is_nested",
    "map_structure",
    "map_structure_with_path",
    "pack_sequence_as",
]

Path: TypeAlias = tuple[Any, ...]


class _Kind(NamedTuple):
    """How the structures of one type are taken apart and built again."""

    children: Callable[[Any], Iterable[Any]]
    rebuild: Callable[[Any, list[Any]], Any]
    keys: Callable[[Any], Iterable[Any]] | None = None  # None: children are counted from 0


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError as error:
        raise TypeError(
            f"nest only supports dicts with sortable keys, got {list(mapping)}: {error}. "
            "Use keys of one type."
        ) from None


def _mapping_children(mapping: Mapping[Any, Any]) -> list[Any]:
    return [mapping[key] for key in _sorted_keys(mapping)]


def _rebuild_mapping(like: Any, values: list[Any]) -> Any:
    by_key = dict(zip(_sorted_keys(like), values, strict=True))
    in_order = {key: by_key[key] for key in like}
    if isinstance(like, defaultdict):
        return type(like)(like.default_factory, in_order)
    return type(like)(in_order)


def _attrs_names(instance: Any) -> list[str]:
    return [field.name for field in instance.__attrs_attrs__]


def _rebuild_attrs(like: Any, values: list[Any]) -> Any:
    aliases = [field.alias for field in like.__attrs_attrs__]
    return type(like)(**dict(zip(aliases, values, strict=True)))


_SEQUENCE = _Kind(iter, lambda like, values: type(like)(values))
_DEQUE = _Kind(iter, lambda like, values: type(like)(values, like.maxlen))
_AS_LIST = _Kind(iter, lambda like, values: values)
_NAMED_TUPLE = _Kind(iter, lambda like, values: type(like)(*values), lambda t: t._fields)
_MAPPING = _Kind(_mapping_children, _rebuild_mapping, _sorted_keys)
_ATTRS = _Kind(
    lambda x: [getattr(x, name) for name in _attrs_names(x)], _rebuild_attrs, _attrs_names
)
_HOOKED = _Kind(
    lambda x: x.__tf_flatten__()[1],
    lambda like, values: like.__tf_unflatten__(like.__tf_flatten__()[0], tuple(values)),
)
_COMPOSITE = _Kind(lambda x: x._parts(), lambda like, values: like._of_parts(values))
_SPEC_OF_COMPONENTS = _Kind(
    lambda spec: [spec._component_specs], lambda like, values: like._from_components(values[0])
)


def is_named_tuple(cls: type) -> bool:
    """Whether this is a class of tuples whose items have names."""
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def tuple_like(like: tuple[Any, ...], items: Iterable[Any]) -> tuple[Any, ...]:
    """A tuple of these items, with names if `like` has them."""
    return type(like)(*items) if is_named_tuple(type(like)) else tuple(items)


def _classify(cls: type) -> _Kind | None:
    if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
        return _HOOKED
    if hasattr(cls, "__attrs_attrs__"):
        return _ATTRS
    if issubclass(cls, Mapping):
        return _MAPPING
    if issubclass(cls, (range, MappingView)):
        return _AS_LIST
    if issubclass(cls, deque):
        return _DEQUE
    if is_named_tuple(cls):
        return _NAMED_TUPLE
    if issubclass(cls, Sequence) and not issubclass(cls, (str, bytes)):
        return _SEQUENCE
    return None


class _Kinds(dict[type, _Kind | None]):
    """The kind of each type met so far, None for leaves, at the price of a dictionary access."""

    def __missing__(self, cls: type) -> _Kind | None:
        kind = self[cls] = _classify(cls)
        return kind


class _KindsWithComposites(_Kinds):
    """The same, where values made of several tensors are structures too."""

    def __missing__(self, cls: type) -> _Kind | None:
        if hasattr(cls, "_of_parts"):
            kind: _Kind | None = _COMPOSITE
        else:
            kind = _SPEC_OF_COMPONENTS if hasattr(cls, "_from_components") else _classify(cls)
        self[cls] = kind
        return kind


_KINDS = _Kinds()
_EXPANDED = _KindsWithComposites()


def is_nested(seq: object) -> bool:
    """Whether this is a structure, even an empty one, and not a leaf.

    >>> is_nested([]), is_nested("a string")
    (True, False)
    """
    return _KINDS[type(seq)] is not None


def flatten(structure: object, expand_composites: bool = False) -> list[Any]:
    """The leaves, from left to right; a leaf is a list of itself.

    >>> flatten([1, (2, [])]), flatten(3)
    ([1, 2], [3])
    """
    kinds = _EXPANDED if expand_composites else _KINDS
    kind = kinds[type(structure)]
    if kind is None:
        return [structure]
    leaves: list[Any] = []
    _gather(kinds, kind, structure, leaves)
    return leaves


def _gather(kinds: _Kinds, kind: _Kind, structure: object, leaves: list[Any]) -> None:
    for child in kind.children(structure):
        child_kind = kinds[type(child)]
        if child_kind is None:
            leaves.append(child)
        else:
            _gather(kinds, child_kind, child, leaves)


def pack_sequence_as(
    structure: object, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """A structure like `structure` whose leaves are the items of `flat_sequence`.

    >>> pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    if _KINDS[type(flat_sequence)] in (None, _MAPPING):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead. Expected a list of leaves."
        )
    kinds = _EXPANDED if expand_composites else _KINDS
    expected, given = len(flatten(structure, expand_composites)), len(flat_sequence)
    if expected != given and kinds[type(structure)] is None:
        raise ValueError(
            f"The target structure is one leaf, of type {type(structure).__name__}, but the input "
            f"is a sequence of {given}: {flat_sequence}. nest cannot guarantee that it is safe to "
            "map one to the other."
        )
    if expected != given:
        raise ValueError(
            f"Could not pack sequence. Structure had {expected} atoms, but flat_sequence had "
            f"{given} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _rebuild(kinds, structure, iter(flat_sequence))


def _rebuild(kinds: _Kinds, structure: object, leaves: Iterator[Any]) -> Any:
    kind = kinds[type(structure)]
    if kind is None:
        return next(leaves)
    return kind.rebuild(structure, [_rebuild(kinds, x, leaves) for x in kind.children(structure)])


def map_structure(
    func: Callable[..., Any],
    *structure: object,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """`func` of the corresponding leaves of each structure, built like the first.

    >>> map_structure(lambda x: x + 1, [1, (2,)])
    [2, (3,)]
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types, expand_composites)
    leaves = zip(*[flatten(each, expand_composites) for each in structure], strict=True)
    kinds = _EXPANDED if expand_composites else _KINDS
    return _rebuild(kinds, first, iter([func(*each) for each in leaves]))


def map_children(func: Callable[[Any], Any], structure: object) -> Any:
    """`func` of what stands right in a structure, and not in the structures in it.

    >>> map_children(lambda x: str(x), [1, (2,)])
    ['1', '(2,)']
    """
    kind = _KINDS[type(structure)]
    if kind is None:
        raise TypeError(f"Expected a structure, got {structure!r}.")
    return kind.rebuild(structure, [func(child) for child in kind.children(structure)])


def flatten_with_path(structure: object, expand_composites: bool = False) -> list[tuple[Path, Any]]:
    """Each leaf with the keys, field names and positions that lead to it.

    >>> flatten_with_path({"b": 1, "a": [2, 3]})
    [(('a', 0), 2), (('a', 1), 3), (('b',), 1)]
    """
    found: list[tuple[Path, Any]] = []
    _gather_paths(_EXPANDED if expand_composites else _KINDS, (), structure, found)
    return found


def _gather_paths(
    kinds: _Kinds, path: Path, structure: object, found: list[tuple[Path, Any]]
) -> None:
    kind = kinds[type(structure)]
    if kind is None:
        found.append((path, structure))
        return
    children = list(kind.children(structure))
    keys = kind.keys(structure) if kind.keys else range(len(children))
    for key, child in zip(keys, children, strict=True):
        _gather_paths(kinds, (*path, key), child, found)


def map_structure_with_path(func: Callable[[Path, Any], Any], structure: object) -> Any:
    """`func` of each leaf's path and the leaf, built like `structure`.

    >>> map_structure_with_path(lambda path, x: path, {"a": [1, 2]})
    {'a': [('a', 0), ('a', 1)]}
    """
    leaves = [func(*each) for each in flatten_with_path(structure)]
    return _rebuild(_KINDS, structure, iter(leaves))


def assert_same_structure(
    nest1: object, nest2: object, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raises where two structures differ in more than their leaves.

    ValueError for another number of children or other keys; TypeError for another type of
    structure, unless `check_types` is false.
    """
    kinds = _EXPANDED if expand_composites else _KINDS
    difference = _difference(kinds, nest1, nest2, bool(check_types))
    if difference is not None:
        raise type(difference)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {type(nest1).__name__}\n\n"
            f"Second structure: {type(nest2).__name__}\n\n"
            f"More specifically: {difference}\n"
            f"Entire first structure:\n{_skeleton(nest1)}\n"
            f"Entire second structure:\n{_skeleton(nest2)}"
        )


def _difference(
    kinds: _Kinds, first: object, second: object, check_types: bool
) -> ValueError | TypeError | None:
    """The first difference found, as the error that it deserves."""
    one, other = kinds[type(first)], kinds[type(second)]
    if one is None or other is None:
        return None if one is other else _difference_of_depth(kinds, first, second)
    if _COMPOSITE in (one, other):
        return _difference_of_composites(first, second)
    if check_types and (found := _difference_of_type(first, second)):
        return found
    children, others = list(one.children(first)), list(other.children(second))
    for a, b in zip(children, others, strict=False):
        if (type(a) is not type(b) or kinds[type(a)] is not None) and (
            found := _difference(kinds, a, b, check_types)
        ):
            return found
    if len(children) == len(others):
        return None
    return ValueError(
        "The two structures don't have the same number of elements: "
        f"{_described(first)} has {len(children)}, {_described(second)} has {len(others)}."
    )


def _difference_of_composites(first: Any, second: Any) -> ValueError | None:
    """Values of several tensors, and their specs, need one class and one dtype."""
    classes = [getattr(x, "value_type", type(x)) for x in (first, second)]
    if classes[0] is classes[1] and first.dtype is second.dtype:
        return None
    return ValueError(f"Incompatible: {_described(first)} and {_described(second)}.")


def _difference_of_depth(kinds: _Kinds, first: object, second: object) -> ValueError:
    nested, leaf = (first, second) if kinds[type(first)] is not None else (second, first)
    return ValueError(
        f'Substructure "{_described(nested)}" is a sequence, while substructure '
        f'"{_described(leaf)}" is not.'
    )


def _difference_of_type(first: Any, second: Any) -> ValueError | TypeError | None:
    """Mappings need the same keys, named tuples the same name and fields, others related types."""
    kinds = _KINDS[type(first)], _KINDS[type(second)]
    if kinds == (_MAPPING, _MAPPING):
        keys, other_keys = _sorted_keys(first), _sorted_keys(second)
        if keys == other_keys:
            return None
        return ValueError(
            "The two dictionaries don't have the same set of keys: "
            f"the first has {keys}, the second has {other_keys}."
        )
    if _NAMED_TUPLE in kinds:
        same = kinds[0] is kinds[1] and _signature(first) == _signature(second)
    else:
        same = isinstance(first, type(second)) or isinstance(second, type(first))
    if same:
        return None
    return TypeError(
        "The two structures don't have the same sequence type: the first is "
        f"{_described(first)}, the second is {_described(second)}. "
        "Pass check_types=False to compare their leaves only."
    )


def _signature(named_tuple: Any) -> tuple[str, tuple[str, ...]]:
    return type(named_tuple).__name__, named_tuple._fields


def _described(value: object) -> str:
    return f"type={type(value).__name__} str={value}"


class _Dot:
    """Stands for any leaf where only the structure is of interest."""

    def __repr__(self) -> str:
        return "."


def _skeleton(structure: object) -> str:
    """The structure with a dot for each leaf, so that no tensor is printed.

    >>> _skeleton([1, (2, 3)])
    '[., (., .)]'
    """
    return repr(map_structure(lambda leaf: _Dot(), structure))


def __dir__() -> list[str]:
    return __all__
