"""RaggedTensor: a tensor whose rows differ in length."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.composites import Assembled
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor, seen, wrap
from ...public import name_methods, public
from . import operators
from .constructors import Constructors, ragged_or_dense
from .nested_constructors import NestedConstructors
from .not_dense import NotDense
from .printing import abridged, listed, written
from .row_partition import RowPartition
from .rows import RaggedProperties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import AxisLike, DTypeLike, PartialShape, TensorLike
    from ...engine.sparse_tensor import SparseTensor
    from ...engine.tensor import Array
    from .annotations import Function, RaggedOrDense, Several
    from .mapping import RaggedRows


@public("RaggedTensor")
class RaggedTensor(NestedConstructors, RaggedProperties, operators.Operators, Assembled):
    """A tensor with rows of several lengths.

    All values stand in one tensor side by side, and a ``RowPartition`` says where rows begin and
    end. Rows of rows are ragged tensors whose values are ragged. Gradients flow through the
    values, which is also what a tape watches.

    ``tf.ragged.constant`` and the methods ``from_…`` make ragged tensors.

    Args:
        values: The rows joined into one tensor.
        row_partition: Where they begin and end.
        internal: True in the package itself; everybody else calls ``from_…``.

    Raises:
        ValueError: If a program calls the class itself.

    >>> import cinta as tf
    >>> rows = tf.ragged.constant([[3.0, 1.0], [], [4.0]])
    >>> rows.values.numpy(), rows.row_splits.numpy()
    (array([3., 1., 4.], dtype=float32), array([0, 2, 2, 3]))
    >>> tf.reduce_sum(rows * 2.0, axis=1).numpy()
    array([8., 0., 8.], dtype=float32)
    >>> rows.shape, rows.get_shape() == rows.shape, rows.dtype, rows.ragged_rank
    (TensorShape([3, None]), True, tf.float32, 1)
    >>> rows.row_starts().numpy(), rows.row_limits().numpy(), rows.value_rowids().numpy()
    (array([0, 2, 2]), array([2, 2, 3]), array([0, 0, 2]))
    >>> rows.uniform_row_length is None, rows.consumers()
    (True, [])

    Of rows of rows, each level has its own:

    >>> deep = tf.ragged.constant([[[3.0], [1.0, 4.0]], []])
    >>> deep.flat_values.numpy(), [splits.numpy().tolist() for splits in deep.nested_row_splits]
    (array([3., 1., 4.], dtype=float32), [[0, 2, 2], [0, 1, 3]])
    >>> [each.numpy().tolist() for each in deep.nested_row_lengths()]
    [[2, 0], [1, 2]]
    >>> [each.numpy().tolist() for each in deep.nested_value_rowids()]
    [[0, 0], [0, 1, 1]]
    """

    __slots__ = ("_row_partition", "_values")
    _is_ragged = True
    __array_priority__ = 100
    __array_ufunc__ = None  # so that NumPy's arrays leave operators to ragged tensors

    def __init__(
        self, values: RaggedOrDense, row_partition: RowPartition, internal: bool = False
    ) -> None:
        if internal is not True:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods "
                "instead, such as RaggedTensor.from_row_lengths()."
            )
        if not isinstance(values, (Tensor, RaggedTensor)):
            raise TypeError(
                f"type(values) must be one of: Tensor, RaggedTensor. Received {values!r}."
            )
        if not isinstance(row_partition, RowPartition):
            raise TypeError(
                f"Argument `row_partition` must be a RowPartition. Received {row_partition!r}."
            )
        values.shape.with_rank_at_least(1)
        self._values, self._row_partition = values, row_partition

    # -- how long rows are -----------------------------------------------------------------------

    def row_lengths(self, axis: int = 1, name: str | None = None) -> RaggedOrDense:
        """How long the rows along an axis are.

        Args:
            axis: The axis, 1 for the rows themselves, 2 for the rows in them.

        Raises:
            ValueError: If there is no such axis.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [], [4]]).row_lengths().numpy()
        array([2, 0, 1])
        >>> tf.ragged.constant([[[3], [1, 4]], []]).row_lengths(axis=2)
        <tf.RaggedTensor [[1, 2], []]>
        """
        from .measuring import row_lengths

        return row_lengths(self, axis)

    def bounding_shape(
        self,
        axis: AxisLike | None = None,
        name: str | None = None,
        out_type: DTypeLike | None = None,
    ) -> Tensor:
        """The smallest shape of a dense tensor that holds all rows; or its lengths along axes.

        Args:
            axis: An axis or several; None for all of them.
            out_type: The dtype of the lengths; by default that of ``row_splits``.

        Raises:
            ValueError: If there is no such axis.

        >>> import cinta as tf
        >>> rows = tf.ragged.constant([[3, 1], [], [4]])
        >>> rows.bounding_shape().numpy(), rows.bounding_shape(axis=1).numpy()
        (array([3, 2]), np.int64(2))
        """
        from .measuring import bounding_shape

        return bounding_shape(self, axis, out_type)

    # -- others like it --------------------------------------------------------------------------

    def with_values(self, new_values: TensorLike) -> RaggedTensor:
        """Other values in the same rows.

        Args:
            new_values: As many values as there are; each may be a tensor of another shape.

        Raises:
            ValueError: If there are more values or fewer.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).with_values([5, 6, 7])
        <tf.RaggedTensor [[5, 6], [7]]>
        """
        values = ragged_or_dense(new_values)
        values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(values.shape[:1])
        if (
            isinstance(values, RaggedTensor)
            and values.row_splits.dtype is not self.row_splits.dtype
        ):
            raise ValueError(
                "self and new_values have mismatched row_splits dtypes; use "
                "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes."
            )
        return RaggedTensor(values, self._row_partition, internal=True)

    def with_flat_values(self, new_values: TensorLike) -> RaggedTensor:
        """Other values in the same rows of all levels.

        Args:
            new_values: As many values as ``flat_values`` has.

        Raises:
            ValueError: If there are more values or fewer.

        >>> import cinta as tf
        >>> tf.ragged.constant([[[3], [1, 4]], []]).with_flat_values([5, 6, 7])
        <tf.RaggedTensor [[[5], [6, 7]], []]>
        """
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: DTypeLike) -> RaggedTensor:
        """The same tensor, with rows counted in int32 or int64.

        Args:
            dtype: One of these two.

        Raises:
            ValueError: If it is another one.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).with_row_splits_dtype(tf.int32).row_splits.dtype
        tf.int32
        """
        wanted = dtypes.as_dtype(dtype)
        if wanted not in (dtypes.int32, dtypes.int64):
            raise ValueError(
                f"Argument `row_splits` dtype must be int32 or int64. Received {wanted!r}."
            )
        parts = [rows.with_dtype(wanted) for rows in self._nested_row_partitions]
        return RaggedTensor._from_nested_row_partitions(self.flat_values, parts, validate=False)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> RaggedOrDense:
        """The axes from one to another joined into one.

        Args:
            outer_axis: The first of them.
            inner_axis: The last of them.

        Raises:
            ValueError: If there are no such axes, or if the first comes after the last.

        >>> import cinta as tf
        >>> tf.ragged.constant([[[3], [1, 4]], [[1]]]).merge_dims(1, 2)
        <tf.RaggedTensor [[3, 1, 4], [1]]>
        """
        from .reshaping import merge_dims

        return merge_dims(self, outer_axis, inner_axis)

    def set_shape(self, shape: PartialShape) -> None:
        """Check that a shape is compatible; a tensor's shape never changes.

        Args:
            shape: The lengths of the axes, None where any will do.

        Raises:
            ValueError: If the tensor does not have this shape.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).set_shape([2, None])
        """
        self.shape._check_supplied(shape)

    # -- as something else -----------------------------------------------------------------------

    def to_tensor(
        self,
        default_value: TensorLike | None = None,
        name: str | None = None,
        shape: PartialShape = None,
    ) -> Tensor:
        """A dense tensor, with ``default_value`` behind the ends of rows.

        Args:
            default_value: The value that fills up rows; by default 0, or an empty string.
            shape: The shape of the result, None along an axis for as long as it must be; rows that
                are longer are cut off.

        Raises:
            ValueError: If the shape has another rank.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).to_tensor().numpy()
        array([[3, 1],
               [4, 0]], dtype=int32)
        >>> tf.ragged.constant([[3, 1], [4]]).to_tensor(-1, shape=[None, 3]).numpy()
        array([[ 3,  1, -1],
               [ 4, -1, -1]], dtype=int32)
        """
        from .densifying import to_tensor

        return to_tensor(self, default_value, shape)

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The values and their coordinates, as a ``SparseTensor``.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).to_sparse().indices.numpy()
        array([[0, 0],
               [0, 1],
               [1, 0]])
        """
        from .densifying import to_sparse

        return to_sparse(self)

    def to_list(self) -> list[Any]:
        """Lists of lists of plain values.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4]]).to_list()
        [[3, 1], [4]]
        """
        values, ends = self._values, self._row_partition.ends.tolist()
        items = values.to_list() if isinstance(values, RaggedTensor) else seen(values).tolist()
        return [items[a:b] for a, b in pairwise(ends)]

    def numpy(self) -> Array:
        """An array; of arrays, one for each row, if the rows differ in length.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [4, 1]]).numpy()
        array([[3, 1],
               [4, 1]], dtype=int32)
        >>> tf.ragged.constant([[3, 1], [4]]).numpy()
        array([array([3, 1], dtype=int32), array([4], dtype=int32)], dtype=object)
        """
        values, ends = self._values, self._row_partition.ends
        items = values.numpy() if isinstance(values, RaggedTensor) else np.asarray(values.numpy())
        rows = [items[a:b] for a, b in pairwise(ends)]
        if not rows:
            return np.array([], items.dtype)
        if len({len(row) for row in rows}) == 1:
            return items[: ends[-1]].reshape(len(rows), len(rows[0]), *items.shape[1:])
        result = np.empty(len(rows), object)
        result[:] = rows
        return result

    def __repr__(self) -> str:
        with np.printoptions(formatter={"all": written}):
            return f"<tf.RaggedTensor {written(self.numpy())}>"

    # -- as parts --------------------------------------------------------------------------------

    def _collector(self) -> RaggedRows:
        """Collects rows like those of this one."""
        from .mapping import RaggedRows

        inner = self.shape[1:]
        return RaggedRows(self.dtype, self.ragged_rank - 1, self.row_splits.dtype, inner)

    def _parts(self) -> tuple[Tensor, ...]:
        """The tensors that it is made of, for `tf.nest`."""
        return self.flat_values, *self.nested_row_splits

    def _of_parts(self, parts: Several) -> RaggedOrDense:
        result, *splits = parts
        if not isinstance(result, Tensor):  # parts of another kind, such as specs or names
            return list(parts)
        for old, new in zip(reversed(self._nested_row_partitions), reversed(splits), strict=True):
            result = RaggedTensor(result, old._of_parts([new]), internal=True)
        return result

    def _shown(self, element: Function, summarize: int) -> str:
        if summarize != -1 and summarize < 1:
            raise ValueError(f"Expected summarize to be -1 or a positive int, got {summarize!r}.")
        ends, count = self._row_partition.ends, self._row_partition.static_nrows
        values = self._values

        def row(i: int) -> str:
            part = values[int(ends[i]) : int(ends[i + 1])]
            if isinstance(part, RaggedTensor):
                return part._shown(element, summarize)
            return listed(np.asarray(seen(part)), element, summarize)

        return abridged(count, row, summarize)

    def _kind(self) -> tuple[int | None, ...]:
        return tuple([rows._kind() for rows in self._nested_row_partitions])

    def _tracked(self) -> Tensor:
        return self.flat_values

    def _with_gradient(self, gradient: RaggedOrDense) -> RaggedOrDense:
        if gradient is None:
            return None
        return self.with_flat_values(as_tensor(gradient))

    def consumers(self) -> list[Any]:
        """Nothing: an eager tensor knows no graph."""
        return []

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        raise NotDense(self)

    def _dispatch(
        self, function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> RaggedOrDense:
        """The result of a function of ragged tensors."""
        from .handlers import call

        return call(function, args, kwargs)


name_methods("RaggedTensor", Constructors, NestedConstructors, RaggedProperties)


def assembled(flat: RaggedOrDense, levels: Sequence[RowPartition]) -> RaggedOrDense:
    """Values in these levels of rows, the outermost first; as they are if there are none."""
    for rows in reversed(levels):
        flat = RaggedTensor(flat, rows, internal=True)
    return flat


def constant(array: Array) -> Tensor:
    """Numbers of rows or values that Python has computed, as a tensor."""
    return wrap(np.asarray(array))


def is_ragged(value: object) -> bool:
    """Whether the value is a ragged tensor."""
    return isinstance(value, RaggedTensor)


def _install() -> None:
    from .handlers import install

    install()


_install()
