"""The text that ``cinta show`` prints for a saved model."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..checkpoints.describe_checkpoint import table
from .load_model import load, open_model
from .plain_structures import shown
from .restored import LoadedFunction

if TYPE_CHECKING:
    from .restored import SignatureFunction
    from .saving import PathLike

_MOST_OPS = 8


def report(export_dir: PathLike) -> str:
    """The signatures, functions with their ops, and arrays with their sizes, line by line."""
    container = open_model(export_dir)
    model = load(export_dir)
    lines = [f"{container.path}: a saved model"]
    lines += [_signature(name, each) for name, each in model.signatures.items()]
    for path, function in functions_of(model):
        lines += [f"function {path}", *_programs(function)]
    return "\n".join([*lines, *table(container)])


def _signature(name: str, function: SignatureFunction) -> str:
    takes = ", ".join(f"{k}={v!r}" for k, v in function.structured_input_signature[1].items())
    gives = ", ".join(f"{k}: {v!r}" for k, v in function.structured_outputs.items())
    return f"signature {name}({takes}) -> {gives}"


def functions_of(model: object) -> list[tuple[str, LoadedFunction]]:
    """The functions with the names under which they are reached."""
    found: list[tuple[str, LoadedFunction]] = []
    seen: dict[int, object] = {id(model): model}
    waiting: list[tuple[str, object]] = [("", model)]
    while waiting:
        path, thing = waiting.pop(0)
        if isinstance(thing, LoadedFunction):
            found.append((path, thing))
        for name, child in _children(thing):
            if id(child) not in seen:
                seen[id(child)] = child
                waiting.append((f"{path}.{name}".lstrip("."), child))
    return found


def _children(thing: object) -> list[tuple[str, object]]:
    if isinstance(thing, dict):
        return [(str(key), value) for key, value in thing.items()]
    if isinstance(thing, (list, tuple)):
        return [(str(i), value) for i, value in enumerate(thing)]
    is_ours = type(thing).__module__.startswith("cinta.saved_model")
    if not is_ours or isinstance(thing, LoadedFunction):
        return []
    return [(k, v) for k, v in vars(thing).items() if k != "signatures"]


def _programs(function: LoadedFunction) -> list[str]:
    """A line for each kind of arguments, with the number of steps and the ops by frequency."""
    lines = []
    for program in function.programs:
        counts = Counter(step.op.name for step in program.recording.calls)
        ops = [f"{name}×{n}" if n > 1 else name for name, n in counts.most_common(_MOST_OPS)]
        more = ["..."] if len(counts) > _MOST_OPS else []
        steps = f"{counts.total()} step{'' if counts.total() == 1 else 's'}"
        lines.append(f"  {shown(*program.arguments)}: {steps}: {', '.join(ops + more)}")
    return lines
