"""cinta: automatic differentiation by tape, with the names of TensorFlow.

>>> import cinta as tf
>>> x = tf.Variable(3.0)
>>> with tf.GradientTape() as tape:
...     y = x**2
>>> tape.gradient(y, x).numpy()
np.float32(6.0)
"""

from typing import TYPE_CHECKING

from . import machine as machine
from . import tracebacks as _tracebacks

machine.tune()  # before NumPy is imported
_tracebacks.install()

# isort: split
from . import autodiff as autodiff
from . import autograph as autograph
from . import bitwise as bitwise
from . import compat as compat
from . import config as config
from . import debugging as debugging
from . import dtypes as dtypes
from . import errors as errors
from . import experimental as experimental
from . import image as image
from . import initializers as initializers
from . import io as io
from . import linalg as linalg
from . import lookup as lookup
from . import math as math
from . import nest as nest
from . import nn as nn
from . import optimize as optimize
from . import random as random
from . import sets as sets
from . import signal as signal
from . import sparse as sparse
from . import strings as strings
from . import types as types
from . import version as version
from .derivatives.asked import UnconnectedGradients as UnconnectedGradients
from .derivatives.custom import custom_gradient as custom_gradient
from .derivatives.custom import grad_pass_through as grad_pass_through
from .derivatives.recompute import recompute_grad as recompute_grad
from .derivatives.registering import NoGradient as NoGradient
from .derivatives.registering import NotDifferentiable as NotDifferentiable
from .derivatives.registering import RegisterGradient as RegisterGradient
from .derivatives.registering import no_gradient as no_gradient
from .derivatives.registering import override_gradient as override_gradient
from .derivatives.tape import GradientTape as GradientTape
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
from .dtypes import resource as resource
from .dtypes import string as string
from .dtypes import uint8 as uint8
from .dtypes import uint16 as uint16
from .dtypes import uint32 as uint32
from .dtypes import uint64 as uint64
from .dtypes import variant as variant
from .engine.aggregation import VariableAggregation as VariableAggregation
from .engine.aggregation import VariableSynchronization as VariableSynchronization
from .engine.convert import constant as constant
from .engine.convert import convert_to_tensor as convert_to_tensor
from .engine.convert import is_tensor as is_tensor
from .engine.devices import DeviceSpec as DeviceSpec
from .engine.devices import device as device
from .engine.indexed_slices import IndexedSlices as IndexedSlices
from .engine.module import Module as Module
from .engine.names import get_current_name_scope as get_current_name_scope
from .engine.names import name_scope as name_scope
from .engine.shapes import TensorShape as TensorShape
from .engine.sparse_tensor import SparseTensor as SparseTensor
from .engine.tensor import Tensor as Tensor
from .engine.variable import Variable as Variable
from .functional import elementwise_grad as elementwise_grad
from .functional import grad as grad
from .functional import hessian as hessian
from .functional import hvp as hvp
from .functional import jacobian as jacobian
from .functional import jvp as jvp
from .functional import linearize as linearize
from .functional import per_example_gradient as per_example_gradient
from .functional import value_and_grad as value_and_grad
from .functional import vhp as vhp
from .functional import vjp as vjp
from .functional.checking import check_grads as check_grads
from .lazy import Lazy as _Lazy
from .lazy import answer_imports_of_keras as _answer_imports_of_keras
from .ops.arrays.creation import eye as eye
from .ops.arrays.creation import fill as fill
from .ops.arrays.creation import linspace as linspace
from .ops.arrays.creation import one_hot as one_hot
from .ops.arrays.creation import ones as ones
from .ops.arrays.creation import ones_like as ones_like
from .ops.arrays.creation import range as range
from .ops.arrays.creation import sequence_mask as sequence_mask
from .ops.arrays.creation import zeros as zeros
from .ops.arrays.creation import zeros_like as zeros_like
from .ops.arrays.gathering import gather as gather
from .ops.arrays.gathering import gather_nd as gather_nd
from .ops.arrays.gathering import unravel_index as unravel_index
from .ops.arrays.indexing import boolean_mask as boolean_mask
from .ops.arrays.indexing import slice as slice
from .ops.arrays.indexing import strided_slice as strided_slice
from .ops.arrays.joining import concat as concat
from .ops.arrays.joining import parallel_stack as parallel_stack
from .ops.arrays.joining import split as split
from .ops.arrays.joining import stack as stack
from .ops.arrays.joining import unstack as unstack
from .ops.arrays.padding import batch_to_space as batch_to_space
from .ops.arrays.padding import pad as pad
from .ops.arrays.padding import space_to_batch as space_to_batch
from .ops.arrays.padding import space_to_batch_nd as space_to_batch_nd
from .ops.arrays.partitioning import dynamic_partition as dynamic_partition
from .ops.arrays.partitioning import dynamic_stitch as dynamic_stitch
from .ops.arrays.reordering import reverse as reverse
from .ops.arrays.reordering import reverse_sequence as reverse_sequence
from .ops.arrays.reordering import roll as roll
from .ops.arrays.scattering import scatter_nd as scatter_nd
from .ops.arrays.scattering import tensor_scatter_nd_add as tensor_scatter_nd_add
from .ops.arrays.scattering import tensor_scatter_nd_max as tensor_scatter_nd_max
from .ops.arrays.scattering import tensor_scatter_nd_min as tensor_scatter_nd_min
from .ops.arrays.scattering import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from .ops.arrays.scattering import tensor_scatter_nd_update as tensor_scatter_nd_update
from .ops.arrays.selecting import where as where
from .ops.arrays.shaping import ensure_shape as ensure_shape
from .ops.arrays.shaping import expand_dims as expand_dims
from .ops.arrays.shaping import rank as rank
from .ops.arrays.shaping import reshape as reshape
from .ops.arrays.shaping import shape as shape
from .ops.arrays.shaping import shape_n as shape_n
from .ops.arrays.shaping import size as size
from .ops.arrays.shaping import squeeze as squeeze
from .ops.arrays.shaping import transpose as transpose
from .ops.arrays.tiling import broadcast_dynamic_shape as broadcast_dynamic_shape
from .ops.arrays.tiling import broadcast_static_shape as broadcast_static_shape
from .ops.arrays.tiling import broadcast_to as broadcast_to
from .ops.arrays.tiling import meshgrid as meshgrid
from .ops.arrays.tiling import repeat as repeat
from .ops.arrays.tiling import tile as tile
from .ops.checks.assertions import Assert as Assert
from .ops.checks.assertions import assert_equal as assert_equal
from .ops.checks.assertions import assert_greater as assert_greater
from .ops.checks.assertions import assert_less as assert_less
from .ops.checks.printing import print as print
from .ops.checks.shape_assertions import assert_rank as assert_rank
from .ops.control.branching import case as case
from .ops.control.branching import cond as cond
from .ops.control.branching import switch_case as switch_case
from .ops.control.branching import while_loop as while_loop
from .ops.control.mapping import foldl as foldl
from .ops.control.mapping import foldr as foldr
from .ops.control.mapping import map_fn as map_fn
from .ops.control.mapping import scan as scan
from .ops.control.mapping import vectorized_map as vectorized_map
from .ops.control.tensor_array import TensorArray as TensorArray
from .ops.elementwise.arithmetic import add as add
from .ops.elementwise.arithmetic import add_n as add_n
from .ops.elementwise.arithmetic import maximum as maximum
from .ops.elementwise.arithmetic import minimum as minimum
from .ops.elementwise.arithmetic import multiply as multiply
from .ops.elementwise.arithmetic import negative as negative
from .ops.elementwise.arithmetic import scalar_mul as scalar_mul
from .ops.elementwise.arithmetic import square as square
from .ops.elementwise.arithmetic import subtract as subtract
from .ops.elementwise.casting import bitcast as bitcast
from .ops.elementwise.casting import cast as cast
from .ops.elementwise.casting import identity as identity
from .ops.elementwise.casting import identity_n as identity_n
from .ops.elementwise.casting import stop_gradient as stop_gradient
from .ops.elementwise.clipping import clip_by_global_norm as clip_by_global_norm
from .ops.elementwise.clipping import clip_by_norm as clip_by_norm
from .ops.elementwise.clipping import clip_by_value as clip_by_value
from .ops.elementwise.clipping import saturate_cast as saturate_cast
from .ops.elementwise.comparison import equal as equal
from .ops.elementwise.comparison import greater as greater
from .ops.elementwise.comparison import greater_equal as greater_equal
from .ops.elementwise.comparison import less as less
from .ops.elementwise.comparison import less_equal as less_equal
from .ops.elementwise.comparison import logical_and as logical_and
from .ops.elementwise.comparison import logical_not as logical_not
from .ops.elementwise.comparison import logical_or as logical_or
from .ops.elementwise.comparison import not_equal as not_equal
from .ops.elementwise.complex_numbers import complex as complex
from .ops.elementwise.division import divide as divide
from .ops.elementwise.division import realdiv as realdiv
from .ops.elementwise.division import truediv as truediv
from .ops.elementwise.division import truncatediv as truncatediv
from .ops.elementwise.division import truncatemod as truncatemod
from .ops.elementwise.functions import abs as abs
from .ops.elementwise.functions import exp as exp
from .ops.elementwise.functions import floor as floor
from .ops.elementwise.functions import round as round
from .ops.elementwise.functions import sigmoid as sigmoid
from .ops.elementwise.functions import sign as sign
from .ops.elementwise.functions import sqrt as sqrt
from .ops.elementwise.powers import pow as pow
from .ops.elementwise.trigonometry import acos as acos
from .ops.elementwise.trigonometry import acosh as acosh
from .ops.elementwise.trigonometry import asin as asin
from .ops.elementwise.trigonometry import asinh as asinh
from .ops.elementwise.trigonometry import atan as atan
from .ops.elementwise.trigonometry import atan2 as atan2
from .ops.elementwise.trigonometry import atanh as atanh
from .ops.elementwise.trigonometry import cos as cos
from .ops.elementwise.trigonometry import cosh as cosh
from .ops.elementwise.trigonometry import sin as sin
from .ops.elementwise.trigonometry import sinh as sinh
from .ops.elementwise.trigonometry import tan as tan
from .ops.elementwise.trigonometry import tanh as tanh
from .ops.image.patches import extract_volume_patches as extract_volume_patches
from .ops.linalg.decompositions import eig as eig
from .ops.linalg.decompositions import eigvals as eigvals
from .ops.linalg.einsum import einsum as einsum
from .ops.linalg.matmul import matmul as matmul
from .ops.linalg.matmul import tensordot as tensordot
from .ops.random.initializers import constant_initializer as constant_initializer
from .ops.random.initializers import ones_initializer as ones_initializer
from .ops.random.initializers import random_normal_initializer as random_normal_initializer
from .ops.random.initializers import random_uniform_initializer as random_uniform_initializer
from .ops.random.initializers import zeros_initializer as zeros_initializer
from .ops.reductions.counting import histogram_fixed_width as histogram_fixed_width
from .ops.reductions.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from .ops.reductions.locating import argmax as argmax
from .ops.reductions.locating import argmin as argmin
from .ops.reductions.norms import norm as norm
from .ops.reductions.reduction import reduce_all as reduce_all
from .ops.reductions.reduction import reduce_any as reduce_any
from .ops.reductions.reduction import reduce_logsumexp as reduce_logsumexp
from .ops.reductions.reduction import reduce_max as reduce_max
from .ops.reductions.reduction import reduce_mean as reduce_mean
from .ops.reductions.reduction import reduce_min as reduce_min
from .ops.reductions.reduction import reduce_prod as reduce_prod
from .ops.reductions.reduction import reduce_sum as reduce_sum
from .ops.reductions.scanning import cumsum as cumsum
from .ops.reductions.sorting import argsort as argsort
from .ops.reductions.sorting import searchsorted as searchsorted
from .ops.reductions.sorting import sort as sort
from .ops.reductions.sorting import unique as unique
from .ops.reductions.sorting import unique_with_counts as unique_with_counts
from .ops.sparse.editing import edit_distance as edit_distance
from .ops.strings.converting import as_string as as_string
from .programs.calling import numpy_function as numpy_function
from .programs.calling import py_function as py_function
from .programs.eager import control_dependencies as control_dependencies
from .programs.eager import executing_eagerly as executing_eagerly
from .programs.eager import get_logger as get_logger
from .programs.eager import get_static_value as get_static_value
from .programs.eager import group as group
from .programs.eager import init_scope as init_scope
from .programs.eager import inside_function as inside_function
from .programs.eager import is_symbolic_tensor as is_symbolic_tensor
from .programs.eager import no_op as no_op
from .programs.eager import timestamp as timestamp
from .programs.eager import tuple as tuple
from .programs.functions import function as function
from .programs.functions import gradients as gradients
from .programs.functions import hessians as hessians
from .programs.specs import IndexedSlicesSpec as IndexedSlicesSpec
from .programs.specs import NoneTensorSpec as NoneTensorSpec
from .programs.specs import SparseTensorSpec as SparseTensorSpec
from .programs.specs import TensorSpec as TensorSpec
from .programs.specs import TypeSpec as TypeSpec
from .programs.specs import type_spec_from_value as type_spec_from_value
from .signal import fftnd as fftnd
from .signal import ifftnd as ifftnd
from .signal import irfftnd as irfftnd
from .signal import rfftnd as rfftnd
from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import data as data
    from . import export as export
    from . import keras as keras
    from . import queue as queue
    from . import raw_ops as raw_ops
    from . import saved_model as saved_model
    from . import train as train
