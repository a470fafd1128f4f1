"""All first and second derivatives of a function, as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec

from .. import nest
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.convert import as_tensor
from ..engine.primitives import ConcatV2
from ..progress import followed
from ..public import public
from .differentiated_call import Recorded, differentiable, made_from, positions, scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import TensorLike

    P = ParamSpec("P")

    from ..engine.tensor import Tensor

_EXAMPLES_AT_ONCE = 16
"""Each further one adds work that comes to nothing, but spares a run of the function."""


@public("jacobian")
def jacobian(
    f: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    mode: str = "auto",
) -> Callable[P, Any]:
    """The function that gives the derivative of every element of the value by every element.

    >>> import cinta as tf
    >>> tf.jacobian(lambda x: x**2)(tf.constant([1.0, 2.0])).numpy()
    array([[2., 0.],
           [0., 4.]], dtype=float32)

    Args:
        f: A function whose value is a tensor or a nest of them.
        argnums: As in ``tf.grad``.
        has_aux: As in ``tf.grad``.
        mode: "reverse" goes once for each element of the value, "forward" once for each element of
            the arguments, "auto" chooses what is cheaper.

    Returns:
        A function. Its value has the structure of the value of ``f``, and in it that of the
        argument: tensors of shape ``value.shape + argument.shape``.
    """

    def derivatives(*args: Tensor, **kwargs: object) -> Any:
        call = Recorded(f, argnums, args, kwargs, has_aux, persistent=True)

        def of_one(value: Tensor | None) -> Any:
            zero = UnconnectedGradients.ZERO
            return call.tape.jacobian(differentiable(value), call.sources, zero, mode=mode)

        found = nest.map_structure(of_one, call.value)
        return (found, call.aux) if has_aux else found

    return made_from(derivatives, f)


@public("hessian")
def hessian(f: Callable[P, Any], argnums: int | Sequence[int] = 0) -> Callable[P, Any]:
    """The function that gives all second derivatives of ``f``, whose value must be a scalar.

    >>> import cinta as tf
    >>> tf.hessian(lambda x: x[0] ** 2 * x[1])(tf.constant([1.0, 2.0])).numpy()
    array([[4., 2.],
           [2., 0.]], dtype=float32)

    Its value has the structure of the argument, and in it once more: ``h["a"]["b"]`` has the
    derivatives by a and by b.

    Args:
        f: The function.
        argnums: By which argument to differentiate, or a list of several.

    Raises:
        TypeError: If its value is not a scalar.
    """

    def derivatives(*args: TensorLike, **kwargs: object) -> Any:
        call = Recorded(f, argnums, args, kwargs)
        return call.tape.hessian(scalar(call.value), call.sources)

    return made_from(derivatives, f)


@public("per_example_gradient")
def per_example_gradient(f: Callable[P, Any], argnums: int | Sequence[int] = 0) -> Callable[P, Any]:
    """The function that gives the gradient of the loss of each example in a batch.

    >>> import cinta as tf
    >>> def losses(w, x, y):
    ...     return (tf.linalg.matvec(x, w) - y) ** 2
    >>> w, x = tf.constant([1.0, 2.0]), tf.constant([[1.0, 0.0], [1.0, 1.0], [0.0, 3.0]])
    >>> tf.per_example_gradient(losses)(w, x, tf.zeros(3)).numpy()
    array([[ 2.,  0.],
           [ 6.,  6.],
           [ 0., 36.]], dtype=float32)

    Args:
        f: A function that returns one loss for each example. Those of its positional arguments
            that it is not differentiated by have the examples along their first axes.
        argnums: As in ``tf.grad``.

    Returns:
        A function whose value has the structure of the argument: gradients of shape
        ``(examples, *argument.shape)``.
    """

    def derivatives(*args: TensorLike, **kwargs: object) -> Any:
        own = {i % len(args) for i in positions(argnums)}
        batch = {i: nest.map_structure(as_tensor, x) for i, x in enumerate(args) if i not in own}
        count = _count(nest.flatten(batch))
        parts = []
        for start in followed(range(0, max(count, 1), _EXAMPLES_AT_ONCE), "Gradients of examples"):
            examples = slice(start, start + _EXAMPLES_AT_ONCE)
            some = nest.map_structure(lambda x, part=examples: x[part], batch)
            chosen = [some.get(i, x) for i, x in enumerate(args)]
            number = min(_EXAMPLES_AT_ONCE, count - start)
            parts.append(_of_some(f, argnums, chosen, kwargs, number))
        return nest.map_structure(_one_after_the_other, *parts)

    return made_from(derivatives, f)


def _of_some(
    f: Callable[..., Any],
    argnums: int | Sequence[int],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    count: int,
) -> Any:
    """The gradients of the losses of a few examples."""
    call = Recorded(f, argnums, args, kwargs)
    losses = differentiable(call.value)
    if losses.shape != (count,):
        raise ValueError(
            f"tf.per_example_gradient needs one loss for each example: a function that returns "
            f"shape ({count},) for {count} examples, but this one returned {losses.shape}. Take no "
            "mean over the batch in it."
        )
    return call.tape.jacobian(losses, call.sources, UnconnectedGradients.ZERO)


def _one_after_the_other(*gradients: Tensor) -> Tensor:
    return ConcatV2(*gradients, axis=-gradients[0].ndim)


def _count(batch: Sequence[Any]) -> int:
    """How many examples there are."""
    lengths = {x._array.shape[0] if x._array.ndim else -1 for x in batch}
    if len(lengths) != 1 or -1 in lengths:
        raise ValueError(
            "tf.per_example_gradient needs arguments with as many examples along their first axes; "
            f"got shapes {[tuple(x.shape) for x in batch]}. Bind constants with a lambda."
        )
    return lengths.pop()
