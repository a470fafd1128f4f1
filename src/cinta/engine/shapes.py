"""Shapes: `TensorShape`, a tuple of sizes of which some, or all, may be unknown."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, overload

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..protobuf.tensor_messages import TensorShapeProto
    from .annotations import PartialShape
    from .dimension import Dimension


# An int, or None where unknown. Shapes of eager tensors are known; a type that had to be
# narrowed before every `x.shape[0] + 1` would be a burden.
Length: TypeAlias = Any
_Dims: TypeAlias = tuple[Length, ...] | None


Shape: TypeAlias = tuple[int, ...]
"""The shape of an array: all of it is known."""

Count: TypeAlias = Annotated[int, lambda n: n >= 0]
Positive: TypeAlias = Annotated[int, lambda n: n > 0]
"""Whole numbers of which attributes say what they may be: files that say otherwise are refused."""


def written(shape: Iterable[Length]) -> str:
    """A shape as errors write it.

    >>> written((2, 3))
    '[2,3]'
    """
    return f"[{','.join(map(str, shape))}]"


def with_ones(shape: Shape, axes: Shape) -> Shape:
    """The shape with length 1 along some axes, which are counted from the right.

    >>> with_ones((2, 3), (-1,))
    (2, 1)
    """
    return tuple([1 if i in axes else n for i, n in enumerate(shape, -len(shape))])


def without(shape: Shape, axes: Shape) -> Shape:
    """The shape without some axes, which are counted from the right.

    >>> without((2, 3), (-1,))
    (2,)
    """
    return tuple([n for i, n in enumerate(shape, -len(shape)) if i not in axes])


@public("TensorShape")
class TensorShape:
    """The shape of a tensor: known, partly known (`None` for a size) or unknown (`None`).

    It compares equal to tuples and lists, and NumPy takes it wherever it takes a shape.

    >>> TensorShape([2, 3])
    TensorShape([2, 3])
    >>> TensorShape([2, 3]) == (2, 3)
    True
    >>> TensorShape([2, None]).merge_with([None, 3])[1:] + [4]
    TensorShape([3, 4])
    >>> shape = TensorShape([2, None])
    >>> shape.rank, shape.ndims, shape.dims, shape.as_list()
    (2, 2, [Dimension(2), Dimension(None)], [2, None])
    >>> shape.num_elements() is None, shape.is_fully_defined(), TensorShape([2, 3]).num_elements()
    (True, False, 6)
    >>> shape.concatenate([4]), TensorShape(None).with_rank(2)
    (TensorShape([2, None, 4]), TensorShape([None, None]))
    >>> shape.with_rank_at_least(1) == shape.with_rank_at_most(2)
    True

    A shape that does not fit is a `ValueError`:

    >>> shape.assert_has_rank(2)
    >>> shape.assert_same_rank([3, 4])
    >>> shape.assert_is_compatible_with([2, 5])
    >>> TensorShape([2, 3]).assert_is_fully_defined()

    Args:
        dims: None, one size, or an iterable of sizes.
    """

    __slots__ = ("_dims",)
    _dims: _Dims

    def __init__(self, dims: object) -> None:
        """Takes None, one size, or an iterable of sizes."""
        self._dims = _parse(dims)

    @classmethod
    def _of(cls, dims: _Dims) -> TensorShape:
        """Wraps a tuple that is right already, such as an array's shape: nothing is checked."""
        shape = cls.__new__(cls)
        shape._dims = dims
        return shape

    @property
    def rank(self) -> int | None:
        """The number of axes, or None."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The number of axes, or None: the same as `rank`."""
        return self.rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The sizes as TensorFlow 1 had them, or None when the rank is unknown."""
        from .dimension import Dimension  # which few programs need

        return None if self._dims is None else [Dimension(size) for size in self._dims]

    def as_list(self) -> list[Length]:
        """The sizes as a list; ValueError when the rank is unknown."""
        return list(self._known("as_list() is not defined on an unknown TensorShape."))

    def num_elements(self) -> int | None:
        """The product of the sizes, or None when one of them is unknown."""
        return None if self._dims is None or None in self._dims else math.prod(self._dims)

    def is_fully_defined(self) -> bool:
        """Whether the rank and every size are known."""
        return self.num_elements() is not None

    def is_compatible_with(self, other: object) -> bool:
        """Whether one and the same tensor could have both shapes, this one and ``other``.

        >>> TensorShape([2, None]).is_compatible_with([None, 3])
        True
        """
        mine, theirs = self._dims, _parse(other)
        if mine is None or theirs is None:
            return True
        return len(mine) == len(theirs) and all(
            a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True)
        )

    def as_proto(self) -> TensorShapeProto:
        """The shape as a message, which `TensorShape` takes, too.

        >>> TensorShape(TensorShape([2, None]).as_proto())
        TensorShape([2, None])
        """
        from ..protobuf.tensor_messages import Dim, TensorShapeProto

        if self._dims is None:
            return TensorShapeProto(unknown_rank=True)
        sizes = [-1 if size is None else int(size) for size in self._dims]
        return TensorShapeProto(dim=[Dim(size=size) for size in sizes])

    def is_subtype_of(self, other: object) -> bool:
        """Whether all tensors of this shape have the other one too, which may know less.

        >>> TensorShape([2, 3]).is_subtype_of(TensorShape([None, 3]))
        True
        """
        if not isinstance(other, TensorShape):
            return False
        mine, theirs = self._dims, other._dims
        if theirs is None or mine is None:
            return theirs is None
        return len(mine) == len(theirs) and all(
            b is None or a == b for a, b in zip(mine, theirs, strict=True)
        )

    def merge_with(self, other: object) -> TensorShape:
        """The shape that knows what this one or ``other`` knows; ValueError when they
        contradict.
        """
        theirs = _parse(other)
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape._of(theirs)} are not compatible")
        if self._dims is None or theirs is None:
            return TensorShape._of(theirs if self._dims is None else self._dims)
        pairs = zip(self._dims, theirs, strict=True)
        return TensorShape._of(tuple(b if a is None else a for a, b in pairs))

    def most_specific_compatible_shape(self, other: object) -> TensorShape:
        """The shape that knows what both know, so that it is compatible with either.

        >>> TensorShape([2, 3]).most_specific_compatible_shape([2, 4])
        TensorShape([2, None])

        Args:
            other: A shape, or what can be made one.
        """
        mine, theirs = self._dims, _parse(other)
        if mine is None or theirs is None or len(mine) != len(theirs):
            return TensorShape._of(None)
        pairs = zip(mine, theirs, strict=True)
        return TensorShape._of(tuple(a if a == b else None for a, b in pairs))

    def most_specific_common_supertype(self, others: Sequence[object]) -> TensorShape:
        """The shape that knows what all know: this one and the ``others``, a list of shapes.

        >>> TensorShape([2, 3]).most_specific_common_supertype([TensorShape([None, 3])])
        TensorShape([None, 3])

        Raises:
            TypeError: If ``others`` is not a list of shapes.
        """
        if not isinstance(others, list | tuple):
            raise TypeError(f"`others` must be a list of shapes, got {others!r}.")
        return reduce(TensorShape.most_specific_compatible_shape, others, self)

    def __reduce__(self) -> tuple[type[TensorShape], tuple[_Dims]]:
        return TensorShape, (self._dims,)

    def concatenate(self, other: object) -> TensorShape:
        """The axes of this shape, then those of the other."""
        mine, theirs = self._dims, _parse(other)
        return TensorShape._of(None if mine is None or theirs is None else mine + theirs)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, or sizes all unknown if its rank is; ValueError for another rank."""
        rank = _rank(rank)
        if self._dims is None:
            if rank > _MOST_AXES:
                raise ValueError(f"`rank` must be at most {_MOST_AXES}, got {rank}.")
            return TensorShape._of((None,) * rank)
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape; ValueError when it has fewer axes than ``rank``."""
        rank = _rank(rank)
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape; ValueError when it has more axes than ``rank``."""
        rank = _rank(rank)
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """ValueError when the rank is another."""
        rank = _rank(rank)
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: object) -> None:
        """ValueError when the ranks of this shape and of ``other`` are known and differ."""
        shape = TensorShape(other)
        if None not in (self.rank, shape.rank) and self.rank != shape.rank:
            raise ValueError(f"Shapes {self} and {shape} must have the same rank")

    def assert_is_compatible_with(self, other: object) -> None:
        """ValueError when no tensor could have both this shape and ``other``."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def assert_is_fully_defined(self) -> None:
        """ValueError when the rank or a size is unknown."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def _known(self, complaint: str) -> tuple[Length, ...]:
        if self._dims is None:
            raise ValueError(complaint)
        return self._dims

    def __len__(self) -> int:
        return len(self._known("Cannot take the length of shape with unknown rank."))

    def __iter__(self) -> Iterator[Length]:
        return iter(self._known("Cannot iterate over a shape with unknown rank."))

    def __bool__(self) -> bool:
        """Whether the rank is known: true for a scalar's shape, which has no axes."""
        return self._dims is not None

    def _check_supplied(self, shape: PartialShape | None) -> None:
        """Raise if a tensor of this shape is told that it has another one."""
        if not self.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self} is not compatible with supplied shape {TensorShape(shape)}."
            )

    @overload
    def __getitem__(self, key: int) -> Length: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: int | slice) -> Length | TensorShape:
        if self._dims is None:
            return _slice_of_unknown(key) if isinstance(key, slice) else None
        try:
            found = self._dims[key]
        except IndexError:
            raise IndexError(f"{key} is out of range for the shape {self}.") from None
        except TypeError:
            raise TypeError(
                f"A shape is indexed by whole numbers and slices, not by {key!r}."
            ) from None
        return TensorShape._of(found) if isinstance(key, slice) else found

    def __add__(self, other: object) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: object) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self._dims == _parse(other)
        except (TypeError, ValueError):  # not a shape, so not this one
            return False

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __str__(self) -> str:
        return "<unknown>" if self._dims is None else str(self._dims)


