"""The text that ``cinta show`` prints for a saved model of TensorFlow."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from ..checkpoints.bundle.bundle import Bundle
from ..checkpoints.describe_checkpoint import table
from ..languages.counted import counted
from .model_format import GRAPH_FILE, graph_of, load
from .nodes import is_known
from .reading import VALUES

if TYPE_CHECKING:
    from ..protobuf.graph_messages import FunctionDef

_MOST_OPS = 8


def report(export_dir: str | os.PathLike[str]) -> str:
    """The signatures, functions with their ops, and arrays with their sizes, line by line."""
    path = os.path.join(export_dir, GRAPH_FILE)
    lines = [f"{path}: a saved model of TensorFlow"]
    for name, function in load(export_dir).signatures.items():
        takes = ", ".join(f"{k}={v!r}" for k, v in function.structured_input_signature[1].items())
        gives = ", ".join(f"{k}: {v!r}" for k, v in function.structured_outputs.items())
        lines.append(f"signature {name}({takes}) -> {gives}")
    graph = graph_of(path, None)
    called = {*graph.object_graph_def.concrete_functions}
    library = graph.graph_def.library.function
    lines += [_line(each) for each in library if each.signature.name in called]
    values = os.path.join(export_dir, VALUES)
    return "\n".join([*lines, *(table(Bundle(values)) if os.path.isfile(values) else [])])


def _line(definition: FunctionDef) -> str:
    """A function with its ops by frequency, and those that are not here."""
    counts = Counter(node.op for node in definition.node_def)
    ops = [f"{name}×{n}" if n > 1 else name for name, n in counts.most_common(_MOST_OPS)]
    more = ["..."] if len(counts) > _MOST_OPS else []
    unknown = [op for op in counts if not is_known(op)]
    missing = f"; not in cinta: {', '.join(unknown)}" if unknown else ""
    steps = counted(counts.total(), "node")
    return f"function {definition.signature.name}: {steps}: {', '.join(ops + more)}{missing}"
