"""How each kind of feature becomes a tensor: arrays first, then what people get."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.made_up import filler
from ..engine.shapes import TensorShape, written
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import seen
from ..errors import InvalidArgumentError
from .example_values import KINDS
from .features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import DTypeLike
    from ..engine.composites import Part
    from ..engine.made_up import MadeUpLengths
    from ..engine.tensor import Array, Tensor
    from .example_values import ValueOrigin
    from .features import Feature
    from .ragged_plans import StepsInRows

    Column: TypeAlias = Sequence[tuple[Array | None, ValueOrigin]]
    """The values of a feature in each example, and where they come from."""
    Lists: TypeAlias = Sequence[Column | None]
    """The values of a feature in the steps of each example; None where there is no list of them."""
    StepsPlan: TypeAlias = "SequenceFeature | VariableSteps | StepsInRows"

_INT64 = np.dtype(np.int64)


class FeaturePlan:
    """How the values of a feature in some examples become arrays, and these what people get."""

    def __init__(self, key: str, dtype: DTypeLike) -> None:
        self.key, self.dtype = key, dtypes.as_dtype(dtype)
        if self.dtype not in KINDS:
            raise InvalidArgumentError(
                f"The feature {key!r} has the dtype {self.dtype.kernel_name}, which is not in the "
                "list of allowed values: float, int64, string"
            )
        self.dtypes = [self.dtype]
        self.value_key = key
        self.index_keys: Sequence[str] = ()

    def arrays(self, column: Column) -> list[Array]:
        """The arrays of the feature in these examples."""
        raise NotImplementedError

    def merged(self, places: list[Column], column: Column) -> list[Array]:
        """The same for a feature whose values stand in places that other features say."""
        return self.arrays(column)

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """Arrays as those of so many examples, of which nothing is known."""
        raise NotImplementedError

    def alone(self, arrays: list[Array]) -> list[Array]:
        """Those of one example, out of those of a batch of one."""
        return [array[0, ...] for array in arrays]  # of strings too an array

    def result(self, tensors: list[Tensor]) -> Part:
        """The tensor that people get."""
        return tensors[0]


class FixedFeature(FeaturePlan):
    """As many values in each example."""

    def __init__(self, key: str, feature: FixedLenFeature) -> None:
        super().__init__(key, feature.dtype)
        self.shape = _known(key, feature)
        self.default = None
        if feature.default_value is not None:
            given = as_tensor(feature.default_value, self.dtype.dtype)
            self.default = np.asarray(seen(given)).reshape(self.shape)

    def arrays(self, column: Column) -> list[Array]:
        """A row for each example."""
        rows = np.empty((len(column), *self.shape), self.dtype.dtype)
        for i, (values, place) in enumerate(column):
            if values is None and self.default is None:
                raise place.required(self.dtype)
            rows[i, ...] = self.default if values is None else self._fitted(values, place)
        return [rows]

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """A row for each example."""
        return [filler((count, *self.shape), self.dtype.dtype)]

    def _fitted(self, values: Array, place: ValueOrigin) -> Array:
        if values.size != math.prod(self.shape):
            raise InvalidArgumentError(
                f"{place}  Number of {self.dtype.kernel_name} values != expected.  values size: "
                f"{values.size} but output shape: {written(self.shape)}"
            )
        return values.reshape(self.shape)


class Padded(FeaturePlan):
    """Lists of any length, padded to the longest of them."""

    def __init__(self, key: str, feature: FixedLenSequenceFeature) -> None:
        super().__init__(key, feature.dtype)
        if not feature.allow_missing:
            raise ValueError(
                "Unsupported: FixedLenSequenceFeature requires allow_missing to be True "
                "[Op:ParseExample]"
            )
        self.shape = _known(key, feature)
        self.fill = _fill(feature.default_value, self.dtype)

    def arrays(self, column: Column) -> list[Array]:
        """A row for each example, in which the rest is the default."""
        lists = [self._list(values, place) for values, place in column]
        return [padded(lists, self.shape, self.fill)]

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """A row for each example."""
        return [filler((count, lengths(), *self.shape), self.dtype.dtype)]

    def _list(self, values: Array | None, place: ValueOrigin) -> Array:
        stride = math.prod(self.shape)
        if values is None:
            values = np.empty(0, self.dtype.dtype)
        if values.size % stride if stride else values.size:
            raise InvalidArgumentError(
                f"{place}  Number of {self.dtype.kernel_name} values is not a multiple of stride "
                f"length. Saw {values.size} values but output shape is: {written(self.shape)}"
            )
        return values.reshape(values.size // max(stride, 1), *self.shape)


class VariableFeature(FeaturePlan):
    """Any number of values, as a sparse tensor."""

    rank = 2

    def __init__(self, key: str, feature: VarLenFeature) -> None:
        super().__init__(key, feature.dtype)
        self.dtypes = [dtypes.int64, self.dtype, dtypes.int64]

    def arrays(self, column: Column) -> list[Array]:
        """Places, values, and the shape."""
        lists = [np.empty(0, self.dtype.dtype) if v is None else v for v, _ in column]
        return sparse(lists, self.dtype.dtype)

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """Places, values, and the shape."""
        values = filler((lengths(),), self.dtype.dtype)
        return [np.zeros((len(values), self.rank), _INT64), values, np.ones(self.rank, _INT64)]

    def alone(self, arrays: list[Array]) -> list[Array]:
        """The same without the number of the example."""
        places, values, shape = arrays
        return [places[:, 1:], values, shape[1:]]

    def result(self, tensors: list[Tensor]) -> SparseTensor:
        """The sparse tensor."""
        return SparseTensor(*tensors)


class Placed(VariableFeature):
    """Values whose places stand in features of their own."""

    def __init__(self, key: str, feature: SparseFeature) -> None:
        super().__init__(key, VarLenFeature(feature.dtype))
        given, size = feature.index_key, feature.size
        self.index_keys = [given] if isinstance(given, str) else list(given)
        self.value_key, self.is_sorted = feature.value_key, feature.already_sorted
        self.sizes = [size] if isinstance(size, int) else list(size)
        self.rank = 1 + len(self.sizes)
        if len(self.sizes) != len(self.index_keys):
            raise ValueError(
                f"SparseFeature {key!r} has {len(self.index_keys)} keys of indices and "
                f"{len(self.sizes)} sizes."
            )

    def merged(self, places: list[Column], column: Column) -> list[Array]:
        """Places, values, and the shape."""
        found, rows = [np.empty((0, 1 + len(self.sizes)), _INT64)], []
        for i, (values, place) in enumerate(column):
            axes = [_or_empty(axis[i][0], _INT64) for axis in places]
            row = _or_empty(values, self.dtype.dtype)
            for axis, size in zip(axes, self.sizes, strict=True):
                _check_axis(axis, len(row), size, place)
            at = np.column_stack([np.full(len(row), i), *axes]).astype(_INT64)
            order = np.lexsort(at.T[::-1]) if not self.is_sorted else slice(None)
            found.append(at[order])
            rows.append(row[order])
        values_of_all = np.concatenate([np.empty(0, self.dtype.dtype), *rows])
        return [np.concatenate(found), values_of_all, np.array([len(column), *self.sizes], _INT64)]


def _check_axis(axis: Array, count: int, size: int, place: ValueOrigin) -> None:
    if len(axis) != count:
        raise InvalidArgumentError(
            f"{place}  Dimensions {len(axis)} and {count} are not compatible: a SparseFeature "
            "needs as many indices as values."
        )
    if len(axis) and not 0 <= axis.min() <= axis.max() < size:
        raise InvalidArgumentError(
            f"{place}  The indices {axis[:10]} are not all below the size {size}."
        )


class SequenceFeature(FeaturePlan):
    """Values of one shape for each step of a sequence, padded to the longest sequence."""

    def __init__(self, key: str, feature: FixedLenSequenceFeature) -> None:
        super().__init__(key, feature.dtype)
        self.each = FixedFeature(key, FixedLenFeature(feature.shape, feature.dtype))
        self.may_be_missing = feature.allow_missing
        self.fill = _fill(feature.default_value, self.dtype)
        self.dtypes = [self.dtype, dtypes.int64]

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """A row for each example, and how long each was."""
        rows = filler((count, lengths(), *self.each.shape), self.dtype.dtype)
        return [rows, np.zeros(count, _INT64)]

    def sequences(
        self, others: Sequence[Lists], given: Lists, places: Sequence[ValueOrigin]
    ) -> list[Array]:
        """A row for each example, and how long each was."""
        lists = []
        for column, place in zip(given, places, strict=True):
            if column is None and not self.may_be_missing:
                raise InvalidArgumentError(
                    f"Name: {place.name}, Feature list '{self.key}' is required but could not be "
                    "found.  Did you mean to include it in "
                    "feature_list_dense_missing_assumed_empty or "
                    "feature_list_dense_defaults? With allow_missing=True it is empty."
                )
            lists += self.each.arrays(column or [])
        lengths = np.array([*map(len, lists)], _INT64)
        return [padded(lists, self.each.shape, self.fill), lengths]


class VariableSteps(VariableFeature):
    """Any number of values for each step of a sequence."""

    rank = 3

    def sequences(
        self, others: Sequence[Lists], given: Lists, places: Sequence[ValueOrigin]
    ) -> list[Array]:
        """Places, values, and the shape."""
        steps = [[_or_empty(v, self.dtype.dtype) for v, _ in column or []] for column in given]
        at, values, shape = sparse([each for row in steps for each in row], self.dtype.dtype)
        lengths = [len(row) for row in steps]
        numbers = [np.repeat(np.arange(len(lengths)), lengths), *map(np.arange, lengths)]
        rows, step = numbers[0], np.concatenate([np.empty(0, _INT64), *numbers[1:]])
        places_of_all = np.column_stack([rows[at[:, 0]], step[at[:, 0]], at[:, 1]])
        full = np.array([len(lengths), max(lengths, default=0), shape[1]], _INT64)
        return [places_of_all.astype(_INT64), values, full]


def _or_empty(values: Array | None, dtype: np.dtype[Any]) -> Array:
    return np.empty(0, dtype) if values is None else values


def _known(key: str, feature: FixedLenFeature | FixedLenSequenceFeature) -> tuple[int, ...]:
    """The shape of a feature, all of which must be known."""
    shape = TensorShape(feature.shape)
    if not shape.is_fully_defined():
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            f"FixedLenSequenceFeature. Received feature={feature}."
        )
    return tuple(shape.as_list())


def _fill(default: object, dtype: dtypes.DType) -> Array:
    """The value that stands behind the end of shorter lists."""
    if default is None:
        default = b"" if dtype == dtypes.string else 0
    array = np.asarray(seen(as_tensor(default, dtype.dtype)))
    return array.reshape(())


def padded(lists: list[Array], shape: Sequence[int], fill: Array) -> Array:
    """Lists of values of one shape as rows, as long as the longest."""
    longest = max(map(len, lists), default=0)
    rows = np.full((len(lists), longest, *shape), fill[()], fill.dtype)
    for row, each in zip(rows, lists, strict=True):
        row[: len(each)] = each
    return rows


def sparse(lists: list[Array], dtype: np.dtype[Any]) -> list[Array]:
    """The places, the values and the shape of lists as rows of a sparse tensor."""
    lengths = np.array([len(each) for each in lists], _INT64)
    rows = np.repeat(np.arange(len(lists)), lengths)
    columns = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    values = np.concatenate([np.empty(0, dtype), *lists])
    shape = np.array([len(lists), lengths.max(initial=0)], _INT64)
    return [np.column_stack([rows, columns]).astype(_INT64), values, shape]


def plan_of(key: str, feature: Feature) -> FeaturePlan:
    """How this feature becomes a tensor."""
    if isinstance(feature, FixedLenFeature):
        return FixedFeature(key, feature)
    if isinstance(feature, FixedLenSequenceFeature):
        return Padded(key, feature)
    if isinstance(feature, VarLenFeature):
        return VariableFeature(key, feature)
    if isinstance(feature, SparseFeature):
        return Placed(key, feature)
    if isinstance(feature, RaggedFeature):
        from .ragged_plans import InRows  # loaded when there is a ragged tensor

        return InRows(key, feature)
    raise ValueError(
        f"Unsupported {type(feature).__name__} {feature!r} for key {key!r} [Op:ParseExample]"
    )


def plan_of_steps(key: str, feature: Feature) -> StepsPlan:
    """How this feature of the steps of sequences becomes a tensor."""
    if isinstance(feature, FixedLenSequenceFeature):
        return SequenceFeature(key, feature)
    if isinstance(feature, VarLenFeature):
        return VariableSteps(key, feature)
    if isinstance(feature, RaggedFeature):
        from .ragged_plans import StepsInRows  # loaded when there is a ragged tensor

        return StepsInRows(key, feature)
    raise ValueError(
        f"Unsupported {type(feature).__name__} {feature!r} for key {key!r}: features of steps are "
        "FixedLenSequenceFeature, VarLenFeature or RaggedFeature [Op:ParseSequenceExample]"
    )
