"""The exported part of a function: one recording, and the names of its inputs and outputs."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.tensor import Tensor
from ..programs.concrete import ConcreteFunction
from ..programs.function import Function
from ..programs.specs import TensorSpec
from ..replay.examples import KINDS, example
from ..replay.loops.loop_ops import While
from ..replay.loops.way import bodies
from ..replay.numpy.engine import interpret
from ..replay.recording import Spec
from ..saved_model.families import LOW
from ..saved_model.looks import key_of
from ..saved_model.plain_structures import CannotBeSaved, Result, arguments_in
from ..saved_model.programs import Source, programs
from ..saved_model.repetition import has_loops
from ..saved_model.restored import LoadedFunction, with_specs
from ..saved_model.saved_functions import described
from ..saved_model.size_checks import always_holds
from ..saved_model.sizes import filled, has_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..replay.recording import Recording
    from ..saved_model.plain_structures import Argument
    from ..saved_model.programs import SavedProgram
    from ..saved_model.sizes import Sizes

_OF_RANGE = frozenset({"has infinity", "powers fit", "shape"})
"""Looks that choose among ways to compute the same number, for numbers close to the largest."""


class Exported(NamedTuple):
    """A recording with its inputs and outputs by name."""

    recording: Recording
    inputs: dict[str, Argument]
    outputs: dict[str, Argument]


def exported(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exported:
    """The one program of a function for such arguments, which may be specs or tensors."""
    if not callable(function):
        raise TypeError(f"{function!r} is not callable: give a function or a model.")
    name = getattr(function, "__name__", type(function).__name__)
    try:
        program, signature = _program(function, args, kwargs)
    except CannotBeSaved as error:
        raise ValueError(f"`function` {name} cannot be exported: {error}.") from error
    recording = program.recording
    if recording.assigns:
        variables = ", ".join(variable.name for variable, _ in recording.assigns)
        raise ValueError(
            f"`function` {name} cannot be exported: it assigns to variables ({variables}), and "
            "what is exported has no state. Export a function that returns the new values."
        )
    inputs = _inputs(signature, program)
    return Exported(recording, inputs, _outputs(name, program))


def _program(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[SavedProgram, inspect.Signature]:
    if isinstance(function, (Function, ConcreteFunction, LoadedFunction)) and not (args or kwargs):
        found = described(function, gradients=False)
        return _only(found.programs), found.signature
    args, kwargs = _specs(args), _specs(kwargs)
    python: Callable[..., Any] = function
    roots: tuple[object, ...] = (function,)
    signature = inspect.signature(getattr(function, "python_function", function))
    if isinstance(function, Function):
        signature, roots = function._binding.signature, (function._func, *function._owner)

        def python(*given: object, **named: object) -> Any:
            return function._python(given, named)

    return _only(programs(Source(python, roots, gradients=False), args, kwargs)), signature


def _only(found: Sequence[SavedProgram]) -> SavedProgram:
    """The program that stands for all."""
    if not found:
        raise CannotBeSaved(
            "it has no input_signature. Give specs or tensors for its arguments, such as "
            "tf.TensorSpec([None, 3], tf.float32)"
        )
    for each in found:
        if has_loops(each.recording):
            raise CannotBeSaved(
                "it has a loop over a size, such as the rows of a batch, which what is exported "
                "cannot have. Give specs of known dimensions"
            )
        check_looks(each.recording)
    *others, general = found
    if any(other.arguments != general.arguments for other in others):
        raise CannotBeSaved("it has several recordings. Give specs of a known rank or shape")
    for other in others:
        if not _agree(general, other):
            raise CannotBeSaved(
                "it goes another way where a dimension is 1, and to other results. Give specs of "
                "known dimensions"
            )
    return general


def _agree(general: SavedProgram, special: SavedProgram) -> bool:
    """Whether a program gives what the one for special sizes gives, on examples."""
    sizes = tuple([LOW[i] if n is None else n for i, n in enumerate(special.serves)])
    if general.free(sizes) is None or not special.serves or _loops(general) or _loops(special):
        return False
    for kind in ("positive", "negative"):
        found = [_results(program, sizes, kind) for program in (general, special)]
        for one, other in zip(*found, strict=True):
            if one.shape != other.shape or not np.allclose(one, other, 1e-5, 1e-6):
                return False
    return True


def _loops(program: SavedProgram) -> bool:
    """Whether it has loops, which need not end on examples."""
    inside = bodies(program.recording)
    return any([step.op is While for made in (program.recording, *inside) for step in made.calls])


def _results(program: SavedProgram, sizes: Sizes, kind: str) -> list[Any]:
    """The result of a program for an example."""
    arguments = arguments_in(program.arguments)
    made = filled(program.recording, program.free(sizes) or ())
    recording = on_examples(made, arguments, sizes)
    given = [example(Spec(a.dtype, a.lengths(sizes)), kind)._array for a in arguments]
    known = dict(zip(recording.inputs, given, strict=True))
    known |= {number: variable._array for variable, number in recording.reads}
    values = interpret(recording, known, again=True)
    return [values[ref] if isinstance(ref, int) else ref.value for ref in recording.results]


def _specs(value: Any) -> Any:
    """The arguments with specs in place of tensors."""
    if isinstance(value, Tensor):
        return TensorSpec.from_tensor(value)
    if type(value) in (tuple, list):
        return type(value)([_specs(item) for item in value])
    if type(value) is dict:
        return {key: _specs(item) for key, item in value.items()}
    return value


def for_sizes(recording: Recording, inputs: Iterable[Argument], sizes: Sizes) -> Recording:
    """The recording, with specs, for these sizes of the unknown dimensions."""
    return on_examples(filled(recording, sizes), inputs, sizes)


def on_examples(made: Recording, inputs: Iterable[Argument], sizes: Sizes) -> Recording:
    """The recording with specs, found by running it on arguments of these sizes."""
    failure: Exception | None = None
    for kind in KINDS:  # some ops do not take all values
        given = [example(Spec(each.dtype, each.lengths(sizes)), kind)._array for each in inputs]
        try:
            return with_specs(made, given, made_up=True)
        except Exception as error:
            failure = failure or error
    raise CannotBeSaved(f"it cannot be run on examples: {failure}") from failure


def check_looks(recording: Recording) -> None:
    """Refuse a recording whose Python decides by values."""
    for guard in recording.guards:
        if has_sizes(guard.found) and guard.look is not np.shape:
            raise CannotBeSaved(
                "an argument in it is a number made of sizes, such as half of a length, which what "
                "is exported cannot have"
            )
        if key_of(guard.look)[0] not in _OF_RANGE and not always_holds(recording, guard):
            raise CannotBeSaved(
                "its Python looks at values and decides by them, which what is exported cannot. "
                "Use tf.where in place of `if`"
            )


def _inputs(signature: inspect.Signature, program: SavedProgram) -> dict[str, Argument]:
    args, kwargs = program.arguments
    names: dict[str, Argument] = {}
    for parameter, value in signature.bind(*args, **kwargs).arguments.items():
        inside = arguments_in(value)
        for i, each in enumerate(inside):
            name = each.name or (f"{parameter}_{i}" if len(inside) > 1 else parameter)
            names[name] = each
    if len(names) != len(program.recording.inputs):
        raise ValueError(
            f"the inputs {[*names]} have not each a name of its own: name their specs."
        )
    return names


def _outputs(name: str, program: SavedProgram) -> dict[str, Argument]:
    returned = program.returned
    if isinstance(returned, Result):
        returned = {"output_0": returned}
    elif type(returned) in (tuple, list):
        returned = {f"output_{i}": each for i, each in enumerate(returned)}
    flat = isinstance(returned, dict) and all(isinstance(x, Result) for x in returned.values())
    if not flat:
        raise ValueError(
            f"`function` {name} cannot be exported: it returns {program.returned!r} where a "
            "tensor, a list of tensors or a dict of tensors is expected."
        )
    return {str(key): program.outputs[place.position] for key, place in returned.items()}
