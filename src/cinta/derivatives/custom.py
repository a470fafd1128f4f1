"""Functions with gradients that users write: `tf.custom_gradient`."""

from __future__ import annotations

import functools
import inspect
from types import DynamicClassAttribute
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload, runtime_checkable

from .. import nest
from ..engine import recorders
from ..engine.convert import as_tensor, is_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.listeners import listening
from ..engine.op import op
from ..engine.primitives import Identity
from ..engine.rule_binding import dtype_of, shape_of
from ..engine.tensor import Tensor, as_wrapped
from ..engine.variable import Variable, behind
from ..public import public
from . import closures
from .tape_arguments import like, tracked_in
from .user_rules import call_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from ..engine.annotations import ArrayModule, NumericLike, Swept, TensorLike
    from ..engine.device_values import Held
    from ..engine.shapes import Count, Shape
    from ..engine.tensor import Array

    P = ParamSpec("P")
    R = TypeVar("R")


@op("CustomGradient")
def CustomGradient(
    xp: ArrayModule, *values: Array, results: tuple[Array, ...], backward: Callable[..., Any]
) -> tuple[Array, ...]:
    """Results that a user's function computed from the values, with its declared gradient."""
    return results


CustomGradient.takes_rows = CustomGradient.has_user_rule = True


@CustomGradient.pullback
def _(
    g: Sequence[Swept],
    wanted: Sequence[bool],
    values_shape: Sequence[Shape],
    values_dtype: Sequence[np.dtype[Any]],
    out_shape: Sequence[Shape],
    backward: Callable[..., Any],
) -> list[Swept | None]:
    return call_rule(backward, g, out_shape, values_shape, values_dtype)


@runtime_checkable
class Enclosing(Protocol):
    """A gradient function that can be given other tensors in place of those that it encloses."""

    def enclosing(self, tensors: Sequence[Any]) -> Callable[..., Any]: ...


@op("ToldGradient")
def ToldGradient(
    xp: ArrayModule, *values: Array, counts: tuple[Count, Count], backward: Enclosing
) -> tuple[Array, ...]:
    """The same for recorders of functions: all values that the gradient depends on are inputs.

    The values are the inputs, the results, and the tensors that the gradient function encloses.
    """
    inputs, results = counts
    return values[inputs : inputs + results]


ToldGradient.takes_rows = ToldGradient.has_user_rule = True


@ToldGradient.pullback
def _(
    g: Any, wanted: Sequence[bool], values: Any, out_shape: Any, counts: Any, backward: Any
) -> list[Tensor]:
    inputs = values[: counts[0]]
    enclosed = [as_wrapped(x) for x in values[sum(counts) :]]
    shapes, types = [shape_of(x) for x in inputs], [dtype_of(x) for x in inputs]
    found = call_rule(backward.enclosing(enclosed), g, out_shape, shapes, types)
    return [*found, *[None] * (len(values) - len(inputs))]


@overload
def custom_gradient(f: Callable[P, tuple[R, Callable[..., Any]]]) -> Callable[P, R]: ...
@overload
def custom_gradient(
    f: None = None,
) -> Callable[[Callable[P, tuple[R, Callable[..., Any]]]], Callable[P, R]]: ...
@public("custom_gradient")
def custom_gradient(f: Callable[..., Any] | None = None) -> object:
    """Give a function a gradient of your own making.

    The function returns its result and a function that takes the gradient of each result and
    returns the gradient of each positional argument.

    >>> import cinta as tf
    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     def grad(upstream):
    ...         return upstream * (1 - 1 / (1 + e))
    ...     return tf.math.log(1 + e), grad
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(1.0)

    Tensors passed by keyword count too, after the positional ones and in the order of the
    signature; if the gradient function returns gradients for the positional ones alone, those
    passed by keyword have none. If the function reads variables, its gradient function must take
    ``variables`` and return two things: the arguments' gradients and a list of the variables'.

    Args:
        f: The function, of tensors; without it, a decorator is returned.
    """
    if f is None:
        return custom_gradient
    return CustomFunction(f)


