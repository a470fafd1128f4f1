"""The names of tf.config."""

from ..listing import only_public as _only_public
from . import experimental as experimental
from . import threading as threading
from .checkpoints import get_checkpoint_progress as get_checkpoint_progress
from .checkpoints import set_checkpoint_progress as set_checkpoint_progress
from .devices import LogicalDevice as LogicalDevice
from .devices import PhysicalDevice as PhysicalDevice
from .devices import get_soft_device_placement as get_soft_device_placement
from .devices import get_visible_devices as get_visible_devices
from .devices import list_logical_devices as list_logical_devices
from .devices import list_physical_devices as list_physical_devices
from .devices import set_soft_device_placement as set_soft_device_placement
from .devices import set_visible_devices as set_visible_devices
from .functions import functions_run_eagerly as functions_run_eagerly
from .functions import get_engine as get_engine
from .functions import get_verbosity as get_verbosity
from .functions import run_functions_eagerly as run_functions_eagerly
from .functions import set_engine as set_engine
from .functions import set_verbosity as set_verbosity
from .jacobians import get_jacobian_memory as get_jacobian_memory
from .jacobians import set_jacobian_memory as set_jacobian_memory
from .memory import get_memory_policy as get_memory_policy
from .memory import set_memory_policy as set_memory_policy

experimental_functions_run_eagerly = functions_run_eagerly
experimental_run_functions_eagerly = run_functions_eagerly

__dir__ = _only_public(globals())
