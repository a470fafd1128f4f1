"""A container: named arrays and a document, in one safetensors file with checksums.

Any program that reads safetensors reads the arrays. Behind them stands one array more, of CRC-32
checksums: of the header, and of each array in the order of the data. It comes last, so that data
are read once and written in one go, however large they are.

The metadata say what kind of content the file has, of which version, and hold the document, which
is JSON, which the users of containers interpret. Nothing in a file is ever run.
"""

from __future__ import annotations

import json
import os
import threading
import weakref
import zlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import DataLossError, InvalidArgumentError, NotFoundError, UnimplementedError
from ..progress import BarOfBytes
from . import forms, safetensors_header, strict_json
from .atomic import replacing, write
from .system_errors import translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


SUFFIX: Final = ".safetensors"
CHECKSUMS: Final = "cinta.checksums"
VERSION: Final = 1
_CHUNK = 4 << 20  # stays in the processor's cache from the checksum to the disk


def write_container(
    path: str | os.PathLike[str],
    kind: str,
    document: dict[str, Any] | None,
    arrays: Mapping[str, Any],
    progress: bool | None = None,
) -> None:
    """Write a file whole or not at all; arrays that are contiguous are not copied."""
    stored = {name: forms.plain(array) for name, array in arrays.items()}
    # Those with the largest elements come first, so all are aligned in a mapped file.
    stored = dict(sorted(stored.items(), key=lambda item: -item[1][0].dtype.itemsize))
    plain = {name: array for name, (array, _) in stored.items()}
    metadata = {
        "format": kind,
        "version": str(VERSION),
        "forms": _compact({name: form for name, (_, form) in stored.items() if form}),
        "document": _compact(document),
    }
    checksums = np.zeros(1 + len(plain), np.uint32)
    head = safetensors_header.header(metadata, {**plain, CHECKSUMS: checksums})
    if len(head) > safetensors_header.LONGEST_HEADER:
        raise InvalidArgumentError(f"{path}: a header of {len(head)} bytes is too long.")
    head = len(head).to_bytes(8, "little") + head
    bar = BarOfBytes(
        f"Writing {os.path.basename(path)}", sum(array.nbytes for array in plain.values()), progress
    )
    with replacing(path) as file:
        checksums[0] = zlib.crc32(head)
        write(file, memoryview(head))
        for i, array in enumerate(plain.values()):
            for chunk in _chunks(_bytes(array)):
                checksums[i + 1] = zlib.crc32(chunk, int(checksums[i + 1]))
                write(file, chunk)
                bar.add(chunk.nbytes)
        write(file, _bytes(checksums))
        bar.close()


def _compact(value: dict[str, Any] | None) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _bytes(array: object) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _chunks(data: memoryview) -> Iterator[memoryview]:
    for begin in range(0, data.nbytes, _CHUNK):
        yield data[begin : begin + _CHUNK]


