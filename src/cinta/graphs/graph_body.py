"""The body of a function of TensorFlow while it is written: nodes, which are known by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import dtypes
from ..io.tensor_bytes import written_tensor
from ..protobuf.graph_messages import AttrValue, NodeDef
from ..protobuf.tensor_messages import TensorProto
from ..raw_ops.signature import Signature
from ..saved_model.sizes import VARYING, AnySize, Elements, Floor, Full, Number, Quotient, Size
from .node_attributes import shape_message

if TYPE_CHECKING:
    from collections.abc import Sequence


_MOST_OF_INT32 = 2**31 - 1


class CannotBeWritten(Exception):
    """A call that has no counterpart in TensorFlow."""


class GraphValue(NamedTuple):
    """A value in a function: the reference to it, and its dtype."""

    name: str
    dtype: np.dtype[Any]


class GraphBody:
    """Nodes. ``sizes`` says of each unknown dimension which value has it, and on which axis."""

    def __init__(self, sizes: dict[int, tuple[GraphValue, int]]) -> None:
        self.nodes: list[NodeDef] = []
        self._sizes = sizes
        self._count = 0

    def add(
        self, op: str, *inputs: GraphValue | list[GraphValue], **attributes: object
    ) -> list[GraphValue]:
        """The results of a new node."""
        signature = Signature(op)
        self._count += 1
        node = NodeDef(name=f"{op}_{self._count}", op=op)
        kinds: dict[str, Any] = {}
        for kind, given in zip(signature.inputs.values(), inputs, strict=True):
            values = given if isinstance(given, list) else [given]
            node.input.extend([value.name for value in values])
            _note(signature, kinds, kind, values)
        for name, value in attributes.items():
            kinds[name] = signature.attributes[name].kind, value
        for name, (kind, value) in kinds.items():
            node.attr[name].CopyFrom(attribute(kind, value))
        self.nodes.append(node)
        return [
            GraphValue(f"{node.name}:{name}:{i}", dtype)
            for name, kind in zip(signature.results, signature.result_kinds, strict=True)
            for i, dtype in enumerate(_dtypes(signature, kind, kinds))
        ]

    def one(
        self, op: str, *inputs: GraphValue | list[GraphValue], **attributes: object
    ) -> GraphValue:
        """The only result of a new node."""
        return self.add(op, *inputs, **attributes)[0]

    def cast(self, value: GraphValue, dtype: np.dtype[Any]) -> GraphValue:
        """The value in another dtype."""
        return value if value.dtype == dtype else self.one("Cast", value, DstT=dtypes.of(dtype))

    def constant(self, value: object, dtype: np.dtype[Any]) -> GraphValue:
        """A constant, or a number that depends on sizes."""
        if isinstance(value, Size):
            return self.cast(self._size(value), dtype)
        if isinstance(value, Number) and value.function == "itself":
            return self.cast(self._size(value.size), dtype)
        if isinstance(value, Number) and value.function == "reciprocal":
            return self.cast(
                self.one("Reciprocal", self.cast(self._size(value.size), np.dtype(float))), dtype
            )
        if isinstance(value, Full):
            number = self.constant(value.value, np.dtype(value.dtype))
            return self.cast(self.one("Fill", self.ints(value.shape), number), dtype)
        if isinstance(value, Elements):
            numbers = self.one("Pack", [self.constant(each, value.dtype) for each in value.values])
            return self.cast(self.one("Reshape", numbers, self.ints(value.shape)), dtype)
        if isinstance(value, VARYING):
            raise CannotBeWritten("it takes a constant that depends on an unknown dimension")
        array = np.asarray(value, dtype)
        kind = dtypes.of(array.dtype)
        return self.one("Const", value=array, dtype=kind)

    def ints(self, values: Sequence[Any]) -> GraphValue:
        """Whole numbers, some of which may depend on sizes.

        They are of int32 wherever they fit: TensorFlow's gradients of reductions ask for it.
        """
        array = np.array(values, object)
        known = [each for each in array.reshape(-1) if not isinstance(each, Size)]
        fit = all(abs(each) <= _MOST_OF_INT32 for each in known)
        kind = np.dtype(np.int32 if fit else np.int64)
        if len(known) == array.size:
            return self.constant(np.array(values, kind), kind)
        if array.ndim != 1:
            raise CannotBeWritten("pairs of numbers in it depend on an unknown dimension")
        return self.one("Pack", [self.constant(each, kind) for each in values])

    def _size(self, size: AnySize) -> GraphValue:
        kind = np.dtype(np.int64)
        if isinstance(size, Quotient):
            return self.one("FloorDiv", self._size(size.size), self.constant(size.over, kind))
        if isinstance(size, Floor):
            length = self.one("AddV2", self._size(size.number), self.constant(size.plus, kind))
            return self.one("FloorDiv", length, self.constant(size.over, kind))
        total = self.constant(0, kind)
        for factor, which in size.terms:
            term = self.constant(factor, kind)
            for number in which:
                value, axis = self._sizes[number]
                shape = self.one("Shape", value, out_type=dtypes.int64)
                places = self.constant(axis, kind), self.constant(0, kind)
                term = self.one("Mul", term, self.one("GatherV2", shape, *places))
            total = self.one("AddV2", total, term)
        return total


def _note(signature: Signature, kinds: dict[str, Any], kind: str, values: list[GraphValue]) -> None:
    """Note the attributes that say the dtypes and the number of inputs."""
    if kind.endswith("..."):
        kinds[kind[:-3]] = "list(type)", [dtypes.of(value.dtype) for value in values]
        return
    count, _, name = kind.rpartition("*")
    if count:
        kinds[count] = "int", len(values)
    if name not in signature.types and name not in signature.attributes:  # the op fixes it
        wrong = [value.dtype for value in values if dtypes.of(value.dtype).name != name]
        if wrong and name != "resource":
            raise CannotBeWritten(f"an input is {wrong[0]}, where {name} must be")
        return
    found = {dtypes.of(value.dtype) for value in values}
    if name in kinds:
        found.add(kinds[name][1])
    if len(found) != 1:
        raise CannotBeWritten(f"its inputs are of several dtypes: {sorted(map(str, found))}")
    kinds[name] = "type", found.pop()


def _dtypes(signature: Signature, kind: str, kinds: dict[str, Any]) -> list[np.dtype[Any]]:
    """The dtypes of the values that a result is made of."""
    count, _, name = kind.removesuffix("...").rpartition("*")

    def known(attribute: str) -> Any:
        found = kinds.get(attribute)
        return found[1] if found else signature.defaults.get(attribute)

    if kind.endswith("..."):
        return [dtypes.as_dtype(each).dtype for each in known(name)]
    dtype = dtypes.as_dtype(known(name) or name).dtype
    return [dtype] * (known(count) if count else 1)


def attribute(kind: str, value: Any) -> AttrValue:
    """A value as an attribute of a node."""
    if kind.startswith("list("):
        name, read = _FIELDS[kind[5:-1]]
        return AttrValue(list=AttrValue.ListValue(**{name: [read(each) for each in value]}))
    name, read = _FIELDS[kind]
    return AttrValue(**{name: read(value)})


_FIELDS: dict[str, tuple[str, Any]] = {
    "int": ("i", int),
    "float": ("f", float),
    "bool": ("b", bool),
    "string": ("s", lambda value: value if isinstance(value, bytes) else value.encode()),
    "type": ("type", lambda value: dtypes.as_dtype(value).as_datatype_enum),
    "shape": ("shape", shape_message),
    "tensor": ("tensor", lambda value: TensorProto.FromString(written_tensor(value))),
    "func": ("func", lambda value: value),
}
