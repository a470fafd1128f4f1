"""The saved form of a function: its programs, and how it is called."""

from __future__ import annotations

import inspect
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from .. import nest
from ..engine.tensor import Tensor, wrap
from ..programs.composite_specs import RowsSpec, StructuredSpec
from ..programs.concrete import ConcreteFunction
from ..programs.function import Function
from ..programs.specs import TensorSpec, TypeSpec
from ..replay.argument_structures import Arguments, Same
from ..replay.loops.sweeps import has_sweeps
from .found_sizes import deciding
from .plain_structures import (
    Argument,
    CannotBeSaved,
    Omitted,
    Result,
    arguments_in,
    of_kind,
    template,
)
from .programs import SavedProgram, Source, programs
from .restored import LoadedFunction, canonical
from .tracing import outputs_of, with_gradients_recorded, with_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import TensorLike
    from ..programs.composite_specs import VariableSpec
    from ..replay.recording import Spec
    from ..replay.variant import Variant

AnyFunction: TypeAlias = Function[..., Any] | ConcreteFunction | LoadedFunction
FUNCTIONS = (Function, ConcreteFunction, LoadedFunction)


class Described(NamedTuple):
    """A function in the form in which files have it."""

    name: str
    signature: inspect.Signature
    programs: list[SavedProgram]
    left_out: list[str]
    has_specs: bool = False


def described(function: AnyFunction, gradients: bool) -> Described:
    """The saved form of a function; ``gradients``: with its custom gradients."""
    try:
        if isinstance(function, LoadedFunction):
            found = [*function.programs]
            left_out, has_specs = [*function.left_out], function.has_specs
            return Described(function.name, function.signature, found, left_out, has_specs)
        if isinstance(function, ConcreteFunction):
            return _concrete(function, gradients)
        return _function(function, gradients)
    except CannotBeSaved as error:
        raise ValueError(f"tf.function {function.__name__} cannot be saved: {error}.") from error


def _function(function: Function[..., Any], gradients: bool) -> Described:
    signature = _plain(function._binding.signature)
    general: list[SavedProgram] = []
    called: list[SavedProgram] = []
    left_out: list[str] = []
    if function.input_signature is not None:
        specs = function._binding.bind(function.input_signature, {})
        general = _recorded(function, specs.args, specs.kwargs, gradients)
    else:
        general = _of_concrete_functions(function, gradients, left_out)
    if not general or deciding(general[-1].recording):  # calls may have gone other ways
        for arguments, variants in _calls(function, left_out):
            try:
                called += _of_calls(function, arguments, variants, gradients)
            except CannotBeSaved as error:
                left_out.append(str(error))
    found = [*called, *general]
    placed = [p._replace(arguments=canonical(signature, *p.arguments)) for p in found]
    has_specs = function.input_signature is not None
    return Described(function.__name__, signature, placed, left_out, has_specs)


def _of_concrete_functions(
    function: Function[..., Any], gradients: bool, left_out: list[str]
) -> list[SavedProgram]:
    """The programs for the specs that a function was asked for by ``get_concrete_function``."""
    found: list[SavedProgram] = []
    owner = tuple(map(Same, function._owner))
    for (*its_owner, _), concrete in [*function._concrete.items()]:
        if tuple(its_owner) != owner:
            continue
        args, kwargs = concrete._declared.placed({})
        try:
            found += _recorded(function, args, kwargs, gradients)
        except CannotBeSaved as error:
            left_out.append(str(error))
    return found


def _concrete(function: ConcreteFunction, gradients: bool) -> Described:
    """A concrete function takes those of its arguments that are tensors, by position or name."""
    declared = function._declared

    def python(*given: Tensor) -> object:
        values = dict(zip(declared.open, given, strict=True))
        return function._function._python(*declared.placed(values))

    specs = tuple([declared.arguments[name] for name in declared.open])
    for name, spec in zip(declared.open, specs, strict=True):
        _check_takes_tensors(name, spec)
    made_of = function._function
    source = Source(python, (made_of._func, *made_of._owner), gradients)
    found = programs(source, specs, {})
    return Described(function.name, declared.open_signature, found, [])


def _check_takes_tensors(name: str, spec: TensorSpec | VariableSpec) -> None:
    """Loaded functions take tensors, and what is made of them."""
    kinds = TensorSpec, RowsSpec, StructuredSpec
    other = [x for x in nest.flatten(spec) if isinstance(x, TypeSpec) and not isinstance(x, kinds)]
    if other:
        raise CannotBeSaved(f"its argument {name} is not a tensor, but of {other[0]}")


