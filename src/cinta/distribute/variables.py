"""Variables of several replicas: the same for all, or one copy for each.

They are classes of their own, so that plain variables pay nothing for them.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import as_dtype
from ..engine.convert import as_tensor
from ..engine.devices import current_device
from ..engine.distributed_values import DistributedValues
from ..engine.indexed_slices import IndexedSlices
from ..engine.placing import placed
from ..engine.replicas import (
    VariableAggregation,
    VariableSynchronization,
    context,
    meet,
    once,
    shared_by_all,
)
from ..engine.tensor import wrap
from ..engine.variable import Variable
from ..ops.collective import reduced
from .reduce_op import ReduceOp

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from ..engine.annotations import BasicIndex, DTypeLike, NumericLike, TensorLike
    from ..engine.device_values import Held
    from ..engine.tensor import Array, Tensor
    from .cluster import Cluster
    from .strategy import Strategy


class DistributedVariable(Variable, DistributedValues):
    """A variable of one replica; classes derived from it are for several."""

    _strategy: Strategy

    @property
    def values(self) -> tuple[Variable, ...]:
        """The variable as each replica has it."""
        return (self,) * len(self._strategy._replicas)

    @property
    def _values(self) -> tuple[Variable, ...]:
        """The same by the name that libraries know."""
        return self.values

    @property
    def synchronization(self) -> VariableSynchronization:
        """When copies become one: on writing, if nothing else was asked for."""
        asked = self._synchronization
        return VariableSynchronization.ON_WRITE if asked.name == "AUTO" else asked

    @property
    def device(self) -> str:
        """The device of the replica that asks."""
        return current_device()

    def _shown_copies(self) -> list[str]:
        return [_plain_repr(self) for _ in self.values]

    def __repr__(self) -> str:
        lines = [
            f"  {i}: {text.replace(':0', f'/replica_{i}:0', 1) if i else text}"
            for i, text in enumerate(self._shown_copies())
        ]
        on_read = self._synchronization is VariableSynchronization.ON_READ
        name = "SyncOnReadVariable" if on_read else "MirroredVariable"
        return f"{name}:{{\n" + ",\n".join(lines) + "\n}"


def _plain_repr(variable: Variable) -> str:
    return Variable.__repr__(variable)


class MirroredVariable(DistributedVariable):
    """A variable that is the same for all replicas, which assign it together."""

    def assign(
        self,
        value: TensorLike | None,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Self:
        """Give a new value: the aggregate of those that replicas give."""
        change = super().assign
        return self._changed("assign", value, lambda v: change(v, use_locking, name, read_value))

    def _update(self, ufunc: np.ufunc, delta: TensorLike | None, read_value: bool) -> Self:
        change = super()._update
        return self._changed(ufunc.__name__, delta, lambda v: change(ufunc, v, read_value))

    def _scatter(
        self, ufunc: np.ufunc | None, sparse_delta: object, read_value: bool = True
    ) -> Self:
        change = super()._scatter
        if isinstance(sparse_delta, IndexedSlices) and _number() is not None:
            self._check_can_combine(ufunc)
            sparse_delta = self._aggregated("an update of rows", sparse_delta)
        return once("an update of rows", lambda: change(ufunc, sparse_delta, read_value))

    def _check_can_combine(self, ufunc: np.ufunc | None) -> None:
        """Raise where sums or means of rows say nothing, as for the largest rows."""
        if self._aggregation.name in ("SUM", "MEAN") and ufunc not in (np.add, np.subtract):
            what = "scatter_update" if ufunc is None else f"rows by {ufunc.__name__}"
            raise NotImplementedError(
                f"{what} of the variable '{self._name}': the {self._aggregation.name} of the rows "
                "of replicas can be added and subtracted alone. Make the variable with "
                "aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA."
            )

    def _scatter_nd(
        self, ufunc: np.ufunc | None, indices: NumericLike, updates: TensorLike
    ) -> Self:
        change = super()._scatter_nd
        return self._changed("scatter_nd", updates, lambda v: change(ufunc, indices, v))

    def _assign_slice(self, index: BasicIndex, value: Tensor) -> Self:
        change = super()._assign_slice
        return self._changed("assign", value, lambda v: change(index, v))

    def _changed(
        self, what: str, value: TensorLike | IndexedSlices | None, change: Callable[[Any], Self]
    ) -> Self:
        """Change the variable once by what all replicas together give."""
        if _number() is None:
            return change(value)
        given = value if isinstance(value, IndexedSlices) else self._converted(value)
        combined = self._aggregated(what, given)
        return once(what, lambda: change(combined))

    def _aggregated(self, what: str, value: Tensor | IndexedSlices) -> Tensor | IndexedSlices:
        """The replicas' values made into one: the sum, the mean, or the same from each."""
        name = self._aggregation.name
        if name in ("SUM", "MEAN"):
            replica = context().replica  # type: ignore[union-attr]  # there is one here
            return replica.all_reduce(name, value)  # type: ignore[no-any-return]
        if isinstance(value, IndexedSlices):
            parts = as_tensor(value.values), as_tensor(value.indices)
            values, indices = (self._same_for_all(what, part) for part in parts)
            return IndexedSlices(values, indices, value.dense_shape)
        return self._same_for_all(what, value)

    def _same_for_all(self, what: str, value: Tensor) -> Tensor:
        first = self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA
        place = f"{what} of the variable '{self._name}'"
        if not first:
            _check_same_for_all(value._array, place)
            return value
        given: tuple[Any, ...] = shared_by_all(place, value._array if _is_first() else None)
        return value if _is_first() else wrap(given[0])


