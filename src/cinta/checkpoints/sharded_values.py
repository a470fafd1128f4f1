"""Values that lie on the devices of several processes, each of which writes its own pieces.

Each process writes one container more, a *part*. The container of the checkpoint has a table that
says in which part each piece is; it is written last, so without it there is no checkpoint. All
pieces of a value have one shape, and stand in the table in the order of their places.
"""

from __future__ import annotations

import os
import secrets
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .. import dtypes
from ..errors import DataLossError, NotFoundError, OpError, UnavailableError
from ..files.container import SUFFIX, Container, write_container

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.device_values import Spread
    from ..engine.replicas import Processes
    from ..engine.tensor import Array
    from .value_sources import ValueSource

PART: Final = "cinta.checkpoint.part"
TABLE: Final = "parts"
"""The name of the table in the document of a checkpoint."""

Place = tuple[int, ...]


def part_file(prefix: str, number: int, count: int) -> str:
    """The file of a process's pieces."""
    return f"{prefix}.part-{number + 1:05}-of-{count:05}{SUFFIX}"


def write_divided(
    prefix: str,
    kind: str,
    document: dict[str, Any],
    arrays: Mapping[str, Any],
    divided: Mapping[str, Spread],
) -> None:
    """Write a checkpoint together with the other processes that have pieces of these values."""
    (processes,) = {process for each in divided.values() if (process := each.place.processes)}
    table = _write_parts(prefix, divided, processes)
    failure = ""
    if processes.number == 0:
        failure = _failure(
            lambda: write_container(prefix + SUFFIX, kind, document | {TABLE: table}, arrays)
        )
    _check(prefix, processes.exchange_parts(f"the end of the saving of {prefix}", [failure]))


