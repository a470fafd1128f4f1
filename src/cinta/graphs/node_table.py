"""How calls of cinta's ops are written as nodes of TensorFlow.

An op without attributes that has the name and the inputs of one of TensorFlow's needs no line: it
is that op. The others have one, with the node's op, its inputs, and its attributes. Reading needs
no table of its own: nodes are calls of `tf.raw_ops`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..raw_ops.signature import Signature, is_tensorflows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..engine.operation import Op


class Ints(NamedTuple):
    """A vector of whole numbers that is an attribute of cinta's op, and an input of the node."""

    attribute: str


class Int(NamedTuple):
    """The same for one number."""

    attribute: str


class Like(NamedTuple):
    """A number that is an attribute, of the dtype of the first input."""

    attribute: str


class NodeRow(NamedTuple):
    """A node: its op, its inputs (places of the call's inputs, or attributes), its attributes."""

    op: str
    inputs: tuple[int | Ints | Int | Like | str, ...]
    attributes: Mapping[str, str] = {}


ALL = "all"
"""In the place of inputs: all of the call, as a list."""
COUNT, OUT = "#results", "#dtype"
"""In the place of attributes: how many results there are, and the dtype of the first."""


def _reduction(op: str) -> NodeRow:
    return NodeRow(op, (0, Ints("axis")), {"keep_dims": "keepdims"})


def _scan(op: str) -> NodeRow:
    return NodeRow(op, (0, Int("axis")), {"exclusive": "exclusive", "reverse": "reverse"})


def _of_complex(op: str) -> NodeRow:
    return NodeRow(op, (0,), {"Tout": OUT})


ROWS: dict[str, NodeRow] = {
    "AddN": NodeRow("AddN", (ALL,)),
    "All": _reduction("All"),
    "Angle": _of_complex("Angle"),
    "Any": _reduction("Any"),
    "ArgMax": NodeRow("ArgMax", (0, Int("axis")), {"output_type": "dtype"}),
    "ArgMin": NodeRow("ArgMin", (0, Int("axis")), {"output_type": "dtype"}),
    "Bitcast": NodeRow("Bitcast", (0,), {"type": "type"}),
    "BroadcastTo": NodeRow("BroadcastTo", (0, Ints("shape"))),
    "Cast": NodeRow("Cast", (0,), {"DstT": "dtype"}),
    "CheckNumerics": NodeRow("CheckNumerics", (0,), {"message": "message"}),
    "Complex": NodeRow("Complex", (0, 1), {"Tout": OUT}),
    "ComplexAbs": _of_complex("ComplexAbs"),
    "ConcatV2": NodeRow("ConcatV2", (ALL, Int("axis"))),
    "Convert": NodeRow("Cast", (0,), {"DstT": "dtype"}),
    "Cumprod": _scan("Cumprod"),
    "Cumsum": _scan("Cumsum"),
    "EuclideanNorm": _reduction("EuclideanNorm"),
    "GatherV2": NodeRow("GatherV2", (0, 1, Int("axis"))),
    "Imag": _of_complex("Imag"),
    "LeakyRelu": NodeRow("LeakyRelu", (0,), {"alpha": "alpha"}),
    "MatrixBandPart": NodeRow("MatrixBandPart", (0, Int("num_lower"), Int("num_upper"))),
    "Max": _reduction("Max"),
    "Mean": _reduction("Mean"),
    "Min": _reduction("Min"),
    "Pack": NodeRow("Pack", (ALL,), {"axis": "axis"}),
    "PadV2": NodeRow("PadV2", (0, Ints("paddings"), Like("value"))),
    "Prod": NodeRow("Prod", (0, Ints("axis"))),
    "ReadVariableOp": NodeRow("Identity", (0,)),
    "Real": _of_complex("Real"),
    "Reshape": NodeRow("Reshape", (0, Ints("shape"))),
    "ReverseV2": NodeRow("ReverseV2", (0, Ints("axis"))),
    "Roll": NodeRow("Roll", (0, Ints("shift"), Ints("axis"))),
    "SplitV": NodeRow("SplitV", (0, Ints("sizes"), Int("axis")), {"num_split": COUNT}),
    "Sum": _reduction("Sum"),
    "TopKV2": NodeRow("TopKV2", (0, Int("k")), {"index_type": "dtype"}),
    "Unpack": NodeRow("Unpack", (0,), {"axis": "axis", "num": COUNT}),
}


def row_of(op: Op, attributes: Mapping[str, Any]) -> NodeRow | None:
    """The line for a call of an op, None if the op cannot be written by a line."""
    if op.name in ROWS:
        return ROWS[op.name]
    if attributes or op.variadic or not is_tensorflows(op.name):
        return None
    signature = Signature(op.name)
    required = [each for each in signature.attributes.values() if each.is_required]
    if required or len(signature.inputs) != len(op.inputs):
        return None
    return NodeRow(op.name, tuple(range(len(op.inputs))))
