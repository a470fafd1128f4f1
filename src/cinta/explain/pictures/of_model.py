"""A model, module or function that is called: its layers or lines, which unfold to ops.

It is called once with explanations on, and nothing of that call stays.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nest
from ...derivatives.tape import GradientTape
from ...dtypes import as_dtype
from ...engine.convert import as_tensor
from ...engine.module import Module
from ...engine.tensor import Tensor
from ...engine.transactions import leaving_no_trace
from ...engine.variable import behind, is_variable
from ...ops.random.state import seeds
from ..enable import current_ledger, explaining
from ..layer_calls import LayerCalls
from .of_parts import NamedArray, draw_parts
from .of_tape import draw_tape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.tensor import Array
    from .drawing import Drawing

_UNKNOWN = 8
"""The size of an axis that a model leaves open, other than that of the batch."""


def draw_model(model: Any, inputs: object = None) -> Drawing:
    """The picture of a model that is called with these inputs, by default with random numbers.

    Where the shape is not known it is the picture of its variables.
    """
    given = _known_inputs(model) if inputs is None else _arguments(inputs)
    if given is None:
        return _variables_of(model)
    if not getattr(model, "built", True):
        model(*given)
    names = {behind(v)._number: "/".join(path) for path, v in _paths(model)}
    drawing = _drawn(model, given, names, within=id(model))
    drawing.kind, drawing.title = "model", _title(model)
    return drawing


def draw_call(f: Callable[..., object], inputs: object) -> Drawing:
    """The picture of a call of a function with these arguments, by the lines of its Python."""
    drawing = _drawn(f, _arguments(inputs))
    drawing.kind, drawing.title = "call", getattr(f, "__name__", type(f).__name__)
    return drawing


def _arguments(inputs: object) -> tuple[Any, ...]:
    """Arguments as tensors: a tuple has several of them."""
    given = inputs if isinstance(inputs, tuple) else (inputs,)
    return tuple(nest.map_structure(as_tensor, each) for each in given)


def _drawn(
    f: Any, given: tuple[Any, ...], names: dict[int, str] | None = None, within: int = 0
) -> Drawing:
    """The picture of a call of which nothing stays."""

    def drawn() -> Drawing:
        with explaining(), ExitStack() as undo:
            _note_calls(f, undo)
            with GradientTape(persistent=True) as tape:
                tape.watch([x for x in nest.flatten(given) if x.dtype.is_floating])
                results = f(*given)
            target = [x for x in nest.flatten(results) if isinstance(x, Tensor)]
            return draw_tape(tape, target, names, within)

    before = seeds.snapshot()
    try:
        return leaving_no_trace(drawn)
    finally:
        seeds.rewind(before)


def _title(model: Any) -> str:
    return f"{model.name} ({type(model).__name__})"


def _note_calls(model: object, undo: ExitStack) -> None:
    """Let modules, of which explanations know nothing else, tell when they are called."""
    if not isinstance(model, Module):
        return
    ledger = current_ledger()
    assert ledger is not None
    paths = model._flatten(predicate=lambda x: isinstance(x, Module), with_path=True)
    calls = LayerCalls(ledger, {id(each): ".".join(map(str, path)) for path, each in paths})
    for kind in {type(each) for each in (model, *model.submodules)}:
        plain = vars(kind).get("__call__")
        if isinstance(plain, FunctionType):
            undo.callback(setattr, kind, "__call__", plain)
            type.__setattr__(kind, "__call__", calls.noting(plain))


def _known_inputs(model: Any) -> tuple[Any, ...] | None:
    """Examples of the dtypes and shapes that Keras knows a model takes, if it does."""
    specs = getattr(model, "inputs", None)
    if specs:
        examples = [_example(x.shape, x.dtype) for x in specs]
        return _arguments(examples[0] if len(examples) == 1 else examples)
    shape = (getattr(model, "_build_shapes_dict", None) or {}).get("input_shape")
    if isinstance(shape, (list, tuple)) and all(isinstance(n, (int, type(None))) for n in shape):
        return _arguments(_example(shape, model.compute_dtype))
    return None


def _example(shape: Sequence[int | None], dtype: str) -> Array:
    """Normal random numbers, which are the same each time; whole numbers are zeros."""
    batch = [1 if shape[0] is None else shape[0]] if shape else []
    sizes = [*batch, *[_UNKNOWN if n is None else n for n in shape[1:]]]
    kind = as_dtype(dtype).as_numpy_dtype
    if np.issubdtype(kind, np.integer) or kind is np.bool_:
        return np.zeros(sizes, kind)
    return np.random.default_rng(0).standard_normal(sizes).astype(kind)


def _variables_of(model: object) -> Drawing:
    """The picture of the variables of a model that cannot be called."""
    found = []
    for path, variable in _paths(model):
        value = behind(variable)
        found.append(NamedArray(path, value._array.dtype, value._array.shape))
    if not found:
        raise ValueError(f"{model!r} has no variables yet: show(model, inputs=x) calls it with x.")
    return draw_parts("model", _title(model), found)


def _paths(model: Any) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(model, Module):
        return [
            (tuple(map(str, path)), variable)
            for path, variable in model._flatten(predicate=is_variable, with_path=True)
        ]
    return [(tuple(v.path.split("/")), v) for v in model.variables]
