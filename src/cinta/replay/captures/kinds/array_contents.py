"""NumPy's arrays, and buffers: their content is compared, or read at each call."""

from __future__ import annotations

import array
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .containers import container
from .table import handles, identity

if TYPE_CHECKING:
    import weakref
    from collections.abc import Callable, Iterable

    from ....engine.tensor import Array
    from ..reach import Found, Reach

MOST_BYTES = 4096
"""How large an array is that is compared at each call though it could be read."""
MOST_COMPARED = 1 << 16
"""How large an array is that is compared at each call; that takes 2.5 microseconds."""
MOST_COMPARED_IN_ALL = 1 << 18
OFTEN = 3
"""An array in which recordings have found so many changes will change again."""
_NEVER = -1000


class _Changes(NamedTuple):
    """The hash of an array's content when it was last recorded, and how often that was new."""

    content: int
    times: int


_changes: OrderedDict[tuple[int, tuple[int, ...], str], _Changes] = OrderedDict()
"""Those of the small arrays that functions took last, by identity, shape, and where they were.

Nothing refers to the arrays, not even weakly: then they could not be resized. So another array may
come to have the identity of one that has gone, which does no harm.
"""
_MOST = 1000


@handles(np.ndarray)
def ndarray(reach: Reach, found: Found) -> None:
    """Its content is compared while it is small; a large one may be read at each call, and so may
    one that changes often."""
    value = found.value
    plain = type(value) is np.ndarray and not value.dtype.hasobject
    if plain and _is_read(reach, found):
        _read_at_each_call(reach, found)
    elif _is_too_large(reach, found):
        reach.refuse(
            f"{found.label} is an array of {value.nbytes} bytes, too large to compare at each "
            f"call. Write tf.constant({found.label}) inside, make a tensor of it, or pass it as an "
            "argument"
        )
    elif value.dtype.hasobject:
        name = container(reach, found, len(value.ravel()))
        for i, item in enumerate(value.flat if name else ()):
            reach.add(reach.found(item, f"{found.label}[{i}]", f"{name}.flat[{i}]"))
    elif found.taken is not None and found.taken.site is not None:
        _content(reach, found, _of_view)
    else:
        _content(reach, found, _of_array)


def _is_read(reach: Reach, found: Found) -> bool:
    """Whether recordings read it at each call: nothing looks at it but what converts it."""
    taken = found.taken
    if taken is None or not reach.reads_arrays or (taken.keys and taken.site is None):
        return False
    if found.value.nbytes > (MOST_COMPARED if taken.site else MOST_BYTES):
        return True
    return _count_changes(found) >= OFTEN


def _count_changes(found: Found) -> int:
    """How often recordings have found something else in an array."""
    value = found.value
    key, content = (id(value), value.shape, found.label), hash(value.tobytes())
    was, times = _changes.pop(key, (content, 0))
    times += was != content
    _changes[key] = _Changes(content, times)
    if len(_changes) > _MOST:
        _changes.popitem(last=False)
    return times


def compare(arrays: Iterable[weakref.ref[Array]]) -> None:
    """Compare these arrays from now on, if they are small: Python computes with one of them."""
    those = {id(each()) for each in arrays}
    for key, known in [*_changes.items()]:
        if key[0] in those:
            _changes[key] = known._replace(times=_NEVER)


def _is_too_large(reach: Reach, found: Found) -> bool:
    """Whether it takes too long to compare it, together with the others."""
    size = found.value.nbytes
    if reach.first(found.value, "compared"):
        reach.bytes_compared += size
    return size > MOST_COMPARED or reach.bytes_compared > MOST_COMPARED_IN_ALL


def _read_at_each_call(reach: Reach, found: Found) -> None:
    """It is the same array, and of the same shape and dtype; recordings read what is in it."""
    if found.taken is not None and found.taken.site is not None:
        reach.sites[found.taken.site] = found.value
    if identity(reach, found):
        it, was = reach.guards.weak(found.value), reach.guards.bind(_form(found.value))
        now = f"{reach.guards.bind(_form)}({it})"
        reach.guards.check(found.label, f"{now} == {was}", now, was)
        reach.arrays.append(found.value)


def _form(array: Any) -> object:
    return array.dtype, array.dtype.names, array.shape, array.strides


@handles(bytearray, array.array)
def buffer(reach: Reach, found: Found) -> None:
    """Its bytes are compared while they are few."""
    if len(bytes(found.value)) > MOST_BYTES:
        reach.refuse(f"{found.label} is too large to compare at each call")
    _content(reach, found, _of_buffer)


def _content(reach: Reach, found: Found, content: Callable[[Any], Any]) -> None:
    guards = reach.guards
    was, now = guards.bind(content(found.value)), f"{guards.bind(content)}({found.source})"
    reach.first(found.value)
    reach.by_content.note(found)
    guards.check(found.label, f"{now} == {was}", found.source, was, late=True)


def _of_array(value: object) -> object:
    if type(value) is not np.ndarray:
        return None
    form, writeable = _form(value), value.flags.writeable
    return form, writeable, value.tobytes()


def _of_buffer(value: Any) -> object:
    return type(value), getattr(value, "typecode", ""), bytes(value)


def _of_view(value: object) -> object:
    """A view may show memory of an array that is read: then it has to show the same again."""
    of_array = _of_array(value)
    if type(value) is not np.ndarray or value.base is None:
        return of_array
    return of_array, value.__array_interface__["data"]
