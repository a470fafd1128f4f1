"""VariableStorage: holds a value that can be changed, in whole or in part."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidArgumentError
from .arrays import HOW_TO_EXPLAIN_NONE, truth
from .convert import as_tensor
from .device_values import is_on_device, on_host
from .indexed_slices import IndexedSlices
from .primitives import Add, BroadcastTo, Reshape, Sub
from .recorders import join, observers
from .shapes import written
from .slice_updates import UpdateRows, UpdateSlice, check_update, check_vectors, update
from .tensor import tracked
from .transactions import alone, read_alone

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from .annotations import BasicIndex, NumericLike, TensorLike
    from .device_values import Held
    from .op import Op
    from .shapes import TensorShape
    from .tensor import Array, Tensor


class VariableStorage:
    """A variable without its relation to tapes: an array, a name, and the ways to update it.

    Tensors and records share the array while they live. It is updated in place only if nobody else
    has it, so what they have never changes. A change goes through `alone`: no other thread changes
    the value meanwhile. To read it takes no lock.

    The value is in ``_array``; or in ``_unsettled``, while it is on a device or being written to.
    A read of ``_array`` then goes to `_fetched`.
    """

    _array: Array
    _unsettled: Held
    _name: str
    _number: int
    _shape: TensorShape

    @property
    def name(self) -> str:
        """The name, followed by ``:0`` as in TensorFlow."""
        return f"{self._name}:0"

    def _note_read(self) -> None:
        """Let it be known that somebody has seen the value."""

    # -- the whole ---------------------------------------------------------------------------

    def assign(
        self,
        value: TensorLike | None,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Self:
        """Give a new value. Gradients of computations that read the old value still use that.

        Args:
            value: The new value, of the variable's shape and dtype.
            use_locking: Changes nothing: one thread at a time assigns.
            read_value: Whether the variable is returned; otherwise None is.

        Raises:
            ValueError: If the shape or the dtype is not the variable's.

        >>> import cinta as tf
        >>> v = tf.Variable([1.0, 2.0])
        >>> v.assign([3.0, 4.0]).numpy()
        array([3., 4.], dtype=float32)
        """
        new = self._converted(value)
        if not self._shape.is_compatible_with(new._array.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable "
                f"shape {self._shape}, and the assigned value shape {new.shape} are incompatible. "
                "A variable keeps its shape, unless it is made with shape=tf.TensorShape(None)."
            )
        alone(self, self._become, new)
        return self._returned(read_value)

    def assign_add(
        self,
        delta: TensorLike | None,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Self:
        """Add to the value.

        Args:
            delta: What is added: a tensor of the variable's shape, or ``IndexedSlices`` with some
                rows.
            use_locking: Changes nothing: one thread at a time assigns.
            read_value: Whether the variable is returned; otherwise None is.

        Raises:
            InvalidArgumentError: If the shape is not the variable's.
            ValueError: If the dtype is not.

        >>> import cinta as tf
        >>> tf.Variable(1.0).assign_add(2.0).numpy()
        np.float32(3.0)
        """
        return self._update(np.add, delta, read_value)

    def assign_sub(
        self,
        delta: NumericLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Self:
        """Subtract from the value.

        Args:
            delta: What is subtracted: a tensor of the variable's shape, or ``IndexedSlices`` with
                some rows.
            use_locking: Changes nothing: one thread at a time assigns.
            read_value: Whether the variable is returned; otherwise None is.

        Raises:
            InvalidArgumentError: If the shape is not the variable's.
            ValueError: If the dtype is not.

        >>> import cinta as tf
        >>> w = tf.Variable(1.0)
        >>> with tf.GradientTape() as tape:
        ...     loss = w**2
        >>> w.assign_sub(0.1 * tape.gradient(loss, w)).numpy()
        np.float32(0.8)
        """
        return self._update(np.subtract, delta, read_value)

    def _update(self, ufunc: np.ufunc, delta: TensorLike | None, read_value: bool) -> Self:
        if isinstance(delta, IndexedSlices):
            return self._scatter(ufunc, delta, read_value)
        return alone(self, self._updated, ufunc, self._converted(delta))._returned(read_value)

    def _updated(self, ufunc: np.ufunc, tensor: Tensor) -> Self:
        array, change = self._array, tensor._array
        if change.shape != array.shape:
            raise InvalidArgumentError(
                f"Cannot update variable with shape {written(array.shape)} using a Tensor "
                f"with shape {written(change.shape)}, shapes must be equal."
            )
        if observers():
            return self._told(_OPS[ufunc], tensor)
        large = array.nbytes >= _LARGE
        del array
        with np.errstate(all="ignore"):
            if large:
                array = self._opened()
                ufunc(array, change, out=array)
                self._close(array)
            else:
                self._array = ufunc(self._array, change)
        return self

    def _converted(self, value: TensorLike | None) -> Tensor:
        if value is None:
            raise ValueError(
                f"Attempt to convert a value (None) with an unsupported type to the value of "
                f"variable '{self.name}'. A gradient that is None, because the target does not "
                f"depend on the variable, often ends up here. {HOW_TO_EXPLAIN_NONE}"
            )
        return as_tensor(value, self._array.dtype)

    def _restore(self, tensor: Tensor) -> None:
        """Take a value that was saved."""
        self.assign(tensor, read_value=False)

    def _become(self, tensor: Tensor) -> None:
        """Take the value of a tensor."""
        for observer in observers():
            observer.assigned(self, tensor)
        self._array = tensor._array

    def _unwatched(self) -> Tensor:
        """The value as a constant for tapes; observers hear that it is read."""
        array = self._array
        told = [observer for observer in observers() if observer.on_read(self, array)]
        return tracked(array, join(told), self._number)

    def _told(self, change: Op, *inputs: Tensor, **attrs: object) -> Self:
        """Change the value by an op, because there are observers who know of ops alone."""
        self._become(change(self._unwatched(), *inputs, **attrs))
        return self

    def _returned(self, read_value: bool) -> Self:
        """The result of an update: the variable itself, or None if ``read_value`` is false."""
        if read_value is not True and not truth(read_value, "read_value"):
            return None  # type: ignore[return-value]  # for a caller that reads nothing
        self._note_read()
        return self

    # -- rows and other parts ------------------------------------------------------------------

    def _scatter(
        self, ufunc: np.ufunc | None, sparse_delta: object, read_value: bool = True
    ) -> Self:
        """Update rows, each as often as it is listed."""
        slices = self._checked_slices(sparse_delta)
        rows = as_tensor(slices.indices)
        values = self._converted(slices.values)
        if not values._array.ndim:
            shape = (*rows._array.shape, *self._array.shape[1:])
            values = BroadcastTo(values, shape=shape, rank=0)
        vectors = Reshape(rows, shape=(*rows._array.shape, 1))
        return alone(self, self._update_rows, ufunc, vectors, values)._returned(read_value)

    @staticmethod
    def _checked_slices(sparse_delta: object) -> IndexedSlices:
        if isinstance(sparse_delta, IndexedSlices):
            return sparse_delta
        why = f". {HOW_TO_EXPLAIN_NONE}" if sparse_delta is None else ""
        raise TypeError(
            "Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: "
            f"{sparse_delta}{why}"
        )

    def _scatter_nd(
        self, ufunc: np.ufunc | None, indices: NumericLike, updates: TensorLike
    ) -> Self:
        vectors = as_tensor(indices)
        if vectors._array.ndim == 1:  # as TensorFlow has it, numbers of rows
            vectors = Reshape(vectors, shape=(-1, 1))
        new = self._converted(updates)
        return alone(self, self._update_rows, ufunc, vectors, new)._returned(True)

    def _update_rows(self, ufunc: np.ufunc | None, vectors: Tensor, new: Tensor) -> Self:
        check_update(ufunc, vectors._array, new._array, self._array)
        if observers():
            return self._told(UpdateRows, vectors, new, how=ufunc)
        check_vectors(vectors._array, self._array.shape)
        array = self._opened()
        update(ufunc, array, tuple(np.moveaxis(vectors._array, -1, 0)), new._array)
        self._close(array)
        return self

    def _assign_slice(self, index: BasicIndex, value: Tensor) -> Self:
        """Assign to a part: ``v[index].assign(value)``."""
        return alone(self, self._update_slice, index, self._converted(value))._returned(True)

    def _update_slice(self, index: BasicIndex, new: Tensor) -> Self:
        if observers():
            return self._told(UpdateSlice, new, index=index)
        array = self._opened()
        array[index] = new._array
        self._close(array)
        return self

    # -- where the array is ------------------------------------------------------------------

    def _held(self) -> Held:
        """The value, wherever it is."""
        mine = vars(self)
        value: Held | None = mine.get("_array")
        if value is None:
            value = mine.get("_unsettled")
            if value is None or not is_on_device(value):
                return self._fetched()
        return value

    def _fetched(self) -> Array:
        """The array, now that somebody asks for it who has not found it in its place."""
        return read_alone(self, self._settled)

    def _settled(self) -> Array:
        mine = vars(self)
        if "_array" not in mine:
            self._array = on_host(mine["_unsettled"])
        mine.pop("_unsettled", None)
        return self._array

    def _overwrite(self, write: Callable[[Array], None]) -> None:
        """Let a function write a new value into an array: the present one, if nobody else has it.

        Nobody sees the value before the function returns.
        """

        def overwrite() -> None:
            array = self._opened(np.empty_like)
            write(array)
            self._close(array)

        alone(self, overwrite)

    def _opened(self, copy: Callable[[Array], Array] = np.array) -> Array:
        """The array, to be written to: out of sight, and copied if anyone else has it.

        Tensors, records and views all have a reference to the array that they show; an array with
        a copy on a device is closed to writing. From here on nobody can come to have one, and if
        it is not closed again, because of an interrupt, the value is still there.
        """
        self._unsettled = self._array
        del self._array
        return self._unsettled if _is_alone(self) else copy(self._unsettled)

    def _close(self, array: Array) -> None:
        """Show an array that has been written to."""
        self._array = array if array.ndim else array[()]
        del self._unsettled


def _references(place: VariableStorage) -> int:
    return sys.getrefcount(place._unsettled)


def _alone_count() -> int:
    place = VariableStorage()
    place._unsettled = np.zeros(1)
    return _references(place)


def _is_alone(place: VariableStorage) -> bool:
    """Whether nobody else has the array, which is out of sight, or a part of it."""
    array: object = place._unsettled
    if not isinstance(array, np.ndarray) or array.base is not None or not array.flags.writeable:
        return False
    del array
    return _references(place) == _ALONE


_OPS: dict[np.ufunc, Op] = {np.add: Add, np.subtract: Sub}

_ALONE = _alone_count()
"""The reference count of an array that only its place holds."""

_LARGE = 1 << 12
"""Bytes from which on it pays to update an array in place."""
