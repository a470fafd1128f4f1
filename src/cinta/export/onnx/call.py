"""One call of an op, for the functions that write it in nodes of ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...replay.recording import Constant
from ...replay.step_writers import StepWriters
from ...saved_model.sizes import VARYING, Number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike
    from ...replay.recording import Ref, Spec, Step
    from .onnx_graph import OnnxGraph

    Writer = Callable[["OnnxStep"], Any]

WRITERS: StepWriters[Writer] = StepWriters()
"""The functions return the names of the results."""
writes = WRITERS.of


class CannotBeWritten(Exception):
    """An op that has no counterpart in ONNX when it is called like this."""


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
        shapes = [spec.shape for spec in self._specs[ref]]
        return tuple([each[0] if len({*each}) == 1 else None for each in zip(*shapes, strict=True)])

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

    def inputs(self, dtype: Any = None) -> list[str]:
        """The names of all inputs."""
        return [self.input(i, dtype) for i in range(len(self))]

    def common(self) -> np.dtype[Any]:
        """The dtype in which NumPy computes with these inputs."""
        return np.result_type(*[self.dtype(i) for i in range(len(self))])
