"""Restrictions on the Python of functions, as TensorFlow has them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.composites import Composite, Unrecorded
from ..engine.convert import as_tensor, is_tensor
from ..engine.creators import noting_created
from ..engine.listeners import listeners
from ..engine.primitives import Identity
from ..engine.recorders import cannot_be_replayed
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, is_weak
from ..engine.variable import Variable
from ..replay.argument_structures import Arguments
from ..replay.trace import Trace

if TYPE_CHECKING:
    import inspect
    from collections.abc import Iterator

    from ..engine.creators import CreatedVariables


@contextmanager
def unmodified(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[None]:
    """Raise ValueError if the block changes lists and dicts among the arguments of a function."""
    given = (*zip(signature.parameters, args, strict=False), *kwargs.items())
    containers = [(of, x, _kind(x)) for of, x in given if isinstance(x, (list, dict, tuple))]
    yield
    modified = [of for of, x, kind in containers if _kind(x) != kind]
    if modified:
        raise ValueError(
            f"{name}{signature} should not modify its Python input arguments. Modifying a copy is "
            f"allowed. The following parameter(s) were modified: {', '.join(modified)}"
        )


def _kind(value: object) -> Any:
    return Arguments((), (value,), {}).kind


@contextmanager
def few_variables(name: str, may_make: bool) -> Iterator[None]:
    """Raise ValueError if the block makes variables; a function may make some that are kept.

    It may do so at its first call, and later in branches on values.
    """
    traces = [each for each in listeners() if isinstance(each, Trace)]  # until they are refused
    with noting_created() as created:
        yield
        _check_created(name, created, may_make or _goes_by_values(traces))


def _check_created(name: str, created: CreatedVariables, may_make: bool) -> None:
    if created and (not may_make or any(variable() is None for variable in created)):
        raise ValueError(
            "tf.function only supports singleton tf.Variables created on the first call. Make "
            "sure the tf.Variable is only created once or created outside tf.function. See "
            "https://www.tensorflow.org/guide/function#creating_tfvariables for more "
            f"information. {name} makes {len(created)} at this call."
        )


def _goes_by_values(traces: list[Trace]) -> bool:
    """Whether Python may have come to a branch for the first time because of values.

    TensorFlow traces all branches at the first call, with the variables that they make.
    """
    return not traces or any(trace.has_guards for trace in traces)


def returnable(value: object, name: str) -> Any:
    """A result as a tensor, or None; raises TypeError if it is neither."""
    if isinstance(value, Unrecorded):
        cannot_be_replayed(f"it returns an object of the class {type(value).__name__}")
    if value is None or isinstance(value, (SparseTensor, Composite)):
        return value
    if type(value) is Tensor:
        return Identity(value) if is_weak(value) else value  # a replay's results are not
    if is_tensor(value) and not isinstance(value, Variable):
        return value
    try:
        return as_tensor(value)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more "
            f"Tensors or None values; {name} returned {value!r}."
        ) from None
