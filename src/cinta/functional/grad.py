"""The gradient of a function, as a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec

from ..public import public
from .differentiated_call import Recorded, differentiable, made_from, scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import NumericLike, TensorLike

    P = ParamSpec("P")


@public("grad")
def grad(
    f: Callable[P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[P, Any]:
    """The function that gives the gradient of ``f``, whose value must be a scalar.

    >>> import cinta as tf
    >>> cube = lambda x: x**3
    >>> tf.grad(cube)(2.0).numpy(), tf.grad(tf.grad(cube))(2.0).numpy()
    (np.float32(12.0), np.float32(12.0))

    Args:
        f: A function of positional and keyword arguments.
        argnums: The position of the argument to differentiate with respect to, or several, for
            which the gradient is a tuple.
        has_aux: Whether ``f`` returns a pair of its value and something else to be handed on. Then
            the result is a pair too.
    """

    def gradient(*args: TensorLike | None, **kwargs: object) -> Any:
        call = Recorded(f, argnums, args, kwargs, has_aux)
        found = call.gradient(scalar)
        return (found, call.aux) if has_aux else found

    return made_from(gradient, f)


@public("value_and_grad")
def value_and_grad(
    f: Callable[P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[P, tuple[Any, Any]]:
    """The function that gives the value of ``f`` and its gradient; see ``grad``.

    >>> import cinta as tf
    >>> value, gradient = tf.value_and_grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 5.0})
    >>> value.numpy(), tf.nest.map_structure(float, gradient)
    (np.float32(10.0), {'a': 5.0, 'b': 2.0})

    Args:
        f: The function.
        argnums: By which argument to differentiate, or a list of several.
        has_aux: Whether ``f`` returns a pair, of which only the first is differentiated.
    """

    def both(*args: object, **kwargs: object) -> Any:
        call = Recorded(f, argnums, args, kwargs, has_aux)
        value = scalar(call.value)
        found = call.gradient(lambda _: value)
        return ((value, call.aux) if has_aux else value), found

    return made_from(both, f)


@public("elementwise_grad")
def elementwise_grad(f: Callable[P, Any], argnums: int | Sequence[int] = 0) -> Callable[P, Any]:
    """The derivative of a function that works on each element by itself, as another such function.

    It is the gradient of the sum of the elements of the result.

    >>> import cinta as tf
    >>> square = lambda x: x * x
    >>> tf.elementwise_grad(square)(tf.constant([1.0, 2.0, 3.0])).numpy()
    array([2., 4., 6.], dtype=float32)

    Args:
        f: The function.
        argnums: By which argument to differentiate, or a list of several.
    """

    def derivative(*args: NumericLike, **kwargs: object) -> Any:
        return Recorded(f, argnums, args, kwargs).gradient(differentiable)

    return made_from(derivative, f)
