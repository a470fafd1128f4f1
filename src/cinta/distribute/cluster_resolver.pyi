# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..distribute.resolvers import ClusterResolver as ClusterResolver
from ..distribute.resolvers import SimpleClusterResolver as SimpleClusterResolver
from ..distribute.resolvers import TFConfigClusterResolver as TFConfigClusterResolver
from ..distribute.slurm import SlurmClusterResolver as SlurmClusterResolver
from ..distribute.tpus import TPUClusterResolver as TPUClusterResolver
