# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import dlpack as dlpack
from . import dtensor as dtensor
from . import extension_type as extension_type
from . import numpy as numpy
from ..data.iterator import Optional as Optional
from ..dtypes import float4_e2m1fn as float4_e2m1fn
from ..dtypes import float8_e4m3b11fnuz as float8_e4m3b11fnuz
from ..dtypes import float8_e4m3fn as float8_e4m3fn
from ..dtypes import float8_e4m3fnuz as float8_e4m3fnuz
from ..dtypes import float8_e5m2 as float8_e5m2
from ..dtypes import float8_e5m2fnuz as float8_e5m2fnuz
from ..dtypes import int2 as int2
from ..dtypes import int4 as int4
from ..dtypes import uint2 as uint2
from ..dtypes import uint4 as uint4
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
from ..ops.ragged.row_partition import RowPartition as RowPartition
