"""Functions of ``tensorflow.python.util.nest`` that read a structure only as deep as another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from ..nest import (
    _EXPANDED,
    _KINDS,
    _MAPPING,
    _NAMED_TUPLE,
    _rebuild,
    _signature,
    flatten_with_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..nest import Path, _Kind, _Kinds

Structure: TypeAlias = object
Found: TypeAlias = "list[tuple[Path, Structure]]"

flatten_with_tuple_paths = flatten_with_path


def is_nested_or_composite(structure: Structure) -> bool:
    """Whether this is a structure, or a value that is made of several tensors."""
    return _EXPANDED[type(structure)] is not None


def is_mapping(instance: Structure) -> bool:
    """Whether this is a dictionary, or another mapping."""
    return isinstance(instance, Mapping)


def _is_namedtuple(instance: Structure, strict: bool = False) -> bool:
    """Whether this is a named tuple."""
    return _KINDS[type(instance)] is _NAMED_TUPLE


def _sequence_like(instance: Structure, args: list[Structure]) -> Structure:
    """A structure like another one, with other things right in it."""
    kind = _KINDS[type(instance)]
    return args if kind is None else kind.rebuild(instance, args)


def _yield_value(iterable: Structure) -> Iterator[Structure]:
    """The members of a structure."""
    return (child for _, child in _yield_sorted_items(iterable))


def _yield_sorted_items(iterable: Structure) -> Iterator[tuple[Structure, Structure]]:
    """The members of a structure, with keys, names or positions, in the order of leaves."""
    kind = _EXPANDED[type(iterable)]
    if kind is None:
        raise TypeError(f"Expected a structure, got {iterable!r}.")
    yield from _items(kind, iterable)


def flatten_with_tuple_paths_up_to(
    shallow_tree: Structure,
    input_tree: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Found:
    """The parts of a structure at the leaves of a shallower one, with the paths to them.

    ValueError for another number of children or other keys, TypeError for another type.

    >>> from cinta.as_tensorflow.shallow_structures import flatten_with_tuple_paths_up_to
    >>> flatten_with_tuple_paths_up_to({"a": 0, "b": 0}, {"a": [1, 2], "b": 3})
    [(('a',), [1, 2]), (('b',), 3)]
    """
    kinds = _EXPANDED if expand_composites else _KINDS
    return list(_walk(kinds, (), shallow_tree, input_tree, check_types))


def _walk(
    kinds: _Kinds, path: Path, shallow: Structure, given: Structure, check_types: bool
) -> Iterator[tuple[Path, Structure]]:
    kind = kinds[type(shallow)]
    if kind is None:
        yield path, given
        return
    parts = _parts_like(kinds, kind, shallow, given, check_types)
    for (key, part), child in zip(parts, kind.children(shallow), strict=True):
        yield from _walk(kinds, (*path, key), child, part, check_types)


def _parts_like(
    kinds: _Kinds, kind: _Kind, shallow: Structure, given: Structure, check_types: bool
) -> Found:
    """The children of a structure with their keys, in the order of another one's children."""
    own_kind = kinds[type(given)]
    if own_kind is None:
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(given)}."
        )
    related = isinstance(given, type(shallow)) or kind is own_kind is _MAPPING
    if kind is own_kind is _NAMED_TUPLE:
        related = _signature(given) == _signature(shallow)
    if not related and (check_types or _MAPPING in (kind, own_kind)):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(given)}, while shallow structure has type {type(shallow)}."
        )
    parts, wanted = _items(own_kind, given), [key for key, _ in _items(kind, shallow)]
    if len(parts) != len(wanted):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(parts)}, while shallow structure has length {len(wanted)}."
        )
    if kind is _MAPPING and (absent := set(wanted) - {key for key, _ in parts}):
        raise ValueError(
            "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree "
            f"has the following keys that are not in the input_tree: {sorted(absent)}."
        )
    return parts


def _items(kind: _Kind, structure: Structure) -> Found:
    children = list(kind.children(structure))
    keys = kind.keys(structure) if kind.keys else range(len(children))
    return list(zip(keys, children, strict=True))


def assert_shallow_structure(
    shallow_tree: Structure,
    input_tree: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> None:
    """Raises where a structure does not begin as a shallower one does."""
    flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types, expand_composites)


