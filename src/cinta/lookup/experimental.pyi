# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..lookup.tables import DenseHashTable as DenseHashTable
from ..lookup.tables import MutableHashTable as MutableHashTable
