"""Datasets written to a folder, and read again."""

from __future__ import annotations

import json
import os
import struct
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, nest
from ..engine.recorders import cannot_be_replayed
from ..errors import DataLossError, InvalidArgumentError, NotFoundError
from ..files.system_errors import translated
from ..io.compressed import checked_kind
from ..io.files import local_path
from ..io.records import TFRecordWriter, records_of
from ..io.tensor_bytes import read_tensor, written_tensor
from ..ops.arguments import checked_callable, whole_number
from ..programs.composite_specs import NoneTensorSpec, SparseTensorSpec
from ..programs.specs import TensorSpec, TypeSpec
from .base import dataset_of
from .composite_elements import arrays_of, count_of_arrays, of_arrays
from .dataset import Dataset
from .elements import call, returned
from .file_datasets import in_files
from .map_stages import Map
from .source_stages import slices_of
from .stage import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Array
    from ..io.files import FilePath
    from .stage import Element, Specs, Stage

_SPEC = "element_spec.json"
_LENGTH = struct.Struct("<Q")
_TENSORS: dict[str, type[TensorSpec | SparseTensorSpec]] = {
    "tensor": TensorSpec,
    "sparse": SparseTensorSpec,
}


def save(
    stage: Stage, path: FilePath, compression: str | None, shard: Callable[..., Any] | None
) -> None:
    """Write the elements of a pass, to the file that a function chooses for each."""
    cannot_be_replayed("it writes a dataset")
    folder, kind = local_path(path, "path"), checked_kind(compression)
    spec = _written_spec(stage.spec())
    with translated(folder):
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if name.endswith(".tfrecord"):  # of a dataset that was saved here before
                os.remove(os.path.join(folder, name))
    writers: dict[int, TFRecordWriter] = {0: _writer(folder, 0, kind)}
    flow, count = stage.flow(), 0
    while len(run := flow.run(1)):
        count += len(run)
        for element in run:
            number = 0 if shard is None else shard_number(shard, element)
            if number not in writers:
                writers[number] = _writer(folder, number, kind)
            writers[number].write(_written(element))
    for writer in writers.values():
        writer.close()
    with translated(folder), open(os.path.join(folder, _SPEC), "w") as file:
        json.dump({"compression": kind, "spec": spec, "count": count}, file)


def shard_number(shard: Callable[..., Any], element: Element) -> int:
    """The number that a function gives to the file, or the part, of an element."""
    number = whole_number(returned(call(shard, element)), "shard_func")
    if number < 0:
        raise InvalidArgumentError(f"`shard_func` must give a number >= 0, got {number}.")
    return number


def _writer(folder: str, number: int, kind: str) -> TFRecordWriter:
    return TFRecordWriter(os.path.join(folder, f"shard_{number:08d}.tfrecord"), kind)


def _written(element: Element) -> bytes:
    """The tensors of an element, each behind its length."""
    arrays = [array for leaf in nest.flatten(element) for array in arrays_of(leaf)]
    messages = [written_tensor(np.asarray(array)) for array in arrays]
    return b"".join([_LENGTH.pack(len(each)) + each for each in messages])


# -- reading ---------------------------------------------------------------------------------------


class Loaded(Map):
    """The elements that records hold."""

    name = "load"

    def __init__(self, records: Stage, spec: Specs, count: int) -> None:
        super().__init__(records, self.element)
        self.given_spec, self.count = spec, count

    def apply(self, element: Element) -> Element:
        return self.element(element)

    def element(self, record: Array) -> Element:
        """The element that a record holds."""
        arrays, leaves = _arrays(np.asarray(record, object).item()), []
        for spec in nest.flatten(self.given_spec):
            count = count_of_arrays(spec)
            if len(arrays) < count:
                raise DataLossError("an element of the saved dataset lacks tensors.")
            leaf = of_arrays(spec, arrays[:count])
            leaves.append(leaf)
            del arrays[:count]
        return nest.pack_sequence_as(self.given_spec, leaves)

    def spec(self) -> Specs:
        return self.given_spec

    def cardinality(self) -> int:
        return self.count