class CustomFunction:
    """A function with a gradient of its own; works as a method too."""

    __name__: str

    def __init__(self, function: Callable[..., Any], owner: object = None) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._bound = function if owner is None else functools.partial(function, owner)

    @DynamicClassAttribute
    def __signature__(self) -> inspect.Signature:
        """The signature, for code that does not look behind decorators."""
        return inspect.signature(self._bound)

    def _refers_to(self) -> tuple[Any, ...]:
        """The objects that its calls depend on, for code that follows a program's references."""
        return (self._bound,)

    def __get__(self, owner: object, kind: type | None = None) -> CustomFunction:
        return self if owner is None else CustomFunction(self._function, owner)

    def __call__(self, *args: TensorLike | None, **kwargs: NumericLike) -> Any:
        args = tuple([_given(each) for each in args])
        reads = VariableReads()
        with listening(reads):
            results, gradient = _pair(self._bound(*args, **kwargs), self.__name__)
        arguments = _flowing(args)
        by_keyword = _flowing(self._tensors_by_keyword(kwargs))
        given = [*arguments, *by_keyword]
        variables = [v for v in reads.variables if not any(v is x for x in given)]
        if variables:
            _check_takes_variables(gradient, variables)
        inputs = [as_tensor(x) for x in (*given, *variables)]
        flat = [as_tensor(r) for r in _flowing(results)]
        gradient = _of_composites(gradient, nest.flatten(results))
        backward = UserGradient(gradient, variables, len(arguments), len(by_keyword))
        if recorders.observers():
            enclosed = closures.tensors_in(gradient)
            counts = len(inputs), len(flat)
            flat = list(ToldGradient(*inputs, *flat, *enclosed, counts=counts, backward=backward))
        elif any(recorders.active(x._recorder) for x in inputs):
            arrays = tuple([r._array for r in flat])
            flat = list(CustomGradient(*inputs, results=arrays, backward=backward))
        else:
            flat = [Identity(r) for r in flat]
        return like(results, flat)

    def _tensors_by_keyword(self, kwargs: dict[str, Any]) -> list[Any]:
        """The keyword arguments that hold tensors, in the order of the function's signature."""
        if not kwargs:
            return []
        order = [name for name in inspect.signature(self._function).parameters if name in kwargs]
        order += [name for name in kwargs if name not in order]
        values = [kwargs[name] for name in order]
        return [v for v in values if any(is_tensor(leaf) for leaf in nest.flatten(v))]


def _given(value: TensorLike | None) -> TensorLike | None:
    """An argument; one that stands for a tensor but has no variable behind it gives that tensor.

    Variables of Keras are such where they are cast: the function must not read what was cast.
    """
    found = behind(value)
    if isinstance(found, (Tensor, Variable)) or not hasattr(type(found), "__tf_tensor__"):
        return value
    return as_tensor(found)


def _flowing(structure: object) -> list[Any]:
    """The values of a structure through which gradients flow."""
    return [part for leaf in nest.flatten(structure) for part in tracked_in(leaf)]


def _of_composites(gradient: Callable[..., Any], results: list[Any]) -> Callable[..., Any]:
    """A gradient function that gets tensors, of one that gets objects made of them."""
    from ..engine.composites import Composite  # which most programs do not need

    if not any(isinstance(result, Composite) for result in results):
        return gradient

    @functools.wraps(gradient)
    def of_tensors(*upstream: TensorLike, **kwargs: Sequence[Variable]) -> object:
        return gradient(*like(results, list(upstream)), **kwargs)

    return of_tensors


class VariableReads:
    """Listens for the trainable variables that a function reads."""

    def __init__(self) -> None:
        self._seen: dict[int, Variable] = {}

    def on_read(self, variable: Variable, value: Held) -> bool:
        if variable.trainable:
            self._seen[variable._number] = variable
        return False

    @property
    def variables(self) -> list[Variable]:
        """The variables in the order in which they were made."""
        return [v for _, v in sorted(self._seen.items())]


