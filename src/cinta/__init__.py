"""cinta: automatic differentiation by tape, with the names of TensorFlow.

>>> import cinta as tf
>>> x = tf.Variable(3.0)
>>> with tf.GradientTape() as tape:
...     y = x**2
>>> tape.gradient(y, x).numpy()
np.float32(6.0)
"""

from . import machine as machine

machine.tune()  # before NumPy is imported

# isort: split
from . import autodiff as autodiff
from . import bitwise as bitwise
from . import compat as compat
from . import debugging as debugging
from . import errors as errors
from . import image as image
from . import linalg as linalg
from . import math as math
from . import nest as nest
from . import nn as nn
from . import random as random
from . import raw_ops as raw_ops
from . import sparse as sparse
from . import strings as strings
from .asked import UnconnectedGradients as UnconnectedGradients
from .convert import constant as constant
from .convert import convert_to_tensor as convert_to_tensor
from .convert import is_tensor as is_tensor
from .custom import custom_gradient as custom_gradient
from .custom import grad_pass_through as grad_pass_through
from .dtypes import DType as DType
from .dtypes import as_dtype as as_dtype
from .dtypes import bfloat16 as bfloat16
from .dtypes import bool as bool
from .dtypes import complex64 as complex64
from .dtypes import complex128 as complex128
from .dtypes import double as double
from .dtypes import float16 as float16
from .dtypes import float32 as float32
from .dtypes import float64 as float64
from .dtypes import half as half
from .dtypes import int8 as int8
from .dtypes import int16 as int16
from .dtypes import int32 as int32
from .dtypes import int64 as int64
from .dtypes import string as string
from .dtypes import uint8 as uint8
from .dtypes import uint16 as uint16
from .dtypes import uint32 as uint32
from .dtypes import uint64 as uint64
from .functional import elementwise_grad as elementwise_grad
from .functional import grad as grad
from .functional import value_and_grad as value_and_grad
from .indexed_slices import IndexedSlices as IndexedSlices
from .module import Module as Module
from .names import name_scope as name_scope
from .ops import operators as _operators  # noqa: F401  # it gives tensors their operators
from .ops.arithmetic import add as add
from .ops.arithmetic import add_n as add_n
from .ops.arithmetic import maximum as maximum
from .ops.arithmetic import minimum as minimum
from .ops.arithmetic import multiply as multiply
from .ops.arithmetic import negative as negative
from .ops.arithmetic import scalar_mul as scalar_mul
from .ops.arithmetic import square as square
from .ops.arithmetic import subtract as subtract
from .ops.assertions import Assert as Assert
from .ops.casting import bitcast as bitcast
from .ops.casting import cast as cast
from .ops.casting import identity as identity
from .ops.casting import identity_n as identity_n
from .ops.casting import stop_gradient as stop_gradient
from .ops.clipping import clip_by_global_norm as clip_by_global_norm
from .ops.clipping import clip_by_norm as clip_by_norm
from .ops.clipping import clip_by_value as clip_by_value
from .ops.clipping import saturate_cast as saturate_cast
from .ops.comparison import equal as equal
from .ops.comparison import greater as greater
from .ops.comparison import greater_equal as greater_equal
from .ops.comparison import less as less
from .ops.comparison import less_equal as less_equal
from .ops.comparison import logical_and as logical_and
from .ops.comparison import logical_not as logical_not
from .ops.comparison import logical_or as logical_or
from .ops.comparison import not_equal as not_equal
from .ops.complex_numbers import complex as complex
from .ops.control_flow import case as case
from .ops.control_flow import cond as cond
from .ops.control_flow import switch_case as switch_case
from .ops.control_flow import while_loop as while_loop
from .ops.counting import histogram_fixed_width as histogram_fixed_width
from .ops.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from .ops.creation import eye as eye
from .ops.creation import fill as fill
from .ops.creation import linspace as linspace
from .ops.creation import one_hot as one_hot
from .ops.creation import ones as ones
from .ops.creation import ones_like as ones_like
from .ops.creation import range as range
from .ops.creation import sequence_mask as sequence_mask
from .ops.creation import zeros as zeros
from .ops.creation import zeros_like as zeros_like
from .ops.division import divide as divide
from .ops.division import realdiv as realdiv
from .ops.division import truediv as truediv
from .ops.division import truncatediv as truncatediv
from .ops.division import truncatemod as truncatemod
from .ops.einsum import einsum as einsum
from .ops.gathering import gather as gather
from .ops.gathering import gather_nd as gather_nd
from .ops.gathering import unravel_index as unravel_index
from .ops.indexing import boolean_mask as boolean_mask
from .ops.indexing import slice as slice
from .ops.indexing import strided_slice as strided_slice
from .ops.initializers import constant_initializer as constant_initializer
from .ops.initializers import ones_initializer as ones_initializer
from .ops.initializers import random_normal_initializer as random_normal_initializer
from .ops.initializers import random_uniform_initializer as random_uniform_initializer
from .ops.initializers import zeros_initializer as zeros_initializer
from .ops.joining import concat as concat
from .ops.joining import parallel_stack as parallel_stack
from .ops.joining import split as split
from .ops.joining import stack as stack
from .ops.joining import unstack as unstack
from .ops.locating import argmax as argmax
from .ops.locating import argmin as argmin
from .ops.mapping import foldl as foldl
from .ops.mapping import foldr as foldr
from .ops.mapping import map_fn as map_fn
from .ops.mapping import scan as scan
from .ops.mapping import vectorized_map as vectorized_map
from .ops.mathematics import abs as abs
from .ops.mathematics import exp as exp
from .ops.mathematics import floor as floor
from .ops.mathematics import round as round
from .ops.mathematics import sigmoid as sigmoid
from .ops.mathematics import sign as sign
from .ops.mathematics import sqrt as sqrt
from .ops.matmul import matmul as matmul
from .ops.matmul import tensordot as tensordot
from .ops.norms import norm as norm
from .ops.padding import batch_to_space as batch_to_space
from .ops.padding import pad as pad
from .ops.padding import space_to_batch as space_to_batch
from .ops.padding import space_to_batch_nd as space_to_batch_nd
from .ops.partitioning import dynamic_partition as dynamic_partition
from .ops.partitioning import dynamic_stitch as dynamic_stitch
from .ops.powers import pow as pow
from .ops.printing import print as print
from .ops.reduction import reduce_all as reduce_all
from .ops.reduction import reduce_any as reduce_any
from .ops.reduction import reduce_logsumexp as reduce_logsumexp
from .ops.reduction import reduce_max as reduce_max
from .ops.reduction import reduce_mean as reduce_mean
from .ops.reduction import reduce_min as reduce_min
from .ops.reduction import reduce_prod as reduce_prod
from .ops.reduction import reduce_sum as reduce_sum
from .ops.reordering import reverse as reverse
from .ops.reordering import reverse_sequence as reverse_sequence
from .ops.reordering import roll as roll
from .ops.scanning import cumsum as cumsum
from .ops.scattering import scatter_nd as scatter_nd
from .ops.scattering import tensor_scatter_nd_add as tensor_scatter_nd_add
from .ops.scattering import tensor_scatter_nd_max as tensor_scatter_nd_max
from .ops.scattering import tensor_scatter_nd_min as tensor_scatter_nd_min
from .ops.scattering import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from .ops.scattering import tensor_scatter_nd_update as tensor_scatter_nd_update
from .ops.selecting import where as where
from .ops.shaping import ensure_shape as ensure_shape
from .ops.shaping import expand_dims as expand_dims
from .ops.shaping import rank as rank
from .ops.shaping import reshape as reshape
from .ops.shaping import shape as shape
from .ops.shaping import shape_n as shape_n
from .ops.shaping import size as size
from .ops.shaping import squeeze as squeeze
from .ops.shaping import transpose as transpose
from .ops.sorting import argsort as argsort
from .ops.sorting import searchsorted as searchsorted
from .ops.sorting import sort as sort
from .ops.sorting import unique as unique
from .ops.sorting import unique_with_counts as unique_with_counts
from .ops.strings import as_string as as_string
from .ops.tensor_array import TensorArray as TensorArray
from .ops.tiling import broadcast_dynamic_shape as broadcast_dynamic_shape
from .ops.tiling import broadcast_static_shape as broadcast_static_shape
from .ops.tiling import broadcast_to as broadcast_to
from .ops.tiling import meshgrid as meshgrid
from .ops.tiling import repeat as repeat
from .ops.tiling import tile as tile
from .ops.trigonometry import acos as acos
from .ops.trigonometry import acosh as acosh
from .ops.trigonometry import asin as asin
from .ops.trigonometry import asinh as asinh
from .ops.trigonometry import atan as atan
from .ops.trigonometry import atan2 as atan2
from .ops.trigonometry import atanh as atanh
from .ops.trigonometry import cos as cos
from .ops.trigonometry import cosh as cosh
from .ops.trigonometry import sin as sin
from .ops.trigonometry import sinh as sinh
from .ops.trigonometry import tan as tan
from .ops.trigonometry import tanh as tanh
from .recompute import recompute_grad as recompute_grad
from .registry import NoGradient as NoGradient
from .registry import NotDifferentiable as NotDifferentiable
from .registry import RegisterGradient as RegisterGradient
from .registry import no_gradient as no_gradient
from .registry import override_gradient as override_gradient
from .shapes import TensorShape as TensorShape
from .tape import GradientTape as GradientTape
from .tensor import Tensor as Tensor
from .variable import Variable as Variable
from .version import __version__ as __version__

newaxis = None

_MODULES = frozenset(
    (
        "autodiff",
        "bitwise",
        "compat",
        "debugging",
        "errors",
        "image",
        "linalg",
        "machine",
        "math",
        "nest",
        "nn",
        "random",
        "raw_ops",
        "sparse",
        "strings",
    )
)


def __dir__() -> list[str]:
    """The public names, without the modules inside of which they are made."""
    return sorted(
        name
        for name, value in globals().items()
        if not name.startswith("_") and (type(value) is not type(math) or name in _MODULES)
    )
