"""A function's recordings as graphs: arguments, variables, the lines of the program and their ops.

A loop is one box. Recordings from files know no lines: in these each op is a box by itself.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ...replay.loops.folding import folded as with_loops
from ...replay.numpy.engine import NumpyProgram
from ...replay.recording import Recording
from ..lines import line_at
from .boxes import Box, BoxGraph, BoxMeasurements
from .drawing import Drawing

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from ...programs.function import Function
    from ...replay.recording import Ref, Step
    from ...replay.variant import Variant
    from .boxes import Path

_WORTH = 6
"""From how many steps on what repeats itself is drawn as a loop."""


def draw_function(function: Function[..., object]) -> list[Drawing]:
    """The pictures of a function, one for each of its recordings."""
    parameters = tuple(inspect.signature(function).parameters)
    found = [_of_variant(variant, parameters) for variant in function._variants]
    if not found:
        whys = function._variants._refused.values()
        why = "".join(f" Its Python runs at every call: {each}." for each in dict.fromkeys(whys))
        raise ValueError(
            f"{function!r} has no recording: call it, then show it, or show(f, inputs=...).{why}"
        )
    return found


def _of_variant(variant: Variant, parameters: Sequence[str]) -> Drawing:
    program = variant.runner.callable.program
    engine = "NumPy" if isinstance(program, NumpyProgram) else "XLA"
    return draw_recording(variant.serves(), engine, parameters)


def draw_recording(
    recording: Recording, engine: str = "", parameters: Sequence[str] = ()
) -> Drawing:
    """The picture of a recording; one from a file has shapes only when it is run, and no loops.

    Arguments are called as the parameters are, if each parameter is one tensor.
    """
    made = with_loops(recording, _WORTH) if recording.specs else recording
    graph = BoxGraph()
    paths: dict[int, Path] = {}
    for i, number in enumerate(made.inputs):
        name = parameters[i] if len(parameters) == len(made.inputs) else f"argument {i}"
        _source(graph, paths, ("input", i), number, name, made)
    for variable, number in made.reads:
        _source(graph, paths, ("variable", variable._number), number, variable.name, made)
    _enter_steps(graph, (), made, paths)
    for ref in made.ends:
        box = graph.boxes[paths[ref][0]]
        box.role = box.role or "target"
    signature = f"{recording.name}({_shown(recording, recording.inputs)})"
    title = f"{signature} · {engine}" if engine else signature
    return Drawing("function", graph, title=title)


def _source(
    graph: BoxGraph, paths: dict[int, Path], key: Hashable, number: int, name: str, made: Recording
) -> None:
    graph.enter(key, Box(name.removesuffix(":0"), role="source", result=_shown(made, [number])))
    paths[number] = (key,)


def _enter_steps(graph: BoxGraph, around: Path, made: Recording, paths: dict[int, Path]) -> None:
    """Make the boxes of the steps in the box of this path, with their arrows."""
    for i, step in enumerate(made.calls):
        bodies = [x for x in step.attrs.values() if isinstance(x, Recording)]
        result = _shown(made, step.outputs)
        if bodies:
            path = *around, ("step", i)
            _inside(graph, around).enter(path[-1], _loop(step, bodies[0], result))
        else:
            path = _enter_call(graph, around, step, result)
        for ref in _numbers(step.inputs):
            graph.connect(paths[ref], path)
        for body in bodies:
            _enter_body(graph, path, step, body, paths)
        if not bodies:
            size = sum(made.specs[n].nbytes for n in step.outputs if n in made.specs)
            graph.note(path, BoxMeasurements(1, size))
        paths.update(dict.fromkeys(step.outputs, path))


def _loop(step: Step, body: Recording, result: str) -> Box:
    """The box of a loop or branch, which stands where its body begins."""
    turns = step.attrs.get("turns")
    title = f"{step.op.name} × {turns}" if turns else step.op.name
    lines = filter(None, (line_at(each.place) for each in body.calls))
    return Box(title, next(map(str, lines), ""), result=result)


def _enter_call(graph: BoxGraph, around: Path, step: Step, result: str) -> Path:
    """Make the box of a call in that of its line, where calls at one place share a box."""
    inside, line = _inside(graph, around), line_at(step.place)
    if line is None:
        key = "step", step.outputs
        inside.enter(key, Box(step.op.name, result=result))
        return *around, key
    of_line = line.filename, line.lineno
    box = inside.enter(of_line, Box(line.source, str(line)))
    box.result = result  # of the last call on it
    of_call = step.op.name, step.place, result
    box.inner.enter(of_call, Box(step.op.name, result=result))
    return *around, of_line, of_call


def _inside(graph: BoxGraph, path: Path) -> BoxGraph:
    """The graph in the box of this path."""
    for key in path:
        graph = graph.boxes[key].inner
    return graph


def _enter_body(
    graph: BoxGraph, around: Path, step: Step, body: Recording, outside: dict[int, Path]
) -> None:
    """Make the boxes of a loop's body: what it takes, and its steps."""
    loop = _inside(graph, around)
    carried, sliced = step.attrs.get("carried", 0), step.attrs.get("sliced", 0)
    paths: dict[int, Path] = {}
    for i, (number, ref) in enumerate(zip(body.inputs, step.inputs, strict=False)):
        name = (
            [box.title for box in graph.on(outside[ref])][-1] if isinstance(ref, int) else repr(ref)
        )
        part = "[turn]" if carried <= i < carried + sliced else ""
        where = "from turn to turn" if i < carried else ""
        loop.enter(("value", i), Box(name + part, where, "source", _shown(body, [number])))
        paths[number] = *around, ("value", i)
    _enter_steps(graph, around, body, paths)


def _shown(made: Recording, numbers: Sequence[int]) -> str:
    return ", ".join(str(made.specs[n]) for n in numbers if n in made.specs)


def _numbers(refs: Iterable[Ref]) -> list[int]:
    return [ref for ref in refs if isinstance(ref, int)]