class UserGradient:
    """A user's gradient function, with its results checked."""

    def __init__(
        self,
        function: Callable[..., Any],
        variables: list[Variable],
        by_position: int,
        by_keyword: int,
    ) -> None:
        self.function = function
        self.variables = variables
        self.by_position = by_position
        self.by_keyword = by_keyword

    def enclosing(self, tensors: Sequence[Tensor]) -> UserGradient:
        """The same with other tensors in place of those that the function encloses."""
        function = closures.with_tensors(self.function, iter(tensors))
        return UserGradient(function, self.variables, self.by_position, self.by_keyword)

    def __call__(self, *upstream: Tensor | IndexedSlices) -> list[Any]:
        if self.variables:
            answer = self.function(*upstream, variables=self.variables)
            gradients, of_variables = _split(answer, len(self.variables))
        else:
            gradients, of_variables = self.function(*upstream), []
        return [*self._by_argument(gradients), *of_variables]

    def _by_argument(self, gradients: TensorLike) -> list[Any]:
        """A gradient or None for every argument, from what the function returned."""
        flat = [] if gradients is None and not self.by_position else _flowing(gradients)
        if len(flat) == self.by_position and (flat or not self.by_keyword):
            return [*flat, *[None] * self.by_keyword]
        if len(flat) == self.by_position + self.by_keyword:
            return flat
        raise ValueError(
            f"custom_gradient function expected to return {self.by_position + self.by_keyword} "
            f"gradients, but returned {len(flat)} instead: one is needed for every argument "
            "(None where there is no gradient)."
        )


def _pair(returned: object, name: str) -> tuple[object, Callable[..., Any]]:
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        raise TypeError(
            f"a function with @tf.custom_gradient returns its result and a gradient function, as "
            f"in `return y, grad`; {name} returned {returned!r}."
        )
    results, gradient = returned
    if not callable(gradient):
        raise TypeError(
            f"unsupported callable: {name} returned {gradient!r} where the gradient function of "
            "@tf.custom_gradient is expected."
        )
    return results, gradient


def _check_takes_variables(gradient: Callable[..., Any], variables: list[Variable]) -> None:
    parameters = inspect.signature(gradient).parameters.values()
    if not any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters):
        raise TypeError(
            "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function "
            f"uses variables: {variables}. It returns two things then: the gradients of the "
            "arguments, and a list with the gradients of the variables."
        )


def _split(answer: NumericLike, count: int) -> tuple[Any, list[Any]]:
    """The gradients of arguments and of variables, which were returned as a pair."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(
            "a grad_fn that takes `variables` returns two things: the gradients of the arguments "
            f"and a list of the variables' gradients; it returned {answer!r}."
        )
    gradients, of_variables = answer
    if not isinstance(of_variables, list):
        raise TypeError(
            "the gradients of the variables must be a list, got "
            f"{type(of_variables).__name__} from the grad_fn of @tf.custom_gradient."
        )
    if len(of_variables) != count:
        raise ValueError(
            "Must return gradient for each variable from @custom_gradient grad_fn: expected "
            f"{count}, got {len(of_variables)}."
        )
    return gradients, of_variables


@public("grad_pass_through")
def grad_pass_through(f: Callable[P, R]) -> Callable[P, R]:
    """The function with the gradient of the identity: what flows into it flows out unchanged.

    >>> import cinta as tf
    >>> x = tf.Variable(2.7)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(tf.round)(x) * 3.0
    >>> tape.gradient(y, x).numpy()
    np.float32(3.0)

    Args:
        f: The function, of tensors.
    """

    @custom_gradient
    @functools.wraps(f)
    def passed(*args: P.args, **kwargs: P.kwargs) -> tuple[R, Callable[..., Any]]:
        def gradient(*upstream: Tensor, variables: Sequence[Variable] = ()) -> object:
            return (upstream, [None] * len(variables)) if variables else upstream

        return f(*args, **kwargs), gradient

    return passed