def _arrays(record: bytes) -> list[Array]:
    found, at = [], 0
    while at < len(record):
        (length,) = _LENGTH.unpack(record[at : at + _LENGTH.size].ljust(_LENGTH.size, b"\xff"))
        at += _LENGTH.size
        if length > len(record) - at:
            raise DataLossError("a tensor of the saved dataset is longer than its element.")
        found.append(read_tensor(record[at : at + length]))
        at += length
    return found


def load(
    path: FilePath,
    element_spec: Specs | None,
    compression: str | None,
    reader_func: Callable[..., Any] | None,
) -> Stage:
    """The elements that were saved in a folder."""
    folder = local_path(path, "path")
    kind, spec, count = _known(folder)
    if compression is not None and checked_kind(compression) != kind:
        raise InvalidArgumentError(
            f"the dataset in {folder} was saved with compression={kind!r}, not {compression!r}."
        )
    if element_spec is not None:
        nest.assert_same_structure(element_spec, spec)
        spec = element_spec
    names = sorted(each for each in os.listdir(folder) if each.endswith(".tfrecord"))
    paths = np.array([os.path.join(folder, each).encode() for each in names], object)
    opened = partial(_opened, kind=kind, spec=spec)
    if reader_func is None:
        return opened(paths, count=count)
    shards = Map(
        slices_of(paths), lambda path: Dataset(opened([path.numpy().decode()], count=UNKNOWN))
    )
    made = checked_callable(reader_func, "reader_func")(Dataset(shards))
    return dataset_of(made, "reader_func")._stage


def _opened(paths: FilePath, kind: str, spec: Specs, count: int) -> Stage:
    """The elements in files."""
    return Loaded(in_files(paths, lambda path: records_of(path, kind, "LoadDataset")), spec, count)


def _known(folder: str) -> tuple[str, Specs, int]:
    """How the elements of a folder were compressed, their spec, and how many there are."""
    path = os.path.join(folder, _SPEC)
    if not os.path.exists(path):
        raise NotFoundError(
            f"{folder} holds no dataset that `Dataset.save` of cinta has written: there is no "
            f"{_SPEC}."
        )
    with open(path) as file:
        content = file.read()
    try:
        known = json.loads(content)
        count = known.get("count", UNKNOWN)  # which versions before this one did not write
        if type(count) is not int or count < UNKNOWN:
            raise ValueError(f"{count!r} is not a number of elements")
        return checked_kind(known["compression"]), _read_spec(known["spec"]), count
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataLossError(f"{path} is damaged: {error}.") from None


# -- specs -----------------------------------------------------------------------------------------


def _written_spec(spec: object) -> dict[str, Any]:
    """A spec as JSON can hold it."""
    for name, kind in _TENSORS.items():
        if isinstance(spec, kind):
            sizes = None if spec.shape.rank is None else spec.shape.as_list()
            return {name: [spec.dtype.name, sizes]}
    if isinstance(spec, NoneTensorSpec):
        return {"none": []}
    if isinstance(spec, dict):
        return {"dict": {key: _written_spec(part) for key, part in spec.items()}}
    if isinstance(spec, tuple):
        return {"tuple": [_written_spec(part) for part in spec]}
    raise TypeError(f"datasets of {spec!r} cannot be saved.")


def _read_spec(written: dict[str, Any]) -> Specs:
    ((name, content),) = written.items()
    if name in _TENSORS:
        dtype, shape = content
        spec: TypeSpec = _TENSORS[name](shape, dtypes.as_dtype(dtype))
        return spec
    if name == "dict":
        return {key: _read_spec(part) for key, part in content.items()}
    if name == "tuple":
        return tuple([_read_spec(part) for part in content])
    if name == "none":
        return NoneTensorSpec()
    raise ValueError(f"{name!r} is not a spec")