def _recorded(
    function: Function[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    gradients: bool,
) -> list[SavedProgram]:
    def python(*args: TensorLike, **kwargs: object) -> object:
        return function._python(args, kwargs)

    source = Source(python, (function._func, *function._owner), gradients)
    return programs(source, args, kwargs)


def _calls(
    function: Function[..., Any], left_out: list[str]
) -> Iterator[tuple[tuple[Any, Any], list[Variant]]]:
    """The recordings of calls that were made, by the structures of their arguments."""
    owner = _owner(function)
    for (its_owner, *kinds), variants in [*function._variants._by_kind.items()]:
        holding = [variant for variant in variants if variant.captures.hold()]
        if its_owner != owner or not holding:
            continue
        try:
            args, kwargs = map(of_kind, kinds)
            yield (args, kwargs), holding
        except CannotBeSaved as error:
            left_out.append(str(error))


def _of_calls(
    function: Function[..., Any],
    arguments: tuple[Any, Any],
    variants: Sequence[Variant],
    gradients: bool,
) -> list[SavedProgram]:
    """The programs for such arguments: one that goes all ways, or those of the calls."""
    found = [each for x in variants for each in _of_variant(arguments, x, gradients)]
    general = [each for each in found if not each.recording.guards]
    if general:
        return general
    try:
        args, kwargs = _specs(arguments)
        general = _recorded(function, args, kwargs, gradients)
    except Exception:  # for other values than those of the calls
        return found
    return found if deciding(general[-1].recording) else [general[-1]._replace(arguments=arguments)]


def _of_variant(
    arguments: tuple[Any, Any], variant: Variant, gradients: bool
) -> list[SavedProgram]:
    """The program that goes all ways of a variant, or one for each way that Python has gone.

    Gradients of loops of any number of turns cannot be written down.
    """
    recordings, general = variant.recordings, variant.general
    if general is not None and variant.is_general_for_tapes and not has_sweeps(general):
        recordings = [general]
    returned = _returned(variant)
    return [
        SavedProgram(
            arguments, (), with_gradients_recorded(made, gradients), returned, outputs_of(made)
        )
        for made in recordings
    ]


def called(function: Function[..., Any]) -> list[ConcreteFunction]:
    """The function for the kinds of arguments with which it was called so far."""

    given = [_specs(arguments) for arguments, _ in _calls(function, [])]
    return [function.get_concrete_function(*args, **kwargs) for args, kwargs in given]


def _specs(value: Any) -> Any:
    """The structure with specs where tensors are."""
    if isinstance(value, Argument):  # a tuple by itself
        return value.spec
    if type(value) in (tuple, list):
        return type(value)([_specs(each) for each in value])
    if type(value) is dict:
        return {key: _specs(each) for key, each in value.items()}
    return value


def _owner(function: Function[..., Any]) -> object:
    return Arguments(function._owner, (), {}).kind[0]


def _returned(variant: Variant) -> object:
    """The structure of what a variant returns."""
    recording = variant.recording
    markers = [_marker(recording.spec_of(ref)) for ref in recording.results]
    return with_places(variant.pack(markers), markers)


def _marker(spec: Spec) -> Tensor:
    """A tensor that stands for one of this dtype and shape, and takes no memory."""
    return wrap(np.broadcast_to(np.zeros((), spec.dtype), spec.shape))


# -- how it is called ------------------------------------------------------------------------------


def _plain(signature: inspect.Signature) -> inspect.Signature:
    """The signature without annotations, and with defaults that can be written down."""
    return inspect.Signature(
        [
            inspect.Parameter(p.name, p.kind, default=_default(p))
            for p in signature.parameters.values()
        ]
    )


def _default(parameter: inspect.Parameter) -> object:
    if parameter.default is parameter.empty:
        return parameter.empty
    try:
        return template(parameter.default, lambda _: _refuse())
    except CannotBeSaved:
        return Omitted(parameter.name)


def _refuse() -> NoReturn:
    raise CannotBeSaved("a tensor cannot be written down as a default")


# -- signatures ------------------------------------------------------------------------------------


def signature_of(
    name: str, function: object, describe: Callable[[AnyFunction], Described]
) -> Described:
    """A function as a signature: tensors by name, and a dict of tensors."""
    if not isinstance(function, FUNCTIONS) or (
        isinstance(function, Function) and function.input_signature is None
    ):
        raise ValueError(
            f"Expected a TensorFlow function for which to generate a signature, but got "
            f"{function!r}. Only `tf.functions` with an input signature or concrete functions can "
            "be used as a signature."
        )
    found = describe(function)
    if not found.programs:
        raise ValueError(f"{function!r} has no recording that could be a signature.")
    names = _names(found, found.programs[-1])
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(each, kind) for each in names])
    made = [
        p._replace(
            arguments=(tuple(arguments_in(p.arguments)), {}),
            returned=_by_name(p.returned, function, name),
        )
        for p in found.programs
    ]
    return Described(name, signature, made, [])


def _names(found: Described, program: SavedProgram) -> list[str]:
    """The names of the tensors among the arguments."""
    bound = found.signature.bind(*program.arguments[0], **program.arguments[1])
    names: list[str] = []
    for parameter, value in bound.arguments.items():
        for each in arguments_in(value):
            numbered = (f"{parameter}_{i}" for i in count(1))
            free = (name for name in chain([parameter], numbered) if name not in names)
            names.append(each.name or next(free))
    if len({*names}) < len(names):
        raise ValueError(
            f"the tensors of the signature of {found.name} are named {names}; each needs a name "
            "of its own. Give them in their specs: tf.TensorSpec(shape, dtype, name)."
        )
    return names


def _by_name(returned: object, function: AnyFunction, name: str) -> dict[str, Result]:
    if isinstance(returned, Result):
        return {"output_0": returned}
    if type(returned) is tuple or type(returned) is list:
        returned = {f"output_{i}": each for i, each in enumerate(returned)}
    if type(returned) is dict:
        for key, value in returned.items():
            if not isinstance(value, Result) or not isinstance(key, str):
                raise ValueError(
                    f"Got a non-Tensor value {value!r} for key {key!r} in the output of the "
                    f"function {function.__name__} used to generate the SavedModel signature "
                    f"{name!r}. Outputs for functions used as signatures must be a single Tensor, "
                    "a sequence of Tensors, or a dictionary from string to Tensor."
                )
        return returned
    raise ValueError(
        f"{function.__name__}, used to generate the SavedModel signature {name!r}, returns "
        f"{returned!r}. Outputs for functions used as signatures must be a single Tensor, a "
        "sequence of Tensors, or a dictionary from string to Tensor."
    )
