"""minimize: SciPy's minimizers on nests of tensors, with exact derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..derivatives.tape_arguments import is_known
from ..engine.convert import as_tensor
from ..functional import hessian, jacobian
from ..functional.differentiated_call import Recorded, left_by, scalar
from ..ops.reductions.reduction import reduce_sum
from ..progress import OptimizerProgress
from ..public import public
from ..sparsity.entry_points import sparse_hessian_plan
from .packing import Packing, flat, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.tensor import Tensor
    from .packing import Vector

GRADIENT_FREE = {"nelder-mead", "powell", "cobyla", "cobyqa"}
WANTS_PRODUCTS = {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"}
WANTS_HESSIAN = {"dogleg", "trust-exact"}


@public("optimize.minimize")
def minimize(
    f: Callable[..., TensorLike],
    x0: object,
    args: Sequence[object] = (),
    method: str = "BFGS",
    *,
    bounds: object = None,
    constraints: object = (),
    hess: str = "auto",
    tol: float | None = None,
    options: Mapping[str, object] | None = None,
    callback: Callable[..., object] | None = None,
    progress: bool = False,
    dtype: DTypeLike | None = None,
) -> Any:
    """Find where a function is least, by a method of SciPy, with exact derivatives.

    >>> import cinta as tf
    >>> def rosenbrock(p):
    ...     return (1 - p["x"]) ** 2 + 100 * (p["y"] - p["x"] ** 2) ** 2
    >>> found = tf.optimize.minimize(rosenbrock, {"x": -1.0, "y": 2.0}, method="trust-exact")
    >>> round(float(found.x["x"]), 6), round(float(found.x["y"]), 6), found.success
    (1.0, 1.0, True)

    Args:
        f: A function of a nest of tensors, and of ``args``, whose value is a scalar.
        x0: Where to start: a nest of numbers, arrays, tensors or variables. Tensors and variables
            keep their dtype, numbers take it or become float64. SciPy itself works in float64.
        args: More arguments of ``f``, which stay as they are.
        method: A method of ``scipy.optimize.minimize``. It gets the gradient, and what it wants of
            the Hessian: the matrix, or its products with vectors.
        bounds: A pair of the least and the greatest x: nests like ``x0``, numbers that stand for
            whole tensors, or None where there is no bound; or ``scipy.optimize.Bounds``.
        constraints: Dicts ``{"type": "eq" or "ineq", "fun": g}`` as SciPy takes them, with a ``g``
            of the nest, which must be zero or not negative; their Jacobians are exact too.
        hess: "auto" gives what the method wants; "dense" the matrix, "product" its products;
            "sparse" a sparse matrix (for ``trust-constr``), whose pattern is found once, at the
            start; "none" nothing.
        tol: As in SciPy.
        options: As in SciPy.
        callback: Called with the nest after every step; if it returns True the search stops.
        progress: Show steps, value and slope while it goes on, on standard error.
        dtype: The dtype to compute ``f`` in.

    Returns:
        SciPy's ``OptimizeResult``; ``x`` and ``jac``, the gradient there, are nests like ``x0``.
    """
    from scipy import optimize

    packing = Packing(x0, dtype)
    problem = Problem(f, args, packing, callback, OptimizerProgress(progress, f"minimize {method}"))
    name = method.lower()
    derivatives = {} if name in GRADIENT_FREE else {"jac": True, **problem.second(name, hess)}
    try:
        result = optimize.minimize(
            problem.value if name in GRADIENT_FREE else problem.value_and_gradient,
            packing.start,
            method=method,
            bounds=bounds_of(bounds, packing),
            constraints=[_constraint(c, packing, name) for c in _listed(constraints)],
            tol=tol,
            options=options,
            callback=problem.step,
            **derivatives,
        )
    except StopIteration:  # TNC lets it pass
        result = problem.stopped()
    return problem.finished(result)


class Problem:
    """A function of a nest as SciPy sees it: a function of a vector, and its derivatives."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: Sequence[Any],
        packing: Packing,
        callback: Callable[[Any], Any] | None,
        progress: OptimizerProgress,
    ) -> None:
        self.packing, self.callback, self.progress = packing, callback, progress

        def of_vector(vector: Tensor) -> Any:
            return f(packing.unpacked(vector), *args)

        self.f: Callable[[Any], Any] = of_vector
        self.x: Vector = packing.start
        self.latest: tuple[float, Vector | None] = (np.nan, None)
        self.recorded: tuple[bytes, Any] = (b"", None)
        self.checked = False

    def value(self, x: Vector) -> float:
        value = float(scalar(as_tensor(self.f(tensor_of(x)))).numpy())
        self.latest = value, None
        return value

    def value_and_gradient(self, x: Vector) -> tuple[float, Vector]:
        call = Recorded(self.f, 0, [tensor_of(x)], {})
        if not self.checked:
            check_dependence(call.value)
            self.checked = True
        value, gradient = scalar(call.value), call.gradient(scalar)
        self.latest = float(value), gradient.numpy()
        return float(value), gradient.numpy()

    def second(self, method: str, hess: str) -> dict[str, Any]:
        """The second derivatives for the method."""
        if hess == "auto":
            wants_matrix, wants_products = method in WANTS_HESSIAN, method in WANTS_PRODUCTS
            hess = "dense" if wants_matrix else "product" if wants_products else "none"
        if hess == "none":
            return {}
        if hess == "dense":
            return {"hess": self.hessian}
        if hess == "product":
            return {"hessp": self.product}
        if hess == "sparse":
            return {"hess": self.sparse_hessian()}
        raise ValueError(f"hess is 'auto', 'dense', 'product', 'sparse' or 'none', not {hess!r}.")

    def _recorded_at(self, x: Vector) -> Any:
        """The call of the function at x, kept for the next product there."""
        key = np.asarray(x, np.float64).tobytes()
        if self.recorded[0] != key:
            start = tensor_of(x)
            self.recorded = key, Recorded(self.f, 0, [start], {}, persistent=True)
        return self.recorded[1]

    def product(self, x: Vector, vector: Vector) -> Vector:
        call = self._recorded_at(x)
        product: Vector = call.tape.hvp(scalar(call.value), call.sources, vector).numpy()
        return product

    def hessian(self, x: Vector) -> Vector:
        call = self._recorded_at(x)
        matrix: Vector = call.tape.hessian(scalar(call.value), call.sources).numpy()
        return matrix

    def sparse_hessian(self) -> Callable[[Vector], Any]:
        plan = sparse_hessian_plan(self.f, tensor_of(self.packing.start))
        return lambda x: plan(tensor_of(x))

    # -- reports of SciPy ----------------------------------------------------------------------

    def step(self, x: Vector, *state: object) -> None:
        """A step was made."""
        self.x = np.array(x)
        value, gradient = self.latest
        self.progress.step(value, None if gradient is None else float(np.abs(gradient).max()))
        if self.callback is not None and self.callback(self.packing.nest(x)):
            raise StopIteration

    def stopped(self) -> Any:
        from scipy.optimize import OptimizeResult

        value, gradient = self.value_and_gradient(self.x)
        message = "`callback` raised `StopIteration`."
        steps = self.progress.steps
        return OptimizeResult(
            x=self.x, fun=value, jac=gradient, success=False, status=99, message=message, nit=steps
        )

    def finished(self, result: Any) -> Any:
        """The result with nests in place of vectors."""
        gradient = result.get("grad", result.get("jac"))  # trust-constr's jac is the constraints'
        slope = None if gradient is None else float(np.abs(gradient).max(initial=0))
        self.progress.done(float(result.fun), slope)
        result.x = self.packing.nest(result.x)
        if gradient is not None:
            result.jac = self.packing.nest(gradient)
        return result


