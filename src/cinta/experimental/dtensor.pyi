# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..dtensor.clients import client_id as client_id
from ..dtensor.clients import full_job_name as full_job_name
from ..dtensor.clients import job_name as job_name
from ..dtensor.clients import jobs as jobs
from ..dtensor.clients import num_clients as num_clients
from ..dtensor.layout import Layout as Layout
from ..dtensor.layout import MATCH as MATCH
from ..dtensor.layout import UNSHARDED as UNSHARDED
from ..dtensor.mesh import Mesh as Mesh
from ..dtensor.mesh import get_default_mesh as get_default_mesh
from ..dtensor.mesh_creation import create_distributed_mesh as create_distributed_mesh
from ..dtensor.mesh_creation import create_mesh as create_mesh
from ..dtensor.moving import call_with_layout as call_with_layout
from ..dtensor.moving import check_layout as check_layout
from ..dtensor.moving import copy_to_mesh as copy_to_mesh
from ..dtensor.moving import default_mesh as default_mesh
from ..dtensor.moving import fetch_layout as fetch_layout
from ..dtensor.moving import is_dtensor as is_dtensor
from ..dtensor.moving import pack as pack
from ..dtensor.moving import relayout as relayout
from ..dtensor.moving import relayout_like as relayout_like
from ..dtensor.moving import default_mesh as _run_on
run_on = _run_on
from ..dtensor.moving import unpack as unpack
from ..dtensor.system import barrier as barrier
from ..dtensor.system import heartbeat_enabled as heartbeat_enabled
from ..dtensor.system import initialize_accelerator_system as initialize_accelerator_system
from ..dtensor.system import local_devices as local_devices
from ..dtensor.system import num_global_devices as num_global_devices
from ..dtensor.system import num_local_devices as num_local_devices
from ..dtensor.system import preferred_device_type as preferred_device_type
from ..dtensor.system import shutdown_accelerator_system as shutdown_accelerator_system
from ..dtensor.variable import DVariable as DVariable
