"""Ops along axes, in ONNX."""

from __future__ import annotations

import numpy as np

from .call import OnnxStep, writes

_KINDS = {
    "Sum": "ReduceSum",
    "Mean": "ReduceMean",
    "Max": "ReduceMax",
    "Min": "ReduceMin",
    "Prod": "ReduceProd",
    "LogSumExp": "ReduceLogSumExp",
    "EuclideanNorm": "ReduceL2",
}


def reduced(call: OnnxStep, kind: str, x: str, axis: tuple[int, ...], keepdims: bool) -> str:
    """The value reduced over these axes; over none it is what it was."""
    axes, none = call.graph.ints(axis), {} if axis else {"noop_with_empty_axes": 1}
    return call.graph.add(kind, x, axes, keepdims=int(keepdims), **none)


@writes(*_KINDS)
def _reduction(call: OnnxStep) -> str:
    kind, keepdims = _KINDS[call.step.op.name], call.attrs.get("keepdims", False)
    axis = call.axis if isinstance(call.axis, tuple) else (call.axis,)
    return reduced(call, kind, call.input(0), axis, keepdims)


@writes("All", "Any")
def _all_or_any(call: OnnxStep) -> str:
    kind = "ReduceMin" if call.step.op.name == "All" else "ReduceMax"
    numbers = call.graph.cast(call.input(0), np.int32)
    found = reduced(call, kind, numbers, call.axis, call.keepdims)
    return call.graph.cast(found, np.bool_)


@writes("CountNonzero")
def _count_nonzero(call: OnnxStep) -> str:
    truths = call.graph.cast(call.graph.cast(call.input(0), np.bool_), np.int64)
    found = reduced(call, "ReduceSum", truths, call.axis, call.keepdims)
    return call.graph.cast(found, call.out.dtype)


@writes("Variance")
def _variance(call: OnnxStep) -> str:
    difference = call.graph.add("Sub", call.input(0), call.input(1))
    squares = call.graph.add("Mul", difference, difference)
    return reduced(call, "ReduceMean", squares, call.axis, True)


@writes("LayerNormParts")
def _layer_norm_parts(call: OnnxStep) -> list[str]:
    add, dtype = call.graph.add, call.dtype(1)
    away = x = call.input(0, dtype)
    if call.centered:
        mean = reduced(call, "ReduceMean", x, call.axis, True)
        away = add("Sub", x, mean)
    variance = reduced(call, "ReduceMean", add("Mul", away, away), call.axis, True)
    if not call.centered:
        mean = add("Expand", call.graph.constant(0.0, dtype), add("Shape", variance))
    deviation = add("Sqrt", add("Add", variance, call.graph.constant(call.epsilon, dtype)))
    factor = add("Reciprocal", deviation)
    scaled = add("Mul", add("Mul", away, factor), call.input(1))
    out = call.graph.cast(add("Add", scaled, call.input(2)), call.out.dtype)
    return [out, mean, factor]


@writes("LayerNorm")
def _layer_norm(call: OnnxStep) -> str:
    return call.input(3)


@writes("L2Loss")
def _l2_loss(call: OnnxStep) -> str:
    axes = tuple(range(call.rank(0)))
    total = reduced(call, "ReduceSumSquare", call.input(0), axes, False)
    return call.graph.add("Mul", total, call.graph.constant(0.5, call.out.dtype))


@writes("ArgMax", "ArgMin")
def _arg_extreme(call: OnnxStep) -> str:
    found = call.graph.add(call.step.op.name, call.input(0), axis=call.axis, keepdims=0)
    return call.graph.cast(found, call.out.dtype)


@writes("TopKV2")
def _top_k(call: OnnxStep) -> list[str]:
    count = call.graph.ints([call.k])
    values, places = call.graph.add_several("TopK", 2, call.input(0), count, axis=-1)
    return [values, call.graph.cast(places, call.attrs["dtype"])]


@writes("Cumsum")
def _cumsum(call: OnnxStep) -> str:
    axis = call.graph.constant(np.int64(call.axis))
    turned, left_out = int(call.reverse), int(call.exclusive)
    return call.graph.add("CumSum", call.input(0), axis, exclusive=left_out, reverse=turned)


@writes("Softmax", "LogSoftmax")
def _softmax(call: OnnxStep) -> str:
    return call.graph.add(call.step.op.name, call.input(0), axis=call.axis)


@writes("SoftmaxCrossEntropyWithLogits")
def _cross_entropy(call: OnnxStep) -> str:
    logits, labels = call.inputs(call.out.dtype)
    logs = call.graph.add("LogSoftmax", logits, axis=call.axis)
    total = reduced(call, "ReduceSum", call.graph.add("Mul", labels, logs), (call.axis,), False)
    return call.graph.add("Neg", total)
