# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..lookup.mutable_tables import DenseHashTable as DenseHashTable
from ..lookup.mutable_tables import MutableHashTable as MutableHashTable
