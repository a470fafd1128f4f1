# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.sparse.set_operations import difference as difference
from .ops.sparse.set_operations import intersection as intersection
from .ops.sparse.set_operations import size as size
from .ops.sparse.set_operations import union as union
