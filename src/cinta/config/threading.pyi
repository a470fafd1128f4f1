# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..config.computing import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from ..config.computing import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from ..config.computing import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from ..config.computing import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads
