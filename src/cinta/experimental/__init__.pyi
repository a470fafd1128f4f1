# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import dlpack as dlpack
from . import dtensor as dtensor
from . import numpy as numpy
from ..data.iterator import Optional as Optional
from ..dtypes import float8_e4m3fn as float8_e4m3fn
from ..dtypes import float8_e5m2 as float8_e5m2
from ..experimental.dispatch import enable_numpy_dispatch as enable_numpy_dispatch
from ..extension_types.dispatch import dispatch_for_api as dispatch_for_api
from ..extension_types.dispatch import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
from ..extension_types.dispatch import dispatch_for_binary_elementwise_assert_apis as dispatch_for_binary_elementwise_assert_apis
from ..extension_types.dispatch import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
from ..extension_types.dispatch import unregister_dispatch_for as unregister_dispatch_for
from ..extension_types.extension_type import BatchableExtensionType as BatchableExtensionType
from ..extension_types.extension_type import ExtensionType as ExtensionType
from ..extension_types.specs import ExtensionTypeSpec as ExtensionTypeSpec
from ..ops.ragged.dynamic_shape import DynamicRaggedShape as DynamicRaggedShape
from ..ops.ragged.partition import RowPartition as RowPartition
