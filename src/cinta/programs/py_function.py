"""Functions of Python's and NumPy's world, called on tensors."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..derivatives.tape import GradientTape
from ..derivatives.tape_arguments import UnconnectedGradients
from ..derivatives.user_rules import call_rule
from ..engine.convert import as_tensor, convert_to_tensor
from ..engine.op import op, originate
from ..engine.recorders import cannot_be_replayed, paused
from ..engine.rule_binding import bare_values
from ..engine.tensor import wrap
from ..engine.transactions import noting
from ..errors import (
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from ..ops.arguments import listed
from ..public import public
from ..replay.call_once import once
from .py_composites import OnParts, parts_of, returned_values, takes_parts
from .specs import TensorSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import ArrayModule, DTypeLike
    from ..engine.tensor import Array, Tensor

_ERRORS: dict[type[Exception], type[OpError]] = {
    TypeError: InvalidArgumentError,
    ValueError: InvalidArgumentError,
    StopIteration: OutOfRangeError,
    MemoryError: ResourceExhaustedError,
    NotImplementedError: UnimplementedError,
}
"""The error for each exception in a function that ``py_function`` calls."""


@public("py_function")
def py_function(
    func: Callable[..., Any] | None = None,
    inp: object = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    name: str | None = None,
) -> Any:
    """Call a function on tensors; the gradient is that of what it does to them.

    Computation outside of tensors, with ``x.numpy()`` say, has a gradient of zero.

    >>> import cinta as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.py_function(lambda x: x * x, inp=[x], Tout=tf.float32)
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)

    Args:
        func: A function of as many tensors as ``inp`` has members.
        inp: A list of what can become tensors.
        Tout: The dtype of the result, or a list of dtypes for a list of results; the spec of a
            result that is a ragged or a sparse tensor.
        name: Not used.

    With ``Tout`` alone it is a decorator: the function is then called on its arguments.
    """
    _check_outputs(Tout, "py_function")
    if func is None:
        return _decorator(py_function, inp, Tout)
    _check_callable(func)
    _check_inputs(inp, "py_function")
    single = not isinstance(Tout, (list, tuple))
    declared = list(Tout) if isinstance(Tout, (list, tuple)) else [Tout]
    given = listed(inp, "inp")
    if takes_parts(given, declared):
        on_parts = OnParts(func, given, declared)
        results = on_parts.results(_eager(on_parts, parts_of(given), on_parts.dtypes()))
    else:
        results = _eager(func, given, declared)
    return results[0] if single else results


def _eager(func: Callable[..., Any], given: Sequence[Any], declared: Sequence[Any]) -> list[Tensor]:
    """The results of one call."""
    inputs = [convert_to_tensor(x) for x in given]
    wanted = [_dtype(each) for each in declared]
    results: list[Tensor]
    *results, _ = originate(EagerPyFunc, *inputs, func=func, wanted=wanted)
    return results


@dataclass
class PyFunctionCall:
    """A Python function that was called on tensors, and the tape that saw it."""

    tape: GradientTape
    inputs: Sequence[Tensor]
    results: Sequence[Tensor]

    def gradients(self, upstream: Sequence[Any]) -> list[Tensor]:
        """The gradients of the inputs for those of the results; zeros where there is none."""
        floats = [i for i, x in enumerate(self.results) if _is_float(x)]
        found = self.tape.gradient(
            [self.results[i] for i in floats],
            list(self.inputs),
            [upstream[i] for i in floats],
            UnconnectedGradients.ZERO,
        )
        return [as_tensor(g) for g in found]


def _called(
    func: Callable[..., Any], inputs: Sequence[Tensor], wanted: Sequence[Any]
) -> PyFunctionCall:
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch([x for x in inputs if _is_float(x)])
        return PyFunctionCall(tape, inputs, _results(_call(func, inputs), wanted))


def _is_float(tensor: Tensor) -> bool:
    return dtypes.is_differentiable(tensor._array.dtype)


@op("EagerPyFunc", effects=True, sized_by_values=True)
def EagerPyFunc(
    xp: ArrayModule, *inputs: Array, func: Callable[..., Any], wanted: Sequence[dtypes.DType]
) -> tuple[Array, ...]:
    """Call a Python function, anew in every replay; return its results and the call."""

    def call() -> tuple[Array, ...]:
        record = np.empty((), object)
        with paused():
            run = functools.partial(_called, func, [wrap(x) for x in inputs], wanted)
            called, changes = noting(run)
        record[()] = called
        if changes:
            cannot_be_replayed("it calls a py_function that assigns a variable")
        return (*[x._array for x in called.results], record)

    results: tuple[Array, ...] = once(func, call)
    return results


@op("EagerPyFuncGrad", effects=True)
def EagerPyFuncGrad(xp: ArrayModule, *values: Array, func: Callable[..., Any]) -> tuple[Array, ...]:
    """The gradients of the inputs, for the call, its inputs, and the gradients of its results."""
    called: PyFunctionCall = values[0].item()
    count = 1 + len(called.inputs)
    shapes, kinds = zip(*[(x.shape, x.dtype) for x in values[1:count]], strict=True)
    of_results = [x._array.shape for x in called.results]
    with paused():
        found = call_rule(lambda *g: called.gradients(g), values[count:], of_results, shapes, kinds)
    return tuple([bare_values(each) for each in found])


EagerPyFunc.has_user_rule = EagerPyFuncGrad.has_user_rule = True


@EagerPyFunc.pullback
def _(
    g: Sequence[Tensor],
    wanted_inputs: Sequence[bool],
    inputs: Sequence[Tensor],
    out: Sequence[Tensor],
    func: Callable[..., Any],
) -> Any:
    return originate(EagerPyFuncGrad, out[-1], *inputs, *g[:-1], func=func)


@EagerPyFuncGrad.pullback
def _(
    g: Sequence[Tensor],
    wanted_values: Sequence[bool],
    values: Sequence[Tensor],
    out: Sequence[Tensor],
    func: Callable[..., Any],
) -> Any:
    """The gradients are a Python function too, which calls the other one."""
    count, kinds = len(out), [dtypes.as_dtype(x.dtype) for x in out]

    def gradients(*given: Tensor) -> list[Tensor]:
        results = [x.dtype for x in given[count:]]
        return _called(func, given[:count], results).gradients(given[count:])

    *_, called = originate(EagerPyFunc, *values[1:], func=gradients, wanted=kinds)
    return None, *originate(EagerPyFuncGrad, called, *values[1:], *g, func=gradients)


def _call(func: Callable[..., Any], inputs: Sequence[Tensor]) -> Any:
    try:
        return func(*inputs)
    except Exception as error:
        kind = next((_ERRORS[k] for k in type(error).__mro__ if k in _ERRORS), UnknownError)
        raise kind(f"{type(error).__name__}: {error} [Op:EagerPyFunc]") from error


def _results(returned: object, wanted: Sequence[dtypes.DType]) -> list[Tensor]:
    """The results of the function, as tensors of the dtypes that were declared."""
    try:
        given = returned_values(returned, len(wanted))
        return [as_tensor(x, t.dtype) for x, t in zip(given, wanted, strict=True)]
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{type(error).__name__}: {error} [Op:EagerPyFunc]") from error


@public("numpy_function")
def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: object = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a function on NumPy arrays. No gradient flows through it.

    >>> import cinta as tf
    >>> tf.numpy_function(lambda x: x + 1, inp=[tf.constant([1.0, 2.0])], Tout=tf.float32)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>

    With ``Tout`` alone it is a decorator, as ``py_function`` is.

    Args:
        func: A function of arrays.
        inp: The tensors to call it with.
        Tout: The dtype of the result, or a list of dtypes of several.
        stateful: Accepted; changes no result.
    """
    _check_outputs(Tout, "numpy_function")
    if func is None:
        return _decorator(numpy_function, inp, Tout)
    _check_callable(func)
    _check_inputs(inp, "numpy_function")
    inputs = [convert_to_tensor(x) for x in listed(inp, "inp")]
    results = list(originate(PyFunc, *inputs, func=func))
    if not results:
        return None
    return results[0] if len(results) == 1 else results


