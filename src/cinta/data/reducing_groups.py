"""Elements with one key made into one, and datasets filled up to a number of elements."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import nest
from ..errors import InvalidArgumentError
from ..ops.arguments import checked_callable, instance, integer, text
from ..ops.arrays.creation import zeros
from ..programs.specs import TensorSpec
from ..public import public
from .base import stage_of
from .dataset import Dataset
from .stage import INFINITE, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike


@public("data.experimental.Reducer")
class Reducer:
    """How ``group_by_reducer`` makes one element of several.

    >>> import cinta as tf
    >>> total = tf.data.experimental.Reducer(
    ...     lambda key: tf.constant(0, tf.int64), lambda state, x: state + x, lambda state: state
    ... )
    >>> total.finalize_func(5)
    5

    Args:
        init_func: A function of a key, which gives the first state.
        reduce_func: A function of a state and an element, which gives the next state.
        finalize_func: A function of the last state, which gives the result.

    Raises:
        TypeError: If one of them cannot be called.
    """

    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        self._init = checked_callable(init_func, "init_func")
        self._reduce = checked_callable(reduce_func, "reduce_func")
        self._finalize = checked_callable(finalize_func, "finalize_func")

    @property
    def init_func(self) -> Callable[..., Any]:
        """The function that gives the first state."""
        return self._init

    @property
    def reduce_func(self) -> Callable[..., Any]:
        """The function that gives the next state."""
        return self._reduce

    @property
    def finalize_func(self) -> Callable[..., Any]:
        """The function that gives the result."""
        return self._finalize


@public("data.experimental.group_by_reducer")
def group_by_reducer(
    key_func: Callable[..., Any], reducer: Reducer
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that makes one element of all with the same key, in order of keys.

    The elements of a dataset are held in memory until its end.

    >>> import cinta as tf
    >>> total = tf.data.experimental.Reducer(
    ...     lambda key: tf.constant(0, tf.int64), lambda state, x: state + x, lambda state: state
    ... )
    >>> by_parity = tf.data.experimental.group_by_reducer(lambda x: x % 2, total)
    >>> list(map(int, tf.data.Dataset.range(5).apply(by_parity)))
    [6, 4]

    Args:
        key_func: A function of an element, which gives its key in int64.
        reducer: A ``tf.data.experimental.Reducer``.

    Raises:
        TypeError: If ``reducer`` is anything else.
    """
    how = instance(reducer, Reducer, "reducer")

    def reduced(key: object, group: Dataset) -> Dataset:
        state = group.reduce(how.init_func(key), how.reduce_func)
        given = state if type(state) is tuple else (state,)
        return Dataset.from_tensors(how.finalize_func(*given))

    return lambda dataset: dataset.group_by_window(key_func, reduced, window_size=sys.maxsize)


@public("data.experimental.pad_to_cardinality")
def pad_to_cardinality(
    cardinality: IntLike, mask_key: str = "valid"
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that adds elements of zeros, up to a number of elements.

    >>> import cinta as tf
    >>> rows = tf.data.Dataset.from_tensor_slices({"x": [1, 2]})
    >>> filled = rows.apply(tf.data.experimental.pad_to_cardinality(3))
    >>> [(int(row["x"]), bool(row["valid"])) for row in filled]
    [(1, True), (2, True), (0, False)]

    Args:
        cardinality: The number of elements, at least as many as there are.
        mask_key: The key of the part of each element that says whether it was there before.

    Raises:
        ValueError: If the elements are not dicts of tensors of known shapes, if their number is
            not known, or if it is larger.
    """
    wanted, key = integer(cardinality, "cardinality"), text(mask_key, "mask_key")

    def padded(dataset: Dataset) -> Dataset:
        count = stage_of(dataset, "dataset").cardinality()
        if not isinstance(dataset.element_spec, Mapping):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")
        if count in (INFINITE, UNKNOWN):
            raise ValueError(
                "The dataset passed into `pad_to_cardinality` must have a known cardinality, "
                f"but has cardinality {count}."
            )
        if count > wanted:
            raise ValueError(
                "The dataset passed into `pad_to_cardinality` must have at most as many elements "
                f"as the target cardinality ({wanted}), but has cardinality {count}."
            )
        zero = nest.map_structure(_zeros, dataset.element_spec)
        more = Dataset.from_tensors(zero).repeat(wanted - count)
        marked = [
            each.map(lambda row, mark=mark: {**row, key: mark})
            for each, mark in ((dataset, True), (more, False))
        ]
        return marked[0].concatenate(marked[1])

    return padded


def _zeros(spec: object) -> object:
    if not isinstance(spec, TensorSpec) or not spec.shape.is_fully_defined():
        raise InvalidArgumentError(
            f"`pad_to_cardinality` needs elements of tensors of known shapes, got {spec!r}."
        )
    return zeros(spec.shape, spec.dtype)
