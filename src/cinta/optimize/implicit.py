"""Solutions of equations as functions of what the equations depend on.

The derivative of a root is that of the implicit function theorem: nothing of the search is kept, so
memory does not grow with the number of steps. The gradient is computed with the root itself as a
function of the parameters, solved for once more from where it is, so it has a gradient again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..derivatives.custom import custom_gradient
from ..derivatives.tape import GradientTape
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.convert import as_tensor
from ..engine.recorders import paused
from ..engine.tensor import Tensor, wrap
from ..ops.linalg.solving import solve
from ..public import public
from .packing import Packing, flat, floating_dtype
from .roots import root

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.variable import Variable


@public("optimize.implicit_root")
def implicit_root(
    f: Callable[..., object],
    x0: object,
    *args: object,
    solver: Callable[..., object] | None = None,
    tol: float | None = None,
) -> Any:
    """The x near ``x0`` where ``f(x, *args)`` is zero, differentiable by ``args``.

    Variables that ``f`` reads count as well. The root does not depend on ``x0``.

    >>> import cinta as tf
    >>> a = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(a)
    ...     x = tf.optimize.implicit_root(lambda x, a: x**2 - a, 1.0, a)
    >>> round(float(x), 5), round(float(tape.gradient(x, a)), 5)
    (1.41421, 0.35355)

    Args:
        f: A function of a nest of tensors and of ``args``, with as many values as unknowns.
        x0: Where to start: a nest of numbers, arrays or tensors.
        args: The values that the root depends on: nests of tensors.
        solver: ``solver(f, x0)`` finds the root instead of ``tf.optimize.root``; it gets a function
            of one vector and a vector, and returns a vector.
        tol: The tolerance of ``tf.optimize.root``.

    Returns:
        The root, a nest like ``x0``.
    """
    arguments = nest.map_structure(as_tensor, args)
    packing = Packing(x0, floating_dtype([*nest.flatten(x0), *nest.flatten(arguments)]))
    search = solver or (lambda g, start: _newton_like(g, start, tol))

    def equations(vector: Tensor, *parameters: object) -> Tensor:
        return flat(f(packing.unpacked(vector), *parameters), "the function")

    dtype = packing.dtypes[0] if packing.dtypes else np.dtype(np.float64)
    start = wrap(packing.start.astype(dtype))
    return packing.unpacked(_solution(equations, start, arguments, search))


@public("optimize.fixed_point")
def fixed_point(
    f: Callable[..., object],
    x0: object,
    *args: object,
    tol: float | None = None,
    max_steps: int = 10_000,
) -> Any:
    """The x to which x = f(x, *args) leads from ``x0``, differentiable by ``args``.

    The steps themselves are not recorded. Of a function that does not draw together the steps
    do not end; ``implicit_root`` of ``f(x) - x`` may still find the point.

    >>> import cinta as tf
    >>> a = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(a)
    ...     x = tf.optimize.fixed_point(lambda x, a: (x + a / x) / 2.0, 1.0, a)
    >>> round(float(x), 5), round(float(tape.gradient(x, a)), 5)
    (1.41421, 0.35355)

    Args:
        f: A function of a nest of tensors and of ``args``, whose value is such a nest.
        x0: Where to start.
        args: The values that the point depends on.
        tol: How little the last step may be, in proportion to x; by default four units in the last
            place.
        max_steps: After so many steps a RuntimeError is raised.
    """

    def difference(x: Tensor, *parameters: Tensor) -> Any:
        return nest.map_structure(lambda new, old: new - old, f(x, *parameters), x)

    def iterate(g: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        limit = 4 * np.finfo(x._array.dtype).eps if tol is None else tol
        for _ in range(max_steps):
            change = g(x)
            x = x + change
            length = np.max(abs(change.numpy()), initial=0)
            if not np.isfinite(length):
                raise RuntimeError(
                    "tf.optimize.fixed_point: the steps lead to infinity or nan. Start closer, or "
                    "use tf.optimize.implicit_root of f(x) - x."
                )
            if length <= limit * (1 + np.max(abs(x.numpy()), initial=0)):
                return x
        raise RuntimeError(
            f"tf.optimize.fixed_point: {max_steps} steps were not enough; the last one was "
            f"{length:.3g} long. Start closer, allow more max_steps or a larger tol, or use "
            "tf.optimize.implicit_root of f(x) - x."
        )

    return implicit_root(difference, x0, *args, solver=iterate)


def _solution(
    equations: Callable[..., Tensor],
    start: Tensor,
    parameters: object,
    search: Callable[..., Any],
) -> Tensor:
    """The root as a function of the parameters, and of the variables that the equations read."""
    leaves = nest.flatten(parameters)

    @custom_gradient
    def solved(*values: Tensor) -> Any:
        with paused(observers=False):
            given = nest.pack_sequence_as(parameters, list(values))
            found = search(lambda x: equations(x, *given), start)

        def gradient(g: Tensor, variables: Sequence[Variable] = ()) -> Any:
            again = _solution(equations, wrap(found._array), given, search)
            gradients = _through(equations, again, list(values), given, variables, g)
            of_values, of_variables = gradients[: len(values)], gradients[len(values) :]
            return (of_values, of_variables) if variables else of_values

        return found, gradient

    solution: Tensor = solved(*leaves)
    return solution


def _through(
    equations: Callable[..., Tensor],
    x: Tensor,
    values: list[Tensor],
    parameters: Any,
    variables: Sequence[Variable],
    g: Tensor,
) -> list[Any]:
    """The gradients by the theorem: g, through the inverse Jacobian, through the equations."""
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch([x, *variables, *[v for v in values if v.dtype.is_floating]])
        zero = equations(x, *parameters)
    jacobian = tape.jacobian(zero, x, UnconnectedGradients.ZERO)
    weights = -solve(as_tensor(jacobian), g[:, None], adjoint=True)[:, 0]
    sources = [*values, *variables]
    gradients: list[Any] = tape.gradient(zero, sources, weights)
    return gradients


def _newton_like(f: Callable[[Tensor], Tensor], start: Tensor, tol: float | None) -> Tensor:
    """The root, by SciPy."""
    found = root(f, start, tol=tol)
    residual = float(np.max(abs(np.asarray(found.fun)), initial=0))
    if not found.success and residual > 1e-3 * (1 + abs(found.x.numpy()).max(initial=0)):
        raise RuntimeError(
            f"tf.optimize.implicit_root found no root: {found.message} The function is still "
            f"{residual:.3g}. Start closer to the root, or give a solver."
        )
    x: Tensor = found.x
    return x
