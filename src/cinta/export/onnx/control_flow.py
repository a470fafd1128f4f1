"""Loops and branches in ONNX: graphs within the graph, which see the values around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import TensorProto, helper

from .call import CannotBeWritten, OnnxStep, writes

if TYPE_CHECKING:
    from ...replay.recording import Recording
    from .onnx_graph import OnnxGraph


def _truth(graph: OnnxGraph, name: str, wanted: bool) -> str:
    """Whether the truth of a value of one element is this, as a scalar."""
    scalar = graph.add("Reshape", graph.cast(name, np.bool_), graph.ints([]))
    return scalar if wanted else graph.add("Not", scalar)


def _check_exits(*bodies: Recording) -> None:
    """``CannotBeWritten`` if a turn or a side may be left before it ends."""
    if any([body.guards for body in bodies]):
        raise CannotBeWritten(
            "Python leaves it by break or return, or looks at values and decides by them; use a "
            "condition of the loop, or tf.where"
        )


@writes("Branch")
def _branch(call: OnnxStep) -> list[str]:
    _check_exits(call.then, call.otherwise)
    condition = _truth(call.graph, call.input(0), True)
    given = [call.input(i) for i in range(1, len(call))]
    sides = {
        name: _side(call, name, body, given)
        for name, body in (("then_branch", call.then), ("else_branch", call.otherwise))
    }
    return call.graph.add_several("If", len(call.step.outputs), condition, **sides)


def _side(call: OnnxStep, name: str, body: Recording, given: list[str]) -> Any:
    inner = call.graph.inside()
    found = call.written_into(inner, body, given)
    infos = [call.info(each, ref) for each, ref in zip(found, body.results, strict=True)]
    return helper.make_graph(inner.nodes, inner.name(name), [], infos)


@writes("While")
def _while(call: OnnxStep) -> list[str]:
    """A loop that also carries the number of its turns."""
    _check_exits(call.body)
    graph, body, carried = call.graph, call.body, call.carried
    given = call.inputs()
    begin = _truth(graph, given[call.watched], call.found)
    inner = graph.inside()
    turn, stays, turns = (inner.name(each) for each in ("turn", "stays", "turns"))
    held = [inner.name("carried") for _ in range(carried)]
    found = call.written_into(inner, body, [*held, *given[carried:]])
    goes_on = _truth(inner, found[call.watched], call.found)
    more = inner.add("Add", turn, graph.constant(1, np.int64))
    takes = [_scalar(turn, np.int64), _scalar(stays, np.bool_), _scalar(turns, np.int64)]
    gives = [_scalar(goes_on, np.bool_), _scalar(more, np.int64)]
    pairs = [*zip(body.inputs, held, found, strict=False)]
    takes += [call.info(name, ref) for ref, name, _ in pairs]
    gives += [call.info(name, ref) for ref, _, name in pairs]
    inside = helper.make_graph(inner.nodes, inner.name("turn"), takes, gives)
    initial = [graph.constant(0, np.int64), *given[:carried]]
    count, *ends = graph.add_several("Loop", 1 + carried, "", begin, *initial, body=inside)
    return [*ends, count]


@writes("RangeLength")
def _range_length(call: OnnxStep) -> str:
    return call.graph.add("Size", call.graph.add("Range", *call.inputs()))


def _scalar(name: str, dtype: object) -> Any:
    kind = TensorProto.BOOL if dtype is np.bool_ else TensorProto.INT64
    return helper.make_tensor_value_info(name, kind, ())
