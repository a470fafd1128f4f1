"""The public functions that promote dtypes by the lattice, put in place of those that do not.

The functions of namespaces are exchanged, so a program that never asks for it pays nothing, and the
library itself computes as always.
"""

from __future__ import annotations

import functools
import operator
from importlib import import_module
from typing import TYPE_CHECKING

from ...engine.convert import as_tensor, is_tensor
from ...public import PACKAGE, SHOWING
from .weak_tensors import (
    choosing,
    keeping,
    keeping_second,
    making,
    making_constants,
    promoting,
    promoting_tensors,
    unmarking,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ...engine.dispatch import Function

_OF_TWO = """
add divide divide_no_nan floordiv floormod matmul mod multiply multiply_no_nan pow subtract truediv
"""
_CHOOSING = "equal maximum minimum"
_OF_ONE = """
abs acos acosh adjust_brightness adjust_gamma angle asin asinh atan atanh bessel_i0 bessel_i0e
bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0
bessel_y1 ceil check_numerics clip_by_value conj cos cosh dawsn depth_to_space diag diag_part
digamma elu erf erfc erfcinv erfinv exp expand_dims expint expm1 extract_patches floor fresnel_cos
fresnel_sin gelu identity imag invert leaky_relu lgamma log log1p log_sigmoid log_softmax
matrix_transpose ndtri negative ones_like random_brightness real reciprocal reciprocal_no_nan
reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_std
reduce_sum reduce_variance relu6 reshape rint round rsqrt selu sigmoid sign silu sin sinh softplus
softsign space_to_depth spence sqrt square squeeze stateless_random_brightness stop_gradient swish
tan tanh tensor_diag_part trace transpose zeros_like
"""
_FAMILIES = ("", "bitwise", "debugging", "image", "linalg", "math", "nn")
_OF_ARRAYS = """
abs absolute amax amin angle arange arccos arcsin arcsinh arctan arctanh around ascontiguousarray
asanyarray atleast_1d atleast_2d atleast_3d average bitwise_not cbrt ceil conj conjugate copy cos
cosh cumprod cumsum deg2rad diag diagflat diagonal diff empty_like exp exp2 expand_dims expm1 fabs
fix flatten flip fliplr flipud floor full_like imag log log10 log1p log2 max mean min moveaxis
nanmean negative ones_like positive prod ptp rad2deg ravel real reciprocal repeat reshape rot90
round sign sin sinc sinh sort sqrt square squeeze std sum swapaxes tan tanh trace transpose triu
vander var zeros_like
"""
"""Functions of one array. Most of two keep NumPy's rules, in TensorFlow too."""

_KINDS: list[tuple[Callable[[Function], Function], str, tuple[str, ...]]] = [
    (promoting, _OF_TWO, _FAMILIES),
    (choosing, _CHOOSING, _FAMILIES),
    (keeping_second, "scalar_mul", ("", "math")),
    (keeping, _OF_ONE, _FAMILIES),
    (promoting_tensors, "tensordot", _FAMILIES),
    (making_constants, "constant", ("",)),
    (unmarking, "cast convert_to_tensor", _FAMILIES),
    (keeping, _OF_ARRAYS, ("experimental.numpy",)),
    (promoting, "hypot matmul", ("experimental.numpy",)),
    (making, "array asarray", ("experimental.numpy",)),
]
_BY_OPERATORS = "divide"
_exchanged: list[tuple[ModuleType, str, Function, Function]] = []
"""Namespaces, names, the functions that were there before, and those in their place."""


def exchange(by_lattice: bool) -> None:
    """Let the names stand for functions that promote, by the lattice or as the operators do."""
    restore()
    by_operators = [(_as_operator, _BY_OPERATORS, ("", "math"))]
    for wrap, names, families in _KINDS if by_lattice else by_operators:
        for family in families:
            namespace = import_module(f"{PACKAGE}.{family}".rstrip("."))
            for name in sorted(set(names.split()) & set(dir(namespace))):
                function = getattr(namespace, name)
                _exchanged.append((namespace, name, function, wrap(function)))
    for namespace, name, before, after in _exchanged:
        _put(namespace, name, before, after)


def restore() -> None:
    """Let the names stand for what they stand for in the library."""
    for namespace, name, before, after in _exchanged:
        _put(namespace, name, after, before)
    _exchanged.clear()


def _as_operator(divide: Function) -> Function:
    """``tf.divide``, which is the operator ``/`` of tensors, whatever that is."""

    @functools.wraps(divide)
    def call(x: object, y: object, name: str | None = None) -> object:
        if not is_tensor(x):
            x = as_tensor(x, as_tensor(y)._array.dtype if is_tensor(y) else None)
        return operator.truediv(x, y)

    return call


def _put(namespace: ModuleType, name: str, before: Function, after: Function) -> None:
    """Exchange a function wherever it stands for the name."""
    for module in (namespace, *SHOWING):
        if vars(module).get(name) is before:
            setattr(module, name, after)
