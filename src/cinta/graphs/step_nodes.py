"""Steps of recordings as nodes: by the table, or by a function where a line does not say enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ops.nn.activations import TANH_GELU_CUBIC, TANH_GELU_SLOPE
from ..ops.nn.normal import ROOT_HALF
from ..raw_ops.signature import Signature
from ..replay.step_writers import StepWriters
from ..saved_model.sizes import VARYING, SamePadding, Size
from .graph_body import CannotBeWritten, GraphValue
from .node_table import ALL, COUNT, OUT, Int, Ints, Like, row_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ops.nn.sliding_windows import Window
    from ..replay.recording import Spec, Step
    from .graph_body import GraphBody

    Writer = Callable[["TensorFlowStep"], list[GraphValue]]

WRITERS: StepWriters[Writer] = StepWriters()
writes = WRITERS.of


class TensorFlowStep:
    """A step with the values that it takes, and the specs of all values."""

    def __init__(
        self, body: GraphBody, step: Step, values: dict[int, GraphValue], specs: dict[int, Spec]
    ) -> None:
        self.body, self.step, self.attrs = body, step, step.attrs
        self._values, self._specs = values, specs

    @property
    def out(self) -> Spec:
        """The first result."""
        return self._specs[self.step.outputs[0]]

    def rank(self, place: int) -> int:
        """How many axes an input has."""
        ref = self.step.inputs[place]
        if isinstance(ref, int):
            return len(self._specs[ref].shape)
        return len(getattr(ref.value, "shape", ()))

    def _known(self, place: int) -> np.dtype[Any] | None:
        """The dtype of an input; a number of Python's has none."""
        ref = self.step.inputs[place]
        if isinstance(ref, int):
            return self._values[ref].dtype
        found: np.dtype[Any] | None = getattr(ref.value, "dtype", None)
        return found

    def input(self, place: int, dtype: np.dtype[Any] | None = None) -> GraphValue:
        """An input; a number of Python's is of the dtype of the others."""
        ref = self.step.inputs[place]
        if isinstance(ref, int):
            return self._values[ref]
        known = [self._known(i) for i in range(len(self.step.inputs))]
        others = [each for each in known if each is not None]
        wanted = self._known(place) or dtype or (others[0] if others else self.out.dtype)
        return self.body.constant(ref.value, wanted)

    def inputs(self) -> list[GraphValue]:
        """All inputs."""
        return [self.input(i) for i in range(len(self.step.inputs))]

    def checked(self, results: list[GraphValue]) -> list[GraphValue]:
        """The results, which must be of the dtypes that cinta gives."""
        for number, value in zip(self.step.outputs, results, strict=True):
            if value.dtype != self._specs[number].dtype:
                raise CannotBeWritten(
                    f"TensorFlow gives {value.dtype}, cinta {self._specs[number].dtype}"
                )
        return results


def written(call: TensorFlowStep) -> list[GraphValue]:
    """The results of the nodes for a step; ``CannotBeWritten`` if there are none."""
    name = call.step.op.name
    if name in WRITERS:
        return call.checked(WRITERS[name](call))
    row = row_of(call.step.op, call.attrs)
    if row is None:
        raise CannotBeWritten("it has no counterpart there")
    kinds = Signature(row.op).inputs.values()
    inputs = [_input(call, *each) for each in zip(row.inputs, kinds, strict=True)]
    attributes = {name: _attribute(call, source) for name, source in row.attributes.items()}
    return call.checked(call.body.add(row.op, *inputs, **attributes))


def _input(
    call: TensorFlowStep, source: int | Ints | Int | Like | str, kind: str
) -> GraphValue | list[GraphValue]:
    if source == ALL:
        return call.inputs()
    if isinstance(source, int):
        return call.input(source)
    assert not isinstance(source, str)
    value = call.attrs[source.attribute]
    if isinstance(source, Ints):
        return call.body.ints(value)
    if isinstance(source, Like):
        return call.body.constant(value, call.out.dtype)
    return call.body.constant(value, np.dtype(np.int64 if kind == "int64" else np.int32))


def _attribute(call: TensorFlowStep, source: str) -> object:
    if source == COUNT:
        return len(call.step.outputs)
    value = call.out.dtype if source == OUT else call.attrs[source]
    if isinstance(value, VARYING):
        raise CannotBeWritten(f"its attribute {source} depends on an unknown dimension")
    return value


