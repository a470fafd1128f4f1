# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..distribute.input_context import ValueContext as ValueContext
from ..distribute.options import CommunicationImplementation as _CollectiveCommunication
CollectiveCommunication = _CollectiveCommunication
from ..distribute.options import CommunicationImplementation as CommunicationImplementation
from ..distribute.options import CommunicationOptions as CommunicationOptions
from ..distribute.refused import CentralStorageStrategy as CentralStorageStrategy
from ..distribute.refused import ParameterServerStrategy as ParameterServerStrategy
from ..distribute.refused import TPUStrategy as TPUStrategy
from ..distribute.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