class Container:
    """A file to read arrays from. It stays open, so it stays what it was, whatever replaces it.

    A safetensors file that another program wrote can be read, too. It has no ``document`` and no
    checksums; ``kind`` is None.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self._lock = threading.Lock()
        with translated(path):
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115  # closed with the object
            weakref.finalize(self, self._file.close)
            head = self._head()
            size = self._file.seek(0, 2)
        self._begin = len(head)
        try:
            metadata, self._slots = safetensors_header.parse(head[8:], size - self._begin)
            own = CHECKSUMS in self._slots or "document" in metadata
            self.kind = metadata.get("format", "") if own else None
            self._forms: dict[str, Any] = {}
            self._checksums: dict[str, int] = {}
            self.document: Any = None
            if own:
                self._open_own(head, metadata)
        except ValueError as error:
            raise self._damaged(str(error)) from None

    def _head(self) -> bytes:
        """The length of the header and the header, as they stand in the file."""
        size = self._file.seek(0, 2)
        self._file.seek(0)
        prefix = self._file.read(8)
        length = int.from_bytes(prefix, "little")
        if len(prefix) < 8 or length > min(size - 8, safetensors_header.LONGEST_HEADER):
            raise self._damaged(
                f"it claims a header of {length} bytes, and has {size} in all: it is cut off, or "
                "no safetensors file"
            )
        return prefix + self._file.read(length)

    def _open_own(self, head: bytes, metadata: dict[str, str]) -> None:
        version = metadata.get("version")
        if version != str(VERSION):
            raise UnimplementedError(
                f"{self.path} has version {version!r} of its format; this cinta reads version "
                f"{VERSION}. Use a newer cinta."
            )
        slot = self._slots.get(CHECKSUMS)
        if slot is None:
            raise ValueError("it has no checksums")
        if slot.dtype != np.uint32 or slot.shape != (len(self._slots),):
            raise ValueError("there are not as many checksums as arrays")
        if list(self._slots)[-1] != CHECKSUMS:
            raise ValueError("the checksums are not at the end")
        header, *others = self._data(slot)[0].tolist()
        if header != zlib.crc32(head):
            raise ValueError("the header has another checksum than when it was written")
        del self._slots[CHECKSUMS]
        self._checksums = dict(zip(self._slots, others, strict=True))
        found = strict_json.parse(metadata.get("forms", ""))
        if not isinstance(found, dict) or not found.keys() <= self._slots.keys():
            raise ValueError("the forms are not a table of arrays")
        for name, form in found.items():
            forms.check(name, form, self._slots[name])
        self._forms = found
        self.document = strict_json.parse(metadata.get("document", ""))

    def names(self) -> list[str]:
        """The names of the arrays."""
        return list(self._slots)

    def spec(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
        """The dtype and shape of an array."""
        return forms.spec(self._slot(name), self._forms.get(name))

    def read(self, name: str) -> np.ndarray[Any, Any]:
        """An array whose checksum is right."""
        stored, found = self._data(self._slot(name))
        self._check(name, found)
        if stored.dtype == np.bool_ and stored.reshape(-1).view(np.uint8).max(initial=0) > 1:
            raise self._damaged(f"{name!r} has a bool that is neither 0 nor 1")
        try:
            return forms.original(stored, self._forms.get(name))
        except ValueError as error:
            raise self._damaged(f"{name!r}: {error}") from None

    def read_into(self, name: str, array: np.ndarray[Any, Any]) -> None:
        """Read an array of numbers into the memory of another one, if its checksum is right.

        To that end it is read twice, so that what is damaged does not take the place of anything.
        """
        slot = self._slot(name)
        if array.dtype == np.bool_:  # which is looked at before it is believed
            array[...] = self.read(name)
            return
        whole, spare = array.reshape(-1).view(np.uint8).data, memoryview(bytearray(_CHUNK))
        self._check(name, self._load(slot, (spare[: c.nbytes] for c in _chunks(whole))))
        self._load(slot, _chunks(whole))

    def _slot(self, name: str) -> safetensors_header.Slot:
        if name not in self._slots:
            raise NotFoundError(f"Key {name} not found in checkpoint {self.path}")
        return self._slots[name]

    def _data(self, slot: safetensors_header.Slot) -> tuple[Any, int]:
        """An array as it is stored, and its checksum."""
        array = np.empty(slot.shape, slot.dtype)
        return array, self._load(slot, _chunks(array.reshape(-1).view(np.uint8).data))

    def _load(self, slot: safetensors_header.Slot, chunks: Iterable[memoryview]) -> int:
        """Read the bytes of an array into pieces of memory; their checksum."""
        found = 0
        with self._lock, translated(self.path):
            self._file.seek(self._begin + slot.begin)
            for chunk in chunks:
                self._fill(chunk)
                found = zlib.crc32(chunk, found)
        return found

    def _check(self, name: str, found: int) -> None:
        if self._checksums.get(name, found) != found:
            raise self._damaged(f"{name!r} has another checksum than when it was written")

    def _fill(self, chunk: memoryview) -> None:
        while chunk.nbytes:
            count = self._file.readinto(chunk)
            if not count:
                raise self._damaged("it has been cut off while it was read")
            chunk = chunk[count:]

    def _damaged(self, what: str) -> DataLossError:
        return DataLossError(f"{self.path} is damaged: {what}.")
