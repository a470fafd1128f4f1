# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...engine.distributed_values import Mirrored as Mirrored
from ...engine.distributed_values import PerReplica as PerReplica
