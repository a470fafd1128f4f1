"""Queues: threads put elements in, and take them out in some order, one by one or as batches.

No tape tracks the elements that are taken out.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..errors import InvalidArgumentError
from ..ops.arguments import integer
from ..public import public
from .padded_batches import padded
from .queueing import QueueBase, each_shape, listed
from .randomness import StageSeeds, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import DTypeLike, IntLike, PartialShape
    from .stage import Element


@public("queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """A queue: the element that came in first goes out first.

    >>> import cinta as tf
    >>> queue = tf.queue.FIFOQueue(3, tf.int32, shapes=[[]])
    >>> queue.enqueue_many([[10, 20, 30]])
    >>> queue.dequeue().numpy(), queue.dequeue_many(2).numpy()
    (np.int32(10), array([20, 30], dtype=int32))

    Args:
        capacity: How many elements have room.
        dtypes: The dtype of each component.
        shapes: The shape of each component; None leaves it to the elements.
        names: A name for each component: then elements are dicts.
        shared_name: Accepted.
    """

    def __init__(
        self,
        capacity: IntLike,
        dtypes: DTypeLike | Sequence[DTypeLike],
        shapes: Sequence[PartialShape] | PartialShape = None,
        names: str | Sequence[str] | None = None,
        shared_name: str | None = None,
        name: str = "fifo_queue",
    ) -> None:
        super().__init__(capacity, dtypes, shapes, names, name)
        self._elements: deque[Element] = deque()

    def _push(self, element: Element) -> None:
        self._elements.append(element)

    def _push_back(self, element: Element) -> None:
        self._elements.appendleft(element)

    def _pop(self) -> Element:
        return self._elements.popleft()

    def _count(self) -> int:
        return len(self._elements)


@public("queue.PaddingFIFOQueue")
class PaddingFIFOQueue(FIFOQueue):
    """A FIFO queue whose elements may differ in shape: batches are padded with zeros.

    >>> import cinta as tf
    >>> queue = tf.queue.PaddingFIFOQueue(3, tf.int32, shapes=[[None]])
    >>> queue.enqueue([[1]])
    >>> queue.enqueue([[2, 3]])
    >>> queue.dequeue_many(2).numpy()
    array([[1, 0],
           [2, 3]], dtype=int32)

    Args:
        capacity: How many elements have room.
        dtypes: The dtype of each component.
        shapes: The shape of each component, in a list, with None for lengths that differ.
        names: A name for each component: then elements are dicts.
        shared_name: Accepted.

    Raises:
        ValueError: If there is not a list of shapes, or the rank of one is unknown.
    """

    partial_shapes = True

    def __init__(
        self,
        capacity: IntLike,
        dtypes: DTypeLike | Sequence[DTypeLike],
        shapes: Sequence[PartialShape] | PartialShape,
        names: str | Sequence[str] | None = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ) -> None:
        listed_lengths = [n is None or isinstance(n, int) for n in listed(shapes)]
        if not isinstance(shapes, (list, tuple)) or not shapes or any(listed_lengths):
            raise ValueError(
                "When providing partial shapes, a list of shapes must be provided: one for each "
                f"component, got {shapes!r}."
            )
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)
        if any(shape.rank is None for shape in self.shapes):
            raise ValueError(
                f"PaddingFIFOQueue needs the rank of every component, got shapes {shapes}."
            )

    def _stacked(self, component: int, parts: list[Any]) -> object:
        if not parts:
            return super()._stacked(component, parts)
        return padded(component, tuple(parts), self.shapes[component], None)


@public("queue.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that gives elements at random; while it is open, it keeps a reserve to draw from.

    >>> import cinta as tf
    >>> queue = tf.queue.RandomShuffleQueue(9, 0, tf.int32, shapes=[[]])
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]

    Args:
        capacity: How many elements have room.
        min_after_dequeue: How many the reserve has.
        dtypes: The dtype of each component.
        shapes: The shape of each component; None leaves it to the elements.
        names: A name for each component: then elements are dicts.
        seed: A number that decides the order, together with ``tf.random.set_seed``.
        shared_name: Accepted.

    Raises:
        InvalidArgumentError: If the reserve does not fit.
    """

    def __init__(
        self,
        capacity: IntLike,
        min_after_dequeue: IntLike,
        dtypes: DTypeLike | Sequence[DTypeLike],
        shapes: Sequence[PartialShape] | PartialShape = None,
        names: str | Sequence[str] | None = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        super().__init__(capacity, dtypes, shapes, names, name)
        self._least = integer(min_after_dequeue, "min_after_dequeue")
        if self._capacity >= 0 and not 0 <= self._least < self._capacity:
            raise InvalidArgumentError(
                f"min_after_dequeue {self._least} must be < capacity {self._capacity}"
            )
        self._elements: list[Element] = []
        self._words = Words(*StageSeeds(seed, anew=False).pair)

    def _push(self, element: Element) -> None:
        self._elements.append(element)

    def _pop(self) -> Element:
        elements = self._elements
        (word,) = self._words.take(1)
        picked = word % len(elements)
        elements[picked], elements[-1] = elements[-1], elements[picked]
        return elements.pop()

    def _count(self) -> int:
        return len(self._elements)

    def _reserve(self) -> int:
        return self._least


@public("queue.PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue: the smallest priority, the first component in int64, goes out first.

    >>> import cinta as tf
    >>> queue = tf.queue.PriorityQueue(3, [tf.string], shapes=[[]])
    >>> queue.enqueue([7, "later"])
    >>> queue.enqueue([1, "soon"])
    >>> [part.numpy() for part in queue.dequeue()]
    [np.int64(1), b'soon']

    Args:
        capacity: How many elements have room.
        types: The dtype of each component after the first.
        shapes: The shape of each component after the first; None leaves it to the elements.
        names: A name for each component: then elements are dicts.
        shared_name: Accepted.
    """

    def __init__(
        self,
        capacity: IntLike,
        types: DTypeLike | Sequence[DTypeLike],
        shapes: Sequence[PartialShape] | PartialShape = None,
        names: str | Sequence[str] | None = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ) -> None:
        all_shapes = None if shapes is None else [[], *each_shape(shapes)]
        super().__init__(capacity, [dtypes.int64, *listed(types)], all_shapes, names, name)
        self._heap: list[tuple[int, int, Element]] = []
        self._arrival = itertools.count().__next__

    def _push(self, element: Element) -> None:
        heapq.heappush(self._heap, (int(element[0]), self._arrival(), element))

    def _pop(self) -> Element:
        return heapq.heappop(self._heap)[2]

    def _count(self) -> int:
        return len(self._heap)
