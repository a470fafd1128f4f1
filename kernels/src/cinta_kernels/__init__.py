"""Functions of float32 arrays, compiled: ufuncs that NumPy lacks, or has only slower ones of.

`processor` is the kind of processor that they were chosen for: "avx512", "avx2" or "base". The
environment variable CINTA_KERNELS chooses a lesser one.
"""

from ._kernels import (
    correlated,
    depthwise,
    depthwise_gradient,
    exp,
    exponentials,
    filter_gradient,
    gathered_weights,
    gelu,
    gelu_slope,
    normalized,
    normalized_gradients,
    processor,
    row_statistics,
    sigmoid,
    sigmoid_grad,
    sigmoid_slope,
    silu,
    silu_slope,
    tanh,
    tanh_gelu,
    tanh_gelu_slope,
    tanh_grad,
    weighted,
)

__all__ = [
    "correlated",
    "depthwise",
    "depthwise_gradient",
    "exp",
    "exponentials",
    "filter_gradient",
    "gathered_weights",
    "gelu",
    "gelu_slope",
    "normalized",
    "normalized_gradients",
    "processor",
    "row_statistics",
    "sigmoid",
    "sigmoid_grad",
    "sigmoid_slope",
    "silu",
    "silu_slope",
    "tanh",
    "tanh_gelu",
    "tanh_gelu_slope",
    "tanh_grad",
    "weighted",
]
