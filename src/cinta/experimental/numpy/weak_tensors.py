"""Weak tensors, whose dtype nobody has asked for, and functions that promote dtypes by the lattice.

A weak tensor is a tensor with a mark. The mark stays on what supporting functions make of weak
values alone; all other functions take a weak tensor for one of its dtype.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes, nest
from ...dtypes import as_dtype
from ...engine import settings
from ...engine.convert import as_tensor, is_tensor
from ...engine.tensor import Tensor, is_weak, made_weak
from ...engine.variable import Variable
from ...ops.elementwise.casting import cast, identity
from .lattice import WEAK_COMPLEX, WEAK_FLOAT, WEAK_INT, Kind, is_promoted, promoted

if TYPE_CHECKING:
    from ...engine.dispatch import Function

_OF_PYTHON = {bool: Kind("bool"), int: WEAK_INT, float: WEAK_FLOAT, complex: WEAK_COMPLEX}


def common_kind(*values: object) -> Kind | None:
    """The dtype that values, however nested, make together; None if the rules are not about them.

    The values are taken one by one, as in TensorFlow: mode "safe" may refuse another order.
    """
    kinds = [_kind_of_one(each) for each in nest.flatten(values)]
    return functools.reduce(_together, kinds) if kinds else WEAK_FLOAT


def kind_of(value: object) -> Kind | None:
    """The dtype of a value; None if the rules are not about such values."""
    return common_kind(value) if isinstance(value, (list, tuple)) else _kind_of_one(value)


def _kind_of_one(value: object) -> Kind | None:
    if type(value) in _OF_PYTHON:
        return _OF_PYTHON[type(value)]
    if isinstance(value, np.dtype):
        found = Kind(dtypes.of(value).name)
        return found if is_promoted(found) else None
    if not isinstance(value, (Tensor, Variable, np.ndarray, np.generic)):
        return None
    found = Kind(as_dtype(value.dtype).name, isinstance(value, Tensor) and is_weak(value))
    return found if is_promoted(found) else None


def _together(x: Kind | None, y: Kind | None) -> Kind | None:
    return None if x is None or y is None else promoted(x, y, settings.lattice == "safe")


def as_kind(value: object, kind: Kind) -> Tensor:
    """The value as a tensor of that dtype."""
    if isinstance(value, Tensor) and kind_of(value) == kind:
        return value
    made = cast(as_tensor(value) if is_tensor(value) else _tensor(value), kind.dtype)
    if kind.is_weak:
        return made_weak(made)
    return identity(made) if is_weak(made) else made


def _tensor(value: object) -> Tensor:
    """Make a tensor, of the dtype that it has, of a value that is none."""
    kind = kind_of(value)
    if kind is None or isinstance(value, (np.ndarray, np.generic)):
        return as_tensor(value)
    if isinstance(value, (list, tuple)) and any(map(is_tensor, nest.flatten(value))):
        value = nest.map_structure(lambda each: as_kind(each, kind), value)
    return as_tensor(value, kind.dtype.dtype)


def promoting(function: Function) -> Function:
    """A function of two tensors, which get one dtype; the result of weak ones is weak."""

    @functools.wraps(function)
    def call(x: object, y: object, *args: object, **kwargs: object) -> object:
        kind = common_kind(x, y)
        if kind is None:
            return function(x, y, *args, **kwargs)
        return _marked(function(as_kind(x, kind), as_kind(y, kind), *args, **kwargs), kind)

    return call


def choosing(function: Function) -> Function:
    """A function that compares two tensors, which get one dtype; its result is never weak."""

    @functools.wraps(function)
    def call(x: object, y: object, *args: object, **kwargs: object) -> object:
        kind = common_kind(x, y)
        if kind is None:
            return function(x, y, *args, **kwargs)
        strong = Kind(kind.name)
        return function(as_kind(x, strong), as_kind(y, strong), *args, **kwargs)

    return call


def keeping(function: Function) -> Function:
    """A function of one tensor, which is weak if the tensor is."""

    @functools.wraps(function)
    def call(x: object, *args: object, **kwargs: object) -> object:
        kind = kind_of(x)
        if kind is None or not kind.is_weak:
            return function(x, *args, **kwargs)
        return _marked(function(as_kind(x, kind), *args, **kwargs), kind)

    return call


def keeping_second(function: Function) -> Function:
    """A function of a number and a tensor, which is weak if the tensor is."""

    @functools.wraps(function)
    def call(scalar: object, x: object, *args: object, **kwargs: object) -> object:
        return keeping(lambda tensor: function(scalar, tensor, *args, **kwargs))(x)

    return call


def _marked(result: object, kind: Kind) -> object:
    """The result, which is weak if its arguments were, and there is a weak one of its dtype."""
    if not kind.is_weak or not isinstance(result, Tensor):
        return result
    return made_weak(result) if is_promoted(Kind(result.dtype.name, True)) else result


def making(function: Function) -> Function:
    """A function that makes a tensor: a weak one of Python's numbers."""

    @functools.wraps(function)
    def call(value: object, dtype: object = None, *args: object, **kwargs: object) -> object:
        kind = kind_of(value) if dtype is None else None
        if kind is None or not (kind.is_weak or isinstance(value, (list, tuple))):
            return function(value, dtype, *args, **kwargs)
        return _marked(function(as_kind(value, kind), kind.dtype, *args, **kwargs), kind)

    return call


def making_constants(function: Function) -> Function:
    """The same of a function that would refuse a tensor of another dtype than the wanted one."""
    make = making(function)

    @functools.wraps(function)
    def call(value: object, dtype: object = None, *args: object, **kwargs: object) -> object:
        if dtype is not None and is_tensor(value) and kind_of(value):
            value = cast(as_tensor(value), as_dtype(dtype))
        return make(value, dtype, *args, **kwargs)

    return call


def unmarking(function: Function) -> Function:
    """A function whose results are never weak, although it may return a weak tensor as it is."""

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        result = function(*args, **kwargs)
        return identity(result) if isinstance(result, Tensor) and is_weak(result) else result

    return call


def promoting_tensors(function: Function) -> Function:
    """A function of two tensors, to which all else is converted before they get one dtype."""
    promote = promoting(function)

    @functools.wraps(function)
    def call(x: object, y: object, *args: object, **kwargs: object) -> object:
        return promote(_unmarked(x), _unmarked(y), *args, **kwargs)

    return call


def _unmarked(value: object) -> Tensor:
    """The value as a tensor that is not weak."""
    kind = kind_of(value)
    return as_tensor(value) if kind is None else as_kind(value, Kind(kind.name))


def assigning(method: Function) -> Function:
    """A method that assigns to a variable what can be promoted to its dtype."""

    @functools.wraps(method)
    def call(self: Variable, value: object, *args: object, **kwargs: object) -> object:
        own, given = kind_of(self), kind_of(value)
        if own is None or given is None:
            return method(self, value, *args, **kwargs)
        together = promoted(own, given, settings.lattice == "safe")
        if together.name != own.name:
            raise TypeError(
                f"Variable dtype is immutable: {method.__name__} of {given} to a variable of {own} "
                f"would make {together} of it. Use tf.cast on the value."
            )
        return method(self, as_kind(value, own), *args, **kwargs)

    return call