def flatten_up_to(
    shallow_tree: Structure,
    input_tree: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> list[Structure]:
    """The parts of a structure at the leaves of a shallower one.

    >>> from cinta.as_tensorflow.shallow_structures import flatten_up_to
    >>> flatten_up_to([0, (0, 0)], [[1, 2], ({"a": 3}, 4)])
    [[1, 2], {'a': 3}, 4]
    """
    found = flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types, expand_composites)
    return [part for _, part in found]


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Structure,
    func: Callable[..., object],
    *inputs: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Structure:
    """A function of the path to each leaf of a shallower structure and of the parts there."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    options = check_types, expand_composites
    paths = [path for path, _ in flatten_with_tuple_paths_up_to(shallow_tree, inputs[0], *options)]
    columns = [flatten_up_to(shallow_tree, each, *options) for each in inputs]
    results = [func(*each) for each in zip(paths, *columns, strict=True)]
    return _rebuild(_EXPANDED if expand_composites else _KINDS, shallow_tree, iter(results))


def map_structure_up_to(
    shallow_tree: Structure,
    func: Callable[..., object],
    *inputs: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Structure:
    """A function of the parts of each structure at the leaves of a shallower one.

    >>> from cinta.as_tensorflow.shallow_structures import map_structure_up_to
    >>> map_structure_up_to([0, 0], lambda x, y: (x, y), [[1, 2], 3], [4, [5, 6]])
    [([1, 2], 4), (3, [5, 6])]
    """
    return map_structure_with_tuple_paths_up_to(
        shallow_tree,
        lambda path, *parts: func(*parts),
        *inputs,
        check_types=check_types,
        expand_composites=expand_composites,
    )


def map_structure_with_tuple_paths(
    func: Callable[..., object],
    *structure: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Structure:
    """A function of the path and of the corresponding leaves."""
    if not structure:
        raise ValueError("Must provide at least one structure")
    return map_structure_with_tuple_paths_up_to(
        structure[0],
        func,
        *structure,
        check_types=check_types,
        expand_composites=expand_composites,
    )


def map_structure_with_paths(
    func: Callable[..., object],
    *structure: Structure,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Structure:
    """The same, with paths that are strings such as ``a/0``."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves: func("/".join(map(str, path)), *leaves),
        *structure,
        check_types=check_types,
        expand_composites=expand_composites,
    )


def flatten_with_joined_string_paths(
    structure: Structure, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Structure]]:
    """The leaves, with paths that are strings."""
    found = flatten_with_path(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in found]


def yield_flat_paths(nest: Structure, expand_composites: bool = False) -> Iterator[Path]:
    """The paths to the leaves."""
    yield from (path for path, _ in flatten_with_path(nest, expand_composites))


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Structure], object],
    structure: Structure,
    expand_composites: bool = False,
) -> Structure:
    """The structure's upper part, where a function says of each structure whether to go into it.

    >>> from cinta.as_tensorflow.shallow_structures import get_traverse_shallow_structure
    >>> get_traverse_shallow_structure(lambda part: not isinstance(part, tuple), [1, (2, 3), [4]])
    [True, False, [True]]
    """
    kinds = _EXPANDED if expand_composites else _KINDS
    kind, answer = kinds[type(structure)], traverse_fn(structure)
    if kind is None and not isinstance(answer, bool):
        raise TypeError(f"traverse_fn returned {answer!r} for {structure!r}. Expected a bool.")
    if kind is None or answer is False:
        return answer
    children = list(kind.children(structure))
    enter = [True] * len(children) if answer is True else _one_level(answer, structure)
    parts = [
        get_traverse_shallow_structure(traverse_fn, child, expand_composites) if into else False
        for into, child in zip(enter, children, strict=True)
    ]
    return kind.rebuild(structure, parts)


def _one_level(answer: Structure, structure: Structure) -> list[Structure]:
    """For each child of a structure, whether to go into it, as ``traverse_fn`` has answered."""
    kind = _KINDS[type(answer)]
    flags = [] if kind is None else list(kind.children(answer))
    if kind is None or not all(isinstance(flag, bool) for flag in flags):
        raise TypeError(
            f"traverse_fn returned {answer!r} for {structure!r}. Expected a bool, or a structure "
            "like it with a bool for each child."
        )
    assert_shallow_structure(answer, structure)
    return flags
