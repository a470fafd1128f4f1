# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from . import optimizer as optimizer
from . import threading as threading
from ..checkpoints.checkpoint_options import get_checkpoint_progress as get_checkpoint_progress
from ..checkpoints.checkpoint_options import set_checkpoint_progress as set_checkpoint_progress
from ..config.device_lists import LogicalDevice as LogicalDevice
from ..config.device_lists import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from ..config.device_lists import PhysicalDevice as PhysicalDevice
from ..config.device_lists import get_logical_device_configuration as get_logical_device_configuration
from ..config.device_lists import get_soft_device_placement as get_soft_device_placement
from ..config.device_lists import get_visible_devices as get_visible_devices
from ..config.device_lists import list_logical_devices as list_logical_devices
from ..config.device_lists import list_physical_devices as list_physical_devices
from ..config.device_lists import set_logical_device_configuration as set_logical_device_configuration
from ..config.device_lists import set_soft_device_placement as set_soft_device_placement
from ..config.device_lists import set_visible_devices as set_visible_devices
from ..config.function_settings import functions_run_eagerly as _experimental_functions_run_eagerly
experimental_functions_run_eagerly = _experimental_functions_run_eagerly
from ..config.function_settings import run_functions_eagerly as _experimental_run_functions_eagerly
experimental_run_functions_eagerly = _experimental_run_functions_eagerly
from ..config.function_settings import functions_run_eagerly as functions_run_eagerly
from ..config.function_settings import get_engine as get_engine
from ..config.function_settings import get_verbosity as get_verbosity
from ..config.function_settings import run_functions_eagerly as run_functions_eagerly
from ..config.function_settings import set_engine as set_engine
from ..config.function_settings import set_verbosity as set_verbosity
from ..config.memory import get_jacobian_memory as get_jacobian_memory
from ..config.memory import get_memory_policy as get_memory_policy
from ..config.memory import set_jacobian_memory as set_jacobian_memory
from ..config.memory import set_memory_policy as set_memory_policy
from ..languages.choice import get_language as get_language
from ..languages.choice import set_language as set_language