@writes("MatMul")
def _matmul(call: TensorFlowStep) -> list[GraphValue]:
    turned = call.attrs["transpose_a"], call.attrs["transpose_b"]
    if call.rank(0) == call.rank(1) == 2:
        return call.body.add("MatMul", *call.inputs(), transpose_a=turned[0], transpose_b=turned[1])
    return call.body.add("BatchMatMulV2", *_batched(call, turned))


def _batched(call: TensorFlowStep, turned: tuple[bool, bool]) -> list[GraphValue]:
    """Matrices that are turned by hand: TensorFlow's own way takes the conjugate too."""
    made = []
    for place, value in enumerate(call.inputs()):
        rank = call.rank(place)
        order = [*range(rank - 2), rank - 1, rank - 2]
        swapped = (
            call.body.one("Transpose", value, call.body.ints(order)) if turned[place] else value
        )
        made.append(swapped)
    return made


@writes("Transpose")
def _transpose(call: TensorFlowStep) -> list[GraphValue]:
    rank, perm = call.rank(0), call.attrs["perm"]
    front = range(rank - len(perm))  # axes that the op does not know of
    order = [*front, *[axis % rank for axis in perm]]
    return call.body.add("Transpose", call.input(0), call.body.ints(order))


@writes("OneHot")
def _one_hot(call: TensorFlowStep) -> list[GraphValue]:
    depth = call.body.constant(call.attrs["depth"], np.dtype(np.int32))
    axis = call.attrs["axis"] % (call.rank(0) + 1)
    values = [call.input(i, call.out.dtype) for i in (1, 2)]
    return call.body.add("OneHot", call.input(0), depth, *values, axis=axis)


@writes("Softmax", "LogSoftmax")
def _softmax(call: TensorFlowStep) -> list[GraphValue]:
    if call.attrs["axis"] % call.rank(0) != call.rank(0) - 1:
        raise CannotBeWritten("it is not along the last axis")
    return call.body.add(call.step.op.name, call.input(0))


@writes("ResourceGather")
def _rows(call: TensorFlowStep) -> list[GraphValue]:
    axis = call.body.constant(0, np.dtype(np.int32))
    return call.body.add("GatherV2", call.input(0), call.input(1), axis)


@writes("Masked")
def _masked(call: TensorFlowStep) -> list[GraphValue]:
    x = call.input(0)
    return call.body.add("SelectV2", call.input(1), x, call.body.constant(0, x.dtype))


@writes("Silu")
def _silu(call: TensorFlowStep) -> list[GraphValue]:
    x = call.input(0)
    return call.body.add("Mul", x, call.body.one("Sigmoid", x))


@writes("Gelu")
def _gelu(call: TensorFlowStep) -> list[GraphValue]:
    x, body = call.input(0), call.body
    rest = body.one("Erfc", body.one("Mul", x, body.constant(-ROOT_HALF, x.dtype)))
    return body.add("Mul", body.one("Mul", x, body.constant(0.5, x.dtype)), rest)


@writes("TanhGelu")
def _tanh_gelu(call: TensorFlowStep) -> list[GraphValue]:
    x, body = call.input(0), call.body
    cubic = body.one("Mul", body.one("Square", x), body.constant(TANH_GELU_CUBIC, x.dtype))
    factor = body.one("AddV2", cubic, body.constant(1.0, x.dtype))
    slope = body.one("Mul", x, body.constant(2.0 * TANH_GELU_SLOPE, x.dtype))
    return body.add("Mul", x, body.one("Sigmoid", body.one("Mul", slope, factor)))


@writes("LogSumExp")
def _log_sum_exp(call: TensorFlowStep) -> list[GraphValue]:
    x, body, keeps = call.input(0), call.body, call.attrs["keepdims"]
    axes = body.ints(call.attrs["axis"])
    top = body.one("StopGradient", body.one("Max", x, axes, keep_dims=True))
    finite = body.one("IsFinite", top)
    top = body.one("SelectV2", finite, top, body.one("ZerosLike", top))
    total = body.one("Sum", body.one("Exp", body.one("Sub", x, top)), axes, keep_dims=keeps)
    return body.add("AddV2", body.one("Log", total), body.one("Sum", top, axes, keep_dims=keeps))


