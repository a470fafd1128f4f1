"""The base of all queues, whatever order their elements have."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.recorders import cannot_be_replayed
from ..engine.shapes import TensorShape
from ..engine.tensor import Tensor, wrap
from ..errors import CancelledError, InvalidArgumentError, OutOfRangeError
from ..languages.counted import counted
from ..ops.arguments import flag, integer
from ..public import public
from .elements import batched, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import DTypeLike, IntLike, PartialShape
    from .stage import Element


@public("queue.QueueBase")
class QueueBase:
    """The base of all queues. A caller that finds no element, or no room, waits for another thread.

    An element has components, whose dtypes, and shapes if they are given, are those of the queue.
    With ``names``, elements are dicts.

    >>> import cinta as tf
    >>> queue = tf.queue.FIFOQueue(9, tf.int32, shapes=[[]])
    >>> queue.enqueue(10)
    >>> queue.enqueue_many([[20, 30, 40]])
    >>> queue.dequeue().numpy(), queue.dequeue_many(2).numpy(), queue.size().numpy()
    (np.int32(10), array([20, 30], dtype=int32), np.int32(1))
    >>> queue.close()
    >>> queue.is_closed().numpy(), queue.dequeue_up_to(5).numpy()
    (np.True_, array([40], dtype=int32))

    Args:
        capacity: How many elements have room.
        dtypes: The dtype of each component.
        shapes: The shape of each component; None leaves it to the elements.
        names: A name for each component; None for none.
    """

    partial_shapes = False  # whether some lengths may be left to the elements

    def __init__(
        self,
        capacity: IntLike,
        dtypes: DTypeLike | Sequence[DTypeLike],
        shapes: Sequence[PartialShape] | PartialShape,
        names: str | Sequence[str] | None,
        name: str,
    ) -> None:
        self.name = name
        self.dtypes = _dtypes(dtypes)
        self.shapes = _shapes(shapes, self.dtypes, self.partial_shapes)
        self.names = _names(names, self.dtypes)
        self._capacity = integer(capacity, "capacity")
        self._changed = threading.Condition()
        # A caller that takes or puts several elements is not interrupted by others.
        self._taking, self._putting = threading.Lock(), threading.Lock()
        self._pending = 0  # callers that have begun to put
        self._closed = self._cancelled = False

    def __repr__(self) -> str:
        kinds = ", ".join(each.name for each in self.dtypes)
        state = "closed" if self._closed else "open"
        held = counted(self._count(), "element")
        return f"<tf.queue {type(self).__name__} of {kinds}: {held}, {state}>"

    @staticmethod
    def from_list(index: IntLike, queues: Sequence[QueueBase]) -> QueueBase:
        """The queue at this index.

        >>> import cinta as tf
        >>> queues = [tf.queue.FIFOQueue(9, tf.int32), tf.queue.FIFOQueue(1, tf.int32)]
        >>> tf.queue.QueueBase.from_list(1, queues) is queues[1]
        True

        Args:
            index: The index.
            queues: A list of queues with the same dtypes.

        Raises:
            TypeError: If it is not such a list.
            InvalidArgumentError: If there is no such index.
        """
        if not isinstance(queues, (list, tuple)) or not queues:
            raise TypeError("A list of queues expected")
        for queue in queues:
            if not isinstance(queue, QueueBase):
                raise TypeError("A list of queues expected")
            if queue.dtypes != queues[0].dtypes:
                raise TypeError("Queues do not have matching component dtypes.")
        place = integer(index, "index")
        if not 0 <= place < len(queues):
            raise InvalidArgumentError(f"index {place} is not in [0, {len(queues)}).")
        found: QueueBase = queues[place]
        return found

    # -- where the elements lie: what the kinds of queues differ in --------------------------------

    def _push(self, element: Element) -> None:
        raise NotImplementedError

    def _pop(self) -> Element:
        raise NotImplementedError

    def _push_back(self, element: Element) -> None:
        """Let the element that was taken last lie where it lay."""
        self._push(element)

    def _count(self) -> int:
        raise NotImplementedError

    def _reserve(self) -> int:
        """How many elements stay in the queue while it is open."""
        return 0

    def _stacked(self, component: int, parts: list[Any]) -> object:
        shape, dtype = self.shapes[component], self.dtypes[component].dtype
        if not parts:
            return np.empty((0, *[n or 0 for n in shape]), dtype)
        return batched(parts)

    # -- in ----------------------------------------------------------------------------------------

    def enqueue(self, vals: object, name: str | None = None) -> None:
        """Put in one element; waits for room.

        Args:
            vals: A list of its components, or the only one; with names a dict.

        Raises:
            CancelledError: If the queue is closed.
        """
        element = self._components(vals, "enqueue")
        for component, array in enumerate(element):
            self._check_shape(component, array.shape)
        self._put([element])

    def enqueue_many(self, vals: object, name: str | None = None) -> None:
        """Put in the rows of the components, one after the other; waits for room.

        Args:
            vals: A list of components, each with the same number of rows; with names a dict.

        Raises:
            ValueError: If a component has no rows, or another number of them.
            CancelledError: If the queue is closed.
        """
        components = self._components(vals, "enqueue_many")
        for component, array in enumerate(components):
            if not array.ndim:
                raise ValueError("Shape () must have rank at least 1: enqueue_many takes rows.")
            if len(array) != len(components[0]):
                raise ValueError(
                    f"Dimensions {len(components[0])} and {len(array)} are not compatible: the "
                    "components of enqueue_many need the same number of rows."
                )
            self._check_shape(component, array.shape[1:])
        rows = range(len(components[0]))
        self._put([tuple([row(array, i) for array in components]) for i in rows])

    def _components(self, vals: object, method: str) -> Element:
        if isinstance(vals, dict):
            vals = self._by_name(vals)
        elif self.names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        values = list(vals) if isinstance(vals, (list, tuple)) else [vals]
        if len(values) != len(self.dtypes):
            raise InvalidArgumentError(
                f"Signature mismatch: {self.name}.{method} takes a list of {len(self.dtypes)} "
                f"components, got {len(values)}."
            )
        return tuple(
            [as_tensor(v, d.dtype)._array for v, d in zip(values, self.dtypes, strict=True)]
        )

    def _by_name(self, vals: dict[str, Any]) -> list[Any]:
        if not self.names:
            raise ValueError("Queue must have names to enqueue a dictionary")
        if sorted(self.names) != sorted(vals):
            raise ValueError(
                "Keys in dictionary to enqueue do not match names of Queue.  Dictionary: "
                f"{sorted(vals)},Queue: {sorted(self.names)}"
            )
        return [vals[name] for name in self.names]

    def _check_shape(self, component: int, shape: Sequence[int | None]) -> None:
        if not self.shapes[component].is_compatible_with(shape):
            raise ValueError(
                f"Shapes {tuple(shape)} and {self.shapes[component]} are incompatible: component "
                f"{component} of the queue {self.name!r} has another shape."
            )

    def _put(self, elements: list[Element]) -> None:
        cannot_be_replayed("it puts elements in a queue")
        with self._changed:
            if self._closed:
                raise CancelledError(f"{type(self).__name__} '{self.name}' is closed.")
            self._pending += 1
        try:
            with self._putting:
                for element in elements:
                    self._put_one(element)
        finally:
            with self._changed:
                self._pending -= 1
                self._changed.notify_all()

    def _put_one(self, element: Element) -> None:
        with self._changed:
            while 0 <= self._capacity <= self._count() and not self._cancelled:
                self._changed.wait()
            if self._cancelled:
                raise CancelledError("Enqueue operation was cancelled")
            self._push(element)
            self._changed.notify_all()

    # -- out ---------------------------------------------------------------------------------------

    def dequeue(self, name: str | None = None) -> Any:
        """Take out one element: a tensor, a list of tensors, or a dict; waits for it.

        Raises OutOfRangeError if the queue is closed and empty.
        """
        (element,) = self._take(1)
        return self._given(element)

    def dequeue_many(self, n: IntLike, name: str | None = None) -> Any:
        """Take out elements, put together along a new first axis; waits for them.

        Args:
            n: How many.

        Raises:
            OutOfRangeError: If the queue is closed and has fewer.
            InvalidArgumentError: If the queue has not been told the shapes of its elements.
        """
        return self._batch(self._take(self._number(n)))

    def dequeue_up_to(self, n: IntLike, name: str | None = None) -> Any:
        """Take out elements, put together along a new first axis; waits for them.

        Args:
            n: How many; when the queue is closed it may be fewer.

        Raises:
            OutOfRangeError: If the queue is closed and empty.
            InvalidArgumentError: If the queue has not been told the shapes of its elements.
        """
        return self._batch(self._take(self._number(n), fewer=True))

    def _number(self, n: IntLike) -> int:
        number, kind = integer(n, "n"), type(self).__name__
        if number < 0:
            raise InvalidArgumentError(f"DequeueManyOp requested {number} < 0 elements")
        for shape in self.shapes:
            if shape.rank is None:
                raise InvalidArgumentError(
                    f"{kind}'s DequeueMany and DequeueUpTo require the components to have specified"
                    f" shapes: give them to tf.queue.{kind}(shapes=...)."
                )
        return number

    def _take(self, number: int, fewer: bool = False) -> list[Element]:
        cannot_be_replayed("it takes elements of a queue")
        taken: list[Element] = []
        with self._taking:
            try:
                while len(taken) < number and self._take_one(taken, number, fewer):
                    pass
            except BaseException:
                with self._changed:
                    for element in reversed(taken):
                        self._push_back(element)
                raise
        return taken

    def _take_one(self, taken: list[Element], number: int, fewer: bool) -> bool:
        """Take an element; False if there will be none, and those taken are enough."""
        with self._changed:
            while not (ready := self._count() > (0 if self._closed else self._reserve())):
                if self._closed and not self._pending:
                    break
                self._changed.wait()
            if ready:
                taken.append(self._pop())
                self._changed.notify_all()
            elif not (fewer and taken):
                raise OutOfRangeError(
                    f"{type(self).__name__} '{self.name}' is closed and has insufficient elements "
                    f"(requested {number}, current size {len(taken)})"
                )
        return ready

    def _batch(self, taken: list[Element]) -> object:
        columns = [[element[i] for element in taken] for i in range(len(self.dtypes))]
        return self._given([self._stacked(i, column) for i, column in enumerate(columns)])

    def _given(self, components: Sequence[Any]) -> object:
        tensors = [wrap(array) for array in components]
        if self.names:
            return dict(zip(self.names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    # -- the queue itself --------------------------------------------------------------------------

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are."""
        cannot_be_replayed("it counts the elements of a queue")
        with self._changed:
            return wrap(np.int32(self._count()))

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether nothing more may be put in."""
        cannot_be_replayed("it looks at a queue")
        return wrap(np.bool_(self._closed))

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> None:
        """Let nothing more be put in; what is there can be taken out.

        A caller that waits for room already goes on waiting, or fails with a CancelledError if
        ``cancel_pending_enqueues``.
        """
        cannot_be_replayed("it closes a queue")
        cancel = flag(cancel_pending_enqueues, "cancel_pending_enqueues")
        with self._changed:
            if self._closed and not cancel:
                raise CancelledError(f"Queue '{self.name}' is already closed.")
            self._closed, self._cancelled = True, cancel
            self._changed.notify_all()


# -- names, shapes and dtypes of the components ----------------------------------------------------


def listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _dtypes(given: object) -> list[dtypes.DType]:
    return [dtypes.as_dtype(each) for each in listed(given)]


def each_shape(given: object) -> list[Any]:
    """The shapes of all components; lengths alone, or none at all, are one shape."""
    if isinstance(given, TensorShape):
        return [given]
    if not isinstance(given, (list, tuple)):
        raise TypeError(
            f"Shapes must be a TensorShape or a list or tuple of TensorShapes, got {type(given)} "
            "instead."
        )
    is_one = all(length is None or isinstance(length, int) for length in given)
    return [given] if is_one else list(given)


def _shapes(given: object, types: list[dtypes.DType], partial: bool) -> list[TensorShape]:
    """A shape for each component: of any length and rank if nothing is given."""
    if given is None:
        return [TensorShape(None)] * len(types)
    shapes = [TensorShape(each) for each in each_shape(given)]
    if not partial and not all(shape.is_fully_defined() for shape in shapes):
        raise ValueError(f"All shapes must be fully defined: {shapes}")
    if len(shapes) != len(types):
        raise InvalidArgumentError(
            f"Different number of component types.  Types: {', '.join(t.name for t in types)}, "
            f"Shapes: {list(map(str, shapes))}"
        )
    return shapes


def _names(given: object, types: list[dtypes.DType]) -> list[str] | None:
    if given is None:
        return None
    names = listed(given)
    if len(names) != len(types):
        raise ValueError(
            "List of names must have the same length as the list of dtypes, received "
            f"len(names)={len(names)},len(dtypes)={len(types)}"
        )
    return names
