# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import partitioners as partitioners
from ...distribute.input_context import ValueContext as ValueContext
from ...distribute.options import CommunicationImplementation as _CollectiveCommunication
CollectiveCommunication = _CollectiveCommunication
from ...distribute.options import CollectiveHints as CollectiveHints
from ...distribute.options import CommunicationImplementation as CommunicationImplementation
from ...distribute.options import CommunicationOptions as CommunicationOptions
from ...distribute.preemption import PreemptionCheckpointHandler as PreemptionCheckpointHandler
from ...distribute.preemption import TerminationConfig as TerminationConfig
from ...distribute.strategies import CentralStorageStrategy as CentralStorageStrategy
from ...distribute.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from ...distribute.tpus import TPUStrategy as TPUStrategy
from ...distribute.unsupported import ParameterServerStrategy as ParameterServerStrategy