def check_dependence(value: Tensor) -> None:
    """Refuse a value that does not depend on x: its gradient would be zero, and the search over."""
    why = left_by(value)
    if not why and not is_known(scalar(value)):
        why = "a tensor that was computed without x."
    if why:
        raise ValueError(
            "the value does not depend on x through tf's functions, so there is no slope to "
            f"follow: the function returned {why} Methods without derivatives, such as "
            "method='Nelder-Mead', take any function."
        )


def bounds_of(bounds: object, packing: Packing) -> Any:
    """SciPy's bounds for a pair of nests."""
    from scipy.optimize import Bounds

    if bounds is None or isinstance(bounds, Bounds):
        return bounds
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise TypeError(
            "bounds is a pair of the least and the greatest x, each like x0 or None; not "
            f"{bounds!r}."
        )
    sides = [
        np.full(packing.size, infinite) if side is None else packing.vector(packing.spread(side))
        for side, infinite in zip(bounds, (-np.inf, np.inf), strict=True)
    ]
    return Bounds(*sides)


def _listed(constraints: object) -> Sequence[Any]:
    return constraints if isinstance(constraints, (list, tuple)) else [constraints]


def _constraint(constraint: dict[str, Any], packing: Packing, method: str) -> Any:
    """A constraint on the nest as one on the vector, with its derivatives."""
    if not isinstance(constraint, dict):
        return constraint  # SciPy's own objects are about the vector
    fun, kind, more = constraint["fun"], constraint["type"], tuple(constraint.get("args", ()))
    if kind not in ("eq", "ineq"):
        raise ValueError(f"a constraint's type is 'eq' or 'ineq', not {kind!r}.")

    def of_vector(vector: Tensor) -> Tensor:
        return flat(fun(packing.unpacked(vector), *more), "a constraint")

    def weighted(vector: Tensor, weights: Vector) -> Tensor:
        values = of_vector(vector)
        return reduce_sum(values * weights.astype(values.dtype.as_numpy_dtype))

    jac, hess = jacobian(of_vector), hessian(weighted)
    known = {
        "fun": lambda x: of_vector(tensor_of(x)).numpy(),
        "jac": lambda x: jac(tensor_of(x)).numpy(),
    }
    if method != "trust-constr":
        return {"type": kind, **known}
    from scipy.optimize import NonlinearConstraint

    upper = 0.0 if kind == "eq" else np.inf
    return NonlinearConstraint(
        lb=0.0, ub=upper, hess=lambda x, weights: hess(tensor_of(x), weights).numpy(), **known
    )