def _parse(dims: object) -> _Dims:
    """The tuple that a shape-like object stands for."""
    if isinstance(dims, TensorShape):
        return dims._dims
    if dims is None or getattr(dims, "unknown_rank", False):
        return None
    if hasattr(dims, "dim") and hasattr(dims, "unknown_rank"):  # a message
        return tuple([None if each.size < 0 else each.size for each in dims.dim])
    try:
        sizes = iter(dims)  # type: ignore[call-overload]  # the except clause is the check
    except TypeError:
        return (_parse_dimension(dims),)
    return tuple(map(_parse_dimension, sizes))


def _parse_dimension(size: object) -> Length:
    if size is None:
        return None
    try:
        value = operator.index(size)  # type: ignore[arg-type]  # the except clause is the check
    except (TypeError, AttributeError):  # float tensors lack __index__ by raising the latter
        from .dimension import Dimension  # which few programs need

        if isinstance(size, Dimension):
            return None
        raise TypeError(
            "Dimension value must be integer or None or have an __index__ method, "
            f"got value {size!r} with type {type(size)}"
        ) from None
    if value < 0:
        raise ValueError(f"Dimension {value} must be >= 0")
    return value


_MOST_AXES = 1 << 16
"""The most axes of a shape that is made from a number alone: a larger number is a mistake."""


def _rank(rank: object) -> int:
    try:
        return operator.index(rank)  # type: ignore[arg-type]  # the except clause is the check
    except (TypeError, AttributeError):
        raise TypeError(f"`rank` must be a whole number, got {rank!r}.") from None


def _slice_of_unknown(key: slice) -> TensorShape:
    """The slice of a shape of unknown rank: its length is known when it counts from the left."""
    start, stop = key.start or 0, key.stop
    if stop is None or start < 0 or stop < 0:
        return TensorShape._of(None)
    return TensorShape._of((None,) * len(range(start, stop, key.step or 1)))
