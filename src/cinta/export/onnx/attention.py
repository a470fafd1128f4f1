"""Attention in ONNX, with all weights: how it is done by blocks is up to those who run it."""

from __future__ import annotations

import numpy as np

from ...engine.summing import accumulator
from ...ops.nn.attention.numpy import hidden_score
from .call import OnnxStep, writes


@writes("DotProductAttention")
def _attention(call: OnnxStep) -> list[str]:
    add, dtype = call.graph.add, call.out.dtype
    wide = accumulator(dtype)
    q, k, v = (call.input(i, wide) for i in range(3))
    scores = add("MatMul", q, add("Transpose", k, perm=[0, 1, 3, 2]))
    low = call.graph.constant(hidden_score(wide), wide)
    if call.shape(3) != (0,):
        scores = add("Where", call.input(3), scores, low)
    if call.causal:
        ones = add("Expand", call.graph.constant(1.0, np.float32), add("Shape", scores))
        before = call.graph.cast(add("Trilu", ones, upper=0), np.dtype(bool))
        scores = add("Where", before, scores, low)
    last = call.graph.ints([-1])
    top = add("ReduceMax", scores, last)
    powers = add("Exp", add("Sub", scores, top))
    total = add("ReduceSum", powers, last)
    seen = add("MatMul", add("Div", powers, total), v)
    results = [seen, top, total]
    return results if wide == dtype else [call.graph.cast(x, dtype) for x in results]
