"""root and least_squares: SciPy's solvers on nests of tensors, with exact Jacobians."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.tensor import wrap
from ..functional import jacobian, linearize, vjp
from ..functional.differentiated_call import check_recorded
from ..progress import OptimizerProgress
from ..public import public
from ..sparsity.entry_points import sparse_jacobian_plan
from .minimizing import bounds_of
from .packing import Packing, flat, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.annotations import DTypeLike
    from ..engine.tensor import Tensor
    from .packing import Vector

_JACOBIAN_FREE = {
    "broyden1", "broyden2", "anderson", "linearmixing", "diagbroyden", "excitingmixing", "krylov",
    "df-sane",
}  # fmt: skip


class Residuals:
    """A function from a nest to a nest as SciPy sees it: vectors to vectors."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: Sequence[Any],
        packing: Packing,
        progress: OptimizerProgress,
        differentiated: bool = True,
    ) -> None:
        self.packing, self.progress = packing, progress

        def of_vector(vector: Tensor) -> Tensor:
            returned = f(packing.unpacked(vector), *args)
            for value in nest.flatten(returned) if differentiated else ():
                check_recorded(value)
            return flat(returned, "the function")

        self.f: Callable[[Any], Tensor] = of_vector
        self.derivatives = jacobian(self.f)

    def value(self, x: Vector) -> Vector:
        values: Vector = np.asarray(self.f(tensor_of(x)).numpy(), np.float64)
        self.progress.step(float(np.linalg.norm(values)))
        return values

    def dense(self, x: Vector) -> Vector:
        matrix: Vector = self.derivatives(tensor_of(x)).numpy()
        return matrix

    def operator(self, x: Vector) -> Any:
        """The Jacobian as its products with vectors, from both sides."""
        from scipy.sparse.linalg import LinearOperator

        start = tensor_of(x)
        values, push = linearize(self.f, start)
        _, pull = vjp(self.f, start)
        dtype = values.dtype
        return LinearOperator(
            (values.shape[0], start.shape[0]),
            matvec=lambda v: push(v.ravel()).numpy(),
            rmatvec=lambda w: pull(np.asarray(w.ravel(), dtype.as_numpy_dtype))[0].numpy(),
        )

    def sparse(self) -> Callable[[Vector], Any]:
        plan = sparse_jacobian_plan(self.f, wrap(self.packing.start))
        return lambda x: plan(tensor_of(x))

    def finished(self, result: Any) -> Any:
        self.progress.done(float(np.linalg.norm(result.fun)))
        result.x = self.packing.nest(result.x)
        return result


@public("optimize.root")
def root(
    f: Callable[..., object],
    x0: object,
    args: Sequence[object] = (),
    method: str = "hybr",
    *,
    tol: float | None = None,
    options: Mapping[str, object] | None = None,
    progress: bool = False,
    dtype: DTypeLike | None = None,
) -> Any:
    """Find where a function is zero, by a method of SciPy, with its exact Jacobian.

    >>> import cinta as tf
    >>> def f(p):
    ...     return p["x"] ** 2 + p["y"] ** 2 - 1.0, p["x"] - p["y"]
    >>> found = tf.optimize.root(f, {"x": 1.0, "y": 0.5})
    >>> round(float(found.x["x"]), 6), found.success
    (0.707107, True)

    Args:
        f: A function of a nest of tensors, and of ``args``, with as many values as unknowns: a
            tensor or a nest of them.
        x0: Where to start, as in ``minimize``.
        args: More arguments of ``f``.
        method: A method of ``scipy.optimize.root``.
        tol: As in SciPy.
        options: As in SciPy.
        progress: Show how far it is, on standard error.
        dtype: The dtype to compute ``f`` in.

    Returns:
        SciPy's ``OptimizeResult``; ``x`` is a nest like ``x0``.
    """
    from scipy import optimize

    free = method.lower() in _JACOBIAN_FREE
    shown = OptimizerProgress(progress, f"root {method}")
    residuals = Residuals(f, args, Packing(x0, dtype), shown, differentiated=not free)
    values = residuals.value(residuals.packing.start)
    if values.size != residuals.packing.size:
        raise ValueError(
            f"tf.optimize.root needs as many equations as unknowns, but the function returns "
            f"{values.size} numbers for {residuals.packing.size} unknowns. For more equations than "
            "unknowns there is tf.optimize.least_squares."
        )
    jac = None if free else residuals.dense
    found = optimize.root(
        residuals.value, residuals.packing.start, jac=jac, method=method, tol=tol, options=options
    )
    return residuals.finished(found)


@public("optimize.least_squares")
def least_squares(
    f: Callable[..., object],
    x0: object,
    args: Sequence[object] = (),
    method: str = "trf",
    *,
    jac: str = "dense",
    bounds: object = None,
    progress: bool = False,
    dtype: DTypeLike | None = None,
    **options: object,
) -> Any:
    """Find where the sum of the squares of a function's values is least.

    >>> import cinta as tf
    >>> t = tf.constant([0.0, 1.0, 2.0], tf.float64)
    >>> y = tf.constant([3.0, 1.5, 0.75], tf.float64)
    >>> fit = tf.optimize.least_squares(
    ...     lambda p: p["a"] * tf.exp(-p["k"] * t) - y, {"a": 1.0, "k": 1.0}
    ... )
    >>> round(float(fit.x["a"]), 6), round(float(fit.x["k"]), 6)
    (3.0, 0.693147)

    Args:
        f: A function of a nest of tensors, and of ``args``: the residuals, a tensor or a nest.
        x0: Where to start, as in ``minimize``.
        args: More arguments of ``f``.
        method: A method of ``scipy.optimize.least_squares``.
        jac: How SciPy gets the Jacobian: "dense"; "sparse", with a pattern found once, at
            the start; or "operator", as products with vectors.
        bounds: As in ``minimize``.
        progress: Show how far it is, on standard error.
        dtype: The dtype to compute ``f`` in.
        options: Whatever else ``scipy.optimize.least_squares`` takes, such as ``loss``.

    Returns:
        SciPy's ``OptimizeResult``; ``x`` is a nest like ``x0``.
    """
    from scipy import optimize

    packing = Packing(x0, dtype)
    residuals = Residuals(f, args, packing, OptimizerProgress(progress, f"least_squares {method}"))
    ways = {"dense": lambda: residuals.dense, "sparse": residuals.sparse}
    ways["operator"] = lambda: residuals.operator
    if jac not in ways:
        raise ValueError(f"jac is one of {[*ways]}, not {jac!r}.")
    if bounds is not None:
        options["bounds"] = bounds_of(bounds, packing)
    found = optimize.least_squares(
        residuals.value, packing.start, jac=ways[jac](), method=method, **options
    )
    return residuals.finished(found)
