# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import dlpack as dlpack
from . import numpy as numpy
from ..data.iterator import Optional as Optional
from ..dtypes import float8_e4m3fn as float8_e4m3fn
from ..dtypes import float8_e5m2 as float8_e5m2
from ..experimental.dispatch import enable_numpy_dispatch as enable_numpy_dispatch
from ..ops.ragged.dynamic_shape import DynamicRaggedShape as DynamicRaggedShape
from ..ops.ragged.partition import RowPartition as RowPartition
