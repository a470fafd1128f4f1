"""Types for annotations: what public functions take and give.

Other modules import them for type checkers only, so ``import cinta`` pays nothing for them. Lists
are ``list[Any]``: a list of floats is not a list of unions of floats and tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, ClassVar, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np

from ..dtypes import DType
from .indexed_slices import GradientRows, IndexedSlices
from .shapes import TensorShape
from .tensor import Array, Tensor
from .variable import Variable

BasicIndex: TypeAlias = tuple[SupportsIndex | slice | EllipsisType | None, ...]
"""Where a part of an array stands, as NumPy's basic indexing says it."""


Result: TypeAlias = Tensor | tuple[Tensor, ...]
"""The result of an op, or its results."""

Swept: TypeAlias = "Array | Tensor | GradientRows"
"""A gradient within the walk backwards: an array, unless a recorder tracks it."""

Numbers: TypeAlias = int | tuple[int, ...]
"""The number of a value that is recorded, or those of several."""


class ArrayFunction(Protocol):
    """A function of an array module, which may be a ufunc."""

    def __call__(self, *arguments: object, **how: object) -> Array: ...
    def reduce(self, *arguments: object, **how: object) -> Array: ...
    def accumulate(self, *arguments: object, **how: object) -> Array: ...


class ArrayModule(Protocol):
    """NumPy, or what has functions of the same names for its own arrays, as ``jax.numpy``.

    Kernels get one. The arguments of its functions are not checked.
    """

    pi: float
    inf: float
    nan: float

    @property
    def linalg(self) -> ArrayModule: ...
    @property
    def fft(self) -> ArrayModule: ...
    def __hash__(self) -> int: ...
    def __getattr__(self, name: str) -> ArrayFunction: ...


class Updates(Protocol):
    """A part of an array of JAX; each of these gives the array with the part updated."""

    def set(self, values: Array, **how: object) -> Array: ...
    def add(self, values: Array, **how: object) -> Array: ...


class SupportsTensor(Protocol):
    """An object that gives a tensor of itself, as variables and indexed slices do."""

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor: ...


class SupportsArray(Protocol):
    """An object that gives a NumPy array of itself, as data frames and other libraries' tensors."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


class Structured(Protocol):
    """A structure that names its fields, as dataclasses do."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Number: TypeAlias = bool | int | float | complex

NumericLike: TypeAlias = (
    Tensor
    | Variable
    | Number
    | np.ndarray[Any, Any]
    | np.generic
    | list[Any]
    | tuple[Any, ...]
    | range
    | SupportsTensor
    | SupportsArray
)
"""A value that can become a tensor of numbers: an input of arithmetic."""

TensorLike: TypeAlias = NumericLike | str | bytes
"""A value that can become a tensor."""

IntLike: TypeAlias = SupportsIndex | np.ndarray[Any, Any]
"""One whole number, in Python, NumPy or a tensor."""

IntsLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | Variable | np.ndarray[Any, Any]
"""One whole number, or one for each axis, such as strides; a tensor is either."""

DTypeLike: TypeAlias = DType | np.dtype[Any] | type[Any] | str
"""A dtype or its name: ``tf.float32``, ``np.float32``, ``float``, ``"float32"``."""

ShapeLike: TypeAlias = (
    TensorShape | Sequence[SupportsIndex] | SupportsIndex | Variable | np.ndarray[Any, Any]
)
"""A shape of which all is known; a whole number is the shape of a vector."""

PartialShape: TypeAlias = ShapeLike | Sequence[SupportsIndex | None] | None
"""A shape of which sizes, or all, may be unknown, as None."""

AxisLike: TypeAlias = IntsLike
"""One axis, or several; where one axis is meant, ``IntLike``."""

Padding: TypeAlias = Literal["SAME", "VALID"]
"""How a window meets the border."""

ExplicitPadding: TypeAlias = Sequence[Sequence[int]]
"""How many zeros stand before and behind along each axis."""

Names: TypeAlias = Sequence[str]
"""Several names."""

Source: TypeAlias = Tensor | Variable
"""A value with respect to which gradients are taken."""

Nest: TypeAlias = list[Any] | tuple[Any, ...] | dict[Any, Any] | Structured
"""Several tensors or variables in a structure."""

Gradient: TypeAlias = Tensor | IndexedSlices
"""A gradient; that of looked-up rows is a list of rows."""
