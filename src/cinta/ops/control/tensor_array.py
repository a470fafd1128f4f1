"""TensorArray: a list of tensors that loops write one by one and stack at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.free_memory import check_memory
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError, OutOfRangeError
from ...public import public
from ..arguments import flag, integer, integers, memory_for, whole
from ..arrays.creation import zeros
from ..arrays.joining import concat, split, stack, unstack
from ..elementwise.casting import cast

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, PartialShape, TensorLike
    from ...programs.tensor_array_spec import TensorArraySpec


@public("TensorArray")
class TensorArray:
    """A list of tensors of one dtype; gradients flow from what is read to what was written.

    Elements are written once and, unless ``clear_after_read=False``, read once. Elements that were
    not written are zero.

    >>> import cinta as tf
    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> squares.stack().numpy()
    array([0., 1., 4.], dtype=float32)
    >>> squares.size().numpy(), squares.identity() is squares
    (np.int32(3), True)
    >>> squares.gather([2, 0]).numpy(), squares.read(1).numpy(), squares.close()
    (array([4., 0.], dtype=float32), np.float32(1.0), None)

    Args:
        dtype: The dtype of all elements.
        size: How many there are.
        dynamic_size: Whether a write behind the end makes the list longer.
        clear_after_read: Whether an element can be read only once.
        tensor_array_name: Taken for TensorFlow's sake, as ``colocate_with_first_write_call`` is.
        handle: Refused, because it needs a graph.
        flow: Taken for TensorFlow's sake.
        infer_shape: Whether the first element determines the shape of the others.
        element_shape: The shape of all elements, if it is known.

    Raises:
        ValueError: If there is no size.
    """

    def __init__(
        self,
        dtype: DTypeLike,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: object = None,
        flow: object = None,
        infer_shape: bool = True,
        element_shape: PartialShape = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None:
            raise ValueError(
                "TensorArray handles are not supported when eager execution is enabled."
            )
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled."
            )
        self.handle = None
        self.flow = wrap(np.int32(0))
        self.dtype = dtypes.as_dtype(dtype)
        self.dynamic_size = flag(dynamic_size, "dynamic_size")
        self.element_shape = TensorShape(element_shape)
        self._infer_shape = flag(infer_shape, "infer_shape")
        self._clear_after_read = clear_after_read is None or flag(
            clear_after_read, "clear_after_read"
        )
        count = integer(size, "size")
        with memory_for("TensorArray", (count,)):
            self._elements: list[Tensor | None] = [None] * count
        self._read: set[int] = set()

    def _refers_to(self) -> tuple[Tensor | None, ...]:
        """The result, for code that follows a program's references."""
        return tuple(self._elements)

    def _kind(self) -> tuple[TensorShape, dtypes.DType, bool, bool]:
        """The parts of the spec."""
        return self.element_shape, self.dtype, self.dynamic_size, self._infer_shape

    @property
    def _type_spec(self) -> TensorArraySpec:
        from ...programs.tensor_array_spec import TensorArraySpec

        return TensorArraySpec(*self._kind())

    def __repr__(self) -> str:
        written = sum(element is not None for element in self._elements)
        return (
            f"<tf.TensorArray: dtype={self.dtype.name}, size={len(self._elements)}, "
            f"written={written}>"
        )

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, as a tensor."""
        return wrap(np.int32(len(self._elements)))

    def identity(self) -> TensorArray:
        """This very array."""
        return self

    def read(self, index: IntLike, name: str | None = None) -> Tensor:
        """The element at this index.

        Raises:
            OutOfRangeError: If there is no such index.
            InvalidArgumentError: If it was read before, unless ``clear_after_read=False``.
        """
        i = self._place(integer(index, "index"))
        if self._elements[i] is None and i in self._read:
            raise InvalidArgumentError(
                f"Could not read index {i} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)"
            )
        element = self._element(i)
        if self._clear_after_read:
            self._elements[i] = None
            self._read.add(i)
        return element

    def _place(self, index: int) -> int:
        """The index, if there is an element."""
        if index < 0:
            raise OutOfRangeError(
                f"Reading from negative indices (index {index}) is not allowed. "
                "[Op:TensorArrayReadV3]"
            )
        if index >= len(self._elements):
            raise OutOfRangeError(
                f"Tried to read from index {index} but array size is: {len(self._elements)} "
                "[Op:TensorArrayReadV3]"
            )
        return index

    def write(self, index: IntLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Put a tensor at this index; returns the array, for the next step of a loop.

        >>> import cinta as tf
        >>> array = tf.TensorArray(tf.float32, size=2)
        >>> array = array.write(0, 1.0).write(1, 2.0)
        >>> array.stack().numpy()
        array([1., 2.], dtype=float32)

        Args:
            index: A whole number from 0 on.
            value: A tensor of the array's dtype, and of the shape of the other elements.

        Raises:
            OutOfRangeError: If the index is behind the end, unless ``dynamic_size=True``.
            InvalidArgumentError: If the dtype is another one.
            ValueError: If the shape is another one.
        """
        i, size = integer(index, "index"), len(self._elements)
        if i < 0:
            raise OutOfRangeError(f"Writing to negative indices (index {i}) is not allowed.")
        if i >= size and not self.dynamic_size:
            raise OutOfRangeError(
                f"Tried to write to index {i} but array is not resizeable and size is: {size}. "
                "Use TensorArray(..., dynamic_size=True)."
            )
        element = self._checked(value)
        check_memory("TensorArrayWriteV3", (i + 1,))
        self._elements.extend([None] * (i + 1 - size))
        self._elements[i] = element
        return self

    def _checked(self, value: TensorLike) -> Tensor:
        """The value as an element: of the dtype, and of a shape that fits the others."""
        tensor = self._converted(value)
        if tensor.dtype != self.dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype "
                f"{tensor.dtype.name}"
            )
        if not self.element_shape.is_compatible_with(tensor.shape):
            raise ValueError(
                f"Incompatible shape for value ({tensor.shape}), expected ({self.element_shape})"
            )
        if self._infer_shape:
            self.element_shape = self.element_shape.merge_with(tensor.shape)
        return tensor

    def _converted(self, value: TensorLike) -> Tensor:
        """NumPy's arrays take the array's dtype, numbers where they can; tensors keep theirs."""
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
            return as_tensor(value, np.dtype(self.dtype))
        if hasattr(value, "dtype"):
            return as_tensor(value)
        try:
            return as_tensor(value, np.dtype(self.dtype))
        except (TypeError, ValueError):
            return as_tensor(value)

    def _element(self, i: int) -> Tensor:
        """The element, made of zeros if it has not been written."""
        element = self._elements[i]
        if element is None:
            element = self._elements[i] = zeros(self.element_shape, self.dtype)
        return element

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor with a new first axis."""
        if not self._elements:
            known = self.element_shape.as_list() if self.element_shape.is_fully_defined() else []
            return zeros([0, *known], self.dtype)
        return stack([self._element(i) for i in range(len(self._elements))])

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """The elements at these indices as one tensor with a new first axis."""
        return stack([self._element(self._place(i)) for i in integers(indices, "indices")])

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis.

        Raises:
            InvalidArgumentError: If an element is a scalar.

        >>> import cinta as tf
        >>> array = tf.TensorArray(tf.int32, size=2, infer_shape=False)
        >>> array.write(0, [1, 2]).write(1, [3]).concat().numpy()
        array([1, 2, 3], dtype=int32)
        """
        elements = [self._element(i) for i in range(len(self._elements))]
        for i, element in enumerate(elements):
            if not element.ndim:
                raise InvalidArgumentError(
                    f"Concat saw a scalar shape at index {i} but requires at least vectors."
                )
        return concat(elements, 0)

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Make the slices of a tensor along its first axis the elements.

        Args:
            value: The tensor.

        Raises:
            ValueError: If there are more slices than elements, unless ``dynamic_size=True``.

        >>> import cinta as tf
        >>> tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]]).read(1).numpy()
        array([3, 4], dtype=int32)
        """
        elements = unstack(cast(as_tensor(value), self.dtype))
        if len(elements) > len(self._elements) and not self.dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(elements)} tensors into a TensorArray of static size "
                f"{len(self._elements)}"
            )
        self._elements = list(elements)
        return self

    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None
    ) -> TensorArray:
        """Write the slices of a tensor along its first axis at these indices.

        Args:
            indices: A vector of whole numbers.
            value: The tensor.

        >>> import cinta as tf
        >>> tf.TensorArray(tf.int32, size=3).scatter([2, 0], [10, 20]).stack().numpy()
        array([20,  0, 10], dtype=int32)
        """
        for index, element in zip(as_tensor(indices), unstack(as_tensor(value)), strict=False):
            self.write(index, element)
        return self

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Make consecutive pieces of a tensor, of these lengths, the elements.

        Args:
            value: The tensor.
            lengths: A vector: the length of each piece along the first axis.

        Raises:
            InvalidArgumentError: If the lengths do not add up, or if there are more pieces or
                fewer.

        >>> import cinta as tf
        >>> array = tf.TensorArray(tf.int32, size=2, infer_shape=False)
        >>> array.split([1, 2, 3], [1, 2]).read(1).numpy()
        array([2, 3], dtype=int32)
        """
        pieces, sizes = self._converted(value), whole(lengths)
        total = int(np.sum(seen(sizes)))
        self._check_split(pieces, sizes, total)
        self._elements = list(split(pieces, sizes))
        return self

    def _check_split(self, value: Tensor, lengths: Tensor, total: int) -> None:
        problem = ""
        if lengths.ndim != 1:
            problem = f"Expected lengths to be a vector, received shape: {lengths.shape.as_list()}"
        elif not value.ndim:
            problem = "Expected value to be at least a vector, but received shape: []"
        elif total != value.shape[0]:
            problem = (
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{total} and value's shape is: {value.shape.as_list()}"
            )
        elif not self.dynamic_size and lengths.shape[0] != len(self._elements):
            problem = (
                "TensorArray's size is not equal to the size of lengths "
                f"({len(self._elements)} vs. {lengths.shape[0]}), and the TensorArray is not "
                "marked as dynamically resizeable."
            )
        if problem:
            raise InvalidArgumentError(problem)

    def close(self, name: str | None = None) -> None:
        """Drop all elements."""
        self._elements.clear()

    def grad(self, source: str, flow: object = None, name: str | None = None) -> NoReturn:
        """Refused: the tape needs no such thing."""
        raise NotImplementedError(
            "TensorArray.grad is not supported: gradients of what is read flow to what was written."
        )
