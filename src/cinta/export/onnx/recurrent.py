"""Recurrent layers in ONNX, step by step: its own show neither all cells nor the gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .call import CannotBeWritten, OnnxStep, writes

if TYPE_CHECKING:
    from .onnx_graph import OnnxGraph


@writes("LSTMSteps")
def _lstm(call: OnnxStep) -> list[str]:
    add, u, h, c = call.graph.add, *[call.input(i) for i in (1, 2, 3)]
    outputs, cells, gates = [], [], []
    for p, keep in _steps(call, kept=4):
        z = add("Add", p, add("MatMul", h, u))
        i, f, new, o = call.graph.add_several("Split", 4, z, axis=-1, num_outputs=4)
        i, f, o, new = (*[add("Sigmoid", gate) for gate in (i, f, o)], add("Tanh", new))
        after = add("Add", add("Mul", f, c), add("Mul", i, new))
        shown = add("Mul", o, add("Tanh", after))
        c, h = _kept(call.graph, keep, c, after), _kept(call.graph, keep, h, shown)
        outputs.append(h)
        cells.append(c)
        gates.append(add("Concat", i, f, new, o, axis=-1))
    return [_stacked(call.graph, each) for each in (outputs, cells, gates)]


@writes("GRUSteps")
def _gru(call: OnnxStep) -> list[str]:
    add, u, b, h = call.graph.add, *[call.input(i) for i in (1, 2, 3)]
    outputs, gates = [], []
    for p, keep in _steps(call, kept=4):
        said = add("Add", add("MatMul", h, u), b)
        for_z, for_r, for_new = call.graph.add_several("Split", 3, p, axis=-1, num_outputs=3)
        own_z, own_r, own = call.graph.add_several("Split", 3, said, axis=-1, num_outputs=3)
        z = add("Sigmoid", add("Add", for_z, own_z))
        r = add("Sigmoid", add("Add", for_r, own_r))
        new = add("Tanh", add("Add", for_new, add("Mul", r, own)))
        shown = add("Add", new, add("Mul", z, add("Sub", h, new)))
        h = _kept(call.graph, keep, h, shown)
        outputs.append(h)
        gates.append(add("Concat", z, r, new, own, axis=-1))
    return [_stacked(call.graph, each) for each in (outputs, gates)]


def _steps(call: OnnxStep, kept: int) -> list[tuple[str, str | None]]:
    """For each step, what the input says to it, and where states stay."""
    graph, count = call.graph, call.shape(0)[0]
    if count is None:
        raise CannotBeWritten("the number of steps is unknown")
    places = [graph.constant(np.array(t)) for t in range(count)]
    said = [graph.add("Gather", call.input(0), place, axis=0) for place in places]
    if call.shape(kept) == (0,):
        return [(each, None) for each in said]
    keep = [graph.add("Gather", call.input(kept), place, axis=0) for place in places]
    return list(zip(said, keep, strict=True))


def _kept(graph: OnnxGraph, keep: str | None, before: str, after: str) -> str:
    return after if keep is None else graph.add("Where", keep, before, after)


def _stacked(graph: OnnxGraph, steps: list[str]) -> str:
    first = graph.ints([0])
    return graph.add("Concat", *[graph.add("Unsqueeze", each, first) for each in steps], axis=0)
