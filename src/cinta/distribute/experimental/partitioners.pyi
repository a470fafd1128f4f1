# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...distribute.partitioners import FixedShardsPartitioner as FixedShardsPartitioner
from ...distribute.partitioners import MaxSizePartitioner as MaxSizePartitioner
from ...distribute.partitioners import MinSizePartitioner as MinSizePartitioner
from ...distribute.partitioners import Partitioner as Partitioner
