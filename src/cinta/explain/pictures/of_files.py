"""Checkpoints and saved models as graphs: their arrays, and their functions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...checkpoints.bundle.bundle import Bundle
from ...checkpoints.describe_checkpoint import shown_name
from ...checkpoints.reader import open_latest
from ...graphs.model_format import contains_graphs
from ...graphs.reading import VALUES
from ...saved_model import contains_saved_model
from ...saved_model.describe_saved_model import functions_of
from ...saved_model.load_model import load, open_model
from ...saved_model.plain_structures import shown
from .of_function import draw_recording
from .of_parts import NamedArray, draw_parts

if TYPE_CHECKING:
    from ...checkpoints.value_sources import ValueSource
    from .drawing import Drawing


def draw_file(path: str | os.PathLike[str]) -> list[Drawing]:
    """The pictures of a checkpoint or a saved model."""
    if contains_graphs(path):
        return [_arrays("saved model", Bundle(os.path.join(path, VALUES)))]
    if not contains_saved_model(path):
        return [_arrays("checkpoint", open_latest(path))]
    model = load(path)
    found = []
    for name, function in [*model.signatures.items(), *functions_of(model)]:
        for program in function.programs:
            drawing = draw_recording(program.recording)
            drawing.title = f"{name}{shown(*program.arguments)}"
            found.append(drawing)
    return [_arrays("saved model", open_model(path)), *found]


def _arrays(kind: str, source: ValueSource) -> Drawing:
    parts = []
    for name in sorted(source.names()):
        words = shown_name(name)
        names = tuple(filter(None, words.split("/" if "/" in words else ".")))
        parts.append(NamedArray(names or (words,), *source.spec(name)))
    return draw_parts(kind, os.path.basename(os.fspath(source.path)), parts)
