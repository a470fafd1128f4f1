"""Tensors as text: what tf.print and tf.strings.format write."""

from __future__ import annotations

import pprint
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nest
from ...engine.composites import Assembled
from ...engine.convert import as_tensor, is_tensor
from ...engine.op import op, originate
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import Tensor, seen, wrap
from ...public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...engine.annotations import ArrayModule, TensorLike
    from ...engine.tensor import Array

_DIGITS = {4: (6, 9), 8: (15, 17)}  # of floats, by their bytes: first try, then all
_ESCAPES = {
    **{i: f"\\{i:03o}" for i in (*range(32), 127)},
    **{0xDC00 + i: f"\\{i:03o}" for i in range(128, 256)},  # bytes that are not UTF-8
    **{ord(c): f"\\{name}" for c, name in zip("\n\r\t\"'\\", "nrt\"'\\", strict=True)},
}
"""How characters are written in strings that are parts of a tensor."""
_PLACE = "\0\0"
"""Stands for a tensor while a structure is laid out; no other value is shown with such a text."""


def summary(tensor: Tensor, summarize: int = 3) -> str:
    """The tensor as text, with ``summarize`` elements at both ends of every axis (-1: all)."""
    array = np.asarray(seen(tensor))
    return _summarized(array, summarize if summarize >= 0 else sys.maxsize, 0)


def _summarized(array: Any, ends: int, depth: int) -> str:
    if not isinstance(array, np.ndarray) or not array.ndim:
        return _element(array if isinstance(array, bytes) else array[()])
    separator = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    kept = list(array) if len(array) <= 2 * ends else [*array[:ends], *array[len(array) - ends :]]
    parts = [_summarized(part, ends, depth + 1) for part in kept]
    if len(kept) < len(array):
        parts.insert(ends, "...")
    return f"[{separator.join(parts)}]"


def _element(value: Any) -> str:
    if isinstance(value, bytes):
        return f'"{value.decode(errors="surrogateescape").translate(_ESCAPES)}"'
    if isinstance(value, np.bool_):
        return str(int(value))
    if value.dtype.kind in "iu":
        return str(value)
    if value.dtype.kind == "c":
        return f"({_float(value.real)},{_float(value.imag)})"
    return _float(value)


def quoted(value: object) -> str:
    """An element of a list, as Python writes it."""
    if not isinstance(value, bytes):
        return _element(value)
    text = value.decode(errors="replace").replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


def _float(value: Array) -> str:
    """A float with as few digits as tell it from all others, or nearly so."""
    value = value.astype(np.float32) if value.dtype.itemsize == 2 else value
    few, many = _DIGITS[value.dtype.itemsize]
    short = f"{float(value):.{few}g}"
    return short if value.dtype.type(float(short)) == value else f"{float(value):.{many}g}"


class _Shown:
    """A text that is shown without quotes in a structure."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@public("print")
def print(*inputs: TensorLike, **kwargs: object) -> None:
    """Print values to the standard error stream: tensors as they are, long ones abridged.

    Takes ``output_stream`` (``sys.stderr``, ``sys.stdout`` or ``"file://path"``), ``summarize``
    (the elements shown at both ends of every axis, -1 for all), ``sep`` and ``end``.

    >>> import sys
    >>> import cinta as tf
    >>> tf.print("x:", tf.range(10), {"y": tf.constant(0.5)}, output_stream=sys.stdout)
    x: [0 1 2 ... 7 8 9] {'y': 0.5}
    """
    known = {"output_stream": None, "summarize": 3, "sep": " ", "end": "\n", "name": None}
    unknown = {key: value for key, value in kwargs.items() if key not in known}
    if unknown:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {unknown}")
    options: dict[str, Any] = known | kwargs
    summarize = 3 if options["summarize"] is None else options["summarize"]
    values = [_opened(value) for value in inputs]
    parts = [x for value in values for x in nest.flatten(value, expand_composites=True)]
    tensors = [x for x in parts if isinstance(x, Tensor)]

    def write(*arrays: Array) -> None:
        given = iter(arrays)
        found = [_filled(value, given) for value in values]
        shown = [_bare(found[0])] if _is_text(found) else [_shown(x, summarize) for x in found]
        _write(options["sep"].join(shown) + options["end"], stream)

    stream = _named(options["output_stream"])
    originate(Print, *tensors, write=write)


@op("PrintV2", effects=True)
def Print(xp: ArrayModule, *values: Array, write: Callable[..., None]) -> tuple[()]:
    """Have something written about values."""
    write(*values)
    return ()


Print.no_grad()


def _opened(value: object) -> Any:
    """The value with what can be a tensor as a tensor."""
    if isinstance(value, str):
        return value
    return nest.map_structure(lambda leaf: as_tensor(leaf) if _is_dense(leaf) else leaf, value)


def _is_dense(value: TensorLike | None) -> bool:
    return is_tensor(value) and not isinstance(value, (SparseTensor, Assembled))


def _filled(value: object, arrays: Iterator[Array]) -> Any:
    """The value with other tensors in place of its own, of these arrays."""
    return nest.map_structure(
        lambda x: wrap(next(arrays)) if isinstance(x, Tensor) else x, value, expand_composites=True
    )


def _is_text(values: list[Any]) -> bool:
    """Whether one string in a tensor is all there is to print."""
    return len(values) == 1 and isinstance(values[0], Tensor) and _bare(values[0]) is not None


def _bare(tensor: Tensor) -> str | None:
    """The text of a tensor that is one string; None for all others."""
    value = np.asarray(seen(tensor))[()]
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else None


def _shown(value: TensorLike | None, summarize: int) -> str:
    """The text of a value: the structure is laid out first, then the tensors are put in."""
    if isinstance(value, str):
        return value
    texts: list[str] = []

    def placed(leaf: object) -> object:
        if isinstance(leaf, SparseTensor):
            texts.extend([summary(part, summarize) for part in nest.flatten(leaf, True)])
            return _Shown(f"'SparseTensor(indices={_PLACE}, values={_PLACE}, shape={_PLACE})'")
        if isinstance(leaf, Assembled):
            texts.append(leaf._shown(quoted, summarize))
            return _Shown(_PLACE)
        if isinstance(leaf, Tensor):
            texts.append(summary(leaf, summarize))
            return _Shown(_PLACE)
        return leaf

    first, *rest = pprint.pformat(nest.map_structure(placed, value)).split(_PLACE)
    pairs = zip(texts, rest, strict=True)
    return first + "".join([text + between for text, between in pairs])


def _write(text: str, stream: Any) -> None:
    if isinstance(stream, str):
        if stream.startswith("file://"):
            with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
                file.write(text)
            return
        stream = getattr(sys, stream)
    stream.write(text)
    stream.flush()


def _named(stream: object) -> Any:
    """A stream; the standard ones by name, because a later call may find others in their place."""
    if stream is None or stream is sys.stderr:
        return "stderr"
    if stream is sys.stdout:
        return "stdout"
    is_file = isinstance(stream, str) and stream.startswith("file://")
    if not is_file and not hasattr(stream, "write"):
        raise ValueError(
            f"Unsupported output stream: {stream!r}. Supported are sys.stdout, sys.stderr, other "
            "open files, and 'file://<path>'."
        )
    return stream