else:  # replaced by the modules themselves when they are loaded
    data = _Lazy("cinta.data")
    export = _Lazy("cinta.export")
    keras = _Lazy("cinta.keras")
    queue = _Lazy("cinta.queue")
    raw_ops = _Lazy("cinta.raw_ops")
    saved_model = _Lazy("cinta.saved_model")
    train = _Lazy("cinta.train")
losses = _Lazy("cinta.keras.losses")
metrics = _Lazy("cinta.keras.metrics")
optimizers = _Lazy("cinta.keras.optimizers")

_answer_imports_of_keras()

newaxis = None
matrix_square_root = linalg.sqrtm

_MODULES = frozenset(
    (
        "autodiff",
        "autograph",
        "bitwise",
        "compat",
        "config",
        "data",
        "debugging",
        "dtypes",
        "errors",
        "experimental",
        "export",
        "image",
        "initializers",
        "keras",
        "io",
        "linalg",
        "lookup",
        "losses",
        "machine",
        "math",
        "metrics",
        "nest",
        "nn",
        "optimize",
        "optimizers",
        "queue",
        "random",
        "raw_ops",
        "saved_model",
        "sets",
        "signal",
        "sparse",
        "strings",
        "train",
        "types",
        "version",
    )
)


def __dir__() -> list[str]:
    """The public names, without the modules inside of which they are made."""
    return sorted(
        name
        for name, value in globals().items()
        if not name.startswith("_")
        and name != "TYPE_CHECKING"
        and (type(value) is not type(math) or name in _MODULES)
    )