@op("PyFunc", effects=True, sized_by_values=True)
def PyFunc(xp: ArrayModule, *inputs: Array, func: Callable[..., Any]) -> tuple[Array, ...]:
    """Call a function of NumPy arrays, anew in every replay."""
    results = once(func, lambda: func(*[np.array(x)[()] for x in inputs]))
    if results is None:
        return ()
    several = isinstance(results, (list, tuple))
    return tuple([as_tensor(x)._array for x in (results if several else [results])])


PyFunc.no_grad()


def _decorator(call: Callable[..., Any], inp: object, outputs: object) -> Callable[..., Any]:
    """A decorator that makes a function of tensors of a function of Python."""
    if inp is not None:
        raise TypeError(
            f"Don't set the `inp` argument when using tf.{call.__name__} as a decorator "
            "(`func=None`)."
        )

    def decorated(func: Callable[..., Any]) -> Callable[..., Any]:
        _check_callable(func)

        @functools.wraps(func)
        def called(*args: object) -> object:
            return call(func, inp=args, Tout=outputs)

        return called

    return decorated


def _check_outputs(outputs: object, name: str) -> None:
    if outputs is None:
        raise TypeError(
            f"Missing required argument: 'Tout'. If using tf.{name} as a decorator, set `Tout` by "
            f"name above the function: `@tf.{name}(Tout=tf.float32)`."
        )


def _check_inputs(inputs: object, name: str) -> None:
    if inputs is None:
        raise TypeError(
            "Missing argument `inp`: the list of arguments to the function, unless you use "
            f"`tf.{name}` as a decorator (`func=None`)."
        )


def _check_callable(func: object) -> None:
    if not callable(func):
        raise ValueError(
            f"Expected func to be callable. Received func={func} of type {type(func)}."
        )


def _dtype(given: object) -> dtypes.DType:
    """The dtype that stands in Tout, alone or in a spec."""
    return given.dtype if isinstance(given, TensorSpec) else dtypes.as_dtype(given)