def _check_same_for_all(array: Array, what: str) -> None:
    """Raise if replicas assign different values."""

    def work(digests: list[str]) -> list[None]:
        if len({*digests}) > 1:
            raise ValueError(
                f"Replicas give different values to {what}, which is the "
                "same for all of them. Make it with aggregation=tf.VariableAggregation.MEAN, "
                "SUM or ONLY_FIRST_REPLICA, or with "
                "synchronization=tf.VariableSynchronization.ON_READ, so that each has its own."
            )
        return [None] * len(digests)

    meet(what, _digest(array), work)


def _digest(array: Array) -> str:
    """A text that differs where arrays do."""
    return f"{np.shape(array)} {sha256(np.asarray(array).tobytes()).hexdigest()}"


def _is_first() -> bool:
    """Whether the first of all replicas runs here."""
    where = context()
    return where is None or where.replica._number == 0


def _number() -> int | None:
    """The number of the replica that runs here; None where the program runs for all."""
    where = context()
    return None if where is None or where.turns is None else where.number


class SyncOnReadVariable(DistributedVariable):
    """A variable of which each replica has a copy; outside of replicas it is their aggregate."""

    _copies: list[Variable]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("trainable") is None:
            kwargs["trainable"] = False
        self._copies = []
        super().__init__(*args, **kwargs)
        first = vars(self)["_first"]
        for device in self._strategy._devices:
            with placed(device):
                copy = type.__call__(
                    Variable, first, self._trainable, name=self._name, shape=self._shape
                )
            self._copies.append(copy)
        for each in self._copies:
            vars(each)["_siblings"] = self._copies

    @property
    def values(self) -> tuple[Variable, ...]:
        return tuple(self._copies)

    def _shown_copies(self) -> list[str]:
        return [_plain_repr(each) for each in self._copies]

    @property
    def _array(self) -> Array:
        """The value: of this replica's copy, or the aggregate of all."""
        if not self._copies:
            found: Array = vars(self)["_first"]
            return found
        number = _number()
        if number is not None:
            return self._copies[number]._array
        return self._aggregate()

    @_array.setter
    def _array(self, array: Array) -> None:
        if not self._copies:
            vars(self)["_first"] = array
            return
        raise AssertionError("copies are assigned one by one")

    def _held(self) -> Held:
        return self._array

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        number = _number()
        if number is None or self._trainable:  # tapes know a variable, and not its copies
            return super().__tf_tensor__(dtype, name)
        return self._copies[number].__tf_tensor__(dtype, name)  # as it is assigned

    def _aggregate(self) -> Array:
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return self._copies[0]._array  # in each process that of its own first replica
        arrays = [each._array for each in self._copies]
        if self._strategy._cluster is not None:
            what = f"the reading of the variable '{self._name}'"
            arrays = self._strategy._cluster.exchange(what, arrays)
        how = ReduceOp.from_variable_aggregation(self._aggregation).value
        whole: Array = reduced(arrays, how).astype(arrays[0].dtype)
        return whole

    def assign(
        self,
        value: TensorLike | None,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Self:
        """Give the copy of this replica a new value; outside of replicas, all copies.

        Their sum is then the value that was given.
        """
        number = _number()
        if number is not None:
            self._copies[number].assign(value, use_locking, name, read_value)
            return self
        tensor = self._copies[0]._converted(value)
        if self._aggregation is VariableAggregation.SUM:
            count = self._strategy.num_replicas_in_sync
            tensor = tensor // count if tensor._array.dtype.kind in "iu" else tensor / count
        for each in self._copies:
            each.assign(tensor)
        return self

    def _converted_whole(self, value: TensorLike | None) -> Tensor:
        _require_aggregate(self._aggregation)
        return self._copies[0]._converted(value)

    def _update(self, ufunc: np.ufunc, delta: TensorLike | None, read_value: bool) -> Self:
        number = _number()
        if number is not None:
            self._copies[number]._update(ufunc, delta, read_value)
            return self
        if self._aggregation is VariableAggregation.SUM:
            raise ValueError(
                "SyncOnReadVariable does not support "
                f"`assign_{'add' if ufunc is np.add else 'sub'}` in cross-replica context when "
                "aggregation is set to `tf.VariableAggregation.SUM`."
            )
        return self.assign(ufunc(self._array, self._converted_whole(delta)._array))

    def _scatter(
        self, ufunc: np.ufunc | None, sparse_delta: object, read_value: bool = True
    ) -> Self:
        self._own("an update of rows")._scatter(ufunc, sparse_delta, read_value)
        return self

    def _scatter_nd(
        self, ufunc: np.ufunc | None, indices: NumericLike, updates: TensorLike
    ) -> Self:
        self._own("an update of slices")._scatter_nd(ufunc, indices, updates)
        return self

    def _assign_slice(self, index: BasicIndex, value: Tensor) -> Self:
        self._own("an update of a slice")._assign_slice(index, value)
        return self

    def _own(self, what: str) -> Variable:
        number = _number()
        if number is None:
            raise NotImplementedError(
                f"{what} of a variable with a copy for each replica belongs to one of them: do it "
                "in a function that `strategy.run` is given."
            )
        return self._copies[number]


def _require_aggregate(aggregation: VariableAggregation) -> None:
    """Raise if copies cannot be made into one value."""
    if aggregation is not VariableAggregation.ONLY_FIRST_REPLICA:
        ReduceOp.from_variable_aggregation(aggregation)


def make_distributed(strategy: Strategy, given: dict[str, object]) -> Variable:
    """A variable of all replicas of a strategy, made of the arguments of `tf.Variable`."""
    synchronization = given.get("synchronization")
    if synchronization is VariableSynchronization.NONE:
        raise ValueError(
            "`NONE` variable synchronization mode is not supported with replicas: make the "
            "variable with synchronization=tf.VariableSynchronization.AUTO, ON_WRITE or ON_READ."
        )
    cls = _class_for(strategy, synchronization)
    made = cls.__new__(cls)
    made._strategy = strategy
    if strategy._cluster is not None:
        given = given | {"initial_value": _of_first(strategy._cluster, given)}
    made.__init__(**given)  # type: ignore[misc]  # the strategy must be there before
    return made


def _class_for(strategy: Strategy, synchronization: object) -> type[DistributedVariable]:
    """The class of the variables of a strategy."""
    if strategy.num_replicas_in_sync == 1:
        return DistributedVariable
    on_read = synchronization is VariableSynchronization.ON_READ
    return SyncOnReadVariable if on_read else MirroredVariable


def check_has_mean(made: Variable) -> None:
    """Raise if a variable is to be the mean of whole numbers, of truths or of texts."""
    if made.aggregation is VariableAggregation.MEAN and not made.dtype.is_floating:
        raise ValueError(
            "creating distributed tf.Variable with aggregation=MEAN and a non-floating dtype is "
            f"not supported, please use a different aggregation or dtype: it is {made.dtype.name}."
        )


def _of_first(cluster: Cluster, given: dict[str, object]) -> object:
    """The initial value of a variable, as the first process has it."""
    value = given.get("initial_value")
    if value is None:
        return None
    dtype = None if given.get("dtype") is None else as_dtype(given["dtype"]).dtype
    tensor = as_tensor(value() if callable(value) else value, dtype)
    what = f"the making of the variable {given.get('name')!r}: {tensor.dtype.name} {tensor.shape}"
    return wrap(cluster.of_first(what, tensor._array))
