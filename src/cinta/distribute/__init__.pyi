# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..distribute.current import get_replica_context as get_replica_context
from ..distribute.current import get_strategy as get_strategy
from ..distribute.current import has_strategy as has_strategy
from ..distribute.current import in_cross_replica_context as in_cross_replica_context
from ..distribute.inputs import DistributedDataset as DistributedDataset
from ..distribute.inputs import DistributedIterator as DistributedIterator
from ..distribute.inputs import DistributedValues as DistributedValues
from ..distribute.inputs import InputContext as InputContext
from ..distribute.reduce_op import ReduceOp as ReduceOp
from ..distribute.replica_context import ReplicaContext as ReplicaContext
from ..distribute.strategy import MirroredStrategy as MirroredStrategy
from ..distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
from ..distribute.strategy import Strategy as Strategy
from ..distribute.strategy import TPUStrategy as TPUStrategy
