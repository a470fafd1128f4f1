"""One call of an op, for the functions that write it in nodes of ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import helper

from ...replay.recording import Constant, Spec
from ...replay.step_writers import StepWriters
from ...saved_model.sizes import VARYING, Number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import DTypeLike
    from ...replay.recording import Recording, Ref, Step
    from .onnx_graph import OnnxGraph

    Writer = Callable[["OnnxStep"], Any]

WRITERS: StepWriters[Writer] = StepWriters()
"""The functions return the names of the results."""
writes = WRITERS.of


class CannotBeWritten(Exception):
    """An op that has no counterpart in ONNX when it is called like this."""


_KINDS = frozenset("biufV")
"""The kinds of dtypes that there are in ONNX; V is bfloat16's."""


def written(
    graph: OnnxGraph, step: Step, names: dict[int, str], specs: dict[int, list[Spec]]
) -> list[str]:
    """Write a step; the names of its results."""
    numbers = [*step.outputs, *[ref for ref in step.inputs if isinstance(ref, int)]]
    kinds = [specs[n][0].dtype.kind for n in numbers]
    try:
        if step.op.name not in WRITERS or not {*kinds} <= _KINDS:
            raise CannotBeWritten("it has no counterpart there")
        found = WRITERS[step.op.name](OnnxStep(graph, step, names, specs))
    except CannotBeWritten as error:
        shown = ", ".join(str(specs[n][0]) for n in step.outputs)
        raise ValueError(
            f"the op {step.op.name}, which gives {shown}, cannot be written in ONNX: {error}."
        ) from None
    return [found] if isinstance(found, str) else found


class OnnxStep:
    """A step with the names of its inputs, and what is known of their shapes."""

    def __init__(
        self, graph: OnnxGraph, step: Step, names: dict[int, str], specs: dict[int, list[Spec]]
    ) -> None:
        self.graph, self.step, self.attrs = graph, step, step.attrs
        self._names, self._specs = names, specs

    def __getattr__(self, name: str) -> Any:
        return self.step.attrs[name]

    def __len__(self) -> int:
        return len(self.step.inputs)

    @property
    def out(self) -> Spec:
        """The dtype of the first result, and its shape at some sizes."""
        return self._specs[self.step.outputs[0]][0]

    def dtype(self, place: int) -> Any:
        """The dtype of an input; a number of Python's stands for itself."""
        ref = self.step.inputs[place]
        if isinstance(ref, int):
            return self._specs[ref][0].dtype
        if isinstance(ref.value, VARYING):
            found = getattr(ref.value, "dtype", None)
            return found or (0.0 if isinstance(ref.value, Number) else 0)
        return getattr(ref.value, "dtype", ref.value)

    def rank(self, place: int) -> int:
        """How many axes an input has."""
        return len(self.shape(place))

    def shape(self, place: int) -> tuple[int | None, ...]:
        """The shape of an input, with None for lengths that are unknown."""
        ref = self.step.inputs[place]
        if isinstance(ref, Constant):
            return tuple(getattr(ref.value, "shape", ()))
        return self._known_shape(self._specs[ref])

    def _known_shape(self, specs: Sequence[Any]) -> tuple[int | None, ...]:
        lengths = zip(*[spec.shape for spec in specs], strict=True)
        return tuple([each[0] if len({*each}) == 1 else None for each in lengths])

    def input(self, place: int, dtype: DTypeLike | None = None) -> str:
        """The name of an input, cast if need be."""
        return self._named(self.step.inputs[place], dtype)

    def _named(self, ref: Ref, dtype: DTypeLike | None) -> str:
        if isinstance(ref, Constant):
            return self.graph.constant(ref.value, dtype)
        name = self._names[ref]
        if dtype is None or self._specs[ref][0].dtype == dtype:
            return name
        return self.graph.cast(name, dtype)

    def written_into(self, graph: OnnxGraph, body: Recording, given: Sequence[str]) -> list[Any]:
        """Write a body that takes these values into a graph of its own; its results there."""
        names = self._names | dict(zip(body.inputs, given, strict=True))
        for step in body.calls:
            names.update(zip(step.outputs, written(graph, step, names, self._specs), strict=True))
        found = [
            names[ref] if isinstance(ref, int) else graph.constant(ref.value)
            for ref in body.results
        ]
        return [graph.add("Identity", name) for name in found]  # each is one of its own

    def info(self, name: str, ref: Ref) -> Any:
        """The name of a value with its dtype and what is known of its shape."""
        found = self._specs[ref] if isinstance(ref, int) else [Spec.of(np.asarray(ref.value))]
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(found[0].dtype))
        return helper.make_tensor_value_info(name, kind, self._known_shape(found))

    def inputs(self, dtype: Any = None) -> list[str]:
        """The names of all inputs."""
        return [self.input(i, dtype) for i in range(len(self))]

    def common(self) -> np.dtype[Any]:
        """The dtype in which NumPy computes with these inputs."""
        return np.result_type(*[self.dtype(i) for i in range(len(self))])
