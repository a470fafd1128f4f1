# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..distribute.tpus import initialize_tpu_system as initialize_tpu_system
from ..distribute.tpus import shutdown_tpu_system as shutdown_tpu_system
