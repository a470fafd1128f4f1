"""A recording as a graph that can be read: operations, and the tensors between them, by names.

Nothing runs in it. It answers what programs ask of the graph of a function in TensorFlow.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .. import dtypes
from ..engine.shapes import TensorShape
from ..ops.arguments import listed
from ..protobuf.graph_messages import GraphDef, NodeDef
from ..public import public
from ..replay.recording import Constant, Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import PartialShape
    from ..engine.variable import Variable
    from ..replay.recording import Recording, Ref, Step

_PYTHON_NAMES = {
    "AddV2": "add",
    "FloorDiv": "floordiv",
    "FloorMod": "mod",
    "Mul": "mul",
    "Pow": "pow",
    "RealDiv": "truediv",
    "Sub": "sub",
}
"""TensorFlow's names for the operators of Python."""


class SymbolicTensor:
    """A result of an operation: of what dtype and shape it is, but no value."""

    def __init__(self, op: Operation, index: int, shape: PartialShape, dtype: dtypes.DType) -> None:
        self.op, self.value_index = op, index
        self.shape, self.dtype = TensorShape(shape), dtype
        self.name = f"{op.name}:{index}"

    @property
    def graph(self) -> GraphView:
        """The graph that it is of."""
        return self.op.graph

    def __repr__(self) -> str:
        return f"<tf.Tensor {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'


@public("Operation")
class Operation:
    """A call of an op in the graph of a function, by name.

    >>> import cinta as tf
    >>> sine = tf.function(tf.sin).get_concrete_function(tf.TensorSpec([2]))
    >>> operation = sine.graph.get_operation_by_name("Sin")
    >>> operation.type, operation.inputs
    ('Sin', (<tf.Tensor 'x:0' shape=(2,) dtype=float32>,))

    Args:
        graph: The graph that it is of.
        type: The op.
        inputs: The tensors that it takes.
    """

    def __init__(
        self, graph: GraphView, name: str, type: str, inputs: Sequence[SymbolicTensor]
    ) -> None:
        self.graph, self.name, self.type = graph, name, type
        self.inputs: tuple[SymbolicTensor, ...] = tuple(listed(inputs, "inputs"))
        self.outputs: list[SymbolicTensor] = []
        self._attributes: dict[str, object] = {}

    @property
    def node_def(self) -> NodeDef:
        """The operation as data."""
        texts = [x.name.removesuffix(":0") for x in self.inputs]
        return NodeDef(name=self.name, op=self.type, input=texts)

    def get_attr(self, name: str) -> object:
        """An attribute: ``dtype``, ``shape`` and ``_user_specified_name`` of an argument.

        Args:
            name: The name of the attribute.

        Raises:
            ValueError: If there is none. The attributes of other operations are not kept.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: x + x).get_concrete_function(tf.TensorSpec([2]))
        >>> double.inputs[0].op.get_attr("_user_specified_name")
        b'x'
        """
        if not isinstance(name, str) or name not in self._attributes:
            raise ValueError(
                f"Operation {self.name!r} has no attr named {name!r}; it has "
                f"{', '.join(self._attributes) or 'none'}."
            )
        return self._attributes[name]

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


@public("Graph")
class Graph:
    """The graphs of functions, as ``concrete_function.graph`` gives them; others cannot be made."""

    def __init__(self, *_: object) -> NoReturn:
        raise TypeError(
            "There is no graph to build: ops run when they are called. Decorate a function with "
            "@tf.function; get_concrete_function(...).graph is its graph."
        )