@writes("LayerNormParts")
def _layer_norm_parts(call: TensorFlowStep) -> list[GraphValue]:
    body, axes = call.body, call.body.ints(call.attrs["axis"])
    given, scale, offset = call.inputs()
    x = body.cast(given, scale.dtype)
    mean = body.one("Mean", x, axes, keep_dims=True)
    if not call.attrs["centered"]:
        mean = body.one("ZerosLike", mean)
    away = body.one("Sub", x, mean)
    variance = body.one("Mean", body.one("Square", away), axes, keep_dims=True)
    epsilon = body.constant(call.attrs["epsilon"], x.dtype)
    factor = body.one("Rsqrt", body.one("AddV2", variance, epsilon))
    scaled = body.one("Mul", body.one("Mul", away, factor), scale)
    return [body.cast(body.one("AddV2", scaled, offset), given.dtype), mean, factor]


@writes("LayerNorm")
def _layer_norm(call: TensorFlowStep) -> list[GraphValue]:
    return [call.input(3)]


@writes("StridedSlice")
def _strided_slice(call: TensorFlowStep) -> list[GraphValue]:
    begins: list[Any] = []
    ends: list[Any] = []
    steps: list[int] = []
    masks = dict.fromkeys(
        ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0
    )
    for place, part in enumerate(call.attrs["index"]):
        begin, end, step = 0, 0, 1
        if part is None:
            masks["new_axis_mask"] |= 1 << place
        elif part is ...:
            masks["ellipsis_mask"] |= 1 << place
        elif isinstance(part, (int, Size)):
            masks["shrink_axis_mask"] |= 1 << place
            begin = part  # type: ignore[assignment]
            end = part + 1 if isinstance(part, int) else Size((*part.terms, (1, ())))  # type: ignore[assignment]
        else:
            begin, end, step = (
                part if isinstance(part, tuple) else (part.start, part.stop, part.step)
            )
            step = 1 if step is None else step
            masks["begin_mask"] |= (begin is None) << place
            masks["end_mask"] |= (end is None) << place
        if not isinstance(step, int):
            raise CannotBeWritten("its step depends on an unknown dimension")
        begins.append(begin or 0)
        ends.append(end or 0)
        steps.append(step)
    given = [call.body.ints(each) for each in (begins, ends, steps)]
    return call.body.add("StridedSlice", call.input(0), *given, **masks)


@writes("Conv2D", "DepthwiseConv2dNative")
def _convolution(call: TensorFlowStep) -> list[GraphValue]:
    attributes = _window(call.attrs["window"])
    return call.body.add(call.step.op.name, call.input(0), call.input(1), **attributes)


@writes("MaxPool", "AvgPool")
def _pooling(call: TensorFlowStep) -> list[GraphValue]:
    window = call.attrs["window"]
    attributes = _window(window)
    if {*attributes.pop("dilations")} != {1}:
        raise CannotBeWritten("its window is dilated")
    if call.step.op.name == "AvgPool" and attributes["padding"] != "VALID":
        raise CannotBeWritten("it has padding")
    if call.step.op.name == "AvgPool":
        del attributes["explicit_paddings"]
    return call.body.add(call.step.op.name, call.input(0), ksize=[1, *window.size, 1], **attributes)


def _window(window: Window) -> dict[str, Any]:
    """The attributes of a window over images."""
    padding = [n for pair in window.padding for n in pair]
    is_same = all([isinstance(n, SamePadding) for n in padding])
    numbers = [*window.strides, *window.dilations, *([] if is_same else padding)]
    if len(window.size) != 2 or not all(isinstance(n, int) and n >= 0 for n in numbers):
        raise CannotBeWritten("its window is not one over images of known padding")
    around = [n for pair in ((0, 0), *window.padding, (0, 0)) for n in pair]
    kind = "SAME" if is_same else "EXPLICIT" if any(around) else "VALID"
    return {
        "strides": [1, *window.strides, 1],
        "dilations": [1, *window.dilations, 1],
        "padding": kind,
        "explicit_paddings": around if kind == "EXPLICIT" else [],
    }
