# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..config.computing import enable_op_determinism as enable_op_determinism
from ..config.computing import enable_tensor_float_32_execution as enable_tensor_float_32_execution
from ..config.computing import tensor_float_32_execution_enabled as tensor_float_32_execution_enabled
from ..config.device_lists import LogicalDeviceConfiguration as _VirtualDeviceConfiguration
VirtualDeviceConfiguration = _VirtualDeviceConfiguration
from ..config.device_lists import get_device_details as get_device_details
from ..config.device_lists import get_memory_growth as get_memory_growth
from ..config.device_lists import get_memory_info as get_memory_info
from ..config.device_lists import get_memory_usage as get_memory_usage
from ..config.device_lists import get_logical_device_configuration as _get_virtual_device_configuration
get_virtual_device_configuration = _get_virtual_device_configuration
from ..config.device_lists import get_visible_devices as get_visible_devices
from ..config.device_lists import list_logical_devices as list_logical_devices
from ..config.device_lists import list_physical_devices as list_physical_devices
from ..config.device_lists import reset_memory_stats as reset_memory_stats
from ..config.device_lists import set_memory_growth as set_memory_growth
from ..config.device_lists import set_logical_device_configuration as _set_virtual_device_configuration
set_virtual_device_configuration = _set_virtual_device_configuration
from ..config.device_lists import set_visible_devices as set_visible_devices
from ..config.execution import get_device_policy as get_device_policy
from ..config.execution import get_synchronous_execution as get_synchronous_execution
from ..config.execution import set_device_policy as set_device_policy
from ..config.execution import set_synchronous_execution as set_synchronous_execution
