# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..experimental.exchange import from_dlpack as from_dlpack
from ..experimental.exchange import to_dlpack as to_dlpack
