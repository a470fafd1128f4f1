"""Iterators over datasets, as people have them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.composites import Assembled, Composite, closed_specs
from ..engine.distributed_values import ReplicaValues
from ..engine.recorders import cannot_be_replayed
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, wrap
from ..errors import EndOfSequence, InvalidArgumentError
from ..ops.arguments import instance
from ..ops.control.tensor_array import TensorArray
from ..ops.sparse.dense import to_dense
from ..public import public
from .elements import element_of, spec_of, tensors_of
from .stage import Stage

if TYPE_CHECKING:
    from ..programs.specs import TypeSpec
    from .stage import State


@public("data.Iterator")
class Iterator:
    """One pass over a dataset; what ``iter(dataset)`` gives.

    Its place can be kept: ``state()`` gives nested dicts and lists of numbers, strings and NumPy
    arrays, and ``restore(state)`` goes on from there, in this iterator or in another one over an
    equal dataset, in another program.

    >>> import cinta as tf
    >>> dataset = tf.data.Dataset.range(4)
    >>> iterator = iter(dataset)
    >>> iterator.next().numpy()
    np.int64(0)
    >>> later = iter(dataset)
    >>> later.restore(iterator.state())
    >>> later.get_next().numpy()
    np.int64(1)
    >>> [int(each) for each in later]
    [2, 3]
    >>> later.get_next_as_optional().has_value().numpy()
    np.False_

    Args:
        stage: What ``iter`` passes; nothing else is taken.

    Raises:
        TypeError: If something else is given.
    """

    def __init__(self, stage: Stage) -> None:
        if not isinstance(stage, Stage):
            raise TypeError(
                f"tf.data.Iterator takes no arguments of this kind: {stage!r}. Make an iterator by "
                "iter(dataset)."
            )
        self._stage, self._flow = stage, stage.flow()
        self._lock = threading.RLock()  # threads may share an iterator: each gets other elements

    def __repr__(self) -> str:
        return f"<tf.data.Iterator: {type(self._stage).__name__}>"

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        """The next element; raises StopIteration at the end, which is an OutOfRangeError too."""
        cannot_be_replayed("it takes elements of a dataset")
        with self._lock:
            run = self._flow.run(1)
        if not len(run):
            raise EndOfSequence
        return tensors_of(run[0])

    next = __next__

    def get_next(self, name: str | None = None) -> Any:
        """The next element; OutOfRangeError at the end."""
        return next(self)

    def get_next_as_optional(self) -> Optional:
        """The next element, or nothing at the end."""
        for element in self:
            return Optional.from_value(element)
        return Optional.empty(self.element_spec)

    @property
    def _type_spec(self) -> TypeSpec:
        from .iterator_specs import IteratorSpec

        return IteratorSpec(self.element_spec)

    @property
    def element_spec(self) -> Any:
        """The spec of the elements."""
        return closed_specs(self._stage.spec())

    def state(self) -> State:
        """Where the iterator stands: nested dicts and lists of plain values and arrays."""
        with self._lock:
            return self._flow.state()

    def restore(self, state: State) -> None:
        """Go on from where an iterator over an equal dataset stood.

        Args:
            state: What its ``state()`` gave.

        Raises:
            ValueError: If the dataset is another one.
        """
        instance(state, dict, "state")
        flow = self._stage.flow()
        flow.restore(state)
        with self._lock:
            self._flow = flow

    _checkpoint_state, _restore_checkpoint_state = state, restore  # so that it can be saved


@public("data.NumpyIterator")
class NumpyIterator:
    """The result of ``dataset.as_numpy_iterator()``: elements with arrays instead of tensors.

    >>> import cinta as tf
    >>> iterator = tf.data.Dataset.range(3).batch(2).as_numpy_iterator()
    >>> place = iterator.state()
    >>> next(iterator), next(iterator)
    (array([0, 1]), array([2]))
    >>> iterator.restore(place)
    >>> next(iterator)
    array([0, 1])

    Args:
        iterator: An iterator over a dataset.

    Raises:
        TypeError: If it is something else.
    """

    def __init__(self, iterator: Iterator) -> None:
        if not isinstance(iterator, Iterator):
            raise TypeError(
                f"tf.data.NumpyIterator takes no arguments of this kind: {iterator!r}. Make one by "
                "dataset.as_numpy_iterator()."
            )
        self._iterator = iterator

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        return nest.map_structure(self._numpy, next(self._iterator))

    def _numpy(self, leaf: Tensor) -> object:
        if isinstance(leaf, SparseTensor):
            leaf = to_dense(leaf)
        if isinstance(leaf, TensorArray):
            raise TypeError(
                "`as_numpy_iterator()` is not supported for datasets of TensorArrays: make tensors "
                "of them, by map(lambda array: array.stack())."
            )
        is_ragged = isinstance(leaf, Assembled) and leaf._is_ragged
        return leaf.numpy() if is_ragged or isinstance(leaf, Tensor) else leaf

    def state(self) -> State:
        """Where the iterator stands."""
        return self._iterator.state()

    def save(self) -> Tensor:
        """Where the iterator stands, as a string of bytes.

        >>> import cinta as tf
        >>> iterator = tf.data.Dataset.range(3).as_numpy_iterator()
        >>> place = iterator.save()
        >>> next(iterator), iterator.restore(place), next(iterator)
        (np.int64(0), None, np.int64(0))
        """
        from .iterator_state import written_state

        return wrap(np.array(written_state(self.state()), object))

    def restore(self, state: State | Tensor | bytes) -> None:
        """Go on from where an iterator over an equal dataset stood.

        Args:
            state: What its ``state()`` or ``save()`` gave.

        Raises:
            ValueError: If these are not the bytes of a state, or the dataset is another one.
        """
        if isinstance(state, (Tensor, bytes)):
            from .iterator_state import read_state

            state = read_state(state if isinstance(state, bytes) else state.numpy())
        self._iterator.restore(state)

    _checkpoint_state, _restore_checkpoint_state = state, restore


@public("data.experimental.Optional", "experimental.Optional")
class Optional(Composite):
    """An element, or nothing.

    >>> import cinta as tf
    >>> some = tf.experimental.Optional.from_value(7)
    >>> some.has_value().numpy(), some.get_value().numpy()
    (np.True_, np.int32(7))
    >>> tf.experimental.Optional.empty(some.element_spec).has_value().numpy()
    np.False_

    Args:
        elements: A list of the element, or an empty one.
        element_spec: The spec of the element.
    """

    def __init__(self, elements: list[object], element_spec: object) -> None:
        self._elements, self.element_spec = elements, element_spec

    @property
    def _type_spec(self) -> TypeSpec:
        from .iterator_specs import OptionalSpec

        return OptionalSpec(self.element_spec)

    @staticmethod
    def from_value(value: object) -> Optional:
        """The one that holds this value."""
        if any(isinstance(leaf, ReplicaValues) for leaf in nest.flatten(value)):
            return Optional([value], None)
        element = element_of(value)
        return Optional([tensors_of(element)], closed_specs(spec_of(element)))

    @staticmethod
    def empty(element_spec: object) -> Optional:
        """The one that holds nothing.

        Args:
            element_spec: The spec of what it could hold.
        """
        return Optional([], element_spec)

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value."""
        return wrap(np.bool_(len(self._elements) > 0))

    def get_value(self, name: str | None = None) -> Any:
        """The value; InvalidArgumentError where there is none."""
        for element in self._elements:
            return element
        raise InvalidArgumentError("The given optional does not have a value.")
