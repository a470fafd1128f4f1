"""The text that ``cinta show`` prints for a checkpoint."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..languages.counted import counted
from .reader import open_latest
from .value_sources import graph_of

if TYPE_CHECKING:
    import os

    from .value_sources import ValueSource

_SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"
_UNITS = ("B", "kB", "MB", "GB", "TB")


def report(path: str | os.PathLike[str]) -> str:
    """The variables of a checkpoint with dtypes, shapes and sizes, as a table.

    >>> import tempfile
    >>> import cinta as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/ckpt")
    >>> print(report(path).partition(chr(10))[2])
    v  float32  [2]  8 B
    1 tensor, 2 elements, 8 B
    """
    source = open_latest(path)
    return "\n".join([_title(source), *table(source)])


def table(source: ValueSource) -> list[str]:
    """A line for each array, and one for all."""
    rows = [_row(source, name) for name in sorted(source.names())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [*lines, _sum(source)]


def shown_name(name: str) -> str:
    """The name of an array without what TensorFlow adds to the names of all."""
    return name.removesuffix(_SUFFIX)


def _title(source: ValueSource) -> str:
    graph = graph_of(source)
    kind = "tensors by name" if graph is None else f"a graph of {len(graph.nodes)} objects"
    return f"{source.path}: {kind}"


def _row(source: ValueSource, name: str) -> tuple[str, ...]:
    dtype, shape = source.spec(name)
    size = _readable(_size(source, name)) if dtype.kind != "O" else ""
    kind = "string" if dtype.kind == "O" else dtype.name
    shown = shown_name(name)
    return shown if shown.isprintable() else repr(shown), kind, str(list(shape)), size


def _sum(source: ValueSource) -> str:
    names = source.names()
    elements = sum(prod(source.spec(name)[1]) for name in names)
    size = sum(_size(source, name) for name in names if source.spec(name)[0].kind != "O")
    return f"{counted(len(names), 'tensor')}, {elements:,} elements, {_readable(size)}"


def _size(source: ValueSource, name: str) -> int:
    dtype, shape = source.spec(name)
    return prod(shape) * dtype.itemsize


def _readable(size: float) -> str:
    """A size in a unit that suits it.

    >>> _readable(8), _readable(1234567)
    ('8 B', '1.2 MB')
    """
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            break
        size /= 1000
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:,.0f} {unit}"
