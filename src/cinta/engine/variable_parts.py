"""VariableParts: the ways to read and change rows, and other parts, of a variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .convert import as_tensor
from .variable_storage import VariableStorage

if TYPE_CHECKING:
    from typing import Self

    from .annotations import DTypeLike, NumericLike, TensorLike
    from .indexed_slices import IndexedSlices
    from .tensor import Tensor


class VariableParts(VariableStorage):
    """A place for a value, of which parts are read, added to, multiplied or replaced."""

    if TYPE_CHECKING:

        def __tf_tensor__(
            self, dtype: DTypeLike | None = None, name: str | None = None
        ) -> Tensor: ...

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The rows at these ``indices``; the same as ``tf.gather(variable, indices)``.

        The gradient is an ``IndexedSlices`` with these rows alone. An InvalidArgumentError tells
        that there is no such row.

        >>> import cinta as tf
        >>> tf.Variable([[1.0, 2.0], [3.0, 4.0]]).sparse_read([1, 1]).numpy()
        array([[3., 4.],
               [3., 4.]], dtype=float32)
        """
        from ..ops.arrays.gathering import gather

        return gather(self, indices)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The slices at these index vectors; the same as ``tf.gather_nd(variable, indices)``.

        Args:
            indices: Vectors of indices along the last axis.

        Raises:
            InvalidArgumentError: If a vector points outside the variable.

        >>> import cinta as tf
        >>> tf.Variable([[1.0, 2.0], [3.0, 4.0]]).gather_nd([[1, 0]]).numpy()
        array([3.], dtype=float32)
        """
        from ..ops.arrays.gathering_nd import gather_nd

        return gather_nd(self, indices)

    def scatter_add(
        self, sparse_delta: object, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Add rows: ``v[indices[i]] += values[i]``, once for each time that a row is listed.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_add(tf.IndexedSlices([10.0, 20.0], [0, 0])).numpy()
        array([31.,  2.,  4.], dtype=float32)
        """
        return self._scatter(np.add, sparse_delta)

    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Subtract rows: ``v[indices[i]] -= values[i]``, once for each time that a row is listed.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_sub(tf.IndexedSlices([10.0, 20.0], [0, 0])).numpy()
        array([-29.,   2.,   4.], dtype=float32)
        """
        return self._scatter(np.subtract, sparse_delta)

    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Multiply rows: ``v[indices[i]] *= values[i]``, once for each time that a row is listed.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_mul(tf.IndexedSlices([10.0, 20.0], [1, 2])).numpy()
        array([ 1., 20., 80.], dtype=float32)
        """
        return self._scatter(np.multiply, sparse_delta)

    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Divide rows: ``v[indices[i]] /= values[i]``, once for each time that a row is listed.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, if the shapes differ, or if integers are
                divided by 0.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_div(tf.IndexedSlices([2.0, 8.0], [1, 2])).numpy()
        array([1. , 1. , 0.5], dtype=float32)
        """
        return self._scatter(np.divide, sparse_delta)

    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replace elements of rows by the given ones where these are larger.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_max(tf.IndexedSlices([3.0, 3.0], [1, 2])).numpy()
        array([1., 3., 4.], dtype=float32)
        """
        return self._scatter(np.maximum, sparse_delta)

    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replace elements of rows by the given ones where these are smaller.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_min(tf.IndexedSlices([3.0, 3.0], [1, 2])).numpy()
        array([1., 2., 3.], dtype=float32)
        """
        return self._scatter(np.minimum, sparse_delta)

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replace rows; of a row that is listed twice, the last value stays.

        Args:
            sparse_delta: The rows and their indices, as ``tf.IndexedSlices``.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such row, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0, 4.0])
        >>> v.scatter_update(tf.IndexedSlices([10.0], [1])).numpy()
        array([ 1., 10.,  4.], dtype=float32)
        """
        return self._scatter(None, sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replace slices along the last axis of the indices, in each batch of them.

        Args:
            sparse_delta: The slices and their indices, as ``tf.IndexedSlices``; the axes before
                the last one of the indices are the first axes of the variable.
            use_locking: Changes nothing: one thread at a time assigns.

        Raises:
            TypeError: If ``sparse_delta`` is anything else.
            InvalidArgumentError: If there is no such slice, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.batch_scatter_update(tf.IndexedSlices([[10.0], [40.0]], [[0], [1]])).numpy()
        array([[10.,  2.],
               [ 3., 40.]], dtype=float32)
        """
        from ..ops.arrays.joining import stack

        slices = self._checked_slices(sparse_delta)
        numbers = as_tensor(slices.indices)
        batch = np.indices(numbers._array.shape).astype(numbers._array.dtype)[:-1]
        return self._scatter_nd(None, stack([*batch, numbers], axis=-1), slices.values)

    def scatter_nd_add(
        self, indices: NumericLike, updates: NumericLike, name: str | None = None
    ) -> Self:
        """Add to the slices at these index vectors.

        Args:
            indices: Vectors of indices along the last axis, as ``tf.scatter_nd`` takes them.
            updates: A slice for each vector.

        Raises:
            InvalidArgumentError: If a vector points outside the variable, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.scatter_nd_add([[0, 1], [1, 0]], [20.0, 30.0]).numpy()
        array([[ 1., 22.],
               [33.,  4.]], dtype=float32)
        """
        return self._scatter_nd(np.add, indices, updates)

    def scatter_nd_sub(
        self, indices: NumericLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Subtract from the slices at these index vectors.

        Args:
            indices: Vectors of indices along the last axis, as ``tf.scatter_nd`` takes them.
            updates: A slice for each vector.

        Raises:
            InvalidArgumentError: If a vector points outside the variable, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.scatter_nd_sub([[0, 1], [1, 0]], [20.0, 30.0]).numpy()
        array([[  1., -18.],
               [-27.,   4.]], dtype=float32)
        """
        return self._scatter_nd(np.subtract, indices, updates)

    def scatter_nd_max(
        self, indices: NumericLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Replace elements of slices at these index vectors by ``updates`` where these are larger.

        Args:
            indices: Vectors of indices along the last axis, as ``tf.scatter_nd`` takes them.
            updates: A slice for each vector.

        Raises:
            InvalidArgumentError: If a vector points outside the variable, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.scatter_nd_max([[0, 1], [1, 0]], [20.0, 30.0]).numpy()
        array([[ 1., 20.],
               [30.,  4.]], dtype=float32)
        """
        return self._scatter_nd(np.maximum, indices, updates)

    def scatter_nd_min(
        self, indices: NumericLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Replace elements of slices at these index vectors by ``updates`` where these are smaller.

        Args:
            indices: Vectors of indices along the last axis, as ``tf.scatter_nd`` takes them.
            updates: A slice for each vector.

        Raises:
            InvalidArgumentError: If a vector points outside the variable, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.scatter_nd_min([[0, 1], [1, 0]], [20.0, 30.0]).numpy()
        array([[1., 2.],
               [3., 4.]], dtype=float32)
        """
        return self._scatter_nd(np.minimum, indices, updates)

    def scatter_nd_update(
        self, indices: NumericLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Replace the slices at these index vectors.

        Args:
            indices: Vectors of indices along the last axis, as ``tf.scatter_nd`` takes them.
            updates: A slice for each vector.

        Raises:
            InvalidArgumentError: If a vector points outside the variable, or if the shapes differ.

        >>> import cinta as tf
        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> v.scatter_nd_update([[0, 1], [1, 0]], [20.0, 30.0]).numpy()
        array([[ 1., 20.],
               [30.,  4.]], dtype=float32)
        """
        return self._scatter_nd(None, indices, updates)
