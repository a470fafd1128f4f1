# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..autograph.conversion import set_verbosity as set_verbosity
from ..autograph.conversion import to_code as to_code
from ..autograph.conversion import to_graph as to_graph
from ..autograph.conversion import trace as trace
