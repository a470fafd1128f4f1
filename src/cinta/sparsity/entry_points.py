"""The functions that people call. SciPy is loaded when the first of them is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..functional.differentiated_call import made_from
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor
    from .derivative_plan import SparsePlan


@public("autodiff.sparse_jacobian")
def sparse_jacobian(
    f: Callable[..., Any], structure: object = None, check: bool = False
) -> Callable[..., Any]:
    """The function that gives the Jacobian of ``f`` as a ``scipy.sparse.csr_array``.

    Which elements can be other than zero is found by following what ``f`` does; columns without a
    row in common, or rows without a column in common, are then had in one product. A tridiagonal
    Jacobian takes three products, however large it is.

    >>> import cinta as tf
    >>> f = lambda x: x[1:] - x[:-1] ** 2
    >>> tf.autodiff.sparse_jacobian(f)(tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[-2.,  1.,  0.],
           [ 0., -4.,  1.]], dtype=float32)

    The structure is found anew in each call. ``sparse_jacobian_plan`` finds it once.

    Args:
        f: A function of a tensor, or of a nest of them, and of other arguments that are constant.
            Rows and columns are the numbers that it returns and takes, in flat order.
        structure: A matrix, dense or sparse, that is not zero where the Jacobian may not be. None
            means to find it.
        check: Compare a product with a random vector with the true one, and warn if they differ.
    """
    return _sparse(f, "Jacobian", structure, check)


@public("autodiff.sparse_hessian")
def sparse_hessian(
    f: Callable[..., Any], structure: object = None, check: bool = False
) -> Callable[..., Any]:
    """The function that gives the Hessian of ``f`` as a ``scipy.sparse.csr_array``.

    >>> import cinta as tf
    >>> f = lambda x: tf.reduce_sum(x[1:] * x[:-1] ** 2)
    >>> tf.autodiff.sparse_hessian(f)(tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[4., 2., 0.],
           [2., 6., 4.],
           [0., 4., 0.]], dtype=float32)

    Args:
        f: A function as ``sparse_jacobian`` takes it, but one that returns one number.
        structure: A matrix, dense or sparse, that is not zero where the Hessian may not be. None
            means to find it.
        check: Compare a product with a random vector with the true one, and warn if they differ.
    """
    return _sparse(f, "Hessian", structure, check)


def _sparse(f: Callable[..., Any], kind: str, structure: object, check: bool) -> Callable[..., Any]:
    plan: SparsePlan | None = None

    def derivative(x: TensorLike, *args: object, **kwargs: object) -> Any:
        nonlocal plan
        if plan is None or structure is None:
            plan = _planned(f, kind, structure, x, args, kwargs)
        return plan.evaluate(x, args, kwargs, check)

    return made_from(derivative, f)


@public("autodiff.sparse_jacobian_plan")
def sparse_jacobian_plan(
    f: Callable[..., Any], x: Tensor, *args: object, structure: object = None, **kwargs: object
) -> SparsePlan:
    """The structure of the Jacobian of ``f`` and its coloring, to be used again and again.

    >>> import cinta as tf
    >>> plan = tf.autodiff.sparse_jacobian_plan(lambda x: x * x, tf.constant([1.0, 2.0]))
    >>> plan(tf.constant([5.0, 6.0])).diagonal()
    array([10., 12.], dtype=float32)
    """
    return _planned(f, "Jacobian", structure, x, args, kwargs)


@public("autodiff.sparse_hessian_plan")
def sparse_hessian_plan(
    f: Callable[..., Any], x: Tensor, *args: object, structure: object = None, **kwargs: object
) -> SparsePlan:
    """The structure of the Hessian of ``f`` and its coloring, to be used again and again.

    >>> import cinta as tf
    >>> f = lambda x: tf.reduce_sum(x**3)
    >>> tf.autodiff.sparse_hessian_plan(f, tf.constant([1.0, 2.0]))
    <SparsePlan of a Hessian: 2x2, 2 nonzeros, products: 0 by columns, 1 by rows>
    """
    return _planned(f, "Hessian", structure, x, args, kwargs)


def _planned(
    f: Callable[..., Any], kind: str, structure: Any, x: TensorLike, *given: Any
) -> SparsePlan:
    from .derivative_plan import planned  # which loads SciPy

    return planned(f, kind, structure, x, *given)
