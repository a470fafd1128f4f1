"""Plans: what is known of a sparse derivative before the numbers come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from ..engine import recorders
from ..engine.warning import warn
from ..files.atomic import path_of, replacing, write
from . import partition
from .compressed_products import forwards, products
from .picture import picture
from .structure import given_structure, structure_of
from .vectors import gradient_function, on_vectors, vector_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Array, Tensor
    from .pattern import Index, Matrix
    from .vectors import VectorFunction


class SparsePlan:
    """Where the nonzeros of a derivative are, and which products give them: to be used again.

    Made by ``sparse_jacobian_plan`` and ``sparse_hessian_plan``. Called with arguments, it gives
    the derivative there. It is right for as long as the function runs the same ops, and reads and
    writes at the same indices; ``evaluate(x, check=True)`` looks whether it still is.

    >>> import cinta as tf
    >>> x = tf.constant([1.0, 2.0, 4.0])
    >>> plan = tf.autodiff.sparse_jacobian_plan(lambda x: x[1:] * x[:-1], x)
    >>> plan
    <SparsePlan of a Jacobian: 2x3, 4 nonzeros, products: 2 by columns, 0 by rows>
    >>> plan(x).toarray()
    array([[2., 1., 0.],
           [0., 4., 2.]], dtype=float32)

    Attributes:
        structure: The nonzeros, a ``scipy.sparse.csr_array`` of bools.
        columns, rows: The color of each column and of each row: those of one color are had by one
            product. -1 for what takes part in none.
    """

    def __init__(self, f: Callable[..., Any], kind: str, structure: Matrix) -> None:
        of_kind = partition.of_hessian if kind == "Hessian" else partition.of_jacobian
        self.structure = structure
        self._f, self._kind = f, kind
        self._partition = of_kind(structure)

    def __call__(self, x: Tensor, *args: object, **kwargs: object) -> Any:
        """The derivative at x, as a ``scipy.sparse.csr_array``; what else is given is constant."""
        return self.evaluate(x, args, kwargs)

    def evaluate(
        self, x: Any, args: tuple[Any, ...] = (), kwargs: Any = None, check: bool = False
    ) -> Any:
        """The derivative at x, for other arguments of the function in a tuple and a dict.

        With ``check`` a product with a random vector is compared with the true one. If they
        differ, a warning says that the structure is not that of the function.
        """
        with recorders.paused():
            function, vector = function_of(self._f, self._kind, x, args, kwargs or {})
            self._check_width(vector)
            found = self._derivative(function, vector)
            if check:
                self._check(found, function, vector)
        return found

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns the derivative has."""
        height, width = self.structure.shape
        return height, width

    @property
    def nnz(self) -> int:
        """How many elements of the derivative can be other than zero."""
        return int(self.structure.nnz)

    @property
    def columns(self) -> Index:
        return self._partition.columns

    @property
    def rows(self) -> Index:
        return self._partition.rows

    @property
    def mode(self) -> str:
        """How it is had: by "columns" (forward mode), by "rows" (backward mode), or by "both"."""
        columns, rows = self._partition.counts()
        return "both" if columns and rows else "rows" if rows else "columns"

    def product_of_each(self) -> Index:
        """For each nonzero the number of the product that gives it: first those of columns."""
        columns = self._partition.counts()[0]
        (height, width), places = self.shape, self._partition.places
        by_rows = places - columns * height
        return np.where(by_rows < 0, places // max(height, 1), columns + by_rows // max(width, 1))

    def __repr__(self) -> str:
        height, width = self.shape
        columns, rows = self._partition.counts()
        return (
            f"<SparsePlan of a {self._kind}: {height}x{width}, {self.nnz} nonzeros, "
            f"products: {columns} by columns, {rows} by rows>"
        )

    def picture(self) -> str:
        """The nonzeros and their colors, as the text of an SVG picture."""
        return picture(self)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        with replacing(path_of(path, "path")) as file:
            write(file, memoryview(self.picture().encode()))

    def _repr_svg_(self) -> str:
        return self.picture()

    def _derivative(self, function: VectorFunction, vector: Tensor) -> Matrix:
        columns, rows, places = self._partition
        numbers = products(function, vector, columns, rows)
        values = for_scipy(numbers.take(places))
        parts = values, self.structure.indices.copy(), self.structure.indptr.copy()
        return csr_array(parts, shape=self.shape)

    def _check_width(self, vector: Tensor) -> None:
        if vector._array.size != self.shape[1]:
            raise ValueError(
                f"the structure has {self.shape[1]} columns, but there are {vector._array.size} "
                "numbers to differentiate with respect to."
            )

    def _check(self, found: Matrix, function: VectorFunction, vector: Tensor) -> None:
        """Warn if a product with a random vector is not what forward mode says."""
        draw = np.random.default_rng().standard_normal(self.shape[1])
        direction = draw.astype(vector._array.dtype)
        true = for_scipy(forwards(function, vector, direction[None], self.shape[0])[0])
        direction = for_scipy(direction)
        size = abs(found) @ abs(direction) + abs(true)
        if (abs(found @ direction - true) > np.sqrt(np.finfo(true.dtype).eps) * size).any():
            warn(
                f"the structure is not that of this {self._kind} at this point: there are nonzeros "
                "outside of it, and what is inside is wrong too. Let the structure be found, or "
                "make a new plan here."
            )


def function_of(
    f: Callable[..., Any], kind: str, x: TensorLike, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[VectorFunction, Tensor]:
    """The function whose Jacobian is wanted, and the vector at which it is."""
    function = on_vectors(f, x, args, kwargs)
    return gradient_function(function) if kind == "Hessian" else function, vector_of(x)


def for_scipy(array: Array) -> Array:
    """An array in a dtype that SciPy's sparse matrices know: half precision becomes single."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def planned(
    f: Callable[..., Any],
    kind: str,
    structure: object,
    x: TensorLike,
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
) -> SparsePlan:
    """The plan for a function at x, with the structure that was given or else is found."""
    if structure is not None:
        found = given_structure(structure)
        return SparsePlan(f, kind, found + found.T if kind == "Hessian" else found)
    with recorders.paused():
        found = structure_of(*function_of(f, kind, x, args, kwargs or {}))
    # A Hessian is symmetric, so its zeros are symmetric, too.
    return SparsePlan(f, kind, found.multiply(found.T).tocsr() if kind == "Hessian" else found)
