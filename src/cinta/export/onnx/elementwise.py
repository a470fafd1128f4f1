"""Ops that work on each element, in ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .call import WRITERS, OnnxStep, writes

if TYPE_CHECKING:
    from .onnx_graph import OnnxGraph

_SAME = {
    **{name: name for name in ("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil")},
    **{name: name for name in ("Cos", "Cosh", "Elu", "Erf", "Exp", "Floor", "Identity", "Log")},
    **{name: name for name in ("Neg", "Reciprocal", "Relu", "Sigmoid", "Sign", "Sin", "Sinh")},
    **{name: name for name in ("Softplus", "Softsign", "Sqrt", "Tan", "Tanh")},
    **dict.fromkeys(("CheckNumerics", "Conj", "ReadVariableOp", "Real"), "Identity"),
    "StopGradient": "Identity",
    "IsNan": "IsNaN",
    "IsInf": "IsInf",
    "LogicalNot": "Not",
    "Rint": "Round",
}
_BINARY = {
    **{name: name for name in ("Equal", "Greater", "Less", "Mul", "Pow", "Sub")},
    **dict.fromkeys(("Add", "AddV2"), "Add"),
    "GreaterEqual": "GreaterOrEqual",
    "LessEqual": "LessOrEqual",
    "LogicalAnd": "And",
    "LogicalOr": "Or",
    "Maximum": "Max",
    "Minimum": "Min",
    "RealDiv": "Div",
}


def _same(call: OnnxStep) -> str:
    return call.graph.add(_SAME[call.step.op.name], call.input(0))


def _binary(call: OnnxStep) -> str:
    dtype = call.common()
    result = call.graph.add(_BINARY[call.step.op.name], *call.inputs(dtype))
    is_arithmetic = call.out.dtype != np.bool_
    return (
        call.graph.cast(result, call.out.dtype)
        if is_arithmetic and dtype != call.out.dtype
        else result
    )


WRITERS.update(dict.fromkeys(_SAME, _same))
WRITERS.update(dict.fromkeys(_BINARY, _binary))


def number(call: OnnxStep, value: int) -> str:
    """A number of the dtype of the result."""
    return call.graph.constant(value, call.out.dtype)


@writes("AddN")
def _add_n(call: OnnxStep) -> str:
    return call.graph.sum(call.inputs(call.out.dtype))


@writes("NotEqual")
def _not_equal(call: OnnxStep) -> str:
    return call.graph.add("Not", call.graph.add("Equal", *call.inputs(call.common())))


@writes("Square")
def _square(call: OnnxStep) -> str:
    return call.graph.add("Mul", call.input(0), call.input(0))


@writes("SquaredDifference")
def _squared_difference(call: OnnxStep) -> str:
    difference = call.graph.add("Sub", *call.inputs(call.common()))
    return call.graph.add("Mul", difference, difference)


@writes("Rsqrt")
def _rsqrt(call: OnnxStep) -> str:
    return call.graph.add("Reciprocal", call.graph.add("Sqrt", call.input(0)))


@writes("Silu")
def _silu(call: OnnxStep) -> str:
    return call.graph.add("Mul", call.input(0), call.graph.add("Sigmoid", call.input(0)))


@writes("Selu")
def _selu(call: OnnxStep) -> str:
    return call.graph.add("Selu", call.input(0), alpha=1.6732632423543772, gamma=1.0507009873554805)


@writes("LeakyRelu")
def _leaky_relu(call: OnnxStep) -> str:
    return call.graph.add("LeakyRelu", call.input(0), alpha=float(call.alpha))


@writes("Relu6")
def _relu6(call: OnnxStep) -> str:
    return call.graph.add("Clip", call.input(0), number(call, 0), number(call, 6))


@writes("Gelu")
def _gelu(call: OnnxStep) -> str:
    return call.graph.add("Gelu", call.input(0))


@writes("TanhGelu")
def _tanh_gelu(call: OnnxStep) -> str:
    return call.graph.add("Gelu", call.input(0), approximate="tanh")


@writes("Log1p")
def _log1p(call: OnnxStep) -> str:
    return call.graph.add("Log", call.graph.add("Add", call.input(0), number(call, 1)))


@writes("Expm1")
def _expm1(call: OnnxStep) -> str:
    return call.graph.add("Sub", call.graph.add("Exp", call.input(0)), number(call, 1))


@writes("Erfc")
def _erfc(call: OnnxStep) -> str:
    return call.graph.add("Sub", number(call, 1), call.graph.add("Erf", call.input(0)))


@writes("IsFinite")
def _is_finite(call: OnnxStep) -> str:
    graph, x = call.graph, call.input(0)
    return graph.add("Not", graph.add("Or", graph.add("IsNaN", x), graph.add("IsInf", x)))


@writes("ZerosLike", "OnesLike")
def _filled_like(call: OnnxStep) -> str:
    value = number(call, int(call.step.op.name == "OnesLike"))
    return call.graph.add("Expand", value, call.graph.add("Shape", call.input(0)))


@writes("SelectV2")
def _select(call: OnnxStep) -> str:
    x, y = [call.input(i, call.out.dtype) for i in (1, 2)]
    return call.graph.where(call.input(0), x, y, call.out.dtype)


@writes("Masked")
def _masked(call: OnnxStep) -> str:
    return call.graph.where(call.input(1), call.input(0), number(call, 0), call.out.dtype)


@writes("DivNoNan")
def _div_no_nan(call: OnnxStep) -> str:
    x, y = call.inputs(call.out.dtype)
    zero = number(call, 0)
    is_zero = call.graph.add("Equal", y, zero)
    safe = call.graph.add("Where", is_zero, number(call, 1), y)
    return call.graph.add("Where", is_zero, zero, call.graph.add("Div", x, safe))


@writes("MulNoNan")
def _mul_no_nan(call: OnnxStep) -> str:
    x, y = call.inputs(call.out.dtype)
    zero = number(call, 0)
    product = call.graph.add("Mul", x, y)
    return call.graph.add("Where", call.graph.add("Equal", y, zero), zero, product)


@writes("Cast", "Convert")
def _cast(call: OnnxStep) -> str:
    return call.graph.cast(call.input(0), call.attrs["dtype"])


@writes("FloorDiv")
def _floor_div(call: OnnxStep) -> str:
    x, y = call.inputs(call.out.dtype)
    if call.out.dtype.kind == "f":
        return call.graph.add("Floor", call.graph.add("Div", x, y))
    rest = call.graph.add("Mod", x, y)  # of the sign of the divisor, as Python's is
    return call.graph.add("Div", call.graph.add("Sub", x, rest), y)


@writes("FloorMod")
def _floor_mod(call: OnnxStep) -> str:
    x, y = call.inputs(call.out.dtype)
    if call.out.dtype.kind != "f":
        return call.graph.add("Mod", x, y)
    return call.graph.add("Sub", x, call.graph.add("Mul", _floor_div(call), y))


@writes("SigmoidCrossEntropyWithLogits")
def _sigmoid_cross_entropy(call: OnnxStep) -> str:
    graph, (x, labels) = call.graph, call.inputs(call.out.dtype)
    plain = graph.add("Sub", graph.add("Relu", x), graph.add("Mul", x, labels))
    tail = graph.add("Softplus", graph.add("Neg", graph.add("Abs", x)))
    return graph.add("Add", plain, tail)


@writes("Standardized")
def _standardized(call: OnnxStep) -> str:
    return call.graph.add("Mul", _less_mean(call.graph, call), call.input(2))


@writes("NormalizedRows")
def _normalized_rows(call: OnnxStep) -> str:
    graph = call.graph
    product = graph.add("Mul", _less_mean(graph, call), call.input(2))
    return graph.add("Add", graph.add("Mul", product, call.input(3)), call.input(4))


def _less_mean(graph: OnnxGraph, call: OnnxStep) -> str:
    """The difference from means, which are float32 where the numbers are in half precision."""
    return graph.add("Sub", call.input(0, call.dtype(1)), call.input(1))