class GraphView(Graph):
    """The operations of a recording, in their order, after the arguments."""

    def __init__(
        self,
        recording: Recording,
        arguments: Sequence[str],
        pack: Callable[[Sequence[SymbolicTensor]], object] = list,
    ) -> None:
        self.name = recording.name
        self._counts: Counter[str] = Counter()
        self._operations: dict[str, Operation] = {}
        self._tensors: dict[int, SymbolicTensor] = {}
        self._recording = recording
        self.inputs = [
            self._argument(name, number)
            for name, number in zip(arguments, recording.inputs, strict=True)
        ]
        self.variables: tuple[Variable, ...] = tuple([v for v, _ in recording.reads])
        self.inputs += [self._read(number) for _, number in recording.reads]
        for step in recording.calls:
            self._call(step)
        for variable, ref in recording.assigns:
            self._add("AssignVariableOp", [self._tensor(ref, variable.name)])
        self.outputs = [self._result(ref) for ref in recording.results]
        self.structured_outputs = pack(self.outputs)

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    # -- queries -------------------------------------------------------------------------------

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are trained."""
        return tuple([v for v in self.variables if v.trainable])

    def get_operations(self) -> list[Operation]:
        """All operations."""
        return [*self._operations.values()]

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of this name."""
        if name not in self._operations:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return self._operations[name]

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor of this name, such as ``add:0``."""
        operation, _, index = name.partition(":")
        outputs = self.get_operation_by_name(operation).outputs
        if not index.isdigit() or int(index) >= len(outputs):
            raise KeyError(f"The name {name!r} refers to a Tensor which does not exist.")
        return outputs[int(index)]

    def as_graph_def(self) -> GraphDef:
        """The graph as data."""
        return GraphDef(node=[operation.node_def for operation in self.get_operations()])

    # -- how it is made ------------------------------------------------------------------------

    def _add(
        self, type: str, inputs: Sequence[SymbolicTensor], name: str = "", specs: Sequence[Any] = ()
    ) -> Operation:
        """Add an operation with results of these specs."""
        base = name or _PYTHON_NAMES.get(type, type)
        taken = self._counts[base]
        self._counts[base] += 1
        operation = Operation(self, f"{base}_{taken}" if taken else base, type, inputs)
        for i, spec in enumerate(specs):
            dtype = dtypes.resource if spec is None else dtypes.of(spec.dtype)
            shape = () if spec is None else spec.shape
            operation.outputs.append(SymbolicTensor(operation, i, shape, dtype))
        self._operations[operation.name] = operation
        return operation

    def _argument(self, name: str, number: int) -> SymbolicTensor:
        operation = self._add("Placeholder", [], name, [self._recording.specs[number]])
        made = operation.outputs[0]
        operation._attributes = {
            "dtype": made.dtype,
            "shape": made.shape,
            "_user_specified_name": name.encode(),
        }
        self._tensors[number] = made
        return made

    def _read(self, number: int) -> SymbolicTensor:
        """Add the handle of a variable, and the operation that reads it."""
        handle = self._add("Placeholder", [], "ReadVariableOp/resource", [None]).outputs[0]
        read = self._add("ReadVariableOp", [handle], specs=[self._recording.specs[number]])
        self._tensors[number] = read.outputs[0]
        return handle

    def _call(self, step: Step) -> None:
        base = _PYTHON_NAMES.get(step.op.name, step.op.name)
        names = step.op.inputs if not step.op.variadic else step.op.inputs * len(step.inputs)
        inputs = [
            self._tensor(ref, f"{base}/{name}")
            for ref, name in zip(step.inputs, names, strict=False)
        ]
        specs = [self._recording.specs[n] for n in step.outputs]
        made = self._add(step.op.name, inputs, specs=specs)
        self._tensors |= zip(step.outputs, made.outputs, strict=True)

    def _tensor(self, ref: Ref, name: str) -> SymbolicTensor:
        """A value by its number; a constant becomes an operation."""
        if not isinstance(ref, Constant):
            return self._tensors[ref]
        return self._add("Const", [], name, [Spec.of(np.asarray(ref.value))]).outputs[0]

    def _result(self, ref: Ref) -> SymbolicTensor:
        given = self._tensor(ref, "Const")
        spec = self._recording.spec_of(ref)
        return self._add("Identity", [given], specs=[spec]).outputs[0]
