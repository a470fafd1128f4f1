"""Handlers that programs register: they say what functions of tensors make of extension types."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..engine.dispatch import HANDLERS, ask
from ..engine.op import Op
from ..ops.arguments import instance
from ..ops.ragged.handlers import bound_arguments, install, operands_of
from ..public import public
from .field_types import UNIONS, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.composites import Part
    from ..engine.dispatch import Function

    F = TypeVar("F", bound=Callable[..., object])

_LISTS = list, collections.abc.Sequence


class _Registered(NamedTuple):
    """A handler as it stands in the list, and what it was registered for."""

    handler: Function
    asked: Function
    purpose: object


_REGISTERED: list[_Registered] = []


def _register(handler: Function, asked: Function, purpose: object = None) -> None:
    _REGISTERED.append(_Registered(handler, asked, purpose))
    HANDLERS.append(asked)
    Op.begin_epoch()


@public("experimental.unregister_dispatch_for")
def unregister_dispatch_for(dispatch_target: Function) -> None:
    """Take back what one of the decorators `dispatch_for_...` did.

    >>> import cinta as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    >>> @tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
    ... def of_masked(function, x):
    ...     return Masked(function(x.values))
    >>> tf.negative(Masked([1.0])).values.numpy()
    array([-1.], dtype=float32)
    >>> tf.experimental.unregister_dispatch_for(of_masked)

    Args:
        dispatch_target: The function that was decorated.

    Raises:
        ValueError: If it was not.
    """
    found = [each for each in _REGISTERED if each.handler is dispatch_target]
    if not found:
        raise ValueError(
            f"Argument `dispatch_target`: function {dispatch_target} was not registered using a "
            "`@dispatch_for_*` decorator."
        )
    for each in found:
        _REGISTERED.remove(each)
        HANDLERS.remove(each.asked)
        Op.begin_epoch()


# -- for one function ----------------------------------------------------------------------------


@public("experimental.dispatch_for_api")
def dispatch_for_api(api: Function, *signatures: Mapping[str | int, object]) -> Callable[[F], F]:
    """Let calls of a function be answered by another one, where arguments are of certain classes.

    Which classes, the annotations of the other function say, or ``signatures``: dictionaries from
    names of arguments, or their places, to classes. `List` and `Union` of classes may stand there.

    >>> import cinta as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.reduce_sum)
    ... def masked_sum(input_tensor: Masked, axis=None, keepdims=False):
    ...     kept = tf.where(input_tensor.mask, input_tensor.values, 0)
    ...     return tf.reduce_sum(kept, axis, keepdims)
    >>> int(tf.reduce_sum(Masked([1, 2, 4], [True, False, True])))
    5
    >>> tf.experimental.unregister_dispatch_for(masked_sum)

    Args:
        api: The function.
        signatures: Which classes; none to take the annotations.

    Raises:
        ValueError: If the function is not one of tensors, or has other parameters.
    """
    if not isinstance(api, types.FunctionType):
        raise ValueError(f"{api} does not support dispatch: it is no function of tensors.")
    takes = inspect.signature(api)
    for each in signatures:
        instance(each, dict, "signatures")
    asked_for = [_by_name(each, takes) for each in signatures]

    def decorator(dispatch_target: F) -> F:
        _check_parameters(dispatch_target, takes)
        wanted = asked_for or [_annotated(dispatch_target)]

        def answer(function: Function, args: Sequence[Part], kwargs: Mapping[str, Part]) -> Part:
            if function is not api:
                return NotImplemented
            given = bound_arguments(takes, args, kwargs)
            if given is None or not any(_fits(each, given.arguments) for each in wanted):
                return NotImplemented
            given.arguments.pop("name", None)
            return dispatch_target(*given.args, **given.kwargs)

        _register(dispatch_target, answer)
        ask(api)
        return dispatch_target

    return decorator


def _by_name(classes: Mapping[str | int, object], takes: inspect.Signature) -> dict[str, object]:
    """The classes by the names of arguments, some of which may be given by their places."""
    names = [*takes.parameters]
    found = {
        names[key] if isinstance(key, int) and key < len(names) else key: kind
        for key, kind in classes.items()
    }
    unknown = [name for name in found if name not in names]
    if unknown:
        raise ValueError(f"signature includes annotation for unknown parameter {unknown[0]!r}.")
    return found  # type: ignore[return-value]  # all keys are names now


def _annotated(target: Function) -> dict[str, object]:
    known = {name: kind for name, kind in typing.get_type_hints(target).items() if name != "return"}
    if not known:
        raise ValueError(
            "The dispatch_for_api decorator must be called with at least one signature, or applied "
            "to a function that has type annotations on its parameters."
        )
    return known


def _check_parameters(target: Function, takes: inspect.Signature) -> None:
    """Refuse a function that could not be called as the other one is."""
    own = [name for name in inspect.signature(target).parameters if name != "name"]
    theirs = [name for name in takes.parameters if name != "name"]
    if own != theirs:
        raise ValueError(
            f"Dispatch function's signature {inspect.signature(target)} does not match API's "
            f"signature {takes}: it needs the parameters {theirs}."
        )


def _fits(wanted: Mapping[str, object], given: Mapping[str, Part]) -> bool:
    return all(name in given and _is_of(given[name], kind) for name, kind in wanted.items())


def _is_of(value: Part, kind: Part) -> bool:
    """Whether a value is of a class, or of one of several, or a list of such values."""
    origin, inner = parts_of(kind)
    if origin in UNIONS:
        return any(_is_of(value, each) for each in inner)
    if origin in _LISTS:
        return isinstance(value, (list, tuple)) and all(_is_of(x, inner[0]) for x in value)
    return isinstance(value, kind)


# -- for functions of elements -------------------------------------------------------------------


@public("experimental.dispatch_for_unary_elementwise_apis")
def dispatch_for_unary_elementwise_apis(x_type: type) -> Callable[[F], F]:
    """Let functions of the elements of one tensor be answered for a class by another function.

    That one takes the function and the value.

    >>> import cinta as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    >>> @tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
    ... def of_masked(function, x):
    ...     return Masked(function(x.values))
    >>> tf.nn.relu(Masked([-1.0, 2.0])).values.numpy()
    array([0., 2.], dtype=float32)
    >>> tf.experimental.unregister_dispatch_for(of_masked)

    Args:
        x_type: The class of the value.
    """
    return _for_elements([x_type], "unary", _is_no_assertion)


@public("experimental.dispatch_for_binary_elementwise_apis")
def dispatch_for_binary_elementwise_apis(x_type: type, y_type: type) -> Callable[[F], F]:
    """Let functions of the elements of two tensors be answered for classes by another function.

    That one takes the function, such as `tf.add`, and the two values.

    >>> import cinta as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_apis(Masked, Masked)
    ... def of_masked(function, x, y):
    ...     return Masked(function(x.values, y.values))
    >>> tf.add(Masked([1.0]), Masked([2.0])).values.numpy()
    array([3.], dtype=float32)
    >>> tf.experimental.unregister_dispatch_for(of_masked)

    Args:
        x_type: The class of the first value.
        y_type: The class of the second.
    """
    return _for_elements([x_type, y_type], "binary", _is_no_assertion)


@public("experimental.dispatch_for_binary_elementwise_assert_apis")
def dispatch_for_binary_elementwise_assert_apis(x_type: type, y_type: type) -> Callable[[F], F]:
    """Let assertions about two tensors be answered for classes by another function.

    That one takes the assertion, such as `tf.debugging.assert_equal`, and the two values.

    >>> import cinta as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_assert_apis(Masked, Masked)
    ... def of_masked(assertion, x, y):
    ...     return assertion(x.values, y.values)
    >>> tf.debugging.assert_less(Masked([1.0]), Masked([2.0]))
    >>> tf.experimental.unregister_dispatch_for(of_masked)

    Args:
        x_type: The class of the first value.
        y_type: The class of the second.
    """
    return _for_elements([x_type, y_type], "binary assert", _is_assertion)


def _is_assertion(function: Function) -> bool:
    return function.__name__.startswith("assert_")


def _is_no_assertion(function: Function) -> bool:
    return not _is_assertion(function)


def _for_elements(
    kinds: list[type], which: str, serves: Callable[[Function], bool]
) -> Callable[[F], F]:
    purpose = which, *kinds
    install()

    def decorator(handler: F) -> F:
        for each in _REGISTERED:
            if each.purpose == purpose:
                raise ValueError(
                    f"A {which} elementwise dispatch handler ({each.handler}) has already been "
                    f"registered for {', '.join(map(str, kinds))}. Take it back by "
                    "tf.experimental.unregister_dispatch_for."
                )

        def answer(function: Function, args: Sequence[Part], kwargs: Mapping[str, Part]) -> Part:
            if operands_of(function) != len(kinds) or not serves(function):
                return NotImplemented
            takes = inspect.signature(function)
            bound = bound_arguments(takes, args, kwargs)
            if bound is None:
                return NotImplemented
            given, names = bound.arguments, [*takes.parameters][: len(kinds)]
            operands = [given.pop(name, None) for name in names]
            if not all(map(_is_of, operands, kinds)):
                return NotImplemented
            given.pop("name", None)

            def of_tensors(*values: Part) -> Part:
                return function(**dict(zip(names, values, strict=True)), **given)

            of_tensors.__name__ = function.__name__
            return handler(of_tensors, *operands)

        _register(handler, answer, purpose)
        return handler

    return decorator