def _failure(write: Callable[[], None]) -> str:
    """Write, and tell what has failed: the other processes must know."""
    try:
        write()
    except (OpError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _check(prefix: str, told: Sequence[Sequence[Any]]) -> None:
    """Raise if a process could not write."""
    for i, (failure, *_) in enumerate(told):
        if failure:
            raise UnavailableError(f"Process {i} cannot write its part of {prefix}: {failure}")


def _write_parts(prefix: str, values: Mapping[str, Spread], processes: Processes) -> dict[str, Any]:
    """Write the pieces of this process, while the others write theirs; the table of all pieces."""
    number, count = processes.number, len(processes)
    token = processes.exchange_parts(f"the saving of {prefix}", [secrets.token_hex(8)])[0][0]
    pieces = {name: value.pieces() for name, value in values.items()}
    mine = {_at(name, begin): array for name, found in pieces.items() for begin, array in found}
    path = part_file(prefix, number, count)
    failure = _failure(lambda: write_container(path, PART, {"token": token}, mine))
    places = [[list(begin) for begin, _ in found] for found in pieces.values()]
    told = processes.exchange_parts(f"the parts of {prefix}", [failure, places])
    _check(prefix, told)
    arrays = {
        name: _row(value, pieces[name], [places[i] for _, places in told])
        for i, (name, value) in enumerate(values.items())
    }
    return {"token": token, "count": count, "arrays": arrays}


def _row(
    value: Spread, mine: Sequence[tuple[Place, Array]], places: Sequence[Sequence[Sequence[int]]]
) -> dict[str, Any]:
    """The line of the table for a value, by the places of the pieces of each process."""
    parts = {tuple(begin): i for i, each in enumerate(places) for begin in each}
    piece = [length - edge for length, edge in zip(value.shape, max(parts), strict=True)]
    return {
        "dtype": dtypes.of(value.dtype).name,
        "shape": [*value.shape],
        "piece": piece,
        "parts": [parts[begin] for begin in sorted(parts)],
    }


def _at(name: str, begin: Sequence[int]) -> str:
    """The name of a piece in its part."""
    return f"{name}/{','.join(map(str, begin))}"


def opened(path: str) -> Container | Divided:
    """The container of this name, with its parts if it has some."""
    container = Container(path)
    document = container.document
    if isinstance(document, dict) and TABLE in document:
        return Divided(container, document[TABLE])
    return container


class Divided:
    """A checkpoint of which some values lie in parts."""

    def __init__(self, container: Container, table: object) -> None:
        self._whole = container
        self.path, self.kind = container.path, container.kind
        self.document = container.document
        self._prefix = os.fspath(container.path).removesuffix(SUFFIX)
        try:
            self._token, self._count, self._rows = _checked(table)
        except ValueError as error:
            raise DataLossError(f"{self.path} is damaged: {error}.") from None
        self._parts: dict[int, Container] = {}
        for name, row in self._rows.items():  # lest something fails when half of it is restored
            for begin in row.places():
                self._check_piece(name, row, begin)

    def _part(self, number: int) -> Container:
        """A part, which must be of the same saving."""
        found = self._parts.get(number)
        if found is None:
            path = part_file(self._prefix, number, self._count)
            if not os.path.isfile(path):
                raise NotFoundError(f"{self.path} lacks one of its {self._count} parts: {path}")
            found = Container(path)
            if found.kind != PART or found.document != {"token": self._token}:
                raise DataLossError(f"{path} is not a part of {self.path}, but of another saving.")
            self._parts[number] = found
        return found

    def names(self) -> list[str]:
        """The names of all values."""
        return [*self._whole.names(), *self._rows]

    def spec(self, name: str) -> tuple[np.dtype[Any], Place]:
        """The dtype and shape of a value."""
        row = self._rows.get(name)
        return (row.dtype, row.shape) if row is not None else self._whole.spec(name)

    def read(self, name: str) -> np.ndarray[Any, Any]:
        """A value, put together."""
        row = self._rows.get(name)
        if row is None:
            return self._whole.read(name)
        return self.read_part(name, tuple(slice(0, length) for length in row.shape))

    def read_into(self, name: str, array: Array) -> None:
        """Read a value into the memory of an array."""
        if name in self._rows:
            array[...] = self.read(name)
        else:
            self._whole.read_into(name, array)

    def read_part(self, name: str, index: tuple[slice, ...]) -> np.ndarray[Any, Any]:
        """A part of a value, for which only the pieces are read that have some of it."""
        row = self._rows.get(name)
        if row is None:
            return self._whole.read(name)[index]
        ranges = [range(*cut.indices(n)) for cut, n in zip(index, row.shape, strict=True)]
        found = np.empty([len(each) for each in ranges], row.dtype)
        if not found.size:
            return found
        for begin in row.touched(ranges):
            there, here = _overlap(begin, row.piece, ranges)
            found[here] = self._part(row.part_of(begin)).read(_at(name, begin))[there]
        return found

    def _check_piece(self, name: str, row: _Row, begin: Place) -> None:
        part = self._part(row.part_of(begin))
        dtype, shape = part.spec(_at(name, begin))
        if (dtype, shape) != (row.dtype, row.piece):
            raise DataLossError(
                f"{part.path} is damaged: a piece of {name!r} has dtype {dtype} and shape {shape}, "
                f"and {self.path} says {row.dtype} and {row.piece}."
            )


def reader(source: ValueSource, name: str) -> Callable[[tuple[slice, ...]], Array]:
    """A function that reads parts of a value."""
    if isinstance(source, Divided):
        return lambda index: source.read_part(name, index)
    whole: Array = source.read(name)
    return whole.__getitem__


class _Row:
    """How a value is cut: into pieces of one shape."""

    def __init__(self, dtype: np.dtype[Any], shape: Place, piece: Place, parts: list[int]) -> None:
        self.dtype, self.shape, self.piece, self.parts = dtype, shape, piece, parts

    @cached_property
    def _counts(self) -> Place:
        return _cuts(self.shape, self.piece)

    def part_of(self, begin: Place) -> int:
        """The number of the part that has the piece that begins here."""
        place = [b // p if p else 0 for b, p in zip(begin, self.piece, strict=True)]
        return self.parts[int(np.ravel_multi_index(place, self._counts)) if place else 0]

    def places(self) -> list[Place]:
        """Where the pieces begin."""
        return self.touched([range(length) for length in self.shape])

    def touched(self, ranges: Sequence[range]) -> list[Place]:
        """The places of the pieces that have something in these ranges."""
        axes = [
            range(wanted.start // length * length, wanted.stop, length) if length else [0]
            for wanted, length in zip(ranges, self.piece, strict=True)
        ]
        return [*product(*axes)]


def _overlap(
    begin: Place, piece: Place, ranges: Sequence[range]
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Where a piece has what is wanted, and where that goes."""
    there, here = [], []
    for start, length, wanted in zip(begin, piece, ranges, strict=True):
        low, high = max(start, wanted.start), min(start + length, wanted.stop)
        there.append(slice(low - start, high - start))
        here.append(slice(low - wanted.start, high - wanted.start))
    return tuple(there), tuple(here)


def _cuts(shape: Place, piece: Place) -> Place:
    """The number of pieces along each axis."""
    return tuple(n // p if p else 1 for n, p in zip(shape, piece, strict=True))


def _checked(table: object) -> tuple[str, int, dict[str, _Row]]:
    """The token, the number of parts and the rows of a table; ``ValueError`` if it is malformed."""
    if not isinstance(table, dict) or table.keys() != {"token", "count", "arrays"}:
        raise ValueError("the table of parts is malformed")
    token, count, rows = table["token"], table["count"], table["arrays"]
    if not isinstance(token, str) or not _is_length(count) or not isinstance(rows, dict):
        raise ValueError("the table of parts is malformed")
    return token, count, {name: _checked_row(name, row, count) for name, row in rows.items()}


def _checked_row(name: str, row: object, count: int) -> _Row:
    wrong = ValueError(f"the table of parts has no place for {name!r}")
    if not isinstance(row, dict) or row.keys() != {"dtype", "shape", "piece", "parts"}:
        raise wrong
    shape, piece, parts = row["shape"], row["piece"], row["parts"]
    lists = all(isinstance(x, list) and all(map(_is_length, x)) for x in (shape, piece, parts))
    if not lists or len(shape) != len(piece) or len(shape) > _MOST_AXES:
        raise wrong
    if any(n % p if p else n for n, p in zip(shape, piece, strict=True)):
        raise wrong
    if len(parts) != prod(_cuts(shape, piece)) or any(n >= count for n in parts):
        raise wrong
    try:
        dtype = dtypes.as_dtype(row["dtype"]).dtype
    except TypeError:
        raise wrong from None
    return _Row(np.dtype(dtype), tuple(shape), tuple(piece), parts)


def _is_length(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


_MOST_AXES = 64
"""NumPy's arrays have no more."""
