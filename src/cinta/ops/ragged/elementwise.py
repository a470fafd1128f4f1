"""Functions of elements: of the flat values, after the rows of all operands have been matched."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, is_tensor
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ..arrays.gathering import gather
from ..arrays.shaping import reshape
from .constructors import ragged_or_dense
from .row_ends import ends_of, spans
from .row_partition import RowPartition
from .tensor import RaggedTensor, assembled, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.tensor import Array
    from .annotations import Function, RaggedOrDense, Several


def by_elements(function: Function, operands: Several) -> RaggedOrDense:
    """The function of the elements that stand at the same places."""
    first = next((x for x in operands if isinstance(x, RaggedTensor)), None)
    if first is None:  # it is ragged where the function needs a dense argument
        return NotImplemented
    given = [_operand(x, first) for x in operands]
    levels, flats = matched(given)
    found = function(*flats)
    if found is None:  # as assertions return
        return None
    if isinstance(found, tuple):
        return tuple(assembled(each, levels) for each in found)
    return assembled(found, levels)


def _operand(value: RaggedOrDense, like: RaggedTensor) -> RaggedOrDense:
    """An operand as a tensor; numbers and lists take the dtype of the ragged one."""
    if isinstance(value, RaggedTensor) or is_tensor(value):
        return ragged_or_dense(value)
    dtype = like.flat_values._array.dtype
    return as_tensor(value, None if dtype.kind == "b" or hasattr(value, "dtype") else dtype)


def matched(operands: Several) -> tuple[Sequence[RowPartition], list[Tensor]]:
    """The rows of the result, and values of each operand that broadcast against one another."""
    ragged = [x for x in operands if isinstance(x, RaggedTensor)]
    check_splits_dtypes(ragged)
    levels = ragged[0]._nested_row_partitions
    inner = len(ragged[0].flat_values.shape) - 1
    if (
        all(
            same_rows(levels, x._nested_row_partitions)
            if isinstance(x, RaggedTensor)
            else len(x.shape) <= inner
            for x in operands
        )
        and len({len(x.flat_values.shape) for x in ragged}) == 1
    ):
        return levels, [x.flat_values if isinstance(x, RaggedTensor) else x for x in operands]
    return _broadcast(operands, ragged[0]._row_partition.dtype)


def check_splits_dtypes(ragged: Sequence[RaggedTensor]) -> None:
    """Refuse rows that are counted in different types."""
    if len({x._row_partition.dtype for x in ragged}) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use "
            "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes."
        )


def same_rows(a: Sequence[RowPartition], b: Sequence[RowPartition]) -> bool:
    """Whether these levels of rows begin and end at the same places."""
    if len(a) != len(b):
        return False
    return all(
        x is y or x.row_splits() is y.row_splits() or np.array_equal(x.ends, y.ends)
        for x, y in zip(a, b, strict=True)
    )


class _Operand:
    """One operand during broadcasting: which of its items stands for each item of the result."""

    def __init__(self, x: RaggedOrDense, rank: int, depth: int) -> None:
        self.levels = list(x._nested_row_partitions) if isinstance(x, RaggedTensor) else []
        self.flat = x.flat_values if isinstance(x, RaggedTensor) else x
        self.offset = rank - len(x.shape)
        self.is_inner = self.offset > depth
        if not self.is_inner:
            self._add_dense_levels(depth - self.offset)
        self.items: Array = np.zeros(1, np.int64)

    def _add_dense_levels(self, depth: int) -> None:
        """Dense axes become rows of one length, as far as rows of other operands reach."""
        missing, shape = depth - len(self.levels), self.flat.shape.as_list()
        if not missing:
            return
        rows = shape[0]
        for size in shape[1 : missing + 1]:
            self.levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, uniform=size))
            rows *= size
        self.flat = reshape(self.flat, [prod(shape[: missing + 1]), *shape[missing + 1 :]])

    def lengths(self, level: int) -> tuple[Array, int | None]:
        """How long the rows at a level are, one for each item of the result, and if all are alike.

        An axis that the operand lacks has one element.
        """
        place = level - self.offset
        if place < 0:
            return np.ones(len(self.items), np.int64), 1
        if place == 0:
            count = self.levels[0].static_nrows if self.levels else int(self.flat.shape[0])
            return np.array([count]), count
        rows = self.levels[place - 1]
        return rows.lengths[self.items], rows.static_uniform_row_length

    def enter(self, level: int, lengths: Array, broadcasts: bool) -> None:
        """Take the items of the rows at a level, each of them again if it is broadcast."""
        place = level - self.offset
        starts = self.levels[place - 1].ends[:-1][self.items] if place > 0 else self.items * 0
        if place < 0:
            starts = self.items
        self.items = np.repeat(starts, lengths) if broadcasts else spans(starts, lengths)[0]

    def values(self) -> Tensor:
        """The values of the items."""
        if self.is_inner or np.array_equal(self.items, np.arange(int(self.flat.shape[0]))):
            return self.flat
        return gather(self.flat, constant(self.items))


def _broadcast(operands: Several, dtype: dtypes.DType) -> tuple[list[RowPartition], list[Tensor]]:
    rank = max(len(x.shape) for x in operands)
    depth = max(
        rank - len(x.shape) + x.ragged_rank for x in operands if isinstance(x, RaggedTensor)
    )
    all_of_them = [_Operand(x, rank, depth) for x in operands]
    outer = [x for x in all_of_them if not x.is_inner]
    made: list[RowPartition] = []
    for level in range(depth + 1):
        given = [x.lengths(level) for x in outer]
        full = [each for each in given if each[1] != 1]
        lengths = full[0][0] if full else given[0][0]
        if any(not np.array_equal(lengths, each) for each, _ in full):
            raise InvalidArgumentError(
                f"Unable to broadcast: dimension size mismatch in dimension {level}: rows of "
                f"{' and '.join(str(each.tolist()) for each, _ in given)} elements. Operands: "
                f"{', '.join(str(x.shape) for x in operands)}"
            )
        for x, (_, uniform) in zip(outer, given, strict=True):
            x.enter(level, lengths, broadcasts=uniform == 1)
        if level:
            sizes = [size for _, size in full or given if size is not None]
            made.append(RowPartition._of_ends(ends_of(lengths), dtype, sizes[0] if sizes else None))
    return made, [x.values() for x in all_of_them]


# -- functions of several operands, or with arguments of another kind ------------------------------


def add_n(inputs: Several, name: str | None = None) -> RaggedOrDense:
    """The sum of several operands."""
    total = inputs[0]
    for each in inputs[1:]:
        total = total + each
    return total


def join(inputs: Several, separator: str = "", name: str | None = None) -> RaggedOrDense:
    """Strings at the same places joined."""
    from ..strings.converting import join as dense

    return by_elements(lambda *values: dense(list(values), separator), inputs)


def _without_noise_shape(noise_shape: object) -> None:
    if noise_shape is not None:
        raise ValueError("noise_shape is not supported yet for ragged tensors: leave it out.")


def dropout(
    x: RaggedOrDense,
    rate: RaggedOrDense,
    noise_shape: RaggedOrDense = None,
    seed: RaggedOrDense = None,
    name: RaggedOrDense = None,
) -> RaggedOrDense:
    """Elements set to zero at random."""
    from ..nn.dropout import dropout as dense

    _without_noise_shape(noise_shape)
    return x.with_flat_values(dense(x.flat_values, rate, seed=seed))


def stateless_dropout(
    x: RaggedOrDense,
    rate: RaggedOrDense,
    seed: RaggedOrDense,
    rng_alg: RaggedOrDense = "auto_select",
    noise_shape: RaggedOrDense = None,
    name: RaggedOrDense = None,
) -> RaggedOrDense:
    """Elements set to zero at random, by this seed."""
    from ..nn.dropout import stateless_dropout as dense

    _without_noise_shape(noise_shape)
    return x.with_flat_values(dense(x.flat_values, rate, seed, rng_alg))
