"""Products of a function's derivatives with vectors, without the derivatives themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..derivatives.forward import ForwardAccumulator
from ..derivatives.jacobian import recorded_from_unknown
from ..derivatives.tape_arguments import UnconnectedGradients, directions, for_sweep, zeros
from ..engine.convert import as_tensor, is_tensor
from ..engine.sweep import sweep
from ..engine.tensor import wrap
from ..public import public
from .differentiated_call import (
    Recorded,
    differentiable,
    fresh,
    made_from,
    picked,
    positions,
    scalar,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import NumericLike, TensorLike
    from ..engine.tensor import Array, Tensor

_HVP_MODES = ("auto", "forward-over-reverse", "reverse-over-reverse")


@public("jvp")
def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """The value of ``f``, and its derivative along a direction: Jacobian times vector.

    >>> import cinta as tf
    >>> x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, 0.5])
    >>> value, tangent = tf.jvp(lambda x: x**2, [x], [v])
    >>> value.numpy(), tangent.numpy()
    (array([1., 4.], dtype=float32), array([2., 2.], dtype=float32))

    Args:
        f: A function of positional arguments.
        primals: The arguments, in a list or tuple.
        tangents: The direction, in the same structure.

    Returns:
        The value and its derivative, in the same structure.
    """
    arguments = _arguments(primals, "primals", "jvp")
    with ForwardAccumulator(arguments, _arguments_like(arguments, tangents)) as accumulator:
        value = nest.map_structure(differentiable, f(*arguments))
    return value, accumulator.jvp(value, UnconnectedGradients.ZERO)


@public("vjp")
def vjp(f: Callable[..., Any], *primals: NumericLike) -> tuple[Any, Any]:
    """The value of ``f``, and the function that takes its gradient back to the arguments.

    >>> import cinta as tf
    >>> value, pullback = tf.vjp(lambda x, y: x * y, 2.0, 3.0)
    >>> value.numpy(), [float(g) for g in pullback(1.0)]
    (np.float32(6.0), [3.0, 2.0])

    The function that is returned takes numbers in the structure of the value, as often as one
    likes, and returns a tuple with a gradient for each argument.
    """
    call = Recorded(f, range(len(primals)), primals, {}, persistent=True)
    value = nest.map_structure(differentiable, call.value)

    def pullback(gradients: TensorLike | None) -> Any:
        given = directions(value, gradients)
        zero = UnconnectedGradients.ZERO
        found = call.tape.gradient(nest.flatten(value), call.sources, given, zero)
        return nest.map_structure(as_tensor, found)

    return value, pullback


@public("linearize")
def linearize(f: Callable[..., Any], *primals: object) -> tuple[Any, Any]:
    """The value of ``f``, and its derivative there as a linear function of tangents.

    It does what ``jvp`` does, for as many directions as one likes, and ``f`` is called once.

    >>> import cinta as tf
    >>> value, push = tf.linearize(lambda x: tf.sin(x), 0.0)
    >>> float(push(1.0)), float(push(2.0))
    (1.0, 2.0)
    """
    call = Recorded(f, range(len(primals)), primals, {}, persistent=True)
    value = nest.map_structure(differentiable, call.value)
    targets, sources = nest.flatten(value), nest.flatten(call.sources)
    recorder = call.tape._prepare()
    other, starts, gradients = recorded_from_unknown(recorder, targets, sources, keep=True)

    def push(*tangents: NumericLike) -> Any:
        given = directions(call.sources, tangents)
        pairs = zip(gradients, given, strict=True)
        seeds = [(g._number, for_sweep(t)) for g, t in pairs if g is not None]
        found = sweep(other, seeds, {s._number for s in starts}, keep=True)
        pushed = [_as_tangent(found.get(s._number), s) for s in starts]
        return nest.pack_sequence_as(value, pushed)

    return value, push


def _as_tangent(tangent: Array | None, start: Tensor) -> Tensor:
    if tangent is None:
        return zeros(start.shape, start.dtype)
    return as_tensor(tangent) if is_tensor(tangent) else wrap(tangent)


@public("hvp")
def hvp(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, mode: str = "auto"
) -> Callable[..., Any]:
    """The function that gives the Hessian of ``f`` times a vector, without the Hessian.

    It takes the arguments of ``f`` and then the vector, in the structure of the argument.

    >>> import cinta as tf
    >>> tf.hvp(lambda x: x[0] ** 2 * x[1])(tf.constant([1.0, 2.0]), tf.constant([1.0, 0.0])).numpy()
    array([4., 2.], dtype=float32)

    Args:
        f: A function whose value is a scalar.
        argnums: As in ``tf.grad``; the vector is a tuple if it is a list.
        mode: "reverse-over-reverse" differentiates the gradient backwards, "forward-over-reverse"
            forwards. "auto" takes the first, which was the faster one in all measurements.

    Raises:
        ValueError: If ``mode`` is none of these.
    """
    if not isinstance(mode, str) or mode not in _HVP_MODES:
        raise ValueError(f"mode is one of {_HVP_MODES}, not {mode!r}.")

    def product(*args: NumericLike, **kwargs: object) -> Any:
        if not args:
            raise TypeError("a product with a Hessian takes the function's arguments and a vector.")
        *arguments, vectors = args
        if mode == "forward-over-reverse":
            return _forward_over_reverse(f, argnums, arguments, vectors, kwargs)
        call = Recorded(f, argnums, arguments, kwargs)
        return call.tape.hvp(scalar(call.value), call.sources, vectors)

    return made_from(product, f)


@public("vhp")
def vhp(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The function that gives a vector times the Hessian of ``f``.

    >>> import cinta as tf
    >>> f = lambda x: x[0] ** 2 * x[1]
    >>> tf.vhp(f)(tf.constant([1.0, 2.0]), tf.constant([1.0, 0.0])).numpy()
    array([4., 2.], dtype=float32)

    The Hessian is symmetric, so this is ``tf.hvp``, computed backwards over backwards.

    Args:
        f: A function whose value is a scalar.
        argnums: As in ``tf.grad``; the vector is a tuple if it is a list.
    """
    return hvp(f, argnums, "reverse-over-reverse")


def _forward_over_reverse(
    f: Callable[..., Any],
    argnums: int | Sequence[int],
    args: Sequence[Any],
    vectors: NumericLike,
    kwargs: dict[str, Any],
) -> Any:
    arguments = list(args)
    for position in positions(argnums):
        arguments[position] = fresh(args, position)
    sources = picked(arguments, argnums)
    with ForwardAccumulator(sources, vectors) as accumulator:
        found = Recorded(f, argnums, arguments, kwargs).gradient(scalar)
    return accumulator.jvp(found, UnconnectedGradients.ZERO)


def _arguments(primals: object, role: str, what: str) -> tuple[Any, ...]:
    if not isinstance(primals, (list, tuple)):
        raise TypeError(
            f"tf.{what} takes the arguments in a list or tuple, but `{role}` is {primals!r}. Write "
            f"tf.{what}(f, [x], [v])."
        )
    return tuple([fresh(primals, i) for i in range(len(primals))])


def _arguments_like(arguments: tuple[Any, ...], tangents: object) -> tuple[Any, ...]:
    """The tangents as tensors in the structure of the arguments."""
    given = tuple(tangents) if isinstance(tangents, list) else tangents
    packed: tuple[Any, ...] = nest.pack_sequence_as(arguments, directions(arguments, given))
    return packed
