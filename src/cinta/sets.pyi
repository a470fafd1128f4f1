# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.sparse.sets import difference as difference
from .ops.sparse.sets import intersection as intersection
from .ops.sparse.sets import size as size
from .ops.sparse.sets import union as union
